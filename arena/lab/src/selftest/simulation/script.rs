//! The behaviour of scripted agents. It decides what an agent writes and when, from the lines it was sent; it cannot
//! see the game.

use std::time::{Duration, Instant};

use maumau_engine::ChoiceStream;
use maumau_protocol::message::{Act, AgentMessage, Ask, AskId, GameId, Note, Ready, Want, What};
use maumau_protocol::{Action, Card, EventNumber, Text, Verb};

use super::wire::AgentActivity;

/// The kinds of agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScriptKind {
    /// Answers every ask in time with a legal action.
    Honest,
    /// As [`ScriptKind::Honest`], but in pieces, and sometimes at the last moment.
    Dripper,
    /// As [`ScriptKind::Honest`], but also speaks and writes notes.
    Talker,
    /// As [`ScriptKind::Honest`], but sometimes the host does not let it run.
    Starved,
    /// Sometimes answers too late, sleeping or computing.
    Slow,
    /// Never answers.
    Silent,
    /// Sends lines that are not messages.
    Garbage,
    /// Takes illegal actions.
    Wrong,
    /// Repeats its answers, guesses ids, names other games.
    Stale,
    /// Sends too many lines.
    Flood,
    /// Ends in the middle of a game.
    Leaver,
    /// Closes its input.
    Deaf,
    /// Does not complete the handshake.
    BadStart,
}

impl ScriptKind {
    pub(super) const GOOD: [ScriptKind; 4] =
        [ScriptKind::Honest, ScriptKind::Dripper, ScriptKind::Talker, ScriptKind::Starved];
    pub(super) const BAD: [ScriptKind; 9] = [
        ScriptKind::Slow,
        ScriptKind::Silent,
        ScriptKind::Garbage,
        ScriptKind::Wrong,
        ScriptKind::Stale,
        ScriptKind::Flood,
        ScriptKind::Leaver,
        ScriptKind::Deaf,
        ScriptKind::BadStart,
    ];

    /// True if it never commits a conduct fault and is never slow.
    pub(super) fn is_good(self) -> bool {
        ScriptKind::GOOD.contains(&self)
    }
}

/// The reaction of an agent to a line.
#[derive(Debug)]
pub(super) enum Deed {
    Write(Vec<u8>),
    CloseOutput,
    CloseInput,
    /// The arena notices that its input is closed.
    IsNoticed,
    Does(AgentActivity),
}

/// Deeds, each with its delay after the line.
pub(super) type Deeds = Vec<(Duration, Deed)>;

/// The state of a scripted agent.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) kind: ScriptKind,
    dice: ChoiceStream<'static>,
    /// The ids of its most recent asks.
    asked: Vec<(GameId, AskId)>,
    /// How many times it was starved.
    starved: u32,
    /// Until then it cannot write anything more: it is starved, or still writing something else.
    busy_until: Option<Instant>,
    /// The ask it is starved at.
    busy_with: Option<(GameId, EventNumber, What)>,
    live: bool,
}

/// How many times one process is starved in all: with the cost of each, fewer than the void asks of a game.
const STARVED_AT_MOST: u32 = 8;

impl Script {
    pub(super) fn new(kind: ScriptKind, live: bool, dice: ChoiceStream<'static>) -> Script {
        Script { kind, dice, asked: Vec::new(), starved: 0, busy_until: None, busy_with: None, live }
    }

    /// The answer to `hello`.
    pub(super) fn handshake(&mut self) -> Deeds {
        let dice = &mut self.dice;
        if self.kind == ScriptKind::BadStart {
            let lines: [&[u8]; 5] = [
                b"hello\n",
                b"{\"type\":\"ready\",\"protocol\":\"maumau/2\"}\n",
                b"{\"type\":\"act\",\"game\":\"g\",\"id\":\"0000000000000000\",\"do\":\"draw\"}\n",
                b"{\"type\":\"ready\"}\n",
                b"",
            ];
            return match dice.number_below(6) {
                5 => vec![at(0, Deed::CloseOutput)],
                number => vec![write(0, lines[number as usize].to_vec()), at(1_000, Deed::CloseOutput)],
            };
        }
        let wants = match dice.number_below(8) {
            0 => vec![Want::View, Want::Legal, Want::Events, Want::Rules],
            1 | 2 => vec![Want::Legal, Want::Events],
            _ => vec![Want::Legal],
        };
        let ready = Ready {
            ticks: dice.one_in(4),
            // These two work on one answer at a time.
            games: if matches!(self.kind, ScriptKind::Dripper | ScriptKind::Starved) {
                1
            } else {
                *dice.pick(&[1, 1, 2, 5])
            },
            ..Ready::new(format!("{:?}", self.kind), wants)
        };
        vec![write(0, line(&AgentMessage::Ready(ready)))]
    }

    /// The answer to an ask that it reads at `now`.
    pub(super) fn answer(&mut self, ask: &Ask, now: Instant) -> Deeds {
        let time_us = ask.time_ms * 1_000;
        let quick_us = self.dice.number_below(if self.live { 300 } else { time_us / 8 + 1 });
        let plan = match self.kind {
            ScriptKind::Honest => vec![write(quick_us, self.good(ask))],
            ScriptKind::Dripper => self.drip(ask, quick_us, now),
            ScriptKind::Talker => self.talk(ask, quick_us),
            ScriptKind::Starved => self.starve(ask, quick_us, now),
            ScriptKind::Slow => self.dawdle(ask, quick_us),
            ScriptKind::Silent => Deeds::new(),
            ScriptKind::Garbage => self.rave(ask, quick_us),
            ScriptKind::Wrong => vec![write(quick_us, self.wrong(ask))],
            ScriptKind::Stale => self.repeat(ask, quick_us),
            ScriptKind::Flood => self.flood(ask, quick_us),
            ScriptKind::Leaver => self.leave(ask, quick_us),
            ScriptKind::Deaf if self.dice.one_in(12) => {
                vec![at(quick_us, Deed::CloseInput), write(quick_us, self.good(ask))]
            }
            ScriptKind::Deaf | ScriptKind::BadStart => vec![write(quick_us, self.good(ask))],
        };
        if self.asked.len() == 8 {
            self.asked.remove(0);
        }
        self.asked.push((ask.game.clone(), ask.id));
        plan
    }

    /// A legal action. It mostly waits if it need not act, and mostly moves if it must: more than 16 ticks in a row without a
    /// movement would be slow (SPEC 7.7), which would happen by chance in a million games.
    fn good(&mut self, ask: &Ask) -> Vec<u8> {
        let action = match ask.what {
            What::React if !self.dice.one_in(4) => Verb::Wait.into(),
            What::React => self.dice.pick(&ask.legal).clone(),
            _ => {
                let moves: Vec<&Action> = ask.legal.iter().filter(|action| moves(&action.verb)).collect();
                let moves = if moves.is_empty() || self.dice.one_in(16) { ask.legal.iter().collect() } else { moves };
                (*self.dice.pick(&moves)).clone()
            }
        };
        act(ask, action)
    }

    fn drip(&mut self, ask: &Ask, quick_us: u64, now: Instant) -> Deeds {
        let mut bytes = self.good(ask);
        let mut plan = Deeds::new();
        // A reply that is still being written is finished first.
        let mut from_us = self.busy_us(now);
        // On the live clock others may move meanwhile, which uses up its time.
        let last_us = if self.dice.one_in(8) && !self.live { ask.time_ms * 1_000 - 1 } else { quick_us };
        let last_us = last_us.max(from_us);
        self.busy_until = Some(now + Duration::from_micros(last_us));
        while !bytes.is_empty() {
            let rest = bytes.split_off(bytes.len().min(1 + self.dice.number_below(bytes.len() as u64) as usize));
            from_us = if rest.is_empty() { last_us } else { from_us + self.dice.number_below(last_us - from_us + 1) };
            plan.push(write(from_us, bytes));
            bytes = rest;
        }
        plan
    }

    fn talk(&mut self, ask: &Ask, quick_us: u64) -> Deeds {
        let note = Note { game: ask.game.clone(), note: self.dice.any().into() };
        let mut plan = vec![write(quick_us / 2, line(&AgentMessage::Note(note)))];
        if self.dice.one_in(6) {
            let words = *self.dice.pick(&["hello", "mau", "mau mau", "spam", "last card", "?", "7"]);
            let text = Text::try_from(words).unwrap_or_else(|_| unreachable!("short words"));
            plan.push(write(quick_us, act(ask, Verb::Say { text }.into())));
        } else {
            plan.push(write(quick_us, self.good(ask)));
        }
        plan
    }

    /// It does not run until one or two of its deadlines have passed, and then answers once or twice.
    fn starve(&mut self, ask: &Ask, quick_us: u64, now: Instant) -> Deeds {
        let busy_us = self.busy_us(now);
        let asked = Some((ask.game.clone(), ask.as_of, ask.what));
        if busy_us > 0 {
            // If the same was asked again meanwhile, it answers twice, or treats both as one.
            let takes_for_one = self.busy_with == asked && self.dice.one_in(2);
            return if takes_for_one { Deeds::new() } else { vec![write(busy_us + 1, self.good(ask))] };
        }
        if self.live || self.starved == STARVED_AT_MOST || !self.dice.one_in(6) {
            return vec![write(quick_us, self.good(ask))];
        }
        self.starved += 1;
        let time_us = ask.time_ms * 1_000;
        let late_us = time_us + self.dice.number_below(2 * time_us);
        self.busy_until = Some(now + Duration::from_micros(late_us));
        self.busy_with = asked;
        vec![
            at(0, Deed::Does(AgentActivity::Waiting)),
            write(late_us, self.good(ask)),
            at(late_us, Deed::Does(AgentActivity::Sleeping)),
        ]
    }

    /// How much longer it is busy.
    fn busy_us(&self, now: Instant) -> u64 {
        self.busy_until.map_or(0, |until| until.saturating_duration_since(now).as_micros() as u64)
    }

    fn dawdle(&mut self, ask: &Ask, quick_us: u64) -> Deeds {
        let time_us = ask.time_ms * 1_000;
        let when_us = match self.dice.number_below(10) {
            0 => time_us - 1,
            1 => time_us,
            2 => time_us + 1,
            3 => time_us + time_us / 5,
            4 => 4 * time_us,
            _ => quick_us,
        };
        let doing = *self.dice.pick(&[AgentActivity::Sleeping, AgentActivity::Computing]);
        let answer = write(when_us, self.good(ask));
        vec![at(0, Deed::Does(doing)), answer, at(when_us, Deed::Does(AgentActivity::Sleeping))]
    }

    fn rave(&mut self, ask: &Ask, quick_us: u64) -> Deeds {
        let good = self.good(ask);
        if !self.dice.one_in(10) {
            return vec![write(quick_us, good)];
        }
        let half = good.len() / 2;
        let bytes: Vec<u8> = match self.dice.number_below(10) {
            0 => b"\n".to_vec(),
            1 => b"what?\n".to_vec(),
            2 => b"\xff\xfe{\0}\n".to_vec(),
            3 => b"[\"act\"]\n".to_vec(),
            4 => b"{\"type\":\"act\"}\n".to_vec(),
            5 => [&good[..half], b"\n"].concat(),
            6 => [&good[..good.len() - 1], &good].concat(),
            7 => format!("{{\"type\":\"act\",\"game\":\"{}\",\"id\":\"{}\",\"do\":\"win\"}}\n", ask.game.0, ask.id)
                .into(),
            8 => [vec![b'x'; 70_000], b"\n".to_vec()].concat(),
            _ => (0..64).map(|_| self.dice.any() as u8).chain(*b"\n").collect(),
        };
        let again = self.dice.one_in(2);
        let mut plan = vec![write(quick_us, bytes)];
        if again {
            plan.push(write(quick_us + 10, good));
        }
        plan
    }

    fn wrong(&mut self, ask: &Ask) -> Vec<u8> {
        if self.dice.one_in(2) {
            return self.good(ask);
        }
        let card =
            Card::from_index(self.dice.number_below(52) as u8).unwrap_or_else(|| unreachable!("one of 52 cards"));
        let verbs = [
            Verb::Play { card, choose: None },
            Verb::Draw,
            Verb::Pass,
            Verb::Wait,
            Verb::Look,
            Verb::Take { from: ask.seat },
            Verb::PointOfOrder,
            Verb::Count,
            Verb::Deal { to: vec![ask.seat] },
        ];
        act(ask, self.dice.pick(&verbs).clone().into())
    }

    fn repeat(&mut self, ask: &Ask, quick_us: u64) -> Deeds {
        let good = self.good(ask);
        let mut plan = vec![write(quick_us, good.clone())];
        if !self.dice.one_in(8) {
            return plan;
        }
        let (game, id) = match self.dice.number_below(5) {
            0 => (ask.game.clone(), ask.id),
            1 => (ask.game.clone(), AskId(self.dice.any())),
            2 => (GameId("nowhere".into()), ask.id),
            _ if self.asked.is_empty() => (ask.game.clone(), ask.id),
            _ => self.dice.pick(&self.asked).clone(),
        };
        let again = line(&AgentMessage::Act(Act { game, id, crash: None, action: Verb::Draw.into() }));
        let when_us = if self.dice.one_in(2) { quick_us / 2 } else { quick_us + 500 };
        plan.push(write(when_us, again));
        plan.sort_by_key(|(when, _)| *when);
        plan
    }

    fn flood(&mut self, ask: &Ask, quick_us: u64) -> Deeds {
        if !self.dice.one_in(20) {
            return vec![write(quick_us, self.good(ask))];
        }
        let note = line(&AgentMessage::Note(Note { game: ask.game.clone(), note: 1.into() }));
        let one = self.dice.pick(&[b"\n".to_vec(), note, b"{}\n".to_vec()]).clone();
        vec![write(quick_us, one.repeat(80))]
    }

    fn leave(&mut self, ask: &Ask, quick_us: u64) -> Deeds {
        let good = self.good(ask);
        if !self.dice.one_in(12) {
            return vec![write(quick_us, good)];
        }
        let last = match self.dice.number_below(3) {
            0 => good,
            1 => good[..good.len() / 2].to_vec(),
            _ => Vec::new(),
        };
        vec![write(quick_us, last), at(quick_us, Deed::CloseOutput)]
    }
}

/// True if it moves something.
fn moves(verb: &Verb) -> bool {
    !matches!(
        verb,
        Verb::Say { .. }
            | Verb::Call { .. }
            | Verb::Reach { .. }
            | Verb::Glare { .. }
            | Verb::PointOfOrder
            | Verb::Count
            | Verb::Wait
    )
}

fn at(us: u64, deed: Deed) -> (Duration, Deed) {
    (Duration::from_micros(us), deed)
}

fn write(us: u64, bytes: Vec<u8>) -> (Duration, Deed) {
    at(us, Deed::Write(bytes))
}

fn act(ask: &Ask, action: Action) -> Vec<u8> {
    line(&AgentMessage::Act(Act { game: ask.game.clone(), id: ask.id, crash: None, action }))
}

fn line(message: &AgentMessage) -> Vec<u8> {
    // Serialising these types into memory cannot fail.
    let mut line = serde_json::to_vec(message).unwrap_or_else(|error| unreachable!("{error}"));
    line.push(b'\n');
    line
}
