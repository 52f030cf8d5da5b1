//! Why a play was legal, and what it leaves the next seat to face, in words. The ground is the engine's judgement and what is faced
//! the engine's account of the position: no rule stands here.

use maumau_engine::{Game, PlayGround};
use maumau_protocol::{Card, Pending, Seat, Verb};

use super::line::Piece;
use super::sentence::choice_name;
use crate::record::Entry;

/// What is known of a play before it is taken: the ground on which it is legal, and what its player faces.
pub(super) struct BeforePlay {
    ground: PlayGround,
    /// The card that it goes on.
    under: Option<Card>,
    faced: Pending,
}

impl BeforePlay {
    /// Of the play that `entry` is, if it is one that `game` allows.
    pub(super) fn new(game: &Game, entry: &Entry) -> Option<BeforePlay> {
        let Entry::Act(act) = entry else { return None };
        let is_play = matches!(act.action.verb, Verb::Play { .. } | Verb::PlayTogether { .. });
        if !is_play || act.seat.index() >= game.rules().seats() {
            return None;
        }
        let ground = game.play_ground(act.seat, &act.action.verb, &act.action.say)?;
        Some(BeforePlay { ground, under: game.visible_top(), faced: game.pending() })
    }

    /// The ground.
    pub(super) fn ground(&self) -> PlayGround {
        self.ground
    }

    /// The ground in a few words.
    pub(super) fn words(&self) -> Vec<Piece> {
        let answers = |what: &'static str| match self.under.and_then(Card::rank) {
            Some(rank) => format!("answers the {}", rank.name()).into(),
            None => Piece::from(what),
        };
        vec![match self.ground {
            PlayGround::SameSuit => "same suit".into(),
            PlayGround::SameRank => "same rank".into(),
            PlayGround::SameCard => "the same card".into(),
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
    pub(super) fn leaves(&self, game: &Game, seat: Seat) -> Vec<Piece> {
        let (now, old) = (game.pending(), &self.faced);
        let turn = game.turn();
        let or_answer = if game.can_be_answered() { " or answer" } else { "" };
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
                skip => vec![
                    format!("that adds up: {skip} players miss a turn, ").into(),
                    turn.into(),
                    " first".into(),
                    if or_answer.is_empty() { "".into() } else { ", unless it answers".into() },
                ],
            });
        }
        if let Some(victim) = now.skip_victim.filter(|_| now.skip_victim != old.skip_victim) {
            say(vec![victim.into(), " must miss a turn or answer".into()]);
        }
        if now.again == Some(seat) {
            say(vec![seat.into(), " may play again".into()]);
        }
        if let Some(chooser) = now.choose {
            say(vec![chooser.into(), " must name a suit".into()]);
        }
        if let Some(request) = now.request.filter(|_| now.request != old.request) {
            say(vec![format!("everybody must play {}", choice_name(&request.names)).into()]);
        }
        if now.suit_open && !old.suit_open {
            say(vec!["a suit must be said before the next card".into()]);
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
