//! The thread that turns the finished games of one loop into what a run keeps of them: it replays, hashes and packs each, and
//! passes it to the recorder. It runs on the processor of its loop, at a lower priority than everything with a deadline. It
//! does not know how games are played.
//!
//! A game only begins with a [`Place`] in the queue, so a loop never waits for its packer in the middle of games: if the packer
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
pub type Place = mpsc::OwnedPermit<PlayedGame>;

/// The sending side of a loop's packer.
pub struct Sender {
    games: mpsc::Sender<PlayedGame>,
    /// Free places.
    places: RefCell<Vec<Place>>,
    /// True if a game could not begin for lack of a place.
    full: Notify,
}

/// Both sides of a packer: where games are sent, and where it takes them from.
pub fn channel() -> (Rc<Sender>, mpsc::Receiver<PlayedGame>) {
    let (games, packed) = mpsc::channel(WAITING);
    (Rc::new(Sender { games, places: RefCell::default(), full: Notify::new() }), packed)
}

impl Sender {
    /// A place for a game that is about to begin; if there is none, [`Sender::room`] reports when there is.
    ///
    /// # Errors
    /// The packer has ended.
    pub fn place(&self) -> Result<Option<Place>> {
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
    send: &recorder::Sender,
    mut see: impl FnMut(&PlannedGame, &mut Played),
) -> Result<()> {
    resource_limits::lower_priority();
    while let Some((planned, mut played)) = games.blocking_recv() {
        see(&planned, &mut played);
        send.send(StoredGame::new(&planned, played)?)?;
    }
    Ok(())
}
