//! The thread that turns the finished games of one loop into what a run keeps of them: it replays, hashes and packs each, and
//! passes it to the recorder. It runs on the processor of its loop, at a lower priority than everything with a deadline. It
//! does not know how games are played.
//!
//! A game only begins with a [`SendPermit`] in the queue, so a loop never waits for its packer in the middle of games: if the packer
//! falls behind, fewer games begin.

use std::cell::RefCell;
use std::rc::Rc;

use anyhow::{Result, ensure};
use maumau_tournament::PlannedGame;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Notify, mpsc};

use super::recorder;
use super::store::StoredGame;
use crate::agent::resource_limits;
use crate::runner::Played;

/// Maximum games of one loop in play or waiting to be packed.
const WAITING: usize = 256;

/// A finished game, and its place in the plan.
pub type PlayedGame = (PlannedGame, Played);

/// The right to send one game without waiting.
pub type SendPermit = mpsc::OwnedPermit<PlayedGame>;

/// The sending side of a loop's packer.
pub struct PackerSender {
    games: mpsc::Sender<PlayedGame>,
    /// Free places.
    places: RefCell<Vec<SendPermit>>,
    /// True if a game could not begin for lack of a place.
    full: Notify,
}

/// Both sides of a packer: where games are sent, and where it takes them from.
pub fn channel() -> (Rc<PackerSender>, mpsc::Receiver<PlayedGame>) {
    let (games, packed) = mpsc::channel(WAITING);
    (Rc::new(PackerSender { games, places: RefCell::default(), full: Notify::new() }), packed)
}

impl PackerSender {
    /// A place for a game that is about to begin; if there is none, [`PackerSender::room`] reports when there is.
    ///
    /// # Errors
    /// The packer has ended.
    pub fn place(&self) -> Result<Option<SendPermit>> {
        if let Some(place) = self.places.borrow_mut().pop() {
            return Ok(Some(place));
        }
        match self.games.clone().try_reserve_owned() {
            Ok(place) => Ok(Some(place)),
            Err(TrySendError::Full(_)) => {
                self.full.notify_one();
                Ok(None)
            }
            Err(TrySendError::Closed(_)) => anyhow::bail!("no more games are packed"),
        }
    }

    /// Waits until there is a place for a game that could not begin.
    ///
    /// # Errors
    /// The packer has ended.
    pub async fn room(&self) -> Result<()> {
        self.full.notified().await;
        let place = self.games.clone().reserve_owned().await;
        ensure!(place.is_ok(), "no more games are packed");
        self.places.borrow_mut().extend(place);
        Ok(())
    }
}

/// Packs games until their loop hangs up; `see` is called with each before.
///
/// # Errors
/// A log contradicts itself, or the recorder has ended.
pub fn pack(
    mut games: mpsc::Receiver<PlayedGame>,
    send: &recorder::RecorderSender,
    mut see: impl FnMut(&PlannedGame, &mut Played),
) -> Result<()> {
    resource_limits::lower_priority();
    while let Some((planned, mut played)) = games.blocking_recv() {
        see(&planned, &mut played);
        send.send(StoredGame::new(&planned, played)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::task::{Context, Waker};
    use std::thread;

    use maumau_engine::Rules;
    use maumau_engine::rules::load_built_in;
    use maumau_referee::local_game::FirstLegal;
    use maumau_tournament::{AgentId, DealId};

    use super::*;
    use crate::agent::on_a_loop;

    /// A loop whose games are over as soon as they have begun; all are alike but for their numbers.
    struct Loop {
        games: Rc<PackerSender>,
        played: Box<dyn Fn() -> Played>,
        begun: u64,
    }

    impl Loop {
        fn new(games: Rc<PackerSender>) -> Loop {
            let rules = Arc::new(load_built_in("basic", &[]).expect("a built-in set").set);
            let rules = Rules::for_table(&rules, 2, Some(1)).expect("a table for two");
            let (log, tallies) = FirstLegal::new(Arc::new(rules), Vec::new()).play(1).expect("a game");
            let played = move || Played { log: log.clone(), tallies: tallies.clone(), evidence: Vec::new() };
            Loop { games, played: Box::new(played), begun: 0 }
        }

        /// Begins the next game. False if there is no place for it.
        fn begin(&mut self) -> bool {
            let Some(place) = self.games.place().expect("a packer") else { return false };
            let deal = DealId { group: 0, deal: self.begun as u32 };
            let planned = PlannedGame { index: self.begun, deal, rotation: 0, agents: vec![AgentId(0), AgentId(1)] };
            place.send((planned, (self.played)()));
            self.begun += 1;
            true
        }

        /// Begins the next game, as soon as there is a place for it.
        fn begin_when_there_is_room(&mut self) {
            while !self.begin() {
                on_a_loop(self.games.room()).expect("a packer");
            }
        }
    }

    #[test]
    fn while_the_recorder_is_slow_no_game_begins_without_a_place_and_none_is_lost() {
        let (games, packed) = channel();
        let mut playing = Loop::new(Rc::clone(&games));
        while playing.begin() {}
        assert_eq!(playing.begun, WAITING as u64);
        let room = std::pin::pin!(games.room()).poll(&mut Context::from_waker(Waker::noop()));
        assert!(room.is_pending(), "there is no room, and the loop hears that there is");

        // A recorder that takes a game only now and then.
        let (send, mut recorded) = mpsc::channel(1);
        let send = recorder::RecorderSender::new(send, thread::current());
        let packer = thread::spawn(move || pack(packed, &send, |_, _| {}));
        // One game waits in the recorder's queue, and the packer holds another.
        playing.begin_when_there_is_room();
        playing.begin_when_there_is_room();
        assert!(!playing.begin());
        let mut stored = Vec::new();
        for _ in 0..8 {
            stored.extend(recorded.blocking_recv());
            playing.begin_when_there_is_room();
            assert!(!playing.begin(), "the recorder has taken one game, and two have begun");
        }

        let begun = playing.begun;
        drop((playing, games));
        stored.extend(std::iter::from_fn(|| recorded.blocking_recv()));
        assert!(stored.iter().map(|game| game.number()).eq(0..begun));
        packer.join().expect("no panic").expect("every game was packed");
    }
}
