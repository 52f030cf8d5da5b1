//! Reports a run while it goes on: a bar on a terminal, otherwise a line now and then; and agents that were lost. It
//! only prints what is durable already; it decides nothing about the run.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use maumau_protocol::fault::FaultCounts;
use maumau_tournament::{AgentId, Tally};

use super::play_options::PlayOptions;
use crate::io::stdout::print;
use crate::io::untrusted::Untrusted;
use crate::run_store::{RunPlan, StoredGame};

/// How often a line is written if there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The progress of one run, on stderr; only announced games go to stdout, if that is wanted.
pub(super) struct RunProgress {
    shown: Shown,
    announce: bool,
    faults: u64,
    /// Agents whose dismissal has been reported; the first of each is enough.
    lost: BTreeSet<AgentId>,
}

enum Shown {
    Bar(ProgressBar),
    Lines { done: u64, before: u64, all: u64, since: Instant, last: Instant },
    Nothing,
}

impl RunProgress {
    pub(super) fn new(plan: &RunPlan, tally: &Tally, play_options: &PlayOptions) -> RunProgress {
        let standings = plan.standings(tally);
        let faults = standings.rows.iter().map(|row| row.faults.total()).sum();
        let (done, all) = (standings.games, standings.planned);
        let now = Instant::now();
        let shown = match (play_options.quiet, std::io::stderr().is_terminal()) {
            (true, _) => Shown::Nothing,
            (false, true) => Shown::Bar(bar(done, all)),
            (false, false) => Shown::Lines { done, before: done, all, since: now, last: now },
        };
        RunProgress { shown, announce: play_options.announce, faults, lost: BTreeSet::new() }
    }

    /// Reports games that are in the run file.
    ///
    /// # Errors
    /// A game cannot be read, or stdout cannot be written to.
    pub(super) fn announce(&mut self, plan: &RunPlan, games: &[StoredGame]) -> Result<()> {
        if self.announce {
            let mut lines = String::new();
            for game in games {
                writeln!(lines, "{} {}", game.id(), game.digest)?;
            }
            print(&lines)?;
        }
        for game in games {
            self.faults += game.faults.iter().map(FaultCounts::total).sum::<u64>();
            self.print_lost(plan, game)?;
        }
        let faults = self.faults;
        match &mut self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                bar.inc(games.len() as u64);
                bar.set_message(format!("{faults} faults"));
            }
            Shown::Lines { done, before, all, since, last } => {
                *done += games.len() as u64;
                if last.elapsed() >= LINE_EVERY {
                    *last = Instant::now();
                    let speed = (*done - *before) as f64 / since.elapsed().as_secs_f64();
                    let left = (*all - *done) as f64 / speed;
                    print_stderr!("{done} of {all} games, {speed:.1} games/s, about {left:.0} s left, {faults} faults");
                }
            }
        }
        Ok(())
    }

    /// Reports the first dismissal of an agent, and the reason.
    fn print_lost(&mut self, plan: &RunPlan, game: &StoredGame) -> Result<()> {
        if matches!(self.shown, Shown::Nothing) || game.result.dismissed.is_empty() {
            return Ok(());
        }
        let news: Vec<_> = game
            .result
            .dismissed
            .iter()
            .filter_map(|seat| Some((*seat, *game.planned.agents.get(seat.index())?)))
            .filter(|(_, agent)| self.lost.insert(*agent))
            .collect();
        for (seat, agent) in news {
            let why = game.dismissal(seat)?.map(|dismissed| {
                format!("{}: {}", dismissed.fault.name(), Untrusted::new(&dismissed.message).terminal())
            });
            let name = Untrusted::new(plan.pairings.name(agent)).terminal();
            let line = format!("{name} was dismissed from {}: {}", game.id(), why.unwrap_or_default());
            match &self.shown {
                Shown::Bar(bar) => bar.println(line),
                _ => print_stderr!("{line}"),
            }
        }
        Ok(())
    }

    /// Says what has happened to agents.
    pub(super) fn print(&self, news: &str) {
        let line = format!("maumau: {}", Untrusted::new(news).terminal());
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.println(line),
            Shown::Lines { .. } => print_stderr!("{line}"),
        }
    }

    /// More games are planned.
    pub(super) fn grow(&mut self, planned: u64) {
        match &mut self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.set_length(planned),
            Shown::Lines { all, .. } => *all = planned,
        }
    }

    /// Removes the bar.
    pub(super) fn end(&mut self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

fn bar(done: u64, all: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr_with_hz(8)).with_position(done);
    let template = "{wide_bar} {pos} of {len} games, {per_sec}, {eta} left, {msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.with_key("per_sec", |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
            // A terminal that cannot be written to shows nothing anyway.
            _ = write!(out, "{:.0} games/s", state.per_sec());
        }));
    }
    bar.reset_eta();
    bar.set_message("0 faults");
    bar
}
