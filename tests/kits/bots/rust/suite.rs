//! The bot of the kits' suite in Rust: it plays by the name of its game.

use std::collections::HashMap;

use maumau_protocol::message::{Ask, Fault, Over, Start, Tell, Want};
use maumau_protocol::{Action, Verb};
use maumau_sdk::{Agent, CardCounter, Dice, Profile, card_points, deck, fits, next_seat, run};

struct Suite {
    start: Start,
    asks: u32,
    dice: Dice,
    counter: Option<CardCounter>,
}

impl Suite {
    fn fail(&self, place: &str) {
        assert!(*self.start.game.0 != *format!("in-{place}"), "no hands in {place}");
    }

    fn kind(&self) -> &str {
        self.start.game.0.split('-').next().unwrap_or_default()
    }

    fn table(&mut self, ask: &Ask) -> String {
        let (Some(rules), Some(counter), Some(view)) = (&self.start.rules, &mut self.counter, &ask.view) else {
            panic!("no rules or no view");
        };
        counter.see(&ask.events);
        let cards: Vec<String> = fits(ask).iter().map(ToString::to_string).collect();
        let points = |card: &str, rules| card_points(card.parse().expect("a card"), rules);
        format!(
            "next {}, fits {}, points {} {} {}, deck {}, unseen {}",
            next_seat(view, self.start.seat),
            cards.join(" "),
            points("JS", None),
            points("JS", Some(rules)),
            points("7H", Some(rules)),
            deck(rules, self.start.names.len()).len(),
            counter.unseen(&view.hand).len()
        )
    }
}

fn say(text: &str) -> Action {
    Verb::Say { text: text.try_into().expect("short") }.into()
}

impl Agent for Suite {
    fn start(&mut self, _: &Start) {
        self.fail("start");
    }

    fn choose(&mut self, ask: &Ask) -> Action {
        self.asks += 1;
        self.fail("choose");
        match self.kind() {
            "last" => ask.legal.last().expect("it is never empty").clone(),
            "count" => say(&format!("{} {}", self.start.game.0, self.asks)),
            "print" => {
                println!("thinking aloud");
                Verb::Draw.into()
            }
            "dice" => say(&self.dice.below(1 << 40).to_string()),
            "table" => say(&self.table(ask)),
            _ => ask.legal.first().expect("it is never empty").clone(),
        }
    }

    fn note(&mut self) -> Option<serde_json::Value> {
        let note = if self.asks == 1 { serde_json::json!({"win": 0.5}) } else { "x".repeat(5000).into() };
        (self.kind() == "note").then_some(note)
    }

    fn tell(&mut self, _: &Tell) {
        self.fail("tell");
    }

    fn fault(&mut self, _: &Fault, _: Option<&Ask>) -> Option<Action> {
        self.fail("fault");
        (self.kind() == "sorry").then(|| Verb::Draw.into())
    }

    fn over(&mut self, _: &Over) {
        self.fail("over");
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let given: HashMap<&str, &str> = words.iter().filter_map(|word| word.split_once('=')).collect();
    let text =
        |name: &str, usual: &'static str| given.get(name).copied().map_or_else(|| usual.to_owned(), str::to_owned);
    let want = |word: &str| match word {
        "view" => Want::View,
        "legal" => Want::Legal,
        "events" => Want::Events,
        _ => Want::Rules,
    };
    let profile = Profile {
        name: text("name", "suite"),
        version: text("version", "1"),
        wants: text("wants", "view,legal,events,rules").split(',').map(want).collect(),
        ticks: text("ticks", "false") == "true",
        games: text("games", "8").parse().expect("a number"),
        plays: None,
    };
    run(profile, |start| Suite {
        start: start.clone(),
        asks: 0,
        dice: Dice::new(start),
        counter: start.rules.as_ref().map(|rules| CardCounter::new(rules, start.names.len())),
    });
}
