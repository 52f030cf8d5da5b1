//! Tests the conversation over scripted streams: each read yields one chunk, each write is kept separately. No process
//! is started.

use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::time::Duration;

use maumau_protocol::message::{AgentMessage, Ask, Fault, Over, Start, Tell};
use maumau_protocol::{Action, Seed, Verb, seed, wire};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::serve::serve_with;
use crate::session::{Session, commitment};
use crate::{Agent, Dice, Profile, ServeError, first_legal};

/// One chunk per read, then the end.
struct Chunks(std::vec::IntoIter<Vec<u8>>);

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(chunk) = self.0.next() else { return Ok(0) };
        buffer[..chunk.len()].copy_from_slice(&chunk);
        Ok(chunk.len())
    }
}

#[derive(Default)]
struct Writes(Vec<String>);

impl Write for Writes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.push(String::from_utf8(bytes.to_vec()).expect("UTF-8"));
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The results of a conversation.
struct Heard {
    end: Result<(), ServeError>,
    writes: Vec<String>,
    complaints: Vec<String>,
    /// The messages that the agents received, in order, as `game: message`.
    diary: Vec<String>,
}

impl Heard {
    /// Every line sent; the arena must accept each.
    fn lines(&self) -> Vec<Value> {
        let lines = self.writes.iter().flat_map(|write| write.split_terminator('\n'));
        lines
            .map(|line| {
                wire::read_agent_line(line.as_bytes()).expect("no blank line").expect("what an agent may send");
                serde_json::from_str(line).expect("json")
            })
            .collect()
    }
}

/// Plays the first legal action and writes down every message it receives.
struct Diarist<'a> {
    game: String,
    diary: &'a RefCell<Vec<String>>,
    again: Option<Action>,
    note: Option<Value>,
}

impl Diarist<'_> {
    fn write(&self, entry: &str) {
        self.diary.borrow_mut().push(format!("{}: {entry}", self.game));
    }
}

impl Agent for Diarist<'_> {
    fn start(&mut self, start: &Start) {
        self.write(&format!("start as {}", start.seat));
    }
    fn choose(&mut self, ask: &Ask) -> Action {
        self.write("ask");
        first_legal(ask)
    }
    fn note(&mut self) -> Option<Value> {
        self.note.take()
    }
    fn tell(&mut self, tell: &Tell) {
        self.write(&format!("{} events", tell.events.len()));
    }
    fn fault(&mut self, fault: &Fault, open: Option<&Ask>) -> Option<Action> {
        self.write(&format!("{} open={}", fault.fault, open.is_some()));
        self.again.take()
    }
    fn over(&mut self, over: &Over) {
        self.write(&format!("place {}", over.result.places[0]));
    }
}

/// Fails in the methods that its game's name lists, separated by `-`.
struct Clumsy(String);

impl Clumsy {
    fn fail(&self, at: &str) {
        assert!(!self.0.split('-').any(|word| word == at), "no hands in {at}");
    }
}

impl Agent for Clumsy {
    fn start(&mut self, _: &Start) {
        self.fail("start");
    }
    fn choose(&mut self, ask: &Ask) -> Action {
        self.fail("choose");
        ask.legal[1].clone()
    }
    fn tell(&mut self, _: &Tell) {
        self.fail("tell");
    }
    fn fault(&mut self, _: &Fault, _: Option<&Ask>) -> Option<Action> {
        self.fail("fault");
        None
    }
    fn over(&mut self, _: &Over) {
        self.fail("over");
    }
}

/// The answers of agents that fail as the names of their games say.
fn clumsy<const N: usize>(messages: [Value; N]) -> Vec<Value> {
    let profile = Profile::new("clumsy", "1");
    let make = |start: &Start| {
        let agent = Clumsy(start.game.0.to_string());
        agent.fail("make");
        agent
    };
    let session = Session::new(profile.clone(), make, |_| {});
    let mut writes = Writes::default();
    serve_with(&profile, Chunks(vec![chunk(messages)].into_iter()), &mut writes, session, Duration::MAX)
        .expect("no error");
    Heard { end: Ok(()), writes: writes.0, complaints: Vec::new(), diary: Vec::new() }.lines()
}

fn converse(chunks: Vec<Vec<u8>>) -> Heard {
    converse_with(chunks, Profile::new("diarist", "1"), None, None)
}

fn converse_with(chunks: Vec<Vec<u8>>, profile: Profile, again: Option<Action>, note: Option<Value>) -> Heard {
    let (diary, complaints) = (RefCell::default(), RefCell::new(Vec::new()));
    let make = |start: &Start| {
        let game = start.game.0.to_string();
        Diarist { game, diary: &diary, again: again.clone(), note: note.clone() }
    };
    let session = Session::new(profile.clone(), make, |complaint| complaints.borrow_mut().push(complaint.to_string()));
    let mut writes = Writes::default();
    let end = serve_with(&profile, Chunks(chunks.into_iter()), &mut writes, session, Duration::MAX);
    Heard { end, writes: writes.0, complaints: complaints.into_inner(), diary: diary.into_inner() }
}

/// One read with these messages.
fn chunk<const N: usize>(messages: [Value; N]) -> Vec<u8> {
    messages.iter().map(|message| format!("{message}\n")).collect::<String>().into_bytes()
}

fn hello(protocol: &str) -> Value {
    let limits = json!({"line_bytes": 65536, "lines_per_ask": 64, "says": 8, "say_chars": 200, "note_bytes": 4096,
        "games": 4096});
    json!({"type": "hello", "protocol": protocol, "arena": "0.1.0", "limits": limits, "clock": "lockstep"})
}

fn start(game: &str) -> Value {
    let time = json!({"move_ms": 5000, "bank_ms": 0, "increment_ms": 0, "start_ms": 10000});
    json!({"type": "start", "game": game, "seat": 1, "names": ["a", "b"], "rule_set": "basic", "rounds": 1,
        "time": time, "max_strikes": 3, "commitment": commitment(game, [7; 32]),
        "seed": "0123456789abcdef"})
}

/// The first legal action plays the last card but one, and says so.
fn ask(game: &str, id: u64) -> Value {
    json!({"type": "ask", "game": game, "id": format!("{id:016x}"), "seat": 1, "what": "turn", "time_ms": 5000,
        "as_of": 3, "view": {"hand": ["7H", "8C"], "top": "7C", "hands": [5, 2]},
        "legal": [{"do": "play", "card": "7H", "say": ["mau"]}, {"do": "draw"}]})
}

fn act(game: &str, id: u64) -> Value {
    json!({"type": "act", "game": game, "id": format!("{id:016x}"), "do": "play", "card": "7H",
        "say": ["mau"]})
}

fn fault(game: &str, id: u64, open: bool) -> Value {
    json!({"type": "fault", "game": game, "id": format!("{id:016x}"), "fault": "wrong_card",
        "message": "it does not fit", "clause": "B-36", "open": open})
}

fn over(game: &str, seed: Option<Seed>) -> Value {
    let result = json!({"places": [1, 2], "points": [0, 0], "wins": [1, 0], "rounds": 1});
    json!({"type": "over", "game": game, "result": result, "seed": seed})
}

fn bye() -> Value {
    json!({"type": "bye", "reason": "done"})
}

fn parsed<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("well formed")
}

#[test]
fn hello_is_answered_with_ready() {
    let heard = converse_with(
        vec![chunk([hello("maumau/1")])],
        Profile { ticks: true, games: 9, ..Profile::new("x", "2") },
        None,
        None,
    );
    let ready = json!({"type": "ready", "protocol": "maumau/1", "name": "x", "version": "2",
        "wants": ["view", "legal", "rules"], "ticks": true, "games": 9});
    assert_eq!(heard.lines(), [ready]);
    assert!(heard.end.is_ok());
}

#[test]
fn a_minor_version_is_welcome_and_another_major_one_refused_in_a_sentence() {
    assert_eq!(converse(vec![chunk([hello("maumau/1.4")])]).lines().len(), 1);
    let unlike_ours = json!({"type": "hello", "protocol": "maumau/2", "everything": "else"});
    for hello in [hello("maumau/2"), unlike_ours] {
        let heard = converse(vec![chunk([hello, start("g")])]);
        let error = heard.end.expect_err("another protocol");
        assert_eq!(error.exit_status(), 2);
        assert_eq!(
            error.to_string(),
            r#"this agent speaks maumau/1 and the arena "maumau/2": they cannot play together"#
        );
        assert!(heard.writes.is_empty() && heard.diary.is_empty());
    }
}

#[test]
fn a_profile_that_would_be_refused_is_refused_here() {
    let long = "x".repeat(65);
    for (profile, word) in [
        (Profile::new(&long, "1"), "name"),
        (Profile::new("x", &long), "version"),
        (Profile { games: 0, ..Profile::new("x", "1") }, "0 games"),
    ] {
        let error = converse_with(vec![], profile, None, None).end.expect_err(word);
        assert!(error.to_string().contains(word), "{error}");
        assert_eq!(error.exit_status(), 2);
    }
}

#[test]
fn each_game_has_an_agent_of_its_own() {
    let heard = converse(vec![
        chunk([start("g1"), start("g2")]),
        chunk([ask("g2", 1)]),
        chunk([json!({"type": "tell", "game": "g1", "events": [{"event": "passed", "seat": 0}]})]),
        chunk([ask("g1", 2)]),
        chunk([over("g2", None), ask("g1", 3)]),
    ]);
    assert_eq!(heard.lines(), [act("g2", 1), act("g1", 2), act("g1", 3)]);
    assert_eq!(
        heard.diary,
        ["g1: start as 1", "g2: start as 1", "g2: ask", "g1: 1 events", "g1: ask", "g2: place 1", "g1: ask"]
    );
    assert_eq!(heard.complaints, [""; 0]);
}

#[test]
fn asks_of_one_read_are_answered_with_one_write() {
    let heard = converse(vec![chunk([start("g1"), start("g2")]), chunk([ask("g1", 1), ask("g2", 2)])]);
    assert_eq!(heard.writes.len(), 1);
    assert_eq!(heard.lines(), [act("g1", 1), act("g2", 2)]);
}

#[test]
fn lines_may_come_in_pieces_of_any_size() {
    let bytes = chunk([hello("maumau/1"), start("g"), ask("g", 1), ask("g", 2), bye()]);
    for size in [1, 7, 100, bytes.len() - 1] {
        let heard = converse(bytes.chunks(size).map(<[u8]>::to_vec).collect());
        assert_eq!(heard.lines()[1..], [act("g", 1), act("g", 2)], "pieces of {size}");
    }
}

#[test]
fn a_line_cut_off_by_the_end_of_input_means_nothing() {
    let mut bytes = chunk([start("g"), ask("g", 1)]);
    bytes.pop();
    let heard = converse(vec![bytes]);
    assert!(heard.end.is_ok() && heard.writes.is_empty());
}

#[test]
fn nothing_is_heard_after_bye() {
    let heard = converse(vec![chunk([start("g"), ask("g", 1), bye(), ask("g", 2)])]);
    assert_eq!(heard.lines(), [act("g", 1)]);
    assert!(heard.end.is_ok());
}

#[test]
fn a_line_without_end_is_refused() {
    let heard = converse(vec![vec![b'x'; 65_536]]);
    assert!(matches!(heard.end, Err(ServeError::LineTooLong)));
}

#[test]
fn what_is_not_known_is_passed_over() {
    let mut asked = ask("g", 1);
    asked["mood"] = json!({"type": "ask"});
    let heard = converse(vec![chunk([
        json!({"type": "weather", "game": "g"}),
        json!({"type": "tell", "game": "nowhere", "events": []}),
        start("g"),
        asked,
    ])]);
    assert_eq!(heard.lines(), [act("g", 1)]);
    assert_eq!(heard.complaints, [""; 0]);
}

#[test]
fn a_broken_line_is_complained_about_and_ends_nothing() {
    let mut bytes = chunk([start("g")]);
    bytes.extend(b"\nnonsense\n{\"type\":\"ask\",\"game\":\"g\"}\n\xff\n");
    bytes.extend(chunk([ask("unknown", 1), ask("g", 2)]));
    let heard = converse(vec![bytes]);
    assert_eq!(heard.lines(), [act("g", 2)]);
    assert_eq!(heard.complaints.len(), 4, "{:?}", heard.complaints);
}

#[test]
fn additions_of_a_newer_arena_are_left_out() {
    let mut started = start("g");
    started["rules"] = json!({"format": 2});
    let mut tell = json!({"type": "tell", "game": "g", "events": [{"event": "sang", "seat": 0}]});
    tell["events"].as_array_mut().expect("a list").push(json!({"event": "passed", "seat": 0}));
    let mut some_known = ask("g", 1);
    some_known["legal"] = json!([{"do": "sing"}, {"do": "play", "card": "7H", "loud": true}, {"do": "draw"}]);
    let mut none_known = ask("g", 2);
    none_known["what"] = json!("serenade");
    none_known["legal"] = json!([{"do": "sing", "song": "x", "say": ["la"]}, {"do": "hum"}]);

    let mut all = Vec::new();
    for message in [started, tell, some_known, none_known] {
        all.push(chunk([message]));
    }
    let heard = converse(all);
    assert_eq!(heard.complaints, [""; 0]);
    assert_eq!(heard.diary, ["g: start as 1", "g: 1 events", "g: ask"]);
    let answers: Vec<Value> = heard.writes.iter().map(|write| serde_json::from_str(write).expect("json")).collect();
    assert_eq!(
        answers,
        [
            json!({"type": "act", "game": "g", "id": "0000000000000001", "do": "draw"}),
            json!({"type": "act", "game": "g", "id": "0000000000000002", "do": "sing", "song": "x", "say": ["la"]}),
        ]
    );
}

#[test]
fn an_ask_that_a_fault_leaves_open_is_answered_anew() {
    let draw = json!({"type": "act", "game": "g", "id": "0000000000000001", "do": "draw"});
    for (again, answer) in [(Some(Action::from(Verb::Draw)), draw), (None, act("g", 1))] {
        let chunks = vec![chunk([start("g"), ask("g", 1)]), chunk([fault("g", 1, true)])];
        let heard = converse_with(chunks, Profile::new("x", "1"), again, None);
        assert_eq!(heard.lines(), [act("g", 1), answer]);
        assert_eq!(heard.diary[2..], ["g: wrong_card open=true"]);
        assert_eq!(heard.complaints, ["wrong_card in game g: it does not fit (B-36)"]);
    }
}

#[test]
fn an_action_that_came_too_late_is_not_complained_about() {
    let late = json!({
        "type": "fault", "game": "g", "id": "0000000000000001", "fault": "interrupted",
        "message": "another action came first; nothing is charged", "clause": "G-03",
    });
    assert_eq!(converse(vec![chunk([start("g"), ask("g", 1), late])]).complaints, [""; 0]);
}

#[test]
fn a_fault_of_another_or_a_closed_ask_is_not_answered() {
    let answer = Some(Action::from(Verb::Draw));
    let chunks = vec![chunk([start("g"), ask("g", 1), fault("g", 1, false), fault("g", 9, true)])];
    let heard = converse_with(chunks, Profile::new("x", "1"), answer, None);
    assert_eq!(heard.lines(), [act("g", 1)]);
    assert_eq!(heard.diary[2..], ["g: wrong_card open=false", "g: wrong_card open=false"]);
}

#[test]
fn a_fault_before_the_first_game_is_reported() {
    let fault = json!({"type": "fault", "fault": "wrong_shape", "message": "/games: at least 1", "clause": "S-12"});
    assert_eq!(converse(vec![chunk([fault])]).complaints, ["wrong_shape: /games: at least 1 (S-12)"]);
}

#[test]
fn commitments_are_those_of_spec() {
    let (_, rest) =
        include_str!("../../../protocol/SPEC.md").split_once("<!-- vectors -->\n```json\n").expect("vectors");
    let (vectors, _) = rest.split_once("\n```\n").expect("the end of the vectors");
    let vectors: Value = serde_json::from_str(vectors).expect("JSON");
    for vector in vectors["commitment"].as_array().expect("a list") {
        let seed = vectors["seed_of_number"][vector["seed"].to_string()].as_str().expect("a seed");
        let seed = seed::unhex(seed).expect("64 digits");
        assert_eq!(commitment(vector["game"].as_str().expect("a game"), seed), vector["is"]);
    }
}

#[test]
fn the_seed_must_be_the_one_committed_to() {
    let seed = |byte| Seed([byte; 32]);
    for (seed, complaints) in [(None, 0), (Some(seed(7)), 0), (Some(seed(8)), 1)] {
        let heard = converse(vec![chunk([start("g"), over("g", seed)])]);
        assert_eq!(heard.complaints.len(), complaints, "{:?}", heard.complaints);
        assert_eq!(heard.diary.last().expect("an entry"), "g: place 1");
    }
    let mut no_seed = over("g", None);
    no_seed["seed"] = json!("xyz");
    let heard = converse(vec![chunk([start("g"), no_seed])]);
    assert_eq!(heard.complaints, ["the seed of game g is not the one that the arena was committed to"]);
}

#[test]
fn a_note_goes_before_its_answer_and_one_too_long_nowhere() {
    let play = || vec![chunk([start("g"), ask("g", 1)])];
    let heard = converse_with(play(), Profile::new("x", "1"), None, Some(json!({"win": 0.7})));
    assert_eq!(heard.lines(), [json!({"type": "note", "game": "g", "note": {"win": 0.7}}), act("g", 1)]);

    let heard = converse_with(play(), Profile::new("x", "1"), None, Some(json!("x".repeat(4_095))));
    assert_eq!(heard.lines(), [act("g", 1)]);
    assert_eq!(heard.complaints, ["a note of 4097 bytes was dropped; at most 4096"]);
}

#[test]
fn dice_follow_the_seed_and_reach_every_item() {
    let start: Start = parsed(start("g"));
    let throw = |dice: &mut Dice| (0..200).map(|_| dice.below(6)).collect::<Vec<_>>();
    let thrown = throw(&mut Dice::new(&start));
    assert_eq!(thrown, throw(&mut Dice::new(&start)));
    assert!((0..6).all(|face| thrown.contains(&face)) && thrown.iter().all(|face| *face < 6));
    assert_ne!(thrown, throw(&mut Dice::new(&Start { seed: "1".into(), ..start.clone() })));
    assert_eq!(Dice::new(&start).pick::<u8>(&[]), None);
    let mut dice = Dice::new(&start);
    throw(&mut dice);
    let mut copy = dice.clone();
    assert_eq!(throw(&mut dice), throw(&mut copy));
}

#[test]
fn an_arena_that_closed_its_end_is_no_error() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let input = Chunks(vec![chunk([hello("maumau/1"), bye()])].into_iter());
    let make = |_: &Start| -> Diarist<'_> { unreachable!("no game starts") };
    assert!(crate::serve(Profile::new("x", "1"), input, Closed, make).is_ok());
}

/// The protocol reads every line above that stands for one of the arena's.
#[test]
fn the_script_speaks_the_protocol() {
    for message in [hello("maumau/1"), start("g"), ask("g", 1), fault("g", 1, true), over("g", None), bye()] {
        assert!(matches!(wire::read_arena_line(&message.to_string()), Ok(Some(_))), "{message}");
    }
    let ours = wire::read_agent_line(act("g", 1).to_string().as_bytes()).expect("not blank").expect("an act");
    assert!(matches!(ours, AgentMessage::Act(_)));
}

#[test]
fn a_panic_is_reported_with_the_next_answer_and_ends_nothing() {
    let tell = |game: &str| json!({"type": "tell", "game": game, "events": [{"event": "request_over"}]});
    for at in ["make", "start", "choose", "tell"] {
        let answers = clumsy([start(at), start("calm"), tell(at), ask(at, 1), ask("calm", 2), ask(at, 3)]);
        let crashes: Vec<Option<&str>> = answers.iter().map(|answer| answer["crash"].as_str()).collect();
        let said = format!("panic: no hands in {at}");
        let again = match at {
            "choose" => Some(said.as_str()),
            "make" => Some("the agent could not be made"),
            _ => None,
        };
        assert_eq!(crashes, [Some(said.as_str()), None, again], "{at}");
        let legal = [&answers[0]["do"], &answers[1]["do"]];
        assert_eq!(legal, [if ["make", "choose"].contains(&at) { "play" } else { "draw" }, "draw"], "{at}");
    }
    let open = json!({"type": "fault", "game": "fault", "id": format!("{:016x}", 1), "fault": "not_json", "message": "",
        "clause": "SPEC 6.3", "cards": 0, "strikes": 1, "open": true});
    let answers = clumsy([start("fault"), ask("fault", 1), open]);
    assert_eq!(answers[1]["crash"], "panic: no hands in fault");
}
