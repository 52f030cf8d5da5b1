//! What each stop rule of a run still needs: how far it is, and about how many games and how much time are left for it. Estimates
//! from the run so far; whether a run ends is decided by its scheduler.

use anyhow::Result;
use maumau_run::io::format::counted;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::RunFile;
use maumau_tournament::{NextRound, Standings, fixed};
use serde_json::{Value, json};

use super::duration;

/// The stop rules of a run.
#[derive(Default)]
pub(super) struct Needs {
    rules: Vec<Need>,
    /// Whether no round follows; `None` if the run has no rounds, or its games were not read.
    pub(super) over: Option<bool>,
}

/// One stop rule.
struct Need {
    rule: String,
    is_met: bool,
    /// How far it is, in words.
    state: String,
    /// About how many more games it takes, if that is known.
    games: Option<f64>,
}

impl Needs {
    /// Those of `file`, whose games make `standings`.
    pub(super) fn of(file: &RunFile, standings: &Standings) -> Result<Needs> {
        let scheduler = file.scheduler()?;
        let league = scheduler.plan().league();
        let (stop, games) = (&league.stop, standings.games as f64);
        let name = |agent: maumau_tournament::AgentId| Untrusted::new(scheduler.plan().name(agent)).terminal();
        let mut rules = Vec::new();
        if let Some(width) = stop.width {
            let known = standings.rows.iter().map(|row| Some((row.interval?, row)));
            let widths = known.map(|known| known.map(|(interval, row)| (interval.high - interval.low, row)));
            let widest = widths.collect::<Option<Vec<_>>>().into_iter().flatten().max_by(|a, b| a.0.total_cmp(&b.0));
            let few = standings.rows.iter().filter(|row| row.deals < 10).count();
            rules.push(Need {
                rule: format!("width {width}"),
                is_met: few == 0 && widest.is_some_and(|(widest, _)| widest <= width),
                state: match widest {
                    _ if few > 0 => format!("{} of fewer than 10 deals", counted(few as u64, "agent")),
                    Some((widest, row)) => {
                        format!(
                            "the widest interval is {} ({})",
                            fixed(widest, 3),
                            Untrusted::new(&row.name).terminal()
                        )
                    }
                    None => "no interval yet".to_owned(),
                },
                // Errors shrink with the root of the games.
                games: widest.filter(|_| few == 0).map(|(widest, _)| games * ((widest / width).powi(2) - 1.0).max(0.0)),
            });
        }
        if let Some(pairs) = scheduler.pairs_in_doubt() {
            let worst = pairs.worst.map(|((one, other), times)| {
                let far = if times < 1_000.0 {
                    format!("about {} times the deals", fixed(times, 1))
                } else {
                    "far more deals".to_owned()
                };
                format!(", most of all {} and {}, which would take {far}", name(one), name(other))
            });
            let equal = match pairs.equal {
                0 => String::new(),
                equal => format!(", {equal} equal within {} points", league.allocation.equal),
            };
            rules.push(Need {
                rule: match stop.top {
                    Some(top) if !stop.ranking => format!("top {top}"),
                    _ => "ranking".to_owned(),
                },
                is_met: pairs.open == 0,
                state: format!(
                    "{} of {} in doubt{}{}",
                    pairs.open,
                    counted(pairs.asked as u64, "pair"),
                    equal,
                    worst.unwrap_or_default()
                ),
                games: None,
            });
        }
        if let Some((state, progress)) = scheduler.match_state().and_then(|state| Some((state, state.progress()?))) {
            let [better, not_better] = progress.map(|share| fixed(100.0 * share.clamp(0.0, 1.0), 0));
            rules.push(Need {
                rule: "decision".to_owned(),
                is_met: state.decided().is_some(),
                state: match state.decided() {
                    Some((verdict, deals)) => format!("{}, after {}", verdict.name(), counted(deals, "deal")),
                    None => format!("{better} % of the way to better, {not_better} % to not better"),
                },
                games: None,
            });
        }
        if let (Some(written), Some(budget)) = (stop.games, league.budget()) {
            let left = budget.saturating_sub(standings.games);
            rules.push(Need {
                rule: format!("games {written}"),
                is_met: left == 0,
                state: format!("{left} left"),
                games: Some(left as f64),
            });
        }
        if let Some(minutes) = stop.minutes {
            let state = "starts again with each command that plays the run".to_owned();
            rules.push(Need { rule: format!("minutes {minutes}"), is_met: false, state, games: None });
        }
        let mut ahead = scheduler.clone();
        let over = match ahead.advance() {
            NextRound::Over(_) => true,
            NextRound::Round(_) | NextRound::Waiting => false,
        };
        if over {
            // Nothing is left to be played for the rules that were not needed.
            rules.iter_mut().for_each(|need| need.games = None);
        }
        Ok(Needs { rules, over: Some(over) })
    }

    /// A line for each rule, with the time left at so many games a second.
    pub(super) fn lines(&self, speed: Option<f64>) -> Vec<String> {
        let line = |need: &Need| {
            let met = if need.is_met { " (met)" } else { "" };
            let games = need.games.filter(|games| !need.is_met && *games >= 1.0);
            let left = games.map(|games| {
                let time = speed.map(|speed| format!(", {}", duration(games / speed))).unwrap_or_default();
                format!("; about {} more{time}", counted(games.ceil() as u64, "game"))
            });
            format!("stop rule {}: {}{}{met}", need.rule, need.state, left.unwrap_or_default())
        };
        self.rules.iter().map(line).collect()
    }

    pub(super) fn json(&self, speed: Option<f64>) -> Vec<Value> {
        let one = |need: &Need| {
            let seconds = need.games.zip(speed).map(|(games, speed)| games / speed);
            json!({"rule": need.rule, "met": need.is_met, "state": need.state, "games_left": need.games, "seconds_left": seconds})
        };
        self.rules.iter().map(one).collect()
    }
}
