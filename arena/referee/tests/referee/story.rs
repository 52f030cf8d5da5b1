//! The stories of random games of every rule set: the frames add up to the game, and no seat reads what is hidden. How stories
//! are drawn is tested in the arena's `report`.

use std::sync::{Arc, OnceLock};

use maumau_engine::rules::{all_sets, load_built_in};
use maumau_engine::{ChoiceStream, Game, Rules};
use maumau_protocol::fault::ConductFault::NotJson;
use maumau_protocol::message::What;
use maumau_protocol::ruleset::Step;
use maumau_protocol::{Card, Event, EventNumber, Faces, RuleFault, Seat, SeenEvent, Stand, Verb};
use maumau_referee::local_game::FirstLegal;
use maumau_referee::record::{Entry, MoveNumber};
use maumau_referee::story::{
    About, Frame, FrameKind, InputStory, KnownEvent, Line, OpenTable, Scene, SeatStoryWriter, StoryPosition,
    StoryWriter, crashes_of, fault_name, for_each_position, frames, spectator,
};
use maumau_referee::{GameLog, ReplayError, verify};

use crate::table::{Finished, Line as SentLine, Setup, Table, ready, ready_for_ticks, seat, took};

const SEATS: usize = 3;

/// A random game in which seats write notes, let deadlines pass, send lines that are not JSON, and play cards that they may not;
/// and the lines sent to each.
fn random_game(rules: &'static str, seed: u64) -> (Finished, Vec<Vec<SentLine>>) {
    let mut dice = ChoiceStream::new(&[seed]);
    let seats = vec![Ok(ready()), Ok(ready_for_ticks()), Ok(ready())];
    let mut table = Table::new(Setup { rules, seed, rounds: 2, seats, ..Setup::default() });
    let mut strikes = 0;
    while !table.finished() {
        for whose in table.asked() {
            if table.finished() {
                break;
            }
            match dice.below(60) {
                0 if strikes < 2 => {
                    strikes += 1;
                    table.wrong(whose, NotJson);
                }
                1 => table.note(whose, serde_json::json!({ "seat": whose })),
                2 => table.deadline(whose),
                _ => {}
            }
            if table.finished() || !table.asked().contains(&whose) {
                continue;
            }
            let id = table.last_ask(whose).id;
            let game = table.referee().game();
            let may_wait = table.last_ask(whose).what == What::React && dice.below(3) > 0;
            let legal: Vec<Verb> = game.legal(seat(whose)).iter().collect();
            let verb = match legal.as_slice() {
                _ if may_wait => Verb::Wait,
                [] => Verb::Wait,
                _ if dice.one_in(20) && !game.hand(seat(whose)).is_empty() => {
                    Verb::Play { card: table.card_of(whose), choose: None }
                }
                legal => {
                    let verb = dice.pick(legal).clone();
                    let goes_on = !game.rules().set().together.is_empty() && dice.one_in(2);
                    let several = if goes_on { several(game, seat(whose), &verb) } else { None };
                    several.unwrap_or(verb)
                }
            };
            table.answer(whose, id, verb, took(2));
        }
    }
    let lines = table.lines.clone();
    (table.finish(), lines)
}

/// The card that `verb` plays, with all of the hand that may go with it in one play of the rule set, so that a last one is left.
fn several(game: &Game, seat: Seat, verb: &Verb) -> Option<Verb> {
    let Verb::Play { card: first, .. } = verb else { return None };
    let way = game.rules().set().together.values().find(|way| way.cards.0.contains(*first))?;
    let (in_suit, mut left) = (way.step.0.contains(&Step::Suit), game.hand(seat).cards().collect::<Vec<_>>());
    left.swap_remove(left.iter().position(|card| card == first)?);
    let mut cards = vec![*first];
    while let Some(last) = cards.last().copied().filter(|_| left.len() > 1) {
        let follows = |card: &Card| match (last.rank(), card.rank()) {
            _ if in_suit => way.opened_by.0.contains(*first) && card.suit() == first.suit(),
            (Some(one), Some(other)) if one == other => true,
            (Some(one), Some(other)) => last.suit() == card.suit() && one.index().abs_diff(other.index()) == 1,
            _ => false,
        };
        let Some(at) = left.iter().position(follows) else { break };
        cards.push(left.swap_remove(at));
    }
    (cards.len() > 1).then_some(Verb::PlayTogether { cards, choose: None, close: true })
}

/// The name of a rule set, a game with it, and the lines sent to each seat.
type Sample = (&'static str, Finished, Vec<Vec<SentLine>>);

/// A game with each rule set.
fn games() -> &'static [Sample] {
    static GAMES: OnceLock<Vec<Sample>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let played = all_sets().map(|set| {
            let (finished, lines) = random_game(set.name, 7);
            (set.name, finished, lines)
        });
        played.collect()
    })
}

fn positions(log: &GameLog, eyes: Option<Seat>) -> Vec<(Frame, StoryPosition)> {
    let frames = frames(log, eyes).expect("a sound log");
    let mut all = Vec::new();
    let keep = |frame: &Frame, position| {
        all.push((frame.clone(), position));
        Ok::<(), ReplayError>(())
    };
    for_each_position(log, &frames, eyes, keep).expect("a sound log");
    all
}

/// The number of the last event up to each frame.
fn last_events(frames: &[(Frame, StoryPosition)]) -> Vec<EventNumber> {
    let last = frames.iter().scan(EventNumber::default(), |last, (frame, _)| {
        *last = frame.events.last().map_or(*last, |event| event.n);
        Some(*last)
    });
    last.collect()
}

#[test]
fn frames_are_the_moves_in_order_and_hold_every_input_once() {
    for (set, game, _) in games() {
        let frames = frames(&game.log, None).expect("a sound log");
        assert_eq!(frames[0].kind, FrameKind::Deal, "{set}");
        let ends: Vec<_> = frames.iter().map(|frame| frame.inputs.end).collect();
        let begins: Vec<_> = frames.iter().map(|frame| frame.inputs.start).collect();
        assert_eq!(begins[1..], ends[..ends.len() - 1], "{set}");
        assert_eq!((begins[0], ends.last()), (0, Some(&game.log.inputs.len())), "{set}");
        let moves = game.log.inputs.iter().filter(|logged| logged.entry.is_move()).count();
        let numbers: Vec<_> =
            frames.iter().filter(|frame| frame.seat.is_some()).map(|frame| (frame.kind, frame.kind.number())).collect();
        let expected: Vec<_> = (1..=moves as u32).map(|n| (FrameKind::Move(MoveNumber(n)), MoveNumber(n))).collect();
        assert_eq!(numbers, expected, "{set}");
    }
}

#[test]
fn the_last_frame_is_the_result() {
    for (set, game, _) in games() {
        let all = positions(&game.log, None);
        let Some((_, StoryPosition::Open(table))) = all.last() else { panic!("{set}: an open table") };
        let result = &game.log.result;
        assert_eq!((&table.points, &table.wins, table.round), (&result.points, &result.wins, result.rounds), "{set}");
    }
}

#[test]
fn after_each_frame_a_seat_sees_the_view_that_it_was_sent() {
    for (set, game, lines) in games() {
        for (whose, lines) in lines.iter().enumerate() {
            let all = positions(&game.log, Some(seat(whose)));
            let (ends, mut compared) = (last_events(&all), 0);
            for line in lines {
                let SentLine::Ask(ask) = line else { continue };
                let seen = (0..all.len()).filter(|at| ends[*at] == ask.as_of);
                let views: Vec<_> = seen.map(|at| &all[at].1).collect();
                let sent = StoryPosition::Seen(Box::new(ask.view.clone().expect("it wants views")));
                assert!(
                    views.contains(&&sent),
                    "{set}, seat {whose}, after event {:?}: {sent:?}\n{views:?}",
                    ask.as_of
                );
                compared += 1;
            }
            assert!(compared > 3, "{set}");
        }
    }
}

#[test]
fn a_seat_reads_its_own_notes_and_faults_and_what_it_may_see() {
    let (mut notes, mut faults) = (0, 0);
    for (set, game, _) in games() {
        let open = frames(&game.log, None).expect("a sound log");
        for whose in Seat::all(SEATS) {
            let seen = frames(&game.log, Some(whose)).expect("a sound log");
            assert_eq!(seen.len(), open.len(), "{set}");
            for (open, seen) in open.iter().zip(&seen) {
                for (open, seen) in open.events.iter().zip(&seen.events) {
                    let KnownEvent::Everything(event) = &open.event else { panic!("{set}: {open:?}") };
                    assert_eq!(KnownEvent::Seen(event.seen_by(whose)), seen.event, "{set}");
                }
                let of_others = |line: &&Line| line.seat != Some(whose);
                let private = |line: &Line| {
                    matches!(
                        line.about,
                        About::Note | About::Fault | About::Silence | About::Deadline | About::Sent | About::Stderr
                    )
                };
                assert!(!seen.lines.iter().filter(of_others).any(private), "{set}: {seen:?}");
                let own = |lines: &[Line]| lines.iter().filter(|line| !of_others(line) && private(line)).count();
                assert_eq!(own(&open.lines), own(&seen.lines), "{set}");
                assert!(seen.action.is_none() || seen.seat == Some(whose), "{set}: {seen:?}");
                notes += seen.notes.len();
                faults += seen.faults.len();
            }
        }
    }
    assert!(notes > 0 && faults > 0);
}

#[test]
fn the_same_is_written_while_a_game_is_played_and_from_its_record_by_one_pair_of_eyes_and_by_all() {
    for (set, game, _) in games() {
        let everybody: Vec<_> = [None].into_iter().chain(Seat::all(SEATS).map(Some)).collect();
        let whole: Vec<Vec<Frame>> =
            everybody.iter().map(|eyes| frames(&game.log, *eyes).expect("a sound log")).collect();
        assert_eq!(
            frames(&verify(&game.record).expect("a sound record").log, None).expect("the same"),
            whole[0],
            "{set}"
        );
        let mut writer = StoryWriter::new(&game.log.header, &everybody).expect("a table");
        let mut live = vec![Vec::new(); everybody.len()];
        let mut keep = |story: InputStory| {
            live.iter_mut().zip(story.lines).for_each(|(live, lines)| live.extend(lines.all()));
        };
        keep(writer.begin());
        for (logged, crashes) in game.log.inputs.iter().zip(crashes_of(&game.log.inputs)) {
            keep(writer.take(logged, &crashes).expect("a sound log"));
        }
        for (live, frames) in live.into_iter().zip(whole) {
            let lines: Vec<Line> = frames.into_iter().flat_map(|frame| frame.lines).collect();
            assert_eq!(live, lines, "{set}");
        }
    }
}

#[test]
fn mistakes_and_effects_cite_the_clauses_of_their_rule_set() {
    let mut cited = std::collections::BTreeSet::new();
    for (_, game, _) in games() {
        for frame in frames(&game.log, None).expect("a sound log") {
            cited.extend(frame.lines.into_iter().flat_map(|line| line.clauses));
        }
        assert!(game.log.inputs.iter().any(|logged| matches!(logged.entry, Entry::Act(_))));
    }
    for clause in ["G-04", "G-05", "B-12", "K-29", "D-50"] {
        assert!(cited.contains(clause), "{clause}: {cited:?}");
    }
}

/// A line without what only a replay knows.
fn without_reasons(line: &Line) -> Line {
    Line { ground: None, because: Vec::new(), ..line.clone() }
}

#[test]
fn a_seat_writes_from_its_own_events_what_its_story_says() {
    let (mut clauses, mut left_out) = (0, 0);
    for (set, game, _) in games() {
        for eyes in Seat::all(SEATS) {
            let frames = frames(&game.log, Some(eyes)).expect("a sound log");
            let mut writer = SeatStoryWriter::new(Arc::clone(&game.log.header.rules), SEATS);
            let seen: Vec<&SeenEvent> = frames
                .iter()
                .flat_map(|frame| &frame.events)
                .map(|event| match &event.event {
                    KnownEvent::Seen(event) => event,
                    KnownEvent::Everything(_) => panic!("{set}: the eyes of a seat"),
                })
                .collect();
            let written: Vec<Line> = seen.iter().filter_map(|event| writer.line(event)).collect();
            let of_events = |line: &&Line| matches!(line.about, About::Game | About::RuleFault);
            let expected: Vec<Line> =
                frames.iter().flat_map(|frame| &frame.lines).filter(of_events).map(without_reasons).collect();
            let written: Vec<Line> = written.into_iter().filter(|line| of_events(&line)).collect();
            clauses += written.iter().map(|line| line.clauses.len()).sum::<usize>();
            // Where only a dismissed seat stands first, events do not say who has won; a replay does.
            let is_dismissed = |seat: &Seat| {
                seen.iter().any(|event| matches!(event, SeenEvent::ActedFor { seat: whose, why: Stand::Dismissed } if whose == seat))
            };
            let without_winner = seen.iter().any(|event| match event {
                SeenEvent::MatchOver { winners } => {
                    !winners.is_empty() && winners.iter().all(|seat| is_dismissed(&seat))
                }
                _ => false,
            });
            left_out += usize::from(without_winner);
            assert_eq!(written, expected[..expected.len() - usize::from(without_winner)], "{set}, seat {eyes}");
        }
    }
    assert!(clauses > 0, "no line rests on a clause");
    assert!(left_out > 0, "no dismissed seat stands first");
}

#[test]
fn a_spectator_sees_what_everybody_sees_and_no_hand() {
    let nobody = spectator(SEATS).expect("a seat that nobody has");
    for (set, game, _) in games() {
        let of_seats: Vec<_> = Seat::all(SEATS).map(|seat| positions(&game.log, Some(seat))).collect();
        for (at, (frame, position)) in positions(&game.log, Some(nobody)).into_iter().enumerate() {
            let StoryPosition::Seen(view) = position else { panic!("{set}: an open table") };
            assert!(view.hand.is_empty(), "{set}");
            for (place, event) in frame.events.iter().enumerate() {
                let json = |event| serde_json::to_string(event).expect("JSON");
                let seen: Vec<String> = of_seats.iter().map(|frames| json(&frames[at].0.events[place])).collect();
                let text = json(event);
                assert!(seen.contains(&text), "{set}: {text} of {seen:?}");
                assert!(seen.iter().all(|seen| text.len() <= seen.len()), "{set}: {text} of {seen:?}");
            }
            assert!(frame.notes.is_empty() && frame.faults.is_empty() && frame.took_us.is_none(), "{set}");
        }
    }
}

#[test]
fn every_card_that_is_played_by_the_rules_says_why_it_might_be_and_nothing_else_does() {
    let (mut grounds, mut words) = (std::collections::BTreeSet::new(), String::new());
    for (set, game, _) in games() {
        for eyes in [None, Some(seat(0)), spectator(SEATS)] {
            for frame in frames(&game.log, eyes).expect("a sound log") {
                for line in &frame.lines {
                    let text = line.text(&game.log.header.names);
                    let is_play = text.contains(" plays ") && !text.contains(" at once");
                    // The referee plays for dismissed seats, and a wrong card may lie until it is called.
                    let needs = is_play && frame.stand.is_none() && !matches!(*set, "snap" | "spam");
                    let is_further = line.because_text(&game.log.header.names).starts_with("in the same play");
                    assert!(line.ground.is_some() || is_further || !needs, "{set}: {text}");
                    assert!(line.ground.is_none() || is_play, "{set}: {text}");
                    assert!(line.ground.is_none() || !line.because.is_empty(), "{set}: {text}");
                    grounds.extend(line.ground);
                    words += &format!("{}\n", line.because_text(&game.log.header.names));
                }
            }
        }
    }
    assert!(grounds.len() > 7, "{grounds:?}");
    for said in [
        "same suit",
        "same value",
        "answers the seven",
        " must draw 2 cards or answer",
        "2 and 2 more: ",
        " may play a further card",
    ] {
        assert!(words.contains(said), "{said} in\n{words}");
    }
}

/// Games by `rules`, played to their end and at random, say each of these, and nothing of `never`.
fn check_says(rules: &'static str, said: &[&str], never: &[&str]) {
    let set = Arc::new(load_built_in(rules, &[]).expect("a set").set);
    let mut text = String::new();
    for seed in 0..40 {
        let table = Arc::new(Rules::for_table(&set, SEATS + seed as usize % 2, Some(2)).expect("a table"));
        for log in [FirstLegal::new(table, Vec::new()).play(seed).expect("a game").0, random_game(rules, seed).0.log] {
            let (frames, names) = (frames(&log, None).expect("a sound log"), &log.header.names);
            for line in frames.iter().flat_map(|frame| &frame.lines) {
                text += &format!("{} ({})\n", line.text(names), line.because_text(names));
            }
        }
        if said.iter().all(|said| text.contains(said)) {
            break;
        }
    }
    let missing: Vec<_> = said.iter().filter(|said| !text.contains(**said)).collect();
    assert!(missing.is_empty(), "{rules}: {missing:?}");
    for never in never {
        let line = text.lines().find(|line| line.contains(never));
        assert_eq!(line, None, "{rules}: {never}");
    }
}

#[test]
fn what_does_not_explain_itself_says_why() {
    check_says(
        "skat",
        &[
            " is turned up (",
            " must draw 2 cards or answer)",
            "play reverses, so ",
            " is refused (it does not fit) (2 cards are owed)",
            " wins the match with the fewest points",
            " was the last card, twice ",
            "nobody wins the match, as nobody has won a round; the fewest points come first",
            ", which lay under the top card)",
        ],
        &[],
    );
    check_says(
        "deluxe",
        &[
            "(holds none of what it has named)",
            " gets ",
            " chips, ",
            "; a card that serves has no effect",
            " (everybody has served it)",
            " (for a lap nobody has served it, and nothing was left to draw)",
            " draws 1 card fewer (which it was about to draw)",
            "nobody wins the match, as nobody has won a round; who held least comes first, counted in cards",
            "(which is not due: ",
        ],
        &["caught with nothing"],
    );
    check_says("countdown", &[" fit any card for ", ", whose count is 8", "'s count goes from 8 to 7"], &["counted"]);
    check_says(
        "bartok",
        &[" may add one of these rules: ", " adds a rule: "],
        &["jack_swap", "spade_word", "two_cards_word"],
    );
    check_says("eights", &["(nothing is left to draw)", " gets "], &["caught with nothing"]);
    check_says("crazy-eights", &[" passes (5 cards are drawn)"], &[]);
    check_says(
        "makao",
        &[
            "(4 more to draw, unless this card answers)",
            " loses a turn (1 more to miss)",
            "(the last that it had to miss)",
            "; for one lap everybody must play ",
            ", ask for something else or draw",
            " (ends the request",
            " (everybody has had a turn)",
            ", the player before, must draw 5 cards",
            " was refused 3 times in its turn: the referee acts",
            "; in all ",
            "anything fits on Q",
        ],
        &["; 1 and ", "does not answer", "more to draw, or an answer"],
    );
    check_says(
        "pesten",
        &[
            " (in place of a further card)",
            "(that card may not be the last)",
            "; as the last card it does nothing and does not win",
            " (the turn goes on)",
        ],
        &[],
    );
    check_says(
        "switch",
        &["the next value of the same suit", "only the last card has an effect, and those of its value just before it"],
        &[],
    );
    check_says(
        "tschau-sepp",
        &[" (to find a further card that fits)", "Sepp was not said in time", " deals; play goes counter-clockwise"],
        &["Mau Mau"],
    );
    check_says(
        "waterfall",
        &[
            " passes (plays no further card)",
            "only the last card has an effect",
            "as the last card it does not win",
            "; the run is closed",
            " (the run stays open: ",
        ],
        &[],
    );
    check_says(
        "colours",
        &[
            "(the challenged card was right)",
            " held no card of the colour that counted)",
            ", worth ",
            " is turned up (",
        ],
        &[],
    );
    check_says("mau-mau", &[" was the last card, twice "], &[]);
    check_says(
        "snap",
        &[
            "change places until both have had a turn (",
            "must take a card from",
            ", which lies under it",
            " under what is looked through",
            " still has its turn",
            " was too late to ",
            " acts now)",
            ", which was too late (as ",
        ],
        &[],
    );
    check_says(
        "spam",
        &[
            "(the first to act decides which way play goes on)",
            "(which makes the card an interjection)",
            "; a suit must be said before the next card, jokers aside",
            "more to draw",
            "; no card is left: the round closes, unless a mistake is called in time)",
            ", the dealer, must say \"spade\"",
        ],
        &["free card may still do so"],
    );
}

#[test]
fn who_passes_instead_of_a_further_card_is_not_said_to_find_nothing_to_draw() {
    let (mut declined, mut dry) = (0, 0);
    for (set, game, _) in games() {
        let mut before = None;
        for (frame, position) in positions(&game.log, None) {
            let StoryPosition::Open(table) = position else { panic!("{set}: an open table") };
            for line in &frame.lines {
                let said = line.because_text(&game.log.header.names);
                if before
                    .as_ref()
                    .is_some_and(|before: &OpenTable| line.seat.is_some() && before.pending.again == line.seat)
                    && line.text(&game.log.header.names).ends_with(" passes")
                {
                    assert_eq!(said, "plays no further card", "{set}");
                    declined += 1;
                } else if said == "nothing is left to draw" {
                    dry += 1;
                }
            }
            before = Some(*table);
        }
    }
    assert!(declined > 0 && dry > 0, "{declined}, {dry}");
}

#[test]
fn a_frame_that_ends_a_round_shows_the_hands_with_which_it_ended_and_the_next_one_the_deal() {
    let (mut rounds, mut deals) = (0, 0);
    for (set, game, _) in games() {
        for eyes in [None, spectator(SEATS)] {
            let mut has_ended = false;
            for (frame, position) in positions(&game.log, eyes) {
                let text = |line: &Line| line.text(&game.log.header.names);
                if std::mem::take(&mut has_ended) && frame.seat.is_none() {
                    assert!(text(&frame.lines[0]).starts_with("Round 2; "), "{set}: {:?}", frame.lines[0]);
                    deals += 1;
                }
                let scored = frame.events.iter().filter_map(|event| match &event.event {
                    KnownEvent::Everything(Event::Scored { seat, hand, .. }) => Some((*seat, hand.len())),
                    KnownEvent::Seen(Event::Scored { seat, hand, .. }) => Some((*seat, hand.len())),
                    _ => None,
                });
                for (seat, held) in scored {
                    let shown = Scene::new(position.clone(), eyes, &game.log.header.names, Faces::French);
                    assert_eq!(shown.cards_of(seat.index()), held, "{set}, seat {seat}, {eyes:?}");
                    (rounds, has_ended) = (rounds + 1, true);
                }
            }
        }
    }
    assert!(rounds > 100 && deals > 20, "{rounds}, {deals}");
}

#[test]
fn a_take_that_the_next_seat_finds_overdue_is_a_frame_of_its_own_with_the_table_after_it() {
    let (mut takes, mut late) = (0, 0);
    for seed in 0..60 {
        let (game, _) = random_game("snap", seed);
        for eyes in [None, spectator(SEATS)] {
            let held = |position: &StoryPosition, seat: Seat| {
                Scene::new(position.clone(), eyes, &game.log.header.names, Faces::French).cards_of(seat.index())
            };
            let mut before: Option<StoryPosition> = None;
            for (frame, position) in positions(&game.log, eyes) {
                let taken = frame.events.iter().filter_map(|event| match &event.event {
                    KnownEvent::Everything(Event::Taken { by, from, overdue: true, .. }) => Some((*by, *from)),
                    KnownEvent::Seen(Event::Taken { by, from, overdue: true, .. }) => Some((*by, *from)),
                    _ => None,
                });
                let taken: Vec<_> = taken.collect();
                takes += taken.len();
                if let ([(by, from)], Some(before), true) = (taken.as_slice(), &before, frame.inputs.is_empty()) {
                    let says = |line: &Line| line.text(&game.log.header.names).contains(" takes ");
                    assert!(frame.lines.iter().any(says), "{seed}: {frame:?}");
                    assert!(frame.events.len() <= 4 && frame.midway.is_some(), "{seed}: {frame:?}");
                    assert_eq!(held(&position, *from), held(before, *from) - 1, "{seed}: {frame:?}");
                    assert!(held(&position, *by) > held(before, *by), "{seed}: {frame:?}");
                    late += 1;
                }
                let acts_too = frame.seat.is_some_and(|seat| taken.iter().any(|(by, _)| *by != seat));
                assert!(!acts_too, "{seed}: two seats act in {frame:?}");
                before = Some(position);
            }
        }
    }
    assert!(late > 20 && takes >= late, "{late} of {takes}");
}

#[test]
fn turns_that_are_still_to_be_missed_lie_on_the_table() {
    for eyes in [None, spectator(SEATS)] {
        let mut games = (0..40).map(|seed| random_game("makao", seed).0);
        let shows = |game: &Finished| {
            let names = &game.log.header.names;
            let scene = |position| Scene::new(position, eyes, names, Faces::French);
            let mut facing = positions(&game.log, eyes).into_iter().flat_map(|(_, position)| scene(position).facing);
            facing.any(|words| words.ends_with(" misses 1 more turn"))
        };
        assert!(games.any(|game| shows(&game)), "{eyes:?}");
    }
}

#[test]
fn a_mistake_is_called_by_the_word_of_its_rule_set() {
    for (rules, fault, words) in [
        ("skat", RuleFault::NoMau, "Mau was not said"),
        ("tschau-sepp", RuleFault::NoMau, "Tschau was not said"),
        ("pesten", RuleFault::NoMau, "Laatste kaart was not said"),
        ("spam", RuleFault::NoMau, "Mau was not said"),
        ("spam", RuleFault::NoLastCard, "Last card was not said"),
        ("crazy-eights", RuleFault::NoMau, "Mau was not said"),
        ("skat", RuleFault::WrongCard, "wrong card"),
    ] {
        let set = load_built_in(rules, &[]).expect("a set").set;
        assert_eq!(fault_name(fault, &set), words, "{rules}");
    }
}

#[test]
fn the_suits_of_a_coloured_pack_are_called_colours() {
    let set = Arc::new(load_built_in("colours", &[]).expect("a set").set);
    let rules = Arc::new(Rules::for_table(&set, SEATS, Some(1)).expect("a table"));
    let log = FirstLegal::new(rules, Vec::new()).play(7).expect("a game").0;
    let frames = frames(&log, None).expect("a sound log");
    let because = frames.iter().flat_map(|frame| &frame.lines).map(|line| line.because_text(&log.header.names));
    let words: Vec<String> = because.collect();
    assert!(words.iter().any(|because| because.starts_with("same colour")), "{words:?}");
    assert!(!words.iter().any(|because| because.contains("suit")), "{words:?}");
}

#[test]
fn a_story_calls_cards_by_their_faces() {
    let set = Arc::new(load_built_in("prsi", &[]).expect("a set").set);
    let rules = Rules::for_table(&set, 2, Some(4)).expect("a table");
    let log = FirstLegal::new(Arc::new(rules), Vec::new()).play(7).expect("a game").0;
    let (frames, names) = (frames(&log, None).expect("a sound log"), &log.header.names);
    let lines = frames.iter().flat_map(|frame| &frame.lines);
    let text: String = lines.map(|line| format!("{} ({})\n", line.text(names), line.because_text(names))).collect();
    for (faces, french) in [("O♠", "Q"), ("U◉", "J"), ("◉", "♦"), ("names acorns", "clubs")] {
        assert!(text.contains(faces) && !text.contains(french), "{faces} for {french}: {text}");
    }
}

#[test]
fn an_action_that_came_too_late_is_no_fault_and_names_the_seat_that_was_faster() {
    let mut late = 0;
    for (set, game, _) in games() {
        for frame in frames(&game.log, None).expect("a sound log") {
            for line in frame.lines.iter().filter(|line| line.about == About::Late) {
                let text = line.text(&game.log.header.names);
                assert!(!line.is_fault() && text.contains(" was too late"), "{set}: {text}");
                assert_eq!(line.clauses, ["G-03"], "{set}: {text}");
                late += 1;
            }
        }
        // What it was is known to its seat and the referee alone.
        for frame in frames(&game.log, spectator(SEATS)).expect("a sound log") {
            let lines = frame.lines.iter().map(|line| line.text(&game.log.header.names));
            lines.for_each(|text| assert!(!text.contains("was too late to "), "{set}: {text}"));
        }
    }
    assert!(late > 0);
}
