//! What an address says: which games a list is asked for, and texts as parts of an address. What stands there is not known here.

use std::fmt::Write;

use serde::Deserialize;

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
    /// The game that the page begins with.
    pub from: u64,
}

impl GameFilter {
    /// The games of an agent.
    pub(crate) fn of(agent: &str) -> GameFilter {
        GameFilter { agent: agent.to_owned(), ..GameFilter::default() }
    }

    /// True if every game is wanted, from the first of the page on.
    pub(crate) fn is_open(&self) -> bool {
        *self == GameFilter { from: self.from, ..GameFilter::default() }
    }

    fn conditions(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let GameFilter { agent, against, place, seat, moves, fault, rules, name, from: _ } = self;
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
        conditions.into_iter().filter(|(_, value)| !value.is_empty()).map(|(key, value)| (key, value.as_str()))
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
            from: 50,
        };
        let address = "/games?from=50&agent=a%26b&against=c&place=1&seat=0&moves=30&fault=any&rules=skat&name=d7";
        assert_eq!(filter.address(), address);
        assert!(!filter.is_open());
    }
}
