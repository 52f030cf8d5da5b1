//! The lockstep clock (SPEC 7.1 to 7.9): whom an offer asks, in which order the answers of a tick are taken up, and the
//! logical time that passes with it. It knows seats and a game, and neither lines, strikes nor logs: what an ask and an
//! answer are is up to its [`LockstepTable`]. The referee is one; others step games without agents.

use std::ops::{BitOrAssign, ControlFlow};

use maumau_engine::{Game, Phase, Verdict};
use maumau_protocol::limits::{CLOSING_TICKS, COUNT_TICKS, MAX_IDLE_ANSWERS, MAX_IDLE_REACTIONS, POINT_OF_ORDER_TICKS};
use maumau_protocol::message::What;
use maumau_protocol::{Elapse, Event, EventNumber, MAX_SEATS, Seat, SeatSet, Stand, Verb};

/// What the clock needs of a table.
pub trait LockstepTable {
    /// The position.
    fn game(&self) -> &Game;
    /// The position, for the draw of an order.
    fn game_mut(&mut self) -> &mut Game;
    /// Whether the referee acts for `seat` from now on.
    fn is_dismissed(&self, seat: Seat) -> bool;
    /// Whether `seat` is asked at every offer, even if it could do nothing.
    fn wants_ticks(&self, seat: Seat) -> bool;
    /// The reactions of `seat` since something moved.
    fn idle_reactions(&mut self, seat: Seat) -> &mut u8;
    /// The seats that the present offer has asked and whose answers have not been taken up.
    fn asked(&self) -> SeatSet;
    /// Asks `seat`.
    fn ask(&mut self, seat: Seat, what: What);
    /// Takes up the answer of `seat`, judged as of `offer`. If not `in_round`, the round that it was meant for is over, and
    /// nothing is done.
    fn process_answer(&mut self, offer: &Offer, seat: Seat, in_round: bool) -> ActionOutcome;
    /// Begins a round that is due.
    fn settle(&mut self);
    /// A time that began to run with the event `as_of` is over.
    fn elapse(&mut self, what: Elapse, as_of: EventNumber);
    /// Acts for `seat`, if it is waited for.
    fn act_for(&mut self, seat: Seat, why: Stand);
    /// The time of `seat`, which is waited for, is over.
    fn be_too_slow(&mut self, seat: Seat);
    /// Every seat has been sent what it is sent at this point.
    fn all_informed(&mut self) {}
}

/// An open offer, and the ticks that have led to it.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    play: Play,
    as_of: EventNumber,
    round: u32,
    /// Its number in the round, from 0.
    tick: u32,
    /// The last reaction that was offered.
    reaction: u32,
    /// Ticks of a count of ten, including the one in which it began.
    count_ticks: u32,
    /// Ticks in which nothing moved.
    idle_ticks: u32,
}

/// The phase of play when an offer is made.
#[derive(Clone, Copy, Debug)]
enum Play {
    /// Play goes on: a seat is to move, or others may react first.
    GoesOn,
    /// It closes.
    Closes {
        /// Ticks of the closing time in which nobody acted.
        quiet_ticks: u32,
    },
    /// It rests in a point of order.
    Rests {
        /// The seat that called it.
        by: Seat,
        /// Ticks of it, this one included.
        ticks: u32,
        /// In a closing time, its ticks in which nobody acted.
        quiet_ticks: Option<u32>,
    },
}

/// The match is over: every seat is sent the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchOver;

/// The effect of an action, or of all actions of a tick.
#[derive(Clone, Copy, Debug, Default)]
pub struct ActionOutcome {
    /// Some seat has acted, other than by speech or calls.
    pub acted: bool,
    /// A call was upheld.
    pub upheld: bool,
}

impl ActionOutcome {
    /// The effect of `verb`, which the game judged with `verdict` and described in `events`.
    pub fn of(verb: &Verb, verdict: Verdict, events: &[Event]) -> ActionOutcome {
        ActionOutcome {
            acted: verdict == Verdict::Accepted && !matches!(verb, Verb::Say { .. } | Verb::Call { .. }),
            upheld: events.iter().any(|event| matches!(event, Event::Called { upheld: true, .. })),
        }
    }
}

impl BitOrAssign for ActionOutcome {
    fn bitor_assign(&mut self, other: ActionOutcome) {
        self.acted |= other.acted;
        self.upheld |= other.upheld;
    }
}

/// What the seat to move is asked for.
#[inline]
pub fn must_do(game: &Game) -> What {
    match game.phase() {
        Phase::Deal | Phase::TurnUp => What::Deal,
        Phase::ChooseRule => What::Choose,
        _ if game.waits_for_name().is_some() => What::Choose,
        _ => What::Turn,
    }
}

/// What `seat` is asked for in this position, if it is asked: while play closes or rests no seat has to move (N-97, P-96, P-98).
#[inline]
pub fn asked_for(game: &Game, seat: Seat) -> What {
    if game.waits_for() != Some(seat) || game.is_closing() || game.point_of_order().is_some() {
        return What::React;
    }
    must_do(game)
}

/// What a seat to move that was too slow causes (G-05, G-22).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slowness {
    /// The referee acts for it.
    StandIn,
    /// A turn limit has passed: the rule set only prices slowness.
    TurnLimit,
}

/// What happens if the seat to move was too slow.
pub fn slowness(game: &Game) -> Slowness {
    match game.rules().absent_limits() {
        0 => Slowness::StandIn,
        _ => Slowness::TurnLimit,
    }
}

impl Offer {
    /// The first offer of a game.
    pub fn first(table: &mut impl LockstepTable) -> ControlFlow<MatchOver, Offer> {
        let before = Offer {
            play: Play::GoesOn,
            as_of: EventNumber(0),
            round: 0,
            tick: 0,
            reaction: 0,
            count_ticks: 0,
            idle_ticks: 0,
        };
        before.next(table)
    }

    /// An open offer in a position without a past: its times begin now.
    pub fn of_position(game: &Game) -> Offer {
        let play = match (game.point_of_order(), game.is_closing()) {
            (Some(by), closes) => Play::Rests { by, ticks: 1, quiet_ticks: closes.then_some(0) },
            (None, true) => Play::Closes { quiet_ticks: 0 },
            (None, false) => Play::GoesOn,
        };
        let (as_of, round, reaction) = (game.last_event(), game.round(), game.reaction());
        Offer { play, as_of, round, tick: 0, reaction, count_ticks: 0, idle_ticks: 0 }
    }

    /// The last event before it: the stamp of its answers.
    pub fn as_of(&self) -> EventNumber {
        self.as_of
    }

    /// Every asked seat has answered: takes the answers up and makes the next offer.
    #[inline]
    pub fn answered(self, table: &mut impl LockstepTable) -> ControlFlow<MatchOver, Offer> {
        self.process_answers(table).next(table)
    }

    /// Takes the answers up in the order drawn for this tick, each judged as of the offer
    /// (ARCHITECTURE.md#order-and-time); returns the offer with the time that has passed meanwhile.
    fn process_answers(self, table: &mut impl LockstepTable) -> Offer {
        let progress = table.game().progress();
        let mut seats = [Seat::FIRST; MAX_SEATS];
        let mut asked = 0;
        for seat in table.asked().iter() {
            seats[asked] = seat;
            asked += 1;
        }
        let order = &mut seats[..asked];
        table.game_mut().shuffle_answers(self.tick, order);
        let mut outcome = ActionOutcome::default();
        for seat in order.iter().copied() {
            let in_round = table.game().round() == self.round && !table.game().is_over();
            outcome |= table.process_answer(&self, seat, in_round);
        }
        self.pass_time(table, progress, outcome)
    }

    /// At the end of a tick: advances logical time (G-13), and counts down the patience with a seat that moves nothing.
    #[inline]
    fn pass_time(mut self, table: &mut impl LockstepTable, progress: u64, outcome: ActionOutcome) -> Offer {
        let rested = matches!(self.play, Play::Rests { .. });
        if let Play::Closes { quiet_ticks } | Play::Rests { quiet_ticks: Some(quiet_ticks), .. } = &mut self.play {
            *quiet_ticks = if outcome.acted { 0 } else { *quiet_ticks + 1 };
        }
        if table.game().words_waited_for().is_some_and(|since| since <= self.as_of) {
            table.elapse(Elapse::Grace, self.as_of);
        }
        self.count_ticks = if table.game().is_counting() { self.count_ticks + 1 } else { 0 };
        if self.count_ticks > COUNT_TICKS {
            table.elapse(Elapse::CountOfTen, self.as_of);
        }
        if table.game().progress() != progress {
            self.idle_ticks = 0;
            for seat in Seat::all(table.game().rules().seats()) {
                *table.idle_reactions(seat) = 0;
            }
        } else if !outcome.upheld && !rested {
            self.idle_ticks += 1;
        }
        if self.idle_ticks > MAX_IDLE_ANSWERS
            && table.game().point_of_order().is_none()
            && let Some(mover) = table.game().waits_for()
        {
            self.idle_ticks = 0;
            table.be_too_slow(mover);
        }
        self
    }

    /// The next offer: asks the seat that must move and every other seat that can act, all at the same moment; plays on for
    /// dismissed seats until somebody is asked or the game ends.
    #[inline]
    fn next(self, table: &mut impl LockstepTable) -> ControlFlow<MatchOver, Offer> {
        let (mut quiet, mut rested) = match self.play {
            Play::GoesOn => (0, 0),
            Play::Closes { quiet_ticks } => (quiet_ticks, 0),
            Play::Rests { by, ticks, quiet_ticks } => {
                // Another one may have begun in the tick in which this one ended.
                let goes_on = table.game().point_of_order() == Some(by);
                (quiet_ticks.unwrap_or(0), if goes_on { ticks } else { 0 })
            }
        };
        let mut reaction = self.reaction;
        let play = loop {
            let waits_for = table.game().waits_for().filter(|_| !table.game().is_over());
            let Some(mover) = waits_for else { return ControlFlow::Break(MatchOver) };
            let as_of = table.game().last_event();
            if let Some(by) = table.game().point_of_order() {
                if is_deserted(table) {
                    return ControlFlow::Break(MatchOver);
                }
                // Play rests until the caller ends it, or for this long at most (P-95, P-96).
                rested += 1;
                if rested <= POINT_OF_ORDER_TICKS && ask_others(table, None) {
                    let closes = table.game().is_closing();
                    break Play::Rests { by, ticks: rested, quiet_ticks: closes.then_some(quiet) };
                }
                table.elapse(Elapse::PointOfOrder, as_of);
                continue;
            }
            if table.game().is_closing() {
                if is_deserted(table) {
                    return ControlFlow::Break(MatchOver);
                }
                // Only optional actions of others are waited for, and not for long.
                if quiet < CLOSING_TICKS && ask_others(table, None) {
                    break Play::Closes { quiet_ticks: quiet };
                }
                quiet = 0;
                table.elapse(Elapse::Closing, as_of);
                continue;
            }
            let before = std::mem::replace(&mut reaction, table.game().reaction());
            if before != reaction && ask_others(table, Some(mover)) {
                // Seats that may react are asked before the seat to move (N-44, N-106).
                break Play::GoesOn;
            }
            if table.is_dismissed(mover) {
                if is_deserted(table) {
                    return ControlFlow::Break(MatchOver);
                }
                table.act_for(mover, Stand::Dismissed);
                table.settle();
                table.all_informed();
                continue;
            }
            let what = must_do(table.game());
            table.ask(mover, what);
            ask_others(table, Some(mover));
            break Play::GoesOn;
        };
        table.all_informed();
        let round = table.game().round();
        let tick = if round == self.round { self.tick + 1 } else { 0 };
        ControlFlow::Continue(Offer { play, as_of: table.game().last_event(), round, tick, reaction, ..self })
    }
}

/// True if all seats are dismissed, so that the match ends as it stands.
fn is_deserted(table: &impl LockstepTable) -> bool {
    Seat::all(table.game().rules().seats()).all(|seat| table.is_dismissed(seat))
}

/// Asks every seat except `mover` that can act or subscribes to every tick; `false` if there is none.
#[inline]
fn ask_others(table: &mut impl LockstepTable, mover: Option<Seat>) -> bool {
    let mut asked = false;
    for seat in Seat::all(table.game().rules().seats()).filter(|seat| Some(*seat) != mover) {
        if !table.wants_ticks(seat) && !can_react(table.game(), seat) {
            continue;
        }
        // A seat that only disturbs is heard again once something has moved (SPEC 7.2).
        if !table.is_dismissed(seat) && *table.idle_reactions(seat) < MAX_IDLE_REACTIONS {
            table.ask(seat, What::React);
            asked = true;
        }
    }
    asked
}

/// Whether `seat`, which is not to move, can act.
#[inline]
pub fn can_react(game: &Game, seat: Seat) -> bool {
    let acts = || !game.legal(seat).is_empty() || game.word_owed(seat).is_some();
    debug_assert!(!game.acts_in_turn_only() || !acts(), "seat {seat} can act out of turn");
    !game.acts_in_turn_only() && acts()
}
