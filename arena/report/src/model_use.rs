//! What agents that ask language models say in their notes that it cost them: questions, tokens, money. It reads notes of the
//! form that `agents/LANGUAGE-MODELS.md` describes, which any agent may write, and believes them.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use maumau_protocol::Seat;
use maumau_referee::GameLog;
use maumau_referee::record::Entry;
use maumau_run::io::format::counted;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::log_codec;
use maumau_run::run_store::{RunFile, StoredGame};
use serde::Serialize;
use serde_json::Value;

use super::tables::{Sheet, TableLook};

/// Games in which the first of each agent is looked for.
const LOOKED_AT: u64 = 4096;

/// What one agent has used.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ModelUse {
    name: String,
    games: u64,
    /// Moves for which there is a note.
    moves: u64,
    /// Those that another bot made.
    played_instead: u64,
    /// The bot that made the last of those.
    #[serde(skip)]
    instead: String,
    /// What went wrong last.
    #[serde(skip)]
    trouble: String,
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
            if used.played_instead > 0 {
                (sum.instead, sum.trouble) = (used.instead, used.trouble);
            }
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

/// The use of each seat of one game with such notes.
pub fn of_game(log: &GameLog) -> Vec<ModelUse> {
    let mut by_seat: BTreeMap<Seat, ModelUse> = BTreeMap::new();
    for input in &log.inputs {
        if let Some((seat, note)) = model_note(&input.entry) {
            add(by_seat.entry(seat).or_default(), note);
        }
    }
    let name = |seat: Seat| log.header.names.get(seat.index()).cloned().unwrap_or_default();
    by_seat.into_iter().map(|(seat, used)| ModelUse { name: name(seat), games: 1, ..used }).collect()
}

impl ModelUse {
    /// How many of its moves the model did not make, and what it cost, in a line.
    pub fn line(&self) -> String {
        let ModelUse { moves, played_instead, tokens_in, tokens_out, cost, .. } = self;
        let [name, instead, trouble] =
            [&self.name, &self.instead, &self.trouble].map(|text| Untrusted::new(text).terminal());
        let by = match *played_instead {
            0 => format!("{} by the model", counted(*moves, "move")),
            count => format!("{count} of {} by {instead}", counted(*moves, "move")),
        };
        let why = if trouble.is_empty() { String::new() } else { format!(" ({trouble})") };
        format!("{name}: {by}{why}; {tokens_in} tokens in, {tokens_out} out, cost {cost:.4}")
    }

    /// The same, where the model has made no move at all.
    fn complaint(&self) -> Option<String> {
        (self.moves > 0 && self.played_instead == self.moves)
            .then(|| format!("the model never answered: {}\n", self.line()))
    }
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
        if let Some((seat, note)) = model_note(&input.entry) {
            each(seat, note);
        }
    }
    Ok(())
}

/// A note with tokens, and whose it is.
fn model_note(entry: &Entry) -> Option<(Seat, &Value)> {
    let Entry::Note(note) = entry else { return None };
    note.note.get("tokens").is_some_and(Value::is_object).then_some((note.seat, &note.note))
}

fn add(used: &mut ModelUse, note: &Value) {
    let tokens = |kind: &str| note["tokens"][kind].as_u64().unwrap_or_default();
    used.moves += 1;
    if !matches!(note["by"].as_str(), Some("model" | "kept")) {
        used.played_instead += 1;
        used.instead = note["by"].as_str().unwrap_or("others").to_owned();
        used.trouble = note["trouble"].as_str().unwrap_or_default().to_owned();
    }
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
    let complaints = uses.iter().filter_map(ModelUse::complaint);
    sheet.draw(look) + &complaints.collect::<String>()
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
            instead: "greedy".to_owned(),
            tokens_in: u64::MAX,
            tokens_cached: 4,
            tokens_out: 2,
            cost: 0.5,
            ..ModelUse::default()
        };
        assert_eq!(used, expected);
        assert_eq!(used.complaint(), None);
    }

    #[test]
    fn a_model_that_never_answered_is_named() {
        let mut used = ModelUse { name: "mine".to_owned(), ..ModelUse::default() };
        let note = json!({"by": "greedy", "tokens": {"in": 0, "out": 0}, "cost": 0.0, "trouble": "status 401: a wrong\u{1b} key"});
        (0..12).for_each(|_| add(&mut used, &note));
        let line = "mine: 12 of 12 moves by greedy (status 401: a wrong\\u{1b} key); 0 tokens in, 0 out, cost 0.0000";
        assert_eq!(used.line(), line);
        assert_eq!(used.complaint().as_deref(), Some(&*format!("the model never answered: {line}\n")));
    }
}
