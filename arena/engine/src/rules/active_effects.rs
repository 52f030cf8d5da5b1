//! The effects of a set that hold at each of its tables, since some effects hold only for some numbers of seats. It
//! only selects; `effects` and `agree` judge what it selects.

use maumau_protocol::ruleset::{Effect, RuleSet};
use maumau_protocol::{Card, CardList, CardSet, MAX_SEATS};

/// An effect that holds at the table in question, with its name.
pub(super) type Active<'a> = (&'a String, &'a Effect);

/// Whether `effect` holds at a table of `seats`.
pub fn holds(effect: &Effect, seats: u8) -> bool {
    !effect.off && effect.seats.is_none_or(|[low, high]| (low..=high).contains(&seats))
}

/// The effects that hold at the tables of a set, from the smallest table up; a list equal to that of the table before is
/// left out.
pub(super) fn active_effects(set: &RuleSet) -> Vec<Vec<Active<'_>>> {
    let sizes = set.seats.min..=set.seats.max.min(MAX_SEATS as u8);
    let mut tables: Vec<Vec<Active>> =
        sizes.map(|seats| set.effects.iter().filter(|(_, effect)| holds(effect, seats)).collect()).collect();
    tables.dedup_by(|one, before| one.iter().map(|(name, _)| name).eq(before.iter().map(|(name, _)| name)));
    tables
}

/// The cards of `list` that no active effect of the kind names.
pub(super) fn without(list: CardList, active: &[Active], kind: impl Fn(&Effect) -> bool) -> CardList {
    let able = |card: &Card| active.iter().any(|(_, effect)| effect.cards.0.contains(*card) && kind(effect));
    CardList(list.0.iter().filter(|card| !able(card)).collect::<CardSet>())
}
