//! What seats send to a referee, and what times run out.

use std::sync::{Arc, LazyLock};

use maumau_engine::{Rules, seed_of_number};
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::{Act, AgentMessage, AskId, ClockMode, GameId, Note, PROTOCOL, Ready, TimeControl, Want};
use maumau_protocol::wire::read_agent_line;
use maumau_protocol::{Action, Seat, Verb};
use maumau_referee::faults::Misconduct;
use maumau_referee::record::Meta;
use maumau_referee::testing::Watch;
use maumau_referee::{Blame, Effects, GameSetup, Input, Player, Referee, verify};

use super::bytes::{Bytes, mixed};
use super::game::TABLES;

/// The most seats of a usual table: each is told everything, so a large one is dear.
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

/// One game and what its host knows.
struct Table {
    referee: Referee,
    effects: Effects,
    watch: Watch,
    seats: usize,
}

/// A table, who sits at it, then what happens. Effects contradict one another never; a game whose seats are all gone is
/// over; and the log of a game that is over is a sound record.
pub fn referee(data: &[u8]) {
    let mut bytes = Bytes(data);
    let mut table = Table::new(&mut bytes);
    while !bytes.is_spent() && !table.watch.is_finished() {
        table.happen(&mut bytes);
    }
    // The end of a game is dear.
    let chance = mixed(data);
    if !chance.is_multiple_of(16) {
        return;
    }
    for seat in Seat::all(table.seats) {
        table.input(Input::Wrong { seat, fault: ConductFault::Gone, message: "gone".to_owned(), line: None });
    }
    assert!(table.watch.is_finished(), "nobody is left, and the game goes on");
    if chance.is_multiple_of(64) {
        let (log, tallies) = table.referee.finish();
        assert_eq!(tallies.len(), log.header.names.len());
        let (record, digest) = log.to_record().expect("a log leads to its result");
        let verified = verify(&record).expect("a sound record");
        assert_eq!((&verified.log, &verified.digest), (&log, &digest));
    }
}

impl Table {
    fn new(bytes: &mut Bytes<'_>) -> Table {
        let (table, flags) = (usize::from(bytes.byte()), bytes.byte());
        let tables = if flags & 0x0c == 0x0c { &*TABLES } else { &*USUAL_TABLES };
        let rules: &Arc<Rules> = &tables[table % tables.len()];
        let clock = if flags & 1 == 1 { ClockMode::Live } else { ClockMode::Lockstep };
        let players = (0..rules.seats()).map(|seat| {
            let wants = bytes.byte();
            let bit = |bit: u8| wants >> bit & 1 == 1;
            let asked = [(Want::View, bit(0)), (Want::Legal, bit(1)), (Want::Events, bit(2))];
            // The rules are the longest line by far.
            let asked = asked.into_iter().chain([(Want::Rules, wants & 0x68 == 0x68)]);
            let ready = Ready {
                protocol: PROTOCOL.to_owned(),
                name: String::new(),
                version: String::new(),
                wants: asked.filter(|(_, wanted)| *wanted).map(|(want, _)| want).collect(),
                ticks: bit(4),
                games: 1,
            };
            let ready = if wants > 0xf0 { Err("it did not start".to_owned()) } else { Ok(ready) };
            Player { name: format!("bot {seat}"), ready: ready.map(Into::into) }
        });
        let players: Vec<Player> = players.collect();
        let seats = players.len();
        let referee = Referee::new(GameSetup {
            id: GameId("g".into()),
            rules: Arc::clone(rules),
            seed: seed_of_number(u64::from(flags >> 4)),
            players,
            time: TimeControl { bank_ms: 100, increment_ms: 10, ..TimeControl::default() },
            clock,
            reveal_seed: flags & 2 == 2,
            id_key: [7; 32],
        });
        let mut table = Table { referee, effects: Effects::default(), watch: Watch::new(seats, clock), seats };
        table.referee.begin(&mut table.effects);
        table.follow();
        table
    }

    /// The next thing that the bytes say.
    fn happen(&mut self, bytes: &mut Bytes<'_>) {
        let op = bytes.byte();
        // Mostly somebody who is asked.
        let asked: Vec<Seat> = Seat::all(self.seats).filter(|seat| self.referee.is_asked(*seat)).collect();
        let seat = match asked.as_slice() {
            asked @ [_, ..] if op & 7 < 6 => asked[usize::from(op >> 3 & 7) % asked.len()],
            _ => Seat::new(bytes.below(self.seats)).expect("a seat of the table"),
        };
        let asks = self.watch.asks(seat).map(|id| id.unwrap_or(AskId(0)));
        let meta = Meta { took_us: Some(u64::from(op) << 12), ..Meta::default() };
        let blame = if op & 0x30 == 0x30 { Blame::Host } else { Blame::Agent };
        let input = match op & 15 {
            0..=4 | 8..=11 => {
                let legal = self.referee.game().legal(seat);
                let verb = (!legal.is_empty()).then(|| legal.nth(bytes.below(legal.len()))).flatten();
                let verb = verb.filter(|_| op < 0xc0).unwrap_or(Verb::Wait);
                let say = self.referee.game().words_due(seat, &verb);
                let id = asks[usize::from(op == 0xbb)];
                Input::Act {
                    seat,
                    act: Act { game: GameId("g".into()), id, crash: None, action: Action { verb, say } },
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
                let running = self.watch.deadline(seat).map(|(id, _)| id);
                let id = running.filter(|_| op < 0xe0).unwrap_or(asks[1]);
                if running == Some(id) {
                    self.watch.pass_deadline(seat);
                }
                Input::Deadline { seat, id, meta, blame }
            }
            7 if !self.watch.timers().is_empty() => {
                let timer = bytes.pick(self.watch.timers());
                self.watch.pass_timer(timer);
                Input::Timer { timer, meta, blame }
            }
            14 => Input::Note { seat, note: Note { game: GameId("g".into()), note: op.into() } },
            _ => Input::Wrong { seat, fault: bytes.pick(&FOUND_BY_HOSTS), message: "wrong".to_owned(), line: None },
        };
        self.input(input);
    }

    fn input(&mut self, input: Input) {
        self.effects.clear();
        self.referee.handle(input, &mut self.effects);
        self.follow();
    }

    fn follow(&mut self) {
        if let Err(breach) = self.watch.follow(&self.referee, &self.effects) {
            panic!("{breach}");
        }
    }
}
