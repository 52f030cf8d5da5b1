//! Puzzles of a rule set without a run: two built-in bots play one, and its games are judged until there are enough. Playing is left to
//! `tournament`, judging to `analyse`.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use maumau_analysis::Effort;
use maumau_report::PuzzleSet;
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::atomic_file;
use maumau_run::io::format::counted;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_run::run_store::RunFile;

use crate::cli::analyse::judge;
use crate::cli::duel::{quoted, rules_of};
use crate::cli::sandbox::SandboxArguments;
use crate::cli::tournament::play_quietly;

/// Games played for each puzzle that is wanted: in the sets in which few positions have one clearly best action there are enough, and to
/// play them takes little beside judging.
const GAMES_FOR_A_PUZZLE: u64 = 20;

/// Makes `most` puzzles of the set called `rules`, or of the rule file at this path, in `folder`. What is there already is not made again.
pub(super) fn make(rules: &str, most: u32, folder: &Path) -> Result<CommandOutcome> {
    let text = league_text(&rules_of(rules)?, GAMES_FOR_A_PUZZLE * u64::from(most));
    std::fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    let stem = Path::new(rules).file_stem().unwrap_or_default().to_string_lossy();
    let file = |ending: &str| folder.join(format!("{stem}.{ending}"));
    let (league, run) = (file("toml"), file("maumau"));
    match std::fs::read_to_string(&league) {
        Ok(there) => ensure!(
            there == text,
            usage(format!(
                "{} is there and is not the league of these puzzles: give another --folder, or the --most with which it was written",
                Untrusted::path(&league).terminal()
            ))
        ),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            std::fs::write(&league, text).with_context(|| format!("{} cannot be written", league.display()))?;
        }
        Err(error) => return Err(error).with_context(|| format!("{} cannot be read", league.display())),
    }
    let outcome = play_quietly(league, &run, SandboxArguments::default(), false)?;
    if outcome != CommandOutcome::Done {
        return Ok(outcome);
    }
    let (mut wanted, mut judged) = (u64::from(most), 0);
    let puzzles = loop {
        let last = std::mem::replace(&mut judged, judge(&run, wanted, Effort::QUICK)?);
        let puzzles = PuzzleSet::of(&RunFile::open(&run)?, most as usize)?;
        if puzzles.count() == most as usize || judged == last {
            break puzzles;
        }
        wanted *= 2;
    };
    atomic_file::write(&file("json"), (untrusted::json(&puzzles.json())? + "\n").as_bytes())?;
    atomic_file::write(&file("html"), puzzles.page().as_bytes())?;
    let found = counted(puzzles.count() as u64, "puzzle");
    let fewer = match puzzles.count() < most as usize {
        true => format!(", and no more in {}", counted(judged, "judged game")),
        false => String::new(),
    };
    let [json, html, run] = [file("json"), file("html"), run].map(|path| Untrusted::path(&path).terminal());
    print(&format!(
        "{}: {found} in {json} and {html}{fewer}; `maumau check --puzzles {run} -- COMMAND` counts those that a bot solves\n",
        Untrusted::new(rules).terminal()
    ))?;
    Ok(CommandOutcome::Done)
}

/// The league whose games become puzzles: the two bots whose choices a player would think of first. The seed is public, so they are the
/// same on every machine.
fn league_text(rules: &str, games: u64) -> String {
    format!(
        "# Written by `maumau puzzles`.\nname = \"puzzles\"\nrules = {}\nseats = 2\nrounds = 1\ngames_per_pairing = {games}\nseed = 1\n\
         public_seed = true\n\n[[agent]]\nname = \"greedy\"\ncommand = \"maumau agent greedy\"\n\n[[agent]]\nname = \"careful\"\n\
         command = \"maumau agent careful\"\n",
        quoted(rules)
    )
}
