//! A club whose files are open: what its server and its worker share. Who may see what is the server's.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;

use super::answers::LadderRow;
use super::folder::{ClubFolder, ClubSettings};
use super::season;
use super::store::ClubStore;

/// How old a ladder may be that is shown.
const LADDER_FOR: Duration = Duration::from_secs(1);
/// How often the ladder is read until it is said that it cannot be.
const LADDER_TRIES: u32 = 10;
/// The pause between two of these.
const LADDER_AGAIN_AFTER: Duration = Duration::from_millis(100);

/// A club that is served.
pub(crate) struct Club {
    pub(crate) folder: ClubFolder,
    pub(crate) settings: ClubSettings,
    store: Mutex<ClubStore>,
    ladder: Mutex<Option<(Instant, Vec<LadderRow>)>>,
}

impl Club {
    /// Opens the files in `folder`.
    ///
    /// # Errors
    /// `club.toml` is wrong, or the database cannot be opened.
    pub(crate) fn open(folder: ClubFolder) -> Result<Club> {
        let (settings, store) = (folder.settings()?, ClubStore::open(&folder.database())?);
        Ok(Club { folder, settings, store: Mutex::new(store), ladder: Mutex::default() })
    }

    /// The database. Nothing in it is left half changed by a panic.
    pub(crate) fn store(&self) -> MutexGuard<'_, ClubStore> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ladder as it was at most a second ago.
    ///
    /// # Errors
    /// The run file cannot be read.
    pub(crate) fn ladder(&self) -> Result<Vec<LadderRow>> {
        let mut kept = self.ladder.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, ladder)) = kept.as_ref().filter(|(read, _)| read.elapsed() < LADDER_FOR) {
            return Ok(ladder.clone());
        }
        // While agents join, a reader may meet their round without them.
        let mut tries = 1;
        let ladder = loop {
            match season::ladder(&self.folder.run()) {
                Ok(ladder) => break ladder,
                Err(error) if tries == LADDER_TRIES => return Err(error),
                Err(_) => tries += 1,
            }
            std::thread::sleep(LADDER_AGAIN_AFTER);
        };
        *kept = Some((Instant::now(), ladder.clone()));
        Ok(ladder)
    }
}
