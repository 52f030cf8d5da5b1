//! The fuzzing targets without a fuzzer: every kept input, and changes of it that are the same in each run. A failure
//! names the input, which `fuzz.py` and its targets take as it is. What must hold is known by the targets.

#[path = "src/lib.rs"]
#[allow(unreachable_pub, reason = "a crate of its own under the fuzzer")]
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind};

use maumau_engine::ChoiceStream;
use targets::TARGETS;

/// Changes of each kept input of a target: some millions of lines in all, which are quick to check, if there is time.
fn changes(target: &str) -> u64 {
    match (std::env::var_os("MAUMAU_FULL").is_some(), target) {
        (false, _) => 4,
        (true, "agent_line" | "arena_line") => 40_000,
        (true, _) => 40,
    }
}

/// The inputs of a corpus: one a line as JSON, each byte a character.
fn kept(target: &str) -> Vec<Vec<u8>> {
    let path = format!("{}/../tests/fuzz/corpus/{target}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let input = |line: &str| {
        let text: String = serde_json::from_str(line).unwrap_or_else(|error| panic!("{path}: {error}: {line}"));
        text.chars().map(|c| u8::try_from(u32::from(c)).expect("a byte")).collect()
    };
    text.lines().map(input).collect()
}

/// What a fuzzer does to an input: bytes changed, put in, taken out, pieces of another input put in, and the rest of one put
/// after it.
fn changed(input: &[u8], other: &[u8], dice: &mut ChoiceStream<'_>) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=dice.below(4) {
        let at = dice.below(bytes.len() + 1);
        match dice.below(6) {
            0 => bytes.insert(at, dice.below(256) as u8),
            1 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            2 if at < bytes.len() => bytes[at] = dice.below(256) as u8,
            3 => drop(bytes.drain(at..(at + dice.below(8)).min(bytes.len()))),
            4 => {
                let from = dice.below(other.len() + 1);
                let to = (from + dice.below(24)).min(other.len());
                drop(bytes.splice(at..at, other[from..to].iter().copied()));
            }
            _ => {
                bytes.truncate(at);
                bytes.extend_from_slice(&other[dice.below(other.len() + 1)..]);
            }
        }
    }
    bytes
}

fn check(target: &str) {
    let (_, run) = TARGETS.iter().find(|(name, _)| *name == target).expect("a target");
    let kept = kept(target);
    assert!(kept.len() >= 50, "{target}: only {} inputs are kept", kept.len());
    let mut dice = ChoiceStream::new(&[1]);
    let give = |input: &[u8]| {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(input))) {
            let text: String = input.iter().map(|byte| char::from(*byte)).collect();
            eprintln!("{target} failed on {}", serde_json::to_string(&text).expect("a text"));
            std::panic::resume_unwind(panic);
        }
    };
    for input in &kept {
        give(input);
        for _ in 0..changes(target) {
            let other = &kept[dice.below(kept.len())];
            give(&changed(input, other, &mut dice));
        }
    }
}

#[test]
fn any_line_of_an_agent_is_a_message_or_a_fault() {
    check("agent_line");
}

#[test]
fn any_line_of_the_arena_is_read_and_written_as_serde_does() {
    check("arena_line");
}

#[test]
fn any_rule_file_is_refused_with_its_problems_or_makes_lawful_games() {
    check("rule_file");
}

#[test]
fn any_record_is_refused_or_is_the_record_of_its_game() {
    check("record");
}

#[test]
fn any_packed_log_is_refused_or_is_packed_again_as_it_was() {
    check("packed");
}

#[test]
fn any_actions_leave_a_lawful_game() {
    check("game");
}

#[test]
fn any_inputs_leave_a_sound_referee() {
    check("referee");
}
