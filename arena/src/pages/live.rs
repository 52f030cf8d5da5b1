//! Games in play as a server shows them: what the loops publish in their tap becomes stories, for as long as somebody watches. It
//! runs on the server's threads alone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use maumau_referee::ReplayError;
use maumau_run::runner::{Feed, LiveTap};
use maumau_web::game::Hands;
use maumau_web::live::{LiveGame, LiveTable, LiveTables};
use maumau_web::shown::LiveSource;

/// How long a game is followed when nobody watches it any more: a lost connection comes back.
const PATIENCE: Duration = Duration::from_secs(10);

/// Games that are followed at once, at most.
const MOST_GAMES: usize = 64;

/// How often a game that was asked for is looked for.
const LOOKED_FOR: u32 = 6;

/// The time between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The games of a run, or the one of a match, as they are played.
pub(crate) struct LiveGames {
    tap: LiveTap,
    hands: Hands,
    tables: LiveTables,
    games: Mutex<BTreeMap<String, Watched>>,
    /// True once everything has been played.
    is_over: Box<dyn Fn() -> bool + Send + Sync>,
}

struct Watched {
    game: Arc<LiveGame>,
    seen: Instant,
}

impl LiveGames {
    /// What is played behind `tap`.
    pub(crate) fn new(tap: LiveTap, hands: Hands, is_over: impl Fn() -> bool + Send + Sync + 'static) -> LiveGames {
        LiveGames { tap, hands, tables: LiveTables::default(), games: Mutex::default(), is_over: Box::new(is_over) }
    }

    /// Nothing in it is left half changed by a panic.
    fn games(&self) -> MutexGuard<'_, BTreeMap<String, Watched>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends the tables to the pages that show them.
    fn send_tables(&self) {
        let looks = self.tables.viewers() > 0;
        self.tap.look(looks);
        if !looks {
            return;
        }
        let table = |game: maumau_run::runner::GameInPlay| LiveTable {
            game: game.name,
            names: game.agents,
            round: game.round,
            cards: game.cards,
            inputs: game.inputs,
        };
        let tables: Vec<LiveTable> = self.tap.tables().into_iter().map(table).collect();
        self.tables.publish(&tables, self.tap.over(), (self.is_over)());
    }

    /// Adds what has happened in one game to its story; `false` if it cannot go on.
    fn send_game(&self, name: &str, game: &LiveGame) -> bool {
        let Some(feed) = self.tap.take(name) else { return false };
        // An error would be one of this program: its page says that it is over, and the record says more.
        add(game, &feed).is_ok()
    }
}

/// Adds what `feed` has of a game to its story.
fn add(game: &LiveGame, feed: &Feed) -> Result<(), ReplayError> {
    if let Some(snapshot) = &feed.snapshot {
        game.jump(snapshot)?;
    }
    game.add(&feed.inputs, feed.is_over)
}

impl LiveSource for LiveGames {
    fn tables(&self) -> &LiveTables {
        &self.tables
    }

    fn watch(&self, name: &str) -> Option<Arc<LiveGame>> {
        if let Some(watched) = self.games().get_mut(name) {
            watched.seen = Instant::now();
            return Some(Arc::clone(&watched.game));
        }
        if self.games().len() >= MOST_GAMES {
            return None;
        }
        // The loops publish it when they sample next, if it is being played.
        self.tap.want(name);
        for _ in 0..LOOKED_FOR {
            std::thread::sleep(LOOK_EVERY);
            let mut games = self.games();
            if let Some(watched) = games.get(name) {
                return Some(Arc::clone(&watched.game));
            }
            let Some(feed) = self.tap.take(name) else { break };
            let Some(header) = &feed.header else { continue };
            let game = LiveGame::new(header, self.hands).ok()?;
            add(&game, &feed).ok()?;
            let game = Arc::new(game);
            games.insert(name.to_owned(), Watched { game: Arc::clone(&game), seen: Instant::now() });
            return Some(game);
        }
        self.tap.leave(name);
        None
    }

    fn narrate(&self) {
        self.send_tables();
        let now = Instant::now();
        self.games().retain(|name, watched| {
            if watched.game.viewers() > 0 {
                watched.seen = now;
            }
            let goes_on = now.duration_since(watched.seen) < PATIENCE && self.send_game(name, &watched.game);
            if !goes_on {
                self.tap.leave(name);
            }
            goes_on
        });
    }
}
