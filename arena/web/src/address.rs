//! What an address says: which games a list is asked for, and texts as parts of an address. What stands there is not known here.

use std::fmt::Write;
use std::ops::RangeInclusive;

use maumau_referee::GameFigures;
use serde::Deserialize;

/// A figure of games, by which a list can be sorted and filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// [`GameFigures::moves`].
    Moves,
    /// [`GameFigures::rounds`].
    Rounds,
    /// [`GameFigures::lead`].
    Lead,
    /// [`GameFigures::lead_changes`].
    LeadChanges,
    /// [`GameFigures::comeback`].
    Comeback,
    /// [`GameFigures::penalties`].
    Penalties,
    /// [`GameFigures::interjections`].
    Interjections,
    /// [`GameFigures::took_us`], in seconds.
    Seconds,
}

impl Figure {
    /// All, in the order of the columns.
    pub const ALL: [Figure; 8] = [
        Figure::Moves,
        Figure::Rounds,
        Figure::Lead,
        Figure::LeadChanges,
        Figure::Comeback,
        Figure::Penalties,
        Figure::Interjections,
        Figure::Seconds,
    ];

    /// Its name in an address.
    pub fn key(self) -> &'static str {
        match self {
            Figure::Moves => "moves",
            Figure::Rounds => "rounds",
            Figure::Lead => "lead",
            Figure::LeadChanges => "lead_changes",
            Figure::Comeback => "comeback",
            Figure::Penalties => "penalties",
            Figure::Interjections => "interjections",
            Figure::Seconds => "seconds",
        }
    }

    /// That of a game; seconds are whole ones.
    pub fn of(self, game: &GameFigures) -> u32 {
        match self {
            Figure::Moves => game.moves,
            Figure::Rounds => game.rounds.into(),
            Figure::Lead => game.lead.into(),
            Figure::LeadChanges => game.lead_changes.into(),
            Figure::Comeback => game.comeback.into(),
            Figure::Penalties => game.penalties.into(),
            Figure::Interjections => game.interjections.into(),
            Figure::Seconds => u32::try_from(game.took_us / 1_000_000).unwrap_or(u32::MAX),
        }
    }

    /// What is said of a game of which no other has more of it.
    pub fn praise(self, game: &GameFigures) -> String {
        let count = self.of(game);
        let s = if count == 1 { "" } else { "s" };
        match self {
            Figure::Moves => format!("The longest: {count} move{s}"),
            Figure::Rounds => format!("Most rounds: {count}"),
            Figure::Lead => format!("The clearest end: {count} card{s} ahead"),
            Figure::LeadChanges => format!("The lead changed most often: {count} time{s}"),
            Figure::Comeback => format!("The biggest comeback: won from {count} card{s} behind"),
            Figure::Penalties => format!("Most penalty cards: {count}"),
            Figure::Interjections => format!("Most interjections: {count}"),
            Figure::Seconds => format!("The most time: {count} second{s}"),
        }
    }
}

/// The order of a list of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOrder {
    /// The figure that is compared.
    pub figure: Figure,
    /// True if the least comes first.
    pub ascends: bool,
}

impl GameOrder {
    /// What `sort=` of an address says: the name of a figure for the most first, with `-` before it for the least first.
    pub(crate) fn key(self) -> String {
        format!("{}{}", if self.ascends { "-" } else { "" }, self.figure.key())
    }
}

/// Which games are wanted, as in the address of the list. Empty texts mean no condition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct GameFilter {
    /// An agent that plays in them.
    pub agent: String,
    /// Another agent that plays in them.
    pub against: String,
    /// The agent's place in them: a number.
    pub place: String,
    /// Its seat in them, from 0.
    pub seat: String,
    /// The least number of moves: a number; or the least and the most, as `30-39`.
    pub moves: String,
    /// A kind of fault that it committed in them; `any` for one or another, `dismissed` if it was,
    /// `unwon` for games with a round that no seat has won.
    pub fault: String,
    /// Their rule set, in a run of several.
    pub rules: String,
    /// A part of their name, such as a deal `d0007`.
    pub name: String,
    /// Their rounds, as `moves`.
    pub rounds: String,
    /// The lead at the end, as `moves`.
    pub lead: String,
    /// How often the lead changed, as `moves`.
    pub lead_changes: String,
    /// The biggest comeback, as `moves`.
    pub comeback: String,
    /// Penalty cards, as `moves`.
    pub penalties: String,
    /// Interjections, as `moves`.
    pub interjections: String,
    /// Their length in seconds, as `moves`.
    pub seconds: String,
    /// The order: a [`Figure::key`] for the most first, with `-` before it for the least first.
    pub sort: String,
    /// The game that the page begins with: in the order of the plan its number, in another order its place from 0.
    pub from: u64,
}

impl GameFilter {
    /// The games of an agent.
    pub(crate) fn of(agent: &str) -> GameFilter {
        GameFilter { agent: agent.to_owned(), ..GameFilter::default() }
    }

    /// True if every game is wanted, from the first of the page on.
    pub fn is_open(&self) -> bool {
        *self == GameFilter { from: self.from, ..GameFilter::default() }
    }

    fn conditions(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let GameFilter { agent, against, place, seat, moves, fault, rules, name, sort, .. } = self;
        let further = Figure::ALL.into_iter().filter(|figure| *figure != Figure::Moves);
        let further = further.map(|figure| (figure.key(), self.condition(figure)));
        let conditions = [
            ("agent", agent),
            ("against", against),
            ("place", place),
            ("seat", seat),
            ("moves", moves),
            ("fault", fault),
            ("rules", rules),
            ("name", name),
        ];
        let conditions = conditions.into_iter().map(|(key, value)| (key, value.as_str()));
        let order = [("sort", sort.as_str())];
        conditions.chain(further).chain(order).filter(|(_, value)| !value.is_empty())
    }

    /// What is asked of a figure, as it was written.
    pub fn condition(&self, figure: Figure) -> &str {
        match figure {
            Figure::Moves => &self.moves,
            Figure::Rounds => &self.rounds,
            Figure::Lead => &self.lead,
            Figure::LeadChanges => &self.lead_changes,
            Figure::Comeback => &self.comeback,
            Figure::Penalties => &self.penalties,
            Figure::Interjections => &self.interjections,
            Figure::Seconds => &self.seconds,
        }
    }

    /// The numbers that are asked for, if any are.
    pub fn range(&self, figure: Figure) -> Option<RangeInclusive<u32>> {
        let text = self.condition(figure);
        let (least, most) = text.split_once('-').unwrap_or((text, ""));
        let (least, most) = (least.trim().parse().unwrap_or(0), most.trim().parse().unwrap_or(u32::MAX));
        (least > 0 || most < u32::MAX).then_some(least..=most)
    }

    /// The order that is asked for; `None` for that of the plan.
    pub fn order(&self) -> Option<GameOrder> {
        let (ascends, key) = self.sort.strip_prefix('-').map_or((false, self.sort.as_str()), |key| (true, key));
        let figure = Figure::ALL.into_iter().find(|figure| figure.key() == key)?;
        Some(GameOrder { figure, ascends })
    }

    /// True if games cannot be chosen without figures other than their moves.
    pub fn needs_figures(&self) -> bool {
        let mut further = Figure::ALL.into_iter().filter(|figure| *figure != Figure::Moves);
        self.order().is_some() || further.any(|figure| self.range(figure).is_some())
    }

    /// Says of the figures of games whether they are wanted.
    pub fn accepts_figures(&self) -> impl Fn(&GameFigures) -> bool + use<> {
        let ranges = Figure::ALL.into_iter().filter_map(|figure| Some((figure, self.range(figure)?)));
        let ranges: Vec<(Figure, RangeInclusive<u32>)> = ranges.collect();
        move |game| ranges.iter().all(|(figure, wanted)| wanted.contains(&figure.of(game)))
    }

    /// The address of the list of these games.
    pub(crate) fn address(&self) -> String {
        let from = (self.from > 0).then(|| ("from", self.from.to_string()));
        let conditions = self.conditions().map(|(key, value)| (key, in_path(value)));
        let mut address = "/games".to_owned();
        for (at, (key, value)) in from.into_iter().chain(conditions).enumerate() {
            _ = write!(address, "{}{key}={value}", if at == 0 { '?' } else { '&' });
        }
        address
    }
}

/// The address of the replay of a game at a move.
pub(crate) fn replay_address(game: &str, number: u32) -> String {
    format!("/games/{}#move={number}", in_path(game))
}

/// Text as it stands in an address.
pub(crate) fn in_path(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => escaped.push(char::from(byte)),
            byte => _ = write!(escaped, "%{byte:02X}"),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_its_part_of_an_address() {
        assert_eq!(in_path("a b/../?x=1&\"<é"), "a%20b%2F..%2F%3Fx%3D1%26%22%3C%C3%A9");
    }

    #[test]
    fn every_condition_stands_in_the_address() {
        assert_eq!(GameFilter::default().address(), "/games");
        assert!(GameFilter { from: 50, ..GameFilter::default() }.is_open());
        let text = |text: &str| text.to_owned();
        let filter = GameFilter {
            agent: text("a&b"),
            against: text("c"),
            place: text("1"),
            seat: text("0"),
            moves: text("30"),
            fault: text("any"),
            rules: text("skat"),
            name: text("d7"),
            rounds: text("1"),
            lead: text("0-1"),
            lead_changes: text("2"),
            comeback: text("3"),
            penalties: text("4"),
            interjections: text("5"),
            seconds: text("6"),
            sort: text("-lead"),
            from: 50,
        };
        let address = "/games?from=50&agent=a%26b&against=c&place=1&seat=0&moves=30&fault=any&rules=skat&name=d7&rounds=1&lead=0-1\
            &lead_changes=2&comeback=3&penalties=4&interjections=5&seconds=6&sort=-lead";
        assert_eq!(filter.address(), address);
        assert!(!filter.is_open());
    }

    #[test]
    fn figures_are_asked_for_from_a_number_on_or_between_two_and_order_games() {
        let filter = |moves: &str, sort: &str| GameFilter {
            moves: moves.to_owned(),
            sort: sort.to_owned(),
            ..GameFilter::default()
        };
        let range = |text: &str| filter(text, "").range(Figure::Moves);
        assert_eq!(["", "0", "many", "-"].map(range), [const { None }; 4]);
        assert_eq!(
            [" 30 ", "30-", "30 - 39", "-39"].map(range),
            [30..=u32::MAX, 30..=u32::MAX, 30..=39, 0..=39].map(Some)
        );
        for figure in Figure::ALL {
            for ascends in [false, true] {
                let order = GameOrder { figure, ascends };
                assert_eq!(filter("", &order.key()).order(), Some(order));
            }
        }
        assert_eq!(["", "-", "beauty"].map(|sort| filter("", sort).order()), [None; 3]);
        let game = GameFigures { moves: 30, lead: 2, took_us: 1_999_999, ..GameFigures::default() };
        assert_eq!((Figure::Lead.of(&game), Figure::Seconds.of(&game)), (2, 1));
        assert!(filter("30", "").accepts_figures()(&game) && !filter("31", "").accepts_figures()(&game));
        assert!(!filter("31", "").needs_figures() && filter("", "lead").needs_figures());
    }
}
