//! The lines to an agent depend on what it subscribes to, and reveal nothing that it may not know. That hidden cards
//! stay hidden at random tables is tested in `hidden`.

use std::sync::Arc;

use maumau_engine::rules::load_built_in;
use maumau_engine::{Rules, commitment, seed_of_number};
use maumau_protocol::Event;
use maumau_protocol::message::{Ready, Want};
use maumau_referee::local_game::{self, LocalGame};
use maumau_referee::{GameSetup, replay_seat, verify};

use crate::table::{Setup, Table, ready, ready_for_ticks, seat};

#[test]
fn an_ask_holds_what_is_wanted_and_no_more() {
    let all = [Want::View, Want::Legal, Want::Events, Want::Rules];
    for bits in 0..16 {
        let wants: Vec<Want> =
            all.into_iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, want)| want).collect();
        let seats = vec![Ok(ready()), Ok(Ready { wants: wants.clone(), ..ready() })];
        let mut table = Table::new(Setup { seats, ..Setup::default() });
        assert_eq!(table.start(1).rules.is_some(), wants.contains(&Want::Rules), "{wants:?}");
        table.play_out();
        for ask in table.asks(1) {
            assert_eq!(ask.view.is_some(), wants.contains(&Want::View), "{wants:?}");
            assert_eq!(!ask.legal.is_empty(), wants.contains(&Want::Legal), "{wants:?}");
            assert_eq!(!ask.events.is_empty(), wants.contains(&Want::Events), "{wants:?}");
        }
        let over = table.over(1).expect("the game is over");
        assert_eq!(!over.events.is_empty(), wants.contains(&Want::Events), "{wants:?}");
        table.finish();
    }
}

#[test]
fn a_seat_that_wants_events_is_sent_each_one_once_and_in_order() {
    let wants = vec![Want::Events, Want::View, Want::Legal];
    let in_turn = Ready { wants: wants.clone(), ..ready() };
    // In the second game no seat is sent everything at once, so events that all have been sent are dropped now and then.
    all_events_are_sent(vec![Ok(Ready { wants, ..ready_for_ticks() }), Ok(in_turn.clone()), Ok(ready())], 3);
    all_events_are_sent(vec![Ok(in_turn); 3], 30);
}

fn all_events_are_sent(seats: Vec<Result<Ready, String>>, rounds: u32) {
    let mut table = Table::new(Setup { seats, rounds, ..Setup::default() });
    table.play_out();
    let sent: Vec<Vec<_>> = (0..2)
        .map(|index| {
            let over = table.over(index).expect("the game is over");
            table.asks(index).flat_map(|ask| ask.events.clone()).chain(over.events).collect()
        })
        .collect();
    let stamps: Vec<_> = table.asks(0).map(|ask| (ask.as_of.0 as usize, ask.events.len())).collect();
    let mut seen = 0;
    for (as_of, events) in stamps {
        seen += events;
        assert_eq!(as_of, seen, "as_of is the number of the last event sent");
    }
    let finished = table.finish();
    let events: Vec<Event> = finished
        .entries()
        .into_iter()
        .filter_map(|entry| match entry {
            maumau_referee::record::Entry::Event(event) => Some(event.event),
            _ => None,
        })
        .collect();
    for (index, sent) in sent.iter().enumerate() {
        let expected: Vec<_> = events.iter().map(|event| event.seen_by(seat(index))).collect();
        assert_eq!(*sent, expected, "seat {index}");
    }
}

#[test]
fn the_seed_is_committed_to_and_revealed_at_the_end_only_where_it_may_be() {
    for reveal_seed in [true, false] {
        let mut table = Table::new(Setup { reveal_seed, ..Setup::default() });
        let seed = seed_of_number(1);
        assert_eq!(table.start(0).commitment, commitment("g1", &seed));
        assert_ne!(table.start(0).seed, table.start(1).seed, "each seat has a seed of its own");
        table.play_out();
        let over = table.over(0).expect("the game is over");
        assert_eq!(over.seed, reveal_seed.then(|| seed.to_string()));
        for line in table.lines.concat().iter().filter(|_| !reveal_seed) {
            assert!(!format!("{line:?}").contains(&seed.to_string()), "{line:?}");
        }
    }
}

#[test]
fn start_says_that_a_seed_is_public_and_is_the_same_when_it_is_sent_again() {
    for public_seed in [true, false] {
        let mut table = Table::new(Setup { public_seed, ..Setup::default() });
        assert_eq!(table.start(1).public_seed, public_seed);
        table.play_out();
        let log = table.finish().log;
        let retold = replay_seat(&log, seat(1), &ready()).expect("a sound log").start;
        let retold = String::from_utf8(retold).expect("text");
        assert_eq!(retold.contains("\"public_seed\":true"), public_seed, "{retold}");
        assert_eq!(
            verify(&log.to_record().expect("a sound log").0).expect("a sound record").log,
            log,
            "and the record keeps it"
        );
    }
}

#[test]
fn the_ids_of_asks_are_never_the_same() {
    let mut table = Table::new(Setup { seats: vec![Ok(ready_for_ticks()); 4], rounds: 5, ..Setup::default() });
    table.play_out();
    let mut ids: Vec<u64> =
        (0..4).flat_map(|index| table.asks(index).map(|ask| ask.id.0).collect::<Vec<_>>()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

/// The ids follow from a key that no agent knows, not from the seed, which some learn.
#[test]
fn the_ids_of_asks_depend_on_a_key() {
    let first_lines = |id_key: [u8; 32]| {
        let rules = Rules::for_table(&Arc::new(load_built_in("basic", &[]).expect("sound rules").set), 2, None);
        let setup = local_game::setup(Arc::new(rules.expect("a table that can play")), 1, vec![Ok(ready()); 2]);
        let game = LocalGame::begin(GameSetup { id_key, ..setup });
        game.lines().map(|(_, line)| String::from_utf8_lossy(line).into_owned()).collect::<String>()
    };
    assert_eq!(first_lines([1; 32]), first_lines([1; 32]));
    assert_ne!(first_lines([1; 32]), first_lines([2; 32]));
}

#[test]
fn rounds_are_numbered_and_the_deal_moves_on() {
    for rounds in [1, 2, 7] {
        let mut table = Table::new(Setup { rounds, seats: vec![Ok(ready()); 3], ..Setup::default() });
        let mut dealers = Vec::new();
        while !table.finished() {
            let view = table.last_ask(table.mover()).view.expect("a view");
            if dealers.len() < view.round as usize {
                dealers.push(view.dealer.expect("somebody dealt").index());
            }
            assert_eq!((view.rounds, dealers.len()), (rounds, view.round as usize));
            table.answer_all();
        }
        assert_eq!(dealers, (0..rounds as usize).map(|round| round % 3).collect::<Vec<_>>());
        let finished = table.finish();
        assert_eq!(finished.log.result.rounds, rounds);
        assert_eq!(finished.log.result.wins.iter().sum::<u32>(), rounds);
    }
}

#[test]
fn every_action_listed_as_legal_is_accepted() {
    for seed in 0..6 {
        let mut table = Table::new(Setup { rules: "skat", seed, seats: vec![Ok(ready()); 4], ..Setup::default() });
        while !table.finished() {
            let mover = table.mover();
            let legal = table.last_ask(mover).legal;
            let action = legal[seed as usize % legal.len()].clone();
            table.act(mover, action.clone());
            assert_eq!(table.faults(mover), [], "{action:?}");
        }
        table.finish();
    }
}

#[test]
fn hidden_names_are_in_the_record_and_in_no_line_that_a_seat_is_sent() {
    for hidden_names in [true, false] {
        let mut table = Table::new(Setup { hidden_names, ..Setup::default() });
        let names = if hidden_names { ["seat-0", "seat-1"] } else { ["bot 0", "bot 1"] };
        assert_eq!(table.start(1).names, names);
        table.play_out();
        for line in table.lines.concat().iter().filter(|_| hidden_names) {
            assert!(!format!("{line:?}").contains("bot 0"), "{line:?}");
        }
        let log = table.finish().log;
        assert_eq!(
            (&log.header.names[..], log.hidden_names),
            (&["bot 0".to_owned(), "bot 1".to_owned()][..], hidden_names)
        );
        let start = replay_seat(&log, seat(1), &ready()).expect("a sound log").start;
        assert_eq!(String::from_utf8(start).expect("text").contains("seat-0"), hidden_names);
        assert_eq!(verify(&log.to_record().expect("a sound log").0).expect("a sound record").log, log);
    }
}
