//! Why something else than a card happened, in words: a word, a draw, a pass, a refusal, a take, the end of a request. By the engine's
//! account of the position and the keys of the rule set: no rule stands here.

use std::collections::BTreeSet;

use maumau_engine::{Game, Phase, PlayGround};
use maumau_protocol::ruleset::{AgainDraws, RequestEnds, RuleSet, SaidDuty};
use maumau_protocol::{Card, CardSet, Choice, DrawReason, Event, Pending, Reason, RuleFault, Seat, Verb};

use super::basis::effects;
use super::because::BeforePlay;
use super::leaves::{self, Faced, ReasonList, request_ends, suit_word};
use super::line::Piece;
use super::sentence::PriorDeed;
use crate::record::Entry;

/// What is known before an input is taken.
#[derive(Default)]
pub(super) struct BeforeInput {
    play: Option<BeforePlay>,
    /// Whether there was anything to draw.
    could_draw: bool,
    /// The discard pile's lowest card, and how many cards lay there.
    lowest: Option<Card>,
    pile: usize,
    /// Whose turn it was, and what was faced.
    turn: Option<Seat>,
    faced: Faced,
    /// The turns that each seat still had to miss.
    turns_lost: Vec<u16>,
    /// The cards that each seat held.
    held: Vec<u16>,
    /// The seat that moves, or that the referee acts for.
    mover: Option<Seat>,
    /// Whether the move is to draw.
    draws: bool,
    /// What the move is, in words, if it is of no card.
    wanted: Option<&'static str>,
}

/// Where an event stands among those of its input.
#[derive(Clone, Copy)]
pub(super) struct EventMoment {
    /// Whether nothing is drawn after it.
    pub(super) is_last_draw: bool,
    /// Whether a card was played before it.
    pub(super) after_play: bool,
    /// What came before it.
    pub(super) deed: PriorDeed,
    /// Whether it is the same call as the last one that was upheld.
    pub(super) is_repeated: bool,
    /// Whether a mistake has come before it, for which cards are due.
    pub(super) is_punished: bool,
    /// Whether the referee has acted before it, and has drawn nothing since.
    pub(super) is_acted_for: bool,
    /// How many of the cards that are owed have been drawn before it, and whether others could not be.
    pub(super) paid: u16,
    pub(super) is_waived: bool,
    /// Whether a seat moves after it.
    pub(super) is_followed: bool,
}

impl BeforeInput {
    /// What `game` lets one know before it takes `entry`.
    pub(super) fn new(game: &Game, entry: &Entry) -> BeforeInput {
        let seats = || Seat::all(game.rules().seats());
        let is_remade = game.rules().set().turn.reshuffle && game.pile().len() > 1;
        BeforeInput {
            play: BeforePlay::new(game, entry),
            could_draw: game.draw_pile_len() > 0 || is_remade,
            lowest: game.pile().first().copied(),
            pile: game.pile().len(),
            turn: game.turn(),
            faced: Faced::of(game),
            turns_lost: seats().map(|seat| game.turns_lost(seat)).collect(),
            held: seats().map(|seat| game.held(seat)).collect(),
            mover: match entry {
                Entry::Act(act) => Some(act.seat),
                Entry::Stand(stand) => Some(stand.seat),
                _ => None,
            },
            draws: matches!(entry, Entry::Act(act) if act.action.verb == Verb::Draw),
            wanted: match entry {
                Entry::Act(act) => wanted(&act.action.verb),
                _ => None,
            },
        }
    }

    /// The seat that moves, or that the referee acts for.
    pub(super) fn mover(&self) -> Option<Seat> {
        self.mover
    }

    /// What it wanted to do, in words, if that was of no card.
    pub(super) fn wanted(&self) -> Option<&'static str> {
        self.wanted
    }

    /// The play that the input is, if it is one by the rules.
    pub(super) fn play(&self) -> Option<&BeforePlay> {
        self.play.as_ref()
    }

    /// Why `seat` said `text`; after the end of a round only what it said with its play is known.
    pub(super) fn of_word(&self, seat: Seat, text: &str, is_over: bool, game: &Game) -> Vec<Piece> {
        let play = self.play.as_ref();
        if play.is_none() && is_over {
            return Vec::new();
        }
        let before = self.held.get(seat.index()).copied().unwrap_or_default();
        let top = play.map_or(game.pile().last().copied(), BeforePlay::last);
        let by_dealer = game.pile().len() == 1 && game.dealer() == seat;
        of_word(
            game.rules().set(),
            text,
            play,
            Spoken {
                before,
                after: game.held(seat),
                top,
                by_dealer,
                in_turn: self.turn == Some(seat),
                goes_on: game.pending().again == Some(seat),
            },
        )
    }

    /// Why something else than a card happened, where `game` is what it led to; empty if its line says it.
    pub(super) fn of_event(&self, event: &Event, moment: EventMoment, game: &Game) -> Vec<Piece> {
        let ground = self.play.as_ref().map(BeforePlay::ground);
        match event {
            Event::TurnedUp { .. } => leaves::of_first_card(game),
            Event::Reversed { .. } if self.faced.pending.joker.is_some() && !moment.after_play => {
                vec!["the first to act decides which way play goes on".into()]
            }
            Event::Reversed { .. } if self.play.is_none() && game.pile().len() == 1 => {
                game.turn().map(|turn| vec![turn.into(), " moves first".into()]).unwrap_or_default()
            }
            Event::Passed { seat } if self.turn == Some(*seat) => {
                of_pass(*seat, &self.faced.pending, self.could_draw, game)
            }
            Event::Skipped { .. } if ground == Some(PlayGround::Twin) => {
                vec!["twins in a row add up".into()]
            }
            Event::Skipped { seat } => {
                let before = self.turns_lost.get(seat.index()).copied().unwrap_or_default();
                of_lost_turn(before, game.turns_lost(*seat))
            }
            Event::Reshuffled { count: 1 } if self.pile + usize::from(moment.after_play) == 2 => {
                self.lowest.map(|card| vec![card.into(), ", which lay under the top card".into()]).unwrap_or_default()
            }
            Event::Challenged { against, upheld, .. } => of_challenge(*against, *upheld, game),
            Event::Drew { seat, why: DrawReason::Turn, .. }
                if self.faced.pending.again == Some(*seat)
                    || (moment.after_play && moment.deed == PriorDeed::Played(*seat)) =>
            {
                vec![of_further_card(game)]
            }
            Event::Drew { why: DrawReason::Turn, .. } if self.faced.pending.joker.is_some() => match self.held.len() {
                2 => Vec::new(),
                _ => vec!["first of the two neighbours".into()],
            },
            Event::Drew { why: DrawReason::Turn, .. } if self.faced.pending.suit_open => {
                vec![format!("no {} has been said", leaves::suit_word(game.rules().set())).into()]
            }
            Event::Drew { seat, why: DrawReason::Turn, .. } => of_draw_in_run(*seat, game),
            Event::Drew { seat, why: DrawReason::Owed, .. } if moment.is_last_draw && !moment.is_followed => {
                of_draw(*seat, game)
            }
            Event::Interjected { .. } => vec!["play goes on from there".into()],
            Event::ActedFor { .. } if !self.could_draw && self.faced.pending == Pending::default() => {
                vec!["nothing is left to draw, so it passes".into()]
            }
            Event::Taken { by, from, overdue, .. } => {
                let why = match self.mover.filter(|mover| *overdue && mover != by) {
                    Some(mover) => vec!["as ".into(), mover.into(), " acts now".into()],
                    None => of_taking(*by, *from, &self.faced, game),
                };
                let mut all = ReasonList(why);
                if let Some(closing) = leaves::of_closing(&self.faced, game).filter(|_| self.play.is_none()) {
                    all.say(vec![closing]);
                }
                all.0
            }
            Event::RaceOpened { .. } if game.is_closing() && game.rules().set().ending.rests => {
                vec!["if the round goes on".into()]
            }
            Event::RequestOver => of_request_over(self.play.as_ref(), game),
            Event::DebtCancelled { .. } if self.faced.pending.draw == 0 => {
                vec!["of the cards before it in the play".into()]
            }
            Event::Refused { seat, reason, .. } => of_refusal(*seat, *reason, self.turn, &self.faced),
            Event::Called { against, fault, upheld: true, .. }
                if fault.as_str() == RuleFault::NoMau.name() && self.held.get(against.index()) == Some(&1) =>
            {
                vec![(*against).into(), " has one card left".into()]
            }
            Event::Called { upheld: false, .. } if moment.is_repeated => {
                vec!["it has been called already".into()]
            }
            Event::Penalty { .. } if game.rules().set().prices.sealed => {
                vec!["sealed: it may not be played yet".into()]
            }
            Event::Swapped { .. } if !moment.is_followed && (self.play.is_none() || moment.after_play) => {
                let next = |turn: Seat| vec![turn.into(), " moves next".into()];
                game.turn().filter(|_| game.phase() == Phase::Play).map(next).unwrap_or_default()
            }
            Event::Waived { seat, count }
                if self.turn == Some(*seat)
                    && !moment.is_waived
                    && *count > 0
                    && moment.paid + *count == self.faced.pending.draw =>
            {
                vec!["of what it owed".into()]
            }
            Event::Waived { count: 1, .. } if moment.is_acted_for && self.faced.pending.draw == 0 => {
                vec!["which the referee was about to draw for it".into()]
            }
            Event::Waived { .. } if moment.is_punished => vec!["of its penalty".into()],
            Event::Waived { seat, .. } if self.draws && self.mover == Some(*seat) => {
                vec!["which it was about to draw".into()]
            }
            Event::SuitStated { .. } if self.play.as_ref().is_some_and(|play| !play.names()) => {
                vec!["by the word that came with the card".into()]
            }
            Event::MatchOver { .. } => of_match_end(game),
            _ => Vec::new(),
        }
    }
}

/// What a seat wants with `verb`, if it is of no card.
fn wanted(verb: &Verb) -> Option<&'static str> {
    match verb {
        Verb::Draw => Some(" to draw"),
        Verb::Pass => Some(" to pass"),
        Verb::Take { .. } => Some(" to take the card"),
        Verb::Call { .. } => Some(" to call a mistake"),
        Verb::Choose { .. } => Some(" to name something"),
        _ => None,
    }
}

/// Why a request is over, where nothing has revoked it.
fn of_request_over(play: Option<&BeforePlay>, game: &Game) -> Vec<Piece> {
    if play.is_some_and(|play| play.ground() == PlayGround::RevokesRequest) {
        return Vec::new();
    }
    match request_ends(game.rules().set()) {
        Some(RequestEnds::AllServed) if play.is_some_and(|play| play.ground() == PlayGround::ServesRequest) => {
            vec!["everybody has served it".into()]
        }
        Some(RequestEnds::AllServed) => vec!["for a lap nobody has served it, and nothing was left to draw".into()],
        Some(RequestEnds::Lap) => vec!["everybody has had a turn".into()],
        Some(RequestEnds::NextTurn) | None => Vec::new(),
    }
}

/// Why a card of `seat` does not fit, where what it faced says more than its suit and value.
fn of_refusal(seat: Seat, reason: Reason, turn: Option<Seat>, faced: &Faced) -> Vec<Piece> {
    let Pending { draw, skip, request, suit, .. } = faced.pending;
    if reason != Reason::DoesNotFit || turn != Some(seat) {
        return Vec::new();
    }
    match (draw, skip, request, suit) {
        (1, ..) => vec!["a card is owed".into()],
        (2.., ..) => vec![format!("{draw} cards are owed").into()],
        (_, 1.., ..) => vec!["a turn has to be missed".into()],
        (_, _, Some(request), _) => vec![request.names.into(), " must be served".into()],
        (.., Some(suit)) => vec![Choice::Suit(suit).into(), " was named".into()],
        _ => Vec::new(),
    }
}

/// Why no round follows (G-29, G-82).
fn of_match_end(game: &Game) -> Vec<Piece> {
    let (round, last) = (game.round(), game.rules().rounds());
    vec![match round {
        _ if game.has_lasted_too_long() => {
            format!("a match ends after {} turns", game.rules().set().turn.match_cap()).into()
        }
        _ if round < last => format!("decided in round {round}").into(),
        1 => "the match has one round".into(),
        _ => format!("the match has {last} rounds").into(),
    }]
}

/// Why a card was taken from another hand, where the position before, in which `faced` stood, did not say so.
fn of_taking(by: Seat, from: Seat, faced: &Faced, game: &Game) -> Vec<Piece> {
    if faced.takes.iter().any(|order| (order.by, order.from) == (by, from)) {
        return Vec::new();
    }
    let set = game.rules().set();
    let asking = set.effects.values().filter(|effect| !effect.off && effect.take.is_some());
    let cards = asking.fold(CardSet::EMPTY, |cards, effect| cards.union(effect.cards.0));
    let ranks: BTreeSet<_> = cards.iter().filter_map(Card::rank).collect();
    let names: Vec<String> = ranks.into_iter().map(|rank| set.deck.faces.ranks(rank)).collect();
    if names.is_empty() { Vec::new() } else { vec![format!("{} ask for that", names.join(" and ")).into()] }
}

/// Why `seat` passed in its turn, in which it faced `faced`.
fn of_pass(seat: Seat, faced: &Pending, could_draw: bool, game: &Game) -> Vec<Piece> {
    let draws = u16::from(game.rules().set().turn.draws);
    let may_draw_more = faced.drawn == 0 || draws == 0 || faced.drawn < draws;
    if faced.again == Some(seat) {
        vec!["plays no further card".into()]
    } else if faced.skip > 0 {
        vec!["so the turn is missed".into()]
    } else if draws > 1 && faced.drawn >= draws {
        vec![format!("{draws} cards are drawn").into()]
    } else if !could_draw && faced.skip == 0 && may_draw_more {
        vec!["nothing is left to draw".into()]
    } else {
        Vec::new()
    }
}

/// How many more turns a seat misses that has lost one: `before` it had so many to miss, and has `left` now (G-37).
fn of_lost_turn(before: u16, left: u16) -> Vec<Piece> {
    match (before, left) {
        (0, 0) => Vec::new(),
        (_, 0) => vec!["the last that it had to miss".into()],
        (_, left) => vec![format!("{left} more to miss").into()],
    }
}

/// What a challenge has shown of the hand of `against` (G-67).
fn of_challenge(against: Seat, upheld: bool, game: &Game) -> Vec<Piece> {
    let suit = suit_word(game.rules().set());
    let held = if upheld { "held a card" } else { "held no card" };
    vec![against.into(), format!(" {held} of the {suit} that counted").into()]
}

/// What `seat` still has to draw in `game` after it has drawn some of what it owes.
fn of_draw(seat: Seat, game: &Game) -> Vec<Piece> {
    let left = game.pending().draw;
    if game.turn() != Some(seat) || game.phase() != Phase::Play {
        return Vec::new();
    }
    // Whether the first card answers is known only to who has drawn it (G-08).
    vec![match (left, game.is_rescue(), game.can_be_answered()) {
        (0, ..) => "the turn goes on".into(),
        (_, true, _) => format!("{left} more to draw, unless this card answers").into(),
        (_, false, true) => format!("{left} more to draw, or an answer").into(),
        (_, false, false) => format!("{left} more to draw").into(),
    }]
}

/// What `seat` leaves open by drawing: the run that it did not go on with (G-73).
fn of_draw_in_run(seat: Seat, game: &Game) -> Vec<Piece> {
    match (game.pending().run, game.turn()) {
        (Some(run), Some(turn)) if turn != seat => {
            let suit = Choice::Suit(run.suit).into();
            vec!["the run stays open: ".into(), turn.into(), " may add ".into(), suit, " cards".into()]
        }
        _ => Vec::new(),
    }
}

/// Why `seat` draws in place of the further card that `faced` wants (G-38).
fn of_further_card(game: &Game) -> Piece {
    let set = game.rules().set();
    let until_one_fits = game.pile().last().is_some_and(|top| {
        effects(set, game.rules().seats(), *top)
            .any(|effect| effect.again.is_some_and(|again| again.draws == AgainDraws::UntilFits))
    });
    if until_one_fits { "to find a further card that fits".into() } else { "in place of a further card".into() }
}

/// What is known of a word besides its text and the play that it came with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spoken {
    /// The cards that its seat held before, and holds after the action that it came with.
    pub(super) before: u16,
    pub(super) after: u16,
    /// The card on top.
    pub(super) top: Option<Card>,
    /// Whether that is the card turned up, and the seat its dealer.
    pub(super) by_dealer: bool,
    /// Whether it was its seat's turn.
    pub(super) in_turn: bool,
    /// Whether its seat plays a further card in the same turn.
    pub(super) goes_on: bool,
}

/// Why a seat may have said `text`, by itself or with `play`, or that a warning is not due; empty if `set` says neither.
pub(super) fn of_word(set: &RuleSet, text: &str, play: Option<&BeforePlay>, spoken: Spoken) -> Vec<Piece> {
    let (duties, ground) = (&set.duties, play.map(BeforePlay::ground));
    let left = play.map_or(spoken.after, BeforePlay::left);
    let leaves = |cards: u16| match (cards, play.is_some()) {
        (0, true) => "no card will be left",
        (0, false) => "no card is left",
        (1, true) => "one card will be left",
        (1, false) => "one card is left",
        (2, true) => "two cards will be left",
        (2, false) => "two cards are left",
        _ => "so many cards are left",
    };
    let of_duty = |duty: &SaidDuty| {
        let is_due = !duty.off && duty.say.iter().any(|word| word == text);
        let fits = duty.cards.is_none_or(|cards| spoken.top.is_some_and(|top| cards.0.contains(top)));
        let why = match (duty.left.map(u16::from), duty.interjection) {
            (Some(wanted), _) if wanted != left => return None,
            (Some(wanted), _) => leaves(wanted),
            (None, Some(_)) if ground != Some(PlayGround::Twin) => return None,
            (None, Some(0)) if spoken.in_turn => "which makes the card an interjection",
            (None, Some(0)) => "due with a card out of turn",
            (None, Some(_)) => "due with so many twins in a row",
            (None, None) if ground.is_none() && duty.first_card && spoken.by_dealer => {
                "due from the dealer for the card turned up"
            }
            (None, None) if ground.is_none() => return None,
            (None, None) => "due with this card",
        };
        (is_due && fits).then_some(why)
    };
    let is = |word: Option<&String>| word.is_some_and(|word| word == text);
    let why = if is(duties.mau.as_ref().map(|mau| &mau.word)) && left == 1 {
        Some(if spoken.goes_on { "one card will be left, though the turn goes on" } else { leaves(1) })
    } else if is(duties.mau.as_ref().map(|mau| &mau.word)) && spoken.before == 1 {
        Some("one card was left")
    } else if is(duties.last.as_ref().map(|last| &last.word)) && left == 0 {
        Some("due with the last card")
    } else if is(duties.mau_mau.as_ref().map(|mau_mau| &mau_mau.word)) && left == 0 {
        Some(leaves(0))
    } else if is(duties.identical.as_ref().map(|snap| &snap.word)) && ground.is_some() {
        Some("due with the card after two of the same")
    } else if duties.done.as_ref().is_some_and(|done| !done.off && text.ends_with(&done.word)) {
        Some("all that was owed is drawn")
    } else {
        duties.words.values().find_map(of_duty)
    };
    let is_warning = is(duties.mau.as_ref().map(|mau| &mau.word))
        || is(duties.last.as_ref().map(|last| &last.word))
        || is(duties.mau_mau.as_ref().map(|mau_mau| &mau_mau.word));
    match why {
        Some(why) => vec![why.into()],
        None if is_warning => vec![match left {
            0 => "which is not due: no card is left".into(),
            1 => "which is not due: one card is left".into(),
            left => format!("which is not due: {left} cards are left").into(),
        }],
        None if play.is_some() && duties.words.values().any(|duty| duty.say.iter().any(|word| word == text)) => {
            vec!["for which this card does not ask".into()]
        }
        None => Vec::new(),
    }
}
