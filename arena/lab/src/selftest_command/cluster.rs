//! `maumau-lab selftest cluster`: simulated clusters, from one without failures to rough ones. It reads the options and prints what came
//! of each; the simulation is in `maumau-cluster`.

use anyhow::Result;
use maumau_cluster::simulation::{Faults, SimulatedCluster, SimulationResult, simulate};
use maumau_run::error::CommandOutcome;
use maumau_run::io::stdout::print;

/// Minutes, in milliseconds.
const MINUTE: u64 = 60_000;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau-lab selftest cluster
  maumau-lab selftest cluster --workers 100 --courses 50 --seed 7

Units take about five seconds each, a tenth of the hosts are three times as slow, a lease lasts 30 s. Each unit must be collected \
exactly once, whatever fails; a program error ends the command.")]
pub(super) struct SelftestClusterArguments {
    /// Workers
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    workers: u64,
    /// Units of each worker, on average
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    units: u64,
    /// Courses of each kind of cluster, each with a seed of its own
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    courses: u64,
    /// The seed of the first course
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(arguments: &SelftestClusterArguments) -> Result<CommandOutcome> {
    let back = Faults { back_ms: MINUTE / 2, ..Faults::default() };
    let rough = Faults {
        crash_ms: 60 * MINUTE,
        partition_ms: 60 * MINUTE,
        restart_ms: 5 * MINUTE,
        collector_ms: 2 * MINUTE,
        ..back
    };
    print(&format!(
        "{} workers, {} units each, {} courses each; means of a course\n\n{:<34} {:>6} {:>8} {:>9} {:>8} {:>8} {:>8}\n",
        arguments.workers,
        arguments.units,
        arguments.courses,
        "failures",
        "s",
        "of least",
        "failures",
        "cut off",
        "second",
        "lost"
    ))?;
    for (name, faults) in [
        ("none", Faults::default()),
        ("a crash an hour and host", Faults { crash_ms: 60 * MINUTE, ..back }),
        ("a partition an hour and host", Faults { partition_ms: 60 * MINUTE, ..back }),
        ("the server away each 5 min", Faults { restart_ms: 5 * MINUTE, ..back }),
        ("the collector killed each 2 min", Faults { collector_ms: 2 * MINUTE, ..back }),
        ("all of these", rough),
        ("all, a crash each 10 min and host", Faults { crash_ms: 10 * MINUTE, ..rough }),
    ] {
        let mut sum = SimulationResult::default();
        for course in 0..arguments.courses {
            let result = simulate(SimulatedCluster {
                workers: arguments.workers,
                units: arguments.workers * arguments.units,
                unit_ms: 5_000,
                lease_s: 30,
                faults,
                seed: arguments.seed + course,
            });
            sum.took_ms += result.took_ms;
            sum.least_ms += result.least_ms;
            sum.collected += result.collected;
            sum.played += result.played;
            sum.second += result.second;
            sum.cut_off += result.cut_off;
            sum.crashes += result.crashes + result.partitions + result.restarts + result.kills;
        }
        let mean = |number: u64| number as f64 / arguments.courses as f64;
        let lost = arguments.workers * arguments.units * arguments.courses - sum.collected;
        print(&format!(
            "{name:<34} {:>6.0} {:>8.2} {:>9.1} {:>8.1} {:>8.1} {lost:>8}\n",
            mean(sum.took_ms) / 1e3,
            sum.took_ms as f64 / sum.least_ms as f64,
            mean(sum.crashes),
            mean(sum.cut_off),
            mean(sum.second)
        ))?;
    }
    print(
        "\nOf least: the time by that in which nothing fails and no worker waits. Cut off: units lost with a worker in the middle of \
         them.\nSecond: units whose result came after another one. Lost: units that were never collected.\n",
    )?;
    Ok(CommandOutcome::Done)
}
