//! The kept analysis of a run as its page shows it: for each agent where it loses, and its worst decisions. How the page looks is not
//! known here.

use anyhow::Result;
use maumau_analysis::{LossMark, MeanWithError};
use maumau_protocol::Action;
use maumau_referee::record::Digest;
use maumau_referee::story::{About, Level, Line, Piece};
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::RunFile;
use maumau_web::report::{AgentDecisions, DecisionGroup, DecisionReport, LossRow, WorstDecision};

use super::loss_figures::LossFigures;
use super::{DecisionInGame, JudgedGame, RunAnalysis, kept_games};
use crate::judged_words::action_words;

/// What is kept of `run`, as far as the games are those that were judged; nothing if none was judged. A file that cannot be read, or that
/// another engine has judged, is said in its place.
///
/// # Errors
/// The run file cannot be read.
pub(crate) fn decision_report(run: &RunFile) -> Result<Option<DecisionReport>> {
    let mut games: Vec<JudgedGame> = Vec::new();
    let effort = match kept_games(run.path(), |game| games.push(game)) {
        Ok(Some(effort)) => effort,
        Ok(None) => return Ok(None),
        Err(error) => {
            return Ok(Some(DecisionReport { problem: Some(format!("{error:#}")), ..DecisionReport::default() }));
        }
    };
    let mut played = Vec::with_capacity(games.len());
    for game in &games {
        let is_same = |digest: Digest| digest == game.digest;
        if run.game(game.number)?.is_some_and(|stored| is_same(stored.digest)) {
            played.push(game);
        }
    }
    // Of a game that was judged again the last line counts, and it is the only one that fits.
    played.sort_by_key(|game| game.number);
    played.dedup_by_key(|game| game.number);
    let of = run.games()?;
    let judged = played.len() as u64;
    let analysis = RunAnalysis { run: "", effort, games: played, of, agent: None, calibrates: false, deep: None };
    let agents = analysis.agents().into_iter().map(|agent| of_agent(&analysis, agent)).collect();
    Ok(Some(DecisionReport {
        problem: None,
        effort: effort.name().to_owned(),
        simulations: effort.simulations,
        in_races: effort.in_races,
        games: judged,
        of,
        agents,
    }))
}

fn of_agent(analysis: &RunAnalysis<'_>, agent: &str) -> AgentDecisions {
    let decisions = analysis.decisions(Some(agent));
    let total = LossFigures::of(decisions.iter().map(|of| of.decision));
    let group = |(title, rows): (&'static str, Vec<(String, LossFigures)>)| DecisionGroup {
        title: format!("{}{}", title[..1].to_uppercase(), &title[1..]),
        rows: rows.into_iter().map(|(name, figures)| row(name, &figures, &total)).collect(),
    };
    AgentDecisions {
        total: row(Untrusted::new(agent).terminal(), &total, &total),
        groups: RunAnalysis::groups(&decisions).into_iter().map(group).collect(),
        worst: RunAnalysis::worst(&decisions).into_iter().map(worst).collect(),
    }
}

fn row(name: String, figures: &LossFigures, total: &LossFigures) -> LossRow {
    let MeanWithError { mean, error } = figures.mean();
    LossRow {
        name,
        choices: figures.choices,
        mean,
        error,
        share: (total.loss > 0.0).then(|| figures.loss / total.loss),
        marks: figures.marks,
    }
}

fn worst(of: DecisionInGame<'_>) -> WorstDecision {
    let DecisionInGame { game, decision } = of;
    let words = |action: Option<&Action>| {
        let pieces = action.map_or_else(|| vec![Piece::from("nothing in time")], action_words);
        let line = Line { faces: game.faces, ..Line::new(Level::Main, About::Game, None, pieces) };
        Untrusted::new(&line.text(&game.agents)).terminal()
    };
    WorstDecision {
        game: game.game.clone(),
        number: decision.r#move,
        about: decision.kind.name().to_owned(),
        part: decision.part.name().to_owned(),
        held: decision.held,
        taken: words(decision.taken.as_ref()),
        best: words(decision.best.as_ref()),
        loss: decision.loss,
        error: decision.error,
        mark: decision.mark().map(LossMark::name).unwrap_or_default().to_owned(),
    }
}
