//! The thread that makes of the finished games of one loop what a run keeps of them: it plays each once more, hashes and packs
//! it, and hands it to the recorder. It runs on the processor of its loop, behind all that has a deadline; how games are played it
//! does not know.
//!
//! A game begins only with a [`Place`] among those that wait, so a loop never waits for its packer in the middle of games:
//! where the packer falls behind, fewer games begin.

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

/// Games of one loop that may be in play or wait to be packed.
const WAITING: usize = 256;

/// A finished game, and what it is in the plan.
pub type PlayedGame = (PlannedGame, Played);

/// The right to send one game without waiting.
pub type Place = mpsc::OwnedPermit<PlayedGame>;

/// The way to the packer of a loop.
pub struct Sender {
    games: mpsc::Sender<PlayedGame>,
    /// Places that nobody has taken yet.
    places: RefCell<Vec<Place>>,
    /// A game could not begin for want of a place.
    full: Notify,
}

/// A way to a packer, and where the packer takes games from.
pub fn channel() -> (Rc<Sender>, mpsc::Receiver<PlayedGame>) {
    let (games, packed) = mpsc::channel(WAITING);
    (Rc::new(Sender { games, places: RefCell::default(), full: Notify::new() }), packed)
}

impl Sender {
    /// A place for a game that is about to begin; if there is none, [`Sender::room`] tells when there is.
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

    /// Waits until a game that could not begin for want of a place can.
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

/// Packs games until their loop hangs up; `see` sees each before.
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
