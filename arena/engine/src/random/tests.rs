//! Tests the vectors of SPEC §8.11: the engine's draws equal those of an independent program written from the text.
//! They pin numbers and orders, no rules.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read the files that they check")]

use std::collections::BTreeMap;
use std::sync::Arc;

use maumau_protocol::{Card, Event, Seat, Seed, Stand, Verb};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::draw_orders::QuadBatch;
use super::key_stream::BlockMaker;
use super::{Chance, Purpose};
use crate::draw_pile::DrawPile;
use crate::rules::{load_built_in, parse_setting};
use crate::{Game, Phase, Rules, Verdict, agent_seed, commitment, deal_seed, game_id, parse_seed, seed_of_number};

impl Chance {
    /// The same streams, made by every maker of [`BlockMaker::all`].
    pub(super) fn in_all_ways(game_seed: &Seed) -> impl Iterator<Item = Chance> + use<> {
        let chance = Chance::new(game_seed);
        BlockMaker::all().into_iter().map(move |blocks| Chance { blocks, ..chance.clone() })
    }
}

#[test]
fn streams_are_the_same_on_all_processors() {
    let words = |chance: Chance| {
        let mut stream = chance.stream(Purpose::Deal, 0);
        (0..1_000).map(|_| stream.next()).collect::<Vec<_>>()
    };
    let expected = words(Chance::new(&seed_of_number(3)));
    for chance in Chance::in_all_ways(&seed_of_number(3)) {
        assert_eq!(words(chance.clone()), expected, "{:?}", chance.blocks);
    }
}

#[test]
fn numbers_below_a_bound_are_even() {
    let chance = Chance::new(&seed_of_number(1));
    let mut stream = chance.stream(Purpose::Deal, 0);
    let mut counts = [0u32; 52];
    for _ in 0..520_000 {
        counts[stream.below(52) as usize] += 1;
    }
    let chi_square: f64 = counts.iter().map(|count| (f64::from(*count) - 10_000.0).powi(2) / 10_000.0).sum();
    assert!((20.0..100.0).contains(&chi_square), "chi-square of 51 degrees of freedom: {chi_square}");
}

#[test]
fn streams_do_not_depend_on_what_was_drawn_before() {
    let mut chance = Chance::new(&seed_of_number(2));
    let first = chance.stream(Purpose::Order, 3).below(1 << 30);
    chance.stream(Purpose::Deal, 0).below(7);
    assert_eq!(chance.stream(Purpose::Order, 3).below(1 << 30), first);
    chance.enter_round(1);
    assert_ne!(chance.stream(Purpose::Order, 3).below(1 << 30), first);
}

/// A bound for which no word is rejected: the number drawn is the word without its last bit.
const HALF: u32 = 1 << 31;

fn vectors<T: DeserializeOwned>(name: &str) -> T {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../protocol/SPEC.md");
    let spec = std::fs::read_to_string(path).expect("SPEC.md");
    let (_, rest) = spec.split_once("<!-- vectors -->\n```json\n").expect("the vectors begin");
    let (block, _) = rest.split_once("\n```\n").expect("the vectors end");
    let mut all: Value = serde_json::from_str(block).expect("the vectors are JSON");
    serde_json::from_value(all[name].take()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn chance(round: u32) -> Chance {
    let mut chance = Chance::new(&seed_of_number(1));
    chance.enter_round(round);
    chance
}

/// The hexadecimal word without its last bit.
fn half(word: &str) -> u32 {
    u32::from_str_radix(word, 16).expect("a word") >> 1
}

fn seat(index: usize) -> Seat {
    Seat::new(index).expect("a seat")
}

#[test]
fn seeds_names_and_commitments_are_those_of_spec() {
    for (number, seed) in vectors::<BTreeMap<String, String>>("seed_of_number") {
        assert_eq!(parse_seed(&number).expect("a number").to_string(), seed, "{number}");
    }
    for vector in vectors::<Vec<Value>>("commitment") {
        let seed = seed_of_number(vector["seed"].as_u64().expect("a number"));
        assert_eq!(commitment(vector["game"].as_str().expect("a game"), &seed), vector["is"]);
    }
    for vector in vectors::<Vec<Value>>("game_id") {
        assert_eq!(game_id(&seed_of_number(1), vector["planned"].as_str().expect("a name")), vector["is"]);
    }
    for vector in vectors::<Vec<Value>>("deal_seed") {
        let seed = deal_seed(&seed_of_number(1), vector["deal"].as_str().expect("a number"));
        assert_eq!(seed.to_string(), vector["is"]);
    }
    for vector in vectors::<Vec<Value>>("game_of_a_run") {
        let text = |member: &str| vector[member].as_str().expect("a text");
        let (master, seed) = (seed_of_number(1), deal_seed(&seed_of_number(1), text("deal")));
        assert_eq!((seed.to_string(), game_id(&master, text("planned"))), (text("seed").into(), text("game").into()));
        assert_eq!(commitment(text("game"), &seed), text("commitment"));
    }
    for vector in vectors::<Vec<Value>>("agent_seed") {
        let seat = seat(vector["seat"].as_u64().expect("a seat") as usize);
        assert_eq!(agent_seed(&seed_of_number(1), vector["game"].as_str().expect("a game"), seat), vector["is"]);
    }
}

#[test]
fn the_words_of_a_stream_are_those_of_spec() {
    #[derive(Deserialize)]
    struct Vector {
        round: u32,
        purpose: u8,
        count: u32,
        words: Vec<String>,
    }
    for vector in vectors::<Vec<Vector>>("streams_of_seed_1") {
        let purpose = match vector.purpose {
            1 => Purpose::Deal,
            2 => Purpose::Draw,
            _ => Purpose::Order,
        };
        let chance = chance(vector.round);
        let mut stream = chance.stream(purpose, vector.count);
        for word in vector.words {
            assert_eq!(stream.below(HALF), half(&word));
        }
    }
}

#[test]
fn the_words_of_a_seat_are_those_of_spec() {
    #[derive(Deserialize)]
    struct Vector {
        seat: usize,
        word_0: String,
        word_15: String,
        word_16: String,
    }
    let chance = chance(1);
    for vector in vectors::<Vec<Vector>>("seat_words_of_stream_1_draw_1") {
        for (k, word) in [(0, vector.word_0), (15, vector.word_15), (16, vector.word_16)] {
            let mut batch = QuadBatch::EMPTY;
            let found = batch.word(&chance, 1, vector.seat, k);
            assert_eq!(found >> 1, half(&word), "word {k} of seat {}", vector.seat);
        }
    }
}

#[test]
fn numbers_below_a_bound_are_those_of_spec() {
    #[derive(Deserialize)]
    struct Vector {
        bound: u32,
        numbers: Vec<u32>,
        words_used: usize,
    }
    for vector in vectors::<Vec<Vector>>("below_of_stream_1_deal_0") {
        let chance = chance(1);
        let mut stream = chance.stream(Purpose::Deal, 0);
        let numbers: Vec<u32> = vector.numbers.iter().map(|_| stream.below(vector.bound)).collect();
        assert_eq!(numbers, vector.numbers, "below {}", vector.bound);
        let next = stream.below(HALF);
        let mut stream = chance.stream(Purpose::Deal, 0);
        let words: Vec<u32> = (0..=vector.words_used).map(|_| stream.below(HALF)).collect();
        assert_eq!(words[vector.words_used], next, "words used below {}", vector.bound);
    }
}

#[derive(Deserialize)]
struct Deal {
    round: u32,
    dealer: usize,
    seats: usize,
    hands: Vec<Vec<Card>>,
    first_card: Card,
    pool: Vec<Card>,
}

#[test]
fn deals_are_those_of_spec() {
    for vector in vectors::<Vec<Deal>>("deals_of_seed_1_for_basic") {
        let set = Arc::new(load_built_in("basic", &[]).expect("a built-in set").set);
        let rules = Rules::for_table(&set, vector.seats, Some(9)).expect("a table");
        let mut game = Game::new(Arc::new(rules), &seed_of_number(1));
        let mut events = Vec::new();
        game.deal(&mut events);
        while game.round() < vector.round {
            match game.waits_for() {
                Some(seat) if game.phase() == Phase::Play => game.act_for(seat, Stand::Absent, &mut events),
                Some(_) => game.turn_up(&mut events),
                None => game.deal(&mut events),
            }
        }
        for (index, expected) in vector.hands.iter().enumerate() {
            let mut expected = expected.clone();
            expected.sort();
            assert_eq!(game.hand(seat(index)).cards().collect::<Vec<_>>(), expected, "round {}", vector.round);
        }
        let started = events.iter().rfind(|event| matches!(event, Event::RoundStarted { .. }));
        assert!(matches!(started, Some(Event::RoundStarted { dealer, .. }) if *dealer == seat(vector.dealer)));
        game.turn_up(&mut events);
        assert_eq!(game.pile(), [vector.first_card]);
        assert_eq!(game.draw_pile_cards().collect::<Vec<_>>(), vector.pool);
    }
}

/// A round of snap that seat 0 has to deal, of seed 1.
fn to_be_dealt(seats: usize) -> Game {
    let dealing = parse_setting("dealing=dealer").expect("a setting");
    let set = Arc::new(load_built_in("snap", &[dealing]).expect("a built-in set").set);
    let rules = Rules::for_table(&set, seats, Some(1)).expect("a table");
    let mut game = Game::new(Arc::new(rules), &seed_of_number(1));
    game.deal(&mut Vec::new());
    game
}

/// The draw pile, the next card first.
fn draw_pile(game: &Game) -> Vec<Card> {
    let mut pile: Vec<Card> = game.draw_pile_cards().collect();
    pile.reverse();
    pile
}

#[test]
fn a_dealer_deals_the_deck_of_spec() {
    #[derive(Deserialize)]
    struct Vector {
        seats: usize,
        cards: Vec<Card>,
    }
    let vector: Vector = vectors("dealers_deck_of_seed_1_for_snap");
    assert_eq!(draw_pile(&to_be_dealt(vector.seats)), vector.cards);
}

#[test]
fn a_void_deal_is_shuffled_as_in_spec() {
    #[derive(Deserialize)]
    struct Vector {
        seats: usize,
        dealt: usize,
        cards: Vec<Card>,
    }
    let vectors: Vec<Vector> = vectors("void_deals_of_seed_1_for_snap");
    let mut game = to_be_dealt(vectors[0].seats);
    for Vector { dealt, cards, .. } in vectors {
        let to = (0..dealt).map(|card| seat(card % 2)).collect();
        let call = Verb::Call { against: seat(1), fault: "false_deal".try_into().expect("a short text") };
        for (by, verb) in [(seat(1), Verb::Deal { to }), (seat(0), call)] {
            let verdict = game.apply(by, &verb.into(), game.last_event(), &mut Vec::<Event>::new());
            assert_eq!(verdict, Verdict::Accepted);
        }
        assert_eq!(draw_pile(&game), cards, "{dealt} cards were dealt");
    }
}

#[test]
fn cards_are_taken_as_in_spec() {
    #[derive(Deserialize)]
    struct Vector {
        round: u32,
        take: u32,
        hand: Vec<Card>,
        is: Card,
    }
    for vector in vectors::<Vec<Vector>>("takes_of_seed_1") {
        let at = chance(vector.round).stream(Purpose::Take, vector.take).below(vector.hand.len() as u32);
        assert_eq!(vector.hand[at as usize], vector.is, "take {} of round {}", vector.take, vector.round);
    }
}

#[test]
fn draws_are_those_of_spec() {
    let pool = vectors::<Vec<Deal>>("deals_of_seed_1_for_basic").remove(0).pool;
    let chance = chance(1);
    let mut pile = DrawPile::default();
    pile.clear(2);
    pile.fill(pool.into_iter());
    for (index, card) in vectors::<Vec<(usize, Card)>>("draws_from_the_pool_of_round_1") {
        assert_eq!(pile.draw(&chance, seat(index)), Some(card));
    }
    assert!(pile.is_empty());
}

#[test]
fn answers_are_ordered_as_in_spec() {
    #[derive(Deserialize)]
    struct Vector {
        round: u32,
        tick: u32,
        asked: Vec<Seat>,
        is: Vec<Seat>,
    }
    for vector in vectors::<Vec<Vector>>("order_of_answers_of_seed_1") {
        let mut seats = vector.asked.clone();
        chance(vector.round).stream(Purpose::Order, vector.tick).shuffle_front(&mut seats, vector.asked.len());
        assert_eq!(seats, vector.is, "tick {}", vector.tick);
    }
}

#[test]
fn seeds_read_as_digits_or_as_a_number() {
    let seed = parse_seed("7").expect("a number");
    assert_eq!(parse_seed(&seed.to_string()).expect("its digits"), seed);
    assert_eq!(parse_seed("18446744073709551615").expect("the largest"), seed_of_number(u64::MAX));
    for wrong in ["", "-1", "+1", "x", "18446744073709551616", &"g".repeat(64), &"7".repeat(63)] {
        assert!(parse_seed(wrong).is_err(), "{wrong}");
    }
}
