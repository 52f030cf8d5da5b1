//! What an ask costs the reference bots, in memory and without system calls: `cargo run --release --example ask_cost`.
//! With a bot's name it is that bot on standard input and output, for `agents/python/benchmark.py`. It prints and
//! changes nothing; whether the bots play well is not measured.

use std::io::{Read, Result, Write};
use std::time::Instant;

use maumau_agents::{First, Greedy, Random, SearchOptions};
use maumau_protocol::message::{Ask, AskId, GameId, Start, TimeControl, What};
use maumau_protocol::{Action, Card, Choice, EventNumber, Say, Seat, Suit, Verb, View};
use maumau_sdk::{Agent, Profile, serve};

const GAMES: usize = 64;
const ASKS: usize = 400_000;

fn main() {
    if let Some(name) = std::env::args().nth(1) {
        if let Err(error) = maumau_agents::run(&name, Some(GAMES as u32), SearchOptions::default(), false) {
            eprintln!("{error}");
            std::process::exit(error.exit_status().into());
        }
        return;
    }
    println!("{:>12} {:>14} {:>10}", "bot", "bytes an ask", "us an ask");
    for (wants, with_view) in [("legal", false), ("view+legal", true)] {
        println!("wants {wants}");
        measure("first", with_view, |_| First);
        measure("random", with_view, Random::new);
        measure("greedy", with_view, Greedy::new);
    }
}

fn measure<A: Agent>(name: &str, with_view: bool, make: fn(&Start) -> A) {
    let opening: String = (0..GAMES).map(|game| start(game) + "\n").collect();
    let batch: String = (0..GAMES).map(|number| ask(number, with_view) + "\n").collect();
    let best = (0..7).map(|_| {
        let feed = Feed { opening: opening.as_bytes(), batch: batch.as_bytes(), left: ASKS / GAMES };
        let began = Instant::now();
        serve(Profile::new(name, "1"), feed, Count(0), make).expect("streams in memory do not fail");
        began.elapsed().as_secs_f64() * 1e6 / ASKS as f64
    });
    println!("{name:>12} {:>14} {:>10.2}", batch.len() / GAMES, best.fold(f64::INFINITY, f64::min));
}

/// The opening, then the same batch again and again, each in one read.
struct Feed<'a> {
    opening: &'a [u8],
    batch: &'a [u8],
    left: usize,
}

impl Read for Feed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let mut bytes = std::mem::take(&mut self.opening);
        if bytes.is_empty() && self.left > 0 {
            self.left -= 1;
            bytes = self.batch;
        }
        assert!(bytes.len() <= buffer.len(), "a batch fits into a read");
        buffer[..bytes.len()].copy_from_slice(bytes);
        Ok(bytes.len())
    }
}

struct Count(usize);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0 += std::hint::black_box(bytes).len();
        Ok(bytes.len())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

fn line(kind: &str, message: &impl serde::Serialize) -> String {
    let text = serde_json::to_string(message).expect("json");
    format!(r#"{{"type":"{kind}",{}"#, &text[1..])
}

fn start(game: usize) -> String {
    let start = Start {
        game: name(game),
        seat: Seat::new(0).expect("a seat"),
        names: ["a", "b", "c", "d"].map(String::from).to_vec(),
        rule_set: "basic".to_owned(),
        rules: None,
        rounds: 1,
        time: TimeControl::default(),
        max_strikes: 3,
        commitment: "0".repeat(64),
        public_seed: false,
        seed: "0123456789abcdef".to_owned(),
    };
    line("start", &start)
}

fn ask(number: usize, with_view: bool) -> String {
    let table = [
        ("9C 8D QD 7H JS", "QH", vec![5, 5, 2, 4]),
        ("TC 7D AD KH 9S JS", "9H", vec![6, 1, 3, 6]),
        ("8C QC", "8S", vec![2, 2]),
    ];
    let (hand, top, hands) = table[number % table.len()].clone();
    let card = |code: &str| Card::from_code(code).expect("a card");
    let (hand, top): (Vec<Card>, Card) = (hand.split(' ').map(card).collect(), card(top));
    let mut legal = Vec::new();
    for card in &hand {
        if card.rank().is_some_and(|rank| rank.letter() == 'J') {
            legal.extend(Suit::ALL.map(|suit| Verb::Play { card: *card, choose: Some(Choice::Suit(suit)) }));
        } else if card.rank() == top.rank() || card.suit() == top.suit() {
            legal.push(Verb::Play { card: *card, choose: None });
        }
    }
    let say = if hand.len() == 2 { Say::word("mau") } else { Say::Nothing };
    let mut legal: Vec<Action> = legal.into_iter().map(|verb| Action { verb, say: say.clone() }).collect();
    legal.push(Verb::Draw.into());
    let seats = hands.len();
    let view = View {
        hand,
        top: Some(top),
        turn: Seat::new(0),
        hands,
        draw_pile: 14,
        round: 1,
        rounds: 1,
        dealer: Seat::new(1),
        points: vec![0; seats],
        wins: vec![0; seats],
        ..View::default()
    };
    let ask = Ask {
        game: name(number),
        id: AskId(number as u64),
        seat: Seat::new(0).expect("a seat"),
        what: What::Turn,
        time_ms: 5_000,
        as_of: EventNumber(number as u32),
        events: Vec::new(),
        view: with_view.then_some(view),
        legal,
    };
    line("ask", &ask)
}

fn name(game: usize) -> GameId {
    GameId(format!("game-{game}").into())
}
