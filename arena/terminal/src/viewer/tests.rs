//! Goes through games by keys and holds screens to files; no terminal takes part.

use maumau_protocol::Seat;
use maumau_referee::record::MoveNumber;

use super::*;
use crate::testing::{LOOK, check, game, text};

fn pressed(viewer: &mut Viewer<'_>, keys: &str) {
    for c in keys.chars() {
        let key = match c {
            '>' => Key::Right,
            '<' => Key::Left,
            '\n' => Key::Enter,
            '$' => Key::End,
            '^' => Key::Home,
            c => Key::Char(c),
        };
        assert_eq!(viewer.press(key).expect("a sound log"), ScreenFlow::Stay, "{c:?}");
    }
}

fn shown(viewer: &Viewer<'_>, size: (u16, u16)) -> String {
    text(size, |buffer, area| viewer.draw(buffer, area))
}

#[test]
fn screens_of_both_sizes_are_as_they_were() {
    let log = game("skat", 3, 2);
    let mut viewer = Viewer::new(&log, None, LOOK).expect("a sound log");
    pressed(&mut viewer, ">>>>>>>>>>>>");
    check("viewer-80x24", &shown(&viewer, (80, 24)));
    check("viewer-200x50", &shown(&viewer, (200, 50)));
    pressed(&mut viewer, "?");
    check("viewer-help-80x24", &shown(&viewer, (80, 24)));
    let large = game("spam", 8, 1);
    let mut viewer = Viewer::new(&large, Seat::new(2), LOOK).expect("a sound log");
    pressed(&mut viewer, ">>>>>>>>>>>>>>>>>>>>");
    check("viewer-seat-80x24", &shown(&viewer, (80, 24)));
    let ascii = ScreenStyle { signs: false, ..LOOK };
    let mut viewer = Viewer::new(&log, None, ascii).expect("a sound log");
    pressed(&mut viewer, "$");
    let screen = shown(&viewer, (80, 24));
    assert!(screen.is_ascii(), "{screen}");
    check("viewer-ascii-80x24", &screen);
}

#[test]
fn every_frame_of_every_rule_set_is_drawn_on_small_and_large_screens() {
    for set in ["basic", "deluxe", "snap", "spam", "skat"] {
        let log = game(set, 4, 1);
        let mut viewer = Viewer::new(&log, None, LOOK).expect("a sound log");
        for at in 0..=viewer.last() {
            viewer.at = at;
            for size in [(20, 5), (40, 12), (80, 24)] {
                shown(&viewer, size);
            }
        }
        let end = shown(&viewer, (80, 24));
        assert!(end.contains("the match"), "{set}: {end}");
    }
}

#[test]
fn keys_step_and_jump_as_on_the_page() {
    let log = game("skat", 3, 2);
    let mut viewer = Viewer::new(&log, None, LOOK).expect("a sound log");
    let last = viewer.last();
    pressed(&mut viewer, "<");
    assert_eq!(viewer.at, 0);
    pressed(&mut viewer, ">>>");
    assert_eq!(viewer.at, 3);
    pressed(&mut viewer, "$>");
    assert_eq!(viewer.at, last);
    pressed(&mut viewer, "^r");
    let round = viewer.at;
    assert!(round > 0 && Mark::RoundEnd.is_in(viewer.frame(round)));
    pressed(&mut viewer, "rR");
    assert_eq!(viewer.at, round);
    pressed(&mut viewer, "7\n");
    assert_eq!(viewer.frame(viewer.at).kind.number().0, 7);
    pressed(&mut viewer, "99999\n");
    assert!(shown(&viewer, (80, 24)).contains("there is no move 99999"));
    pressed(&mut viewer, "^/DRAWS\n");
    assert!(shown(&viewer, (80, 24)).contains("draws"));
    let first = viewer.at;
    pressed(&mut viewer, "n");
    assert!(viewer.at > first);
    pressed(&mut viewer, "/nowhere\n");
    assert!(shown(&viewer, (80, 24)).contains("no \"nowhere\" after this"));
    pressed(&mut viewer, "z");
    assert!(shown(&viewer, (80, 24)).contains("no key z"));
    assert_eq!(viewer.press(Key::Char('q')).expect("a sound log"), ScreenFlow::Close);
}

#[test]
fn eyes_of_a_seat_see_its_hand_alone() {
    let log = game("basic", 3, 1);
    let mut viewer = Viewer::new(&log, None, LOOK).expect("a sound log");
    let backs = |viewer: &Viewer<'_>| shown(viewer, (80, 24)).matches(" cards ").count();
    let open = backs(&viewer);
    pressed(&mut viewer, "e");
    assert_eq!(viewer.eyes, Some(Seat::FIRST));
    assert_eq!(backs(&viewer), open + 2);
    pressed(&mut viewer, "eee");
    assert_eq!(viewer.eyes, None);
    let mut of_seat = Viewer::new(&log, Some(Seat::FIRST), LOOK).expect("a sound log");
    pressed(&mut of_seat, "e");
    assert_eq!(of_seat.eyes, Some(Seat::FIRST), "no other eyes can be chosen");
}

#[test]
fn a_game_plays_by_itself_until_its_end() {
    let log = game("basic", 2, 1);
    let mut viewer = Viewer::new(&log, None, LOOK).expect("a sound log");
    pressed(&mut viewer, " ");
    assert_eq!(viewer.due_in(), Some(STEP_MS));
    viewer.tick(STEP_MS - 1);
    assert_eq!(viewer.at, 0);
    let mut now = 0;
    for step in 1..=viewer.last() {
        now += STEP_MS;
        viewer.tick(now);
        assert_eq!(viewer.at, step);
    }
    assert_eq!(viewer.due_in(), None);
    pressed(&mut viewer, "+++++ ");
    assert_eq!((viewer.at, viewer.due_in()), (0, Some(300)), "begins again, as played");
}

#[test]
fn judged_moves_are_marked_and_said_to_the_eyes_that_may_see_it() {
    let log = game("skat", 3, 1);
    let comment = |number: u32, seat: usize, mark: Option<DecisionMark>, worth: f64| DecisionComment {
        number: MoveNumber(number),
        seat: Seat::new(seat).expect("a seat"),
        mark,
        worth,
        words: vec![format!("Said of move {number}: ").into(), "7 ± 2 points lost.".into()],
    };
    let frames = maumau_referee::story::frames(&log, None).expect("a story");
    let moves: Vec<(u32, usize)> = frames
        .iter()
        .filter(|frame| matches!(frame.kind, FrameKind::Move(_)))
        .filter_map(|frame| Some((frame.kind.number().0, frame.seat?.index())))
        .collect();
    let marks = [None, Some(DecisionMark::Good), Some(DecisionMark::Blunder), Some(DecisionMark::Mistake)];
    let comments = moves
        .iter()
        .zip(marks)
        .enumerate()
        .map(|(at, ((number, seat), mark))| comment(*number, *seat, mark, 0.25 * at as f64));
    let said = Commentary { comments: comments.collect(), ..Commentary::default() };
    let mut viewer = Viewer::new(&log, None, LOOK).expect("a sound log").commented(Some(said.clone()));
    pressed(&mut viewer, "m");
    assert_eq!(
        viewer.place().split(" of ").next(),
        Some(&*format!("move {}", moves[2].0)),
        "good moves are passed over"
    );
    let screen = shown(&viewer, (80, 24));
    assert!(screen.contains(&format!("?? Said of move {}: 7 ± 2 points lost.", moves[2].0)), "{screen}");
    check("viewer-judged-80x24", &screen);
    pressed(&mut viewer, "mM");
    assert!(viewer.place().starts_with(&format!("move {} ", moves[2].0)));
    pressed(&mut viewer, "M");
    assert!(shown(&viewer, (80, 24)).contains("no mistake before this"));
    pressed(&mut viewer, "w");
    assert!(shown(&viewer, (80, 24)).contains("chances of each seat, up to 100 %"));
    // Another seat neither sees the sign nor the sentence.
    let (judged, other) = (moves[2].1, (moves[2].1 + 1) % 3);
    for (eyes, sees) in [(judged, true), (other, false)] {
        let mut viewer = Viewer::new(&log, Seat::new(eyes), LOOK).expect("a sound log").commented(Some(said.clone()));
        pressed(&mut viewer, &format!("{}\n", moves[2].0));
        let screen = shown(&viewer, (120, 40));
        assert_eq!(screen.contains("Said of move") && screen.contains("??"), sees, "{screen}");
    }
    let ascii = ScreenStyle { signs: false, ..LOOK };
    let mut viewer = Viewer::new(&log, None, ascii).expect("a sound log").commented(Some(said));
    pressed(&mut viewer, "mw");
    let screen = shown(&viewer, (80, 24));
    assert!(screen.is_ascii() && screen.contains(": 7 +- 2 points lost."), "{screen}");
    let mut viewer = Viewer::new(&log, None, LOOK).expect("a sound log");
    for key in ["m", "w"] {
        pressed(&mut viewer, key);
        assert!(shown(&viewer, (80, 24)).contains("not judged: maumau analyse FILE --keep does that"));
    }
}

#[test]
fn a_game_that_is_shown_as_it_comes_does_not_say_how_it_ends() {
    let log = game("skat", 3, 1);
    let whole = Viewer::new(&log, None, LOOK).expect("a sound log");
    assert!(shown(&whole, (200, 50)).contains('|'), "the end of the round stands on the timeline");
    let mut viewer = Viewer::new(&log, spectator(3), LOOK).expect("a sound log").as_it_comes();
    let due = viewer.due_in().expect("it plays by itself");
    viewer.tick(due);
    let screen = shown(&viewer, (200, 50));
    check("viewer-as-it-comes-200x50", &screen);
    for now in 1..1_000 {
        viewer.tick(now * due);
    }
    assert!(viewer.is_at_end() && viewer.due_in().is_none());
    assert!(shown(&viewer, (200, 50)).contains("wins the match"));
    // What has been seen stays in the list.
    pressed(&mut viewer, "^");
    assert!(!viewer.is_at_end() && shown(&viewer, (200, 50)).contains("Round 1"));
    pressed(&mut viewer, "e");
    assert!(shown(&viewer, (200, 50)).contains("hands are closed"));
}
