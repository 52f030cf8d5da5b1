//! The inner loops of a move, one at a time: `cargo bench -p maumau-referee`. It only measures; what each loop must do
//! is tested elsewhere.

use std::sync::Arc;

use divan::{Bencher, black_box};
use maumau_engine::rules::load_built_in;
use maumau_engine::{Game, Rules, Unseen, seed_of_number};
use maumau_protocol::message::{AgentMessage, Ask, AskId, ClockMode, GameId, TimeControl, What};
use maumau_protocol::wire::{read_agent_line, read_arena_line, write_act};
use maumau_protocol::{Action, SeatSet, View, write_json};
use maumau_referee::record::{ActEntry, Entry, Header, Meta, RECORD_FORMAT};
use maumau_referee::{GameLog, Logged, Replay, Verifier};

fn main() {
    divan::main();
}

const SETS: [&str; 3] = ["basic", "skat", "deluxe"];

fn rules(set: &str) -> Arc<Rules> {
    let set = Arc::new(load_built_in(set, &[]).expect("a built-in set").set);
    Arc::new(Rules::for_table(&set, 4, Some(1)).expect("a table of four"))
}

/// A game after its deal.
fn begun(set: &str) -> Game {
    let mut game = Game::new(rules(set), &seed_of_number(1));
    game.start_round(&mut Unseen);
    game
}

/// What the seat to move is asked first in a game.
fn ask(set: &str) -> Ask {
    let game = begun(set);
    let seat = game.waits_for().expect("somebody to move");
    let mut view = View::default();
    game.view_into(seat, &mut view);
    let legal = game.legal(seat).iter().map(Action::from).collect();
    Ask {
        game: GameId("g-000017".into()),
        id: AskId(17),
        seat,
        what: What::Turn,
        time_ms: 5_000,
        as_of: game.last_event(),
        events: Vec::new(),
        view: Some(view),
        legal,
    }
}

/// The line of an ask without view, as bots that only choose get it.
fn short_ask(set: &str) -> String {
    let message = maumau_protocol::message::ArenaMessage::Ask(Box::new(Ask { view: None, ..ask(set) }));
    serde_json::to_string(&message).expect("a JSON form")
}

#[divan::bench(args = SETS)]
fn list_what_is_legal(bencher: Bencher<'_, '_>, set: &str) {
    let game = begun(set);
    let seat = game.waits_for().expect("somebody to move");
    bencher.bench_local(|| black_box(&game).legal(seat).len());
}

#[divan::bench(args = SETS)]
fn view_the_position(bencher: Bencher<'_, '_>, set: &str) {
    let game = begun(set);
    let seat = game.waits_for().expect("somebody to move");
    let mut view = View::default();
    bencher.bench_local(|| black_box(&game).view_into(seat, &mut view));
}

#[divan::bench(args = SETS)]
fn apply_a_move(bencher: Bencher<'_, '_>, set: &str) {
    let game = begun(set);
    let seat = game.waits_for().expect("somebody to move");
    let action = Action::from(game.legal(seat).nth(0).expect("a legal action"));
    let as_of = game.last_event();
    let mut events = Vec::new();
    bencher
        .with_inputs(|| game.clone())
        .bench_local_refs(|game| black_box(game).apply(seat, &action, as_of, &mut events));
}

#[divan::bench(args = SETS)]
fn write_an_ask(bencher: Bencher<'_, '_>, set: &str) {
    let (ask, mut line) = (ask(set), Vec::new());
    bencher.bench_local(|| {
        line.clear();
        write_json(&mut line, black_box(&ask)).expect("a JSON form");
        line.len()
    });
}

#[divan::bench(args = SETS)]
fn read_an_ask(bencher: Bencher<'_, '_>, set: &str) {
    let line = short_ask(set);
    bencher.bench_local(|| read_arena_line(black_box(&line)).expect("an ask"));
}

#[divan::bench]
fn write_an_act(bencher: Bencher<'_, '_>) {
    let ask = ask("basic");
    let mut line = Vec::new();
    bencher.bench_local(|| {
        line.clear();
        write_act(&mut line, &ask.game, ask.id, black_box(&ask.legal[0])).expect("a JSON form");
        line.len()
    });
}

#[divan::bench]
fn read_an_act(bencher: Bencher<'_, '_>) {
    let ask = ask("basic");
    let mut line = Vec::new();
    write_act(&mut line, &ask.game, ask.id, &ask.legal[0]).expect("a JSON form");
    line.pop();
    bencher.bench_local(|| match read_agent_line(black_box(&line)) {
        Some(Ok(AgentMessage::Act(act))) => act,
        other => panic!("{other:?}"),
    });
}

#[divan::bench(args = SETS)]
fn verify_a_record(bencher: Bencher<'_, '_>, set: &str) {
    let record = record(set);
    let mut verifier = Verifier::default();
    bencher.bench_local(|| verifier.check(black_box(&record)).expect("a sound record").lines);
}

/// The record of a game of first legal actions.
fn record(set: &str) -> Vec<u8> {
    let rules = rules(set);
    let header = Header {
        format: RECORD_FORMAT.to_owned(),
        engine: maumau_engine::VERSION.to_owned(),
        game: GameId("g-000017".into()),
        names: ["a", "b", "c", "d"].map(str::to_owned).into(),
        rules: Arc::clone(rules.set()),
        rounds: 1,
        seed: seed_of_number(1),
        clock: ClockMode::Lockstep,
        time: TimeControl::default(),
    };
    let mut replay = Replay::new(&header).expect("sound rules");
    let mut inputs = Vec::new();
    while let Some(seat) = replay.game().waits_for().filter(|_| !replay.game().is_over() && inputs.len() < 200) {
        let game = replay.game();
        let verb = game.legal(seat).nth(0).expect("a legal action");
        let action = Action { say: game.words_due(seat, &verb), verb };
        let entry = Entry::Act(ActEntry { seat, as_of: game.last_event(), action });
        replay.take(&entry).expect("a seat of the table");
        inputs.push(Logged { entry, meta: Meta { took_us: Some(17), ..Meta::default() } });
    }
    let log = GameLog {
        header,
        inputs,
        result: replay.result(),
        sandbox: None,
        permits: Vec::new(),
        public_seed: false,
        hidden_names: false,
        human_pace: SeatSet::EMPTY,
    };
    log.to_record().expect("a log that plays").0
}
