//! Actions and observations of one table together, under one version.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_engine::rules::Vocabulary;
use maumau_protocol::MAX_SEATS;

use crate::actions::Actions;
use crate::observation::Observation;

/// The version of the encodings: numbers of actions and places in observations change only with it.
pub const VERSION: u32 = 1;

/// The numbers by which a table's actions and positions are encoded.
#[derive(Clone, Debug)]
pub struct Encoding {
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

    /// The encoding that all rule sets and numbers of seats share: every number means the same at every table.
    pub fn universal(rules: &Rules) -> Arc<Encoding> {
        Arc::new(Encoding::of(&Vocabulary::universal(rules.pack()), &rules.vocabulary(), rules, MAX_SEATS))
    }

    fn of(vocabulary: &Vocabulary, table: &Vocabulary, rules: &Rules, places: usize) -> Encoding {
        let actions = Actions::new(vocabulary, rules.seats(), places);
        let observation = Observation::new(vocabulary, table, &actions, rules, places);
        Encoding { actions, observation }
    }
}
