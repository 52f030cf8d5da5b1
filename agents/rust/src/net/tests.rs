//! Tests of files of weights, and of the network on positions for which Python has computed it. Whole games are in `tests/thinking.rs`.

use maumau_engine::rules::{built_in, load_built_in};
use maumau_protocol::message::Start;
use serde::Deserialize;
use serde_json::json;

use super::{NET_WEIGHTS, Net, Network, WeightsError};

/// What agents/python/package/examples/train_net.py writes beside each file of weights.
#[derive(Deserialize)]
struct Position {
    observation: Vec<u8>,
    legal: Vec<usize>,
    action: usize,
    output: i64,
}

const POSITIONS: [(&str, &str); 6] = [
    ("basic", include_str!("../../weights/basic.json")),
    ("crazy-eights", include_str!("../../weights/crazy-eights.json")),
    ("deluxe", include_str!("../../weights/deluxe.json")),
    ("skat", include_str!("../../weights/skat.json")),
    ("snap", include_str!("../../weights/snap.json")),
    ("spam", include_str!("../../weights/spam.json")),
];

fn start(set: &str, seats: usize, named: &str) -> Start {
    let mut rules = load_built_in(set, &[]).expect("a built-in set").set;
    rules.name = named.to_owned();
    let time = json!({"move_ms": 5000, "bank_ms": 0, "increment_ms": 0, "start_ms": 10000});
    let names: Vec<String> = (0..seats).map(|seat| format!("seat {seat}")).collect();
    serde_json::from_value(
        json!({"game": "g", "seat": 0, "names": names, "rule_set": named, "rules": rules, "rounds": 3,
        "time": time, "max_strikes": 3, "commitment": "0", "seed": "0000000000000001"}),
    )
    .expect("well formed")
}

#[test]
fn there_are_weights_for_each_built_in_set_at_two_seats_and_for_no_other_table() {
    for set in built_in() {
        assert!(Net::new(&start(set.name, 2, set.name)).is_trained(), "{}", set.name);
        assert!(!Net::new(&start(set.name, 3, set.name)).is_trained(), "{}", set.name);
        assert!(!Net::new(&start(set.name, 2, "another")).is_trained(), "{}", set.name);
    }
    // The name of one set and the cards of another.
    assert!(!Net::new(&start("snap", 2, "basic")).is_trained());
    assert_eq!(NET_WEIGHTS.len(), built_in().len());
}

#[test]
fn outputs_are_those_that_python_computes() {
    for ((set, file), (same, positions)) in NET_WEIGHTS.into_iter().zip(POSITIONS) {
        assert_eq!(set, same);
        let network = Network::read(file).expect("weights");
        let positions: Vec<Position> = serde_json::from_str(positions).expect("positions");
        assert!(positions.len() >= 4, "{set}");
        for Position { observation, legal, action, output } in positions {
            let outputs = network.outputs(&observation);
            let best = legal.into_iter().max_by_key(|number| super::rank(&outputs, *number)).expect("a legal action");
            assert_eq!((best, outputs[best]), (action, output), "{set}");
        }
    }
}

#[test]
fn a_file_of_weights_that_does_not_fit_is_refused() {
    let (_, good) = NET_WEIGHTS[0];
    assert!(Network::read(good).is_ok());
    let with = |at: usize, byte: u8| {
        let mut file = good.to_vec();
        file[at] = byte;
        Network::read(&file).expect_err("a file that was changed")
    };
    assert_eq!(with(0, b'M'), WeightsError::Magic);
    assert_eq!(with(10, 2), WeightsError::Version(2));
    assert_eq!(with(14, 9), WeightsError::Encoding(9));
    assert!(matches!(with(18, 1), WeightsError::Length { .. }));
    assert!(matches!(with(21, 255), WeightsError::Length { .. }));
    assert_eq!(Network::read(&good[..20]).expect_err("a part of the head"), WeightsError::Magic);
    assert!(matches!(Network::read(&good[..good.len() - 1]), Err(WeightsError::Length { .. })));
}
