//! Figures by which games are looked for: how long one was, how close, what was thrown in. They are counted from its log, cards as
//! cards, so that they mean the same by every rule set; which of them make a game worth watching is not decided here.

use std::sync::Arc;

use maumau_engine::{Game, Witness};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Event, MAX_SEATS, Seat, SeatSet};

use crate::log::{GameLog, Logged, ReplayError, Rerun};
use crate::record::{Entry, Header};

/// Figures of one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFigures {
    /// Actions that were taken up, those of the referee for a seat included.
    pub moves: u32,
    /// Rounds that were finished.
    pub rounds: u16,
    /// Cards that the best of the others still held when the last round was over.
    pub lead: u16,
    /// How often another seat than before had the fewest cards alone, rounds taken by themselves.
    pub lead_changes: u16,
    /// The most cards that the winner of a round had, some time in it, more than the seat with the fewest.
    pub comeback: u16,
    /// Penalty cards that were taken.
    pub penalties: u16,
    /// Interjections.
    pub interjections: u16,
    /// Microseconds from asks to answers, of all seats.
    pub took_us: u64,
}

/// Counts the figures of games one after another; those by the same rules share what was made of them.
#[derive(Default)]
pub struct FigureCounter(Option<Table>);

/// The table of the games before.
struct Table {
    rules: Arc<RuleSet>,
    seats: usize,
    rounds: u32,
    rerun: Rerun,
}

/// What events say of a game.
#[derive(Default)]
struct Seen {
    begins: bool,
    penalties: u16,
    interjections: u16,
    winners: Option<SeatSet>,
}

impl Witness for Seen {
    fn see(&mut self, event: Event) {
        match event {
            Event::RoundStarted { .. } => self.begins = true,
            Event::Penalty { .. } => self.penalties = self.penalties.saturating_add(1),
            Event::Interjected { .. } => self.interjections = self.interjections.saturating_add(1),
            Event::RoundOver { winners, .. } => self.winners = Some(winners),
            _ => {}
        }
    }
}

/// How a round stands.
#[derive(Default)]
struct RoundCount {
    leader: Option<Seat>,
    /// By seat, the most cards that it had more than the seat with the fewest.
    behind: [u16; MAX_SEATS],
}

impl FigureCounter {
    /// The figures of the game in `log`.
    ///
    /// # Errors
    /// The log does not fit its header.
    pub fn count(&mut self, log: &GameLog) -> Result<GameFigures, ReplayError> {
        let rerun = self.rerun(&log.header)?;
        let (mut figures, mut round, mut seen) = (GameFigures::default(), RoundCount::default(), Seen::default());
        for Logged { entry, meta } in &log.inputs {
            rerun.begin_round(&mut seen);
            if std::mem::take(&mut seen.begins) {
                round = RoundCount::default();
            }
            rerun.take_in_round(entry, &mut seen)?;
            figures.moves += u32::from(matches!(entry, Entry::Act(_) | Entry::Stand(_)));
            figures.took_us += meta.took_us.unwrap_or_default();
            match seen.winners.take() {
                Some(winners) => figures.end_round(&round, winners, rerun.game()),
                None => figures.lead_changes = figures.lead_changes.saturating_add(round.look(rerun.game())),
            }
        }
        (figures.penalties, figures.interjections) = (seen.penalties, seen.interjections);
        Ok(figures)
    }

    /// A game that has not begun.
    fn rerun(&mut self, header: &Header) -> Result<&mut Rerun, ReplayError> {
        let is_same = |table: &Table| {
            Arc::ptr_eq(&table.rules, &header.rules)
                && (table.seats, table.rounds) == (header.names.len(), header.rounds)
        };
        let known = self.0.take().filter(is_same).map(|mut table| {
            table.rerun.restart(&header.seed);
            table
        });
        let table = match known {
            Some(table) => table,
            None => Table {
                rules: Arc::clone(&header.rules),
                seats: header.names.len(),
                rounds: header.rounds,
                rerun: Rerun::new(header)?,
            },
        };
        Ok(&mut self.0.insert(table).rerun)
    }
}

impl GameFigures {
    fn end_round(&mut self, round: &RoundCount, winners: SeatSet, game: &Game) {
        self.rounds = self.rounds.saturating_add(1);
        let others = Seat::all(game.rules().seats()).filter(|seat| !winners.contains(*seat));
        self.lead = others.map(|seat| held(game, seat)).min().unwrap_or_default();
        let behind = winners.iter().map(|seat| round.behind[seat.index()]).max();
        self.comeback = self.comeback.max(behind.unwrap_or_default());
    }
}

impl RoundCount {
    /// Takes note of the hands as they are; 1 if the lead has changed.
    fn look(&mut self, game: &Game) -> u16 {
        let seats = game.rules().seats();
        let fewest = Seat::all(seats).map(|seat| held(game, seat)).min().unwrap_or_default();
        let mut leaders = Seat::all(seats).filter(|seat| held(game, *seat) == fewest);
        let leader = leaders.next().filter(|_| leaders.next().is_none());
        for seat in Seat::all(seats) {
            let behind = &mut self.behind[seat.index()];
            *behind = (*behind).max(held(game, seat) - fewest);
        }
        let Some(leader) = leader else { return 0 };
        let before = self.leader.replace(leader);
        u16::from(before.is_some_and(|before| before != leader))
    }
}

fn held(game: &Game, seat: Seat) -> u16 {
    game.hand(seat).len() + game.sealed_hand(seat).len()
}

#[cfg(test)]
mod tests {
    use maumau_engine::Rules;
    use maumau_engine::rules::{all_sets, load_built_in};

    use super::*;
    use crate::local_game::FirstLegal;
    use crate::log::Replay;

    fn game(set: &str, seats: usize) -> GameLog {
        let loaded = load_built_in(set, &[]).expect("a built-in set").set;
        let rules = Rules::for_table(&Arc::new(loaded), seats, Some(2)).expect("a table");
        FirstLegal::new(Arc::new(rules), Vec::new()).play(7).expect("a game").0
    }

    #[test]
    fn figures_agree_with_the_events_of_a_game() {
        let (mut led, mut counter) = (0, FigureCounter::default());
        for set in all_sets() {
            let log = game(set.name, 3);
            let figures = counter.count(&log).expect("a sound log");
            assert_eq!(
                counter.count(&log).expect("a sound log"),
                figures,
                "{}, by the table of the game before",
                set.name
            );
            let mut replay = Replay::new(&log.header).expect("a table");
            log.inputs.iter().for_each(|logged| replay.take(&logged.entry).expect("a sound log"));
            let (mut winners, mut least) = (SeatSet::EMPTY, None);
            let mut counts = [0_u32; 3];
            for (_, event) in replay.drain_events() {
                match event {
                    Event::RoundOver { winners: seats, .. } => {
                        (winners, least) = (seats, None);
                        counts[0] += 1;
                    }
                    Event::Scored { seat, hand, .. } if !winners.contains(seat) => {
                        least = Some(least.map_or(hand.len(), |least: usize| least.min(hand.len())));
                    }
                    Event::Penalty { .. } => counts[1] += 1,
                    Event::Interjected { .. } => counts[2] += 1,
                    _ => {}
                }
            }
            // Not every rule set counts the hands.
            if let Some(least) = least {
                assert_eq!(usize::from(figures.lead), least, "{}", set.name);
                led += least;
            }
            let counted = [figures.rounds, figures.penalties, figures.interjections].map(u32::from);
            assert_eq!(counted, counts, "{}", set.name);
        }
        assert!(led > 0);
    }

    #[test]
    fn lead_and_comeback_are_those_of_hands_counted_by_events() {
        let log = game("basic", 2);
        let mut replay = Replay::new(&log.header).expect("a table");
        let mut events: Vec<Vec<Event>> = vec![replay.drain_events().map(|(_, event)| event).collect()];
        for logged in &log.inputs {
            replay.take(&logged.entry).expect("a sound log");
            events.push(replay.drain_events().map(|(_, event)| event).collect());
        }
        let (mut changes, mut best) = (0, 0);
        let (mut held, mut leader, mut behind) = ([0_i32; 2], None, [0_i32; 2]);
        for (at, events) in events.iter().enumerate() {
            let mut is_over = false;
            for event in events {
                match event {
                    // What follows is the next round's.
                    Event::RoundStarted { .. } => (held, leader, behind) = ([0; 2], None, [0; 2]),
                    Event::Dealt { seat, count, .. } => held[seat.index()] += i32::from(*count),
                    Event::Drew { seat, .. } | Event::Penalty { seat, .. } => held[seat.index()] += 1,
                    Event::Played { seat, .. } => held[seat.index()] -= 1,
                    Event::RoundOver { winners, .. } => {
                        best = winners.iter().map(|seat| behind[seat.index()]).fold(best, i32::max);
                        is_over = true;
                    }
                    _ => {}
                }
            }
            if at == 0 || is_over {
                continue;
            }
            for seat in [0, 1] {
                behind[seat] = behind[seat].max(held[seat] - held[1 - seat]);
            }
            if held[0] != held[1] {
                let now = usize::from(held[1] < held[0]);
                changes += i32::from(leader.is_some_and(|leader| leader != now));
                leader = Some(now);
            }
        }
        let figures = FigureCounter::default().count(&log).expect("a sound log");
        assert_eq!((i32::from(figures.lead_changes), i32::from(figures.comeback)), (changes, best));
        assert!(changes > 0 && best > 0, "{figures:?}");
    }
}
