//! `maumau agent web`: plays for a person on a page. It speaks the protocol on its pipes, like any other agent, and sends a
//! server's page of its seat what the person's table says. Whether a choice is right is the referee's to say.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::time::Instant;

use anyhow::{Context, Result};
use maumau_agents::person::ready;
use maumau_protocol::message::{AgentMessage, ArenaMessage, AskId, ClockMode};
use maumau_protocol::{Action, wire};
use maumau_referee::story::{About, Piece, Tone};
use maumau_run::error::usage;
use serde_json::{Value, json};

use super::shown_seat::{SentToPage, ShownSeat, own_line};

/// What it is called.
pub(crate) const NAME: &str = "web";

/// The variable that names the place of its page's server and the key of its seat.
pub(crate) const VARIABLE: &str = "MAUMAU_SEAT";

/// Something that came.
enum SocketEvent {
    FromArena(String),
    FromPage(String),
    /// The arena has nothing more to say, or the page's server is gone.
    End,
}

/// Plays until the arena ends.
///
/// # Errors
/// It was not started by `maumau play --serve`, or a pipe failed.
pub(crate) fn play() -> Result<()> {
    let place = std::env::var(VARIABLE).ok();
    let place = place.as_deref().and_then(|place| place.split_once(' '));
    let Some((address, key)) = place else {
        return Err(usage("this agent shows a seat on a page: `maumau play --serve --seat web` starts it"));
    };
    let mut page = TcpStream::connect(address).with_context(|| format!("the pages at {address} cannot be reached"))?;
    page.set_nodelay(true)?;
    writeln!(page, "{key}")?;
    let (send, came) = mpsc::channel();
    let of_page = BufReader::new(page.try_clone()?);
    read_in_background(of_page, send.clone(), SocketEvent::FromPage);
    read_in_background(BufReader::new(std::io::stdin()), send, SocketEvent::FromArena);
    let mut seat = PersonSeat::new(page);
    for came in came {
        match came {
            SocketEvent::FromArena(line) => {
                if seat.hear(&line)? {
                    return Ok(());
                }
            }
            SocketEvent::FromPage(line) => seat.choose(&line)?,
            SocketEvent::End => return Ok(()),
        }
    }
    Ok(())
}

/// Reads lines for as long as there are any and somebody takes them.
fn read_in_background(
    from: impl BufRead + Send + 'static,
    to: mpsc::Sender<SocketEvent>,
    as_what: fn(String) -> SocketEvent,
) {
    std::thread::spawn(move || {
        for line in from.lines() {
            let Ok(line) = line else { break };
            if to.send(as_what(line)).is_err() {
                return;
            }
        }
        // Nobody takes it if everything has ended already.
        _ = to.send(SocketEvent::End);
    });
}

/// The seat of the person.
struct PersonSeat {
    page: TcpStream,
    seat: ShownSeat,
    began: Instant,
}

impl PersonSeat {
    fn new(page: TcpStream) -> PersonSeat {
        PersonSeat { page, seat: ShownSeat::new(ClockMode::Lockstep), began: Instant::now() }
    }

    fn now_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// Takes a line of the arena; `true` if it is the last.
    fn hear(&mut self, line: &str) -> Result<bool> {
        // Messages of a type that is not known are for newer agents (SPEC 4.9).
        let Some(message) = wire::read_arena_line(line).context("a line of the arena")? else { return Ok(false) };
        let is_last = matches!(message, ArenaMessage::Bye(_));
        if matches!(message, ArenaMessage::Hello(_)) {
            self.send(&AgentMessage::Ready(ready(NAME)))?;
        }
        let now_ms = self.now_ms();
        self.seat.hear(message, now_ms);
        if let Some(action) = self.seat.table.idle() {
            return self.act(action, None).map(|()| is_last);
        }
        self.show()?;
        Ok(is_last)
    }

    /// Takes a choice of the person.
    fn choose(&mut self, line: &str) -> Result<()> {
        let mut choice: Value = serde_json::from_str(line).context("a line of the page")?;
        if choice["hint"] == true {
            self.seat.hint()?;
            return self.send_page();
        }
        // What was chosen for an ask that is over is no answer to the next one.
        let table = &self.seat.table;
        let newest = table.ask().map(|ask| json!(ask.id));
        if table.clock() == ClockMode::Lockstep && newest.is_none_or(|newest| newest != choice["ask"]) {
            self.too_late();
            return self.send_page();
        }
        let seen = serde_json::from_value(choice["ask"].take()).ok();
        match serde_json::from_value::<Action>(choice["act"].take()) {
            Ok(action) if self.seat.warns_of(&action) => self.show(),
            Ok(action) => self.act(action, seen),
            Err(error) => {
                let sorry = format!("What the page sent is no action: {error}");
                self.seat.add_line(&own_line(About::Fault, vec![Piece::Foreign(Tone::Fault, sorry)]));
                self.send_page()
            }
        }
    }

    /// Does something, if anything can be done now; `seen` is the ask that the page showed.
    fn act(&mut self, action: Action, seen: Option<AskId>) -> Result<()> {
        match self.seat.table.answer_having_seen(action, seen) {
            Some(act) => self.send(&AgentMessage::Act(act))?,
            None => self.too_late(),
        }
        self.show()
    }

    fn too_late(&mut self) {
        let sorry = "too late: the game has gone on";
        self.seat.add_line(&own_line(About::Game, vec![Piece::Words(Tone::Refused, sorry.into())]));
    }

    fn show(&mut self) -> Result<()> {
        self.seat.show(self.now_ms());
        self.send_page()
    }

    fn send(&self, message: &AgentMessage) -> Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut out = std::io::stdout().lock();
        out.write_all(&line)?;
        out.flush().context("the arena cannot be written to")
    }

    /// Sends the page what is new.
    fn send_page(&mut self) -> Result<()> {
        for sent in self.seat.take_sent() {
            let (kind, json) = match sent {
                SentToPage::Line(json) => ('+', json),
                SentToPage::Moment(json) => ('~', json),
                SentToPage::State(json) => ('=', json),
            };
            self.page.write_all(format!("{kind}{json}\n").as_bytes()).context("the page cannot be written to")?;
        }
        Ok(())
    }
}
