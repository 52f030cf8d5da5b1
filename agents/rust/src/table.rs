//! What a rule set says about cards, as far as a bot that rates single actions needs it. It knows no game in progress.
//! It reads `start`, and the rules again when some of a menu were added.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_protocol::message::Start;
use maumau_protocol::ruleset::{HandsMove, Named, Request, RequestEnds, RuleSet, Take};
use maumau_protocol::{Card, CardSet, Text};

use crate::several::{CardRoles, SeveralPlays};

/// The value of cards by the rules that hold now, to which rules of a menu may be added between rounds (G-74).
#[derive(Clone, Debug)]
pub(crate) struct CurrentValues {
    values: CardValues,
    /// `None` without a menu.
    menu: Option<ReadMenu>,
}

/// The rules before any was added, and the added ones that were read.
#[derive(Clone, Debug)]
struct ReadMenu {
    base: Arc<Rules>,
    added: Vec<Text>,
}

impl CurrentValues {
    /// Reads the rule set of `start`.
    pub(crate) fn new(start: &Start) -> CurrentValues {
        let set = start.rules.as_ref().filter(|set| set.menu.is_some());
        let base = set.and_then(|set| Rules::for_table(set, start.names.len(), Some(start.rounds)).ok());
        let menu = base.map(|base| ReadMenu { base: Arc::new(base), added: Vec::new() });
        CurrentValues { values: CardValues::new(start), menu }
    }

    /// Reads `rules`.
    pub(crate) fn of(rules: &Arc<Rules>) -> CurrentValues {
        let menu = rules.set().menu.is_some().then(|| ReadMenu { base: Arc::clone(rules), added: Vec::new() });
        CurrentValues { values: CardValues::of(rules.set(), rules.seats()), menu }
    }

    /// Reads the rules `added` by now, in the order in which they were, if these are others than before. Those that its own rules do
    /// not know leave it as it is.
    pub(crate) fn read(&mut self, added: &[Text]) {
        let Some(menu) = self.menu.as_mut().filter(|menu| menu.added != added) else { return };
        if let Ok(rules) = menu.base.with_added(added) {
            self.values = CardValues::of(rules.set(), rules.seats());
            menu.added = added.to_vec();
        }
    }

    /// As they are now.
    pub(crate) fn now(&self) -> &CardValues {
        &self.values
    }
}

/// The value of cards at one table.
#[derive(Clone, Debug, Default)]
pub(crate) struct CardValues {
    /// Cards that fit anything.
    pub(crate) universal: CardSet,
    /// Cards that cost the next player cards or a turn.
    pub(crate) attacks: CardSet,
    /// Those of them that cost cards.
    pub(crate) debts: CardSet,
    /// Cards after which another may be played at once.
    pub(crate) again: CardSet,
    /// Cards that make the next player take a card from the seat that plays them.
    pub(crate) give: CardSet,
    /// Cards that make the seat that plays them take a card from the next player.
    pub(crate) take: CardSet,
    /// Cards with which a seat exchanges its hand for that of another one.
    pub(crate) swaps: CardSet,
    /// Cards with which naming something not held costs cards.
    pub(crate) requests: CardSet,
    /// Cards that make every seat, including the one that plays them, find a card of one value.
    pub(crate) binding: CardSet,
    /// Cards that may not be played last.
    pub(crate) never_last: CardSet,
    /// Cards that may be played without using up the turn, with the cards of the same suit on which that holds.
    free: Vec<(CardSet, CardSet)>,
    /// Points against a seat that holds the card at the end, by [`Card::index`].
    points: Points,
    /// The ways to play several cards at once.
    pub(crate) several: SeveralPlays,
}

impl CardValues {
    /// Reads the rule set of `start`; without one, jacks are taken to fit anything and nothing else is known.
    pub(crate) fn new(start: &Start) -> CardValues {
        match &start.rules {
            Some(rules) => CardValues::of(rules, start.names.len()),
            None => {
                CardValues { universal: "J".parse().map(CardSet::rank).unwrap_or_default(), ..CardValues::default() }
            }
        }
    }

    /// Reads `rules` for a table of so many seats.
    pub(crate) fn of(rules: &RuleSet, seats: usize) -> CardValues {
        let mut table = CardValues::default();
        let holds = |range: Option<[u8; 2]>| range.is_none_or(|[min, max]| (min.into()..=max.into()).contains(&seats));
        for effect in rules.effects.values().filter(|effect| !effect.off && holds(effect.seats)) {
            let cards = effect.cards.0;
            for (applies, set) in [
                (effect.any_time || effect.out_of_turn, &mut table.universal),
                (effect.owe.is_some() || effect.skip.is_some(), &mut table.attacks),
                (effect.owe.is_some(), &mut table.debts),
                (effect.again.is_some(), &mut table.again),
                (effect.take == Some(Take::FromPlayer), &mut table.give),
                (effect.take == Some(Take::FromNext), &mut table.take),
                (effect.hands == Some(HandsMove::SwapChosen), &mut table.swaps),
                (effect.request.is_some_and(|request| request.unheld_costs > 0), &mut table.requests),
                (seats > 2 && effect.request.is_some_and(binds), &mut table.binding),
                (effect.never_last, &mut table.never_last),
            ] {
                if applies {
                    *set = set.union(cards);
                }
            }
            if !effect.free_on.0.is_empty() {
                table.free.push((cards, effect.free_on.0));
            }
        }
        for card in rules.deck.pack.cards().iter() {
            table.points.0[card.index()] = rules.scoring.points_of(card).into();
        }
        let CardValues { again, attacks, universal, .. } = table;
        let roles = CardRoles { again, attacks, universal, cannot_win: table.cannot_win() };
        table.several = SeveralPlays::of(rules, seats, roles);
        table
    }

    /// Points against a seat that holds `card` at the end.
    pub(crate) fn points(&self, card: Card) -> i32 {
        self.points.0[card.index()]
    }

    /// Whether playing `card` on `top` uses up no turn.
    pub(crate) fn is_free_on(&self, card: Card, top: Card) -> bool {
        let may = |(cards, tops): &(CardSet, CardSet)| cards.contains(card) && tops.contains(top);
        card.suit() == top.suit() && self.free.iter().any(may)
    }

    /// Cards by playing which a seat that holds nothing else does not win.
    pub(crate) fn cannot_win(&self) -> CardSet {
        self.never_last.union(self.take)
    }
}

/// A number for each place of a pack.
#[derive(Clone, Debug)]
struct Points([i32; Card::PLACES]);

impl Default for Points {
    fn default() -> Points {
        Points([0; Card::PLACES])
    }
}

fn binds(request: Request) -> bool {
    request.names == Named::Rank && request.ends == RequestEnds::AllServed
}
