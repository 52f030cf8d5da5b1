//! Measures the cost of the referee without pipes. Games are those of `FirstLegal`; nothing is stored.

use std::sync::Arc;

use anyhow::{Error, Result};
use maumau_protocol::message::Want;
use nix::sys::resource::UsageWho;

use super::{Workload, cpu_seconds, heading, median};
use maumau_referee::local_game::FirstLegal;
use maumau_run::io::stdout::print;

#[derive(clap::Args)]
pub(crate) struct RefereeArguments {
    #[command(flatten)]
    workload: Workload,
}

/// Measures and prints a table.
pub(crate) fn referee(arguments: &RefereeArguments) -> Result<()> {
    let workload = &arguments.workload;
    let rules = workload.rules()?;
    let mut text = heading();
    text += "| rules | players | asks hold | moves/game | bytes sent/move | CPU us/move | moves/CPU s |\n|---|---|---|---|---|---|---|\n";
    for (name, wants) in
        [("view, legal, events", vec![Want::View, Want::Legal, Want::Events]), ("legal", vec![Want::Legal])]
    {
        let mut table = FirstLegal::new(Arc::clone(&rules), wants);
        let mut games = 0;
        let (mut costs, mut rates) = (Vec::new(), Vec::new());
        workload.repeat(|more| {
            let (start, before) = (cpu_seconds(UsageWho::RUSAGE_THREAD)?, table.moves);
            let mut seconds = 0.0;
            let mut now = 0;
            while more(now, seconds) {
                now += 1;
                games += 1;
                std::hint::black_box(table.play(games).map_err(Error::msg)?);
                seconds = cpu_seconds(UsageWho::RUSAGE_THREAD)? - start;
            }
            let moves = (table.moves - before) as f64;
            costs.push(seconds / moves * 1e6);
            rates.push(moves / seconds);
            Ok(())
        })?;
        text += &format!(
            "| {} | {} | {name} | {:.1} | {:.0} | {} | {} |\n",
            workload.rules,
            workload.players,
            table.moves as f64 / games as f64,
            table.bytes as f64 / table.moves as f64,
            median(&mut costs, 2),
            median(&mut rates, 0),
        );
    }
    print(&text)
}
