//! Actions and observations of one table together, under one version.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_engine::rules::Vocabulary;
use maumau_protocol::MAX_SEATS;

use crate::actions::Actions;
use crate::observation::Observation;

/// The version of the encodings of tables without what came later: numbers of actions and places in observations change only
/// with it.
pub const VERSION: u32 = 1;

/// The version of the encodings of tables at which players are chosen, several cards are played at once, cards stand for others or
/// are challenged, or rules are added.
const LATER: u32 = 2;

/// The numbers by which a table's actions and positions are encoded.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The version of its numbers: that of the tables of its kind.
    pub version: u32,
    /// The actions.
    pub actions: Actions,
    /// The observations.
    pub observation: Observation,
}

impl Encoding {
    /// The encoding of the tables of `rules`: nothing is in it that these rules cannot produce.
    pub fn new(rules: &Rules) -> Arc<Encoding> {
        let vocabulary = rules.vocabulary();
        Arc::new(Encoding::of(&vocabulary, &vocabulary, rules, rules.seats()))
    }

    /// The encoding that all rule sets and numbers of seats share: every number means the same at every table. That of a later
    /// version goes on where the earlier one ends.
    pub fn universal(rules: &Rules) -> Arc<Encoding> {
        let (mut all, table) = (Vocabulary::universal(rules.pack()), rules.vocabulary());
        if version_of(&table) == LATER || version_of(&all) == LATER {
            all.add_later();
        }
        Arc::new(Encoding::of(&all, &table, rules, MAX_SEATS))
    }

    fn of(vocabulary: &Vocabulary, table: &Vocabulary, rules: &Rules, places: usize) -> Encoding {
        let actions = Actions::new(vocabulary, &table.rules, rules.seats(), places);
        let observation = Observation::new(vocabulary, table, &actions, rules, places);
        Encoding { version: version_of(vocabulary).max(version_of(table)), actions, observation }
    }
}

fn version_of(vocabulary: &Vocabulary) -> u32 {
    let Vocabulary { with_seat, together, stand_ins, challenges, rules, .. } = vocabulary;
    let later = with_seat.union(*together).union(*stand_ins);
    let is_later = !later.is_empty() || *challenges || !rules.is_empty();
    if is_later { LATER } else { VERSION }
}
