//! How agents come to workers: packed when a run is submitted, unpacked and checked where it is played. Starts none.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use maumau_cluster::archive;
use maumau_cluster::nats::Hub;
use maumau_cluster::unit::Sha;
use maumau_cluster::words::{Manifest, Travel};
use maumau_run::agent::{AgentCommand, Fingerprint};
use maumau_run::error::usage;
use maumau_run::run_store::{AgentSettings, RunPlan};

/// An agent that is about to travel, and its archive if it has one.
pub(super) struct Packed {
    pub(super) travel: Travel,
    pub(super) bytes: Option<Vec<u8>>,
}

/// Packs an agent; with `present`, its folder is expected at the workers.
///
/// # Errors
/// It names files, but has no folder of its own; or the folder cannot be packed.
pub(super) fn pack(agent: &AgentSettings, present: bool) -> Result<Packed> {
    let Some(folder) = &agent.directory else {
        let files: Vec<String> = agent.parsed_command()?.named_files().into_keys().collect();
        ensure!(
            files.is_empty() || is_installed(&agent.parsed_command()?),
            usage(format!(
                "agent {:?} is made of files here ({}), but has no folder that could travel: give it directory = in the league \
                 file, with all that it needs in that folder, and a command that starts from there",
                agent.name,
                files.join(", ")
            ))
        );
        return Ok(Packed { travel: Travel::Installed, bytes: None });
    };
    let packed = archive::pack(Path::new(folder)).with_context(|| format!("agent {:?}", agent.name))?;
    Ok(match present {
        true => Packed { travel: Travel::Present(packed.digest), bytes: None },
        false => Packed { travel: Travel::Archive(packed.digest), bytes: Some(packed.bytes) },
    })
}

/// True if the program is looked up in PATH and no file of the agent's is named beside it.
fn is_installed(command: &AgentCommand) -> bool {
    command.named_files().keys().all(|name| name == command.program())
}

/// Where a worker has agents.
pub(super) struct AgentFolders<'a> {
    /// A folder with a folder for each agent, by its name.
    pub(super) agents: Option<&'a Path>,
    /// Where archives are unpacked.
    pub(super) cache: &'a Path,
}

/// The agents' folders on this machine: what is there is what was submitted, file by file.
///
/// # Errors
/// An agent is not to be had here, or is another one.
pub(super) async fn settle(
    hub: &Hub,
    plan: &RunPlan,
    manifest: &Manifest,
    places: &AgentFolders<'_>,
) -> Result<Vec<Option<String>>> {
    let mut folders = Vec::new();
    for (agent, travel) in plan.settings.league.agents.iter().zip(&manifest.agents) {
        if agent.life.retired {
            folders.push(None);
            continue;
        }
        let of_agent = || format!("agent {:?}", agent.name);
        let folder = match travel {
            Travel::Installed => {
                check_installed(agent)?;
                None
            }
            Travel::Present(digest) => Some(present(agent, digest, places.agents).with_context(of_agent)?),
            Travel::Archive(digest) => {
                match places.agents.map(|place| place.join(&agent.name)).filter(|place| place.is_dir()) {
                    Some(_) => Some(present(agent, digest, places.agents).with_context(of_agent)?),
                    None => Some(unpacked(hub, digest, places.cache).await.with_context(of_agent)?),
                }
            }
        };
        let missing = agent.permits.read.iter().find(|path| !Path::new(path).exists());
        ensure!(
            missing.is_none(),
            "agent {:?} may read {}, which is not here",
            agent.name,
            missing.map_or("", |path| path)
        );
        folders.push(folder.map(|folder| folder.to_string_lossy().into_owned()));
    }
    Ok(folders)
}

/// The folder of an agent that is here already.
fn present(agent: &AgentSettings, digest: &Sha, agents: Option<&Path>) -> Result<PathBuf> {
    let agents = agents.context("it was submitted with --present: give its folder with --agents DIR")?;
    // A name may be any text; it must not lead out of the folder.
    let is_name = agent.name.chars().all(|c| !std::path::is_separator(c)) && agent.name != "..";
    ensure!(is_name, "its name is no name of a folder");
    let folder = agents.join(&agent.name);
    ensure!(folder.is_dir(), "there is no folder {}", folder.display());
    let found = archive::pack(&folder)?.digest;
    ensure!(
        found == *digest,
        "{} is another version: its digest is {}, and that of the submitted one {}",
        folder.display(),
        found.short(),
        digest.short()
    );
    Ok(folder.canonicalize()?)
}

/// The folder of an archive, unpacked now or before. It is checked in either case.
async fn unpacked(hub: &Hub, digest: &Sha, cache: &Path) -> Result<PathBuf> {
    let folder = cache.join(digest.digits());
    if folder.is_dir() {
        let found = archive::pack(&folder)?.digest;
        if found == *digest {
            return Ok(folder);
        }
        print_stderr!("maumau: {} has been changed since it was unpacked; it is unpacked again", folder.display());
        std::fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    let bytes = hub.object(digest).await?;
    archive::unpack(&bytes, digest, &folder)?;
    let found = archive::pack(&folder)?.digest;
    ensure!(found == *digest, "{} does not hold what was unpacked there", folder.display());
    Ok(folder)
}

/// Checks an agent that needs no files: what its command names here is what was submitted.
fn check_installed(agent: &AgentSettings) -> Result<()> {
    let Some(submitted) = &agent.life.fingerprint else { return Ok(()) };
    let command = agent.parsed_command()?.granted(agent.permits.grant());
    let here = Fingerprint::of(&command, &[], None, &[])?.with_version_of(submitted);
    let differences = submitted.differences(&here);
    ensure!(differences.is_empty(), "agent {:?}: {}, since it was submitted", agent.name, differences.join("; "));
    Ok(())
}
