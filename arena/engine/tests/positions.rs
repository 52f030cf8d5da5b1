//! What the referee asks the engine about single positions: which actions are listed, whether others may answer first, and
//! the cost of acting for a seat.

use std::sync::Arc;

use maumau_engine::rules::{load_built_in, parse_setting};
use maumau_engine::{Game, Phase, Position, Rules, Unseen, Verdict, seed_of_number};
use maumau_protocol::{Action, Card, DrawReason, Elapse, Event, Pending, RuleFault, Say, Seat, Stand, TakeOrder, Verb};

fn cards(names: &str) -> Vec<Card> {
    names.split_whitespace().map(|name| name.parse().expect("a card")).collect()
}

/// Seat 0 is to move at a table of two whose hands are `hands`.
fn table(set: &str, settings: &[&str], hands: [&str; 2], pile: &str, draw: &str) -> Game {
    let settings: Vec<_> = settings.iter().map(|text| parse_setting(text).expect("a setting")).collect();
    let set = Arc::new(load_built_in(set, &settings).expect("a built-in set").set);
    let rules = Arc::new(Rules::for_table(&set, 2, None).expect("a table"));
    let hands = hands.map(cards).into();
    let position = Position { dealer: 1, hands, pile: cards(pile), draw: cards(draw), ..Position::default() };
    Game::from_position(rules, &position, &seed_of_number(1)).expect("a position")
}

fn play(game: &mut Game, card: &str, word: &'static str) {
    let verb = Verb::Play { card: card.parse().expect("a card"), choose: None };
    let action = Action { verb, say: Say::word(word) };
    let verdict = game.apply(Seat::FIRST, &action, game.last_event(), &mut Vec::<Event>::new());
    assert_eq!(verdict, Verdict::Accepted, "{action:?}");
}

#[test]
fn what_is_listed_after_a_card_is_what_it_leaves_to_each_seat() {
    let jack_last = &["jack_last=forbidden"][..];
    for (set, settings, hands, pile, draw, card, word, seat, plays, draws, passes) in [
        // B-14: a word that was forgotten is charged first, so the jack is not the last card, unless nothing is left to draw.
        ("basic", jack_last, ["8D JD", "9S TS"], "", "9C", "8D", "", 0, "JD", true, false),
        ("basic", jack_last, ["8D JD", "9S TS"], "", "", "8D", "", 0, "", true, false),
        // N-90, N-91, N-97: while play closes, only answers; a threatened seat may decline.
        ("snap", &[], ["7H", "6H 7C"], "QH", "4C 6C", "7H", "mau mau", 1, "", false, false),
        ("snap", &[], ["2H", "2C 6H"], "QH", "4C 6C", "2H", "mau mau", 1, "2C", true, false),
        ("snap", &[], ["8H", "8C 6H"], "QH", "4C 6C", "8H", "mau mau", 1, "8C", false, true),
    ] {
        let mut game = table(set, settings, hands, pile, draw);
        play(&mut game, card, word);
        let legal = game.legal(Seat::new(seat).expect("a seat"));
        let listed: Vec<Card> = legal.plays.iter().collect();
        assert_eq!((listed, legal.draw, legal.pass), (cards(plays), draws, passes), "{set}: seat {seat} after {card}");
    }
}

/// N-44, N-106: the next player waits for the seat that an eight threatens and for the one that must take from its hand; the
/// seat that an ace makes take is itself the next.
#[test]
fn only_an_eight_and_a_ten_let_another_seat_answer_before_the_next_player() {
    for (card, opens) in [("8H", true), ("TH", true), ("AH", false), ("4H", false)] {
        let mut game = table("snap", &[], ["8H TH AH 4H", "6H 7C 6C"], "7H", "4C 6C");
        let before = game.reaction();
        play(&mut game, card, "snap");
        assert_eq!(game.reaction() != before, opens, "{card}");
    }
}

/// G-04, G-05, G-21, G-22: the price of slowness is for seats that are there, and a dismissed one plays what it can.
#[test]
fn acting_for_a_seat_costs_it_a_draw_unless_it_is_dismissed_and_the_price_of_slowness_only_for_its_own_slowness() {
    for (why, draws, price) in
        [(Stand::Slow, 1, 2), (Stand::Refusals, 1, 2), (Stand::Dismissed, 0, 0), (Stand::Absent, 1, 0)]
    {
        let (mut game, mut events) = (table("basic", &[], ["8D JD", "9S TS"], "7H", "4C 6C 5C"), Vec::new());
        game.act_for(Seat::FIRST, why, &mut events);
        let drawn = events.iter().filter(|event| matches!(event, Event::Drew { why: DrawReason::Turn, .. })).count();
        let penalty = events.iter().filter(|event| matches!(event, Event::Penalty { .. })).count();
        assert_eq!((drawn, penalty), (draws, price), "{why:?}");
        assert_eq!(game.turn(), Seat::new(1), "{why:?}");
    }
}

/// N-101, N-106: a take shows everybody whether the card was a sealed one, and whether the referee carried it out because the
/// seat that had to was late.
#[test]
fn a_take_shows_whether_its_card_was_sealed_and_whether_it_was_overdue() {
    let [by, from] = [0, 1].map(|index| Seat::new(index).expect("a small seat"));
    let play = Verb::Play { card: "6H".parse().expect("a card"), choose: None };
    for (mover, verb, sealed, overdue) in [
        (by, Verb::Take { from }, false, false),
        (by, Verb::Take { from }, true, false),
        (from, play, false, true),
        (from, Verb::Draw, true, true),
    ] {
        let set = Arc::new(load_built_in("snap", &[]).expect("a built-in set").set);
        let rules = Arc::new(Rules::for_table(&set, 2, None).expect("a table"));
        let (hands, face_down) = if sealed { ("", "7C 6C") } else { ("6H 6H 6H", "") };
        let position = Position {
            dealer: 1,
            turn: 1,
            hands: [cards("8H TH"), cards(hands)].into(),
            sealed: [Vec::new(), cards(face_down)].into(),
            pile: cards("TH"),
            draw: cards("4C 6C 5C"),
            pending: Pending { take: Some(TakeOrder { by, from }), ..Pending::default() },
            ..Position::default()
        };
        let mut game = Game::from_position(rules, &position, &seed_of_number(1)).expect("a position");
        let mut events = Vec::<Event>::new();
        game.apply(mover, &verb.clone().into(), game.last_event(), &mut events);
        let taken = events.iter().find_map(|event| match event {
            Event::Taken { by, from, sealed, overdue, .. } => Some((*by, *from, *sealed, *overdue)),
            _ => None,
        });
        assert_eq!(taken, Some((by, from, sealed, overdue)), "{verb:?}");
    }
}

/// P-93, P-94: the number to be announced is that of all cards drawn for the debt, and only the draw of the last one asks for it.
#[test]
fn the_draw_of_the_last_owed_card_asks_for_the_number_of_all() {
    let mut game = table("spam", &[], ["7H 9C 4D", "5D QC 6S"], "8H", "4C 6C 9C KC QC 4S");
    play(&mut game, "7H", "la");
    let drawer = Seat::new(1).expect("a seat");
    for word in [Say::Nothing, Say::word("2 done")] {
        assert_eq!(game.words_due(drawer, &Verb::Draw), word);
        let verdict = game.apply(drawer, &Verb::Draw.into(), game.last_event(), &mut Vec::<Event>::new());
        assert_eq!(verdict, Verdict::Accepted);
    }
}

/// N-80, N-131, G-13: the grace time for a Mau Mau begins with the last card, and is over with the closing time at the latest.
#[test]
fn a_mau_mau_is_late_after_its_own_grace_time_or_the_closing_time() {
    for (what, waited, is_late) in
        [(Elapse::Grace, false, false), (Elapse::Grace, true, true), (Elapse::Closing, true, true)]
    {
        let mut game = table("snap", &["strict=true"], ["7H", "6H 7C"], "QH", "4C 6C 9C");
        let mau = Verb::Say { text: "mau".try_into().expect("a short text") };
        game.apply(Seat::FIRST, &mau.into(), game.last_event(), &mut Vec::<Event>::new());
        let before = game.last_event();
        play(&mut game, "7H", "la");
        assert!(game.words_waited_for().is_some_and(|since| since > before), "time is given for it");
        let (since, mut events) = (if waited { game.last_event() } else { before }, Vec::new());
        game.elapse_as_of(what, since, &mut events);
        let late = events.iter().any(|event| matches!(event, Event::Mistake { fault: RuleFault::NoMauMau, .. }));
        assert_eq!((late, game.is_closing()), (is_late, !is_late), "{what:?}");
    }
}

/// P-03, P-05: a dealer that has dealt all cards to itself may still give the other seat one, and looks first.
#[test]
fn what_is_listed_to_a_dealer_is_not_listed_to_others_before_it() {
    let settings = ["deal_count=dealer", "auto_look=false"].map(|text| parse_setting(text).expect("a setting"));
    let set = Arc::new(load_built_in("spam", &settings).expect("a built-in set").set);
    let rules = Arc::new(Rules::for_table(&set, 2, None).expect("a table"));
    let mut game = Game::new(rules, &seed_of_number(1));
    let mut events = Vec::<Event>::new();
    game.start_round(&mut events);
    let (dealer, other) = (Seat::FIRST, Seat::new(1).expect("a seat"));
    let lists = |game: &Game, seat, verb: &Verb| game.legal(seat).contains(verb);
    let deal = |game: &mut Game, to: Vec<Seat>| {
        let verdict = game.apply(dealer, &Verb::Deal { to }.into(), game.last_event(), &mut Vec::<Event>::new());
        assert_eq!(verdict, Verdict::Accepted);
    };
    deal(&mut game, vec![dealer; 14]);
    let mends = Verb::Deal { to: vec![other] };
    assert!(lists(&game, dealer, &mends), "the other seat has no card");
    assert!(!lists(&game, dealer, &Verb::Look), "it cannot be finished");
    deal(&mut game, vec![other]);
    assert!(lists(&game, dealer, &Verb::Look) && !lists(&game, other, &Verb::Look));
    game.apply(dealer, &Verb::Look.into(), game.last_event(), &mut events);
    assert!(lists(&game, other, &Verb::Look));
}

/// N-98, N-121, P-76: penalty cards are sealed where the rules say so, cards returned in a fixed deal always; the card of a
/// refused play lay openly where calls cost something.
#[test]
fn events_show_which_cards_are_sealed_and_which_play_openly() {
    for (set, sealed, lay_openly) in [("basic", false, false), ("snap", true, true)] {
        let (mut game, mut events) = (table(set, &[], ["8D 4C 6D", "9S TS"], "7H", "4C 6C 5C"), Vec::new());
        let verb = Verb::Play { card: "4C".parse().expect("a card"), choose: None };
        game.apply(Seat::FIRST, &verb.into(), game.last_event(), &mut events);
        assert!(matches!(events[0], Event::Refused { shown, .. } if shown == lay_openly), "{set}: {events:?}");
        let paid =
            events.iter().filter(|event| matches!(event, Event::Penalty { sealed: found, .. } if *found == sealed));
        assert_eq!(paid.count(), 2, "{set}: {events:?}");
    }
    let settings = [parse_setting("dealing=dealer").expect("a setting")];
    let rules = Rules::for_table(&Arc::new(load_built_in("snap", &settings).expect("a built-in set").set), 2, None);
    let (mut game, mut events) = (Game::new(Arc::new(rules.expect("a table")), &seed_of_number(1)), Vec::new());
    game.start_round(&mut events);
    let (dealer, other) = (Seat::FIRST, Seat::new(1).expect("a seat"));
    for verb in [Verb::Deal { to: [other, dealer].repeat(8) }, Verb::TurnUp] {
        game.apply(dealer, &verb.into(), game.last_event(), &mut events);
    }
    let returned = events.iter().filter(|event| matches!(event, Event::Returned { sealed: true, .. }));
    assert_eq!(returned.count(), 2, "{events:?}");
}

/// N-68: the numbers of events go on, so that a stamp never means two events (G-03).
#[test]
fn a_card_that_is_taken_back_takes_no_event_with_it() {
    let mut game = table("snap", &["illegal=stands"], ["4C 8D 6D", "9S TS"], "7H", "4C 6C 5C");
    play(&mut game, "4C", "la");
    let (before, mut events) = (game.last_event().0, Vec::new());
    let call = Verb::Call { against: Seat::FIRST, fault: "wrong_card".try_into().expect("a short text") };
    let caller = Seat::new(1).expect("a seat");
    assert_eq!(game.apply(caller, &call.into(), game.last_event(), &mut events), Verdict::Accepted);
    assert_eq!(game.last_event().0, before + events.len() as u32, "{events:?}");
}

/// SPEC 7.7: a stated suit moves something, so that all seats are asked again; other words do not.
#[test]
fn a_stated_suit_moves_the_game_on() {
    for (word, moves) in [("hello", false), ("hearts", true)] {
        let mut game = table("spam", &[], ["JC 4D 6D", "9H TS 2H"], "7C", "4C 6C 5C");
        play(&mut game, "JC", "la");
        let before = game.progress();
        let says = Verb::Say { text: word.try_into().expect("a short text") };
        let verdict = game.apply(Seat::FIRST, &says.into(), game.last_event(), &mut Vec::<Event>::new());
        assert_eq!((verdict, game.progress() != before), (Verdict::Accepted, moves), "{word}");
    }
}

/// N-42, N-45: where a wrong card ends the turn, the seat that plays one has acted, so the other one has lost its turn and now
/// has an ordinary one (regression: it was still threatened in it).
#[test]
fn a_wrong_card_that_ends_the_turn_ends_the_time_to_answer() {
    for (ends_turn, skipped, answers) in [("false", false, "8D"), ("true", true, "9H 8D")] {
        let setting = format!("prices.misplay.ends_turn={ends_turn}");
        let mut game = table("snap", &[&setting], ["8H TS 4D", "9H 8D 4C"], "7H", "6C 5C 6D");
        play(&mut game, "8H", "la");
        let (wrong, mut events) = (Verb::Play { card: "TS".parse().expect("a card"), choose: None }, Vec::new());
        assert!(matches!(game.apply(Seat::FIRST, &wrong.into(), game.last_event(), &mut events), Verdict::Refused(_)));
        let other = Seat::new(1).expect("a seat");
        assert_eq!(events.contains(&Event::Skipped { seat: other }), skipped, "{events:?}");
        assert_eq!(game.turn() == Some(other), skipped);
        assert_eq!(game.legal(other).plays, cards(answers).into_iter().collect(), "{ends_turn}");
    }
}

#[test]
fn a_seat_without_cards_cannot_move_where_the_others_play_on() {
    let settings = [parse_setting("play_on=true").expect("a setting")];
    let set = Arc::new(load_built_in("prsi", &settings).expect("a built-in set").set);
    let rules = Arc::new(Rules::for_table(&set, 3, None).expect("a table"));
    let hands = vec![cards(""), cards("9S"), cards("7H 8H")];
    let position = Position { hands, pile: cards("TS"), draw: cards("8C"), ..Position::default() };
    let error = Game::from_position(rules, &position, &seed_of_number(1)).expect_err("seat 0 is out");
    assert_eq!(error.to_string(), "turn: seat 0 has no cards and is out of the round");
}

/// G-23, TS-12: a turn in which few cards go round, each of which asks for a further one, ends at the turn cap.
#[test]
fn a_turn_that_could_go_on_without_end_ends_at_the_turn_cap() {
    let hands = ["AS 6D", "8C 9C"];
    let mut game = table("tschau-sepp", &["turn.cap=20"], hands, "AH", "");
    play(&mut game, "AS", "");
    let mut actions = 0;
    while game.phase() == Phase::Play {
        let seat = game.waits_for().expect("a seat to move");
        assert_eq!(seat, Seat::FIRST, "after {actions} actions");
        let verb = game.legal(seat).nth(0).expect("something to do");
        let action = Action { say: game.words_due(seat, &verb), verb };
        assert_eq!(
            game.apply(seat, &action, game.last_event(), &mut Vec::<Event>::new()),
            Verdict::Accepted,
            "{action:?}"
        );
        actions += 1;
        assert!(actions < 100);
    }
    assert!(actions > 20, "{actions}");
}

/// G-82: seats that only draw never reach a target; the match ends all the same, and so does one in which the lead stays shared.
#[test]
fn a_match_that_nobody_wins_ends() {
    let rounds_of = |set: &str, options: &[&str], seats: usize| {
        let settings: Vec<_> = options.iter().map(|option| parse_setting(option).expect("a setting")).collect();
        let set = Arc::new(load_built_in(set, &settings).expect("a built-in set").set);
        let rules = Arc::new(Rules::for_table(&set, seats, None).expect("a table"));
        let mut game = Game::new(rules, &seed_of_number(1));
        while !game.is_over() {
            game.start_round(&mut Unseen);
            while game.phase() == Phase::Play {
                let seat = game.waits_for().expect("a seat to move");
                let legal = game.legal(seat);
                let verb = if legal.draw { Verb::Draw } else { Verb::Pass };
                let verb = if legal.contains(&verb) { verb } else { legal.nth(0).expect("something to do") };
                let action = Action { say: game.words_due(seat, &verb), verb };
                game.apply(seat, &action, game.last_event(), &mut Unseen);
            }
        }
        (game.round(), game.unwon())
    };
    // 201 turns a round.
    assert_eq!(rounds_of("colours", &["turn_cap=200"], 2), (100, 100));
    // 20000 turns are more than ten rounds have here, and no more than ten rounds have there.
    assert_eq!(rounds_of("colours", &["turn_cap=3000"], 2), (10, 10));
    assert_eq!(rounds_of("basic", &["turn_cap=20", "rounds=2", "scoring.tie=extra_round"], 2), (12, 12));
}
