//! Measuring: CPU time where one thread works, wall time where processes wait for each other; medians and spread, as
//! Markdown tables.

mod lengths;
mod matches;
mod playout;

use nix::sys::resource::{UsageWho, getrusage};

pub(crate) use lengths::{LengthsArguments, lengths};
pub(crate) use matches::{MatchArguments, matches};
pub(crate) use playout::{PlayoutArguments, playout};

/// Seconds of processor time, user and system, that `who` has used so far.
fn cpu_seconds(who: UsageWho) -> anyhow::Result<f64> {
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

/// A line about the machine, the load and the version, as every table begins.
fn heading() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("?").to_owned();
    let model = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("unknown processor");
    format!(
        "maumau {}, {} processors, {}, load {load}\n\n",
        env!("CARGO_PKG_VERSION"),
        crate::run::processors().len(),
        model.trim_matches([' ', ':', '\t'])
    )
}
