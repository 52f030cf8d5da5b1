//! The tables of `maumau serve` without a file: people open them on a page, sit down, play, and play again. Each table is a match as
//! `maumau play` plays it, on a thread of its own; how many there are at once, and how long nobody may look, is limited here.
//! What a request says is read in `request`.

mod request;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use maumau_protocol::SandboxLevel;
use maumau_protocol::message::GameId;
use maumau_run::agent::{AgentCommand, PermitSettings, Sandbox, resource_limits};
use maumau_run::io::{atomic_file, entropy};
use maumau_run::log::panic_text;
use maumau_run::runner::{
    AgentSpec, EventLoop, GameConfig, LiveTap, Played, RunState, ShutdownSignal, on_one_processor,
};
use maumau_web::lobby::{AFTER, Lobby, LobbyTable, TableChoices, TableRequest, TableState};
use maumau_web::seats::{Seats, WebSeat};
use maumau_web::shown::NotShown;
use tempfile::TempDir;

use super::people;
use crate::pages::{Records, web_agent};
use request::RequestedTable;

/// Tables that are open at once, at most: each has the processes of its agents.
const MOST_OPEN: usize = 6;

/// Tables that are remembered, with the records of their games, at most.
const MOST_KNOWN: usize = 50;

/// How often it is asked whether the people of a table are still there.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Looks in a row at which no page showed a seat, after which a table is closed: half an hour.
const MOST_UNWATCHED: u32 = 360;

/// How long those who watch a game are sent its end.
const LAST_NEWS: Duration = Duration::from_millis(500);

/// What each thread of a table is called.
const THREAD: &str = "table";

/// The tables of a server.
pub(super) struct OpenTables {
    seats: Arc<Seats>,
    tap: LiveTap,
    records: Arc<Records>,
    /// Where the records of the games are, as long as the server lives.
    folder: TempDir,
    /// Where the agents of people find their pages, once these are served.
    agents: OnceLock<SocketAddr>,
    shutdown: ShutdownSignal,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The newest first.
    tables: VecDeque<LobbyTable>,
    opened: u64,
    threads: Vec<JoinHandle<()>>,
}

/// Why a table has no result; the text is for its people.
struct Abandoned(String);

impl OpenTables {
    /// No table yet. Games are watched through `tap`, and replayed from `records`.
    ///
    /// # Errors
    /// There is no place for records.
    pub(super) fn new(seats: Arc<Seats>, tap: LiveTap, records: Arc<Records>) -> Result<Arc<OpenTables>> {
        let folder = TempDir::with_prefix("maumau-tables-").context("there is no place for the records of games")?;
        Ok(Arc::new(OpenTables {
            seats,
            tap,
            records,
            folder,
            agents: OnceLock::new(),
            shutdown: ShutdownSignal::default(),
            state: Mutex::default(),
        }))
    }

    /// The agents of people find their pages at `address`.
    pub(super) fn begin(&self, address: SocketAddr) {
        _ = self.agents.set(address);
    }

    /// What ends every table.
    pub(super) fn shutdown(&self) -> &ShutdownSignal {
        &self.shutdown
    }

    /// Ends every table, and waits until no agent is left.
    pub(super) fn end(&self) {
        self.shutdown.raise(RunState::Stop);
        self.seats.end("The arena behind this page has ended.");
        let threads = std::mem::take(&mut self.state().threads);
        // A thread that has panicked has said so at its table.
        threads.into_iter().for_each(|thread| _ = thread.join());
    }

    /// Nothing in it is left half changed by a panic.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, number: u64, to: TableState) {
        if let Some(table) = self.state().tables.iter_mut().find(|table| table.number == number) {
            table.state = to;
        }
    }

    /// Plays at a table, and says there what became of it.
    fn host(&self, number: u64, table: &RequestedTable, people: &[Arc<WebSeat>]) {
        let game = game_name(number);
        let play = std::panic::AssertUnwindSafe(|| {
            on_one_processor(|| async { Ok(self.play(number, &game, table, people).await) })
        });
        let ended = std::panic::catch_unwind(play).unwrap_or_else(|panic| Err(anyhow!("{}", panic_text(&*panic))));
        let ended = match ended.and_then(|ended| ended) {
            Ok(Ok(played)) => self.keep(&game, played),
            Ok(Err(Abandoned(why))) => Ok(TableState::Abandoned(why)),
            Err(error) => Err(error),
        };
        self.set(number, ended.unwrap_or_else(|error| TableState::Abandoned(format!("it did not work: {error:#}"))));
        // Who still looks at a seat has been sent the result by its agent.
        people
            .iter()
            .for_each(|place| place.end("This match is over. The page of the table has its replay, and a rematch."));
    }

    /// Waits for the people of a table and plays its match, until all of them have left it.
    async fn play(
        &self,
        number: u64,
        game: &str,
        table: &RequestedTable,
        people: &[Arc<WebSeat>],
    ) -> Result<Result<Played, Abandoned>> {
        let agents = *self.agents.get().context("the pages are not served yet")?;
        let event_loop = EventLoop::new(specs(table, people, agents)?)?;
        let seed = entropy::fresh_seed()?;
        let config = GameConfig {
            id: GameId(maumau_engine::game_id(&seed, game).into()),
            rules: Arc::clone(&table.rules),
            seed,
            agents: (0..table.seats.len()).map(|agent| (agent, 0)).collect(),
            time: table.time,
            clock: table.clock,
            reveal_seed: true,
            public_seed: false,
            hidden_names: false,
        };
        let mut shutdown = self.shutdown.watch();
        let played = tokio::select! {
            played = async {
                self.seats.all_taken(people).await;
                event_loop.show_through(&self.tap, (number % MOST_OPEN as u64) as usize);
                let seated = event_loop.seat(&config).await?;
                if let Some(failure) = seated.iter().find_map(|seated| seated.as_ref().err()) {
                    return Ok(Err(Abandoned(format!("a seat did not start: {}", failure.reason))));
                }
                self.set(number, TableState::Playing);
                event_loop.play(game, config, seated).await.map(Ok)
            } => played,
            why = all_gone(people) => Ok(Err(why)),
            _ = shutdown.wait_for(|state| *state == RunState::Stop) => Ok(Err(Abandoned("the server has ended".to_owned()))),
        };
        event_loop.stop().await;
        if matches!(played, Ok(Ok(_))) {
            tokio::time::sleep(LAST_NEWS).await;
        }
        played
    }

    /// Keeps the record of a game, to be replayed.
    fn keep(&self, game: &str, mut played: Played) -> Result<TableState> {
        played.log.sandbox = Some(SandboxLevel::None);
        let result = &played.log.result;
        let rows = result.places.iter().zip(&result.points).zip(&result.wins);
        let over = TableState::Over(rows.map(|((place, points), wins)| (*place, *points, *wins)).collect());
        let (record, _) = played.log.to_record().map_err(|error| anyhow!("its record is wrong: {error}"))?;
        let file = self.folder.path().join(format!("{game}.jsonl"));
        atomic_file::write(&file, &record)?;
        self.records.add(game.to_owned(), file, MOST_KNOWN).iter().for_each(|old| remove(old));
        Ok(over)
    }
}

/// Removes a record that is not shown any more.
fn remove(record: &Path) {
    // What stays is removed with its folder.
    _ = std::fs::remove_file(record);
}

/// What the game of a table is called.
fn game_name(number: u64) -> String {
    format!("table-{number}")
}

/// Waits until all people who came have left, or none has looked for too long.
async fn all_gone(people: &[Arc<WebSeat>]) -> Abandoned {
    let mut unwatched = 0;
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        // Who has never come does not keep the others' table open.
        if people.iter().any(|place| place.has_left())
            && people.iter().all(|place| place.has_left() || !place.is_taken())
        {
            return Abandoned("everybody has left it.".to_owned());
        }
        unwatched = if people.iter().any(|place| place.is_watched()) { 0 } else { unwatched + 1 };
        if unwatched == MOST_UNWATCHED {
            return Abandoned("nobody has looked at it for half an hour.".to_owned());
        }
    }
}

/// The agents of a table, by seat. All are part of this program, and need no sandbox.
fn specs(table: &RequestedTable, people: &[Arc<WebSeat>], agents: SocketAddr) -> Result<Vec<AgentSpec>> {
    let mut places = people.iter();
    let spec = |seat: &request::RequestedSeat| {
        let command = AgentCommand::parse(&seat.command)?.in_sandbox(&Sandbox::none());
        let mut permits = PermitSettings::default();
        if seat.is_person {
            let place = places.next().context("a person has no seat")?;
            permits.network = true;
            permits.env.insert(web_agent::VARIABLE.to_owned(), format!("{agents} {}", place.key()));
        }
        Ok(AgentSpec { name: seat.name.clone(), command: command.granted(permits.grant()) })
    };
    let mut specs = table.seats.iter().map(spec).collect::<Result<Vec<_>>>()?;
    if table.clock == maumau_protocol::message::ClockMode::Live {
        people::slow_down(&mut specs);
    }
    Ok(specs)
}

/// The lobby, as the server of the pages asks for it.
pub(super) struct LobbyPages(pub(super) Arc<OpenTables>);

impl Lobby for LobbyPages {
    fn choices(&self, rules: &str) -> Result<TableChoices, NotShown> {
        request::choices(rules)
    }

    fn open(&self, request: &TableRequest) -> Result<u64, NotShown> {
        let table = request::read(request)?;
        let lobby = &self.0;
        let wrong = |error: anyhow::Error| NotShown(format!("The table could not be opened: {error:#}"));
        let mut state = lobby.state();
        let is_open = |table: &&LobbyTable| matches!(table.state, TableState::Waiting | TableState::Playing);
        if state.tables.iter().filter(is_open).count() >= MOST_OPEN {
            return Err(NotShown(format!(
                "{MOST_OPEN} tables are open, which is as many as there can be at once: end one, or wait until one is over."
            )));
        }
        state.opened += 1;
        let number = state.opened;
        let of_people = table.seats.iter().filter(|seat| seat.is_person).map(|seat| seat.name.clone()).collect();
        let people = lobby.seats.add(of_people, Some(&format!("/table/{number}")))?;
        state.tables.push_front(LobbyTable {
            number,
            rules: table.rules.set().title.to_string(),
            names: table.seats.iter().map(|seat| seat.name.clone()).collect(),
            people: people.clone(),
            state: TableState::Waiting,
            game: game_name(number),
            request: request.iter().filter(|(name, _)| name != AFTER).cloned().collect(),
            next: None,
        });
        while state.tables.len() > MOST_KNOWN {
            let oldest = state.tables.iter().rposition(|table| !is_open(&table));
            let forgotten = oldest.and_then(|oldest| state.tables.remove(oldest));
            forgotten.iter().for_each(|table| lobby.seats.remove(&table.people));
        }
        state.threads.retain(|thread| !thread.is_finished());
        let host = Arc::clone(lobby);
        let thread = resource_limits::start(THREAD, move || host.host(number, &table, &people)).map_err(wrong);
        match thread {
            Ok(thread) => state.threads.push(thread),
            Err(why) => {
                state.tables.pop_front().iter().for_each(|table| lobby.seats.remove(&table.people));
                return Err(why);
            }
        }
        let after = request.iter().find(|(name, _)| name == AFTER).and_then(|(_, after)| after.parse().ok());
        if let Some(table) =
            after.and_then(|after| state.tables.iter_mut().find(|table| table.is_asked_again(request, after)))
        {
            table.next = Some(number);
        }
        Ok(number)
    }

    fn tables(&self) -> Vec<LobbyTable> {
        self.0.state().tables.iter().cloned().collect()
    }
}
