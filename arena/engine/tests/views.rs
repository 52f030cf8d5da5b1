//! What a seat sees of the position (G-08): its own cards unless they are covered (P-05) or sealed (N-98), of the
//! others how many. It plays random games and only reads views; what events show is tested in the protocol crate.

use std::sync::Arc;

use maumau_engine::rules::{all_sets, load_built_in, parse_setting};
use maumau_engine::{ChoiceStream, Game, Rules, seed_of_number};
use maumau_protocol::{Action, Card, Event, Say, Seat, Verb};

const SEATS: usize = 3;

/// What is to be seen of hands, from the cards that the referee knows.
fn check_hands(game: &Game, counts: &mut [u32; 3]) {
    let has_seals = game.rules().set().prices.sealed;
    let held: Vec<u16> = Seat::all(SEATS).map(|seat| game.hand(seat).len() + game.sealed_hand(seat).len()).collect();
    let sealed: Vec<u16> = Seat::all(SEATS).map(|seat| game.sealed_hand(seat).len()).collect();
    for seat in Seat::all(SEATS) {
        let view = game.view(seat);
        let open: Vec<Card> = game.hand(seat).cards().collect();
        let covered = game.is_covered(seat);
        assert_eq!(
            view.hand,
            if covered { Vec::new() } else { open.clone() },
            "{}, seat {seat}",
            game.rules().set().name
        );
        assert_eq!(view.hands, held);
        assert_eq!(view.sealed, if has_seals { sealed.clone() } else { Vec::new() });
        counts[0] += u32::from(covered && !open.is_empty());
        counts[1] += u32::from(sealed.iter().any(|count| *count > 0));
        counts[2] += u32::from(!covered && !open.is_empty());
    }
}

#[test]
fn a_seat_sees_its_open_cards_and_how_many_all_others_hold() {
    let mut counts = [0; 3];
    let sets = all_sets().map(|set| (set.name, None)).chain([("spam", Some("auto_look=false"))]);
    for (name, option) in sets {
        for number in 0..4 {
            let settings: Vec<_> = option.map(|option| parse_setting(option).expect("an option")).into_iter().collect();
            let loaded = load_built_in(name, &settings).expect("a built-in set").set;
            let rules = Rules::for_table(&Arc::new(loaded), SEATS, Some(1)).expect("a table");
            let mut game = Game::new(Arc::new(rules), &seed_of_number(number));
            let mut dice = ChoiceStream::new(&[number]);
            let mut events: Vec<Event> = Vec::new();
            game.start_round(&mut events);
            for _ in 0..300 {
                let Some(mover) = game.waits_for() else { break };
                check_hands(&game, &mut counts);
                let seat = if dice.one_in(4) { Seat::new(dice.below(SEATS)).expect("a seat") } else { mover };
                let legal: Vec<Verb> = game.legal(seat).iter().collect();
                let verb = match legal.as_slice() {
                    [] => Verb::Draw,
                    // A wrong card now and then, for its price.
                    _ if dice.one_in(8) && !game.hand(seat).is_empty() => {
                        let cards: Vec<Card> = game.hand(seat).cards().collect();
                        Verb::Play { card: *dice.pick(&cards), choose: None }
                    }
                    legal => dice.pick(legal).clone(),
                };
                game.apply(seat, &Action { verb, say: Say::Nothing }, game.last_event(), &mut events);
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 20), "covered, sealed and open hands: {counts:?}");
}
