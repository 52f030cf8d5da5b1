//! What seats send to a referee, and what times run out. `LocalGame` holds the referee to its promises; no process is
//! started.

use std::sync::{Arc, LazyLock};

use maumau_engine::Rules;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::{Act, AgentMessage, AskId, ClockMode, Note, Ready, TimeControl, Want};
use maumau_protocol::wire::read_agent_line;
use maumau_protocol::{Action, Seat, Verb};
use maumau_referee::faults::Misconduct;
use maumau_referee::local_game::{LocalGame, setup};
use maumau_referee::record::Meta;
use maumau_referee::{Blame, GameSetup, Input, verify};

use super::bytes::{Bytes, mixed};
use super::game::TABLES;

/// The most seats of a usual table: each is sent everything, so a large one is expensive.
const USUAL_SEATS: usize = 4;

static USUAL_TABLES: LazyLock<Vec<Arc<Rules>>> =
    LazyLock::new(|| TABLES.iter().filter(|rules| rules.seats() <= USUAL_SEATS).cloned().collect());

/// What a host finds wrong by itself. The rest a referee finds, and `verify` derives it from what was taken up.
const FOUND_BY_HOSTS: [ConductFault; 8] = [
    ConductFault::LineTooLong,
    ConductFault::Flood,
    ConductFault::NotJson,
    ConductFault::WrongShape,
    ConductFault::UnknownVerb,
    ConductFault::OutOfPlace,
    ConductFault::UnknownGame,
    ConductFault::Gone,
];

/// A table, who sits at it, then what happens. Effects contradict one another never; a game whose seats are all gone is
/// over; and the log of a game that is over is a sound record.
pub fn referee(data: &[u8]) {
    let mut bytes = Bytes(data);
    let mut game = begin(&mut bytes);
    while !bytes.is_spent() && !game.referee().is_finished() {
        happen(&mut game, &mut bytes);
    }
    // The end of a game is dear.
    let chance = mixed(data);
    if !chance.is_multiple_of(16) {
        return;
    }
    for seat in seats(&game) {
        game.give(Input::Wrong { seat, fault: ConductFault::Gone, message: "gone".to_owned(), line: None });
    }
    assert!(game.referee().is_finished(), "nobody is left, and the game goes on");
    if chance.is_multiple_of(64) {
        let (log, tallies) = game.finish();
        assert_eq!(tallies.len(), log.header.names.len());
        let (record, digest) = log.to_record().expect("a log leads to its result");
        let verified = verify(&record).expect("a sound record");
        assert_eq!((&verified.log, &verified.digest), (&log, &digest));
    }
}

fn seats(game: &LocalGame) -> impl Iterator<Item = Seat> + use<> {
    Seat::all(game.referee().game().rules().seats())
}

fn begin(bytes: &mut Bytes<'_>) -> LocalGame {
    let (table, flags) = (usize::from(bytes.byte()), bytes.byte());
    let tables = if flags & 0x0c == 0x0c { &*TABLES } else { &*USUAL_TABLES };
    let rules: &Arc<Rules> = &tables[table % tables.len()];
    let clock = if flags & 1 == 1 { ClockMode::Live } else { ClockMode::Lockstep };
    let handshakes = (0..rules.seats()).map(|_| {
        let wants = bytes.byte();
        let bit = |bit: u8| wants >> bit & 1 == 1;
        let asked = [(Want::View, bit(0)), (Want::Legal, bit(1)), (Want::Events, bit(2))];
        // The rules are the longest line by far.
        let asked = asked.into_iter().chain([(Want::Rules, wants & 0x68 == 0x68)]);
        let wanted = asked.filter(|(_, wanted)| *wanted).map(|(want, _)| want).collect();
        let ready = Ready { ticks: bit(4), ..Ready::new("", wanted) };
        if wants > 0xf0 { Err("it did not start".to_owned()) } else { Ok(ready) }
    });
    LocalGame::begin(GameSetup {
        time: TimeControl { bank_ms: 100, increment_ms: 10, ..TimeControl::default() },
        clock,
        reveal_seed: flags & 2 == 2,
        public_seed: false,
        ..setup(Arc::clone(rules), u64::from(flags >> 4), handshakes)
    })
}

/// The next thing that the bytes say.
fn happen(game: &mut LocalGame, bytes: &mut Bytes<'_>) {
    let op = bytes.byte();
    // Mostly somebody who is asked.
    let asked: Vec<Seat> = seats(game).filter(|seat| game.referee().is_asked(*seat)).collect();
    let seat = match asked.as_slice() {
        asked @ [_, ..] if op & 7 < 6 => asked[usize::from(op >> 3 & 7) % asked.len()],
        _ => bytes.pick(&seats(game).collect::<Vec<_>>()),
    };
    let asks = game.watch().asks(seat).map(|id| id.unwrap_or(AskId(0)));
    let meta = Meta { took_us: Some(u64::from(op) << 12), ..Meta::default() };
    let blame = if op & 0x30 == 0x30 { Blame::Host } else { Blame::Agent };
    let input = match op & 15 {
        0..=4 | 8..=11 => {
            let legal = game.referee().game().legal(seat);
            let verb = (!legal.is_empty()).then(|| legal.nth(bytes.below(legal.len()))).flatten();
            let verb = verb.filter(|_| op < 0xc0).unwrap_or(Verb::Wait);
            let say = game.referee().game().words_due(seat, &verb);
            let id = asks[usize::from(op == 0xbb)];
            Input::Act {
                seat,
                act: Act { game: game.referee().id().clone(), id, crash: None, action: Action { verb, say } },
                meta,
            }
        }
        5 | 12 => match read_agent_line(bytes.line()) {
            None => return,
            Some(Ok(AgentMessage::Act(act))) => {
                let id = if op < 0x80 { asks[0] } else { act.id };
                Input::Act { seat, act: Act { id, ..act }, meta }
            }
            Some(Ok(AgentMessage::Note(note))) => Input::Note { seat, note },
            Some(Ok(AgentMessage::Ready(_))) => {
                Input::Wrong { seat, fault: ConductFault::OutOfPlace, message: "again".to_owned(), line: None }
            }
            Some(Err(error)) => {
                let Misconduct { fault, message } = error.into();
                Input::Wrong { seat, fault, message, line: None }
            }
        },
        6 | 13 => {
            let running = game.watch().deadline(seat).map(|(id, _)| id);
            let id = running.filter(|_| op < 0xe0).unwrap_or(asks[1]);
            if running == Some(id) {
                game.pass_deadline(seat);
            }
            Input::Deadline { seat, id, meta, blame }
        }
        7 if !game.watch().timers().is_empty() => {
            let timer = bytes.pick(game.watch().timers());
            game.pass_timer(timer);
            Input::Timer { timer, meta, blame }
        }
        14 => Input::Note { seat, note: Note { game: game.referee().id().clone(), note: op.into() } },
        _ => Input::Wrong { seat, fault: bytes.pick(&FOUND_BY_HOSTS), message: "wrong".to_owned(), line: None },
    };
    game.give(input);
}
