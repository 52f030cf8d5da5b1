//! `maumau tournament add`, `retire` and `replace`: agents that join, leave and change. It writes the change into the league file,
//! which stays the list of who plays, and asks the process that plays the run to read it again.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use maumau_places::suggestion;
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::atomic_file;
use maumau_run::io::bounded;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::league::league_edit::{self, NewAgent};
use maumau_run::league::{LeagueFile, MAX_LEAGUE_BYTES};
use maumau_run::run_store::{ChangeAnswer, ChangeKind, ChangeRequest, RosterChange, RunFile};

/// How often an answer is looked for.
const EVERY: Duration = Duration::from_millis(50);

#[derive(clap::Args)]
struct Place {
    /// The run file
    run: PathBuf,
    /// The agent's name in the league file
    agent: String,
    /// The league file; by default beside the run file, with the ending .toml
    #[arg(long, value_name = "FILE")]
    league: Option<PathBuf>,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau tournament add ladder.maumau new --command \"python3 bots/new.py\"
  maumau tournament add ladder.maumau newcomer

Writes the agent into the league file, unless its table [[agent]] is there already, also one that had retired, and asks the process that plays the run to take it up. In a ladder that \
happens at the end of the round that is being played, in a sample at the end of what is planned; games go on at once. The command \
returns when it has happened. If no process plays the run, the next `maumau tournament run` takes it up. Exit code 2 if it is refused, \
and then the league file is as it was.")]
pub(super) struct Add {
    #[command(flatten)]
    place: Place,
    /// Its command, if the league file has no table for it
    #[arg(long)]
    command: Option<String>,
    /// The directory it is started in
    #[arg(long, value_name = "DIR", requires = "command")]
    directory: Option<String>,
    /// Who made it
    #[arg(long, requires = "command")]
    author: Option<String>,
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau tournament retire ladder.maumau newcomer

Writes `retired = true` into the agent's table of the league file, and asks the process that plays the run to take it up, as with \
`maumau tournament add`. Finished games count as before.")]
pub(super) struct Retire {
    #[command(flatten)]
    place: Place,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau tournament replace ladder.maumau mine
  maumau tournament replace ladder.maumau mine --command \"python3 mine2.py\"

After its files or its command have changed. The agent plays on as a new one, mine@2 after mine, while mine retires and keeps its games; otherwise as with `maumau tournament add`. \
If no process plays the run, `maumau tournament run` with --new-version does the same.")]
pub(super) struct Replace {
    #[command(flatten)]
    place: Place,
    /// Its new command
    #[arg(long)]
    command: Option<String>,
}

pub(super) fn add(arguments: &Add) -> Result<CommandOutcome> {
    let Add { place, command, directory, author } = arguments;
    place.change(ChangeKind::Add, |text, league| {
        let known = league.league.agents.iter().find(|agent| agent.name == place.agent);
        match (known, command) {
            (Some(_), Some(_)) => bail!(usage(format!(
                "the league file has an agent {:?} already; leave out --command, or use `maumau tournament replace`",
                place.agent
            ))),
            (Some(agent), None) if agent.life.retired => place.set(text, "retired", false.into()),
            (Some(_), None) => Ok(text.to_owned()),
            (None, Some(command)) => {
                let (directory, author) = (directory.as_deref(), author.as_deref());
                Ok(league_edit::add(text, &NewAgent { name: &place.agent, command, directory, author }))
            }
            (None, None) => {
                bail!(usage(format!("the league file has no agent {:?}; give its --command", place.agent)))
            }
        }
    })
}

pub(super) fn retire(Retire { place }: &Retire) -> Result<CommandOutcome> {
    place.change(ChangeKind::Retire, |text, _| place.set(text, "retired", true.into()))
}

pub(super) fn replace(Replace { place, command }: &Replace) -> Result<CommandOutcome> {
    place.change(ChangeKind::Replace, |text, _| match command {
        Some(command) => place.set(text, "command", command.as_str().into()),
        None => Ok(text.to_owned()),
    })
}

impl Place {
    /// Edits the league file and lets the process that plays the run take it up; if that is refused the file is as it was.
    fn change(
        &self,
        kind: ChangeKind,
        edit: impl FnOnce(&str, &LeagueFile) -> Result<String>,
    ) -> Result<CommandOutcome> {
        let run = RunFile::open(&self.run)?;
        ensure!(
            run.plan.pairings.league().has_open_pool(),
            usage(format!(
                "agents join and leave only in a sample or a ladder, and {} is {}",
                self.run.display(),
                run.plan.pairings.league().format.name()
            ))
        );
        drop(run);
        let path = self.league.clone().unwrap_or_else(|| self.run.with_extension("toml"));
        let league = LeagueFile::read(&path)?;
        let agents = || league.league.agents.iter().map(|agent| agent.name.as_str());
        if kind != ChangeKind::Add && !agents().any(|name| name == self.agent) {
            let known = suggestion(&self.agent, agents());
            return Err(usage(format!("{} has no agent {:?}{known}", path.display(), self.agent)));
        }
        let text = bounded::read_text(&path, MAX_LEAGUE_BYTES, "a league file");
        let text = text.map_err(|error| usage(format!("the league file {}: {error}", path.display())))?;
        let edited = edit(&text, &league)?;
        let is_edited = edited != text;
        if is_edited {
            let folder = path.parent().unwrap_or(Path::new(""));
            let shown = path.display().to_string();
            LeagueFile::parse(&shown, folder, &edited).map_err(|problems| usage(problems.to_string()))?;
            atomic_file::write(&path, edited.as_bytes())?;
        }
        let answer = self.ask(kind);
        if is_edited && !matches!(answer, Ok(Some(ChangeAnswer::Done(_)) | None)) {
            atomic_file::write(&path, text.as_bytes())?;
        }
        match answer? {
            Some(ChangeAnswer::Done(news)) => print(&format!("{}\n", Untrusted::new(&news).terminal()))?,
            Some(ChangeAnswer::Refused(why)) => return Err(usage(why)),
            None => {
                let option = if kind == ChangeKind::Replace { " --new-version" } else { "" };
                print(&format!(
                    "no process plays {} now; it holds from the next: maumau tournament run {}{option}\n",
                    self.run.display(),
                    path.display()
                ))?;
            }
        }
        Ok(CommandOutcome::Done)
    }

    /// Asks the process that plays the run, and waits; `None` if none does, or it ended before.
    fn ask(&self, kind: ChangeKind) -> Result<Option<ChangeAnswer>> {
        let change = RosterChange { kind, agent: self.agent.clone() };
        let Some(request) = ChangeRequest::make(&self.run, change)? else { return Ok(None) };
        loop {
            // Looked at first: the process may answer and end.
            let is_heard = request.is_heard(&self.run)?;
            let answer = request.answered();
            if answer.is_some() || !is_heard {
                request.withdraw()?;
                return Ok(answer);
            }
            std::thread::sleep(EVERY);
        }
    }

    /// The text with another value in the agent's table.
    fn set(&self, text: &str, key: &str, value: toml::Value) -> Result<String> {
        let shown = value.to_string();
        league_edit::set(text, &self.agent, key, value).ok_or_else(|| {
            usage(format!(
                "no table [[agent]] with name = {:?} was found in the league file; write {key} = {shown} there yourself, and give the \
                 command again",
                self.agent
            ))
        })
    }
}
