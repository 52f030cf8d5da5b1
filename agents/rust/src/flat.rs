//! Flat Monte Carlo: all actions that are left are tried in the same deals and followed by a round that all seats play
//! greedily; those that are surely worse are given up, and after each of several stages the worse half. What `greedy` would do
//! is done unless another action is clearly better. It grows no tree: what comes after the action is never searched.

use maumau_engine::{Game, Phase, Unseen};
use maumau_observer::{Lost, play_out};
use maumau_protocol::message::{Ask, Start};
use maumau_protocol::{Action, Seat, Verb};
use maumau_sdk::first_legal;

use crate::careful::duty;
use crate::greedy::{Greedy, GreedyPolicy};
use crate::mind::{Mind, PlayoutBudget, Thought};
use crate::stakes::Stakes;
use crate::table::CardValues;

/// Actions of a playout after which it is judged as it stands: what comes later has less to do with the choice than with chance.
const MOST_ACTIONS: u32 = 30;

/// After so many deals actions that are surely worse than another one are given up, by so many standard errors.
const LOOK_EVERY: u32 = 8;
const RACE_DOUBT: f32 = 2.5;

/// By how many standard errors an action must gain over the one that `greedy` would take: few playouts show mostly chance.
const DOUBT: f32 = 1.0;

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

/// The best of `actions` of `seat`, of which number `usual` is what `greedy` would do.
///
/// # Errors
/// The position is not known.
pub(crate) fn best_of(
    mind: &mut Mind,
    table: &CardValues,
    seat: Seat,
    actions: &[&Action],
    usual: usize,
    budget: PlayoutBudget,
) -> Result<Thought, Lost> {
    // The usual one stays to the end, and the others are compared with it in the same deals.
    let mut left: Vec<usize> = (0..actions.len()).filter(|at| *at != usual).collect();
    let mut gains = vec![Gain::default(); actions.len()];
    let stages = actions.len().next_power_of_two().ilog2();
    let (mut value, mut deals, mut simulations) = (0.0, 0_u32, 0);
    'thinking: for stage in 1..=stages {
        while simulations < (budget.simulations * stage / stages).max(1) {
            mind.sample()?;
            let mut come_of = |at: usize| {
                mind.trial.clone_from(&mind.world);
                outcome(&mut mind.trial, seat, actions[at], table)
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
            if left.is_empty() || budget.is_late() {
                break 'thinking;
            }
        }
        // Equal ones stay in the order of the list.
        left.sort_by(|one, other| gains[*other].sum.total_cmp(&gains[*one].sum));
        left.truncate(left.len().div_ceil(2));
    }
    let best = left.iter().map(|at| (gains[*at].bound(-DOUBT), *at)).max_by(|one, other| one.0.total_cmp(&other.0));
    let best = best.filter(|(gain, _)| *gain > 0.0).map_or(usual, |(_, at)| at);
    Ok(Thought { best, simulations, value: (value + gains[best].sum) / deals as f32 })
}

/// The answer of a player that sees all cards, those to be drawn too: for measurements, as the upper end of what can be
/// reached by playing on.
pub fn with_open_cards(start: &Start, game: &Game, ask: &Ask) -> Action {
    if let Some(duty) = duty(ask) {
        return duty.clone();
    }
    let mut greedy = Greedy::new(start);
    ask.view.iter().for_each(|view| greedy.read_rules(view));
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
pub(crate) fn outcome(game: &mut Game, seat: Seat, action: &Action, table: &CardValues) -> f32 {
    outcome_of(game, seat, table, |game, policy| match action.verb {
        Verb::Wait => policy.waits = Some((seat, game.progress())),
        _ => {
            game.apply(seat, action, game.last_event(), &mut Unseen);
        }
    })
}

/// What comes of `change` for `seat` if all play on greedily.
pub(crate) fn outcome_of<'a>(
    game: &mut Game,
    seat: Seat,
    table: &'a CardValues,
    change: impl FnOnce(&mut Game, &mut GreedyPolicy<'a>),
) -> f32 {
    let stakes = Stakes::of(game);
    let mut policy = GreedyPolicy { table, waits: None };
    change(game, &mut policy);
    play_out(game, &mut policy, MOST_ACTIONS);
    stakes.share(game, seat)
}
