//! Uploads: archives that members send are counted, unpacked where nobody plays from them yet, and kept by their digests.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use axum::http::StatusCode;
use maumau_club::{BotManifest, ClubThing, ClubViewer, is_bot_name, may};
use maumau_cluster::archive;
use maumau_cluster::unit::Sha;
use maumau_run::agent::AgentCommand;

use super::answers::VersionAnswer;
use super::folder::MAX_FILES;
use super::open_club::Club;
use super::requests::Refused;
use super::store::now_s;

impl Club {
    /// Keeps an archive as a version of `bot`: the file first, then what is unpacked, the row last.
    pub(super) fn upload(
        &self,
        viewer: &ClubViewer,
        bot: &str,
        bytes: &[u8],
    ) -> Result<(VersionAnswer, bool), Refused> {
        let wrong = |why: String| Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why);
        if !is_bot_name(bot) {
            return Err(wrong(format!("the name {bot:?}: expected 1 to 32 of a-z, 0-9 and -, a letter first")));
        }
        // One upload at a time, so that two with one digest do not meet.
        let mut store = self.store();
        let owner = store.owner(bot)?;
        let ClubViewer::Author { team } = viewer else { return Err(Refused::stranger(viewer)) };
        if !may(viewer, &ClubThing::Upload { owner: owner.as_deref() }) {
            return Err(Refused::new(StatusCode::FORBIDDEN, format!("the bot {bot:?} is another team's")));
        }
        let digest = Sha::of(bytes);
        let known = store.versions()?.into_iter().find(|one| one.bot == bot && one.sha == digest.digits());
        let (version, is_new) = match known {
            Some(version) => (version, false),
            None => {
                if let Some(refusal) = self.settings.quotas.refusal(&store.usage(team)?, now_s()) {
                    return Err(Refused {
                        retry_s: Some(refusal.wait_s()),
                        ..Refused::new(StatusCode::TOO_MANY_REQUESTS, refusal.to_string())
                    });
                }
                let place = self.folder.bot(digest.digits());
                if !place.is_dir() {
                    archive::unpack(bytes, &digest, &place).map_err(|error| wrong(format!("{error:#}")))?;
                }
                let manifest = match manifest(&place) {
                    Ok(manifest) => manifest,
                    Err(error) => {
                        std::fs::remove_dir_all(&place).context("a bot that was refused")?;
                        return Err(wrong(format!("{error:#}")));
                    }
                };
                keep(&self.folder.upload(digest.digits()), bytes)?;
                store.send(team, bot, digest.digits(), &manifest)?
            }
        };
        drop(store);
        self.announce()?;
        Ok((self.answer(&version)?, is_new))
    }
}

/// Writes an archive so that it is on the disk before its name is.
fn keep(path: &Path, bytes: &[u8]) -> Result<()> {
    let part = path.with_extension("part");
    let mut file = std::fs::File::create(&part).with_context(|| format!("{} cannot be written", part.display()))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).context("an archive cannot be written")?;
    std::fs::rename(&part, path).context("an archive cannot be kept")
}

/// How the bot in `folder` is started.
fn manifest(folder: &Path) -> Result<BotManifest> {
    let manifest = super::manifest_of(folder)?;
    let command = AgentCommand::parse(&manifest.run)?;
    if command.is_built_in() {
        bail!("run: a bot is a program of its own; maumau itself already plays as the house bots");
    }
    let mut files = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files += 1;
            }
        }
    }
    ensure!(files <= MAX_FILES, "the archive has {files} files; at most {MAX_FILES} are taken");
    Ok(manifest)
}
