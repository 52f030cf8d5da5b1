//! What agents write to stderr: kept with the move that follows it, within limits, for the eyes of its seat and of the referee,
//! without a trace in the digest.

use maumau_protocol::limits::MAX_STDERR_BYTES_PER_GAME;
use maumau_referee::record::{AgentStderr, Entry};
use maumau_referee::story::{About, frames};
use maumau_referee::verify;

use crate::table::{Finished, Setup, Table, seat};

/// A game in which both seats write this before each of their answers, and its record.
fn game(writes: impl Fn(usize, usize) -> Option<String>) -> (Finished, Vec<u8>) {
    let mut table = Table::new(Setup::default());
    while !table.finished() {
        for whose in table.asked() {
            let (action, number) = (table.first_choice(whose), table.asks(whose).count());
            if let Some(text) = writes(whose, number) {
                table.hear_stderr(whose, &text);
            }
            table.act(whose, action);
        }
    }
    let game = table.finish();
    let record = game.log.to_record().expect("a sound log").0;
    (game, record)
}

fn written(game: &Finished) -> Vec<AgentStderr> {
    game.log.inputs.iter().flat_map(|input| input.meta.stderr.clone()).collect()
}

#[test]
fn it_is_kept_with_its_move_and_changes_no_digest() {
    let (quiet, _) = game(|_, _| None);
    let (loud, record) = game(|whose, number| Some(format!("seat {whose}, ask {number}\n")));
    assert_eq!(loud.digest, quiet.digest);
    let mut asks = [0, 0];
    for input in &loud.log.inputs {
        let Entry::Act(act) = &input.entry else { continue };
        asks[act.seat.index()] += 1;
        let own: Vec<&str> = input.meta.stderr.iter().filter(|of| of.seat == act.seat).map(|of| &*of.text).collect();
        assert!(own.last().is_some_and(|text| text.starts_with(&format!("seat {}, ask ", act.seat))), "{input:?}");
    }
    assert!(asks.iter().all(|count| *count > 2), "{asks:?}");
    assert_eq!(verify(&record).expect("a sound record").log, loud.log);
}

#[test]
fn it_is_shown_to_the_referee_and_to_its_own_seat() {
    let (game, _) = game(|whose, number| (number < 3).then(|| format!("I am {whose}\nand think")));
    for (eyes, sees) in [(None, [true, true]), (Some(0), [true, false]), (Some(1), [false, true])] {
        let frames = frames(&game.log, eyes.map(seat)).expect("a sound log");
        let lines: Vec<_> = frames.iter().flat_map(|frame| &frame.lines).collect();
        for whose in [0, 1] {
            let said = format!("{whose} on stderr: I am {whose}");
            let found = lines.iter().any(|line| line.text(&["0".into(), "1".into()]) == said);
            assert_eq!(found, sees[whose], "{eyes:?} and seat {whose}");
            let of_it = lines.iter().any(|line| line.about == About::Stderr && line.seat == Some(seat(whose)));
            assert_eq!(of_it, sees[whose], "{eyes:?} and seat {whose}");
        }
    }
}

#[test]
fn what_exceeds_the_limit_of_a_game_is_left_out_with_one_sentence() {
    let (game, _) =
        game(|whose, number| (whose == 0).then(|| format!("{number}ü").repeat(MAX_STDERR_BYTES_PER_GAME / 7)));
    let all: String = written(&game).into_iter().map(|of| of.text).collect();
    assert_eq!(all.matches("the rest is left out").count(), 1);
    assert!(all.len() < MAX_STDERR_BYTES_PER_GAME + 100, "{}", all.len());
    assert!(all.len() > MAX_STDERR_BYTES_PER_GAME - 10, "{}", all.len());
}

#[test]
fn many_lines_of_one_move_are_shortened_where_they_are_shown() {
    let (game, _) = game(|whose, number| (whose == 1 && number == 1).then(|| "x\n".repeat(1_000)));
    let frames = frames(&game.log, None).expect("a sound log");
    let lines: Vec<String> = frames
        .iter()
        .flat_map(|frame| &frame.lines)
        .filter(|line| line.about == About::Stderr)
        .map(|line| line.text(&["a".into(), "b".into()]))
        .collect();
    assert_eq!(lines.len(), 41);
    assert_eq!(lines[20], "b on stderr: [... 960 lines left out ...]");
}
