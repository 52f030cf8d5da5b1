//! Decisions read from a log are those that were asked for: what the asks said, what they listed, and what came of the answers.
//! How tables are written of them is not tested here.

use std::collections::VecDeque;

use maumau_engine::ChoiceStream;
use maumau_protocol::message::{Ready, Want, What};
use maumau_protocol::{Action, Event, EventNumber, Text, Verb};
use maumau_referee::record::Entry;
use maumau_referee::{Decided, DecisionReader};

use crate::table::{Setup, Table, ready};

/// An ask that was answered with an action.
struct Asked {
    what: What,
    as_of: EventNumber,
    legal: Vec<Verb>,
    action: Action,
}

/// In games that rest and close, too (regression: while play rested in a point of order, the seat to move was said to have been
/// asked for its turn).
#[test]
fn decisions_are_those_that_were_asked_for() {
    let (mut compared, mut while_resting) = (0, 0);
    for (rules, settings) in [("skat", "turn_cap=60"), ("snap", "deal.cards=2"), ("spam", "turn_cap=30")] {
        for seed in 0..4 {
            let seats = vec![Ok(Ready { wants: vec![Want::Legal], ticks: true, ..ready() }); 3];
            let mut table =
                Table::new(Setup { rules, settings: vec![settings], seed, rounds: 2, seats, ..Setup::default() });
            let mut dice = ChoiceStream::new(&[seed]);
            let mut asked: [VecDeque<Asked>; 3] = Default::default();
            while !table.finished() {
                for whose in table.asked() {
                    let ask = table.last_ask(whose);
                    let action: Action = match dice.number_below(20) {
                        0 if rules == "spam" => Verb::PointOfOrder.into(),
                        1 => Verb::Say { text: Text::fixed("so what") }.into(),
                        _ => dice.pick(&ask.legal).clone(),
                    };
                    if action.verb != Verb::Wait {
                        let legal = ask.legal.iter().map(|action| action.verb.clone()).collect();
                        while_resting += u32::from(table.referee().game().point_of_order().is_some());
                        asked[whose].push_back(Asked {
                            what: ask.what,
                            as_of: ask.as_of,
                            legal,
                            action: action.clone(),
                        });
                    }
                    table.act(whose, action);
                }
            }
            let finished = table.finish();
            let is_refusal =
                |entry: &Entry| matches!(entry, Entry::Event(event) if matches!(event.event, Event::Refused { .. }));
            let mut refusals = finished.entries().iter().filter(|entry| is_refusal(entry)).count();
            let read = DecisionReader::default().read(&finished.log, |decision, decided| {
                let Decided::Act(action, refused) = decided else { return };
                let input = &finished.log.inputs[decision.input].entry;
                assert!(matches!(input, Entry::Act(act) if act.seat == decision.seat && act.action == *action));
                // No event comes of a call that was not upheld.
                refusals -= usize::from(refused.is_some() && !matches!(action.verb, Verb::Call { .. }));
                // An answer that came after the end of its round is in no log.
                let was_taken_up = |asked: &Asked| (asked.as_of, &asked.action) == (decision.as_of, action);
                let asked = std::iter::from_fn(|| asked[decision.seat.index()].pop_front()).find(was_taken_up);
                let asked = asked.unwrap_or_else(|| panic!("{rules}, seed {seed}: {action:?} was never answered"));
                assert_eq!(
                    (decision.what, &decision.legal),
                    (asked.what, &asked.legal),
                    "{rules}, seed {seed}: {action:?}"
                );
                compared += 1;
            });
            read.expect("a log that plays");
            assert_eq!(refusals, 0, "{rules}, seed {seed}: each is that of a decision");
        }
    }
    assert!(compared > 500 && while_resting > 0, "{compared} decisions, {while_resting} while play rested");
}
