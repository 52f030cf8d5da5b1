//! Which times run on the live clock, when each begins again, and what seats hear that nobody asks: an account of its own,
//! compared with the referee after every input of games in which all seats act at random (SPEC 7.14, G-13). Nothing waits.

use maumau_engine::ChoiceStream;
use maumau_protocol::limits::{MAX_LINES_PER_ASK, POINT_OF_ORDER_MS};
use maumau_protocol::message::{AskId, ClockMode, Ready, TimeControl, Want};
use maumau_protocol::{Text, Verb};
use maumau_referee::Timer;

use crate::table::{Line, Setup, Table, ready, ready_for_ticks, seat, took};

/// Every time has a length of its own, so that none can be taken for another.
const TIME: TimeControl = TimeControl {
    move_ms: 1_000,
    bank_ms: 0,
    increment_ms: 0,
    start_ms: 0,
    grace_ms: 201,
    reaction_ms: 302,
    closing_ms: 403,
    count_ms: 504,
};

/// Rule sets in which together every time runs, with settings that end games soon and let mistakes happen.
const GAMES: [(&str, &[&str]); 4] = [
    ("basic", &["turn_cap=10"]),
    ("snap", &["strict=true", "deal.cards=2", "turn_cap=40"]),
    ("snap", &["dealing=dealer", "deal.cards=2", "turn_cap=40"]),
    ("spam", &["turn_cap=20"]),
];

fn live(rules: &'static str, settings: &[&'static str], seed: u64) -> Table {
    let seats = vec![Ok(Ready { wants: vec![Want::Legal, Want::Events], ..ready() }); 3];
    let settings = settings.to_vec();
    Table::new(Setup {
        rules,
        settings,
        seed,
        rounds: 3,
        time: TIME,
        clock: ClockMode::Live,
        seats,
        ..Setup::default()
    })
}

/// What is known of a table before an input.
struct Before {
    is_closing: bool,
    is_paused: bool,
    is_counting: bool,
    reaction: u32,
    /// The state of play that the turn's time was last begun for; none where it begins again in any case.
    turn_for: Option<u64>,
    waited: bool,
}

impl Before {
    fn of(table: &Table, turn_for: Option<u64>) -> Before {
        let game = table.referee().game();
        Before {
            is_closing: game.is_closing(),
            is_paused: game.point_of_order().is_some(),
            is_counting: game.is_counting(),
            reaction: game.reaction(),
            turn_for,
            waited: table.runs(Timer::Reaction),
        }
    }
}

/// How often each thing was seen, so that a comparison that never took place is noticed.
#[derive(Debug, Default)]
struct Seen {
    closings_begun_anew: u32,
    closings_left: u32,
    counts_begun_anew: u32,
    pauses: u32,
    graces: u32,
    reactions: u32,
    turns: u32,
}

/// Plays one game at random; after every input `check` gets the table, what was known before, and what was done. It returns
/// the state of play that the turn's time runs for.
fn play(
    table: &mut Table,
    dice: &mut ChoiceStream<'_>,
    mut check: impl FnMut(&Table, &Before, Option<&Did>) -> Option<u64>,
) {
    let mut turn_for = check(table, &Before { turn_for: None, reaction: 0, ..Before::of(table, None) }, None);
    while !table.finished() {
        let before = Before::of(table, turn_for);
        let mut passes = |timer: Timer| dice.one_in(if timer == Timer::Closing { 40 } else { 8 });
        let timer = Timer::ALL.into_iter().find(|timer| table.runs(*timer) && passes(*timer));
        let did = match timer {
            Some(timer) => {
                table.time(timer);
                Did::Waited(timer)
            }
            None => {
                let whose = dice.number_below(3) as usize;
                let Some(ask) = table.asks(whose).next_back().cloned() else { continue };
                // What no list of legal actions holds, too: speech, points of order and counts.
                let action = match dice.number_below(16) {
                    0..3 => Verb::Say { text: Text::fixed("so what") }.into(),
                    3 => Verb::PointOfOrder.into(),
                    4..6 if table.referee().game().turn().is_none() => Verb::Count.into(),
                    _ => dice.pick(&ask.legal).clone(),
                };
                if table.is_dismissed(whose) {
                    continue;
                }
                let faults = table.faults(whose).len();
                let verb = action.verb.clone();
                table.answer(whose, ask.id, action, took(7));
                Did::Acted { verb, was_accepted: table.faults(whose).len() == faults }
            }
        };
        if table.finished() {
            return;
        }
        turn_for = check(table, &before, Some(&did));
    }
}

enum Did {
    Waited(Timer),
    Acted { verb: Verb, was_accepted: bool },
}

impl Did {
    /// An accepted action that is neither speech nor a call.
    fn acted(&self) -> Option<&Verb> {
        match self {
            Did::Acted { verb: Verb::Say { .. } | Verb::Call { .. } | Verb::Wait, .. } => None,
            Did::Acted { verb, was_accepted: true } => Some(verb),
            _ => None,
        }
    }
}

/// Compares the times of a table with the position; returns the state of play that the turn's time runs for.
fn compare(table: &Table, before: &Before, did: Option<&Did>, seen: &mut Seen) -> Option<u64> {
    let game = table.referee().game();
    let (is_closing, is_paused) = (game.is_closing(), game.point_of_order().is_some());
    for (timer, ms) in [
        (Timer::Grace, TIME.grace_ms),
        (Timer::Closing, TIME.closing_ms),
        (Timer::CountOfTen, TIME.count_ms),
        (Timer::PointOfOrder, POINT_OF_ORDER_MS),
        (Timer::Reaction, TIME.reaction_ms),
    ] {
        assert!(table.started(timer).is_none_or(|started| started == ms), "{timer:?}");
    }
    assert_eq!(table.runs(Timer::PointOfOrder), is_paused);
    if is_paused {
        seen.pauses += 1;
        let stopped = [Timer::Turn, Timer::Grace, Timer::Closing];
        assert!(!stopped.into_iter().any(|timer| table.runs(timer)), "every other clock stands still (P-97)");
        return None;
    }
    assert_eq!(table.runs(Timer::Closing), is_closing);
    // (regression: a card that others may answer, played as the last one of a hand, made time run for a turn that nobody has)
    assert_eq!(table.runs(Timer::Turn), !is_closing);
    assert_eq!(table.runs(Timer::Grace), game.words_waited_for().is_some());
    assert_eq!(table.runs(Timer::CountOfTen), game.is_counting());
    seen.graces += u32::from(table.started(Timer::Grace).is_some());

    let passed = |timer: Timer| matches!(did, Some(Did::Waited(passed)) if *passed == timer);
    let acted = did.and_then(Did::acted);
    if before.is_closing && is_closing && !before.is_paused && !before.waited && !passed(Timer::Closing) {
        assert_eq!(table.started(Timer::Closing).is_some(), acted.is_some(), "an action restarts the closing time");
        *(if acted.is_some() { &mut seen.closings_begun_anew } else { &mut seen.closings_left }) += 1;
    }
    if before.is_counting && game.is_counting() && !before.is_paused && !passed(Timer::CountOfTen) {
        let counts = acted.is_some_and(|verb| *verb == Verb::Count);
        assert_eq!(table.started(Timer::CountOfTen).is_some(), counts, "a count restarts with its counter");
        seen.counts_begun_anew += u32::from(counts);
    }
    if is_closing {
        return None;
    }
    let turn_for = before.turn_for.filter(|_| !passed(Timer::Turn));
    let moved = turn_for != Some(game.progress());
    let reacts = table.started(Timer::Reaction).is_some();
    if reacts {
        assert_ne!(game.reaction(), before.reaction, "time to react is given once");
        seen.reactions += 1;
    }
    // An action that waited for the reaction time is taken up in the same step as the time runs out.
    if !passed(Timer::Reaction) {
        assert_eq!(table.started(Timer::Turn).is_some(), moved || reacts, "a turn's time begins with the turn");
    }
    if let Some(ms) = table.started(Timer::Turn) {
        assert_eq!(ms, TIME.move_ms + if reacts { TIME.reaction_ms } else { 0 });
        seen.turns += 1;
    }
    Some(game.progress())
}

#[test]
fn the_times_that_run_follow_from_the_position() {
    let mut seen = Seen::default();
    for (rules, settings) in GAMES {
        for seed in 0..8 {
            let mut table = live(rules, settings, seed);
            play(&mut table, &mut ChoiceStream::new(&[seed]), |table, before, did| {
                compare(table, before, did, &mut seen)
            });
            table.finish();
        }
    }
    let Seen { closings_begun_anew, closings_left, counts_begun_anew, pauses, graces, reactions, turns } = seen;
    let all = [closings_begun_anew, closings_left, counts_begun_anew, pauses, graces, reactions, turns];
    assert!(all.into_iter().all(|count| count > 0), "something was never compared: {seen:?}");
}

/// A seat that subscribes to events has been sent each of them once after every input, whether it was asked or not.
#[test]
fn seats_that_are_not_asked_are_sent_what_happened() {
    let (mut asked, mut informed) = (0, 0);
    for (rules, settings) in GAMES {
        for seed in 0..5 {
            let mut table = live(rules, settings, seed);
            play(&mut table, &mut ChoiceStream::new(&[seed]), |table, _, _| {
                for whose in (0..3).filter(|whose| !table.is_dismissed(*whose)) {
                    let events = table.lines[whose].iter().map(|line| match line {
                        Line::Ask(ask) => ask.events.len(),
                        Line::Tell(tell) => tell.events.len(),
                        _ => 0,
                    });
                    assert_eq!(events.sum::<usize>() as u64, u64::from(table.referee().game().last_event().0));
                    match table.lines[whose].last() {
                        Some(Line::Tell(_)) => informed += 1,
                        _ => asked += 1,
                    }
                }
                None
            });
        }
    }
    assert!(asked > 0 && informed > 0, "{asked} asked, {informed} informed");
}

/// The tallies of a live game count answers to known asks, `wait` too, and add up their times.
#[test]
fn a_live_game_counts_answers_and_their_times() {
    for seed in 0..5 {
        let mut table = live("basic", &["turn_cap=40"], seed);
        let mut dice = ChoiceStream::new(&[seed]);
        let mut answers = [0_u64; 3];
        while !table.finished() {
            let whose = table.mover();
            let ask = table.last_ask(whose);
            table.answer(whose, ask.id, dice.pick(&ask.legal).clone(), took(7));
            answers[whose] += 1;
            let first = table.asks(whose).next().expect("an ask").id;
            if !table.finished() {
                table.answer(whose, first, Verb::Wait, took(2));
                answers[whose] += 1;
            }
        }
        let tallies = table.finish().tallies;
        for (tally, answers) in tallies.iter().zip(answers) {
            assert_eq!(tally.answers, answers);
            assert!((answers * 2_000..answers * 7_000).contains(&tally.took_us), "{} us", tally.took_us);
        }
    }
}

/// A seat is asked again after an action of its own that changed nothing, if it answered its newest ask (SPEC 7.14).
#[test]
fn speech_is_asked_for_more_only_by_the_newest_ask() {
    let says = || Verb::Say { text: Text::fixed("so what") };
    let mut table = live("basic", &[], 1);
    let mover = table.mover();
    let first = table.last_ask(mover).id;
    table.act(mover, says());
    let second = table.last_ask(mover).id;
    assert_ne!(second, first, "nothing has changed, and it is still to move");
    table.answer(mover, first, says(), took(1));
    assert_eq!(table.last_ask(mover).id, second, "it has not answered its newest ask yet");
    table.answer(mover, second, Verb::Wait, took(1));
    assert_eq!(table.last_ask(mover).id, second, "`wait` is no action");
}

/// As many answers as lines to an ask that no ask invited, since something moved; one more is a flood (SPEC 7.12).
#[test]
fn only_answers_that_no_ask_invites_count_towards_a_flood() {
    let says = || Verb::Say { text: Text::fixed("so what") };
    for (moves_between, floods) in [(false, true), (true, false)] {
        let mut table = live("basic", &[], 1);
        let talker = table.mover();
        for _ in 0..MAX_LINES_PER_ASK {
            table.act(talker, says());
        }
        assert_eq!(table.faults(talker), []);
        if moves_between {
            table.act(talker, Verb::Draw);
        }
        table.act(talker, says());
        let faults: Vec<_> = table.faults(talker).into_iter().map(|fault| fault.fault).collect();
        assert_eq!(faults.contains(&"flood".to_owned()), floods, "{faults:?}");
    }
}

/// Only the first answer to an ask that is in its list is invited (SPEC 7.15).
#[test]
fn an_ask_invites_one_answer() {
    let seats = vec![Ok(ready_for_ticks()); 2];
    let mut table = Table::new(Setup { clock: ClockMode::Live, seats, ..Setup::default() });
    let idle = 1 - table.mover();
    (0..=MAX_LINES_PER_ASK).for_each(|_| table.act(idle, Verb::Wait));
    assert_eq!(table.faults(idle), []);
    table.act(idle, Verb::Wait);
    assert_eq!(table.faults(idle).last().map(|fault| fault.fault.clone()), Some("flood".to_owned()));
}

/// A live game of spam in which the first `cards` seats to move have played one of two cards without a word, so that each of them
/// owes "last card" (P-61); and these seats.
fn owing(cards: usize) -> (Table, Vec<usize>) {
    let play_silently = |seed| {
        let mut table = live("spam", &["deal.cards=2"], seed);
        let mut owing = Vec::new();
        for _ in 0..cards {
            let mover = table.mover();
            let mut legal = table.last_ask(mover).legal.into_iter();
            let card = legal.find(|action| matches!(action.verb, Verb::Play { .. }))?;
            table.act(mover, card.verb);
            if table.runs(Timer::Reaction) {
                table.time(Timer::Reaction);
            }
            owing.push(mover);
        }
        let game = table.referee().game();
        let owes = owing.iter().all(|whose| game.word_owed(seat(*whose)).is_some());
        (owes && game.point_of_order().is_none() && !game.is_closing()).then_some((table, owing))
    };
    (1..500).find_map(play_silently).expect("seats that can play a card each")
}

/// P-97: the grace time stands still in a point of order, and then begins from the start.
#[test]
fn words_that_are_due_in_a_point_of_order_have_their_time_after_it() {
    let (mut table, owing) = owing(1);
    assert!(table.runs(Timer::Grace));
    table.act(owing[0], Verb::PointOfOrder);
    assert!(table.runs(Timer::PointOfOrder) && !table.runs(Timer::Grace));
    table.time(Timer::PointOfOrder);
    assert_eq!(table.started(Timer::Grace), Some(TIME.grace_ms));
}

/// SPEC 7.14: the time for words begins again when the words that it began for have been said.
#[test]
fn words_that_became_due_later_have_their_own_time() {
    let (mut table, owing) = owing(2);
    assert_eq!(table.started(Timer::Grace), None, "it runs for the first one");
    let words = || Verb::Say { text: Text::fixed("last card") };
    table.act(owing[0], words());
    assert_eq!(table.started(Timer::Grace), Some(TIME.grace_ms));
    table.act(owing[1], words());
    assert!(!table.runs(Timer::Grace));
}

/// The ids of a seat's last 256 asks are good for an answer; older ones are unknown (SPEC 7.14).
#[test]
fn an_ask_is_remembered_for_so_many_more() {
    let mut table = live("basic", &[], 1);
    let (mover, mut ids) = (table.mover(), Vec::<AskId>::new());
    while ids.len() <= 256 {
        ids = table.asks(mover).map(|ask| ask.id).collect();
        if ids.len() == 256 {
            table.answer(mover, ids[0], Verb::Wait, took(1));
            assert_eq!(table.faults(mover), [], "the oldest of 256");
        }
        match table.mover() == mover && !table.asks(mover).count().is_multiple_of(32) {
            true => table.act(mover, Verb::Say { text: Text::fixed("so what") }),
            false => {
                let whose = table.mover();
                let action = table.last_ask(whose).legal.iter().find(|action| action.verb == Verb::Draw).cloned();
                table.act(whose, action.unwrap_or(Verb::Pass.into()));
            }
        }
    }
    table.answer(mover, ids[0], Verb::Wait, took(1));
    assert_eq!(table.faults(mover).last().map(|fault| fault.fault.clone()), Some("unknown_id".to_owned()));
}
