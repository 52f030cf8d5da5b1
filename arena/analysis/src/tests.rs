//! Judged games: what is best by the rules is found, what costs nothing is not marked, and the same record gives the same
//! figures. Games are played without processes.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_engine::rules::{all_sets, load_built_in};
use maumau_protocol::message::{Ready, What};
use maumau_protocol::ruleset::OptionValue;
use maumau_protocol::{Action, Say, Seat, Verb};
use maumau_referee::local_game::{LocalGame, setup};
use maumau_referee::record::{Entry, Meta};
use maumau_referee::{Blame, GameLog, Input, legal_verbs};

use crate::{DecisionSums, Effort, GameAnalysis, JudgedDecision, Judgement, LossMark, analyse};

/// Few playouts: what is tested is seen by them.
const FEW: Effort = Effort::of(200, 40);
/// Turns after which enough has been seen of what is the same at every turn.
const SHORT: i64 = 30;
/// As many as show a blunder as one.
const MORE: Effort = Effort::of(2_000, 2_000);

/// Plays a round of `set` of at most `turns` turns; `choose` gets the game, the seat and its legal actions with their words, and answers with an
/// action, or with nothing to let the deadline pass.
fn played(
    set: &str,
    turns: i64,
    seats: usize,
    number: u64,
    mut choose: impl FnMut(&LocalGame, Seat, &[Action]) -> Option<Action>,
) -> GameLog {
    let set = load_built_in(set, &[("turn_cap".to_owned(), OptionValue::Int(turns))]).expect("a built-in set").set;
    let rules = Arc::new(Rules::for_table(&Arc::new(set), seats, Some(1)).expect("a table"));
    let handshakes = (0..seats).map(|_| Ok(Ready::new("bot", Vec::new())));
    let mut game = LocalGame::begin(setup(rules, number, handshakes));
    while let Some((seat, id)) = game.next_asked() {
        let position = game.referee().game();
        let what = maumau_referee::lockstep::asked_for(position, seat);
        let mut legal = Vec::new();
        legal_verbs(position, seat, what, |verb| {
            let say = position.words_due(seat, &verb);
            legal.push(Action { verb, say });
        });
        match choose(&game, seat, &legal) {
            Some(action) => game.act(seat, id, action, Meta::default()),
            None => {
                game.pass_deadline(seat);
                game.give(Input::Deadline { seat, id, blame: Blame::Agent, meta: Meta::default() });
            }
        }
    }
    game.finish().0
}

fn judged(log: &GameLog, effort: Effort, only: Option<Seat>) -> GameAnalysis {
    analyse(log, log.digest().expect("a sound log"), effort, only, |_, _| {}).expect("a sound log")
}

fn is_play(action: &Action) -> bool {
    matches!(action.verb, Verb::Play { .. })
}

/// Whether `seat` holds one card, and the other seat one or two.
fn is_at_the_end(game: &LocalGame, seat: Seat) -> bool {
    let position = game.referee().game();
    position.held(seat) == 1 && Seat::all(2).all(|seat| position.held(seat) <= 2)
}

/// The first decision of a game in which a seat does what `wrong` makes of its legal actions, once; otherwise every seat takes
/// the first legal action.
fn first_wrong(
    set: &str,
    mut wrong: impl FnMut(&LocalGame, Seat, &[Action]) -> Option<Option<Action>>,
) -> (JudgedDecision, GameLog) {
    for number in 0..50 {
        let mut done = None;
        let log = played(set, 500, 2, number, |game, seat, legal| {
            if done.is_none()
                && let Some(action) = wrong(game, seat, legal)
            {
                done = Some((seat, action.clone()));
                return action;
            }
            legal.first().cloned()
        });
        let Some((seat, action)) = done else { continue };
        let analysis = judged(&log, MORE, Some(seat));
        let mut decisions = analysis.decisions.into_iter();
        let decision = decisions.find(|decision| decision.taken == action && decision.verdicts().is_some());
        return (decision.expect("the decision was judged"), log);
    }
    panic!("no game came to such a decision");
}

#[test]
fn to_draw_instead_of_playing_the_last_card_is_a_blunder() {
    for set in ["basic", "skat", "crazy-eights"] {
        let (decision, log) = first_wrong(set, |game, seat, legal| {
            let draw = legal.iter().find(|action| action.verb == Verb::Draw)?;
            (is_at_the_end(game, seat) && legal.iter().any(is_play)).then(|| Some(draw.clone()))
        });
        let verdicts = decision.verdicts().expect("it was measured");
        let best = &verdicts.actions[verdicts.best];
        assert!(best.action.as_ref().is_some_and(is_play), "{set}: {best:?}");
        assert_eq!((best.worth.mean, best.worth.error), (1.0, 0.0), "{set}: who plays the last card has won");
        assert_eq!((verdicts.actions[verdicts.taken].action.as_ref(), decision.held), (decision.taken.as_ref(), 1));
        assert_eq!(verdicts.mark(), Some(LossMark::Blunder), "{set}: {verdicts:?}");
        let entry = log.inputs.iter().filter(|logged| logged.entry.is_move()).nth(decision.number.0 as usize - 1);
        let Some(Entry::Act(act)) = entry.map(|logged| &logged.entry) else { panic!("{set}: its number is of a move") };
        assert_eq!((act.seat, Some(&act.action)), (decision.seat, decision.taken.as_ref()), "{set}");
    }
}

#[test]
fn to_play_the_last_card_but_one_without_its_word_is_an_action_of_its_own_and_costs() {
    let (decision, _) = first_wrong("basic", |_, _, legal| {
        let due = legal.iter().find(|action| is_play(action) && !action.say.is_silent())?;
        Some(Some(Action { verb: due.verb.clone(), say: Say::Nothing }))
    });
    let verdicts = decision.verdicts().expect("it was measured");
    assert_eq!(verdicts.taken, verdicts.actions.len() - 1, "it is none of those that the ask listed");
    let with_word = verdicts.actions.iter().find(|action| {
        action.action.as_ref().is_some_and(|action| {
            decision.taken.as_ref().is_some_and(|taken| taken.verb == action.verb) && !action.say.is_silent()
        })
    });
    let with_word = with_word.expect("the ask listed it with its word");
    assert!(with_word.worth.mean > verdicts.actions[verdicts.taken].worth.mean, "{verdicts:?}");
}

#[test]
fn a_deadline_that_passed_is_judged_as_what_the_referee_made_of_it() {
    let (decision, _) = first_wrong("basic", |game, seat, legal| {
        (is_at_the_end(game, seat) && legal.iter().any(is_play)).then_some(None)
    });
    assert_eq!((decision.taken.as_ref(), decision.what), (None, What::Turn));
    let verdicts = decision.verdicts().expect("it was measured");
    assert_eq!(verdicts.taken, verdicts.actions.len() - 1);
    assert_eq!(verdicts.mark(), Some(LossMark::Blunder), "{verdicts:?}");
}

#[test]
fn the_same_record_gives_the_same_figures_for_one_seat_as_for_all() {
    for set in ["basic", "spam"] {
        let log = played(set, SHORT, 3, 4, |_, _, legal| legal.first().cloned());
        let all = judged(&log, FEW, None);
        assert_eq!(all, judged(&log, FEW, None), "{set}");
        let mut count = 0;
        for seat in Seat::all(3) {
            let own = judged(&log, FEW, Some(seat)).decisions;
            count += own.len();
            assert!(own.iter().eq(all.of_seat(seat)), "{set}: seat {seat}");
        }
        assert_eq!(count, all.decisions.len(), "{set}");
    }
}

#[test]
fn a_decision_is_forced_measured_or_unknown_and_only_a_loss_is_marked() {
    for set in all_sets() {
        let log = played(set.name, SHORT, 3, 1, |_, _, legal| legal.first().cloned());
        let (mut last, mut all) = (0, 0);
        let analysis = analyse(&log, log.digest().expect("a sound log"), FEW, None, |done, of| {
            assert_eq!(done, last + 1, "{}", set.name);
            (last, all) = (done, of);
        });
        let analysis = analysis.expect("a sound log");
        assert_eq!((last, all), (analysis.decisions.len(), analysis.decisions.len()), "{}", set.name);
        let mut unknown = 0;
        for decision in &analysis.decisions {
            match &decision.judgement {
                Judgement::Forced => {}
                Judgement::Unknown => unknown += u32::from(decision.what != What::Deal),
                Judgement::Measured(verdicts) => {
                    assert!(verdicts.actions.len() > 1 && verdicts.actions.iter().all(|action| action.deals >= 16));
                    if verdicts.best == verdicts.taken {
                        assert_eq!((verdicts.loss.mean, verdicts.loss.error, verdicts.mark()), (0.0, 0.0, None));
                    }
                    let [best, taken] = [verdicts.best, verdicts.taken].map(|at| verdicts.actions[at].worth.mean);
                    assert!((best - taken - verdicts.loss.mean).abs() < 1e-9, "{}: in the same deals", set.name);
                    let next = verdicts.next_best().expect("there are two actions at least");
                    let others = verdicts.actions.iter().enumerate().filter(|(at, _)| *at != verdicts.best);
                    let most = others.map(|(_, action)| action.worth.mean).fold(f64::MIN, f64::max);
                    assert_eq!(
                        (next == verdicts.best, verdicts.actions[next].worth.mean),
                        (false, most),
                        "{}",
                        set.name
                    );
                    let lead = verdicts.lead().expect("there is a next best");
                    assert!((best - most - lead.mean).abs() < 1e-9 && lead.error >= 0.0, "{}: {lead:?}", set.name);
                }
            }
        }
        assert!(unknown * 20 <= all as u32, "{}: {unknown} of {all} positions are unknown", set.name);
        let sums: Vec<DecisionSums> = Seat::all(3).map(|seat| DecisionSums::of(analysis.of_seat(seat))).collect();
        assert_eq!(sums.iter().map(|sum| sum.decisions).sum::<u32>(), all as u32, "{}", set.name);
        assert!(sums.iter().all(|sum| sum.measured() > 0 && sum.loss.mean > -0.05), "{}: {sums:?}", set.name);
    }
}

#[test]
fn what_came_of_a_round_is_what_its_result_says() {
    for set in ["basic", "skat", "crazy-eights"] {
        let log = played(set, 500, 2, 3, |_, _, legal| legal.first().cloned());
        let winner = Seat::all(2).find(|seat| log.result.places[seat.index()] == 1).expect("a winner");
        let analysis = judged(&log, FEW, None);
        assert!(!analysis.decisions.is_empty(), "{set}");
        for decision in &analysis.decisions {
            let share = if decision.seat == winner { 1.0 } else { 0.0 };
            assert_eq!(decision.happened, Some(share), "{set}: move {}", decision.number);
        }
    }
}
