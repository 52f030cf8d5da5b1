//! Which games a list holds: the conditions of its address, compared with a game. Where games come from is not known here.

use maumau_protocol::Seat;
use maumau_protocol::fault::FaultCounts;
use maumau_protocol::message::GameResult;
use maumau_web::shown::{GameFilter, GameRow, SeatRow};

/// Games of a page.
pub(super) const PAGE_GAMES: usize = 50;

/// A game as a row of the list; `agents` and `faults` by seat.
pub(super) fn row(name: &str, agents: &[&str], result: &GameResult, faults: &[FaultCounts]) -> GameRow {
    let seat = |(seat, agent): (Seat, &&str)| SeatRow {
        agent: (*agent).to_owned(),
        place: result.places[seat.index()],
        points: result.points[seat.index()],
        faults: faults[seat.index()].iter().map(|(fault, count)| (fault.name().to_owned(), count as u32)).collect(),
        is_dismissed: result.dismissed.contains(&seat),
    };
    GameRow { name: name.to_owned(), seats: Ok(Seat::all(agents.len()).zip(agents).map(seat).collect()) }
}

/// True if a game may be wanted, as far as its name and its agents tell.
pub(super) fn may_be_wanted<'a>(filter: &GameFilter, name: &str, mut agents: impl Iterator<Item = &'a str>) -> bool {
    name.contains(filter.name.trim()) && (filter.agent.is_empty() || agents.any(|agent| agent == filter.agent))
}

/// The least number of moves that is asked for, if any is.
pub(super) fn least_moves(filter: &GameFilter) -> Option<u32> {
    filter.moves.trim().parse().ok().filter(|moves| *moves > 0)
}

/// True if the conditions hold for a game, but for its number of moves.
pub(super) fn is_wanted(filter: &GameFilter, row: &GameRow) -> bool {
    let Ok(seats) = &row.seats else { return *filter == GameFilter { from: filter.from, ..GameFilter::default() } };
    let of_agent = |seat: &&SeatRow| filter.agent.is_empty() || seat.agent == filter.agent;
    let has_fault = |seat: &SeatRow| match filter.fault.as_str() {
        "" => true,
        "any" => seat.is_dismissed || !seat.faults.is_empty(),
        wanted => seat.faults.iter().any(|(fault, _)| fault == wanted),
    };
    let (place, wanted_seat) = (filter.place.trim(), filter.seat.trim());
    let sits =
        |(at, seat): &(usize, &SeatRow)| of_agent(seat) && (wanted_seat.is_empty() || at.to_string() == wanted_seat);
    may_be_wanted(filter, &row.name, seats.iter().map(|seat| seat.agent.as_str()))
        && seats.iter().enumerate().filter(sits).any(|(_, seat)| place.is_empty() || seat.place.to_string() == place)
        && seats.iter().enumerate().filter(sits).any(|(_, seat)| has_fault(seat))
}

#[cfg(test)]
mod tests {
    use maumau_protocol::fault::ConductFault;

    use super::*;

    #[test]
    fn every_condition_holds_for_the_agent_that_is_asked_for() {
        let result =
            GameResult { places: vec![1, 2], points: vec![0, 7], wins: vec![1, 0], rounds: 1, dismissed: Vec::new() };
        let mut faults = [FaultCounts::default(), FaultCounts::default()];
        faults[0].add(ConductFault::NotJson);
        let game = row("g000-d0007-r1", &["ann", "bob"], &result, &faults);
        let filter = |agent: &str, place: &str, fault: &str, name: &str| GameFilter {
            seat: if agent == "bob" { "1".to_owned() } else { String::new() },
            moves: String::new(),
            agent: agent.to_owned(),
            place: place.to_owned(),
            fault: fault.to_owned(),
            name: name.to_owned(),
            from: 3,
        };
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
        ] {
            assert_eq!(is_wanted(&wanted, &game), expected, "{wanted:?}");
        }
    }
}
