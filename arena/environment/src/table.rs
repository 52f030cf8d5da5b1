//! One game stepped in the referee's order: whom it asks, and what is done with the answers. It knows neither numbers of
//! actions nor other games. Strikes are given as the referee gives them, without lines, times and logs.

use std::ops::ControlFlow;
use std::sync::Arc;

use maumau_engine::{Game, Phase, Rules, Unseen, Verdict};
use maumau_protocol::message::{GameResult, What};
use maumau_protocol::{Action, Elapse, Event, EventNumber, MAX_SEATS, Say, Seat, SeatSet, Seed, Stand, Verb};
use maumau_referee::faults::refusal;
use maumau_referee::lockstep::{self, ActionOutcome, Offer, Slowness, slowness};
use maumau_referee::{legal_verbs, result_of};

use crate::begun::{ActionStep, BegunPlay};

/// One answer of a game, in the order in which they were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenAnswer {
    /// Who.
    pub seat: Seat,
    /// What.
    pub action: Action,
}

/// One game, always at an offer or over.
#[derive(Clone, Debug)]
pub struct SteppedGame {
    state: State,
    /// `None` when the game is over.
    offer: Option<Offer>,
    /// What the seat that must act has chosen of a play of several cards.
    begun: BegunPlay,
}

#[derive(Clone, Debug)]
struct State {
    game: Game,
    /// Seats of the present offer whose answers have not been taken up, and those that have not answered.
    asked: SeatSet,
    open: SeatSet,
    /// The seat that must act, if it is asked.
    mover: Option<Seat>,
    seats: Vec<AtSeat>,
    /// By seat: its reactions since something moved. Apart from the rest, since all are cleared whenever something moves.
    idle: [u8; MAX_SEATS],
    dismissed: SeatSet,
    /// Not kept by games of which there are many.
    kept: Option<Box<Kept>>,
}

/// What has happened in a game.
#[derive(Clone, Debug, Default)]
struct Kept {
    events: Vec<Event>,
    answers: Vec<GivenAnswer>,
}

/// What the offers of a game know of a seat.
#[derive(Clone, Debug)]
struct AtSeat {
    /// Its answer to the present offer.
    given: (Verb, Say),
    strikes: u8,
}

impl Default for AtSeat {
    fn default() -> AtSeat {
        AtSeat { given: (Verb::Wait, Say::Nothing), strikes: 0 }
    }
}

impl SteppedGame {
    /// A game at its first offer. If `keeps`, its events and answers are kept.
    pub fn new(rules: Arc<Rules>, seed: &Seed, keeps: bool) -> SteppedGame {
        let seats = rules.seats();
        let state = State { kept: keeps.then(Box::default), ..State::of(Game::new(rules, seed), seats) };
        let mut table = SteppedGame { state, offer: None, begun: BegunPlay::NOTHING };
        table.begin();
        table
    }

    /// A game that goes on from a position in which a seat is asked, by default the one to move, and with it every other seat
    /// that can react. A seat to move that is not named is asked after them. Times and strikes begin again; events and
    /// answers are kept from then on.
    pub fn from_position(game: Game, asked: Option<(Seat, What)>) -> SteppedGame {
        let seats = game.rules().seats();
        let mut state = State { kept: Some(Box::default()), ..State::of(game, seats) };
        let waits_for = state.game.waits_for().filter(|_| !state.game.is_over());
        let Some(waits_for) = waits_for else { return SteppedGame { state, offer: None, begun: BegunPlay::NOTHING } };
        let (seat, what) = asked.unwrap_or((waits_for, lockstep::asked_for(&state.game, waits_for)));
        lockstep::LockstepTable::ask(&mut state, seat, what);
        for other in Seat::all(seats).filter(|other| *other != seat) {
            let reacts = lockstep::asked_for(&state.game, other) == What::React;
            if reacts && lockstep::can_react(&state.game, other) {
                lockstep::LockstepTable::ask(&mut state, other, What::React);
            }
        }
        let offer = Some(Offer::of_position(&state.game));
        SteppedGame { state, offer, begun: BegunPlay::NOTHING }
    }

    /// Replaces the game by another one at its first offer, in the memory of this one.
    pub fn restart(&mut self, seed: &Seed) {
        self.state.game.restart(seed);
        self.state.seats.fill_with(AtSeat::default);
        self.state.idle.fill(0);
        self.state.dismissed = SeatSet::EMPTY;
        self.begun = BegunPlay::NOTHING;
        if let Some(Kept { events, answers }) = self.state.kept.as_deref_mut() {
            events.clear();
            answers.clear();
        }
        self.begin();
    }

    fn begin(&mut self) {
        (self.state.asked, self.state.open, self.state.mover) = (SeatSet::EMPTY, SeatSet::EMPTY, None);
        lockstep::LockstepTable::settle(&mut self.state);
        self.offer = going_on(Offer::first(&mut self.state));
    }

    /// The position: during an offer, the one in which its answers are given.
    #[inline]
    pub fn game(&self) -> &Game {
        &self.state.game
    }

    /// Whether the game is over.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.offer.is_none()
    }

    /// The number of the last event before the present offer, or of the last one.
    pub fn as_of(&self) -> EventNumber {
        self.offer.map_or(self.state.game.last_event(), |offer| offer.as_of())
    }

    /// The events so far; none if they are not kept.
    pub fn events(&self) -> &[Event] {
        self.state.kept.as_deref().map_or(&[], |kept| &kept.events)
    }

    /// The answers since the game began or went on from a position; none if they are not kept.
    pub fn answers(&self) -> &[GivenAnswer] {
        self.state.kept.as_deref().map_or(&[], |kept| &kept.answers)
    }

    /// The seats that have not answered the present offer.
    #[inline]
    pub fn open(&self) -> SeatSet {
        self.state.open
    }

    /// What `seat` is asked for, if its answer is waited for.
    #[inline]
    pub fn asked_for(&self, seat: Seat) -> Option<What> {
        if !self.state.open.contains(seat) {
            return None;
        }
        Some(match self.state.mover == Some(seat) {
            true => lockstep::must_do(&self.state.game),
            false => What::React,
        })
    }

    /// What `seat` has chosen of a play of several cards.
    #[inline]
    pub fn begun(&self, seat: Seat) -> &BegunPlay {
        if self.state.mover == Some(seat) { &self.begun } else { const { &BegunPlay::NOTHING } }
    }

    /// Does what `step` of `seat`, which must be asked, says, with the words due.
    #[inline]
    pub fn take_step(&mut self, seat: Seat, step: ActionStep) {
        match step {
            ActionStep::Answer(verb) => {
                let say = self.words_due(seat, &verb);
                self.answer(seat, verb, say);
            }
            ActionStep::Begin(begun) => self.begun = begun,
        }
    }

    /// The seat that answers next, if answers are given one at a time: the one that must act first, then the others in the
    /// order of the seats after it.
    #[inline]
    pub fn next_asked(&self) -> Option<Seat> {
        let open = self.state.open;
        if let Some(mover) = self.state.mover.filter(|mover| open.contains(*mover)) {
            return Some(mover);
        }
        let first = self.state.game.waits_for().map_or(0, Seat::index);
        let after = open.iter().find(|seat| seat.index() > first);
        after.or_else(|| open.iter().next())
    }

    /// The legal verbs of `seat`, as its ask lists them; none if it is not asked.
    pub fn legal(&self, seat: Seat) -> Vec<Verb> {
        let mut verbs = Vec::new();
        if let Some(what) = self.asked_for(seat) {
            legal_verbs(&self.state.game, seat, what, |verb| verbs.push(verb));
        }
        verbs
    }

    /// Whether `verb` is legal for `seat`, which is asked for `what`.
    #[inline]
    pub fn is_legal(&self, seat: Seat, what: What, verb: &Verb) -> bool {
        let game = &self.state.game;
        let legal = game.legal(seat);
        match verb {
            Verb::Play { card, choose: None } => legal.silent.contains(*card),
            Verb::Draw => legal.draw,
            Verb::Pass => legal.pass,
            Verb::Wait => what == What::React,
            verb => {
                let mut is_there = false;
                legal_verbs(game, seat, what, |legal| is_there |= legal == *verb);
                is_there
            }
        }
    }

    /// Why the rules refuse `verb` of `seat` now, with the words due: in words, and the clause. `None` if they accept it.
    pub fn refusal(&self, seat: Seat, verb: &Verb) -> Option<(&'static str, &'static str)> {
        let mut game = self.state.game.clone();
        let say = self.words_due(seat, verb);
        match game.apply_verb(seat, verb, &say, self.as_of(), &mut Unseen) {
            Verdict::Accepted => None,
            Verdict::Refused(reason) => Some((refusal(reason).words, refusal(reason).clause)),
        }
    }

    /// The words due with `verb`, as the ask of `seat` lists them.
    #[inline]
    pub fn words_due(&self, seat: Seat, verb: &Verb) -> Say {
        match self.state.game.may_owe_words(seat) || matches!(verb, Verb::PlayTogether { .. }) {
            true => self.state.game.words_due(seat, verb),
            false => Say::Nothing,
        }
    }

    /// The answer of `seat`, which must be asked. When it is the last one of the offer, all are taken up and the next offer is
    /// made.
    #[inline]
    pub fn answer(&mut self, seat: Seat, verb: Verb, say: Say) {
        debug_assert!(self.state.open.contains(seat), "seat {seat} is not asked");
        if let Some(kept) = self.state.kept.as_deref_mut() {
            kept.answers.push(GivenAnswer { seat, action: Action { verb: verb.clone(), say: say.clone() } });
        }
        if !self.begun(seat).is_nothing() {
            self.begun = BegunPlay::NOTHING;
        }
        self.state.seats[seat.index()].given = (verb, say);
        self.state.open.remove(seat);
        if self.state.open.is_empty()
            && let Some(offer) = self.offer
        {
            self.offer = going_on(offer.answered(&mut self.state));
        }
    }

    /// Gives the answers of a game that began as this one did, as [`SteppedGame::answers`] lists them.
    ///
    /// # Errors
    /// The number of the first answer of a seat that is not asked at that point, or that does not fit what it is asked for.
    pub fn replay(&mut self, answers: Vec<GivenAnswer>) -> Result<(), usize> {
        for (number, GivenAnswer { seat, action }) in answers.into_iter().enumerate() {
            let what = self.asked_for(seat).ok_or(number)?;
            if action.verb == Verb::Wait && what != What::React {
                return Err(number);
            }
            self.answer(seat, action.verb, action.say);
        }
        Ok(())
    }

    /// The result as things stand.
    pub fn result(&self) -> GameResult {
        result_of(&self.state.game, self.state.dismissed)
    }

    /// Writes what the game was worth to each seat, if it ended now: 1 for one that beat all others, -1 for one that all others
    /// beat.
    pub fn worth_into(&self, out: &mut [f32]) {
        let places = self.result().places;
        let others = (places.len() - 1) as f32;
        for (seat, out) in out.iter_mut().enumerate() {
            let beaten = places.iter().filter(|place| **place > places[seat]).count();
            let beaten_by = places.iter().filter(|place| **place < places[seat]).count();
            *out = (beaten as f32 - beaten_by as f32) / others;
        }
    }

    /// Whether the last round was cut off by the turn cap: nobody has won it (G-23).
    pub fn is_cut_off(&self) -> bool {
        self.state.game.is_over() && self.state.game.round_winners().is_empty()
    }

    /// As [`SteppedGame::worth_into`].
    pub fn worth(&self) -> Vec<f32> {
        let mut worth = vec![0.0; self.state.game.rules().seats()];
        self.worth_into(&mut worth);
        worth
    }

    /// The seats that were dismissed for conduct faults.
    pub fn dismissed(&self) -> SeatSet {
        self.state.dismissed
    }
}

fn going_on(course: ControlFlow<lockstep::MatchOver, Offer>) -> Option<Offer> {
    match course {
        ControlFlow::Continue(offer) => Some(offer),
        ControlFlow::Break(lockstep::MatchOver) => None,
    }
}

impl State {
    fn of(game: Game, seats: usize) -> State {
        State {
            game,
            asked: SeatSet::EMPTY,
            open: SeatSet::EMPTY,
            mover: None,
            seats: vec![AtSeat::default(); seats],
            idle: [0; _],
            dismissed: SeatSet::EMPTY,
            kept: None,
        }
    }

    #[inline]
    fn act(&mut self, seat: Seat, verb: &Verb, say: &Say, as_of: EventNumber) -> ActionOutcome {
        let (verdict, outcome) = match self.kept.as_deref_mut() {
            Some(Kept { events, .. }) => {
                let from = events.len();
                let verdict = self.game.apply_verb(seat, verb, say, as_of, events);
                (verdict, ActionOutcome::of(verb, verdict, &events[from..]))
            }
            None if matches!(verb, Verb::Call { .. }) => {
                let mut events = Vec::new();
                let verdict = self.game.apply_verb(seat, verb, say, as_of, &mut events);
                (verdict, ActionOutcome::of(verb, verdict, &events))
            }
            None => {
                let verdict = self.game.apply_verb(seat, verb, say, as_of, &mut Unseen);
                (verdict, ActionOutcome::of(verb, verdict, &[]))
            }
        };
        if let Verdict::Refused(reason) = verdict
            && refusal(reason).conduct().is_some()
        {
            let strikes = &mut self.seats[seat.index()].strikes;
            *strikes += 1;
            if *strikes >= self.game.rules().max_strikes() {
                self.dismissed.insert(seat);
            }
        }
        outcome
    }
}

/// Runs `$step` before the events that are kept, or before nobody.
macro_rules! witnessed {
    ($state:expr, $witness:ident => $step:expr) => {
        match $state.kept.as_deref_mut() {
            Some(Kept { events: $witness, .. }) => $step,
            None => {
                let $witness = &mut Unseen;
                $step
            }
        }
    };
}

impl lockstep::LockstepTable for State {
    #[inline]
    fn game(&self) -> &Game {
        &self.game
    }

    #[inline]
    fn game_mut(&mut self) -> &mut Game {
        &mut self.game
    }

    #[inline]
    fn is_dismissed(&self, seat: Seat) -> bool {
        self.dismissed.contains(seat)
    }

    #[inline]
    fn wants_ticks(&self, _: Seat) -> bool {
        false
    }

    #[inline]
    fn idle_reactions(&mut self, seat: Seat) -> &mut u8 {
        &mut self.idle[seat.index()]
    }

    #[inline]
    fn asked(&self) -> SeatSet {
        self.asked
    }

    #[inline]
    fn ask(&mut self, seat: Seat, what: What) {
        if what != What::React {
            self.mover = Some(seat);
        }
        self.asked.insert(seat);
        self.open.insert(seat);
    }

    #[inline]
    fn process_answer(&mut self, offer: &Offer, seat: Seat, in_round: bool) -> ActionOutcome {
        self.asked.remove(seat);
        let reacts = self.mover != Some(seat);
        if !reacts {
            self.mover = None;
        }
        let given = &mut self.seats[seat.index()].given;
        let (verb, say) = std::mem::replace(given, (Verb::Wait, Say::Nothing));
        if !in_round || verb == Verb::Wait {
            return ActionOutcome::default();
        }
        self.idle[seat.index()] += u8::from(reacts);
        let outcome = self.act(seat, &verb, &say, offer.as_of());
        self.settle();
        outcome
    }

    #[inline]
    fn settle(&mut self) {
        if self.game.phase() == Phase::BetweenRounds {
            witnessed!(self, witness => self.game.start_round(witness));
        }
    }

    fn elapse(&mut self, what: Elapse, as_of: EventNumber) {
        witnessed!(self, witness => self.game.elapse_as_of(what, as_of, witness));
        self.settle();
    }

    fn act_for(&mut self, seat: Seat, why: Stand) {
        if self.game.waits_for() == Some(seat) {
            witnessed!(self, witness => self.game.act_for(seat, why, witness));
        }
    }

    fn be_too_slow(&mut self, seat: Seat) {
        if self.dismissed.contains(seat) {
            self.act_for(seat, Stand::Dismissed);
            return self.settle();
        }
        match slowness(&self.game) {
            Slowness::StandIn => {
                self.act_for(seat, Stand::Slow);
                self.settle();
            }
            Slowness::TurnLimit => self.elapse(Elapse::TurnLimit, self.game.last_event()),
        }
    }
}
