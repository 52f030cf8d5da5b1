//! Screens in a pseudo terminal: a script reads the screen and presses keys, as a person does. It plays whole games by every
//! rule set, goes through records and watches runs. What each screen looks like is pinned in `arena/terminal`.

use std::time::Duration;

use serde_json::Value;

use crate::arena::{Arena, HONEST};
use crate::pseudo_terminal::PseudoTerminal;

/// A game between a person and bots.
struct Table {
    arena: Arena,
    terminal: PseudoTerminal,
}

impl Table {
    fn new(arguments: &[&str]) -> Table {
        let arena = Arena::new();
        let record = arena.path("game.jsonl");
        let fixed = ["play", "--format", "json", "--record", &record, "--bot-pace", "full", "--seat", "human"];
        let terminal = PseudoTerminal::start(&[&fixed[..], arguments].concat(), &[], true);
        Table { arena, terminal }
    }

    /// What a bot would do now, as the screen says it after `h`; `None` if the game is over or nothing is asked.
    fn hint(&mut self) -> Option<String> {
        // What the others did is shown at once, and so is the end of a round.
        self.terminal.press(".h");
        self.terminal.settle();
        let text = self.terminal.text();
        let hint = text.lines().find_map(|line| line.strip_prefix("greedy would "));
        hint.map(str::to_owned)
    }

    /// Puts the words of a hint on the tongue, by the keys that the screen shows for them.
    fn choose_words(&mut self, hint: &str) {
        for word in hint.split(" say \"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let text = self.terminal.text();
            let due = text.lines().find_map(|line| line.strip_prefix("Words due: ")).unwrap_or_default();
            let place = due.split("  ").position(|part| part.contains(&format!("\"{word}\"")));
            if let Some(place) = place {
                self.terminal.press(&(place + 1).to_string());
                self.terminal.settle();
            }
        }
    }

    /// The key of the line of a menu that says `words`.
    fn key_of(&self, words: &str) -> Option<char> {
        let text = self.terminal.text();
        let line = text.lines().find(|line| line.contains('│') && line.contains(words))?;
        line.split('│').nth(1)?.trim().chars().next()
    }

    /// Does what a hint says, with the keys of a person.
    fn follow(&mut self, hint: &str) {
        let verb = hint.split(" and say ").next().unwrap_or_default();
        if !verb.starts_with("say ") {
            self.choose_words(hint);
        }
        let press = |table: &mut Table, keys: &str| {
            table.terminal.press(keys);
            table.terminal.settle();
        };
        match verb.split(' ').next().unwrap_or_default() {
            "play" => {
                press(self, "\r");
                for question in [" you name ─", "The run ─"] {
                    if self.terminal.text().contains(question) {
                        press(self, "\r");
                    }
                }
            }
            "add" => {
                press(self, "n");
                if self.terminal.text().contains("Which?") {
                    press(self, "\r");
                }
            }
            "challenge" => press(self, "x"),
            "name" => {
                press(self, "n");
                if let Some(key) = self.key_of(verb) {
                    press(self, &key.to_string());
                }
            }
            "say" => {
                self.choose_words(&format!(" {verb}"));
                press(self, "s");
            }
            "call" => {
                press(self, "c");
                press(self, "\r");
            }
            "take" => {
                press(self, "t");
                if self.terminal.text().contains("Which?") {
                    press(self, "\r");
                }
            }
            "draw" => press(self, "d"),
            "pass" => press(self, "p"),
            "look" => press(self, "l"),
            "deal" if verb.contains("penalty") => press(self, "b"),
            "deal" => press(self, "g"),
            "turn" => press(self, "u"),
            "end" => press(self, "o"),
            "do" => press(self, "w"),
            other => panic!("no key for {other:?}; the screen:\n{}", self.terminal.text()),
        }
    }

    /// Plays to the end; returns the result that the arena prints.
    fn play_on(&mut self) -> Value {
        while self.terminal.exited().is_none() && !self.terminal.text().contains("The match is over") {
            match self.hint() {
                Some(hint) => self.follow(&hint),
                None => _ = self.terminal.read(Duration::from_millis(200)),
            }
        }
        let (status, written) = self.terminal.end();
        assert_eq!(status.code(), Some(0), "{}", self.terminal.text());
        assert!(!self.terminal.is_taken_over(), "the terminal is given back");
        serde_json::from_str(&written).expect("the result as JSON")
    }
}

/// A person plays a whole game; its record verifies, and nothing that the screen sent was a fault of conduct. Returns what the
/// person did, as the record has it.
fn check_game(rules: &str, arguments: &[&str]) -> Vec<String> {
    let rounds = if arguments.contains(&"--rounds") { &[][..] } else { &["--rounds", "1"] };
    let mut table = Table::new(&[&["--rules", rules, "--seed", "7"], rounds, arguments].concat());
    table.terminal.wait_for("you");
    assert!(table.terminal.is_taken_over());
    let result = table.play_on();
    assert_eq!(result["names"][0], "human");
    assert_eq!(result["result"]["dismissed"], serde_json::json!([]), "{result}");
    if !rounds.is_empty() {
        assert_eq!(result["result"]["rounds"], 1, "{result}");
    }
    for fault in ["wrong_shape", "unknown_id", "stale_id", "not_an_answer", "unknown_verb", "silent"] {
        assert!(result["faults"][0].get(fault).is_none(), "{fault}: {result}");
    }
    let record = table.arena.path("game.jsonl");
    let verified = table.arena.run(&["verify", &record]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let record = std::fs::read_to_string(record).expect("a record");
    let acts = record.lines().filter(|line| line.contains(r#""entry":"act""#) && line.contains(r#""seat":0"#));
    let acts: Vec<String> = acts.map(str::to_owned).collect();
    assert!(!acts.is_empty(), "the person has acted");
    acts
}

const GREEDY: [&str; 2] = ["--seat", "maumau agent greedy"];

#[test]
fn a_person_plays_basic() {
    check_game("basic", &GREEDY);
}

#[test]
fn a_person_plays_crazy_eights() {
    check_game("crazy-eights", &GREEDY);
}

#[test]
fn a_person_plays_deluxe() {
    check_game("deluxe", &[&GREEDY[..], &GREEDY[..]].concat());
}

#[test]
fn a_person_plays_skat() {
    check_game("skat", &GREEDY);
}

#[test]
fn a_person_plays_snap() {
    check_game("snap", &[&GREEDY[..], &["--clock", "lockstep"]].concat());
}

#[test]
fn a_person_plays_spam() {
    check_game("spam", &[&GREEDY[..], &["--clock", "lockstep"]].concat());
}

/// Plays a game by lockstep in which the person does something that the record has as `act`.
fn check_mechanism(rules: &str, arguments: &[&str], act: &str) {
    let acts = check_game(rules, &[&GREEDY[..], &["--clock", "lockstep"], arguments].concat());
    assert!(acts.iter().any(|line| line.contains(act)), "{act} in {acts:#?}");
}

#[test]
fn a_person_plays_eights_and_its_countdown() {
    check_mechanism("eights", &[], r#""suit""#);
    check_mechanism("countdown", &[], r#""draw""#);
}

#[test]
fn a_person_plays_mau_mau_and_its_neighbours() {
    for rules in ["mau-mau", "tschau-sepp", "pesten", "prsi"] {
        check_mechanism(rules, &[], r#""play""#);
    }
}

#[test]
fn a_person_plays_several_cards_at_once() {
    check_mechanism("makao", &[], r#""cards":["#);
    check_mechanism("waterfall", &["--rounds", "3"], r#""cards":["#);
    check_mechanism("switch", &[], r#""play""#);
}

#[test]
fn a_person_names_colours_and_players() {
    check_mechanism("colours", &["--set", "seven_zero=true"], r#""choose":{"seat""#);
}

#[test]
fn a_person_adds_rules() {
    check_mechanism("bartok", &["--rounds", "4"], r#""rule""#);
}

#[test]
fn who_leaves_is_replaced_by_the_referee() {
    let mut table = Table::new(&GREEDY);
    table.terminal.wait_for("you");
    table.terminal.press("q");
    table.terminal.wait_for("Leave the game?");
    table.terminal.press("y");
    let (status, written) = table.terminal.end();
    assert_eq!(status.code(), Some(0));
    let result: Value = serde_json::from_str(&written).expect("the result as JSON");
    assert_eq!(result["result"]["dismissed"], serde_json::json!([0]), "{result}");
    assert!(table.terminal.text().contains("You have left the table."));
}

#[test]
fn who_thinks_too_long_gets_what_a_bot_gets() {
    let mut table = Table::new(&[&GREEDY[..], &["--move-ms", "60", "--rules", "basic", "--rounds", "1"]].concat());
    let (status, written) = table.terminal.end();
    assert_eq!(status.code(), Some(0));
    let result: Value = serde_json::from_str(&written).expect("the result as JSON");
    assert!(result["faults"][0].get("slow").is_some(), "{result}");
    assert!(!table.terminal.is_taken_over());
}

#[test]
fn a_person_needs_a_terminal_of_their_own() {
    let arena = Arena::new();
    let run = arena.play(&["--seat", "human", "--seat", "human"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("two people cannot share a terminal"), "{}", run.stderr);
}

#[test]
fn a_record_is_gone_through_on_a_terminal_and_written_as_text_elsewhere() {
    let arena = Arena::new();
    let two = ["--seat", HONEST, "--seat", "maumau agent greedy", "--seed", "7", "--quiet"];
    assert_eq!(arena.play(&two).code, Some(0));
    let record = arena.path("game.jsonl");
    let text = arena.run(&["replay", &record]).stdout;
    assert!(text.contains("wins the match"), "{text}");

    let mut terminal = PseudoTerminal::start(&["replay", &record], &[], false);
    terminal.wait_for("the deal,");
    assert!(terminal.is_taken_over());
    terminal.press("\x1b[C");
    terminal.wait_for("move 1 of");
    terminal.press("\x1b[F");
    terminal.wait_for("wins the match");
    terminal.press("?");
    terminal.wait_for("any key closes this");
    terminal.press("?q");
    assert_eq!(terminal.end().0.code(), Some(0));
    assert!(!terminal.is_taken_over());

    let mut terminal = PseudoTerminal::start(&["replay", "--plain", &record], &[("NO_COLOR", "1")], false);
    assert_eq!(terminal.end().0.code(), Some(0));
    assert!(!terminal.is_taken_over() && terminal.text().contains("first"), "{}", terminal.text());
}

#[test]
fn a_lesson_is_played_on_a_terminal() {
    let mut terminal = PseudoTerminal::start(&["learn", "basic"], &[], false);
    terminal.wait_for("1 of ");
    assert!(terminal.is_taken_over());
    // The second card does not fit; the second try plays it.
    terminal.press("\x1b[C\r");
    terminal.wait_for("enter once more plays it anyway");
    terminal.press("\r");
    terminal.wait_for("No. ");
    terminal.press("\r");
    terminal.wait_for("play a lifted card");
    terminal.press("h");
    terminal.wait_for("Solution: play 10♥");
    terminal.press("\t\r");
    terminal.wait_for("Right. ");
    terminal.press("\r");
    terminal.wait_for("2 of ");
    terminal.press("q");
    assert_eq!(terminal.end().0.code(), Some(0));
    assert!(!terminal.is_taken_over());
    assert!(terminal.text().contains("maumau rules explain basic"), "{}", terminal.text());
}

#[test]
fn without_utf_8_suits_are_letters() {
    let arena = Arena::new();
    let two = ["--seat", HONEST, "--seat", HONEST, "--seed", "7", "--quiet"];
    assert_eq!(arena.play(&two).code, Some(0));
    let variables = [("LC_ALL", "C"), ("NO_COLOR", "1")];
    let mut terminal = PseudoTerminal::start(&["replay", &arena.path("game.jsonl")], &variables, false);
    terminal.wait_for("the deal,");
    terminal.settle();
    assert!(terminal.text().is_ascii(), "{}", terminal.text());
    terminal.press("q");
    assert_eq!(terminal.end().0.code(), Some(0));
}

#[test]
fn a_run_is_watched_from_another_terminal() {
    let arena = Arena::new();
    let league = "name = \"seen\"\nrules = \"basic\"\nseats = 2\ngames_per_pairing = 4\npublic_seed = true\nseed = 7\n\n[[agent]]\ncommand = \"maumau agent first\"\n\n[[agent]]\ncommand = \"maumau agent greedy\"\n";
    std::fs::write(arena.path("seen.toml"), league).expect("a league file");
    assert_eq!(arena.run(&["tournament", "run", &arena.path("seen.toml"), "--quiet"]).code, Some(0));
    let run = arena.path("seen.maumau");
    let text = arena.run(&["watch", &run]);
    assert!(text.stdout.contains("4 of 4 games, 100 %") && text.stdout.contains("greedy"), "{text:?}");
    let mut terminal = PseudoTerminal::start(&["watch", &run], &[], false);
    terminal.wait_for("4 of 4 games");
    terminal.wait_for("complete");
    terminal.press("q");
    assert_eq!(terminal.end().0.code(), Some(0));
    assert!(!terminal.is_taken_over());
    let none = arena.run(&["watch", &arena.path("none.maumau")]);
    assert_eq!(none.code, Some(2), "{none:?}");
    assert!(none.stderr.contains("there is no run file"), "{none:?}");
}

#[test]
fn games_of_a_run_are_shown_between_its_standings() {
    let arena = Arena::new();
    let league = "name = \"seen\"\nrules = \"basic\"\nseats = 2\ngames_per_pairing = 2\nseed = 7\n\n[[agent]]\ncommand = \"maumau agent first\"\n\n[[agent]]\ncommand = \"maumau agent greedy\"\n";
    std::fs::write(arena.path("seen.toml"), league).expect("a league file");
    let run = arena.path("seen.maumau");
    assert_eq!(arena.run(&["tournament", "run", &arena.path("seen.toml"), "--quiet"]).code, Some(0));
    let mut terminal = PseudoTerminal::start(&["watch", &run, "--games"], &[], false);
    terminal.wait_for("Next: g000-d0000-r1");
    terminal.press("\t");
    terminal.wait_for("eyes: referee");
    terminal.wait_for("move 1");
    assert!(!terminal.text().contains("wins"), "{}", terminal.text());
    terminal.press("\t");
    terminal.wait_for("Next: g000-d0000-r0");
    terminal.press("q");
    assert_eq!(terminal.end().0.code(), Some(0));
    assert!(!terminal.is_taken_over());
    let piped = arena.run(&["watch", &run, "--games"]);
    assert_eq!(piped.code, Some(2), "{piped:?}");
    assert!(piped.stderr.contains("--games needs a terminal"), "{piped:?}");
}
