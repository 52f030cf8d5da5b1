//! `maumau tournament faults`: everything that went wrong for one agent, in a folder for its author.

use std::path::PathBuf;

use anyhow::Result;
use maumau_report::hand_out_faults;
use maumau_run::error::CommandOutcome;
use maumau_run::io::format::counted;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::RunFile;

use super::refuse_unknown_agent;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau tournament faults my-league.maumau --agent mine --to faults-of-mine

The folder gets faults.md, with every kind of fault, how often it was counted, and each one with its game, round, move, event, what the \
agent sent and what the referee said; faults.csv, the same as data; and for each of these games GAME.txt, which shows it as the agent's seat \
saw it, with stderr and the last lines, as far as a fault report has them, and GAME.jsonl, the same as `maumau replay --seat --format json` \
writes it. Hidden cards of others and seeds are in none of them, so the folder can be sent while the contest goes on.")]
pub(super) struct TournamentFaultsArguments {
    /// The run file
    run: PathBuf,
    /// The agent, by its name in the tables
    #[arg(long)]
    agent: String,
    /// The folder; made if need be, and refused if it is not empty
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// The folder of the run's fault reports; by default beside the run file, with the ending .fault-reports
    #[arg(long, value_name = "DIR")]
    fault_reports: Option<PathBuf>,
}

pub(super) fn run(arguments: TournamentFaultsArguments) -> Result<CommandOutcome> {
    let TournamentFaultsArguments { run: path, agent, to, fault_reports } = arguments;
    let run = RunFile::open(&path)?;
    refuse_unknown_agent(&run, &agent)?;
    let reports = fault_reports.unwrap_or_else(|| path.with_extension("fault-reports"));
    let handed = hand_out_faults(&run, &agent, &to, &reports)?;
    let shown = Untrusted::new(&agent).terminal();
    let games = counted(handed.of, "game");
    print(&match handed.games {
        0 => format!("nothing went wrong for {shown} in {games}; {} says so\n", to.join("faults.md").display()),
        wrong => format!(
            "{wrong} of {games} of {shown} in {}, which begins with faults.md: {}{}\n",
            to.display(),
            if handed.faults.is_empty() { "no fault".to_owned() } else { handed.faults.list(", ") },
            match (handed.dismissals, handed.missed) {
                (0, 0) => String::new(),
                (dismissals, 0) => format!("; {}", counted(dismissals, "dismissal")),
                (0, missed) => format!("; {}", counted(missed, "missed deadline")),
                (dismissals, missed) =>
                    format!("; {}, {}", counted(dismissals, "dismissal"), counted(missed, "missed deadline")),
            }
        ),
    })?;
    Ok(CommandOutcome::Done)
}
