//! The author's side: packs a folder, sends it to a club and follows it to its first rated game. It shows states as they change; what
//! the exit code is, `cli` decides.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use maumau_club::{BotManifest, VersionState};
use maumau_cluster::archive;
use maumau_run::error::usage;
use maumau_run::io::bounded;
use maumau_run::io::untrusted::Untrusted;
use serde::de::DeserializeOwned;
use ureq::http::Response;
use ureq::{Agent, BodyReader};

use super::answers::{RefusalAnswer, VersionAnswer};
use super::outgoing::agent_for;

/// The pause before a club that was not reached is asked again.
const AGAIN_AFTER: Duration = Duration::from_secs(1);
/// How long events are followed over one connection, so that one that is dead is noticed.
const FOLLOWED_FOR: Duration = Duration::from_secs(60);
/// Bytes of a line of events.
const MAX_LINE: u64 = 16_384;
/// How long one answer may take.
const ANSWERED_WITHIN: Duration = Duration::from_secs(120);
/// Failed questions in a row that are not given up for.
const PATIENCE: u32 = 30;
/// Bytes of an answer.
const MAX_ANSWER: u64 = 1 << 20;
/// Bytes of a `bot.toml`.
const MAX_MANIFEST: u64 = 65_536;

/// What is sent, and where to.
pub(crate) struct SentBot<'a> {
    /// The bot's folder.
    pub(crate) folder: &'a Path,
    /// The bot's name.
    pub(crate) name: &'a str,
    /// The address of the club.
    pub(crate) url: &'a str,
    /// The member's token.
    pub(crate) token: &'a str,
}

/// How the bot in `folder` is started: what its `bot.toml` says, otherwise what its files let guess.
///
/// # Errors
/// `bot.toml` is wrong, or there is nothing to guess from.
pub(crate) fn manifest_of(folder: &Path) -> Result<BotManifest> {
    let file = folder.join("bot.toml");
    if file.exists() {
        let text = bounded::read_text(&file, MAX_MANIFEST, "a manifest");
        return Ok(BotManifest::parse(&text.map_err(|error| usage(format!("bot.toml: {error}")))?)?);
    }
    let entries = std::fs::read_dir(folder).with_context(|| format!("the folder {}", folder.display()))?;
    let names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    Ok(BotManifest::guess(names.iter().map(String::as_str))?)
}

/// Sends a bot and follows it until it plays, is refused or has failed; `show` is called whenever something has changed.
///
/// # Errors
/// The club refuses the archive, cannot be reached or answers something else than a club does.
pub(crate) fn submit(
    submission: &SentBot<'_>,
    mut show: impl FnMut(&VersionAnswer) -> Result<()>,
) -> Result<VersionAnswer> {
    let archive = archive::pack(submission.folder)?;
    let config = Agent::config_builder().http_status_as_error(false).timeout_global(Some(ANSWERED_WITHIN));
    let base = submission.url.trim_end_matches('/');
    let agent = agent_for(base, config)?;
    let token = format!("Bearer {}", submission.token);
    let sent = agent
        .put(format!("{base}/api/1/bots/{}/versions", submission.name))
        .header("Authorization", &token)
        .send(&archive.bytes[..]);
    let mut version: VersionAnswer = read(sent.with_context(|| format!("{base} cannot be reached"))?)?;
    show(&version)?;
    let mut failures = 0;
    let mut events = FollowedClub { agent: &agent, base, token: &token, after: version.event, lines: None };
    while !is_over(&version) {
        let asked = events.next().and_then(|()| {
            let address = format!("{base}/api/1/versions/{}", version.id);
            Ok(agent.get(address).header("Authorization", &token).call()?)
        });
        // A club may be started again meanwhile, or fail for a moment: it knows the version.
        let is_lost = asked.as_ref().map_or(true, |answer| answer.status().is_server_error());
        if is_lost && failures < PATIENCE {
            failures += 1;
            std::thread::sleep(AGAIN_AFTER);
            continue;
        }
        let next: VersionAnswer = read(asked.context("the club cannot be reached any more; the version is there")?)?;
        failures = 0;
        if (&next.state, next.place, &next.reason) != (&version.state, version.place, &version.reason) || is_over(&next)
        {
            show(&next)?;
        }
        version = next;
    }
    Ok(version)
}

/// A club whose events are followed.
struct FollowedClub<'a> {
    agent: &'a Agent,
    base: &'a str,
    token: &'a str,
    /// The last event that was seen.
    after: i64,
    lines: Option<BufReader<BodyReader<'static>>>,
}

impl FollowedClub<'_> {
    /// Waits for the next event, or until the connection has to be made again.
    ///
    /// # Errors
    /// The club is not reached, or does not send events.
    fn next(&mut self) -> Result<()> {
        let mut lines = match self.lines.take() {
            Some(lines) => lines,
            None => {
                let address = format!("{}/api/1/events?after={}", self.base, self.after);
                let asked = self.agent.get(address).config().timeout_global(Some(FOLLOWED_FOR)).build();
                let answer = asked.header("Authorization", self.token).header("Accept", "text/event-stream").call()?;
                ensure!(answer.status().is_success(), "the club answered {}", answer.status());
                BufReader::new(answer.into_body().into_reader())
            }
        };
        loop {
            let mut line = String::new();
            match (&mut lines).take(MAX_LINE).read_line(&mut line) {
                Ok(0) | Err(_) => {
                    std::thread::sleep(AGAIN_AFTER);
                    return Ok(());
                }
                Ok(_) => {}
            }
            if let Some(number) = line.strip_prefix("id: ").and_then(|number| number.trim().parse().ok()) {
                self.after = number;
                self.lines = Some(lines);
                return Ok(());
            }
        }
    }
}

/// True if nothing new is to be waited for.
fn is_over(version: &VersionAnswer) -> bool {
    match version.state() {
        Some(VersionState::Playing) => version.games > 0,
        Some(
            VersionState::Paused
            | VersionState::Retired
            | VersionState::Withdrawn
            | VersionState::Disqualified
            | VersionState::Refused
            | VersionState::Failed,
        )
        | None => true,
        Some(VersionState::Waiting | VersionState::Building | VersionState::Checking | VersionState::Ready) => false,
    }
}

fn read<T: DeserializeOwned>(mut answer: Response<ureq::Body>) -> Result<T> {
    let status = answer.status();
    let mut text = String::new();
    answer.body_mut().as_reader().take(MAX_ANSWER).read_to_string(&mut text).context("the answer of the club")?;
    if status.is_success() {
        ensure!(
            !text.trim().is_empty(),
            "the answer is empty: this is not the address of a club, or a proxy there does not pass requests for this name on to it"
        );
        return serde_json::from_str(&text).context("this is not the answer of a club");
    }
    match serde_json::from_str::<RefusalAnswer>(&text) {
        Ok(RefusalAnswer { error }) if status.is_server_error() => bail!("{}", Untrusted::new(&error).terminal()),
        Ok(RefusalAnswer { error }) => Err(usage(Untrusted::new(&error).terminal())),
        Err(_) => bail!("the answer {status} is not that of a club"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_answer_is_not_that_of_a_club() {
        let answer = |text: &'static str| Response::new(ureq::Body::builder().data(text));
        let problem = |text| format!("{:#}", read::<RefusalAnswer>(answer(text)).expect_err("no answer of a club"));
        assert!(problem("").contains("the answer is empty"), "{}", problem(""));
        assert!(problem("<html>").contains("not the answer of a club"), "{}", problem("<html>"));
    }
}
