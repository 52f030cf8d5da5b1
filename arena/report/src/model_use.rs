//! What agents that ask language models say in their notes that it cost them: questions, tokens, money. It reads notes of the
//! form that `agents/LANGUAGE-MODELS.md` describes, which any agent may write, and believes them.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use maumau_protocol::Seat;
use maumau_referee::record::Entry;
use maumau_run::run_store::log_codec;
use maumau_run::run_store::{RunFile, StoredGame};
use serde::Serialize;
use serde_json::Value;

use super::tables::{Sheet, TableLook};

/// Games in which the first of each agent is looked for.
const LOOKED_AT: u64 = 4096;

/// What one agent has used.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct ModelUse {
    name: String,
    games: u64,
    /// Moves for which there is a note.
    moves: u64,
    /// Those that another bot made.
    played_instead: u64,
    tokens_in: u64,
    tokens_cached: u64,
    tokens_out: u64,
    cost: f64,
}

/// The use of each agent with such notes, in the order of the league. Logs are read only if some agent's first game has them.
///
/// # Errors
/// The run file cannot be read.
pub(crate) fn of(run: &RunFile) -> Result<Vec<ModelUse>> {
    let mut by_agent: BTreeMap<usize, ModelUse> = BTreeMap::new();
    if !any_has_notes(run)? {
        return Ok(Vec::new());
    }
    run.for_each_game(|game| {
        let mut in_game = BTreeMap::new();
        for_each_note(&game, |seat, note| add(in_game.entry(seat).or_default(), note))?;
        for (seat, used) in in_game {
            let Some(agent) = game.planned.agents.get(Seat::index(seat)) else { continue };
            let sum = by_agent.entry(agent.index()).or_default();
            sum.games += 1;
            sum.moves += used.moves;
            sum.played_instead += used.played_instead;
            sum.tokens_in += used.tokens_in;
            sum.tokens_cached += used.tokens_cached;
            sum.tokens_out += used.tokens_out;
            sum.cost += used.cost;
        }
        Ok(())
    })?;
    let agents = &run.plan.settings.league.agents;
    let named = |(agent, used): (usize, ModelUse)| Some(ModelUse { name: agents.get(agent)?.name.clone(), ..used });
    Ok(by_agent.into_iter().filter_map(named).collect())
}

/// Whether the first game of some agent has such notes of it.
fn any_has_notes(run: &RunFile) -> Result<bool> {
    let mut open: Vec<bool> = run.plan.settings.league.agents.iter().map(|_| true).collect();
    for number in 0..run.plan.pairings.len().min(LOOKED_AT) {
        let planned = run.plan.pairings.game(number);
        if !planned.agents.iter().any(|agent| open[agent.index()]) {
            continue;
        }
        let Some(game) = run.game(number)? else { continue };
        let mut found = false;
        for_each_note(&game, |_, _| found = true)?;
        if found {
            return Ok(true);
        }
        planned.agents.iter().for_each(|agent| open[agent.index()] = false);
        if !open.contains(&true) {
            break;
        }
    }
    Ok(false)
}

/// Hands the notes with tokens to `each`.
fn for_each_note(game: &StoredGame, mut each: impl FnMut(Seat, &Value)) -> Result<()> {
    let inputs = log_codec::unpack(&game.log).with_context(|| format!("the game {} is damaged", game.id()))?;
    for input in &inputs {
        if let Entry::Note(note) = &input.entry
            && note.note.get("tokens").is_some_and(Value::is_object)
        {
            each(note.seat, &note.note);
        }
    }
    Ok(())
}

fn add(used: &mut ModelUse, note: &Value) {
    let tokens = |kind: &str| note["tokens"][kind].as_u64().unwrap_or_default();
    used.moves += 1;
    used.played_instead += u64::from(!matches!(note["by"].as_str(), Some("model" | "kept")));
    used.tokens_in = used.tokens_in.saturating_add(tokens("in"));
    used.tokens_cached = used.tokens_cached.saturating_add(tokens("cached"));
    used.tokens_out = used.tokens_out.saturating_add(tokens("out"));
    used.cost += note["cost"].as_f64().filter(|cost| cost.is_finite()).unwrap_or_default();
}

/// The table of it.
pub(crate) fn draw(uses: &[ModelUse], look: TableLook) -> String {
    let mut sheet = Sheet::default();
    sheet.text_column("agent").number_column("games").number_column("moves").number_column("by others");
    sheet.number_column("tokens in").number_column("cached").number_column("tokens out");
    sheet.number_column("cost").number_column("cost a game");
    for used in uses {
        let mut row = vec![used.name.clone()];
        let counts = [used.games, used.moves, used.played_instead, used.tokens_in, used.tokens_cached, used.tokens_out];
        row.extend(counts.map(|count| count.to_string()));
        row.extend([used.cost, used.cost / used.games.max(1) as f64].map(|cost| format!("{cost:.4}")));
        sheet.row(row);
    }
    sheet.draw(look)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn notes_are_summed_and_what_is_no_number_counts_nothing() {
        let mut used = ModelUse::default();
        add(&mut used, &json!({"by": "model", "tokens": {"in": 10, "cached": 4, "out": 2}, "cost": 0.5}));
        add(&mut used, &json!({"by": "greedy", "tokens": {"in": u64::MAX, "out": "many"}, "cost": "dear"}));
        let expected = ModelUse {
            moves: 2,
            played_instead: 1,
            tokens_in: u64::MAX,
            tokens_cached: 4,
            tokens_out: 2,
            cost: 0.5,
            ..ModelUse::default()
        };
        assert_eq!(used, expected);
    }
}
