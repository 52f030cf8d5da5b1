//! `maumau tournament merge`: one run file of the parts that were played on several machines.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::format::counted;
use maumau_run::io::program_name::program_name;
use maumau_run::io::stdout::print;
use maumau_run::run_store::{Merged, RunFile, RunSettings, RunWriter};

/// Missing games that are named; the rest are counted.
const NAMED: usize = 20;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau tournament run my-league.toml --shard 1/2 --run part-1.maumau --quiet
  maumau tournament run my-league.toml --shard 2/2 --run part-2.maumau --quiet
  maumau tournament merge part-1.maumau part-2.maumau --to whole.maumau

The parts must be of one league, with the same seed, rules, times and agents. Games that are in several parts must be the same. \
The tables of the whole are those of a run on one machine, whatever the parts and their order. What is missing is listed, and is \
played by `maumau tournament run my-league.toml --run whole.maumau`. The same parts may be merged again.")]
pub(super) struct TournamentMergeArguments {
    /// The run files of the parts
    #[arg(required = true)]
    parts: Vec<PathBuf>,
    /// The run file of the whole; made, or added to
    #[arg(long, value_name = "RUN")]
    to: PathBuf,
}

pub(super) fn run(TournamentMergeArguments { parts, to }: TournamentMergeArguments) -> Result<CommandOutcome> {
    refuse_doubled(&parts, &to)?;
    let runs = parts.iter().map(|part| Ok((part.as_path(), RunFile::open(part)?)));
    let runs: Vec<(&Path, RunFile)> = runs.collect::<Result<_>>()?;
    let Some((first, run)) = runs.first() else { return Ok(CommandOutcome::Done) };
    let mut whole = run.plan.settings.clone();
    whole.league.shard = None;
    ensure!(
        !whole.league.has_rounds(),
        usage(format!(
            "{}: its games follow from rounds that were decided while they were played; only parts of a round-robin without \
             [stop] can be merged",
            first.display()
        ))
    );
    for (part, run) in &runs {
        refuse_other(run.other_than(&whole), part, first)?;
    }
    let is_new = !to.exists();
    let merged = merge(&to, &whole, first, &runs);
    if merged.is_err() && is_new && to.exists() {
        std::fs::remove_file(&to).with_context(|| format!("{} is left without games", to.display()))?;
    }
    let Merged { new, equal } = merged?;

    let file = RunFile::open(&to)?;
    let (tally, _) = file.tally()?;
    let standings = file.plan.standings(&tally);
    let missing = standings.planned - standings.games;
    let mut text = format!(
        "{} of {} in {}: {new} new, {equal} there already\n",
        standings.games,
        counted(standings.planned, "game"),
        to.display()
    );
    if missing > 0 {
        let names: Vec<String> =
            file.plan.missing(&tally).take(NAMED).map(|number| tally.plan().game(number).id().0.to_string()).collect();
        let more = missing - names.len() as u64;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        text += &format!("{} missing: {}{more}\n", missing, names.join(", "));
        let run = to.display().to_string();
        let run = shlex::try_quote(&run).map(Into::into).unwrap_or(run.clone());
        text += &format!("they are played by: {} tournament run LEAGUE --run {run}\n", program_name());
    }
    print(&text)?;
    Ok(CommandOutcome::Done)
}

fn merge(to: &Path, whole: &RunSettings, first: &Path, runs: &[(&Path, RunFile)]) -> Result<Merged> {
    let (mut writer, _) = RunWriter::open(to, |stored| {
        if let Some(stored) = stored {
            ensure!(
                stored.league.shard.is_none(),
                usage(format!(
                    "{} is a part itself; name another file with --to, and this one among the parts",
                    to.display()
                ))
            );
            refuse_other(RunFile::open(to)?.other_than(whole), to, first)?;
        }
        Ok(whole.clone())
    })?;
    writer.merge(runs)
}

fn refuse_other(differences: Vec<String>, part: &Path, first: &Path) -> Result<()> {
    ensure!(
        differences.is_empty(),
        usage(format!(
            "{} is not a part of the same run as {}: {}",
            part.display(),
            first.display(),
            differences.join("; ")
        ))
    );
    Ok(())
}

/// Refuses a file that is named twice.
fn refuse_doubled(parts: &[PathBuf], to: &Path) -> Result<()> {
    let mut seen: Vec<PathBuf> = Vec::new();
    for path in parts.iter().map(PathBuf::as_path).chain([to]) {
        let Ok(real) = path.canonicalize() else { continue };
        ensure!(!seen.contains(&real), usage(format!("{} is named twice", path.display())));
        seen.push(real);
    }
    Ok(())
}
