//! Several seats asked at the same moment: which was first, and what happens to the others
//! (ARCHITECTURE.md#order-and-time). Which play is legal is the engine's business.

use maumau_protocol::limits::{MAX_IDLE_ANSWERS, MAX_IDLE_REACTIONS, POINT_OF_ORDER_TICKS};
use maumau_protocol::message::What;
use maumau_protocol::{Action, Elapse, Event, EventNumber, Reason, RuleFault, Seat, Text, Verb};
use maumau_referee::Replay;
use maumau_referee::record::Entry;

use crate::table::{Finished, Line, Setup, Table, ready, ready_for_ticks};

/// Four seats that may play function cards between turns.
fn busy_table(seed: u64) -> Table {
    Table::new(Setup {
        settings: vec!["function_any=out_of_turn"],
        seed,
        seats: vec![Ok(ready()); 4],
        ..Setup::default()
    })
}

/// Every seat that may play a card does, each time the first one.
fn eager(table: &Table, seat: usize) -> Action {
    let verb = table.referee().game().legal(crate::table::seat(seat)).iter().next().unwrap_or(Verb::Wait);
    verb.into()
}

/// Plays eagerly; the asked seats answer in the order that `arrival` makes of theirs. Also returns every seat's lines, and for
/// each offer the seats that were asked together.
/// offers, each the seats that were asked together.
fn play(seed: u64, arrival: fn(&mut Vec<usize>)) -> (Finished, Vec<Vec<Line>>, Vec<Vec<Seat>>) {
    let mut table = busy_table(seed);
    let mut offers = Vec::new();
    while !table.finished() {
        let mut asked = table.asked();
        offers.push(asked.iter().map(|index| crate::table::seat(*index)).collect());
        let mut answers: Vec<(usize, Action)> = asked.iter().map(|seat| (*seat, eager(&table, *seat))).collect();
        arrival(&mut asked);
        for seat in asked {
            let at = answers.iter().position(|(whose, _)| *whose == seat).expect("an answer of each seat");
            table.act(seat, answers.remove(at).1);
        }
    }
    let lines = table.lines.clone();
    (table.finish(), lines, offers)
}

/// G-09: all randomness comes from the seed, so a replay reproduces it.
#[test]
fn answers_are_taken_up_in_the_order_drawn_from_the_seed() {
    let mut together = 0;
    for seed in 0..10 {
        let (finished, _, offers) = play(seed, |_| {});
        let mut replay = Replay::new(&finished.log.header).expect("sound rules");
        let mut acts = finished.log.inputs.iter().map(|logged| &logged.entry);
        for (tick, asked) in offers.iter().enumerate() {
            let mut order = asked.clone();
            replay.game().clone().shuffle_answers(tick as u32, &mut order);
            together += usize::from(order.len() > 1);
            for seat in order {
                if replay.game().is_over() {
                    break;
                }
                let entry = acts.next().expect("an act of each asked seat");
                assert!(matches!(entry, Entry::Act(act) if act.seat == seat), "seed {seed}, tick {tick}: {entry:?}");
                replay.take(entry).expect("a sound log");
            }
        }
        assert_eq!(acts.next(), None);
    }
    assert!(together > 20, "{together} offers to several seats");
}

/// SPEC 8.9 (regression: after a closing time that ended a round, the ticks of the next one did not begin at 0).
#[test]
fn ticks_are_counted_anew_in_each_round() {
    let seats = vec![Ok(ready_for_ticks()); 3];
    let mut table = Table::new(Setup { rules: "snap", rounds: 3, seats, ..Setup::default() });
    let hello = || Verb::Say { text: Text::try_from("hello").expect("a short text") };
    let (mut offers, mut round, mut tick) = (Vec::new(), 1, 0);
    while !table.finished() {
        if table.referee().game().round() != round {
            (round, tick) = (table.referee().game().round(), 0);
        }
        let mut order: Vec<Seat> = table.asked().into_iter().map(crate::table::seat).collect();
        table.referee().game().clone().shuffle_answers(tick, &mut order);
        offers.push((round, order));
        tick += 1;
        for seat in table.asked() {
            let ask = table.last_ask(seat);
            let must = ask.what != What::React;
            table.act(seat, if must { ask.legal[0].clone() } else { hello().into() });
        }
    }
    let log = table.finish().log;
    let mut replay = Replay::new(&log.header).expect("sound rules");
    let mut entries = log.inputs.iter().map(|logged| &logged.entry).peekable();
    for (round, order) in offers {
        for seat in order {
            while entries
                .next_if(|entry| !matches!(entry, Entry::Act(_)))
                .is_some_and(|entry| replay.take(entry).is_ok())
            {}
            if replay.game().round() != round || replay.game().is_over() {
                break;
            }
            let entry = entries.next().expect("an act of each asked seat");
            assert!(matches!(entry, Entry::Act(act) if act.seat == seat), "round {round}: {entry:?}, not {seat}");
            replay.take(entry).expect("a sound log");
        }
    }
}

#[test]
fn the_order_in_which_answers_arrive_changes_nothing() {
    for seed in 0..10 {
        let (one, lines, _) = play(seed, |_| {});
        let (other, other_lines, _) = play(seed, |asked| asked.reverse());
        assert_eq!(one.digest, other.digest, "seed {seed}");
        assert_eq!(lines, other_lines, "seed {seed}: every seat is sent the same");
    }
}

#[test]
fn a_play_overtaken_by_another_seat_is_interrupted_for_nothing() {
    let mut overtaken = 0;
    for seed in 0..30 {
        let (finished, lines, _) = play(seed, |_| {});
        let entries = finished.entries();
        for (index, entry) in entries.iter().enumerate() {
            let Entry::Event(event) = entry else { continue };
            let Event::Refused { seat, reason: Reason::Interrupted, .. } = event.event else { continue };
            overtaken += 1;
            assert!(matches!(&entries[index - 1], Entry::Act(act) if act.seat == seat), "refused and nothing else");
            let next = entries.get(index + 1);
            assert!(
                !matches!(next, Some(Entry::Event(event)) if matches!(event.event, Event::Penalty { .. })),
                "{next:?}"
            );
            let mut faults = lines[seat.index()].iter().filter_map(|line| match line {
                Line::Fault(fault) => Some((fault.fault.as_str(), fault.clause.as_str(), fault.cards, fault.strikes)),
                _ => None,
            });
            assert!(
                faults.clone().any(|fault| fault == ("interrupted", "G-03", 0, 0)),
                "seed {seed}: {:?}",
                faults.next_back()
            );
        }
        for tally in &finished.tallies {
            assert!(tally.faults.get(RuleFault::OutOfTurn) == 0, "seed {seed}: {:?}", tally.faults);
        }
    }
    assert!(overtaken > 5, "{overtaken} plays were overtaken");
}

/// SPEC 12.25: the rest of a tick, once its round is over, belongs to no round. A replay cannot know where a tick ends: this
/// showed up as a record that did not verify.
#[test]
fn answers_behind_the_end_of_a_round_are_dropped() {
    let (mut cut_short, mut dropped) = (0, 0);
    for seed in 0..40 {
        let setup = Setup {
            settings: vec!["function_any=out_of_turn", "mau=called"],
            seed,
            rounds: 3,
            seats: vec![Ok(ready_for_ticks()); 5],
            ..Setup::default()
        };
        let mut table = Table::new(setup);
        while !table.finished() {
            let (asked, round) = (table.asked(), table.referee().game().round());
            let held_one =
                asked.iter().filter(|index| table.referee().game().hand(crate::table::seat(**index)).len() == 1);
            cut_short += usize::from(held_one.count() > 1);
            for seat in asked {
                let action = eager(&table, seat);
                let as_wanted = if table.last_ask(seat).what == What::React && action.verb == Verb::Draw {
                    Verb::Wait.into()
                } else {
                    action
                };
                table.act(seat, as_wanted);
            }
            assert!(table.referee().game().round() - round <= 1);
        }
        let sent = (0..5).flat_map(|seat| table.faults(seat)).filter(|fault| fault.fault == "interrupted").count();
        let finished = table.finish();
        let is_refusal = |entry: &&Entry| matches!(entry, Entry::Event(event) if matches!(event.event, Event::Refused { reason: Reason::Interrupted, .. }));
        let mut began = EventNumber(0);
        for entry in finished.entries() {
            match entry {
                Entry::Event(event) if matches!(event.event, Event::RoundStarted { .. }) => began = event.n,
                Entry::Act(act) => assert!(act.as_of >= began, "seed {seed}: {act:?} was meant for the round before"),
                _ => {}
            }
        }
        // What was meant for the round before is sent, and leaves no event.
        dropped += sent - finished.entries().iter().filter(is_refusal).count();
        let last = finished.entries().pop();
        assert!(matches!(last, Some(Entry::Result(_))), "{last:?}");
        assert_eq!(finished.log.result.rounds, 3);
        assert!(finished.log.result.dismissed.is_empty(), "seed {seed}: {:?}", finished.tallies);
    }
    assert!(cut_short > 0 && dropped > 0, "{cut_short} ticks, {dropped} actions");
}

#[test]
fn a_seat_that_wants_every_tick_is_asked_at_every_offer() {
    for ticking in [0, 1, 2] {
        let mut seats = vec![Ok(ready()); 3];
        seats[ticking] = Ok(ready_for_ticks());
        let mut table = Table::new(Setup { seats, seed: 9, ..Setup::default() });
        while !table.finished() {
            let mover = table.mover();
            let mut expected = vec![ticking, mover];
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(table.asked(), expected);
            let ask = table.last_ask(ticking);
            assert_eq!(ask.what, if mover == ticking { What::Turn } else { What::React });
            if ask.what == What::React {
                assert_eq!(ask.legal, [Action::from(Verb::Wait)]);
            }
            table.answer_all();
        }
        table.finish();
    }
}

/// Seat 0 calls every seat that holds one card and has not said so, at every offer.
fn play_with_a_caller(seed: u64) -> Finished {
    let mut seats = vec![Ok(ready()); 3];
    seats[0] = Ok(ready_for_ticks());
    let mut table = Table::new(Setup { settings: vec!["mau=called"], seats, seed, ..Setup::default() });
    while !table.finished() {
        for seat in table.asked() {
            let view = table.last_ask(seat).view.expect("a view");
            let silent = Seat::all(3).find(|other| view.hands[other.index()] == 1 && !view.mau_said.contains(*other));
            match silent.filter(|other| seat == 0 && other.index() != 0 && table.mover() != 0) {
                Some(against) => table.act(0, Verb::Call { against, fault: Text::fixed("no_mau") }),
                // The others never say it.
                None if seat != 0 => {
                    let verb = table.first_choice(seat).verb;
                    table.act(seat, verb);
                }
                None => {
                    let action = table.first_choice(seat);
                    table.act(seat, action);
                }
            }
        }
    }
    table.finish()
}

#[test]
fn a_forgotten_mau_can_be_called_between_turns() {
    let (mut upheld, mut not_upheld) = (0, 0);
    for seed in 0..20 {
        let finished = play_with_a_caller(seed);
        let entries = finished.entries();
        for (index, entry) in entries.iter().enumerate() {
            let Entry::Event(event) = entry else { continue };
            let Event::Called { by, against, upheld: right, .. } = &event.event else { continue };
            assert_eq!(by.index(), 0);
            let follow = entries[index + 1..].iter().map_while(|entry| match entry {
                Entry::Event(event) => Some(&event.event),
                _ => None,
            });
            let price = follow.filter(
                |event| matches!(event, Event::Penalty { seat, fault: RuleFault::NoMau, .. } if seat == against),
            );
            assert_eq!(price.count(), if *right { 2 } else { 0 }, "seed {seed}");
            *(if *right { &mut upheld } else { &mut not_upheld }) += 1;
        }
        assert_eq!(finished.faults(0), [], "a call that is not upheld is free");
    }
    assert!(upheld > 0 && not_upheld > 0, "{upheld} upheld, {not_upheld} not");
}

/// SPEC 7.2: a seat that does something at every offer, and moves nothing by it, could otherwise make the others slow.
#[test]
fn a_seat_that_only_disturbs_is_not_asked_until_something_has_moved() {
    let both = vec![Ok(ready_for_ticks()), Ok(ready_for_ticks())];
    let mut table = Table::new(Setup { seats: both, ..Setup::default() });
    let mover = table.mover();
    let other = 1 - mover;
    let says = || Verb::Say { text: Text::fixed("hello") };
    for _ in 0..MAX_IDLE_REACTIONS {
        assert_eq!(table.asked(), [0, 1]);
        table.act(other, says());
        table.act(mover, says());
    }
    assert_eq!(table.asked(), [mover]);
    table.act(mover, Verb::Draw);
    assert_eq!(table.asked(), [0, 1], "a card has moved");
    table.act(mover, Verb::Wait);
    table.act(other, Verb::Draw);
    assert_eq!((table.mover(), table.asked()), (mover, vec![0, 1]), "the other seat is heard again out of turn");
    table.play_out();
    assert_eq!(table.finish().faults(mover), []);
}

/// SPEC 7.7: nothing can move while play rests (regression: the ticks of points of order were counted, and when the next one
/// was over the seat to move was slow).
#[test]
fn a_seat_that_moves_nothing_is_not_slow_while_play_rests() {
    let seats = vec![Ok(ready_for_ticks()); 2];
    let mut table = Table::new(Setup { rules: "spam", seats, ..Setup::default() });
    let mover = table.mover();
    let tick = |table: &mut Table, verb: Verb| {
        table.act(1 - mover, Verb::Wait);
        table.act(mover, verb);
    };
    (0..MAX_IDLE_ANSWERS).for_each(|_| tick(&mut table, Verb::Say { text: Text::fixed("spam") }));
    tick(&mut table, Verb::PointOfOrder);
    let limits = |table: &Table| {
        let is_limit = |entry: &Entry| matches!(entry, Entry::Elapse(elapse) if elapse.what == Elapse::TurnLimit);
        table.referee().logged().iter().filter(|logged| is_limit(&logged.entry)).count()
    };
    while table.referee().game().point_of_order().is_some() {
        assert_eq!(limits(&table), 0);
        table.asked().into_iter().for_each(|seat| table.act(seat, Verb::Wait));
    }
    tick(&mut table, Verb::Say { text: Text::fixed("spam") });
    assert_eq!(limits(&table), 1, "afterwards it is");
}

/// SPEC 7.7, N-120: a false deal that is called moves no card, but the tick is not counted against the dealer.
#[test]
fn a_tick_in_which_a_call_was_upheld_makes_nobody_slow() {
    let seats = vec![Ok(ready_for_ticks()); 3];
    let mut table = Table::new(Setup { rules: "snap", settings: vec!["dealing=dealer"], seats, ..Setup::default() });
    let dealer = table.mover();
    let other = (dealer + 1) % 3;
    let tick = |table: &mut Table, of_dealer: Verb, of_other: Verb| {
        table.act(dealer, of_dealer);
        table.act(other, of_other);
        table.act((dealer + 2) % 3, Verb::Wait);
    };
    let hesitate = || Verb::Say { text: Text::fixed("one moment") };
    let [dealer, offender] = [dealer, other].map(crate::table::seat);
    tick(&mut table, hesitate(), Verb::Deal { to: vec![dealer] });
    (0..MAX_IDLE_ANSWERS).for_each(|_| tick(&mut table, Verb::Wait, hesitate()));
    let call = Verb::Call { against: offender, fault: "false_deal".try_into().expect("a short text") };
    let is_elapse = |entry: &Entry| matches!(entry, Entry::Elapse(_));
    for (of_dealer, of_other, passes) in [(call, hesitate(), 0), (hesitate(), Verb::Wait, 1)] {
        tick(&mut table, of_dealer, of_other);
        assert_eq!(table.referee().logged().iter().filter(|logged| is_elapse(&logged.entry)).count(), passes);
    }
}

/// SPEC 7.8: each point of order has its own ticks (regression: one that was called in the tick in which another ended had what was
/// left of that).
#[test]
fn a_point_of_order_called_as_another_ends_has_all_its_ticks() {
    let mut followed = 0;
    for seed in 1..=10 {
        let seats = vec![Ok(ready_for_ticks()); 2];
        let mut table = Table::new(Setup { rules: "spam", seed, seats, ..Setup::default() });
        let caller = table.mover();
        let rests = |table: &Table| table.referee().game().point_of_order();
        table.act(1 - caller, Verb::Wait);
        table.act(caller, Verb::PointOfOrder);
        (0..3).for_each(|_| [0, 1].into_iter().for_each(|whose| table.act(whose, Verb::Wait)));
        table.act(1 - caller, Verb::PointOfOrder);
        table.act(caller, Verb::EndPointOfOrder);
        if rests(&table) != Seat::new(1 - caller) {
            continue;
        }
        followed += 1;
        let mut ticks = 0;
        while rests(&table).is_some() {
            [0, 1].into_iter().for_each(|whose| table.act(whose, Verb::Wait));
            ticks += 1;
        }
        assert_eq!(ticks, POINT_OF_ORDER_TICKS, "seed {seed}");
    }
    assert!(followed > 0);
}

#[test]
fn the_ticks_of_points_of_order_make_nobody_slow() {
    let seats = vec![Ok(ready_for_ticks()), Ok(ready_for_ticks())];
    let mut table = Table::new(Setup { rules: "spam", seats, ..Setup::default() });
    table.play_until(|table| table.last_ask(table.mover()).legal.iter().any(|action| action.verb == Verb::Draw));
    let mover = table.mover();
    for _ in 0..3 {
        table.act(1 - mover, Verb::Wait);
        table.act(mover, Verb::PointOfOrder);
        let mut ticks = 0;
        while table.referee().game().point_of_order().is_some() {
            table.asked().into_iter().for_each(|seat| table.act(seat, Verb::Wait));
            ticks += 1;
        }
        assert_eq!(ticks, POINT_OF_ORDER_TICKS);
    }
    table.act(1 - mover, Verb::Wait);
    table.act(mover, Verb::Say { text: Text::fixed("spam") });
    assert_eq!(table.mover(), mover);
    table.play_out();
    let faults = table.finish().faults(mover);
    assert!(!faults.iter().any(|(name, _)| *name == "slow"), "{faults:?}");
}
