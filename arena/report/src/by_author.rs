//! The agents of each author taken together: the best of them, and sums and means of all. It orders agents as the standings do.

use maumau_run::run_store::LeagueSettings;
use maumau_tournament::fixed;
use serde_json::{Value, json};

use super::score_tables::{SCORE, ScoreTables};
use super::tables::Sheet;

/// What the agents of one author have done; those that are disqualified do not count.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OfAuthor {
    author: String,
    /// The place of the best agent in the standings, from 1, and its name.
    best: (usize, String),
    agents: u64,
    games: u64,
    wins: f64,
    /// The sum of the mean scores of the agents that have played, and how many these are.
    score: (f64, u64),
}

impl OfAuthor {
    fn mean(&self) -> Option<f64> {
        (self.score.1 > 0).then(|| self.score.0 / self.score.1 as f64)
    }
}

/// The authors that agents name, the one of the best agent first.
pub(super) fn by_author(tables: &ScoreTables, league: &LeagueSettings) -> Vec<OfAuthor> {
    let mut authors: Vec<OfAuthor> = Vec::new();
    for (place, (row, agent)) in tables.standings.rows.iter().zip(&tables.agents).enumerate() {
        let settings = &league.agents[*agent];
        let Some(author) = settings.author.as_ref().filter(|_| !settings.life.disqualified) else { continue };
        let at = authors.iter().position(|known| known.author == *author).unwrap_or_else(|| {
            let best = (place + 1, row.name.clone());
            authors.push(OfAuthor { author: author.clone(), best, agents: 0, games: 0, wins: 0.0, score: (0.0, 0) });
            authors.len() - 1
        });
        let sums = &mut authors[at];
        sums.agents += 1;
        sums.games += row.games;
        sums.wins += row.wins;
        sums.score.0 += row.mean_score.unwrap_or(0.0);
        sums.score.1 += u64::from(row.mean_score.is_some());
    }
    authors
}

/// A line for each author; sum and mean are of scores. Names and numbers are short for people.
pub(super) fn sheet(authors: &[OfAuthor], is_rounded: bool) -> Sheet {
    let names = match is_rounded {
        true => ["#", "author", "best agent", "its place", "agents", "games", "wins", "sum", "mean"],
        false => ["place", "author", "best_agent", "best_place", "agents", "games", "wins", "score_sum", "score_mean"],
    };
    let mut sheet = Sheet::default();
    sheet.number_column(names[0]).text_column(names[1]).text_column(names[2]);
    names[3..].iter().for_each(|name| _ = sheet.number_column(name));
    let real = |value: f64, decimals| if is_rounded { fixed(value, decimals) } else { value.to_string() };
    for (place, own) in authors.iter().enumerate() {
        sheet.row(vec![
            (place + 1).to_string(),
            own.author.clone(),
            own.best.1.clone(),
            own.best.0.to_string(),
            own.agents.to_string(),
            own.games.to_string(),
            real(own.wins, 1),
            real(own.score.0, SCORE),
            own.mean().map(|mean| real(mean, SCORE)).unwrap_or_default(),
        ]);
    }
    sheet
}

/// The same as JSON.
pub(super) fn json(authors: &[OfAuthor]) -> Value {
    let of_author = |own: &OfAuthor| {
        json!({
            "author": own.author,
            "best_agent": own.best.1,
            "best_place": own.best.0,
            "agents": own.agents,
            "games": own.games,
            "wins": own.wins,
            "score_sum": own.score.0,
            "score_mean": own.mean(),
        })
    };
    authors.iter().map(of_author).collect()
}
