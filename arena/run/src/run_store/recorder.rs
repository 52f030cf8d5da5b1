//! The thread that writes finished games to the run file. It takes the games that have arrived, commits them together,
//! and only then announces them, so a power failure cannot take back anything announced. It knows the store only as a
//! `RunStore`, and no loops.

use std::thread::{self, Thread};
use std::time::Duration;

use anyhow::{Result, anyhow};
use tokio::sync::mpsc;

use super::store::{RunStore, StoredGame};

/// How long to wait for further games before committing, unless the queue is half full already: a commit costs the disk as much
/// for many games as for one.
const LINGER: Duration = Duration::from_millis(30);
/// Maximum games in one commit.
const MOST: usize = 1_024;
/// Maximum games in the queue; beyond that, the loops that played them wait too.
pub const WAITING: usize = 1_024;

/// The sending side of the recorder.
#[derive(Clone)]
pub struct RecorderSender {
    games: mpsc::Sender<StoredGame>,
    recorder: Thread,
}

impl RecorderSender {
    /// The sending side of the thread `recorder`, which takes from the other end of `games`.
    pub fn new(games: mpsc::Sender<StoredGame>, recorder: Thread) -> RecorderSender {
        RecorderSender { games, recorder }
    }

    /// Passes on a game; waits if too many are queued.
    ///
    /// # Errors
    /// The recorder has ended.
    pub fn send(&self, game: StoredGame) -> Result<()> {
        self.games.blocking_send(game).map_err(|_| anyhow!("the run file takes no more games"))?;
        if self.games.capacity() <= self.games.max_capacity() / 2 {
            self.recorder.unpark();
        }
        Ok(())
    }
}

/// Takes games until all senders are gone.
///
/// # Errors
/// The store failed. Games not reported as stored were not announced, and are played again when the run continues.
pub fn record<S: RunStore>(
    store: &mut S,
    mut games: mpsc::Receiver<StoredGame>,
    mut announce: impl FnMut(&mut S, &[StoredGame]) -> Result<()>,
) -> Result<()> {
    let mut batch = Vec::new();
    while let Some(game) = games.blocking_recv() {
        batch.push(game);
        if !games.is_closed() || !games.is_empty() {
            thread::park_timeout(LINGER);
        }
        while batch.len() < MOST
            && let Ok(game) = games.try_recv()
        {
            batch.push(game);
        }
        commit(store, &batch, &mut announce)?;
        batch.clear();
    }
    Ok(())
}

/// Writes games to the disk, then announces them.
///
/// # Errors
/// The store or the announcement failed. If the store failed, the games may or may not be there, and none was announced.
pub fn commit<S: RunStore>(
    store: &mut S,
    games: &[StoredGame],
    announce: impl FnOnce(&mut S, &[StoredGame]) -> Result<()>,
) -> Result<()> {
    store.add(games)?;
    announce(store, games)
}

#[cfg(test)]
mod tests {
    use maumau_protocol::message::GameResult;
    use maumau_referee::record::Digest;
    use maumau_tournament::{AgentId, DealId, PlannedGame};

    use super::*;

    /// Fails at the commit with this number, and always after it.
    struct Faulty {
        fails_at: usize,
        commits: usize,
        games: Vec<u64>,
    }

    impl RunStore for Faulty {
        fn add(&mut self, games: &[StoredGame]) -> Result<()> {
            self.commits += 1;
            anyhow::ensure!(self.commits < self.fails_at, "the disk is full");
            self.games.extend(games.iter().map(StoredGame::number));
            Ok(())
        }
    }

    fn game(number: u64) -> StoredGame {
        let result = GameResult {
            places: vec![1, 2],
            points: vec![0, 9],
            wins: vec![1, 0],
            rounds: 1,
            unwon: 0,
            dismissed: vec![],
        };
        let (faults, times) = (vec![Default::default(); 2], vec![Default::default(); 2]);
        let deal = DealId { group: 0, deal: number as u32 };
        let planned = PlannedGame { index: number, deal, rotation: 0, agents: vec![AgentId(0), AgentId(1)] };
        StoredGame { planned, result, faults, times, digest: Digest([0; 32]), log: Vec::new() }
    }

    #[test]
    fn what_is_announced_is_in_the_store_whenever_it_fails() {
        for fails_at in 1..6 {
            let mut store = Faulty { fails_at, commits: 0, games: Vec::new() };
            let mut announced = Vec::new();
            let outcome = std::thread::scope(|scope| {
                let (send, games) = mpsc::channel(1);
                let store = &mut store;
                let announced = &mut announced;
                let recorder = scope.spawn(move || {
                    record(store, games, |_, games| {
                        announced.extend(games.iter().map(StoredGame::number));
                        Ok(())
                    })
                });
                let send = RecorderSender::new(send, recorder.thread().clone());
                let sent = (0..8).take_while(|number| send.send(game(*number)).is_ok()).count();
                drop(send);
                (sent, recorder.join().expect("no panic").map_err(|error| error.to_string()))
            });
            assert_eq!(announced, store.games);
            match outcome {
                (8, Ok(())) => assert_eq!(announced, (0..8).collect::<Vec<_>>()),
                (_, error) => assert_eq!(error, Err("the disk is full".to_owned())),
            }
        }
    }
}
