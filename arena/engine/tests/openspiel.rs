//! Games recorded from OpenSpiel's `crazy_eights` are replayed by our rules, with the same legal moves at every
//! decision and the same end. `tests/openspiel/record.py` made the recording and explains its letters. OpenSpiel itself
//! is not needed.
//!
//! Where the two notations differ:
//! - OpenSpiel plays an eight and then names its suit by a separate action; here the suit comes with the card. So an eight
//!   among its legal cards stands for the same eight with each of the four suits here, and nothing is done here until its
//!   suit is known. An eight that ends the game there has no suit; here it is played with one that nothing depends on.
//! - OpenSpiel draws owed cards one by one after one decision; here they are one action too.
//! - OpenSpiel reshuffles by drawing at random from the remaining cards; here the resulting order is set beforehand.
//! - Eights that OpenSpiel turns up and puts back are left out; another test checks that none is turned up here.
//! - Scores: OpenSpiel's documentation counts 50 for an eight, 10 for jack, queen, king and (by its greatest penalty, 544)
//!   ace, and the face value of all others. Its program counts the action number of the card plus two for those others. Ours
//!   are the documented ones; the program's are computed from the same final hands and compared with the recorded returns.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "the engine opens no file; its test does")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use maumau_engine::rules::load_built_in;
use maumau_engine::{Game, Phase, Position, PositionPhase, Rules, Unseen, Verdict, seed_of_number};
use maumau_protocol::ruleset::OptionValue;
use maumau_protocol::{Action, Card, Choice, Event, Rank, RoundEnd, Say, Seat, Suit, Verb};
use serde::Deserialize;

/// A line of the recording, by place.
#[derive(Deserialize)]
struct Recorded {
    players: usize,
    special: u8,
    reshuffle: u8,
    max_draws: i64,
    max_cards: i64,
    dealer: usize,
    hands: String,
    first: char,
    draws: String,
    legal: String,
    chosen: String,
    returns: Vec<i32>,
}

const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz012345";
const DRAW: char = '0';
const PASS: char = '1';

fn number(letter: char) -> usize {
    LETTERS.find(letter).unwrap_or_else(|| panic!("{letter:?} is no action"))
}

fn suit(letter: char) -> Suit {
    Suit::ALL[number(letter) - 54]
}

fn card(letter: char) -> Card {
    let number = number(letter);
    let rank = Rank::all().nth(number / 4).expect("the number of a card");
    Card::new(rank, Suit::ALL[number % 4])
}

fn cards(letters: &str) -> Vec<Card> {
    letters.chars().map(card).collect()
}

fn letter_of(card: Card) -> char {
    let (rank, suit) = (card.rank().expect("no joker"), card.suit().expect("no joker"));
    let suit = Suit::ALL.iter().position(|other| *other == suit).expect("a suit");
    LETTERS.as_bytes()[rank.index() * 4 + suit] as char
}

fn is_eight(card: Card) -> bool {
    card.rank().is_some_and(|rank| rank.letter() == '8')
}

fn rules(game: &Recorded) -> Arc<Rules> {
    let settings = [
        ("special_cards", OptionValue::Bool(game.special == 1)),
        ("reshuffle", OptionValue::Bool(game.reshuffle == 1)),
        ("max_draws", OptionValue::Int(game.max_draws)),
        ("max_cards", OptionValue::Int(game.max_cards)),
    ];
    let settings = settings.map(|(name, value)| (name.to_owned(), value));
    let set = Arc::new(load_built_in("crazy-eights", &settings).expect("a sound rule set").set);
    Arc::new(Rules::for_table(&set, game.players, None).expect("a table"))
}

/// The recorded game, with its first card turned up.
fn begin(recorded: &Recorded, rules: &Arc<Rules>) -> Game {
    let hands: Vec<Vec<Card>> = recorded.hands.split(' ').map(cards).collect();
    let mut rest = two_packs_if(recorded.players > 5);
    let first = card(recorded.first);
    for card in hands.iter().flatten().chain([&first]) {
        let place = rest.iter().position(|other| other == card).expect("a card of the pack");
        rest.swap_remove(place);
    }
    let drawn = cards(&recorded.draws);
    let (now, later) = drawn.split_at(drawn.len().min(rest.len()));
    for card in now {
        let place = rest.iter().position(|other| other == card).expect("a card that is left");
        rest.swap_remove(place);
    }
    let draw = [first].into_iter().chain(now.iter().copied()).chain(rest).collect();
    let position = Position {
        dealer: recorded.dealer,
        hands,
        draw,
        later: later.to_vec(),
        phase: PositionPhase::TurnUp,
        ..Position::default()
    };
    let mut game = Game::from_position(Arc::clone(rules), &position, &seed_of_number(1)).expect("a position");
    game.turn_up(&mut Unseen);
    game
}

fn two_packs_if(two: bool) -> Vec<Card> {
    let pack = || (0..52).filter_map(Card::from_index);
    if two { pack().chain(pack()).collect() } else { pack().collect() }
}

/// The recorded legal actions of every decision, in full.
fn legal_sets(recorded: &Recorded) -> Vec<BTreeSet<char>> {
    let mut sets: Vec<BTreeSet<char>> = Vec::new();
    let mut before = BTreeSet::new();
    for (written, chosen) in recorded.legal.split(' ').zip(recorded.chosen.chars()) {
        let written: BTreeSet<char> = if written == "*" { "2345" } else { written }.chars().collect();
        let set: BTreeSet<char> = written.symmetric_difference(&before).copied().collect();
        before = if chosen == DRAW { set.clone() } else { BTreeSet::new() };
        sets.push(set);
    }
    sets
}

/// The moves that our rules allow, in letters of the recording; of an eight every suit must be possible.
fn allowed(game: &Game) -> BTreeSet<char> {
    let mover = game.turn().expect("somebody is to move");
    let mut suits: BTreeMap<Card, BTreeSet<Suit>> = BTreeMap::new();
    let letters = game.legal(mover).iter().map(|verb| match verb {
        Verb::Draw => DRAW,
        Verb::Pass => PASS,
        Verb::Play { card, choose: None } if !is_eight(card) => letter_of(card),
        Verb::Play { card, choose: Some(Choice::Suit(suit)) } if is_eight(card) => {
            suits.entry(card).or_default().insert(suit);
            letter_of(card)
        }
        other => panic!("{other:?} has no counterpart"),
    });
    let letters = letters.collect();
    assert!(suits.values().all(|suits| suits.len() == 4), "every suit can be named with an eight");
    letters
}

/// The price of a card left in the hand: by OpenSpiel's documentation, and by its program.
fn values(card: Card) -> [i32; 2] {
    let rank = card.rank().expect("no joker");
    match rank.letter() {
        '8' => [50, 50],
        'J' | 'Q' | 'K' | 'A' => [10, 10],
        _ => [rank.index() as i32 + 2, number(letter_of(card)) as i32 + 2],
    }
}

/// How a game was compared.
#[derive(Default)]
struct Compared {
    decisions: usize,
    reshuffles: usize,
    won: usize,
    capped: usize,
    blocked: usize,
    /// Games in which the returns are not the documented ones.
    other_scores: usize,
}

fn replay(recorded: &Recorded, place: &str, so_far: &mut Compared) {
    let rules = rules(recorded);
    let mut game = begin(recorded, &rules);
    let legal = legal_sets(recorded);
    assert_eq!(legal.len(), recorded.chosen.len(), "{place}: a set for every decision");
    let mut events: Vec<Event> = Vec::new();
    let mut chosen = recorded.chosen.chars().enumerate();
    while let Some((at, letter)) = chosen.next() {
        assert_eq!(game.phase(), Phase::Play, "{place}: decision {at}: the game goes on");
        let mover = game.turn().expect("somebody is to move");
        assert_eq!(allowed(&game), legal[at], "{place}: decision {at} of {mover:?}");
        so_far.decisions += 1;
        let verb = match letter {
            DRAW => Verb::Draw,
            PASS => Verb::Pass,
            _ if is_eight(card(letter)) => {
                let named = chosen.next().map_or(Suit::Clubs, |(at, named)| {
                    assert_eq!(legal[at], "2345".chars().collect(), "{place}: decision {at}: a suit is named");
                    so_far.decisions += 1;
                    suit(named)
                });
                Verb::Play { card: card(letter), choose: Some(Choice::Suit(named)) }
            }
            _ => Verb::Play { card: card(letter), choose: None },
        };
        let action = Action { verb, say: Say::default() };
        let verdict = game.apply(mover, &action, game.last_event(), &mut events);
        assert_eq!(verdict, Verdict::Accepted, "{place}: decision {at}");
    }
    assert!(game.is_over(), "{place}: the game is over");
    let drawn = events.iter().filter(|event| matches!(event, Event::Drew { .. })).count();
    assert_eq!(drawn, recorded.draws.len(), "{place}: cards drawn");
    so_far.reshuffles += events.iter().filter(|event| matches!(event, Event::Reshuffled { .. })).count();
    for event in &events {
        match event {
            Event::RoundOver { end: RoundEnd::Won, .. } => so_far.won += 1,
            Event::RoundOver { end: RoundEnd::TurnCap, .. } => so_far.capped += 1,
            Event::RoundOver { end: RoundEnd::Blocked, .. } => so_far.blocked += 1,
            _ => {}
        }
    }
    let sums = |way: usize| -> Vec<i32> {
        let cost = |seat: Seat| game.hand(seat).cards().map(|card| values(card)[way]).sum();
        Seat::all(recorded.players).map(cost).collect()
    };
    assert_eq!(game.points(), sums(0), "{place}: the points of OpenSpiel's documentation");
    let returns: Vec<i32> = recorded.returns.iter().map(|value| -value).collect();
    assert_eq!(returns, sums(1), "{place}: the returns of OpenSpiel's program");
    so_far.other_scores += usize::from(sums(0) != sums(1));
}

fn recording() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/openspiel/crazy-eights.jsonl");
    std::fs::read_to_string(path).expect("the recording")
}

#[test]
fn recorded_games_have_the_same_legal_moves_and_the_same_end() {
    let (text, mut compared) = (recording(), Compared::default());
    let mut games = 0;
    for (index, line) in text.lines().enumerate() {
        let recorded: Recorded = serde_json::from_str(line).expect("a line of the recording");
        replay(&recorded, &format!("line {}", index + 1), &mut compared);
        games += 1;
    }
    let Compared { decisions, reshuffles, won, capped, blocked, other_scores } = compared;
    println!(
        "{games} games with {decisions} decisions and {reshuffles} reshuffles: {won} won, {capped} ended by the cap of \
         cards, {blocked} blocked; returns unlike the documentation in {other_scores}"
    );
    assert!(games >= 2_000 && won > 0 && capped > 0 && blocked > 0 && reshuffles > 0, "a recording of all kinds");
}

#[test]
fn no_eight_is_turned_up_first() {
    let set = Arc::new(load_built_in("crazy-eights", &[]).expect("a sound rule set").set);
    for seed in 0..300 {
        let rules = Arc::new(Rules::for_table(&set, 2 + seed as usize % 14, None).expect("a table"));
        let mut game = Game::new(rules, &seed_of_number(seed));
        game.start_round(&mut Unseen);
        let top = *game.pile().last().expect("a first card");
        assert!(!is_eight(top), "seed {seed}");
        let held: usize = Seat::all(game.rules().seats()).map(|seat| game.hand(seat).len() as usize).sum();
        assert_eq!(held + 1 + game.draw_pile_len(), if game.rules().seats() > 5 { 104 } else { 52 }, "no card is lost");
    }
}
