//! Games recorded from RLCard's `uno` are replayed by our rule set `colours`, with the same legal cards at every
//! decision. `tests/rlcard/record.py` made the recording, explains its letters and says where a game is left because the two
//! games part. RLCard itself is not needed.
//!
//! Ours plays with `must_play` and without the challenge. What differs beside that, and is allowed for here:
//! - A wild plus four: RLCard allows it only where nothing else goes, not even another wild card or a card of the same number
//!   or symbol; ours where no card of the colour is held (CO-08).
//! - A card that is drawn: RLCard plays it at once if its colour fits or it is wild; ours may be kept, and may also be played
//!   for its number or symbol (CO-05).
//! - Cards that are owed: RLCard gives them at once; here their player draws them by an action.
//! - A wild card turned up: RLCard names its colour by lot, ours lets the first player name it (CO-04).
#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "the engine opens no file; its test does")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use maumau_engine::rules::load_built_in;
use maumau_engine::{Game, Position, PositionPhase, Rules, Unseen, Verdict, seed_of_number};
use maumau_protocol::ruleset::OptionValue;
use maumau_protocol::{Action, Card, Choice, Event, Say, Seat, SeatSet, Suit, Verb};
use serde::Deserialize;

/// A line of the recording, by place.
#[derive(Deserialize)]
struct Recorded {
    players: usize,
    pack: String,
    named_first: String,
    legal: String,
    done: String,
    held: Vec<u16>,
    end: String,
}

/// How often the games agreed, and how often in which of the ways that are allowed for they did not.
#[derive(Default)]
struct Compared {
    decisions: usize,
    drawn_and_played: usize,
    drawn_that_only_ours_plays: usize,
    wild_fours_that_only_ours_allows: usize,
    debts: usize,
    won: usize,
}

const WILD_FOUR: &str = "W4";

fn card(code: &str) -> Card {
    Card::from_code(code).unwrap_or_else(|| panic!("{code:?} is no card"))
}

fn colour(letter: &str) -> Suit {
    letter.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// Codes that follow each other.
fn cards(codes: &str) -> Vec<Card> {
    codes.as_bytes().chunks(2).map(|code| card(std::str::from_utf8(code).expect("two letters"))).collect()
}

/// The rules of a table.
fn rules(players: usize) -> Arc<Rules> {
    let settings = [("must_play", true), ("challenge", false)];
    let settings = settings.map(|(name, value)| (name.to_owned(), OptionValue::Bool(value)));
    let set = Arc::new(load_built_in("colours", &settings).expect("a sound rule set").set);
    Arc::new(Rules::for_table(&set, players, None).expect("a table"))
}

/// The recorded game, with its first card turned up.
fn begin(recorded: &Recorded, rules: Arc<Rules>) -> Game {
    let pack = cards(&recorded.pack);
    assert_eq!(pack.len(), 108, "a whole pack");
    let (hands, draw) = pack.split_at(7 * recorded.players);
    let position = Position {
        dealer: recorded.players - 1,
        hands: hands.chunks(7).map(<[Card]>::to_vec).collect(),
        draw: draw.to_vec(),
        phase: PositionPhase::TurnUp,
        ..Position::default()
    };
    let mut game = Game::from_position(rules, &position, &seed_of_number(1)).expect("a position");
    game.turn_up(&mut Unseen);
    game
}

/// The cards that the one to move may play, a wild one with each of the four colours, and whether it may draw.
fn allowed(game: &Game) -> (BTreeSet<String>, bool) {
    let (mut codes, mut colours, mut draws) = (BTreeSet::new(), 0, false);
    for verb in game.legal(game.turn().expect("somebody is to move")).iter() {
        match verb {
            Verb::Play { card, choose } => {
                colours += usize::from(choose.is_some());
                codes.insert(card.to_string());
            }
            Verb::Draw => draws = true,
            // After a card that was drawn, or of another player's missing word.
            Verb::Pass | Verb::Call { .. } => {}
            other => panic!("{other:?} has no counterpart"),
        }
    }
    let wild = codes.iter().filter(|code| code.starts_with('W')).count();
    assert_eq!(colours, 4 * wild, "every colour can be named with a wild card, and with no other");
    (codes, draws)
}

fn act(game: &mut Game, verb: Verb, events: &mut Vec<Event>, place: &str) {
    let mover = game.turn().expect("somebody is to move");
    let action = Action { verb, say: Say::default() };
    let verdict = game.apply(mover, &action, game.last_event(), events);
    assert_eq!(verdict, Verdict::Accepted, "{place}: {action:?} of {mover:?}");
}

fn play(card: Card, named: &str) -> Verb {
    Verb::Play { card, choose: (!named.is_empty()).then(|| Choice::Suit(colour(named))) }
}

fn replay(recorded: &Recorded, rules: Arc<Rules>, place: &str, so_far: &mut Compared) {
    let (mut game, mut events) = (begin(recorded, rules), Vec::new());
    if !recorded.named_first.is_empty() {
        act(&mut game, Verb::Choose(Choice::Suit(colour(&recorded.named_first))), &mut events, place);
    }
    assert_eq!(
        recorded.legal.split(' ').count(),
        recorded.done.split(' ').count(),
        "{place}: every decision has its legal cards"
    );
    for (at, (legal, done)) in recorded.legal.split(' ').zip(recorded.done.split(' ')).enumerate() {
        let place = format!("{place}: decision {at}");
        let (mut ours, draws) = allowed(&game);
        if ours.len() > 1 && ours.remove(WILD_FOUR) {
            so_far.wild_fours_that_only_ours_allows += 1;
        }
        let theirs: BTreeSet<String> =
            if legal == "--" { BTreeSet::new() } else { cards(legal).iter().map(Card::to_string).collect() };
        assert_eq!(ours, theirs, "{place}: legal cards");
        assert_eq!(draws, theirs.is_empty(), "{place}: a card is drawn if none can be played");
        so_far.decisions += 1;
        let mover = game.turn();
        match done.split_at(2) {
            ("--", _) | ("-+", _) => {
                act(&mut game, Verb::Draw, &mut events, &place);
                assert_eq!(game.turn(), mover, "{place}: a card that was drawn is kept or played");
                let (playable, _) = allowed(&game);
                assert!(playable.len() <= 1, "{place}: only the card that was drawn may be played: {playable:?}");
                if done == "--" {
                    so_far.drawn_that_only_ours_plays += playable.len();
                    act(&mut game, Verb::Pass, &mut events, &place);
                } else {
                    so_far.drawn_and_played += 1;
                    let drawn = playable.first().unwrap_or_else(|| panic!("{place}: the card drawn may be played"));
                    act(&mut game, play(card(drawn), &done[2..]), &mut events, &place);
                }
            }
            (code, named) => act(&mut game, play(card(code), named), &mut events, &place),
        }
        let is_over = events.iter().any(|event| matches!(event, Event::RoundOver { .. }));
        if !is_over && game.pending().draw > 0 {
            so_far.debts += 1;
            assert_eq!(allowed(&game), (BTreeSet::new(), true), "{place}: a debt is drawn");
            act(&mut game, Verb::Draw, &mut events, &place);
        }
    }
    let mut left: Vec<u16> = Seat::all(recorded.players).map(|seat| game.hand(seat).len()).collect();
    let mut winners = None;
    for event in &events {
        match event {
            Event::RoundOver { winners: won, .. } => winners = Some(*won),
            Event::Scored { seat, hand, .. } => left[seat.index()] = hand.len() as u16,
            _ => {}
        }
    }
    assert_eq!(left, recorded.held, "{place}: cards held at the end");
    let winner = recorded.held.iter().position(|held| *held == 0).and_then(Seat::new);
    assert_eq!(winners, winner.map(SeatSet::of), "{place}: who has won");
    assert_eq!(winner.is_some(), recorded.end == "won", "{place}: the end");
    so_far.won += usize::from(winner.is_some());
}

#[test]
fn recorded_games_of_colours_have_the_same_legal_cards_and_the_same_end() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/rlcard/colours.jsonl");
    let (text, mut compared) = (std::fs::read_to_string(path).expect("the recording"), Compared::default());
    let mut tables: BTreeMap<usize, Arc<Rules>> = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let recorded: Recorded = serde_json::from_str(line).expect("a line of the recording");
        let rules = tables.entry(recorded.players).or_insert_with(|| rules(recorded.players));
        replay(&recorded, Arc::clone(rules), &format!("line {}", index + 1), &mut compared);
    }
    let Compared {
        decisions,
        drawn_and_played,
        drawn_that_only_ours_plays,
        wild_fours_that_only_ours_allows,
        debts,
        won,
    } = compared;
    println!(
        "{} games with {decisions} decisions, {won} of them won: {debts} debts and {drawn_and_played} cards drawn and played as \
         there; only ours would play {drawn_that_only_ours_plays} cards just drawn and allows {wild_fours_that_only_ours_allows} \
         times a wild plus four",
        text.lines().count(),
    );
    let seen = [drawn_and_played, drawn_that_only_ours_plays, wild_fours_that_only_ours_allows, debts, won];
    assert!(decisions >= 20_000 && seen.iter().all(|count| *count > 0), "a recording of all kinds");
}
