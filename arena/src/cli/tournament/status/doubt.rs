//! What is still in doubt in a run: how wide its intervals are and which pairs are not told apart; in all, and by rule set.

use anyhow::Result;
use maumau_run::io::format::counted;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::{LeagueSettings, RunFile};
use maumau_tournament::statistics::ratings::{RatedGames, RatingOptions, rate};
use maumau_tournament::{Standings, Tally, fixed};
use serde_json::{Value, json};

/// What is still in doubt, in a run or in its games by one rule set.
pub(super) struct DoubtReport {
    pub(super) games: u64,
    pub(super) planned: u64,
    /// The width of the widest interval of a score, and whose it is.
    pub(super) widest: Option<(f64, String)>,
    /// Pairs of agents that play.
    pub(super) pairs: u64,
    /// Those that are not told apart; `None` if the games were not read.
    pub(super) undecided: Option<u64>,
}

impl DoubtReport {
    /// That of the games in `standings`, which are `results` if they were read.
    pub(super) fn of(standings: &Standings, results: Option<&RatedGames>, league: &LeagueSettings) -> DoubtReport {
        let plays = |name: &str| league.agents.iter().any(|agent| agent.name == name && !agent.life.retired);
        let rows = standings.rows.iter().filter(|row| plays(&row.name));
        let widths = rows.filter_map(|row| row.interval.map(|interval| (interval.high - interval.low, &row.name)));
        let widest = widths.max_by(|one, other| one.0.total_cmp(&other.0).then_with(|| other.1.cmp(one.1)));
        let playing = league.agents.iter().filter(|agent| !agent.life.retired).count();
        let pairs = playing * playing.saturating_sub(1) / 2;
        let undecided = match (standings.games, results) {
            (0, _) => Some(pairs),
            (_, Some(results)) => {
                let ratings = rate(results, &RatingOptions::default());
                Some(pairs - ratings.decided(|agent| !league.agents[agent].life.retired))
            }
            (_, None) => None,
        };
        DoubtReport {
            games: standings.games,
            planned: standings.planned,
            widest: widest.map(|(width, agent)| (width, agent.to_string())),
            pairs: pairs as u64,
            undecided: undecided.map(|undecided| undecided as u64),
        }
    }

    /// Those of a run by rule set, in the order of the league; none if it has one rule set. Games are read for pairs if `is_read`.
    pub(super) fn by_rules(file: &RunFile, tally: &Tally, is_read: bool) -> Result<Vec<(String, DoubtReport)>> {
        let settings = &file.plan.settings;
        if settings.rules.len() == 1 {
            return Ok(Vec::new());
        }
        let results = if is_read { file.results_by_rules()? } else { Vec::new() };
        let names = settings.rule_names().into_iter().enumerate();
        let doubt =
            |set: usize| DoubtReport::of(&file.plan.standings_by(tally, set), results.get(set), &settings.league);
        Ok(names.map(|(set, name)| (name, doubt(set))).collect())
    }

    pub(super) fn widest_json(&self) -> Option<Value> {
        self.widest.as_ref().map(|(width, agent)| json!({"agent": agent, "width": width}))
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "games": self.games,
            "planned": self.planned,
            "widest_interval": self.widest_json(),
            "undecided_pairs": self.undecided,
        })
    }

    /// A line for the games by one of several rule sets.
    pub(super) fn line(&self, rules: &str) -> String {
        let mut line = format!("{rules}: {} of {}", self.games, counted(self.planned, "game"));
        if let Some((width, agent)) = &self.widest {
            line += &format!(", widest interval {} ({})", fixed(*width, 3), Untrusted::new(agent).terminal());
        }
        if let Some(undecided) = self.undecided {
            line += &format!(", undecided: {undecided} of {}", counted(self.pairs, "pair"));
        }
        line + "\n"
    }
}
