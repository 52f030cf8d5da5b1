//! Why a play was legal, and what it leaves the next seat to face, in words. The ground is the engine's judgement and what is faced
//! the engine's account of the position: no rule stands here.

use maumau_engine::{Game, PlayGround};
use maumau_protocol::ruleset::LostBy;
use maumau_protocol::{Action, Card, Choice, Faces, Pack, Pending, Seat};

use super::line::Piece;
use crate::record::Entry;

/// What is known of a play before it is taken: the ground on which it is legal, and what its player faces.
pub(super) struct BeforePlay {
    ground: PlayGround,
    /// The card that it goes on.
    under: Option<Card>,
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
        let deck = &game.rules().set().deck;
        let (coloured, faces) = (deck.pack != Pack::French, deck.faces);
        Some(BeforePlay { ground, under: game.visible_top(), coloured, faces, faced: game.pending() })
    }

    /// Why a card of it was played, and after its last card what it leaves to be faced in `after`, if the round goes on there.
    pub(super) fn of_card(&self, seat: Seat, is_first: bool, after: Option<&Game>) -> (Option<PlayGround>, Vec<Piece>) {
        let (ground, mut because) = match is_first {
            true => (Some(self.ground), self.words()),
            false => (None, vec![Piece::from("in the same play")]),
        };
        let leaves = after.map(|game| self.leaves(game, seat)).unwrap_or_default();
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

    /// The ground in a few words.
    fn words(&self) -> Vec<Piece> {
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
            PlayGround::NamedSuit if self.coloured => "the colour that counts".into(),
            PlayGround::NamedSuit => "the suit that was named".into(),
            PlayGround::AnyTime => "fits any card".into(),
            PlayGround::ByRule => "may lie on that card".into(),
            PlayGround::Anything => "anything fits here".into(),
            PlayGround::AnswersDebt => answers("answers what is owed"),
            PlayGround::AnswersSkip => answers("answers the lost turn"),
            PlayGround::ServesRequest => "serves the request".into(),
            PlayGround::RevokesRequest => "replaces the request".into(),
            PlayGround::Twin => "twin of the top card".into(),
            PlayGround::WonRace => "first of the two neighbours".into(),
            PlayGround::Free => "takes no turn".into(),
            PlayGround::BetweenTurns => "may come between turns".into(),
        }]
    }

    /// What `seat`, which has made the play, leaves to be faced in `game`, as it stands now; nothing if nothing is new.
    fn leaves(&self, game: &Game, seat: Seat) -> Vec<Piece> {
        let (now, old) = (game.pending(), &self.faced);
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
        if now.again == Some(seat) {
            say(vec![seat.into(), " moves again".into()]);
        }
        if let Some(run) = now.run.filter(|run| run.by == seat) {
            say(vec!["the ".into(), Choice::Suit(run.suit).into(), " run stays open".into()]);
        }
        if let Some(chooser) = now.choose {
            say(vec![chooser.into(), format!(" must name a {}", self.suit()).into()]);
        }
        if let Some(request) = now.request.filter(|_| now.request != old.request) {
            say(vec!["everybody must play ".into(), request.names.into()]);
        }
        if now.suit_open && !old.suit_open {
            say(vec![format!("a {} must be said before the next card", self.suit()).into()]);
        }
        if let Some(order) = now.take.filter(|_| now.take != old.take) {
            say(vec![order.by.into(), " must take a card from ".into(), order.from.into()]);
        }
        if now.snap && !old.snap {
            say(vec!["Snap is due with the next card".into()]);
        }
        if now.closing && !old.closing {
            say(vec!["the round is about to close".into()]);
        }
        pieces
    }
}

/// Whether the turns that are lost by the top card are all of one player (G-37).
fn misses_all(game: &Game) -> bool {
    let Some(top) = game.visible_top() else { return false };
    let mut effects = game.rules().set().effects.values().filter(|effect| !effect.off && effect.cards.0.contains(top));
    effects.any(|effect| effect.skip.as_ref().is_some_and(|skip| skip.of == LostBy::Turns))
}
