//! Judges the decisions of one game, in order. It replays the log once for the asks and once for the events, gives each seat
//! the events that it saw, and measures actions by the evaluation of the bot `search`; marks are `loss`'s.
//!
//! Half of the playouts of a decision find the best action: all actions are tried in the same deals. The other half measures
//! what the action taken lost against it, in deals of their own, so that an action gains nothing by having looked best by
//! chance.

use std::sync::Arc;

use maumau_agents::{Evaluator, RoundStakes, acts_between_turns};
use maumau_engine::{ChoiceStream, Game, Rules, Unseen};
use maumau_observer::Lost;
use maumau_protocol::message::What;
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Action, Elapse, Event, EventNumber, Reason, Seat, Stand, Verb, View};
use maumau_referee::lockstep::{Slowness, slowness};
use maumau_referee::record::{Digest, MoveCount, MoveNumber};
use maumau_referee::{Decided, DecisionReader, GameLog, Replay, ReplayError};

use crate::kind::{DecisionKind, RoundPart};
use crate::loss::{ActionLead, ActionLoss, LossMark};
use crate::mean::{MeanWithError, MeasuredValues};

/// Deals in which actions are tried, at least, however many actions there are.
const LEAST_DEALS: u32 = 16;

/// How many playouts judge a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    name: &'static str,
    /// Playouts for a decision, all actions together.
    pub simulations: u32,
    /// The same where seats act between turns, which makes each playout cost more.
    pub in_races: u32,
}

impl Effort {
    /// A game of a hundred decisions in about two seconds.
    pub const QUICK: Effort = Effort { name: "quick", simulations: 2_000, in_races: 400 };
    /// Four times that.
    pub const USUAL: Effort = Effort { name: "usual", simulations: 8_000, in_races: 1_600 };
    /// Twenty times that of `QUICK`.
    pub const DEEP: Effort = Effort { name: "deep", simulations: 40_000, in_races: 8_000 };

    /// An effort of one's own, of so many playouts for a decision.
    pub const fn of(simulations: u32, in_races: u32) -> Effort {
        Effort { name: "own", simulations, in_races }
    }

    /// Its name: `quick`, `usual` or `deep`.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Playouts for a decision by `rules`.
    pub fn simulations(self, rules: &RuleSet) -> u32 {
        if acts_between_turns(rules) { self.in_races } else { self.simulations }
    }
}

/// The decisions of a game, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct GameAnalysis {
    /// Playouts for each decision.
    pub simulations: u32,
    /// The decisions in the order in which they were taken up.
    pub decisions: Vec<JudgedDecision>,
}

impl GameAnalysis {
    /// The decisions of `seat`.
    pub fn of_seat(&self, seat: Seat) -> impl Iterator<Item = &JudgedDecision> {
        self.decisions.iter().filter(move |decision| decision.seat == seat)
    }
}

/// What a seat decided, and what the judge says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedDecision {
    /// The number of its move, as replays count it.
    pub number: MoveNumber,
    /// Whose.
    pub seat: Seat,
    /// What was asked.
    pub what: What,
    /// The last event before the ask.
    pub as_of: EventNumber,
    /// When in its round.
    pub part: RoundPart,
    /// The cards that the seat held.
    pub held: u16,
    /// What the seat did; `None` if it let its deadline pass.
    pub taken: Option<Action>,
    /// Why the action was refused, if it was.
    pub refused: Option<Reason>,
    /// What came of the round for the seat, on the scale of [`JudgedAction::worth`]; `None` if the round was not played to its end.
    pub happened: Option<f64>,
    /// What the judge says.
    pub judgement: Judgement,
}

/// What the judge says of a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement {
    /// The seat did the only thing that it could do.
    Forced,
    /// The position is not known from what the seat saw, or play was not going on.
    Unknown,
    /// The seat had a choice.
    Measured(Verdicts),
}

/// What each action of a decision was worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdicts {
    /// What the decision was about.
    pub kind: DecisionKind,
    /// The legal actions in the order of the ask, each with the words due with it; at the end what was done, if it was none of
    /// them.
    pub actions: Vec<JudgedAction>,
    /// The place of the action that was taken.
    pub taken: usize,
    /// The place of the best action: the one that was taken if no other seemed better.
    pub best: usize,
    /// What the action taken lost against the best one in the same deals; by chance it can be less than 0.
    pub loss: ActionLoss,
}

/// An action and its worth.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedAction {
    /// The action; `None` for a deadline that passes.
    pub action: Option<Action>,
    /// The share of the other seats that are beaten, from 0 to 1, if all play on greedily.
    pub worth: MeanWithError,
    /// The deals in which it was tried.
    pub deals: u32,
}

impl Verdicts {
    /// How bad the decision was.
    pub fn mark(&self) -> Option<LossMark> {
        LossMark::of(self.loss)
    }

    /// The action that was worth most after the best one; of equal ones the first.
    pub fn next_best(&self) -> Option<usize> {
        let others = (0..self.actions.len()).filter(|at| *at != self.best);
        let mean = |at: usize| self.actions[at].worth.mean;
        others.reduce(|most, at| if mean(at) > mean(most) { at } else { most })
    }

    /// What the best action was worth more than the next best. It is not overstated: the best one was measured in deals that did not
    /// choose it, and the next best in those where it looked best of the others, or in the same deals if it is the one that was taken.
    pub fn lead(&self) -> Option<ActionLead> {
        let next = self.next_best()?;
        if next == self.taken {
            return Some(self.loss);
        }
        let [best, next] = [self.best, next].map(|at| self.actions[at].worth);
        Some(ActionLead { mean: best.mean - next.mean, error: best.error.hypot(next.error) })
    }
}

impl JudgedDecision {
    /// What was measured, if the seat had a choice.
    pub fn verdicts(&self) -> Option<&Verdicts> {
        match &self.judgement {
            Judgement::Measured(verdicts) => Some(verdicts),
            Judgement::Forced | Judgement::Unknown => None,
        }
    }
}

/// Judges the decisions of `log`, whose record has the digest `digest`, or only those of one seat. `progress` is called after each
/// decision with the number of those that are done and of all.
///
/// # Errors
/// The inputs of the log do not lead to its result.
pub fn analyse(
    log: &GameLog,
    digest: Digest,
    effort: Effort,
    only: Option<Seat>,
    mut progress: impl FnMut(usize, usize),
) -> Result<GameAnalysis, ReplayError> {
    let header = &log.header;
    let seats = header.names.len();
    let rules = Rules::for_table(&header.rules, seats, Some(header.rounds));
    let rules = Arc::new(rules.map_err(|error| ReplayError(error.to_string()))?);
    let asked = asked(log)?;
    let Course { events, happened } = Course::of(log, &asked)?;
    let mut earlier = vec![(0, 0); seats];
    let simulations = effort.simulations(&header.rules);
    let mut judges: Vec<Judge> = Seat::all(seats).map(|seat| Judge::new(&rules, seat, simulations)).collect();
    let is_wanted = |asked: &Asked| only.is_none_or(|seat| seat == asked.seat);
    let all = asked.iter().filter(|asked| is_wanted(asked)).count();
    let mut decisions = Vec::with_capacity(all);
    for (place, asked) in asked.into_iter().enumerate().filter(|(_, asked)| is_wanted(asked)) {
        let judge = &mut judges[asked.seat.index()];
        judge.see(&events[..asked.as_of.0 as usize]);
        let judgement = judge.judge(&asked, dice_of(digest, place)).unwrap_or(Judgement::Unknown);
        let Asked { number, seat, what, as_of, view, taken, refused, .. } = asked;
        let held = view.hands.get(seat.index()).copied().unwrap_or_default();
        let (round, before) = &mut earlier[seat.index()];
        if *round != view.round {
            (*round, *before) = (view.round, 0);
        }
        let (part, happened) = (RoundPart::of(&view.hands, *before), happened[place]);
        *before += 1;
        decisions.push(JudgedDecision { number, seat, what, as_of, part, held, taken, refused, happened, judgement });
        progress(decisions.len(), all);
    }
    Ok(GameAnalysis { simulations, decisions })
}

/// The dice for the deals of the decision at `place`.
fn dice_of(digest: Digest, place: usize) -> ChoiceStream<'static> {
    let words = digest.0.chunks(8).map(|word| word.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
    ChoiceStream::new(&words.chain([place as u64]).collect::<Vec<u64>>())
}

/// What a seat was asked, and what it did.
struct Asked {
    /// The input that came of it, as an index into the log.
    input: usize,
    number: MoveNumber,
    seat: Seat,
    what: What,
    as_of: EventNumber,
    view: View,
    legal: Vec<Verb>,
    taken: Option<Action>,
    refused: Option<Reason>,
}

/// The decisions of a game in the order in which they were taken up.
fn asked(log: &GameLog) -> Result<Vec<Asked>, ReplayError> {
    let mut moves = MoveCount::default();
    let numbers: Vec<MoveNumber> = log.inputs.iter().map(|logged| moves.of(&logged.entry)).collect();
    let mut all = Vec::new();
    DecisionReader::default().read(log, |decision, decided| {
        let (taken, refused) = match decided {
            Decided::Act(action, refused) => (Some(action.clone()), refused),
            Decided::Silence => (None, None),
        };
        all.push(Asked {
            input: decision.input,
            number: numbers[decision.input],
            seat: decision.seat,
            what: decision.what,
            as_of: decision.as_of,
            view: decision.view.clone(),
            legal: decision.legal.clone(),
            taken,
            refused,
        });
    })?;
    Ok(all)
}

/// What happened in a game.
struct Course {
    /// All of it; the first has the number 1.
    events: Vec<Event>,
    /// For each decision, what came of its round for its seat, if the round was played to its end.
    happened: Vec<Option<f64>>,
}

impl Course {
    /// Replays `log`, whose decisions are `asked`.
    fn of(log: &GameLog, asked: &[Asked]) -> Result<Course, ReplayError> {
        let mut replay = Replay::new(&log.header)?;
        let mut events: Vec<Event> = replay.drain_events().map(|(_, event)| event).collect();
        let mut happened = vec![None; asked.len()];
        // The decisions of this round, with the standings at each of them.
        let mut of_round = Vec::new();
        let mut left = asked.iter().enumerate().peekable();
        for (input, logged) in log.inputs.iter().enumerate() {
            while let Some((place, asked)) = left.next_if(|(_, asked)| asked.input <= input) {
                of_round.push((place, asked.seat, RoundStakes::of(replay.game())));
            }
            replay.take(&logged.entry)?;
            let known = events.len();
            events.extend(replay.drain_events().map(|(_, event)| event));
            let is_over = events[known..].iter().any(|event| matches!(event, Event::RoundOver { .. }));
            if is_over {
                for (place, seat, stakes) in of_round.drain(..) {
                    happened[place] = Some(f64::from(stakes.outcome(replay.game(), seat)));
                }
            }
        }
        Ok(Course { events, happened })
    }
}

/// Judges the decisions of one seat.
struct Judge {
    seat: Seat,
    evaluator: Evaluator,
    /// Events that it has seen.
    seen: usize,
    simulations: u32,
}

impl Judge {
    fn new(rules: &Arc<Rules>, seat: Seat, simulations: u32) -> Judge {
        let evaluator = Evaluator::new(Arc::clone(rules), seat, ChoiceStream::new(&[]));
        Judge { seat, evaluator, seen: 0, simulations }
    }

    /// Shows the evaluator what is new in `events`, all those of the game so far.
    fn see(&mut self, events: &[Event]) {
        for event in events.iter().skip(self.seen) {
            self.evaluator.see(&event.seen_by(self.seat));
        }
        self.seen = self.seen.max(events.len());
    }

    /// # Errors
    /// What the seat has seen cannot be explained.
    fn judge(&mut self, asked: &Asked, dice: ChoiceStream<'static>) -> Result<Judgement, Lost> {
        self.evaluator.catch_up(true)?;
        if !self.evaluator.stands_at(&asked.view)? {
            return Ok(Judgement::Unknown);
        }
        let legal = asked.legal.iter().map(|verb| self.evaluator.with_words(verb.clone()).map(Some));
        let mut actions = legal.collect::<Result<Vec<_>, Lost>>()?;
        let taken = actions.iter().position(|action| *action == asked.taken).unwrap_or(actions.len());
        if taken == actions.len() {
            actions.push(asked.taken.clone());
        }
        if actions.len() == 1 {
            return Ok(Judgement::Forced);
        }
        self.evaluator.deal_by(dice);
        let pending = &asked.view.pending;
        let owes = pending.draw > 0 || pending.sevens > 0 || pending.skip > 0;
        self.measure(actions, taken, asked.what, owes).map(Judgement::Measured)
    }

    fn measure(
        &mut self,
        actions: Vec<Option<Action>>,
        taken: usize,
        what: What,
        owes: bool,
    ) -> Result<Verdicts, Lost> {
        let mut worths = vec![MeasuredValues::default(); actions.len()];
        for _ in 0..(self.simulations / 2 / actions.len() as u32).max(LEAST_DEALS) {
            self.evaluator.deal()?;
            for (action, worth) in actions.iter().zip(&mut worths) {
                worth.add(self.outcome(action.as_ref()));
            }
        }
        // Of equal ones the one that was taken, then the first.
        let mean = |at: usize| worths[at].mean().mean;
        let best = (0..actions.len()).fold(taken, |best, at| if mean(at) > mean(best) { at } else { best });
        // If nothing seemed better than the action taken, the best of the others.
        let others = (0..actions.len()).filter(|at| *at != taken);
        let rival = others.reduce(|most, at| if mean(at) > mean(most) { at } else { most }).unwrap_or(taken);
        let kind = DecisionKind::of(what, owes, actions[taken].as_ref(), actions[rival].as_ref());
        let (mut of_best, mut of_taken, mut loss) =
            (MeasuredValues::default(), MeasuredValues::default(), MeasuredValues::default());
        for _ in 0..(self.simulations / 4).max(LEAST_DEALS) {
            self.evaluator.deal()?;
            let should = self.outcome(actions[best].as_ref());
            let did = if best == taken { should } else { self.outcome(actions[taken].as_ref()) };
            of_best.add(should);
            of_taken.add(did);
            loss.add(should - did);
        }
        (worths[best], worths[taken]) = (of_best, of_taken);
        let actions = actions.into_iter().zip(worths);
        let actions = actions.map(|(action, worth)| JudgedAction { action, worth: worth.mean(), deals: worth.count() });
        Ok(Verdicts { kind, actions: actions.collect(), taken, best, loss: loss.mean() })
    }

    /// What comes of `action` in the present deal; without one the deadline passes.
    fn outcome(&mut self, action: Option<&Action>) -> f64 {
        let seat = self.seat;
        f64::from(match action {
            Some(action) => self.evaluator.outcome(action),
            None => self.evaluator.outcome_after(|game| let_deadline_pass(game, seat)),
        })
    }
}

/// What the referee does if `seat`, which must move, is too slow.
fn let_deadline_pass(game: &mut Game, seat: Seat) {
    match slowness(game) {
        Slowness::StandIn => game.act_for(seat, Stand::Slow, &mut Unseen),
        Slowness::TurnLimit => game.elapse(Elapse::TurnLimit, &mut Unseen),
    }
}
