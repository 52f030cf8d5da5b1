//! Chooses by playing on: the hidden cards are dealt at random many times, to agree with everything seen, and each action is
//! followed by a round that all seats play greedily. Used by `sample` and `search`, which differ in how long they think and
//! in what they suspect of hands.
//!
//! Flat Monte Carlo: all actions that are left are tried in the same deals; those that are surely worse are given up, and
//! after each of several stages the worse half. What `greedy` would do is done unless another action is clearly better.
//! With a fixed number of playouts no clock has a say, and every machine makes the same choices.

use std::time::{Duration, Instant};

use maumau_engine::{ChoiceStream, Game, Phase, Rules, Unseen};
use maumau_observer::{Lost, Observer, play_out};
use maumau_protocol::message::{Ask, Start, Tell};
use maumau_protocol::ruleset::{Decides, RuleSet};
use maumau_protocol::{Action, MAX_SEATS, Seat, SeenEvent, Verb, View};
use maumau_sdk::{Agent, first_legal};

use crate::belief::suspicions;
use crate::careful::{duty, observer};
use crate::greedy::{Greedy, GreedyPolicy};
use crate::table::CardValues;

/// How a bot thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thinking {
    /// Playouts for a choice, all actions together.
    pub simulations: u32,
    /// The same where seats act between turns, which makes each playout cost more.
    pub in_races: u32,
    /// Whether it makes all of them however long they take. Otherwise it stops after a part of the time that an ask gives.
    pub is_fixed: bool,
    /// Whether it infers hands from what others do.
    pub infers: bool,
}

impl Thinking {
    /// As the bot `sample` thinks.
    pub const SAMPLE: Thinking = Thinking { simulations: 600, in_races: 240, is_fixed: false, infers: false };
    /// As the bot `search` thinks.
    pub const SEARCH: Thinking = Thinking { simulations: 14_000, in_races: 2_500, is_fixed: false, infers: true };

    /// Always with so many playouts.
    pub const fn fixed(simulations: u32, infers: bool) -> Thinking {
        Thinking { simulations, in_races: simulations, is_fixed: true, infers }
    }
}

/// Actions of a playout after which it is judged as it stands: what comes later has less to do with the choice than with chance.
const MOST_ACTIONS: u32 = 30;

/// After so many deals actions that are surely worse than another one are given up, by so many standard errors.
const LOOK_EVERY: u32 = 8;
const RACE_DOUBT: f32 = 2.5;

/// By how many standard errors an action must gain over the one that `greedy` would take: few playouts show mostly chance.
const DOUBT: f32 = 1.0;

/// The part of an ask's time after which it stops to think.
const PATIENCE: u32 = 2;

/// Chooses by playing on.
#[derive(Debug)]
pub struct Playouts {
    thinking: Thinking,
    greedy: Greedy,
    mind: Option<Mind>,
    /// Simulations of the last choice, for its note.
    thought: Option<Thought>,
}

/// What a bot knows of its game, and where it tries things out.
#[derive(Debug)]
struct Mind {
    observer: Observer,
    dice: ChoiceStream<'static>,
    world: Game,
    trial: Game,
}

/// What an action gains over the usual one, in the deals in which both were tried.
#[derive(Clone, Copy, Debug, Default)]
struct Gain {
    sum: f32,
    squares: f32,
    deals: f32,
}

impl Gain {
    fn add(&mut self, gain: f32) {
        self.sum += gain;
        self.squares += gain * gain;
        self.deals += 1.0;
    }

    /// The mean, and so many standard errors more.
    fn bound(&self, errors: f32) -> f32 {
        let mean = self.sum / self.deals;
        let variance = (self.squares / self.deals - mean * mean).max(0.0);
        mean + errors * (variance / self.deals).sqrt()
    }
}

/// How a choice came about.
#[derive(Clone, Copy, Debug)]
struct Thought {
    simulations: u32,
    value: f32,
}

impl Playouts {
    /// The player of one game.
    pub fn new(start: &Start, mut thinking: Thinking) -> Playouts {
        if start.rules.as_ref().is_some_and(|rules| acts_between_turns(rules)) {
            thinking.simulations = thinking.in_races;
        }
        let mind = observer(start).map(|observer| {
            let rules = observer.rules().clone();
            let seed = u64::from_str_radix(&start.seed, 16).unwrap_or_default();
            let empty = Game::new(rules, &maumau_engine::seed_of_number(0));
            Mind { observer, dice: ChoiceStream::new(&[seed]), world: empty.clone(), trial: empty }
        });
        Playouts { thinking, greedy: Greedy::new(start), mind, thought: None }
    }

    fn see(&mut self, events: &[SeenEvent]) {
        if let Some(mind) = &mut self.mind {
            events.iter().for_each(|event| mind.observer.see(event));
        }
    }

    /// The best of `actions`, and what was thought; an error where the position is not known.
    fn think(&mut self, ask: &Ask, view: &View, actions: &[&Action]) -> Result<Option<usize>, Lost> {
        let Some(mind) = &mut self.mind else { return Ok(None) };
        let table = self.greedy.table();
        match self.thinking.infers {
            true => mind.observer.catch_up_with(|game, seat, verb| suspicions(table, game, seat, verb))?,
            false => mind.observer.catch_up()?,
        }
        if actions.len() < 2 {
            return Ok(None);
        }
        mind.observer.look(view)?;
        let position = mind.observer.position()?;
        if position.phase() != Phase::Play || position.view(ask.seat) != *view {
            return Ok(None);
        }
        let began = Instant::now();
        let most = Duration::from_millis(ask.time_ms) / PATIENCE;
        // The one that greedy would take stays to the end, and the others are compared with it in the same deals.
        let usual = self.greedy.usual(ask, view).and_then(|usual| actions.iter().position(|action| *action == usual));
        let usual = usual.unwrap_or_default();
        let mut left: Vec<usize> = (0..actions.len()).filter(|at| *at != usual).collect();
        let mut gains = vec![Gain::default(); actions.len()];
        let stages = actions.len().next_power_of_two().ilog2();
        let (mut value, mut deals, mut simulations) = (0.0, 0_u32, 0);
        'thinking: for stage in 1..=stages {
            while simulations < (self.thinking.simulations * stage / stages).max(1) {
                mind.observer.sample_into(&mut mind.world, &mut mind.dice)?;
                let mut come_of = |at: usize| {
                    mind.trial.clone_from(&mind.world);
                    outcome(&mut mind.trial, ask.seat, actions[at], self.greedy.table())
                };
                let even = come_of(usual);
                left.iter().for_each(|at| gains[*at].add(come_of(*at) - even));
                value += even;
                deals += 1;
                simulations += left.len() as u32 + 1;
                if deals.is_multiple_of(LOOK_EVERY) {
                    let sure = left.iter().map(|at| gains[*at].bound(-RACE_DOUBT)).fold(0.0, f32::max);
                    left.retain(|at| gains[*at].bound(RACE_DOUBT) > sure);
                }
                if left.is_empty() || !self.thinking.is_fixed && began.elapsed() > most {
                    break 'thinking;
                }
            }
            // Equal ones stay in the order of the list.
            left.sort_by(|one, other| gains[*other].sum.total_cmp(&gains[*one].sum));
            left.truncate(left.len().div_ceil(2));
        }
        let best = left.iter().map(|at| (gains[*at].bound(-DOUBT), *at)).max_by(|one, other| one.0.total_cmp(&other.0));
        let best = best.filter(|(gain, _)| *gain > 0.0).map_or(usual, |(_, at)| at);
        self.thought = Some(Thought { simulations, value: (value + gains[best].sum) / deals as f32 });
        Ok(Some(best))
    }
}

/// The answer of a player that sees all cards, those to be drawn too: for measurements, as the upper end of what can be
/// reached by playing on.
pub fn with_open_cards(start: &Start, game: &Game, ask: &Ask) -> Action {
    if let Some(duty) = duty(ask) {
        return duty.clone();
    }
    let greedy = Greedy::new(start);
    let mut best: Option<(f32, &Action)> = None;
    for action in ask.legal.iter().filter(|_| game.phase() == Phase::Play) {
        let value = outcome(&mut game.clone(), ask.seat, action, greedy.table());
        if best.is_none_or(|(most, _)| value > most) {
            best = Some((value, action));
        }
    }
    best.map_or_else(|| first_legal(ask), |(_, action)| action.clone())
}

/// What comes of `action` of `seat` if all play on greedily: 1 for the best, 0 for the worst.
fn outcome(game: &mut Game, seat: Seat, action: &Action, table: &CardValues) -> f32 {
    let before: i64 = game.standing(seat);
    let others: [i64; MAX_SEATS] = std::array::from_fn(|at| match Seat::new(at) {
        Some(other) if at < game.rules().seats() => game.standing(other),
        _ => 0,
    });
    let mut policy = GreedyPolicy { table, waits: None };
    match action.verb {
        Verb::Wait => policy.waits = Some((seat, game.progress())),
        _ => {
            game.apply(seat, action, game.last_event(), &mut Unseen);
        }
    }
    play_out(game, &mut policy, MOST_ACTIONS);
    let seats = game.rules().seats();
    let scale = scale(game.rules());
    let beaten = Seat::all(seats).filter(|other| *other != seat).map(|other| {
        if game.is_over() {
            return match game.standing(seat).cmp(&game.standing(other)) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
        }
        let gained = (game.standing(seat) - before) - (game.standing(other) - others[other.index()]);
        let cards = match game.phase() {
            Phase::Play => f32::from(game.held(other)) - f32::from(game.held(seat)),
            _ => 0.0,
        };
        (0.5 + gained as f32 / scale + cards / 40.0).clamp(0.0, 1.0)
    });
    beaten.sum::<f32>() / (seats - 1).max(1) as f32
}

/// Whether cards of other seats or words are due between turns.
fn acts_between_turns(rules: &RuleSet) -> bool {
    rules.interject.is_some() || rules.duties.identical.is_some()
}

/// How much better one seat must be than another in a round to be worth all.
fn scale(rules: &Rules) -> f32 {
    match rules.decides() {
        Decides::RoundsWon => 2.0,
        Decides::FewestPoints => 120.0,
        Decides::MostChips => 24.0,
    }
}

impl Agent for Playouts {
    fn choose(&mut self, ask: &Ask) -> Action {
        self.see(&ask.events);
        self.thought = None;
        let Some(view) = &ask.view else { return first_legal(ask) };
        if let Some(duty) = duty(ask) {
            return duty.clone();
        }
        let actions: Vec<&Action> = ask.legal.iter().collect();
        match self.think(ask, view, &actions) {
            Ok(Some(best)) => actions[best].clone(),
            // Nothing to choose, or a position that is not known.
            Ok(None) | Err(_) => self.greedy.choose(ask),
        }
    }

    fn note(&mut self) -> Option<serde_json::Value> {
        let Thought { simulations, value } = self.thought?;
        Some(serde_json::json!({ "simulations": simulations, "value": (value * 1000.0).round() / 1000.0 }))
    }

    fn tell(&mut self, tell: &Tell) {
        self.see(&tell.events);
    }
}
