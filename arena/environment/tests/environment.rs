//! The environment against the engine and the referee: every legal action has a number and back, nothing in an observation
//! depends on what the seat may not know, and games stepped here are those of the referee, event for event.

use std::sync::Arc;

use maumau_engine::rules::{all_sets, family, load_built_in, parse_setting};
use maumau_engine::{Game, Rules, Verdict, seed_of_number};
use maumau_environment::{
    ActionStep, Batch, BatchOutput, BatchSetup, BegunPlay, Discards, Encoding, GivenAnswer, RowState, SteppedGame,
    Xorshift, judged,
};
use maumau_model_check::{random_tables, twin};
use maumau_protocol::{Action, Event, Reason, Say, Seat, Verb};

/// All built-in sets with random options, and each set that is found by name as it stands at its smallest, a middle and its largest
/// table.
fn tables() -> Vec<Arc<Rules>> {
    let mut tables = random_tables(12).expect("the built-in sets");
    for set in all_sets() {
        let loaded = Arc::new(load_built_in(set.name, &[]).expect("a built-in set").set);
        for seats in [loaded.seats.min, 4, loaded.seats.max] {
            tables.push(Arc::new(Rules::for_table(&loaded, seats.into(), Some(2)).expect("a table")));
        }
    }
    tables.extend(tables_with_jokers());
    tables
}

/// Tables at which jokers stand for any card.
fn tables_with_jokers() -> Vec<Arc<Rules>> {
    let jokers = [parse_setting("jokers=2").expect("a setting")];
    let table = |(name, seats): (&str, usize)| {
        let loaded = Arc::new(load_built_in(name, &jokers).expect("a built-in set").set);
        Arc::new(Rules::for_table(&loaded, seats, Some(2)).expect("a table"))
    };
    [("makao", 2), ("makao", 4), ("tschau-sepp", 2), ("tschau-sepp", 4)].map(table).into()
}

/// Steps a game with random legal actions, and now and then any other, for at most `most` answers.
fn play(
    rules: &Arc<Rules>,
    seed: u64,
    most: usize,
    illegal: bool,
    mut at: impl FnMut(&SteppedGame, Seat),
) -> SteppedGame {
    let mut table = SteppedGame::new(Arc::clone(rules), &seed_of_number(seed), true);
    let (mut dice, actions) = (Xorshift::new(seed), &Encoding::new(rules).actions);
    for _ in 0..most {
        let Some(seat) = table.next_asked() else { break };
        at(&table, seat);
        let mut verbs = table.legal(seat);
        let mut verb = verbs.swap_remove(dice.below(verbs.len()));
        if illegal
            && dice.below(10) == 0
            && let Ok(ActionStep::Answer(other)) = actions.decode(&table, seat, dice.below(actions.len()))
        {
            verb = if other == Verb::Wait { verb } else { other };
        }
        let say = table.words_due(seat, &verb);
        table.answer(seat, verb, say);
    }
    table
}

/// Whether an overdue take comes first and draws the very card that `verb` plays: the one legal action that is refused, at no
/// price (G-03).
fn is_taken_away(table: &SteppedGame, seat: Seat, verb: &Verb) -> bool {
    let (mut events, say) = (Vec::<Event>::new(), table.words_due(seat, verb));
    let verdict = table.game().clone().apply_verb(seat, verb, &say, table.as_of(), &mut events);
    verdict == Verdict::Refused(Reason::Interrupted) && events.iter().any(|event| matches!(event, Event::Taken { .. }))
}

#[test]
fn every_legal_action_has_a_number_and_back() {
    let mut compared = 0;
    for (number, rules) in tables().iter().enumerate() {
        for encoding in [Encoding::new(rules), Encoding::universal(rules)] {
            play(rules, number as u64, 300, true, |table, seat| {
                let actions = &encoding.actions;
                let what = table.asked_for(seat).expect("it is asked");
                let mut numbers = Vec::new();
                actions.legal(table, seat, what, |action| numbers.push(action));
                for verb in table.legal(seat) {
                    let action = actions.encode_next(&BegunPlay::NOTHING, seat, &verb);
                    let action = action.unwrap_or_else(|| panic!("{}: {verb:?} has no number", rules.set().name));
                    assert!(numbers.contains(&action), "{verb:?} is not in the mask");
                    let back = actions.decode(table, seat, action).expect("it is legal");
                    let back = match (back, &verb) {
                        (ActionStep::Answer(back), _) => back,
                        // The card for which it stands is a step of its own.
                        (ActionStep::Begin(begun), Verb::PlayAs { card, .. }) if begun.stand_in == Some(*card) => {
                            continue;
                        }
                        (begun, _) => panic!("{verb:?} comes back as {begun:?}"),
                    };
                    let is_call = matches!(verb, Verb::Call { .. });
                    assert!(back == verb || is_call, "{verb:?} comes back as {back:?}");
                    assert!(table.is_legal(seat, what, &back));
                    let refused = table.refusal(seat, &back).filter(|_| back != Verb::Wait);
                    assert!(refused.is_none() || is_taken_away(table, seat, &back), "{back:?}: {refused:?}");
                    compared += 1;
                }
                for action in numbers {
                    if let ActionStep::Answer(verb) = actions.decode(table, seat, action).expect("legal") {
                        assert!(table.legal(seat).contains(&verb));
                    }
                }
            });
        }
    }
    assert!(compared > 50_000, "only {compared} actions were compared");
}

/// G-40, G-41, G-73: each step that is offered is possible, every play that was begun can be ended, and what comes of it is what the
/// referee judges.
#[test]
fn random_steps_end_games_of_the_family_and_their_records_are_verified() {
    let (mut plays, mut stand_ins) = (0, 0);
    let as_it_is = family().iter().flat_map(|set| [(set, 2), (set, 4)]).map(|(set, seats)| {
        let set = Arc::new(load_built_in(set.name, &[]).expect("a set").set);
        Arc::new(Rules::for_table(&set, seats, Some(2)).expect("a table"))
    });
    for rules in as_it_is.chain(tables_with_jokers()) {
        let (set, seats) = (rules.set(), rules.seats());
        for (number, encoding) in [Encoding::new(&rules), Encoding::universal(&rules)].iter().enumerate() {
            let seed = seed_of_number(number as u64);
            let (mut table, mut dice) =
                (SteppedGame::new(Arc::clone(&rules), &seed, true), Xorshift::new(seats as u64));
            let mut steps = Vec::new();
            while let Some(seat) = table.next_asked() {
                let what = table.asked_for(seat).expect("it is asked");
                assert_eq!(encoding.actions.steps_to(table.begun(seat)), steps, "{}", set.name);
                let mut numbers = Vec::new();
                encoding.actions.legal(&table, seat, what, |action| numbers.push(action));
                assert!(!numbers.is_empty(), "{}: nothing goes on after {:?}", set.name, table.begun(seat));
                let action = numbers[dice.below(numbers.len())];
                let step = table.step_of(&encoding.actions, (seat, what), action as i64, false).expect("legal");
                if let ActionStep::Answer(verb @ (Verb::PlayTogether { .. } | Verb::PlayAs { .. })) = &step {
                    assert_eq!(table.refusal(seat, verb), None, "{}: {verb:?}", set.name);
                    assert_eq!(encoding.actions.encode_next(table.begun(seat), seat, verb), Some(action));
                    *(if matches!(verb, Verb::PlayAs { .. }) { &mut stand_ins } else { &mut plays }) += 1;
                }
                match step {
                    ActionStep::Begin(_) => steps.push(action),
                    ActionStep::Answer(_) => steps.clear(),
                }
                table.take_step(seat, step);
                assert!(
                    table.next_asked() == Some(seat)
                        || Seat::all(seats).all(|seat| *table.begun(seat) == BegunPlay::NOTHING)
                );
            }
            let names: Vec<String> = (0..seats).map(|seat| format!("seat {seat}")).collect();
            let judged = judged(&rules, &seed, "g1", &names, table.answers()).expect("the referee asks the same seats");
            let log = judged.log().expect("it is over");
            assert_eq!(log.result, table.result(), "{}", set.name);
            let (record, _) = log.to_record().expect("a record");
            maumau_referee::verify(&record).unwrap_or_else(|error| panic!("{}: {error:?}", set.name));
        }
    }
    assert!(plays > 100 && stand_ins > 20, "only {plays} plays of several cards and {stand_ins} of one as another");
}

/// As for the lines that a seat is sent: cards that it may not know change nothing (G-08).
#[test]
fn an_observation_holds_nothing_that_its_seat_may_not_know() {
    let mut compared = 0;
    for (number, rules) in tables().iter().enumerate() {
        let encoding = Encoding::new(rules);
        play(rules, 1000 + number as u64, 200, true, |table, asked| {
            for seat in Seat::all(rules.seats()) {
                let Some(other) = twin(table.game(), seat, compared) else { continue };
                let what = table.asked_for(seat).filter(|_| seat == asked);
                let shown = |game: &Game| {
                    let mut numbers = vec![0_u8; encoding.observation.len()];
                    let view = game.view(seat);
                    encoding.observation.write(&encoding.actions, (seat, what), &view, game.pile(), &mut numbers);
                    let mut mask = Vec::new();
                    if let Some(what) = what {
                        let table = SteppedGame::from_position(game.clone(), Some((seat, what)));
                        encoding.actions.legal(&table, seat, what, |action| mask.push(action));
                    }
                    (numbers, mask)
                };
                assert_eq!(shown(table.game()), shown(&other), "{}: seat {seat}", rules.set().name);
                compared += 1;
            }
        });
    }
    assert!(compared > 20_000, "only {compared} positions were compared");
}

#[test]
fn stepped_games_are_those_of_the_referee_event_for_event() {
    let mut finished = 0;
    for (number, rules) in tables().iter().enumerate() {
        for illegal in [false, true] {
            let seed = 2000 + number as u64;
            let table = play(rules, seed, 20_000, illegal, |_, _| {});
            let names: Vec<String> = (0..rules.seats()).map(|seat| format!("seat {seat}")).collect();
            let judged = judged(rules, &seed_of_number(seed), "g1", &names, table.answers());
            let judged = judged.unwrap_or_else(|error| panic!("{}: {error}", rules.set().name));
            assert_eq!(judged.is_finished(), table.is_over(), "{}", rules.set().name);
            let Some(log) = judged.log() else { continue };
            finished += 1;
            assert_eq!(log.result, table.result());
            let mut events = Vec::new();
            log.expand(|entry, _| {
                if let maumau_referee::record::Entry::Event(entry) = entry {
                    events.push(entry.event.clone());
                }
            })
            .expect("the referee's own log");
            assert_eq!(events, table.events(), "{}", rules.set().name);
        }
    }
    assert!(finished > 150, "only {finished} games were finished");
}

/// Rows of `snap` at a table of four.
fn snap_rows() -> BatchSetup {
    let set = Arc::new(load_built_in("snap", &[]).expect("a set").set);
    let rules = Arc::new(Rules::for_table(&set, 4, Some(1)).expect("a table"));
    BatchSetup {
        encoding: Encoding::new(&rules),
        rules,
        seed: seed_of_number(5),
        opponents: 0,
        maker: None,
        keeps: false,
        duplicates: false,
        charges: false,
    }
}

/// Steps at random; what is shown of each row then, and how many games ended.
fn step_at_random(batch: &mut Batch, setup: &BatchSetup, steps: usize) -> (Vec<Vec<u8>>, usize) {
    let (count, encoding) = (batch.len(), &setup.encoding);
    let mut observation = vec![0_u8; count * encoding.observation.len()];
    let mut mask = vec![0_u8; count * encoding.actions.len()];
    let (mut seat, mut done) = (vec![0; count], vec![0; count]);
    let mut reward = vec![0.0; count * setup.rules.seats()];
    let mut out = BatchOutput {
        observation: &mut observation,
        mask: &mut mask,
        seat: &mut seat,
        reward: &mut reward,
        done: &mut done,
        last: None,
    };
    let mut games = 0;
    for _ in 0..steps {
        batch.step_at_random(&mut out);
        games += out.done.iter().filter(|done| **done == 1).count();
    }
    (observation.chunks(encoding.observation.len()).map(<[u8]>::to_vec).collect(), games)
}

#[test]
fn rows_do_not_depend_on_how_they_are_split_among_batches() {
    let setup = snap_rows();
    let run = |splits: &[usize]| {
        let (mut shown, mut first) = (Vec::new(), 0);
        for count in splits {
            let (rows, games) = step_at_random(&mut Batch::new(setup.clone(), first, *count), &setup, 500);
            assert!(games > 0);
            shown.extend(rows);
            first += count;
        }
        shown
    };
    assert_eq!(run(&[6]), run(&[1, 2, 3]));
}

#[test]
fn a_row_goes_on_from_its_state_as_if_it_had_been_played() {
    let of_the_table = snap_rows();
    let universal = BatchSetup { encoding: Encoding::universal(&of_the_table.rules), ..of_the_table.clone() };
    assert!(universal.encoding.actions.len() > 256 && of_the_table.encoding.actions.len() < 256);
    goes_on_from_its_state(of_the_table);
    goes_on_from_its_state(universal);
}

fn goes_on_from_its_state(setup: BatchSetup) {
    let mut batch = Batch::new(setup.clone(), 0, 6);
    assert!(step_at_random(&mut batch, &setup, 300).1 > 0);
    let mut resumed = Batch::new(setup.clone(), 0, 6);
    for row in 0..6 {
        resumed.resume(row, &batch.state(row)).expect("a state of the same setup");
        assert_eq!(resumed.state(row), batch.state(row));
        assert_eq!(resumed.seed(row), batch.seed(row));
    }
    assert_eq!(step_at_random(&mut resumed, &setup, 200), step_at_random(&mut batch, &setup, 200));
    batch.begin_next(2);
    let (after, before) = (batch.state(2), resumed.state(2));
    assert_eq!((after.game, after.actions.len()), (before.game + 1, 0));
    let beyond = RowState { actions: vec![u16::MAX], ..before };
    let error = resumed.resume(2, &beyond).expect_err("there is no such action");
    assert_eq!((error.row, resumed.state(2).actions), (2, Vec::new()));
}

#[test]
fn a_game_follows_from_its_answers() {
    for (number, rules) in tables().iter().enumerate() {
        let played = play(rules, number as u64, 150, true, |_, _| {});
        let mut again = SteppedGame::new(Arc::clone(rules), &seed_of_number(number as u64), true);
        again.replay(played.answers().to_vec()).expect("the answers of a game");
        assert_eq!((again.events(), again.answers()), (played.events(), played.answers()));
        assert_eq!((again.open(), again.result()), (played.open(), played.result()));

        // A game that goes on from there does as well.
        let mut on = SteppedGame::from_position(played.game().clone(), None);
        let begun = on.clone();
        while let Some(seat) = on.next_asked().filter(|_| on.answers().len() < 20) {
            let verb = on.legal(seat).swap_remove(0);
            let say = on.words_due(seat, &verb);
            on.answer(seat, verb, say);
        }
        let mut again = begun.clone();
        again.replay(on.answers().to_vec()).expect("the answers since then");
        assert_eq!(again.events(), on.events());

        let stranger = Seat::all(rules.seats()).find(|seat| !begun.open().contains(*seat));
        if let Some(seat) = stranger {
            let answer = GivenAnswer { seat, action: Action { verb: Verb::Draw, say: Say::Nothing } };
            assert_eq!(begun.clone().replay(vec![answer]), Err(0));
        }
    }
}

/// What an agent can work out from its lines alone is the pile that the observations of the environment count.
#[test]
fn the_discard_pile_follows_from_the_events_that_a_seat_sees() {
    let mut compared = 0;
    for (number, rules) in tables().iter().enumerate() {
        let (mut discards, mut seen) = (Discards::default(), 0);
        play(rules, 3000 + number as u64, 400, true, |table, seat| {
            table.events()[seen..].iter().for_each(|event| discards.see(&event.seen_by(seat)));
            seen = table.events().len();
            assert_eq!(discards.cards(), table.game().pile(), "{}: {:?}", rules.set().name, table.events());
            compared += 1;
        });
    }
    assert!(compared > 5_000, "only {compared} positions were compared");
}
