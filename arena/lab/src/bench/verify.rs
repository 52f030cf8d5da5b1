//! Measures how fast records are checked. Records are made in memory; no file is read.

use std::sync::Arc;

use anyhow::{Error, Result};
use maumau_protocol::message::Want;
use maumau_referee::{GameLog, Verifier};
use nix::sys::resource::UsageWho;

use super::{Workload, cpu_seconds, heading, median};
use maumau_referee::local_game::FirstLegal;
use maumau_run::io::stdout::print;

/// How many games have their records checked over and over.
const GAMES: u64 = 64;

#[derive(clap::Args)]
pub(crate) struct VerifyBenchArguments {
    #[command(flatten)]
    workload: Workload,
}

/// Measures and prints a table.
pub(crate) fn verifying(arguments: &VerifyBenchArguments) -> Result<()> {
    let workload = &arguments.workload;
    let rules = workload.rules()?;
    let mut table = FirstLegal::new(Arc::clone(&rules), vec![Want::Legal]);
    let logs =
        (0..GAMES).map(|number| Ok(table.play(number).map_err(Error::msg)?.0)).collect::<Result<Vec<GameLog>>>()?;
    let records = logs.iter().map(|log| Ok(log.to_record()?.0)).collect::<Result<Vec<Vec<u8>>>>()?;
    let bytes: usize = records.iter().map(Vec::len).sum();
    let (mut rates, mut speeds) = (Vec::new(), Vec::new());
    let mut verifier = Verifier::default();
    workload.repeat(|more| {
        let start = cpu_seconds(UsageWho::RUSAGE_THREAD)?;
        let (mut rounds, mut seconds) = (0, 0.0);
        while more(rounds, seconds) {
            for record in &records {
                std::hint::black_box(verifier.check(record)?);
            }
            rounds += 1;
            seconds = cpu_seconds(UsageWho::RUSAGE_THREAD)? - start;
        }
        rates.push((table.moves * rounds) as f64 / seconds);
        speeds.push((bytes as u64 * rounds) as f64 / seconds / 1e6);
        Ok(())
    })?;
    let text = format!(
        "{}| rules | players | bytes of record/move | moves/CPU s | MB/CPU s |\n|---|---|---|---|---|\n| {} | {} | {:.0} | {} | {} |\n",
        heading(),
        workload.rules,
        workload.players,
        bytes as f64 / table.moves as f64,
        median(&mut rates, 0),
        median(&mut speeds, 0),
    );
    print(&text)
}
