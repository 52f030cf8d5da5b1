//! The decisions of a recorded game: for each action that was taken up, and each deadline that a seat let pass, what the seat
//! saw when it was asked, what it could do, and what came of it. It replays logs and writes nothing.
//!
//! As a record does (SPEC 9), it leaves out asks that were answered with `wait`, and those that were not answered where
//! nothing had to be done.

use std::collections::VecDeque;
use std::sync::Arc;

use maumau_engine::{Game, Unseen, Verdict};
use maumau_protocol::message::{ClockMode, What};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Action, Elapse, EventNumber, Reason, Seat, Stand, Verb, View};

use crate::lines::LegalList;
use crate::lockstep::asked_for;
use crate::log::{GameLog, ReplayError, Rerun};
use crate::record::Entry;

/// Tables whose replays are kept.
const MAX_TABLES: usize = 64;

/// What a seat decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decided<'a> {
    /// It did this, and the action was accepted, or refused for the reason.
    Act(&'a Action, Option<Reason>),
    /// It let its deadline pass.
    Silence,
}

/// What a seat was asked, and what it decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The input that came of it, as an index into the log.
    pub input: usize,
    /// Whose.
    pub seat: Seat,
    /// What was asked.
    pub what: What,
    /// The last event before the ask. Asks of one tick have the same.
    pub as_of: EventNumber,
    /// The position as the seat saw it when it was asked.
    pub view: View,
    /// What it could do, without the words due with it, in the order of the ask.
    pub legal: Vec<Verb>,
    /// Microseconds to the answer or deadline, if the record says so.
    pub took_us: Option<u64>,
}

impl Decision {
    fn blank() -> Box<Decision> {
        Box::new(Decision {
            input: 0,
            seat: Seat::FIRST,
            what: What::React,
            as_of: EventNumber(0),
            view: View::default(),
            legal: Vec::new(),
            took_us: None,
        })
    }

    /// Takes down what `seat` is asked now.
    fn take_down(&mut self, game: &Game, seat: Seat) {
        self.seat = seat;
        self.what = asked_for(game, seat);
        self.as_of = game.last_event();
        game.view_into(seat, &mut self.view);
        self.legal.clear();
        LegalList::new(game, seat, self.what).for_each(|verb| self.legal.push(verb));
    }
}

/// Reads the decisions of many games, and keeps what can be used again.
#[derive(Default)]
pub struct DecisionReader {
    /// The rules and the table of earlier games, with a replay of each.
    tables: Vec<(Arc<RuleSet>, usize, u32, Rerun)>,
    /// Asks whose answers have not been taken up yet; in boxes, since a view is large and each of them moves four times.
    waiting: VecDeque<Box<Decision>>,
    spare: VecDeque<Box<Decision>>,
}

impl DecisionReader {
    /// Hands every decision of `log` to `each`, in the order in which they were taken up.
    ///
    /// # Errors
    /// The inputs do not lead to the result that the log holds.
    pub fn read(&mut self, log: &GameLog, mut each: impl FnMut(&Decision, Decided<'_>)) -> Result<(), ReplayError> {
        let header = &log.header;
        let (seats, rounds) = (header.names.len(), header.rounds);
        let known = self.tables.iter().position(|(rules, at, of, _)| {
            (Arc::ptr_eq(rules, &header.rules) || **rules == *header.rules) && (*at, *of) == (seats, rounds)
        });
        let place = match known {
            Some(place) => {
                self.tables[place].3.restart(&header.seed);
                place
            }
            None => {
                if self.tables.len() == MAX_TABLES {
                    self.tables.clear();
                }
                self.tables.push((Arc::clone(&header.rules), seats, rounds, Rerun::new(header)?));
                self.tables.len() - 1
            }
        };
        let rerun = &mut self.tables[place].3;
        rerun.begin_round(&mut Unseen);
        self.spare.append(&mut self.waiting);
        let mut acts = log.inputs.iter().enumerate().filter_map(|(place, logged)| match &logged.entry {
            Entry::Act(act) => Some((place, act)),
            _ => None,
        });
        let ends_a_tick = |entry: &Entry| matches!(entry, Entry::Elapse(over) if over.what != Elapse::TurnLimit);
        let ends = |from| (from..log.inputs.len()).find(|place| ends_a_tick(&log.inputs[*place].entry));
        let mut tick_ends = if header.clock == ClockMode::Lockstep { ends(0) } else { None };
        let mut next = acts.next();
        for (place, logged) in log.inputs.iter().enumerate() {
            let now = rerun.game().last_event();
            if tick_ends.is_some_and(|end| end < place) {
                tick_ends = ends(place);
            }
            // Answers of one tick are taken up one after another, but were all chosen before the first of them was. A time that
            // ends the tick may change what can be done without any event.
            while let Some((_, act)) =
                next.filter(|(at, act)| act.as_of <= now && tick_ends.is_none_or(|end| *at < end))
            {
                rerun.check(act.seat)?;
                let mut asked = self.spare.pop_back().unwrap_or_else(Decision::blank);
                asked.take_down(rerun.game(), act.seat);
                self.waiting.push_back(asked);
                next = acts.next();
            }
            let took_us = logged.meta.took_us;
            let silent = match &logged.entry {
                Entry::Act(act) => {
                    let verdict = rerun.act(act, &mut Unseen)?;
                    let Some(mut asked) = self.waiting.pop_front() else {
                        return Err(ReplayError(format!(
                            "seat {} acts upon event {}, which is later",
                            act.seat, act.as_of.0
                        )));
                    };
                    (asked.input, asked.took_us) = (place, took_us);
                    let refused = match verdict {
                        Verdict::Accepted => None,
                        Verdict::Refused(reason) => Some(reason),
                    };
                    each(&asked, Decided::Act(&act.action, refused));
                    self.spare.push_back(asked);
                    continue;
                }
                Entry::Stand(stand) if stand.why == Stand::Slow => Some(stand.seat),
                Entry::Elapse(elapse) if elapse.what == Elapse::TurnLimit && took_us.is_some() => {
                    rerun.game().waits_for()
                }
                _ => None,
            };
            if let Some(seat) = silent {
                rerun.check(seat)?;
                let mut asked = self.spare.pop_back().unwrap_or_else(Decision::blank);
                asked.take_down(rerun.game(), seat);
                (asked.input, asked.took_us) = (place, took_us);
                each(&asked, Decided::Silence);
                self.spare.push_back(asked);
            }
            rerun.take(&logged.entry, &mut Unseen)?;
        }
        let result = rerun.result();
        if result != log.result {
            return Err(ReplayError("the inputs do not lead to the result of the log".to_owned()));
        }
        Ok(())
    }
}
