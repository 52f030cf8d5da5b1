//! Uploads: what members send is unpacked where nobody plays from it yet, packed in one form, and kept by its digest.

use anyhow::{Context, Result, bail};
use axum::http::StatusCode;
use maumau_club::{BotManifest, ClubThing, ClubViewer, is_bot_name, may};
use maumau_cluster::archive;
use maumau_run::agent::AgentCommand;

use super::answers::VersionAnswer;
use super::open_club::Club;
use super::requests::Refused;
use super::sent_files::SentFiles;
use super::store::{ClubDecision, now_s};

/// Seconds after which it is worth asking again whether there is room.
const FULL_FOR_S: u64 = 600;

impl Club {
    /// Bytes that may be sent at once.
    pub(super) fn upload_bytes(&self) -> usize {
        self.settings.quotas.upload_mib as usize * 1024 * 1024
    }

    /// Keeps what was sent as a version of `bot`, or of the bot that its `bot.toml` names: the file first, then what is unpacked, the row
    /// last. True if the version is new.
    pub(super) fn upload(
        &self,
        viewer: &ClubViewer,
        bot: Option<&str>,
        sent: &SentFiles,
    ) -> Result<(VersionAnswer, bool), Refused> {
        let wrong = |why: String| Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why);
        let ClubViewer::Author { team, member } = viewer else { return Err(Refused::stranger(viewer)) };
        if let Some(bot) = bot {
            self.may_send(viewer, bot)?;
        }
        self.takes_bots()?;
        let files = sent.unpack(&self.folder.part("bots"), self.upload_bytes() as u64);
        let files = files.map_err(|error| wrong(format!("{error:#}")))?;
        let manifest = manifest(&files).map_err(|error| wrong(format!("{error:#}")))?;
        let named = || wrong("expected a name for the bot; bot.toml can say it: name = \"my-bot\"".to_owned());
        let bot = bot.or(manifest.name.as_deref()).ok_or_else(named)?;
        self.may_send(viewer, bot)?;
        let mut part =
            tempfile::NamedTempFile::new_in(self.folder.part("uploads")).context("an archive cannot be written")?;
        let digest = archive::pack_to(files.folder(), part.as_file_mut())?;
        // One at a time, so that two with one digest do not meet.
        let mut store = self.store();
        let is_known = store.versions()?.iter().any(|one| one.bot == bot && one.sha == digest.digits());
        if !is_known {
            if let Some(refusal) = self.settings.quotas.refusal(&store.usage(team)?, now_s()) {
                return Err(Refused {
                    retry_s: Some(refusal.wait_s()),
                    ..Refused::new(StatusCode::TOO_MANY_REQUESTS, refusal.to_string())
                });
            }
            part.as_file().sync_all().context("an archive cannot be written")?;
            part.persist(self.folder.upload(digest.digits())).context("an archive cannot be kept")?;
            files.keep_as(&self.folder.bot(digest.digits()))?;
        }
        let (version, is_new) = store.send((team, member), bot, digest.digits(), &manifest)?;
        drop(store);
        self.announce()?;
        Ok((self.answer(&version)?, is_new))
    }

    /// Fails while the season is closed, or the disk is nearly full.
    fn takes_bots(&self) -> Result<(), Refused> {
        if self.store().decision(ClubDecision::Closed)?.is_some() {
            return Err(Refused::new(
                StatusCode::CONFLICT,
                "the season is closed: nothing is sent and nothing is played",
            ));
        }
        match self.has_room()? {
            true => Ok(()),
            false => Err(Refused {
                retry_s: Some(FULL_FOR_S),
                ..Refused::new(
                    StatusCode::INSUFFICIENT_STORAGE,
                    "the disk of the club is nearly full; its organiser is asked to make room",
                )
            }),
        }
    }

    /// Fails unless `viewer` may send versions of `bot`.
    fn may_send(&self, viewer: &ClubViewer, bot: &str) -> Result<(), Refused> {
        if !is_bot_name(bot) {
            let why = format!("the name {bot:?}: expected 1 to 32 of a-z, 0-9 and -, a letter first");
            return Err(Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why));
        }
        let owner = self.store().owner(bot)?;
        match may(viewer, &ClubThing::Upload { owner: owner.as_deref() }) {
            true => Ok(()),
            false => Err(Refused::new(StatusCode::FORBIDDEN, format!("the bot {bot:?} is another team's"))),
        }
    }
}

/// How the bot of these files is started.
fn manifest(files: &archive::UnpackedFiles) -> Result<BotManifest> {
    let manifest = super::manifest_of(files.folder())?;
    let command = AgentCommand::parse(&manifest.run)?;
    if command.is_built_in() {
        bail!("run: a bot is a program of its own; maumau itself already plays as the house bots");
    }
    Ok(manifest)
}
