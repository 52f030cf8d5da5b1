//! Which games are still to be played, and which are in the run file; shared by all loops of a run. It keeps numbers of games
//! and hears of new rounds and of the end; it decides neither, and knows no results.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use maumau_tournament::{League, LeagueProblems, Plan, PlannedGame, Round, Tally};

use crate::run_store::RunPlan;

/// The games of a plan in order, without those in the run file already. A game goes to the first loop that asks; since its
/// cards depend on its name alone, it does not matter which loop plays it, or when.
pub struct Queue(Mutex<State>);

struct State {
    plan: Plan,
    next: u64,
    /// One bit for each game that is not to be played here: it was in the run file at the start, is not open, or is lent.
    done: Vec<u64>,
    /// Games that were lent and have come back unplayed.
    returned: VecDeque<PlannedGame>,
    /// Games that are lent, and the number after the last one that was.
    lent: u64,
    lent_to: u64,
    /// One bit for each game that is in the run file now.
    durable: Vec<u64>,
    is_closed: bool,
}

/// Where loops take games from.
pub trait GameQueue: Send + Sync {
    /// Takes the next game.
    fn take(&self) -> Taken;

    /// True if no other game of the deal will be played any more, so that its seed can be published.
    fn is_last_of_deal(&self, game: &PlannedGame) -> bool;
}

impl GameQueue for Queue {
    fn take(&self) -> Taken {
        Queue::take(self)
    }

    fn is_last_of_deal(&self, game: &PlannedGame) -> bool {
        Queue::is_last_of_deal(self, game)
    }
}

/// What a loop gets when it asks for a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// A game.
    Game(PlannedGame),
    /// Nothing now: the next round depends on games that are being played.
    Later,
    /// Nothing any more.
    Over,
}

impl Queue {
    /// The games of the plan of `tally` that it has not counted, and that `plan` leaves open.
    pub fn new(plan: &RunPlan, tally: &Tally) -> Queue {
        let open = plan;
        let plan = tally.plan().clone();
        let word = |word: u64| {
            let numbers = (0..64).filter(|bit| tally.is_counted(word * 64 + bit));
            numbers.fold(0, |bits, bit| bits | 1_u64 << bit)
        };
        let durable: Vec<u64> = (0..plan.len().div_ceil(64)).map(word).collect();
        let mut done = durable.clone();
        for number in open.closed(tally) {
            done[(number / 64) as usize] |= 1 << (number % 64);
        }
        let (returned, lent, lent_to) = (VecDeque::new(), 0, 0);
        Queue(Mutex::new(State { plan, next: 0, durable, done, returned, lent, lent_to, is_closed: false }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing in here panics between two changes that belong together.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next game.
    pub fn take(&self) -> Taken {
        let mut state = self.state();
        if let Some(game) = state.returned.pop_front() {
            return Taken::Game(game);
        }
        while state.next < state.plan.len() {
            let number = state.next;
            state.next += 1;
            if !has(&state.done, number) {
                return Taken::Game(state.plan.game(number));
            }
        }
        if state.is_closed && state.lent == 0 { Taken::Over } else { Taken::Later }
    }

    /// Lends about so many games, whose numbers follow one another: whole deals of which nobody has begun a game. None if none are left.
    pub(super) fn lend(&self, games: usize) -> Vec<PlannedGame> {
        let mut state = self.state();
        let (mut first, end) = (state.next.max(state.lent_to), state.plan.len());
        let mut lent = Vec::new();
        while first < end && lent.len() < games {
            let (begin, of_deal) = state.plan.deal_of(first);
            let deal = begin..(begin + of_deal).min(end);
            if begin == first && deal.clone().all(|number| !has(&state.done, number)) {
                lent.extend(deal.clone().map(|number| state.plan.game(number)));
                deal.clone().for_each(|number| set(&mut state.done, number));
            } else if !lent.is_empty() {
                break;
            }
            first = deal.end;
        }
        state.lent_to = state.lent_to.max(first);
        state.lent += lent.len() as u64;
        lent
    }

    /// Takes back lent games that nobody has played.
    pub(super) fn give_back(&self, games: Vec<PlannedGame>) {
        let mut state = self.state();
        state.lent -= games.len() as u64;
        state.returned.extend(games);
    }

    /// So many lent games have been played, and are on their way to the run file.
    pub(super) fn have_come(&self, games: usize) {
        self.state().lent -= games as u64;
    }

    /// True if no game is left, none is lent, and none will follow.
    pub(super) fn is_over(&self) -> bool {
        let state = self.state();
        state.is_closed && state.lent == 0 && state.returned.is_empty() && state.next >= state.plan.len()
    }

    /// Adds the games of a round.
    pub fn extend(&self, round: &Round) {
        self.state().plan.extend(round);
    }

    /// Says that no round will follow.
    pub fn close(&self) {
        self.state().is_closed = true;
    }

    /// Goes on in `league`, to whose agents others have been added, after it had been closed.
    ///
    /// # Errors
    /// Every problem of the league. Nothing has changed.
    pub(super) fn reopen(&self, league: League) -> Result<(), LeagueProblems> {
        let mut state = self.state();
        state.plan = state.plan.with_league(league)?;
        state.is_closed = false;
        Ok(())
    }

    /// Records that a game is in the run file.
    pub fn is_durable_now(&self, number: u64) {
        set(&mut self.state().durable, number);
    }

    /// True if all other games of the deal are in the run file, so that its seed can be published.
    pub fn is_last_of_deal(&self, game: &PlannedGame) -> bool {
        let state = self.state();
        let (first, games) = state.plan.deal_of(game.index);
        (first..first + games).all(|number| number == game.index || has(&state.durable, number))
    }
}

fn has(bits: &[u64], number: u64) -> bool {
    bits.get((number / 64) as usize).is_some_and(|word| word >> (number % 64) & 1 == 1)
}

fn set(bits: &mut Vec<u64>, number: u64) {
    let word = (number / 64) as usize;
    if bits.len() <= word {
        bits.resize(word + 1, 0);
    }
    bits[word] |= 1 << (number % 64);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::settings;

    /// The queue of sixty games, in deals of two.
    fn queue() -> (Queue, Plan) {
        let plan = RunPlan::new(settings()).expect("a plan");
        let tally = Tally::new(plan.pairings.clone());
        (Queue::new(&plan, &tally), plan.pairings)
    }

    fn taken(queue: &Queue) -> Option<u64> {
        match queue.take() {
            Taken::Game(game) => Some(game.index),
            Taken::Later | Taken::Over => None,
        }
    }

    fn numbers(games: &[PlannedGame]) -> Vec<u64> {
        games.iter().map(|game| game.index).collect()
    }

    #[test]
    fn whole_deals_are_lent_that_nobody_has_begun_and_each_game_is_played_once() {
        let (queue, _) = queue();
        assert_eq!(taken(&queue), Some(0));
        let first = queue.lend(3);
        assert_eq!(numbers(&first), [2, 3, 4, 5], "the deal that has begun stays");
        assert_eq!(numbers(&queue.lend(1)), [6, 7]);
        assert_eq!([taken(&queue), taken(&queue)], [Some(1), Some(8)]);
        queue.give_back(first);
        let rest: Vec<u64> = std::iter::from_fn(|| taken(&queue)).collect();
        assert_eq!(rest, [2, 3, 4, 5].into_iter().chain(9..60).collect::<Vec<_>>(), "what comes back comes first");
        assert!(queue.lend(100).is_empty());
    }

    #[test]
    fn nothing_is_over_before_what_is_lent_has_come() {
        let (queue, _) = queue();
        queue.close();
        let lent = queue.lend(4);
        while taken(&queue).is_some() {}
        assert_eq!((queue.take(), queue.is_over()), (Taken::Later, false));
        queue.have_come(2);
        assert_eq!((queue.take(), queue.is_over()), (Taken::Later, false));
        queue.give_back(lent[2..].to_vec());
        assert!(!queue.is_over(), "two are to be played here");
        assert_eq!([taken(&queue), taken(&queue)], [Some(2), Some(3)]);
        assert_eq!((queue.take(), queue.is_over()), (Taken::Over, true));
    }

    #[test]
    fn deals_with_games_in_the_run_file_are_not_lent() {
        let (_, plan) = queue();
        let games = crate::trial::games(5);
        let mut tally = Tally::new(plan);
        for game in &games {
            tally.add(&game.finished()).expect("a game of the plan");
        }
        let queue = Queue::new(&RunPlan::new(settings()).expect("a plan"), &tally);
        assert_eq!(numbers(&queue.lend(2)), [6, 7], "game 4 is there, so 5 is played here");
        assert_eq!(taken(&queue), Some(5));
    }
}
