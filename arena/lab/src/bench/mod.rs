//! Benchmarks: CPU time if one thread works, wall time if processes wait for each other; medians and spread, as
//! Markdown tables. They only print: what a figure must be is not known here.

mod duplicates;
mod first_game;
mod lanes;
mod matches;
mod memory;
mod peer;
mod playout;
mod ratings;
mod referee;
mod standings;
mod start;
mod store;
mod verify;

use std::sync::Arc;

use anyhow::Result;
use maumau_engine::Rules;
use maumau_engine::rules::parse_setting;
use maumau_run::error::usage;
use maumau_run::io::rule_files::OnDisk;
use nix::sys::resource::{UsageWho, getrusage};

pub(crate) use duplicates::{DuplicatesArguments, duplicated};
pub(crate) use first_game::{FirstGameArguments, first_game};
pub(crate) use matches::{MatchBenchArguments, interleaved, matches};
pub(crate) use memory::{MemoryArguments, memory};
pub(crate) use playout::{PlayoutArguments, playout};
pub(crate) use ratings::{RatingsArguments, ratings};
pub(crate) use referee::{RefereeArguments, referee};
pub(crate) use standings::{StandingsArguments, standings};
pub(crate) use start::{StartArguments, starting};
pub(crate) use store::{StoreArguments, storing};
pub(crate) use verify::{VerifyBenchArguments, verifying};

/// What is played, and for how long.
#[derive(clap::Args)]
struct Workload {
    /// Name of a built-in rule set, or path of a rule file
    #[arg(long, default_value = "basic")]
    rules: String,
    /// A table option; can be given many times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Seats at the table
    #[arg(long, default_value_t = 4)]
    players: usize,
    /// CPU seconds of one measurement
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Measurements
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,
    /// One measurement of so much work instead, the same each time: to count its instructions
    #[arg(long, conflicts_with_all = ["seconds", "repeats"], value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
}

impl Workload {
    /// Measures as often as requested. The measurement goes on while its argument returns true for the work done and the
    /// seconds taken so far.
    fn repeat(&self, mut measure: impl FnMut(&dyn Fn(u64, f64) -> bool) -> Result<()>) -> Result<()> {
        if let Some(games) = self.games {
            return measure(&|done, _| done < games);
        }
        for _ in 0..self.repeats {
            measure(&|_, seconds| seconds < self.seconds)?;
        }
        Ok(())
    }

    fn rules(&self) -> Result<Arc<Rules>> {
        rules_for(&self.rules, &self.set, self.players)
    }
}

/// The rules of games of one round.
fn rules_for(name: &str, set: &[String], seats: usize) -> Result<Arc<Rules>> {
    let settings = set.iter().map(|text| parse_setting(text).map_err(usage)).collect::<Result<Vec<_>>>()?;
    let loaded =
        maumau_engine::rules::load(&OnDisk, name, &settings).map_err(|problems| usage(problems.to_string()))?;
    let rules = Rules::for_table(&Arc::new(loaded.set), seats, Some(1)).map_err(|error| usage(error.to_string()))?;
    Ok(Arc::new(rules))
}

/// Seconds of processor time, user and system, used by `who` so far.
fn cpu_seconds(who: UsageWho) -> Result<f64> {
    let usage = getrusage(who)?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

/// The median of `values` and their spread as text: `12.3 (11.9-12.8)`.
fn median(values: &mut [f64], decimals: usize) -> String {
    values.sort_by(f64::total_cmp);
    let (Some(low), Some(high)) = (values.first(), values.last()) else { return "-".to_owned() };
    let middle = values[values.len() / 2];
    format!("{middle:.decimals$} ({low:.decimals$}-{high:.decimals$})")
}

/// A line about the machine, the load and the version, which begins every table.
fn heading() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("?").to_owned();
    let model = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("unknown processor");
    format!(
        "maumau {}, {} processors, {}, load {load}\n\n",
        env!("CARGO_PKG_VERSION"),
        maumau_run::runner::processors().len(),
        model.trim_matches([' ', ':', '\t'])
    )
}
