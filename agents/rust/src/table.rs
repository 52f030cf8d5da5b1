//! What a rule set says about cards, as far as a bot that plays by the look of things cares.

use maumau_protocol::message::Start;
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Card, CardSet, Rank};

/// The worth of cards at one table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// Cards that fit anything.
    pub(crate) universal: CardSet,
    /// Cards that cost the next player cards or a turn.
    pub(crate) attacks: CardSet,
    /// Cards after which another may be laid at once.
    pub(crate) again: CardSet,
    /// Cards that may not be laid last.
    pub(crate) never_last: CardSet,
    /// Points against whoever holds a card of the rank at the end.
    points: [i32; Rank::COUNT],
}

impl Table {
    /// Reads the rule set of `start`; without one, jacks are taken to fit anything and nothing else is known.
    pub(crate) fn new(start: &Start) -> Table {
        match &start.rules {
            Some(rules) => Table::of(rules, start.names.len()),
            None => Table { universal: "J".parse().map(CardSet::rank).unwrap_or_default(), ..Table::default() },
        }
    }

    fn of(rules: &RuleSet, seats: usize) -> Table {
        let mut table = Table::default();
        let holds = |range: Option<[u8; 2]>| range.is_none_or(|[min, max]| (min.into()..=max.into()).contains(&seats));
        for effect in rules.effects.values().filter(|effect| !effect.off && holds(effect.seats)) {
            let cards = effect.cards.0;
            for (applies, set) in [
                (effect.any_time || effect.out_of_turn, &mut table.universal),
                (effect.owe.is_some() || effect.skip.is_some(), &mut table.attacks),
                (effect.again.is_some(), &mut table.again),
                (effect.never_last, &mut table.never_last),
            ] {
                if applies {
                    *set = set.union(cards);
                }
            }
        }
        for rank in Rank::all() {
            table.points[rank.index()] =
                rules.scoring.points.get(&rank.to_string()).map_or(0, |points| (*points).into());
        }
        table
    }

    /// Points against whoever holds `card` at the end.
    pub(crate) fn points(&self, card: Card) -> i32 {
        card.rank().map_or(0, |rank| self.points[rank.index()])
    }
}
