//! A dismissed seat is played on by its first legal action, with the words due (G-04), so that the round of the others is played
//! as if somebody sat there.

use std::sync::Arc;

use maumau_engine::rules::load_built_in;
use maumau_engine::{Game, Phase, Rules, Verdict, seed_of_number};
use maumau_protocol::{Action, Elapse, Event, Say, Stand};

fn game(set: &str, seats: usize, number: u64) -> Game {
    let set = load_built_in(set, &[]).expect("a built-in set").set;
    let rules = Rules::for_table(&Arc::new(set), seats, Some(1)).expect("a table");
    Game::new(Arc::new(rules), &seed_of_number(number))
}

#[test]
fn it_is_played_on_by_its_first_legal_action_with_the_words_due() {
    for set in ["basic", "skat", "deluxe", "snap", "spam"] {
        for (seats, number) in [(2, 1), (3, 2), (4, 3)] {
            let mut game = game(set, seats, number);
            let (mut events, mut plays, mut words) = (Vec::new(), 0, 0);
            game.start_round(&mut events);
            for step in 0.. {
                let what = format!("{set} at {seats} seats, step {step}");
                assert!(step < 20_000, "{what}: the round does not end");
                let Some(seat) = game.waits_for().filter(|_| !game.is_over()) else { break };
                if game.is_closing() {
                    game.elapse(Elapse::Closing, &mut events);
                    continue;
                }
                let first = game.legal(seat).nth(0).filter(|_| game.phase() == Phase::Play);
                let mut other = game.clone();
                events.clear();
                game.act_for(seat, Stand::Dismissed, &mut events);
                let (marked, followed) = events.split_first().expect("events");
                assert_eq!(*marked, Event::ActedFor { seat, why: Stand::Dismissed }, "{what}");
                if let Some(verb) = first {
                    let say = if other.may_owe_words(seat) { other.words_due(seat, &verb) } else { Say::Nothing };
                    words += say.texts().len();
                    plays += 1;
                    let mut expected = Vec::new();
                    let verdict = other.apply(seat, &Action { verb, say }, other.last_event(), &mut expected);
                    assert_eq!(verdict, Verdict::Accepted, "{what}");
                    assert_eq!(followed, expected, "{what}");
                }
            }
            assert!(plays > 0 && words > 0, "{set} at {seats} seats: {plays} actions, {words} words");
        }
    }
}
