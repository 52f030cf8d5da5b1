//! Decides which game a faulty line is charged to (SPEC 6.0). A pure function: it knows the games that an agent plays
//! only by what they await, and no line.

use std::cmp::Reverse;

/// One of the games that an agent plays: what is needed to charge a faulty line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// True if it is the game that the line names.
    pub is_named: bool,
    /// The position of its open ask among all asks of the agent; `None` if it has no open ask.
    pub asked: Option<u64>,
    /// Its position among the agent's games, in the order in which they began.
    pub begun: u64,
}

/// The index in `games` of the game that a faulty line is charged to: the one it names; else the one whose ask has been open
/// longest; else the one that began last. `None` if there is no game: then the line is only counted.
pub fn charged(games: impl IntoIterator<Item = Candidate>) -> Option<usize> {
    let precedence = |game: &Candidate| (!game.is_named, game.asked.unwrap_or(u64::MAX), Reverse(game.begun));
    let (place, _) = games.into_iter().enumerate().min_by_key(|(_, game)| precedence(game))?;
    Some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_faulty_line_is_charged_to_the_game_it_names_else_to_the_longest_ask_else_to_the_last_begun() {
        const NAMED: bool = true;
        for (games, expected) in [
            (&[][..], None),
            (&[(!NAMED, None, 0)], Some(0)),
            (&[(!NAMED, None, 0), (!NAMED, None, 1)], Some(1)),
            (&[(!NAMED, None, 2), (!NAMED, None, 1)], Some(0)),
            (&[(!NAMED, Some(7), 0), (!NAMED, None, 1)], Some(0)),
            (&[(!NAMED, Some(7), 0), (!NAMED, Some(3), 1), (!NAMED, None, 2)], Some(1)),
            (&[(!NAMED, Some(1), 0), (NAMED, Some(2), 1)], Some(1)),
            (&[(NAMED, None, 0), (!NAMED, Some(1), 1), (!NAMED, None, 2)], Some(0)),
        ] {
            let candidate = |&(is_named, asked, begun)| Candidate { is_named, asked, begun };
            assert_eq!(charged(games.iter().map(candidate)), expected, "{games:?}");
        }
    }
}
