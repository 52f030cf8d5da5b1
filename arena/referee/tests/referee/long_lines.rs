//! No line of the arena is longer than the limit that it announces, however much happens between two lines to a seat (SPEC 1.3).
//! That each line keeps the limit is checked by [`LocalGame`] at every step; here tables are made where events are many and long.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_engine::rules::{load_built_in, parse_setting};
use maumau_protocol::limits::{MAX_LINE_BYTES, MAX_SAY_CHARS, MAX_SAYS};
use maumau_protocol::message::{ArenaMessage, ClockMode, GameResult, Ready, Want};
use maumau_protocol::wire::read_arena_line;
use maumau_protocol::{Action, EventNumber, Say, Seat, SeenEvent, Text, Verb};
use maumau_referee::local_game::{LocalGame, setup};
use maumau_referee::record::Meta;
use maumau_referee::{GameSetup, SeatReplay, replay_seat};

/// What a seat has been sent.
#[derive(Default)]
struct Heard {
    events: Vec<SeenEvent>,
    tells: usize,
    longest: usize,
    result: Option<GameResult>,
}

impl Heard {
    /// Takes a line, which must hold the events that come next; an ask, the newest of all.
    fn take(&mut self, line: &[u8]) {
        self.longest = self.longest.max(line.len());
        let text = std::str::from_utf8(line).expect("UTF-8");
        match read_arena_line(text).expect("a line of the arena") {
            Some(ArenaMessage::Tell(tell)) => {
                assert!(!tell.events.is_empty(), "a tell without events");
                self.tells += 1;
                self.events.extend(tell.events);
            }
            Some(ArenaMessage::Ask(ask)) => {
                self.events.extend(ask.events);
                assert_eq!(
                    ask.as_of.0 as usize,
                    self.events.len(),
                    "an ask comes after every event that was before it"
                );
                assert!(!ask.legal.is_empty());
            }
            Some(ArenaMessage::Over(over)) => {
                self.events.extend(over.events);
                self.result = Some(over.result);
            }
            _ => {}
        }
    }
}

/// As much as a seat can say at once: each character takes six bytes of a line.
fn speech() -> Say {
    let text = Text::try_from("\u{1}".repeat(MAX_SAY_CHARS).as_str()).expect("as long as may be");
    Say::Many(vec![text; MAX_SAYS].into())
}

fn table(rules: &str, seats: usize, clock: ClockMode) -> GameSetup {
    let settings: Vec<_> =
        ["turn_cap=25"].into_iter().map(|setting| parse_setting(setting).expect("a setting")).collect();
    let set = load_built_in(rules, &settings).unwrap_or_else(|problems| panic!("{rules}: {problems}")).set;
    let rules = Rules::for_table(&Arc::new(set), seats, Some(2)).expect("a table");
    let ready = Ready::new("scripted", vec![Want::View, Want::Legal, Want::Events, Want::Rules]);
    GameSetup { clock, ..setup(Arc::new(rules), 5, vec![Ok(ready); seats]) }
}

/// Answers with which something is said.
const SPEAKS: usize = 150;

/// Plays until the game is over, everybody speaking as much as can be said with whatever is done.
fn play(setup: GameSetup) -> (Vec<Heard>, maumau_referee::GameLog) {
    let mut heard: Vec<Heard> = setup.players.iter().map(|_| Heard::default()).collect();
    let is_live = setup.clock == ClockMode::Live;
    let mut game = LocalGame::begin(setup);
    let (mut steps, mut still, mut before) = (0, 0, EventNumber(0));
    loop {
        game.lines().for_each(|(seat, line)| heard[seat.index()].take(line));
        if game.watch().is_finished() {
            break;
        }
        steps += 1;
        assert!(
            steps < 20_000,
            "the game does not end: {:?} {:?}",
            game.referee().game().waits_for(),
            game.referee().logged().last()
        );
        let mover = game.referee().game().waits_for();
        let now = game.referee().game().last_event();
        still = if now == before { still + 1 } else { 0 };
        before = now;
        let asked = match is_live {
            // An answer that moves nothing is not given for ever.
            true if still > 4 => None,
            true => mover.and_then(|seat| Some((seat, game.watch().asks(seat)[0]?))),
            false => game.next_asked(),
        };
        let Some((seat, id)) = asked else {
            let timers = game.watch().timers();
            let timer = timers[steps % timers.len()];
            game.pass_timer(timer);
            game.give(maumau_referee::Input::Timer {
                timer,
                meta: Meta::default(),
                blame: maumau_referee::Blame::Agent,
            });
            continue;
        };
        let is_turn = mover == Some(seat);
        let verb = if is_turn { game.referee().game().legal(seat).nth(0).unwrap_or(Verb::Draw) } else { Verb::Wait };
        let say = if verb == Verb::Wait || steps > SPEAKS { Say::Nothing } else { speech() };
        game.act(seat, id, Action { verb, say }, Meta::default());
    }
    (heard, game.finish().0)
}

#[test]
fn no_line_is_longer_than_the_limit_and_every_event_is_sent_once() {
    for (rules, seats) in [("basic", 10), ("skat", 8), ("deluxe", 7), ("snap", 16), ("spam", 16)] {
        for clock in [ClockMode::Lockstep, ClockMode::Live] {
            let (heard, log) = play(table(rules, seats, clock));
            let what = format!("{rules}, {clock:?}");
            let most = heard.iter().map(|heard| heard.events.len()).max().expect("seats");
            assert!(heard.iter().all(|heard| heard.events.len() == most), "{what}");
            assert!(heard.iter().all(|heard| heard.longest <= MAX_LINE_BYTES && heard.result.is_some()), "{what}");
            let split: usize = heard.iter().map(|heard| heard.tells).sum();
            assert!(split > 0, "{what}: no line was too long for one");
            for (seat, heard) in Seat::all(seats).zip(&heard) {
                retold(&log, seat, heard);
            }
        }
    }
}

/// What a seat is sent once more from the record is what it was sent, in lines that are no longer.
fn retold(log: &maumau_referee::GameLog, seat: Seat, heard: &Heard) {
    let ready = Ready::new("scripted", vec![Want::View, Want::Legal, Want::Events, Want::Rules]);
    let SeatReplay { start, asks, over } = replay_seat(log, seat, &ready).expect("a log that plays");
    let mut again = Heard::default();
    let lines = [start].into_iter().chain(asks.into_iter().map(|ask| ask.line)).chain(over);
    for line in lines.collect::<Vec<_>>().concat().split_inclusive(|byte| *byte == b'\n') {
        again.take(line);
    }
    assert!(again.longest <= MAX_LINE_BYTES);
    assert!(again.events == heard.events, "seat {seat} is sent other events once more");
}
