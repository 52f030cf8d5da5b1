//! `maumau tournament compare`: which of two agents of a run is better, by how much, how sure.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use maumau_places::suggestion;
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::format::OutputFormat;
use maumau_run::io::format::counted;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_run::run_store::RunFile;
use maumau_tournament::statistics::head_to_head::HeadToHead;
use maumau_tournament::statistics::ratings::{RatedGames, RatingOptions, rate};
use maumau_tournament::statistics::sequential::MatchTest;
use maumau_tournament::{AgentId, fixed};
use serde_json::json;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau tournament compare my-league.maumau greedy mine
  maumau tournament compare my-league.maumau greedy mine --mu1 0.6 --format json

Score: the share of their games together in which A was ahead of B, a tie counting half; its interval is clustered by deal. Rating: \
from all games of the run, also those against others. The test asks whether A's score is at most mu0 or at least mu1; it may be \
looked at after every deal, and its interval holds at all looks together.")]
pub(super) struct TournamentCompareArguments {
    /// The run file
    run: PathBuf,
    /// An agent
    a: String,
    /// Another agent
    b: String,
    /// The score against B of an A that is not better
    #[arg(long, value_name = "SCORE", default_value_t = 0.5)]
    mu0: f64,
    /// The score against B of an A that is better
    #[arg(long, value_name = "SCORE", default_value_t = 0.55)]
    mu1: f64,
    /// The probability of a wrong "better"
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// The probability of a wrong "not better"
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// How to show it
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

pub(super) fn run(
    TournamentCompareArguments { run, a, b, mu0, mu1, alpha, beta, format }: TournamentCompareArguments,
) -> Result<CommandOutcome> {
    ensure!(
        0.0 < mu0 && mu0 < mu1 && mu1 < 1.0,
        usage(format!("--mu0 {mu0} --mu1 {mu1}: expected two scores between 0 and 1, the first one smaller"))
    );
    for (name, value) in [("alpha", alpha), ("beta", beta)] {
        ensure!(
            0.0 < value && value < 0.5,
            usage(format!("--{name} {value}: expected a probability between 0 and 0.5"))
        );
    }
    let run = RunFile::open(&run)?;
    let (one, other) = (find(&run, &a)?, find(&run, &b)?);
    ensure!(one != other, usage(format!("{a} cannot be compared with itself; name two agents")));
    let (mut together, mut games) = (HeadToHead::new((one, other)), RatedGames::new(run.plan.pairings.agents().len()));
    run.for_each_result(|plan, finished| {
        together.add(plan, finished.index, &finished.result.places);
        games.add_planned(plan, finished.index, &finished.result.places);
    })?;
    let ratings = if games.is_empty() { None } else { Some(rate(&games, &RatingOptions::default())) };
    let rating = ratings.and_then(|ratings| ratings.difference(one.index(), other.index()));
    let test = MatchTest { mu0, mu1, alpha, beta };
    let sequence = together.sequence(test);
    let decision = sequence.progress.decision;
    let estimate = together.estimate();
    let interval = estimate.and_then(|estimate| estimate.interval);

    if format == OutputFormat::Json {
        let report = json!({
            "schema": "maumau-comparison/1",
            "agents": [a, b],
            "games": together.games(),
            "deals": together.deals(),
            "score": estimate.map(|estimate| json!({
                "mean": estimate.mean, "std_error": estimate.std_error, "interval": estimate.interval,
            })),
            "rating": rating.map(|rating| json!({"points": rating.points, "interval": rating.interval, "p": rating.p})),
            "test": {
                "mu0": mu0, "mu1": mu1, "alpha": alpha, "beta": beta,
                "deals": sequence.deals,
                "decision": decision.map(|(verdict, _)| verdict.name()),
                "after_deals": decision.map(|(_, deals)| deals),
                "interval": {"low": sequence.interval.0, "high": sequence.interval.1},
            },
        });
        print(&(untrusted::json(&report)? + "\n"))?;
        return Ok(CommandOutcome::Done);
    }
    let [a, b] = [&a, &b].map(|name| Untrusted::new(name).terminal());
    let score = |value| fixed(value, 3);
    let mut text = match estimate {
        None => format!("{a} and {b} have not met in a finished game\n"),
        Some(estimate) => {
            let interval = interval.map_or("no interval yet: it takes two deals".to_owned(), |interval| {
                format!("95 % interval {}-{}", score(interval.low), score(interval.high))
            });
            let (games, deals) = (counted(together.games(), "game"), counted(together.deals(), "deal"));
            format!("{a} against {b}: {games} in {deals}\nscore of {a}: {}, {interval}\n", score(estimate.mean))
        }
    };
    text += &match rating {
        None => {
            "ratings: these two cannot be compared, since no games lead from one to the other, or too few\n".to_owned()
        }
        Some(rating) => format!(
            "rating of {a} minus that of {b}, from all games: {} points, 95 % interval {} to {}, p {}\n",
            fixed(rating.points, 0),
            fixed(rating.interval.low, 0),
            fixed(rating.interval.high, 0),
            if rating.p < 1e-4 { "< 0.0001".to_owned() } else { format!("= {}", fixed(rating.p, 4)) }
        ),
    };
    let deals = |count: u64| counted(count, "complete deal");
    if sequence.deals > 0 {
        let (low, high) = sequence.interval;
        text += &format!(
            "test of a score of {mu0} against {mu1}: {}\ninterval of the score that holds at every look: {}-{}\n",
            match decision {
                Some((verdict, after)) => format!("{a} is {}, decided after {}", verdict.name(), deals(after)),
                None => format!("undecided after {}", deals(sequence.deals)),
            },
            score(low),
            score(high)
        );
    }
    print(&text)?;
    Ok(CommandOutcome::Done)
}

/// What a run says of `a` against `b`, in one line.
///
/// # Errors
/// The run file cannot be read, or has no such agents.
pub(in crate::cli) fn in_a_line(run: &RunFile, a: &str, b: &str, test: MatchTest) -> Result<String> {
    let mut together = HeadToHead::new((find(run, a)?, find(run, b)?));
    run.for_each_result(|plan, finished| together.add(plan, finished.index, &finished.result.places))?;
    let [a, b] = [a, b].map(|name| Untrusted::new(name).terminal());
    let Some(estimate) = together.estimate() else { return Ok(format!("{a} and {b} have not finished a game\n")) };
    let score = |value| fixed(value, 3);
    let interval = estimate
        .interval
        .map_or(String::new(), |interval| format!(" ({} to {})", score(interval.low), score(interval.high)));
    let sequence = together.sequence(test);
    let (games, deals) = (counted(together.games(), "game"), counted(together.deals(), "deal"));
    let decision = match sequence.progress.decision {
        Some((verdict, after)) => format!("{}, shown after {}", verdict.name(), counted(after, "deal")),
        None => "neither shown to be better nor to be not better".to_owned(),
    };
    let mean = score(estimate.mean);
    Ok(format!("{a} scores {mean}{interval} against {b} in {games} of {deals}: {decision}\n"))
}

/// The agent of the run with this name.
fn find(run: &RunFile, name: &str) -> Result<AgentId> {
    let names = || run.plan.settings.league.agents.iter().map(|agent| agent.name.as_str());
    let place = names().position(|known| known == name);
    place
        .map(|place| AgentId(place as u16))
        .ok_or_else(|| usage(format!("the run has no agent {name}{}", suggestion(name, names()))))
}
