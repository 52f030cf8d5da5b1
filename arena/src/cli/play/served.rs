//! `maumau play --serve`: the pages of a match, and seats of people on them. It starts the server beside the match and hands
//! people their links; the match is played as any other.

use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use maumau_run::agent::{PermitSettings, Sandbox};
use maumau_run::error::usage;
use maumau_run::runner::{AgentSpec, EventLoop, GameConfig, LiveTap};
use maumau_web::seats::Seats;
use maumau_web::server;

use super::PlayArguments;
use crate::pages::{AgentReach, LiveGames, MatchPages, PageHost, seats, web_agent};

/// What `--seat` says to seat a person on a page.
const PERSON: &str = web_agent::NAME;

/// What is served of a match, if anything is.
#[derive(Clone, Default)]
pub(super) struct ServedMatch(Option<Arc<Serving>>);

struct Serving {
    host: Mutex<Option<PageHost>>,
    tap: LiveTap,
    seats: Arc<Seats>,
}

/// The command of a seat: `web`, and `web NAME`, is short for that of the agent that plays for a person.
pub(super) fn command(seat: &str) -> &str {
    if seat.split(' ').next() == Some(PERSON) { "maumau agent web" } else { seat }
}

fn is_person(seat: &str) -> bool {
    command(seat) == command(PERSON)
}

/// True if people play on pages.
pub(super) fn has_people(arguments: &PlayArguments) -> bool {
    arguments.seats.iter().any(|seat| is_person(seat))
}

/// What each seat is permitted: the agent of a person reaches its page.
pub(super) fn permits(arguments: &PlayArguments) -> Vec<PermitSettings> {
    let of_seat = |seat: &String| {
        let mut permits = arguments.sandbox.permits();
        permits.network |= is_person(seat);
        permits
    };
    arguments.seats.iter().map(of_seat).collect()
}

/// Serves the match from now on, if that is wanted; the agents of people learn where their pages are.
///
/// # Errors
/// A person is to sit on a page, and none is served; or the address cannot be listened on.
pub(super) fn start(
    arguments: &PlayArguments,
    table: &GameConfig,
    specs: &mut [AgentSpec],
    sandbox: &Sandbox,
) -> Result<ServedMatch> {
    let people: Vec<usize> = (0..arguments.seats.len()).filter(|seat| is_person(&arguments.seats[*seat])).collect();
    let Some(asked) = arguments.serve.address() else {
        if people.is_empty() {
            return Ok(ServedMatch(None));
        }
        return Err(usage("--seat web seats a person on a page: add --serve"));
    };
    let tap = LiveTap::default();
    let over = tap.clone();
    let live = LiveGames::new(tap.clone(), arguments.serve.hands(), move || over.over() > 0);
    let shown = MatchPages { set: Arc::clone(table.rules.set()), time: table.time, seats: specs.len() };
    let seats = seats(people.iter().map(|seat| specs[*seat].name.clone()).collect())?;
    let served = server::ServedContent {
        shown: Arc::new(shown),
        live: Some(Arc::new(live)),
        workers: None,
        seats: (!people.is_empty()).then(|| Arc::clone(&seats)),
        lobby: None,
        lessons: None,
        one_game: true,
    };
    let agents = AgentReach::of(specs.iter().map(|spec| spec.command.clone()), sandbox.shares_network());
    let host = PageHost::start(asked, arguments.serve.public, &agents, served)?;
    print_stderr!("maumau: the table can be seen at {}", host.address());
    host.print_token_reason(&agents);
    let permits = permits(arguments);
    for (place, seat) in seats.places().iter().zip(&people) {
        let link = host.link(&place.path());
        print_stderr!("maumau: seat {seat} ({}) is taken, once, by the button at {link}", specs[*seat].name);
        if let Some(agents) = host.agents() {
            let mut permits = permits[*seat].clone();
            permits.env.insert(web_agent::VARIABLE.to_owned(), format!("{agents} {}", place.key()));
            specs[*seat].command = specs[*seat].command.clone().granted(permits.grant());
        }
    }
    if !people.is_empty() {
        print_stderr!("maumau: for you alone: a seat that was lost is freed at {}", host.link(&seats.path()));
    }
    Ok(ServedMatch(Some(Arc::new(Serving { host: Mutex::new(Some(host)), tap, seats }))))
}

impl ServedMatch {
    /// Lets the match be watched, and waits for its people.
    pub(super) async fn show(&self, event_loop: &Rc<EventLoop>) {
        let Some(serving) = &self.0 else { return };
        event_loop.show_through(&serving.tap, 0);
        serving.seats.all_taken(&serving.seats.places()).await;
    }

    /// Ends the pages, once viewers have been sent the last news.
    pub(super) fn end(&self) {
        let Some(serving) = &self.0 else { return };
        serving.seats.end("The game is over; the arena behind this page has ended.");
        if let Some(host) = serving.host.lock().unwrap_or_else(PoisonError::into_inner).take() {
            host.end_beside_games();
        }
    }
}
