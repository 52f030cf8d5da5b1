//! Mistakes that are only charged if another seat calls them. Prices are the engine's and are tested by scenarios.

use maumau_protocol::{Action, Event, RuleFault, Say, Verb};
use maumau_referee::record::Entry;

use crate::table::{Setup, Table, ready, seat};

#[test]
fn what_can_be_called_is_among_the_legal_actions() {
    for rules in ["snap", "spam"] {
        let mut table = Table::new(Setup { rules, seats: vec![Ok(ready()); 3], rounds: 8, ..Setup::default() });
        while !table.finished() {
            for whose in table.asked() {
                let action = table.last_ask(whose).legal[0].clone();
                // Seat 0 never says a word, and cannot blame anyone for it.
                let silent = Action { say: Say::Nothing, ..action.clone() };
                let blamed = matches!(action.verb, Verb::Call { against, .. } if against == seat(whose));
                assert!(!blamed, "{rules}");
                table.act(whose, if whose == 0 { silent } else { action });
            }
        }
        let entries = table.finish().entries();
        let events = || {
            entries.iter().filter_map(|entry| match entry {
                Entry::Event(event) => Some(&event.event),
                _ => None,
            })
        };
        let upheld =
            |event: &&Event| matches!(event, Event::Called { against, upheld: true, .. } if *against == seat(0));
        assert!(events().filter(upheld).count() > 0, "{rules}: seat 0 is called to order");
        // Two identical calls: the second is too many only because of their order of arrival.
        let wrong = |event: &Event| matches!(event, Event::Mistake { fault: RuleFault::FalseCall, .. });
        assert!(!events().any(wrong), "{rules}");
    }
}

#[test]
fn a_seat_that_says_what_the_legal_actions_say_owes_no_words() {
    // P-07, P-60 to P-66, P-93: the dealer too, for the card that is turned up.
    for seed in 1..=4 {
        let seats = vec![Ok(ready()); 3];
        let settings = vec!["strict=true"];
        let mut table = Table::new(Setup { rules: "spam", settings, seats, seed, rounds: 4, ..Setup::default() });
        while !table.finished() {
            for whose in table.asked() {
                let action = table.last_ask(whose).legal[0].clone();
                table.act(whose, action);
            }
        }
        for entry in table.finish().entries() {
            if let Entry::Event(event) = entry {
                assert!(!matches!(event.event, Event::Mistake { .. }), "{:?}", event.event);
            }
        }
    }
}
