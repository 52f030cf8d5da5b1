//! Why a card may be played: the ground on which `play` and `together` judge it legal, in a word. It reads the same parts of the
//! position that `fits` makes its sets from, and only for those who tell the story of a game; no play is judged here.

use maumau_protocol::ruleset::AgainFits;
use maumau_protocol::{Card, Reason, Say, Seat, Verb};

use crate::game::way::{PlayGround, PlayWay};
use crate::game::{Facing, Game, Phase};

impl Game {
    /// Why `seat` may play what `verb` says, with the words `say`; of several cards, why the first one. `None` if it is no play,
    /// or may not be played: where wrong cards stand, such a card lies all the same.
    pub fn play_ground(&self, seat: Seat, verb: &Verb, say: &Say) -> Option<PlayGround> {
        if self.phase != Phase::Play || self.rests() || !self.has_looked(seat) {
            return None;
        }
        let said_mau = self.says_mau(say);
        match verb {
            Verb::Play { card, .. } if self.hand(seat).contains(*card) => {
                let way = match self.way(seat, *card, say) {
                    // What the seat had seen is not asked here: a twin that came too late is refused when it is played.
                    PlayWay::Overtaken => PlayWay::Interjection,
                    way => way,
                };
                match self.suit_stated_with(seat, way, say) {
                    None => self.ground_of(seat, *card, said_mau, way).ok(),
                    stated => {
                        let mut game = self.clone();
                        game.table.pile.serve_suit(stated, &game.rules);
                        game.ground_of(seat, *card, said_mau, way).ok()
                    }
                }
            }
            Verb::PlayTogether { cards, close, .. } if self.judge_together(seat, cards, *close, said_mau).is_ok() => {
                cards.first().map(|card| self.ground_in_turn(*card))
            }
            Verb::PlayAs { card, stands_for, .. } if self.may_play_as(seat, *card, *stands_for, said_mau) => {
                Some(self.ground_in_turn(*stands_for))
            }
            _ => None,
        }
    }

    /// As [`Game::judge_play`], with the ground of a card that may be played.
    fn ground_of(&self, seat: Seat, card: Card, said_mau: bool, way: PlayWay) -> Result<PlayGround, Reason> {
        let ground = self.judge_play_by(seat, card, said_mau, way)?;
        Ok(ground.unwrap_or_else(|| self.ground_in_turn(card)))
    }

    /// Why `card`, one of those that [`Game::allowed_cards`] lists, may be played in turn.
    fn ground_in_turn(&self, card: Card) -> PlayGround {
        match self.table.facing {
            Facing::Owed(_) => PlayGround::AnswersDebt,
            Facing::Skipped { .. } => PlayGround::AnswersSkip,
            Facing::Race { .. } => PlayGround::WonRace,
            Facing::Again(again) if again.fits == AgainFits::Anything => PlayGround::Anything,
            Facing::Again(again) if again.fits == AgainFits::Suit => PlayGround::SameSuit,
            Facing::Ordinary { .. } | Facing::Again(_) | Facing::Naming => self.ground_of_match(card),
        }
    }

    /// Why `card`, one of those of [`Game::matching`], may be played.
    fn ground_of_match(&self, card: Card) -> PlayGround {
        if !self.table.request.stands() {
            self.table.pile.ground(card, &self.rules)
        } else if self.serves(card) {
            PlayGround::ServesRequest
        } else if self.is_powerless(card) {
            PlayGround::Anything
        } else {
            PlayGround::RevokesRequest
        }
    }
}
