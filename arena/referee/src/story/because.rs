//! Why a play was legal, in words, and which of its cards count. The ground is the engine's judgement: no rule stands here.

use maumau_engine::{Game, PlayGround};
use maumau_protocol::ruleset::{
    Counting, Decides, Effect, EndingAt, LastCosts, RuleSet, SeveralCards, Step, rank_of_count,
};
use maumau_protocol::{Action, Card, CardSet, Direction, Faces, Pack, Seat, Verb};

use super::basis::effects;
use super::leaves::{Faced, MadePlay, ReasonList, leaves};
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
    /// Whether something is named with it.
    names: bool,
    /// The seats of the table.
    seats: usize,
    /// Whether cards of a suit go together only in the order of their values.
    in_run: bool,
    /// Whether all that is played together must be of one suit, and the cards that may begin such a run.
    in_suit: bool,
    openers: CardSet,
    /// Whether what it goes on lies under cards that are as if they were not there.
    is_looked_through: bool,
    direction: Direction,
    faced: Faced,
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
        let (set, seats) = (game.rules().set(), game.rules().seats());
        let cards = match &action.verb {
            Verb::Play { card, .. } => vec![*card],
            Verb::PlayAs { stands_for, .. } => vec![*stands_for],
            Verb::PlayTogether { cards, .. } => cards.to_vec(),
            _ => Vec::new(),
        };
        let has_own = set.effects.values().any(|effect| !effect.off && effect.any_time && effect.cards.1);
        let count = game.points().get(seat.index()).and_then(|count| u8::try_from(*count).ok()).filter(|_| has_own);
        let (coloured, faces) = (set.deck.pack != Pack::French, set.deck.faces);
        let top = game.pile().last().copied();
        let names = match &action.verb {
            Verb::Play { choose, .. } | Verb::PlayTogether { choose, .. } | Verb::PlayAs { choose, .. } => {
                choose.is_some()
            }
            _ => false,
        };
        Some(BeforePlay {
            ground,
            left: game.held(seat).saturating_sub(cards.len() as u16),
            under: game.visible_top(),
            count,
            coloured,
            faces,
            names,
            seats,
            in_run: several(set, &cards).is_some_and(|way| way.step.0.contains(&Step::Run)),
            in_suit: several(set, &cards).is_some_and(|way| way.step.0 == [Step::Suit]),
            openers: several(set, &cards).map_or(CardSet::EMPTY, |way| way.opened_by.0),
            cards,
            is_looked_through: top.is_some_and(|top| effects(set, seats, top).any(|effect| effect.transparent)),
            direction: game.direction(),
            faced: Faced::of(game),
        })
    }

    /// On what ground it may be made.
    pub(super) fn ground(&self) -> PlayGround {
        self.ground
    }

    /// Whether something is named with it.
    pub(super) fn names(&self) -> bool {
        self.names
    }

    /// Its last card.
    pub(super) fn last(&self) -> Option<Card> {
        self.cards.last().copied()
    }

    /// Cards that are left in the hand after it, if nothing else happens.
    pub(super) fn left(&self) -> u16 {
        self.left
    }

    /// Why `card` of it, the one at place `at`, was played, and after its last card what it leaves to be faced in `after`, if the
    /// round goes on there.
    pub(super) fn of_card(
        &self,
        seat: Seat,
        card: Card,
        at: usize,
        after: Option<&Game>,
    ) -> (Option<PlayGround>, Vec<Piece>) {
        let (ground, because) = match at {
            0 => (Some(self.ground), self.words(seat, card)),
            _ => (None, self.joined(card, at)),
        };
        let mut all = ReasonList(because);
        if let Some(game) = after {
            self.uncounted(game.rules().set(), game.rules().seats()).into_iter().for_each(|piece| all.say(vec![piece]));
            self.looked_through(game, card).into_iter().for_each(|pieces| all.say(pieces));
            self.unwon(game, seat).into_iter().for_each(|piece| all.say(vec![piece]));
            let has_turned = self.ground != PlayGround::WonRace && self.direction != game.direction();
            let opens_run = self.in_suit && self.cards.iter().any(|card| self.openers.contains(*card));
            let made = MadePlay { seat, cards: &self.cards, names: self.names, has_turned, opens_run };
            leaves(game, Some(made), &self.faced, &mut all);
        }
        (ground, all.0)
    }

    /// That not all cards of it have their effects, where some that have one do not count (G-41).
    fn uncounted(&self, set: &RuleSet, seats: usize) -> Option<Piece> {
        let (last, earlier) = self.cards.split_last()?;
        let way = several(set, &self.cards)?;
        let counts = |card: &Card| match way.counts {
            Counting::All => true,
            Counting::LastRank => card.rank() == last.rank(),
            Counting::Last => false,
        };
        let is_alone = earlier.last().is_none_or(|before| before.rank() != last.rank());
        earlier.iter().any(|card| !counts(card) && effects(set, seats, *card).any(is_felt)).then(|| match way.counts {
            Counting::LastRank if !is_alone => {
                "only the last card has an effect, and those of its value just before it".into()
            }
            Counting::All | Counting::Last | Counting::LastRank => "only the last card has an effect".into(),
        })
    }

    /// What the next card goes on, where `card` is as if it were not there.
    fn looked_through(&self, game: &Game, card: Card) -> Option<Vec<Piece>> {
        let is_looked_through =
            effects(game.rules().set(), game.rules().seats(), card).any(|effect| effect.transparent);
        let under = game.visible_top().filter(|under| is_looked_through && *under != card)?;
        Some(vec!["the next card goes on ".into(), under.into(), ", which lies under it".into()])
    }

    /// That a last card did not end the round for `seat`.
    fn unwon(&self, game: &Game, seat: Seat) -> Option<Piece> {
        let set = game.rules().set();
        let wins_at_once = set.ending.at == EndingAt::Once && set.scoring.decides != Decides::Count;
        if self.left > 0 || !wins_at_once || game.held(seat) == 0 || self.ground == PlayGround::Free {
            return None;
        }
        let is_idle = self.last().is_some_and(|last| {
            effects(set, game.rules().seats(), last).any(|effect| matches!(effect.last_costs, LastCosts::Cards(_)))
        });
        let is_paid = self.faced.pending.draw > 0 && game.pending().draw == 0;
        Some(match (is_idle, is_paid) {
            (true, true) => "as the last card it does nothing and does not win, and nothing is owed any more".into(),
            (true, false) => "as the last card it does nothing and does not win".into(),
            (false, true) => "as the last card it does not win, and nothing is owed any more".into(),
            (false, false) => "as the last card it does not win".into(),
        })
    }

    /// Whether `card` is a joker of a French pack.
    fn is_joker(&self, card: Card) -> bool {
        !self.coloured && card.rank().is_none()
    }

    /// What a suit is called.
    fn suit(&self) -> &'static str {
        if self.coloured { "colour" } else { "suit" }
    }

    /// Why `card`, the one at place `at`, goes with the cards before it.
    fn joined(&self, card: Card, at: usize) -> Vec<Piece> {
        let before = at.checked_sub(1).and_then(|before| self.cards.get(before));
        let why = match before {
            _ if self.in_suit => match card.suit() {
                Some(_) => format!(": the same {}", self.suit()),
                None if self.openers.contains(card) => format!(": it counts as the {} of the run", self.suit()),
                None => format!(": a card without {} may end the run", self.suit()),
            },
            Some(before) if before.rank().is_some() && before.rank() == card.rank() => ": the same value".to_owned(),
            Some(before) if before.suit().is_some() && before.suit() == card.suit() => match self.in_run {
                true => ": the next value of the same suit".to_owned(),
                false => format!(": the same {}", self.suit()),
            },
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
        let answers = |what: &'static str| match self.under {
            Some(under) if self.is_joker(under) => "answers the joker".into(),
            Some(under) => match under.rank() {
                Some(rank) => format!("answers the {}", self.faces.rank(rank)).into(),
                None => Piece::from(what),
            },
            None => Piece::from(what),
        };
        let mut words = vec![match self.ground {
            PlayGround::SameSuit => format!("same {}", self.suit()).into(),
            PlayGround::SameRank => match self.under.and_then(Card::rank).filter(|_| self.coloured) {
                None => "same value",
                Some(rank) if rank.is_symbol() => "same symbol",
                Some(_) => "same number",
            }
            .into(),
            PlayGround::SameCard if self.is_joker(card) => "a joker on a joker".into(),
            PlayGround::SameCard => format!("same {} and value", self.suit()).into(),
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
            PlayGround::Anything => match self.under {
                Some(under) if self.is_joker(under) => "anything fits on a joker".into(),
                Some(under) => return vec!["anything fits on ".into(), under.into()],
                None => "anything fits here".into(),
            },
            PlayGround::AnswersDebt => answers("answers what is owed"),
            PlayGround::AnswersSkip => answers("answers the lost turn"),
            PlayGround::ServesRequest => "serves the request".into(),
            PlayGround::RevokesRequest if self.names => "replaces the request".into(),
            PlayGround::RevokesRequest => "ends the request".into(),
            PlayGround::Twin => "twin of the top card".into(),
            PlayGround::WonRace if self.seats == 2 => "anything fits on a joker".into(),
            PlayGround::WonRace => "first of the two neighbours".into(),
            PlayGround::Free => "a free card, which takes no turn".into(),
            PlayGround::BetweenTurns => "may come between turns".into(),
        }];
        if let (Some(under), true, PlayGround::SameSuit | PlayGround::SameRank | PlayGround::SameCard) =
            (self.under, self.is_looked_through, self.ground)
        {
            let with = if self.ground == PlayGround::SameCard { " again: " } else { " as " };
            words.extend([with.into(), under.into(), " under what is looked through".into()]);
        }
        if let (Some(count), Some(rank), true) = (own, card.rank(), self.names) {
            words.extend([format!("; {} are wild for ", self.faces.ranks(rank)).into(), seat.into()]);
            words.push(format!(", whose count is {count}").into());
        }
        words
    }
}

/// The way in which `cards` go together by `set`, if only one does.
fn several<'a>(set: &'a RuleSet, cards: &[Card]) -> Option<&'a SeveralCards> {
    let may =
        |way: &&SeveralCards| !way.off && cards.iter().all(|card| way.cards.0.union(way.ended_by.0).contains(*card));
    let mut ways = set.together.values().filter(may);
    ways.next().filter(|_| cards.len() > 1 && ways.next().is_none())
}

/// Whether the others feel an effect of a card when it is played.
fn is_felt(effect: &Effect) -> bool {
    effect.owe.is_some()
        || effect.skip.is_some()
        || effect.reverse
        || effect.again.is_some()
        || effect.choose_suit.is_some()
        || effect.request.is_some()
        || effect.draw.is_some()
        || effect.hands.is_some()
        || effect.take.is_some()
}
