//! An agent that answers the newest ask it has read with an entry of `legal` never gets a strike and is never
//! dismissed, whatever the others do: they make false calls, talk, play wrong cards, call for points of order, are slow
//! or silent. It moves lines and a clock of its own, with delays; nothing waits.
//!
//! `MAUMAU_FULL=1 cargo test --release -p maumau-referee --test referee honest -- --nocapture` plays forty times as many games.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a test reads its length and prints what it did"
)]

use std::collections::VecDeque;
use std::sync::Arc;

use maumau_engine::ChoiceStream;
use maumau_engine::Rules;
use maumau_engine::rules::{all_sets, load_built_in, parse_setting};
use maumau_model_check::random_tables;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::{Act, ArenaMessage, Ask, AskId, ClockMode, GameId, Note};
use maumau_protocol::wire::read_arena_line;
use maumau_protocol::{Action, Card, Choice, Reach, RuleFault, Suit, Text, Verb};
use maumau_referee::local_game::{self, LocalGame};
use maumau_referee::record::Meta;
use maumau_referee::{Blame, GameSetup, Input, Timer, Verifier, verify};

use crate::table::{ready, ready_for_ticks, seat};

/// Maximum lines that a harasser sends while nothing moves: with more than 64 it would be dismissed itself.
const MOST_LINES: u32 = 60;
/// Maximum inputs of a game; then it is abandoned.
const MOST_INPUTS: usize = 1_500;

/// How an honest agent chooses among the entries of `legal`.
#[derive(Clone, Copy, Debug)]
enum Choosing {
    First,
    Last,
    Any,
}

/// The kind of agent at a seat.
#[derive(Clone, Copy, Debug)]
enum Sitter {
    Honest(Choosing),
    /// Disturbs, each time in one of the ways of its repertoire.
    Harasser(&'static [Way]),
}

/// A way to disturb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    FalseCall,
    Talk,
    AnyCard,
    Gesture,
    Deal,
    Pause,
    Note,
    Wait,
    Legal,
    Garbage,
}
use Way::*;

const REPERTOIRES: [&[Way]; 6] = [
    &[FalseCall, FalseCall, Legal],
    &[Talk, Talk, FalseCall, Legal],
    &[AnyCard, Talk, Legal],
    &[Pause, Gesture, Talk, Wait, Legal],
    &[Deal, Gesture, FalseCall, Note, Legal],
    &[FalseCall, Talk, AnyCard, Gesture, Deal, Pause, Note, Wait, Legal, Legal, Garbage],
];

const WORDS: [&str; 12] = [
    "mau",
    "mau mau",
    "spam",
    "hearts",
    "5 done",
    "WHAT?",
    "why?",
    "damn",
    "snap",
    "have a nice day",
    "last card",
    "x",
];

/// A table with honest seats and others.
struct Trial {
    game: LocalGame,
    clock: ClockMode,
    sitters: Vec<Sitter>,
    /// By seat: the asks that it has not read yet, and the newest of all.
    unread: Vec<VecDeque<Ask>>,
    newest: Vec<Option<Ask>>,
    /// Answers of honest seats in transit.
    under_way: VecDeque<(usize, AskId, Action)>,
    /// By seat: the state of play, and lines sent in it.
    lines: Vec<(u64, u32)>,
    described: String,
}

impl Trial {
    fn new(rules: &Arc<Rules>, clock: ClockMode, sitters: Vec<Sitter>, seed: u64) -> Trial {
        let handshakes = (0..sitters.len()).map(|index| Ok(if index % 3 == 0 { ready_for_ticks() } else { ready() }));
        let setup = local_game::setup(Arc::clone(rules), seed, handshakes);
        let game = LocalGame::begin(GameSetup { clock, ..setup });
        let seats = sitters.len();
        let set = rules.set();
        let described = format!("{} {:?}, {clock:?}, {sitters:?}, seed {seed}", set.name, set.options);
        let mut trial = Trial {
            game,
            clock,
            sitters,
            unread: vec![VecDeque::new(); seats],
            newest: vec![None; seats],
            under_way: VecDeque::new(),
            lines: vec![(0, 0); seats],
            described,
        };
        trial.read_effects();
        trial
    }

    fn input(&mut self, input: Input) {
        self.game.give(input);
        self.read_effects();
    }

    fn read_effects(&mut self) {
        for (to, line) in self.game.lines() {
            let text = std::str::from_utf8(line).expect("UTF-8").trim_end();
            match read_arena_line(text).expect("a message").expect("a known type") {
                ArenaMessage::Ask(ask) => {
                    self.newest[to.index()] = Some((*ask).clone());
                    self.unread[to.index()].push_back(*ask);
                }
                ArenaMessage::Fault(fault) if self.is_honest(to.index()) => {
                    assert_eq!(fault.strikes, 0, "{}: seat {to} gets a strike: {text}", self.described);
                }
                _ => {}
            }
        }
        for index in 0..self.sitters.len() {
            let out = self.is_honest(index) && self.game.referee().is_dismissed(seat(index));
            assert!(
                !out,
                "{}: the honest seat {index} is dismissed: {:?}",
                self.described,
                self.game.referee().tally(seat(index))
            );
        }
    }

    fn is_honest(&self, index: usize) -> bool {
        matches!(self.sitters[index], Sitter::Honest(_))
    }

    fn answer(&mut self, whose: usize, id: AskId, action: Action) {
        let act = Act { game: GameId("g1".into()), id, crash: None, action };
        self.input(Input::Act { seat: seat(whose), act, meta: Meta::default() });
    }

    /// An honest seat reads what it was sent and answers the newest ask, unless it has done so.
    fn think(&mut self, whose: usize, dice: &mut ChoiceStream<'_>) {
        let Some(ask) = self.unread[whose].pop_back() else { return };
        self.unread[whose].clear();
        let Sitter::Honest(choosing) = self.sitters[whose] else { return };
        let action = match choosing {
            Choosing::First => ask.legal.first(),
            Choosing::Last => ask.legal.last(),
            Choosing::Any => Some(dice.pick(&ask.legal)),
        };
        let action = action.unwrap_or_else(|| panic!("{}: nothing is legal: {ask:?}", self.described)).clone();
        self.under_way.push_back((whose, ask.id, action));
    }

    fn arrive(&mut self) {
        if let Some((whose, id, action)) = self.under_way.pop_front() {
            self.answer(whose, id, action);
        }
    }

    /// A harasser does something.
    fn disturb(&mut self, whose: usize, dice: &mut ChoiceStream<'_>) {
        let Sitter::Harasser(ways) = self.sitters[whose] else { return };
        let Some(ask) = self.newest[whose].clone().filter(|_| !self.game.referee().is_dismissed(seat(whose))) else {
            return;
        };
        let lockstep = self.clock == ClockMode::Lockstep;
        if lockstep && self.game.watch().deadline(seat(whose)).is_none() {
            return;
        }
        let play = self.game.referee().game().progress();
        if self.lines[whose].0 != play {
            self.lines[whose] = (play, 0);
        }
        let must = lockstep && ask.what != maumau_protocol::message::What::React;
        let way = if self.lines[whose].1 >= MOST_LINES || dice.one_in(5) { Legal } else { *dice.pick(ways) };
        self.lines[whose].1 += u32::from(way != Legal);
        let verb: Verb = match way {
            FalseCall => {
                let others: Vec<usize> = (0..self.sitters.len()).filter(|other| *other != whose).collect();
                let fault = dice.pick(&RuleFault::ALL).name().try_into().expect("short");
                Verb::Call { against: seat(*dice.pick(&others)), fault }
            }
            Talk => Verb::Say { text: Text::try_from(*dice.pick(&WORDS)).expect("short") },
            AnyCard => {
                let card = match self.game.referee().game().hand(seat(whose)).cards().next() {
                    Some(card) if !dice.one_in(30) => card,
                    _ => Card::from_index(dice.below(52) as u8).expect("a card"),
                };
                let choose = dice.one_in(20).then(|| Choice::Suit(*dice.pick(&Suit::ALL)));
                Verb::Play { card, choose }
            }
            Gesture => match dice.below(4) {
                0 => Verb::Look,
                1 => Verb::Glare { at: seat(dice.below(self.sitters.len())) },
                2 => Verb::Reach { r#for: *dice.pick(&[Reach::Draw, Reach::Play]) },
                _ => Verb::Draw,
            },
            Deal => match dice.below(5) {
                0 => Verb::Deal { to: vec![seat(dice.below(self.sitters.len()))] },
                1 => Verb::TurnUp,
                2 => Verb::DealPenalties,
                3 => Verb::Count,
                _ => Verb::PickUp,
            },
            Pause => {
                if dice.one_in(2) {
                    Verb::PointOfOrder
                } else {
                    Verb::EndPointOfOrder
                }
            }
            Note => {
                let note = Note { game: GameId("g1".into()), note: "still thinking".into() };
                return self.input(Input::Note { seat: seat(whose), note });
            }
            Wait if must => Verb::Pass,
            Wait => Verb::Wait,
            Legal => match ask.legal.is_empty() {
                true => Verb::Draw,
                false => return self.answer(whose, ask.id, dice.pick(&ask.legal).clone()),
            },
            Garbage if dice.one_in(40) => {
                let message = "so it is".to_owned();
                return self.input(Input::Wrong {
                    seat: seat(whose),
                    fault: ConductFault::NotJson,
                    message,
                    line: None,
                });
            }
            Garbage => Verb::Pass,
        };
        self.answer(whose, ask.id, verb.into());
    }

    /// True if an honest seat is to move and its answer is in transit, or the ask still unread: then its time does not run out.
    fn honest_mover(&self) -> bool {
        self.game.referee().game().waits_for().is_some_and(|mover| self.is_honest(mover.index()))
    }

    fn pass_time(&mut self, dice: &mut ChoiceStream<'_>) {
        match self.clock {
            ClockMode::Lockstep => {
                let late = (0..self.sitters.len())
                    .find(|index| !self.is_honest(*index) && self.game.watch().deadline(seat(*index)).is_some());
                if let Some(late) = late.filter(|_| dice.one_in(3)) {
                    let (id, _) = self.game.pass_deadline(seat(late)).expect("a deadline that runs");
                    let (seat, meta) = (seat(late), Meta::default());
                    self.input(Input::Deadline { seat, id, meta, blame: Blame::Agent });
                }
            }
            ClockMode::Live => {
                let running: Vec<Timer> = self.game.watch().timers().to_vec();
                let running: Vec<Timer> =
                    running.into_iter().filter(|timer| *timer != Timer::Turn || !self.honest_mover()).collect();
                if !running.is_empty() {
                    let timer = *dice.pick(&running);
                    self.game.pass_timer(timer);
                    self.input(Input::Timer { timer, meta: Meta::default(), blame: Blame::Agent });
                }
            }
        }
    }

    /// Plays until the game is over or has lasted long enough; returns the inputs.
    fn play(&mut self, dice: &mut ChoiceStream<'_>) -> usize {
        for step in 0..MOST_INPUTS {
            if self.game.watch().is_finished() {
                return step;
            }
            let whose = dice.below(self.sitters.len());
            match dice.below(12) {
                0 => self.pass_time(dice),
                1..=3 => self.arrive(),
                _ if self.is_honest(whose) => {
                    self.think(whose, dice);
                    if dice.one_in(2) {
                        self.arrive();
                    }
                }
                _ => self.disturb(whose, dice),
            }
        }
        MOST_INPUTS
    }
}

fn sitters(seats: usize, dice: &mut ChoiceStream<'_>) -> Vec<Sitter> {
    let mut sitters: Vec<Sitter> =
        (0..seats).map(|_| Sitter::Harasser(REPERTOIRES[dice.below(REPERTOIRES.len())])).collect();
    let honest = 1 + dice.below(2);
    for _ in 0..honest {
        let choosing = *dice.pick(&[Choosing::First, Choosing::First, Choosing::Last, Choosing::Any]);
        sitters[dice.below(seats)] = Sitter::Honest(choosing);
    }
    sitters
}

#[test]
fn whatever_others_do_an_honest_seat_has_no_strike_and_stays() {
    let full = std::env::var_os("MAUMAU_FULL").is_some();
    let games = if full { 200 } else { 5 };
    let mut tables: Vec<Arc<Rules>> = Vec::new();
    for set in all_sets() {
        let loaded = Arc::new(load_built_in(set.name, &[]).expect("a built-in set").set);
        tables.extend([3, 5].map(|seats| Arc::new(Rules::for_table(&loaded, seats, None).expect("a table"))));
    }
    tables.extend(random_tables(if full { 20 } else { 2 }).expect("the built-in sets are sound"));
    let (mut played, mut inputs) = (0, 0);
    for (number, rules) in tables.iter().enumerate() {
        for clock in [ClockMode::Lockstep, ClockMode::Live] {
            for seed in 0..games {
                let mut dice = ChoiceStream::new(&[number as u64, clock as u64, seed]);
                let sitters = sitters(rules.seats(), &mut dice);
                inputs += Trial::new(rules, clock, sitters, seed).play(&mut dice);
                played += 1;
            }
        }
    }
    println!("{played} games at {} tables, {inputs} inputs", tables.len());
}

/// Two seats make false calls until there is nothing to draw, so that calls move nothing; the third seat exposes them one after
/// another (regression: after 64 upheld calls it was dismissed for `flood`).
#[test]
fn calls_that_are_upheld_are_no_flood() {
    let set = Arc::new(load_built_in("spam", &[parse_setting("turn_cap=400").expect("a setting")]).expect("sound").set);
    let rules = Arc::new(Rules::for_table(&set, 3, None).expect("a table of three"));
    let sitters = vec![Sitter::Harasser(&[FalseCall]), Sitter::Harasser(&[FalseCall]), Sitter::Honest(Choosing::First)];
    let mut trial = Trial::new(&rules, ClockMode::Live, sitters, 1);
    let mut dice = ChoiceStream::new(&[1]);
    let mut most = 0;
    for _ in 0..2_000 {
        let play = trial.game.referee().game().progress();
        let patience = if trial.game.referee().game().draw_pile_len() == 0 { MOST_LINES } else { 4 };
        for whose in 0..2 {
            let ask = trial.newest[whose].clone().expect("it wants to be asked, or it is to move");
            for _ in 0..patience {
                let fault = RuleFault::Slow.name().try_into().expect("short");
                trial.answer(whose, ask.id, Verb::Call { against: seat(1 - whose), fault }.into());
            }
        }
        let mut calls = (play, 0);
        loop {
            trial.think(2, &mut dice);
            let Some((whose, id, action)) = trial.under_way.pop_front() else { break };
            let is_call = matches!(action.verb, Verb::Call { .. });
            trial.answer(whose, id, action);
            let play = trial.game.referee().game().progress();
            calls = if calls.0 == play { (play, calls.1 + u32::from(is_call)) } else { (play, 0) };
            most = most.max(calls.1);
        }
        if most > 100 || trial.game.watch().is_finished() {
            break;
        }
        trial.pass_time(&mut dice);
    }
    assert!(most > 100, "only {most} calls in a row while nothing moved");
}

/// The verifier accepts every such game: it knows everything that can happen at a table.
#[test]
fn the_record_of_a_table_of_harassers_is_sound() {
    let full = std::env::var_os("MAUMAU_FULL").is_some();
    let mut verifier = Verifier::default();
    for (number, rules) in random_tables(if full { 100 } else { 2 }).expect("sound sets").iter().enumerate() {
        for clock in [ClockMode::Lockstep, ClockMode::Live] {
            let mut dice = ChoiceStream::new(&[number as u64, clock as u64]);
            let sitters = sitters(rules.seats(), &mut dice);
            let mut trial = Trial::new(rules, clock, sitters, 5);
            trial.play(&mut dice);
            for index in 0..rules.seats() {
                let message = "it is enough".to_owned();
                if !trial.game.watch().is_finished() && !trial.game.referee().is_dismissed(seat(index)) {
                    trial.sitters[index] = Sitter::Harasser(&[]);
                    trial.input(Input::Wrong { seat: seat(index), fault: ConductFault::Gone, message, line: None });
                }
            }
            let (log, _) = trial.game.finish();
            let (record, _) = log.to_record().expect("a log that plays");
            verify(&record).unwrap_or_else(|error| panic!("{}: {error}", trial.described));
            let sound = verifier.check(&record).expect("as before");
            assert_eq!(verifier.check_log(&log), Ok((sound, log.faults().expect("a log that plays"))));
        }
    }
}
