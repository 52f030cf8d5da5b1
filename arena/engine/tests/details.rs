//! What a second engine has to know beside the rules (SPEC 12): the order of the events of one input, what they count, and
//! what is reported at all. Each table names the clause of SPEC that it holds.

use std::sync::Arc;

use maumau_engine::rules::{load_built_in, parse_setting};
use maumau_engine::{Game, Position, Rules, Verdict, seed_of_number};
use maumau_protocol::{
    Action, Card, Choice, Elapse, Event, Pending, Reason, Request, Say, Seat, Stand, TakeOrder, Text, Verb,
};
use serde_json::Value;

fn cards(names: &str) -> Vec<Card> {
    names.split_whitespace().map(|name| name.parse().expect("a card")).collect()
}

fn seat(number: usize) -> Seat {
    Seat::new(number).expect("a seat")
}

/// A table of as many seats as there are hands; seat 0 is to move, and the last one has dealt.
fn table(set: &str, settings: &[&str], hands: &[&str], pile: &str, draw: &str, pending: Pending) -> Game {
    let settings: Vec<_> = settings.iter().map(|text| parse_setting(text).expect("a setting")).collect();
    let set = Arc::new(load_built_in(set, &settings).expect("a built-in set").set);
    let rules = Arc::new(Rules::for_table(&set, hands.len(), None).expect("a table"));
    let position = Position {
        dealer: hands.len() - 1,
        hands: hands.iter().map(|hand| cards(hand)).collect(),
        pile: cards(pile),
        draw: cards(draw),
        pending,
        ..Position::default()
    };
    Game::from_position(rules, &position, &seed_of_number(1)).expect("a position")
}

fn play(card: &str) -> Verb {
    Verb::Play { card: card.parse().expect("a card"), choose: None }
}

fn act(game: &mut Game, number: usize, verb: Verb, word: &'static str) -> (Verdict, Vec<Event>) {
    let say = if word.is_empty() { Say::Nothing } else { Say::word(word) };
    let mut events = Vec::new();
    let verdict = game.apply(seat(number), &Action { verb, say }, game.last_event(), &mut events);
    (verdict, events)
}

/// Each event as its name and, in this order, its seat, its reason and its number, as far as it has them.
fn names(events: &[Event]) -> Vec<String> {
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let one = |event: &Event| {
        let value = serde_json::to_value(event).expect("an event");
        let members = ["event", "seat", "by", "against", "fault", "reason", "why", "count", "points", "total"];
        members.iter().filter_map(|name| value.get(name).map(word)).collect::<Vec<_>>().join(" ")
    };
    events.iter().map(one).collect()
}

fn owing(draw: u16) -> Pending {
    Pending { draw, draw_kind: Some("7".into()), ..Pending::default() }
}

/// SPEC 12.2: what was owed comes before the price, the price before the turns that are lost.
#[test]
fn debts_come_before_prices_and_prices_before_skips() {
    let mut game = table("basic", &[], &["8C 9C", "9S TS"], "7H", "4C 6C 5C 3C 2C", owing(2));
    let (_, events) = act(&mut game, 0, play("9C"), "");
    let expected =
        ["refused 0 does_not_fit", "drew 0 owed", "drew 0 owed", "penalty 0 wrong_card", "penalty 0 wrong_card"];
    assert_eq!(names(&events), expected);
    let skip = Pending { skip: 1, ..Pending::default() };
    let mut game = table("skat", &[], &["7C 9C", "9S TS", "KH QH"], "8H", "4C 6C 5C 3C 2C", skip);
    let (_, events) = act(&mut game, 0, play("9C"), "");
    assert_eq!(names(&events), ["refused 0 does_not_fit", "penalty 0 wrong_card", "penalty 0 wrong_card", "skipped 0"]);
}

/// SPEC 12.3: a warning that was forgotten is charged before anything else that the next move brings, words included.
#[test]
fn an_overdue_mau_is_charged_before_the_words_of_the_next_move() {
    let mut game = table("basic", &[], &["TD 9C", "9D TS KS"], "7D", "4C 6C 5C 3C 2C AC JC", Pending::default());
    act(&mut game, 0, play("TD"), "");
    let (_, events) = act(&mut game, 1, play("9D"), "hello");
    assert_eq!(names(&events)[..3], ["penalty 0 no_mau", "penalty 0 no_mau", "said 1"]);
    let mut game = table("basic", &[], &["TD 9C", "9D TS KS"], "7D", "4C 6C 5C 3C 2C AC JC", Pending::default());
    act(&mut game, 0, play("TD"), "");
    let mut events = Vec::new();
    game.act_for(seat(1), Stand::Slow, &mut events);
    let order =
        ["acted_for 1 slow", "penalty 0 no_mau", "penalty 0 no_mau", "drew 1 turn", "penalty 1 slow", "penalty 1 slow"];
    assert_eq!(names(&events), order);
}

/// SPEC 12.4: an overdue take, and its mistake, come before the words of the move that makes it overdue.
#[test]
fn an_overdue_take_comes_before_the_words_of_the_move() {
    let take = Pending { take: Some(TakeOrder { by: seat(1), from: seat(2) }), ..Pending::default() };
    let mut game = table("snap", &["strict=true"], &["4H 9C 9D", "6D 7S 8C", "KH QD JS"], "7H", "4C 6C 5C 3C 2C", take);
    let (_, events) = act(&mut game, 0, play("4H"), "hello");
    let all = names(&events);
    let place = |name: &str| all.iter().position(|event| event.starts_with(name)).expect(name);
    assert!(place("taken") < place("mistake 1 must") && place("mistake") < place("said"), "{all:?}");
}

/// SPEC 12.5: a pile that becomes the draw pile does so right after the card that made it possible.
#[test]
fn a_reshuffle_follows_its_card_at_once() {
    let mut game = table("basic", &[], &["8D 9C TC", "9D TS KS"], "7C 7D", "", Pending::default());
    let (_, events) = act(&mut game, 0, play("8D"), "");
    assert_eq!(names(&events)[..3], ["played 0", "reshuffled 2", "skipped 1"]);
}

/// SPEC 12.6: who suspends passes and is skipped; where the referee ends a turn, nobody has passed.
#[test]
fn a_seat_that_suspends_passes_and_is_skipped() {
    let facing = || {
        let skip = Pending { skip: 1, ..Pending::default() };
        table("skat", &["slow_cards=0"], &["7C 9C", "9S TS", "KH QH"], "8H", "4C 6C", skip)
    };
    let (_, events) = act(&mut facing(), 0, Verb::Pass, "");
    assert_eq!(names(&events), ["passed 0", "skipped 0"]);
    let mut events = Vec::new();
    facing().act_for(seat(0), Stand::Slow, &mut events);
    assert_eq!(names(&events), ["acted_for 0 slow", "skipped 0"]);
}

/// SPEC 12.7: the last card of a round has no effect that could show, but by the option that has its debt drawn.
#[test]
fn a_last_card_turns_nothing_round() {
    for (settings, card, turns) in [
        (&["extra_rules=on"][..], "TH", false),
        (&["extra_rules=on"][..], "9H", false),
        (&["extra_rules=on", "last_card_effects=draw_first"][..], "9H", true),
    ] {
        let game = table("skat", settings, &[card, "9S TS", "KC QC"], "7H", "4C 6C 5C", Pending::default());
        let pending = Pending::default();
        let position = Position {
            dealer: 2,
            hands: vec![cards(card), cards("9S TS"), cards("KC QC")],
            pile: cards("7H"),
            draw: cards("4C 6C 5C"),
            mau_said: [seat(0)].into_iter().collect(),
            pending,
            ..Position::default()
        };
        let mut game =
            Game::from_position(Arc::clone(game.rules()), &position, &seed_of_number(1)).expect("a position");
        let (verdict, events) = act(&mut game, 0, play(card), "");
        assert_eq!(verdict, Verdict::Accepted, "{card}");
        let reversed = events.iter().any(|event| matches!(event, Event::Reversed { .. }));
        assert_eq!(reversed, turns, "{card} {settings:?}: {events:?}");
    }
}

/// SPEC 12.8: the refusal that is one too many is followed by what the referee does, in the same input; whatever it was that
/// was refused, but out of turn.
#[test]
fn the_last_refusal_brings_the_referee() {
    let new = || {
        table("skat", &["misplay=0", "max_refusals=2"], &["7C 9C", "9S TS"], "8H", "4C 6C 5C 3C", Pending::default())
    };
    let mut game = new();
    act(&mut game, 1, play("9S"), "");
    act(&mut game, 0, Verb::Pass, "");
    let (_, events) = act(&mut game, 0, play("9C"), "");
    let order = ["refused 0 does_not_fit", "acted_for 0 refusals", "drew 0 turn", "penalty 0 slow", "penalty 0 slow"];
    assert_eq!(names(&events), order);
}

/// SPEC 12.9: a debt of which the rest lapses is reported with all that lapses, and a card taken for want of others as such.
#[test]
fn what_lapses_is_reported_as_a_whole() {
    let sevens = Pending { draw: 6, draw_kind: Some("7".into()), sevens: 3, ..Pending::default() };
    let mut game = table("spam", &["decks=3"], &["8C 9C", "9S TS"], "7H", "4C", sevens);
    let (_, events) = act(&mut game, 0, Verb::Draw, "");
    assert_eq!(names(&events), ["drew 0 owed"]);
    let (_, events) = act(&mut game, 0, Verb::Draw, "");
    assert_eq!(names(&events), ["waived 0 5"]);
    let mut game = table("basic", &["shortage=top_card"], &["8C 9C", "9S TS"], "7H", "", owing(2));
    let (_, events) = act(&mut game, 0, Verb::Draw, "");
    assert_eq!(names(&events), ["drew 0 shortage", "waived 0 1"]);
}

/// SPEC 12.10: the cards that make a debt are counted wherever it is drawn card by card.
#[test]
fn live_cards_are_counted_where_a_debt_is_drawn_card_by_card() {
    for (settings, live) in [(&["per_card_draw=true"][..], 1), (&[][..], 0)] {
        let mut game = table("deluxe", settings, &["TH 9C 8C", "9S KS KD"], "7H", "4C 6C 5C", Pending::default());
        act(&mut game, 0, play("TH"), "");
        assert_eq!((game.pending().draw, game.pending().sevens), (2, live), "{settings:?}");
    }
}

/// SPEC 12.11: a choice with a card that serves a request is wrong at any time, also out of turn.
#[test]
fn a_serving_jack_names_nothing_even_out_of_turn() {
    let request = Request { names: Choice::Rank("J".parse().expect("a rank")), by: seat(1) };
    let pending = Pending { request: Some(request), ..Pending::default() };
    let mut game = table("deluxe", &[], &["9H 9C 8C", "JS KS KD"], "7H", "4C 6C 5C", pending);
    let choose = Some(Choice::Rank("9".parse().expect("a rank")));
    let (verdict, _) = act(&mut game, 1, Verb::Play { card: "JS".parse().expect("a card"), choose }, "");
    assert_eq!(verdict, Verdict::Refused(Reason::ChoiceWrong));
}

/// SPEC 12.12: a request is revoked by the seat that makes the next one.
#[test]
fn a_request_is_revoked_by_the_seat_that_makes_the_next() {
    let request = Request { names: Choice::Rank("9".parse().expect("a rank")), by: seat(1) };
    let pending = Pending { request: Some(request), ..Pending::default() };
    let mut game = table("deluxe", &[], &["JH 8C 7C", "JS KS KD"], "7H", "4C 6C 5C", pending);
    let choose = Some(Choice::Rank("8".parse().expect("a rank")));
    let (_, events) = act(&mut game, 0, Verb::Play { card: "JH".parse().expect("a card"), choose }, "");
    assert_eq!(names(&events), ["played 0", "revoked 0"]);
}

/// SPEC 12.13: what a round was worth, and the sum; without a winner everybody is charged points, and nobody pays chips.
#[test]
fn a_round_without_a_winner_charges_points_and_no_chips() {
    for (set, scored) in
        [("skat", ["scored 0 19 19", "scored 1 22 22"]), ("deluxe", ["scored 0 0 40", "scored 1 0 40"])]
    {
        let mut game = table(set, &["turn_cap=2"], &["8C 9C", "AS AD"], "7H", "TC 6C 5C", Pending::default());
        let (mut events, mut all) = (Vec::new(), Vec::new());
        while game.turn() == Some(seat(0)) {
            let verb = if game.legal(seat(0)).draw { Verb::Draw } else { Verb::Pass };
            (_, events) = act(&mut game, 0, verb, "");
            all.extend(names(&events));
        }
        drop(events);
        let last: Vec<&String> = all.iter().filter(|event| event.starts_with("scored")).collect();
        let expected = if set == "skat" { ["scored 0 27 27", "scored 1 22 22"] } else { scored };
        assert_eq!(last, expected, "{set}: {all:?}");
    }
}

/// SPEC 12.14: `mistake` is sent where the referee notices by itself; a wrong card has its price alone.
#[test]
fn a_wrong_card_is_no_noted_mistake_and_a_missing_suit_is() {
    let new = || table("snap", &[], &["JD 4C 6S", "6D 6C 7S"], "AH", "4C 6C 5C 3C 2C 7C", Pending::default());
    let (_, events) = act(&mut new(), 0, play("4C"), "");
    assert_eq!(names(&events), ["refused 0 does_not_fit", "penalty 0 wrong_card", "penalty 0 wrong_card"]);
    let (_, events) = act(&mut new(), 0, play("JD"), "");
    assert_eq!(names(&events), ["played 0", "mistake 0 no_suit 1", "penalty 0 no_suit", "penalty 0 no_suit"]);
}

/// SPEC 12.15: a suit is stated in words by anybody, with `choose` by the seat to move; a suit named with the jack comes first.
#[test]
fn a_suit_named_with_a_jack_comes_before_the_words() {
    let mut game = table("spam", &["decks=3"], &["JD 4C 6S", "6D 6C 7S"], "9D", "4C 6C 5C", Pending::default());
    let clubs = Some(Choice::Suit("C".parse().expect("a suit")));
    let (_, events) = act(&mut game, 0, Verb::Play { card: "JD".parse().expect("a card"), choose: clubs }, "hearts");
    let suits: Vec<&Event> = events.iter().filter(|event| matches!(event, Event::SuitStated { .. })).collect();
    assert_eq!((suits.len(), game.pending().suit), (1, Some("C".parse().expect("a suit"))));
    let mut game = table("spam", &["decks=3"], &["JD 4C 6S", "6D 6C 7S"], "9D", "4C 6C 5C", Pending::default());
    act(&mut game, 0, play("JD"), "");
    let hearts = || Verb::Choose(Choice::Suit("H".parse().expect("a suit")));
    assert_eq!(act(&mut game, 0, hearts(), "").0, Verdict::Refused(Reason::NotYourTurn));
    let (verdict, events) = act(&mut game, 1, hearts(), "");
    assert_eq!((verdict, names(&events)), (Verdict::Accepted, vec!["suit_stated 1".to_owned()]));
}

/// SPEC 12.16: an action may be accepted without an event.
#[test]
fn a_second_look_is_accepted_and_shows_nothing() {
    let mut game = table("spam", &[], &["JD 4C 6S", "6D 6C 7S"], "9D", "4C 6C 5C", Pending::default());
    assert_eq!(act(&mut game, 0, Verb::Look, ""), (Verdict::Accepted, vec![]));
}

/// SPEC 12.17: a turn of the turn cap is a passing of the turn; seats that are skipped have none.
#[test]
fn skipped_seats_have_no_turn_of_the_turn_cap() {
    let mut game = table("basic", &["turn_cap=3"], &["8D 8H TC 9C", "9D TS KS"], "7D", "4C 6C 5C", Pending::default());
    act(&mut game, 0, play("8D"), "");
    assert!(!game.is_over(), "the turn has passed once, over a skipped seat");
    act(&mut game, 0, play("8H"), "");
    assert!(game.is_over(), "and a second time");
}

/// SPEC 12.18: `called` has the word that was sent, `penalty` the first name of the fault.
#[test]
fn a_call_is_named_by_its_word_and_a_penalty_by_its_name() {
    let mut game = table("spam", &[], &["QD 4C 6S", "6D 6C 7S", "5C 5D 5H"], "9D", "4C 6C 5C", Pending::default());
    let call =
        |against, fault: &str| Verb::Call { against: seat(against), fault: Text::try_from(fault).expect("a text") };
    act(&mut game, 1, call(0, "slow"), "");
    let (_, events) = act(&mut game, 2, call(1, "bad_penalty"), "");
    assert_eq!(names(&events), ["called 2 1 bad_penalty", "penalty 1 false_call"]);
}

/// SPEC 12.19: for whom the referee draws owed cards no word is due.
#[test]
fn nothing_is_to_be_said_for_cards_that_the_referee_draws() {
    let sevens = Pending { draw: 2, draw_kind: Some("7".into()), sevens: 1, ..Pending::default() };
    let mut game = table("spam", &["decks=3"], &["8C 9C", "9S TS"], "7H", "4C 5C 6C", sevens);
    game.act_for(seat(0), Stand::Absent, &mut Vec::<Event>::new());
    game.elapse(Elapse::Grace, &mut Vec::<Event>::new());
    assert_eq!(game.calls(seat(1)).next(), None);
}

/// SPEC 12.20: a hand that is empty by a free card in its own turn closes nothing while that turn is owed.
#[test]
fn nothing_closes_while_the_empty_hand_owes_its_turn() {
    let mut game = table("snap", &[], &["KH", "9S TS"], "QH", "4C 5C 6C", Pending::default());
    act(&mut game, 0, play("KH"), "mau mau");
    let pending = game.pending();
    assert_eq!((pending.closing, pending.owed_turn), (false, Some(seat(0))));
}

/// SPEC 12.21: a free draw or a drawn card of an option counts as drawn for a request, so that it does not lapse.
#[test]
fn the_top_card_taken_keeps_a_request_alive() {
    let request = Request { names: Choice::Rank("9".parse().expect("a rank")), by: seat(1) };
    let pending = Pending { request: Some(request), ..Pending::default() };
    let mut game = table("deluxe", &["shortage=top_card"], &["8H 8C 7C", "8S KS KD"], "7H 7S", "", pending);
    for (number, card) in [(0, "7S"), (1, "7H")] {
        let (verdict, events) = act(&mut game, number, Verb::Draw, "");
        assert_eq!(verdict, Verdict::Accepted, "{card}: {events:?}");
    }
    assert!(game.pending().request.is_some(), "each seat has had a turn and drawn");
}
