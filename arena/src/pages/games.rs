//! Which games a list holds: the conditions of its address, compared with a game. Where games come from is not known here.

use maumau_protocol::Seat;
use maumau_protocol::fault::FaultCounts;
use maumau_protocol::message::GameResult;
use maumau_referee::GameFigures;
use maumau_web::shown::{Figure, GameFilter, GameRow, Highlight, ListedSeat};

/// Games of a page.
pub(super) const PAGE_GAMES: usize = 50;

/// How a filter asks for games with a fault of one kind or another.
pub(super) const ANY_FAULT: &str = "any";

/// How a filter asks for games in which an agent was dismissed.
pub(super) const DISMISSED: &str = "dismissed";

/// How a filter asks for games of which no seat has won a round (G-23).
pub(super) const UNWON: &str = "unwon";

/// So many games at least must be there for some to be worth watching more than others.
const FEW_GAMES: usize = 8;

/// A game as a row of the list; `agents` and `faults` by seat, `rules` the name of its rule set.
pub(super) fn row(name: &str, rules: &str, agents: &[&str], result: &GameResult, faults: &[FaultCounts]) -> GameRow {
    let seat = |(seat, agent): (Seat, &&str)| ListedSeat {
        agent: (*agent).to_owned(),
        place: result.places[seat.index()],
        points: result.points[seat.index()],
        faults: faults[seat.index()].iter().map(|(fault, count)| (fault.name().to_owned(), count as u32)).collect(),
        is_dismissed: result.dismissed.contains(&seat),
    };
    GameRow {
        name: name.to_owned(),
        rules: rules.to_owned(),
        unwon: result.unwon,
        figures: None,
        seats: Ok(Seat::all(agents.len()).zip(agents).map(seat).collect()),
    }
}

/// True if a game may be wanted, as far as its name and its agents show.
pub(super) fn may_be_wanted(filter: &GameFilter, name: &str, agents: &[&str]) -> bool {
    let plays = |wanted: &String| wanted.is_empty() || agents.contains(&wanted.as_str());
    name.contains(filter.name.trim()) && plays(&filter.agent) && plays(&filter.against)
}

/// Of `games`, for each figure that makes a game worth watching, the first one with the most of it, if there is any.
pub(crate) fn worth_watching<T: Copy>(games: impl Iterator<Item = (T, GameFigures)>) -> Vec<(Figure, T, GameFigures)> {
    let mut best: [Option<(T, GameFigures)>; Highlight::FIGURES.len()] = [None; Highlight::FIGURES.len()];
    let mut count = 0;
    for (game, figures) in games {
        count += 1;
        for (best, figure) in best.iter_mut().zip(Highlight::FIGURES) {
            let most = best.as_ref().map_or(0, |(_, best)| figure.of(best));
            if figure.of(&figures) > most {
                *best = Some((game, figures));
            }
        }
    }
    if count < FEW_GAMES {
        return Vec::new();
    }
    let found = Highlight::FIGURES.into_iter().zip(best);
    found.filter_map(|(figure, best)| best.map(|(game, figures)| (figure, game, figures))).collect()
}

/// True if the conditions hold for a game, but for its figures.
pub(super) fn is_wanted(filter: &GameFilter, row: &GameRow) -> bool {
    let Ok(seats) = &row.seats else { return *filter == GameFilter { from: filter.from, ..GameFilter::default() } };
    let agents: Vec<&str> = seats.iter().map(|seat| seat.agent.as_str()).collect();
    let of_agent = |seat: &&ListedSeat| filter.agent.is_empty() || seat.agent == filter.agent;
    let has_fault = |seat: &ListedSeat| match filter.fault.as_str() {
        "" => true,
        ANY_FAULT => seat.is_dismissed || !seat.faults.is_empty(),
        DISMISSED => seat.is_dismissed,
        UNWON => row.unwon > 0,
        wanted => seat.faults.iter().any(|(fault, _)| fault == wanted),
    };
    let (place, wanted_seat) = (filter.place.trim(), filter.seat.trim());
    let sits =
        |(at, seat): &(usize, &ListedSeat)| of_agent(seat) && (wanted_seat.is_empty() || at.to_string() == wanted_seat);
    let has_place = |seat: &ListedSeat| place.is_empty() || seat.place.to_string() == place;
    may_be_wanted(filter, &row.name, &agents)
        && (filter.rules.is_empty() || filter.rules == row.rules)
        && seats.iter().enumerate().filter(sits).any(|(_, seat)| has_place(seat) && has_fault(seat))
}

#[cfg(test)]
mod tests {
    use maumau_protocol::fault::ConductFault;

    use super::*;

    #[test]
    fn the_first_game_with_the_most_of_a_figure_is_worth_watching() {
        let game = |moves, comeback| GameFigures { moves, comeback, ..GameFigures::default() };
        let mut games = vec![("a", game(30, 0)), ("b", game(50, 4)), ("c", game(50, 9)), ("d", game(2, 9))];
        assert!(worth_watching(games.iter().copied()).is_empty(), "of so few games every one is");
        games.extend([("e", game(1, 0)); FEW_GAMES]);
        let found = worth_watching(games.into_iter());
        let named: Vec<(Figure, &str)> = found.iter().map(|(figure, game, _)| (*figure, *game)).collect();
        assert_eq!(named, [(Figure::Comeback, "c"), (Figure::Moves, "b")]);
        assert!(worth_watching([("a", game(0, 0)); FEW_GAMES].into_iter()).is_empty());
    }

    #[test]
    fn every_condition_holds_for_the_agent_that_is_asked_for() {
        let result = GameResult {
            places: vec![1, 2],
            points: vec![0, 7],
            wins: vec![1, 0],
            rounds: 1,
            unwon: 0,
            dismissed: Vec::new(),
        };
        let mut faults = [FaultCounts::default(), FaultCounts::default()];
        faults[0].add(ConductFault::NotJson);
        let game = row("g000-d0007-r1", "skat", &["ann", "bob"], &result, &faults);
        let filter = |agent: &str, place: &str, fault: &str, name: &str| GameFilter {
            seat: if agent == "bob" { "1".to_owned() } else { String::new() },
            agent: agent.to_owned(),
            place: place.to_owned(),
            fault: fault.to_owned(),
            name: name.to_owned(),
            from: 3,
            ..GameFilter::default()
        };
        let against = |other: &str| GameFilter { against: other.to_owned(), ..filter("ann", "", "", "") };
        let by = |rules: &str| GameFilter { rules: rules.to_owned(), ..filter("", "", "", "") };
        for (wanted, expected) in [
            (filter("", "", "", ""), true),
            (filter("ann", "1", ConductFault::NotJson.name(), "d0007"), true),
            (filter("bob", "", "any", ""), false),
            (filter("bob", "1", "", ""), false),
            (filter("bob", "2", "", ""), true),
            (GameFilter { seat: "0".to_owned(), ..filter("bob", "2", "", "") }, false),
            (filter("", "2", "", ""), true),
            (filter("", "", "late", ""), false),
            (filter("carl", "", "", ""), false),
            (filter("", "", "", "d0008"), false),
            (filter("", "", DISMISSED, ""), false),
            (filter("", "2", ConductFault::NotJson.name(), ""), false),
            (against("bob"), true),
            (against("carl"), false),
            (by("skat"), true),
            (by("snap"), false),
        ] {
            assert_eq!(is_wanted(&wanted, &game), expected, "{wanted:?}");
        }
    }
}
