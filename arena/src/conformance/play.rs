//! Games that one process plays at the same time, and the variations of their lines. It notes what is wrong in the
//! report; which variations a step needs is decided in `steps`.

use std::time::Duration;

use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::{Act, AgentMessage};
use maumau_protocol::wire::read_agent_line;
use maumau_referee::faults::Misconduct;
use serde_json::Value;

use super::agent_under_test::{AgentUnderTest, Heard, Silent};
use super::newer::with_additions;
use super::report::ConformanceProblem;
use super::schemas::Schemas;
use super::test_game::{Letter, TestGame};

/// How many asks lie between two variations.
const EVERY: u32 = 3;
/// Members that messages of agents have (SPEC 4.2), and that of their type.
const MEMBERS: [&str; 24] = [
    "type", "game", "id", "do", "card", "choose", "say", "text", "against", "fault", "suit", "rank", "from", "to",
    "for", "at", "protocol", "name", "version", "wants", "ticks", "games", "note", "crash",
];

/// The variation of a game's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineVariation {
    Plain,
    /// Other seats take their time, and nothing may come meanwhile.
    SlowPeers,
    /// Lines of a later minor version.
    Newer,
    /// Every third deadline passes before the answer comes.
    Missed,
    /// One answer is reported as unreadable.
    Garbled,
}

/// Games that are played at the same time with one process.
pub(super) struct Play<'a> {
    pub(super) tables: Vec<TestGame>,
    pub(super) way: LineVariation,
    pub(super) patience: Duration,
    pub(super) asks: u32,
    pub(super) warnings: &'a mut Vec<String>,
    pub(super) garbled: bool,
    pub(super) schemas: &'a Schemas,
}

impl Play<'_> {
    pub(super) async fn run(&mut self, peer: &mut AgentUnderTest) -> Result<(), ConformanceProblem> {
        loop {
            self.send(peer).await?;
            if self.tables.iter().all(|table| table.is_finished()) {
                return Ok(());
            }
            self.hear(peer).await?;
        }
    }

    async fn send(&mut self, peer: &mut AgentUnderTest) -> Result<(), ConformanceProblem> {
        // The game that began last is served first: an agent may not expect any order of games.
        for table in self.tables.iter_mut().rev() {
            while let Some(Letter { line: letter, is_ask }) = table.letters.pop_front() {
                if self.way == LineVariation::SlowPeers && is_ask && self.asks.is_multiple_of(EVERY) {
                    match peer.hear(Duration::from_millis(100)).await {
                        None => {}
                        Some(Heard::Line(line)) if is_note(&line) => {}
                        Some(Heard::Line(line)) => {
                            let what = "a line came though nothing was asked: while others think an agent waits";
                            return Err(ConformanceProblem::new(what).with_line(&line));
                        }
                        Some(heard) => return Err(lost(&heard)),
                    }
                }
                if let Some(difference) = self.schemas.against_arena(&letter) {
                    note(self.warnings, &difference);
                }
                let letter = match self.way {
                    LineVariation::Newer => with_additions(&String::from_utf8_lossy(&letter)).into_bytes(),
                    _ => letter,
                };
                peer.send(&letter).await;
                if is_ask {
                    table.asked = Some(letter);
                    self.asks += 1;
                    if self.way == LineVariation::Missed && self.asks.is_multiple_of(EVERY) {
                        peer.late.extend(table.miss().map(|id| id.0));
                    }
                }
            }
        }
        Ok(())
    }

    async fn hear(&mut self, peer: &mut AgentUnderTest) -> Result<(), ConformanceProblem> {
        let line = match peer.hear_or_measure(self.patience).await {
            Ok(Heard::Line(line)) => line,
            Ok(heard) => return Err(lost(&heard).after(self.asked())),
            Err(silent) => return self.silence(peer, silent).await,
        };
        self.look_for_unknown(peer, &line);
        let message = match read_agent_line(&line) {
            None => {
                self.warn("it sends blank lines, which mean nothing but are counted (SPEC 1.4)");
                return Ok(());
            }
            Some(Ok(message)) => message,
            Some(Err(error)) => {
                let Misconduct { fault, message } = error.into();
                let mut what = format!("{} (a strike): {message}", fault.name());
                if let Some(difference) = self.schemas.for_bad(&line) {
                    what += &format!(" ({difference})");
                }
                return Err(ConformanceProblem::new(what).with_line(&line).after(self.asked()));
            }
        };
        if let Some(difference) = self.schemas.against_good(&line) {
            self.warn(&difference);
        }
        match message {
            AgentMessage::Act(Act { crash: Some(crash), .. }) => {
                Err(ConformanceProblem::of_crash(&crash).with_line(&line).after(self.asked()))
            }
            AgentMessage::Act(act) if peer.late.remove(&act.id.0) || peer.remembers(&act.game) => Ok(()),
            AgentMessage::Act(act) => self.act(act, &line),
            AgentMessage::Note(note) if peer.remembers(&note.game) => Ok(()),
            AgentMessage::Note(note) if self.tables.iter().any(|table| table.id == note.game) => Ok(()),
            AgentMessage::Note(note) => {
                let Misconduct { fault, message } = Misconduct::unknown_game(&note.game);
                Err(ConformanceProblem::new(format!("{}: {message}", fault.name())).with_line(&line))
            }
            AgentMessage::Ready(_) => {
                let Misconduct { fault, message } = Misconduct::second_ready();
                Err(ConformanceProblem::new(format!("{}: {message}", fault.name())).with_line(&line))
            }
        }
    }

    fn act(&mut self, act: Act, line: &[u8]) -> Result<(), ConformanceProblem> {
        let wrong = |fault: ConductFault, what: String| {
            Err(ConformanceProblem::new(format!("{} (a strike): {what}", fault.name())).with_line(line))
        };
        let Some(table) = self.tables.iter_mut().find(|table| table.id == act.game) else {
            let Misconduct { fault, message } = Misconduct::unknown_game(&act.game);
            return wrong(fault, message);
        };
        if table.open() != Some(act.id) {
            let open = table.open().map_or("no ask is open".to_owned(), |open| format!("open is {open}"));
            let problem = wrong(ConductFault::UnknownId, format!("/id: the ask {} is not open; {open}", act.id));
            return problem.map_err(|problem| problem.after(table.asked.as_deref()));
        }
        if self.way == LineVariation::Garbled && !self.garbled && self.asks >= EVERY {
            self.garbled = true;
            table.garble();
            return Ok(());
        }
        let legal = table.legal();
        table.answer(act);
        match table.refused.first() {
            None => Ok(()),
            Some(refusal) => {
                let what = format!("the action was refused: {refusal}");
                Err(ConformanceProblem::new(what).with_line(line).after(table.asked.as_deref()).instead_of(legal))
            }
        }
    }

    async fn silence(&mut self, peer: &mut AgentUnderTest, silent: Silent) -> Result<(), ConformanceProblem> {
        if self.way == LineVariation::Garbled && self.garbled {
            self.warn(
                "it does not answer again after a \"fault\" with \"open\":true: then only its time runs out (SPEC 3.10)",
            );
            peer.late.extend(self.tables.iter_mut().filter_map(TestGame::miss).map(|id| id.0));
            self.garbled = false;
            self.way = LineVariation::Plain;
            return Ok(());
        }
        Err(ConformanceProblem::new(peer.explain(silent).await).after(self.asked()))
    }

    /// The line of an open ask.
    fn asked(&self) -> Option<&[u8]> {
        self.tables.iter().find(|table| table.open().is_some())?.asked.as_deref()
    }

    fn warn(&mut self, what: &str) {
        note(self.warnings, what);
    }

    /// Unknown members are ignored, which would hide a typo.
    fn look_for_unknown(&mut self, peer: &mut AgentUnderTest, line: &[u8]) {
        let Ok(Value::Object(members)) = serde_json::from_slice(line) else { return };
        for name in members.keys().filter(|name| !MEMBERS.contains(&name.as_str())) {
            if peer.unknown.len() < 20 && peer.unknown.insert(name.clone()) {
                let name: String = name.chars().take(60).collect();
                self.warn(&format!("/{name}: no message has a member of this name; it is passed over"));
            }
        }
    }
}

fn note(warnings: &mut Vec<String>, what: &str) {
    if !warnings.iter().any(|warning| warning == what) {
        warnings.push(what.to_owned());
    }
}

fn lost(heard: &Heard) -> ConformanceProblem {
    match heard {
        Heard::TooLong => ConformanceProblem::new("line_too_long (a strike): a line over 65536 bytes"),
        Heard::End(how) => ConformanceProblem::new(format!("gone: {how}")),
        Heard::Line(line) => ConformanceProblem::new("an unexpected line").with_line(line),
    }
}

fn is_note(line: &[u8]) -> bool {
    matches!(read_agent_line(line), Some(Ok(AgentMessage::Note(_))))
}
