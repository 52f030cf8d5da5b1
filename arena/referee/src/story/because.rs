//! Why a play was legal, and what it leaves the next seat to face, in words; and why a word was said or nothing was drawn. The ground is the engine's judgement and what is faced
//! the engine's account of the position: no rule stands here.

use std::collections::BTreeSet;

use maumau_engine::{Game, PlayGround};
use maumau_protocol::ruleset::{LostBy, RuleSet, SaidDuty, rank_of_count};
use maumau_protocol::{Action, Card, CardSet, Choice, DrawReason, Event, Faces, Pack, Pending, Seat, Verb};

use super::line::Piece;
use crate::record::Entry;

/// What is known of a play before it is taken: the ground on which it is legal, and what its player faces.
pub(super) struct BeforePlay {
    ground: PlayGround,
    /// The cards that are played.
    cards: Vec<Card>,
    /// Cards that are left in the hand after it, if nothing else happens.
    left: u16,
    /// The card that it goes on.
    under: Option<Card>,
    /// The seat's count, where the cards of its value are wild for it (G-58).
    count: Option<u8>,
    /// Whether suits are colours.
    coloured: bool,
    faces: Faces,
    faced: Pending,
}

impl BeforePlay {
    /// Of the play that `entry` is, if it is one that `game` allows.
    pub(super) fn new(game: &Game, entry: &Entry) -> Option<BeforePlay> {
        let Entry::Act(act) = entry else { return None };
        BeforePlay::of(game, act.seat, &act.action)
    }

    /// Of `action`, if it is a play that `game` allows to `seat`.
    pub(super) fn of(game: &Game, seat: Seat, action: &Action) -> Option<BeforePlay> {
        if !action.verb.plays() || seat.index() >= game.rules().seats() {
            return None;
        }
        let ground = game.play_ground(seat, &action.verb, &action.say)?;
        let set = game.rules().set();
        let cards = match &action.verb {
            Verb::Play { card, .. } => vec![*card],
            Verb::PlayAs { stands_for, .. } => vec![*stands_for],
            Verb::PlayTogether { cards, .. } => cards.to_vec(),
            _ => Vec::new(),
        };
        let has_own = set.effects.values().any(|effect| !effect.off && effect.any_time && effect.cards.1);
        let count = game.points().get(seat.index()).and_then(|count| u8::try_from(*count).ok()).filter(|_| has_own);
        let (coloured, faces) = (set.deck.pack != Pack::French, set.deck.faces);
        Some(BeforePlay {
            ground,
            left: game.held(seat).saturating_sub(cards.len() as u16),
            cards,
            under: game.visible_top(),
            count,
            coloured,
            faces,
            faced: game.pending(),
        })
    }

    /// On what ground it may be made.
    pub(super) fn ground(&self) -> PlayGround {
        self.ground
    }

    /// Its last card.
    pub(super) fn last(&self) -> Option<Card> {
        self.cards.last().copied()
    }

    /// Cards that are left in the hand after it, if nothing else happens.
    pub(super) fn left(&self) -> u16 {
        self.left
    }

    /// Why `card` of it was played, and after its last card what it leaves to be faced in `after`, if the round goes on there.
    pub(super) fn of_card(
        &self,
        seat: Seat,
        card: Card,
        is_first: bool,
        after: Option<&Game>,
    ) -> (Option<PlayGround>, Vec<Piece>) {
        let (ground, mut because) = match is_first {
            true => (Some(self.ground), self.words(seat, card)),
            false => (None, self.joined(card)),
        };
        let leaves = after.map(|game| leaves(game, Some(seat), &self.faced)).unwrap_or_default();
        if !leaves.is_empty() {
            because.push("; ".into());
        }
        because.extend(leaves);
        (ground, because)
    }

    /// What a suit is called.
    fn suit(&self) -> &'static str {
        if self.coloured { "colour" } else { "suit" }
    }

    /// Why `card` goes with the cards before it.
    fn joined(&self, card: Card) -> Vec<Piece> {
        let at = self.cards.iter().rposition(|own| *own == card).unwrap_or_default();
        let before = at.checked_sub(1).and_then(|before| self.cards.get(before));
        let why = match before {
            Some(before) if before.rank().is_some() && before.rank() == card.rank() => ": the same value".to_owned(),
            Some(before) if before.suit().is_some() && before.suit() == card.suit() => {
                format!(": the same {}", self.suit())
            }
            Some(before) if before.suit().is_none() && card.suit().is_some() => {
                format!(": the {} that counts", self.suit())
            }
            _ => String::new(),
        };
        vec![format!("in the same play{why}").into()]
    }

    /// The ground on which `card` could be played, in a few words.
    fn words(&self, seat: Seat, card: Card) -> Vec<Piece> {
        let own = self.count.filter(|count| card.rank().is_some() && rank_of_count(*count) == card.rank());
        if let (PlayGround::AnyTime, Some(count), Some(rank)) = (self.ground, own, card.rank()) {
            return vec![
                format!("{} fit any card for ", self.faces.ranks(rank)).into(),
                seat.into(),
                format!(", whose count is {count}").into(),
            ];
        }
        let answers = |what: &'static str| match self.under.and_then(Card::rank) {
            Some(rank) => format!("answers the {}", self.faces.rank(rank)).into(),
            None => Piece::from(what),
        };
        vec![match self.ground {
            PlayGround::SameSuit => format!("same {}", self.suit()).into(),
            PlayGround::SameRank => match self.under.and_then(Card::rank).filter(|_| self.coloured) {
                None => "same value",
                Some(rank) if rank.is_symbol() => "same symbol",
                Some(_) => "same number",
            }
            .into(),
            PlayGround::SameCard => "the same card".into(),
            // A card without colour may have taken over the one before it, which nobody named.
            PlayGround::NamedSuit if self.coloured => match card.suit() {
                Some(suit) => format!("{} is the colour that counts", self.faces.suit(suit)).into(),
                None => "the colour that counts".into(),
            },
            PlayGround::NamedSuit => "the suit that was named".into(),
            PlayGround::AnyTime => "fits any card".into(),
            PlayGround::ByRule => match (card.rank(), self.under.and_then(Card::rank)) {
                (Some(rank), Some(under)) if rank == under => {
                    format!("{0} may lie on {0}, whatever is named", self.faces.ranks(rank)).into()
                }
                (_, Some(under)) => format!("may lie on any {}", self.faces.rank(under)).into(),
                _ => match self.under {
                    Some(under) => return vec!["may lie on ".into(), under.into()],
                    None => "may lie there".into(),
                },
            },
            PlayGround::Anything => "anything fits here".into(),
            PlayGround::AnswersDebt => answers("answers what is owed"),
            PlayGround::AnswersSkip => answers("answers the lost turn"),
            PlayGround::ServesRequest => "serves the request".into(),
            PlayGround::RevokesRequest => "replaces the request".into(),
            PlayGround::Twin => "twin of the top card".into(),
            PlayGround::WonRace => "first of the two neighbours".into(),
            PlayGround::Free => "a free card, which takes no turn".into(),
            PlayGround::BetweenTurns => "may come between turns".into(),
        }]
    }
}

/// What `seat`, which has made a play, leaves to be faced in `game`, as it stands now, beside what was faced before; nothing if
/// nothing is new. Without a seat it is the card that was turned up.
fn leaves(game: &Game, seat: Option<Seat>, old: &Pending) -> Vec<Piece> {
    let now = game.pending();
    let suit_word = if game.rules().set().deck.pack == Pack::French { "suit" } else { "colour" };
    let turn = game.turn();
    let may_challenge = turn.is_some() && now.challenge == turn;
    let or_answer = match (game.can_be_answered(), may_challenge) {
        (true, true) => ", answer or challenge",
        (true, false) => " or answer",
        (false, true) => " or challenge",
        (false, false) => "",
    };
    let mut pieces: Vec<Piece> = Vec::new();
    let mut say = |more: Vec<Piece>| {
        if !pieces.is_empty() {
            pieces.push("; ".into());
        }
        pieces.extend(more);
    };
    if let Some(turn) = turn.filter(|_| now.draw > 0) {
        let adds = match old.draw {
            0 => String::new(),
            before if before == now.draw => "passed on: ".to_owned(),
            before if before < now.draw => format!("{before} and {} more: ", now.draw - before),
            _ => String::new(),
        };
        let cards = if now.draw == 1 { "card" } else { "cards" };
        say(vec![adds.into(), turn.into(), format!(" must draw {} {cards}{or_answer}", now.draw).into()]);
    }
    if let Some(turn) = turn.filter(|_| now.skip > 0) {
        say(match now.skip {
            1 => vec![turn.into(), " must miss a turn".into(), or_answer.into()],
            skip if misses_all(game) => {
                vec!["that adds up: ".into(), turn.into(), format!(" must miss {skip} turns{or_answer}").into()]
            }
            skip => vec![
                format!("that adds up: {skip} players miss a turn, ").into(),
                turn.into(),
                " first".into(),
                if game.can_be_answered() { ", unless it answers".into() } else { "".into() },
            ],
        });
    }
    if let Some(victim) = now.skip_victim.filter(|_| now.skip_victim != old.skip_victim) {
        say(vec![victim.into(), " must miss a turn or answer".into()]);
    }
    if let Some(seat) = seat.filter(|seat| now.again == Some(*seat)) {
        say(vec![seat.into(), " moves again".into()]);
    }
    if let (Some(run), Some(turn)) = (now.run.filter(|run| Some(run.by) == seat), turn) {
        let run = Choice::Suit(run.suit).into();
        say(vec!["the run stays open: ".into(), turn.into(), " may add ".into(), run, " cards".into()]);
    }
    if let Some(chooser) = now.choose {
        say(vec![chooser.into(), format!(" must name a {suit_word}").into()]);
    }
    if let Some(request) = now.request.filter(|_| now.request != old.request) {
        say(vec!["everybody must play ".into(), request.names.into()]);
    }
    if now.suit_open && !old.suit_open {
        say(vec![format!("a {suit_word} must be said before the next card").into()]);
    }
    if let Some(order) = now.take.filter(|_| now.take != old.take) {
        say(vec![order.by.into(), " must take a card from ".into(), order.from.into()]);
    } else if let Some(order) = now.take.filter(|order| Some(order.by) == seat) {
        say(vec![order.by.into(), " still has to take a card from ".into(), order.from.into()]);
    }
    if now.snap && !old.snap {
        say(vec!["Snap is due with the next card".into()]);
    }
    if now.closing && !old.closing {
        say(vec!["the round is about to close: who can answer or play a free card may still do so".into()]);
    }
    pieces
}

/// What the card that was turned up leaves the first player of `game` to face.
pub(super) fn of_first_card(game: &Game) -> Vec<Piece> {
    leaves(game, None, &Pending::default())
}

/// Why a card was taken from another hand, where the position before, in which `faced` stood, did not say so.
pub(super) fn of_taking(by: Seat, from: Seat, faced: &Pending, game: &Game) -> Vec<Piece> {
    if faced.take.is_some_and(|order| (order.by, order.from) == (by, from)) {
        return Vec::new();
    }
    let set = game.rules().set();
    let asking = set.effects.values().filter(|effect| !effect.off && effect.take.is_some());
    let cards = asking.fold(CardSet::EMPTY, |cards, effect| cards.union(effect.cards.0));
    let ranks: BTreeSet<_> = cards.iter().filter_map(Card::rank).collect();
    let names: Vec<String> = ranks.into_iter().map(|rank| set.deck.faces.ranks(rank)).collect();
    if names.is_empty() { Vec::new() } else { vec![format!("{} ask for that", names.join(" and ")).into()] }
}

/// Whether the draw of `event` is the price of naming what one does not hold: the same seat has named something in the same input.
pub(super) fn is_unheld<'a>(before: impl Iterator<Item = &'a Event>, event: &Event) -> bool {
    let Event::Drew { seat, why: DrawReason::Owed, .. } = event else { return false };
    let mut before = before;
    before.any(|event| matches!(event, Event::Played { seat: by, choose: Some(_), .. } | Event::Chose { seat: by, .. } if by == seat))
}

/// Why `seat` passed in its turn, in which it faced `faced`.
pub(super) fn of_pass(seat: Seat, faced: &Pending, could_draw: bool, game: &Game) -> Vec<Piece> {
    let draws = u16::from(game.rules().set().turn.draws);
    let may_draw_more = faced.drawn == 0 || draws == 0 || faced.drawn < draws;
    if faced.again == Some(seat) {
        vec!["plays no further card".into()]
    } else if !could_draw && faced.skip == 0 && may_draw_more {
        vec!["nothing is left to draw".into()]
    } else {
        Vec::new()
    }
}

/// How many more turns a seat misses that has lost one: `before` it had so many to miss, and has `left` now (G-37).
pub(super) fn of_lost_turn(before: u16, left: u16) -> Vec<Piece> {
    match (before, left) {
        (0, 0) => Vec::new(),
        (_, 0) => vec!["the last that it had to miss".into()],
        (_, left) => vec![format!("{left} more to miss").into()],
    }
}

/// What a challenge has shown of the hand of `against` (G-67).
pub(super) fn of_challenge(against: Seat, upheld: bool, game: &Game) -> Vec<Piece> {
    let suit = if game.rules().set().deck.pack == Pack::French { "suit" } else { "colour" };
    let held = if upheld { "held a card" } else { "held no card" };
    vec![against.into(), format!(" {held} of the {suit} that counted").into()]
}

/// What `seat` still has to draw in `game` after it has drawn some of what it owes.
pub(super) fn of_draw(seat: Seat, game: &Game) -> Vec<Piece> {
    let left = game.pending().draw;
    if left == 0 || game.turn() != Some(seat) {
        return Vec::new();
    }
    let or_answer = if game.can_be_answered() { ", or an answer" } else { "" };
    vec![format!("{left} more to draw{or_answer}").into()]
}

/// Why a seat may have said `text`, by itself or with `play`, where `left` cards are left to it and `top` lies on top; empty if no
/// rule of `set` asks for the word.
pub(super) fn of_word(
    set: &RuleSet,
    text: &str,
    play: Option<&BeforePlay>,
    left: u16,
    top: Option<Card>,
) -> Vec<Piece> {
    let (duties, ground) = (&set.duties, play.map(BeforePlay::ground));
    let of_duty = |duty: &SaidDuty| {
        let is_due = !duty.off && duty.say.iter().any(|word| word == text);
        let fits = duty.cards.is_none_or(|cards| top.is_some_and(|top| cards.0.contains(top)));
        let why = match (duty.left.map(u16::from), duty.interjection) {
            (Some(wanted), _) if wanted != left => return None,
            (Some(0), _) => "no card is left",
            (Some(1), _) => "one card is left",
            (Some(2), _) => "two cards are left",
            (Some(_), _) => "so many cards are left",
            (None, Some(_)) if ground != Some(PlayGround::Twin) => return None,
            (None, Some(0)) => "due with a card out of turn",
            (None, Some(_)) => "due with so many twins in a row",
            (None, None) if ground.is_none() => return None,
            (None, None) => "due with this card",
        };
        (is_due && fits).then_some(why)
    };
    let is = |word: Option<&String>| word.is_some_and(|word| word == text);
    let why = if is(duties.mau.as_ref().map(|mau| &mau.word)) && left == 1 {
        Some("one card is left")
    } else if is(duties.last.as_ref().map(|last| &last.word)) && left == 0 {
        Some("due with the last card")
    } else if is(duties.mau_mau.as_ref().map(|mau_mau| &mau_mau.word)) && left == 0 {
        Some("no card is left")
    } else if is(duties.identical.as_ref().map(|snap| &snap.word)) && ground.is_some() {
        Some("due with the card after two of the same")
    } else if duties.done.as_ref().is_some_and(|done| !done.off && text.ends_with(&done.word)) {
        Some("all that was owed is drawn")
    } else {
        duties.words.values().find_map(of_duty)
    };
    why.map(Piece::from).into_iter().collect()
}

/// Whether the turns that are lost by the top card are all of one player (G-37).
fn misses_all(game: &Game) -> bool {
    let Some(top) = game.visible_top() else { return false };
    let mut effects = game.rules().set().effects.values().filter(|effect| !effect.off && effect.cards.0.contains(top));
    effects.any(|effect| effect.skip.as_ref().is_some_and(|skip| skip.of == LostBy::Turns))
}
