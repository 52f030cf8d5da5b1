//! What playing one kind of card does at a table of a given size, combined from the effects that name it. It knows no game in
//! progress.

use std::sync::Arc;

use maumau_protocol::ruleset::{
    self, AfterOwed, Again, AnswerMatch, Answers, ChooseSuit, Debtor, DrawAtOnce, Effect, HandsMove, LastCosts, LostBy,
    Owe, Request, Resume, Take,
};
use maumau_protocol::{Card, CardSet};

use super::effect_parts::only_ends_the_turn;

/// The effects of playing one kind of card, for a table of a given size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    /// Index into [`Rules::debts`](super::Rules).
    pub(crate) owe: Option<u8>,
    /// Index into [`Rules::skips`](super::Rules).
    pub(crate) skip: Option<u8>,
    pub(crate) choose_suit: Option<ChooseSuit>,
    pub(crate) reverse: bool,
    pub(crate) again: Option<Again>,
    /// It brings a seat back that went out in the turn before (G-71).
    pub(crate) brings_back: bool,
    pub(crate) request: Option<Request>,
    /// Either neighbour may answer it.
    pub(crate) race: bool,
    pub(crate) swap_next: bool,
    pub(crate) take: Option<Take>,
    pub(crate) hands: Option<HandsMove>,
    pub(crate) draw: Option<DrawAtOnce>,
    /// One of these is there: `reverse`, `swap_next`, `take`, `draw`, `hands`.
    pub(crate) moves_others: bool,
    /// Cards of the same suit on which it is free.
    pub(crate) free_on: CardSet,
    /// Cards on which it may not be played.
    pub(crate) not_on: CardSet,
    /// As the last card it does not win, but has a price.
    pub(crate) last_costs: LastCosts,
    /// 1 if the card changes nothing as the last one.
    pub(crate) multiplies: u8,
    pub(crate) points: u16,
    /// Playing it only ends the turn, whatever is named with it.
    pub(crate) plain: bool,
}

impl Face {
    /// A card without effects.
    pub(super) const PLAIN: Face = Face {
        owe: None,
        skip: None,
        choose_suit: None,
        reverse: false,
        again: None,
        brings_back: false,
        request: None,
        race: false,
        swap_next: false,
        take: None,
        hands: None,
        draw: None,
        moves_others: false,
        free_on: CardSet::EMPTY,
        not_on: CardSet::EMPTY,
        last_costs: LastCosts::Nothing,
        multiplies: 1,
        points: 0,
        plain: true,
    };

    /// Whether the card does nothing but turn the direction round.
    pub(crate) fn only_reverses(&self) -> bool {
        let moves = self.owe.is_some() || self.skip.is_some() || self.again.is_some() || self.request.is_some();
        self.reverse && !moves && !self.race && !self.swap_next && self.take.is_none()
    }

    /// Adds `effect` to `card`, of which this is the face; `owe` and `skip` are the numbers of its debt and its lost turn.
    pub(super) fn add(&mut self, card: Card, effect: &Effect, owe: Option<u8>, skip: Option<u8>) {
        self.owe = owe.or(self.owe);
        self.skip = skip.or(self.skip);
        self.choose_suit = effect.choose_suit.or(self.choose_suit);
        self.reverse |= effect.reverse;
        self.again = effect.again.or(self.again);
        self.brings_back |= effect.brings_back;
        self.request = effect.request.or(self.request);
        self.swap_next |= effect.swap_next;
        self.take = effect.take.or(self.take);
        self.hands = effect.hands.or(self.hands);
        self.draw = effect.draw.or(self.draw);
        self.moves_others =
            self.reverse || self.swap_next || self.take.is_some() || self.draw.is_some() || self.hands.is_some();
        self.not_on = self.not_on.union(effect.not_on.0);
        if let Some(suit) = card.suit() {
            let own = CardSet::suit(suit);
            self.not_on = if effect.not_on_own_suit { self.not_on.union(own) } else { self.not_on };
            self.free_on = self.free_on.union(effect.free_on.0.intersect(own));
        }
        self.last_costs = if effect.last_costs.is_nothing() { self.last_costs } else { effect.last_costs };
        self.race |= effect.race;
        self.multiplies = effect.last_multiplies.unwrap_or(self.multiplies);
        self.plain &= only_ends_the_turn(effect);
    }
}

/// A debt that a card makes.
#[derive(Clone, Debug)]
pub(crate) struct Debt {
    pub(crate) kind: Arc<str>,
    pub(crate) cards: u16,
    /// The cards that answer it in any way, as far as the top card does not matter.
    pub(crate) answers: CardSet,
    /// The ways to answer it where the top card matters.
    pub(crate) matched: Option<[Answers; 4]>,
    passes: CardSet,
    returns: CardSet,
    cancels: CardSet,
    pub(crate) on: Debtor,
    pub(crate) resume: Resume,
    pub(crate) rescue: bool,
    pub(crate) drawer_names: bool,
    pub(crate) then: AfterOwed,
}

/// What a card without a debt of its own does to one that it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DebtMove {
    /// It passes it on as it is.
    Pass,
    /// It turns the direction and sends it back.
    Return,
    /// It cancels it.
    Cancel,
}

impl Debt {
    pub(super) fn new(owe: &Owe) -> Debt {
        let Owe { cards, kind, answers, passes, returns, cancels, on, resume, rescue, drawer_names, then } = owe;
        let ways = [*answers, *passes, *returns, *cancels];
        let matters = ways.iter().any(|way| !way.is_empty() && way.matching != AnswerMatch::None);
        Debt {
            kind: kind.as_str().into(),
            cards: u16::from(*cards),
            answers: ways.iter().fold(CardSet::EMPTY, |all, way| all.union(way.cards.0)),
            matched: matters.then_some(ways),
            passes: passes.cards.0,
            returns: returns.cards.0,
            cancels: cancels.cards.0,
            on: *on,
            resume: *resume,
            rescue: *rescue,
            drawer_names: *drawer_names,
            then: *then,
        }
    }

    /// The cards that answer it without making a debt of their own.
    pub(super) fn movers(&self) -> CardSet {
        self.passes.union(self.returns).union(self.cancels)
    }

    /// What `card`, played on it, does to it; `None` if it only adds a debt of its own.
    pub(crate) fn moved_by(&self, card: Card) -> Option<DebtMove> {
        match card {
            _ if self.passes.contains(card) => Some(DebtMove::Pass),
            _ if self.returns.contains(card) => Some(DebtMove::Return),
            _ if self.cancels.contains(card) => Some(DebtMove::Cancel),
            _ => None,
        }
    }
}

/// A lost turn that a card makes.
#[derive(Clone, Debug)]
pub(crate) struct LostTurn {
    pub(crate) answers: CardSet,
    pub(crate) every_victim_may_answer: bool,
    pub(crate) threat: bool,
    pub(crate) adds: bool,
    pub(crate) of: LostBy,
}

impl LostTurn {
    pub(super) fn new(skip: &ruleset::Skip) -> LostTurn {
        let ruleset::Skip { answers, every_victim_may_answer, threat, adds, of } = *skip;
        LostTurn { answers: answers.0, every_victim_may_answer, threat, adds, of }
    }
}
