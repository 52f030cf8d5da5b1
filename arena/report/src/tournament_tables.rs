//! The order and the rounds of a knock-out or a Swiss tournament as tables of text and as JSON. It takes them from the scheduler
//! and decides nothing.

use maumau_tournament::{AtTable, PlacedBy, RoundResult, TournamentResult, fixed};
use serde_json::{Value, json};

use super::score_tables::SCORE;
use super::tables::Sheet;

/// Decimals of the points of a Swiss tournament.
const POINTS: usize = 3;

/// Everybody's place, and what it follows from; `names` are those of the agents by number.
pub(super) fn order_sheet(result: &TournamentResult, names: &[String]) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.number_column("#").text_column("agent");
    let is_swiss = result.order.iter().any(|placed| matches!(placed.by, PlacedBy::Points { .. }));
    match is_swiss {
        true => sheet.number_column("points").number_column("points of opponents"),
        false => sheet.text_column("result"),
    };
    for (place, placed) in result.order.iter().enumerate() {
        let number = if placed.by == PlacedBy::Disqualified { "-".to_owned() } else { (place + 1).to_string() };
        let mut cells = vec![number, names[placed.agent].clone()];
        match placed.by {
            PlacedBy::Points { points, opponents } => cells.extend([points, opponents].map(|sum| fixed(sum, POINTS))),
            by if is_swiss => cells.extend([by.words(place), String::new()]),
            by => cells.push(by.words(place)),
        }
        sheet.row(cells);
    }
    sheet
}

/// Every round: a line for each agent at a table, and for each that did not play.
pub(super) fn rounds_sheet(result: &TournamentResult, names: &[String]) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.number_column("round").number_column("table").text_column("agent").number_column("score").text_column("what");
    for (number, round) in result.rounds.iter().enumerate() {
        let mut lines: Vec<[String; 4]> = Vec::new();
        for (at, table) in round.tables.iter().enumerate() {
            for (seat, seated) in table.agents.iter().enumerate() {
                let called = if table.is_final { "final".to_owned() } else { (at + 1).to_string() };
                lines.push([
                    if seat == 0 { called } else { String::new() },
                    names[seated.agent].clone(),
                    seated.score.map(|score| fixed(score, SCORE)).unwrap_or_default(),
                    table.words(seat),
                ]);
            }
        }
        for (agents, what) in [(&round.byes, "did not play"), (&round.waiting, "waited for others")] {
            let line = |agent: &usize| [String::new(), names[*agent].clone(), String::new(), what.to_owned()];
            lines.extend(agents.iter().map(line));
        }
        for (at, line) in lines.into_iter().enumerate() {
            let first = if at == 0 { (number + 1).to_string() } else { String::new() };
            sheet.row([first].into_iter().chain(line).collect());
        }
    }
    sheet
}

/// All of it.
pub(super) fn json(result: &TournamentResult, names: &[String]) -> Value {
    let placed = result.order.iter().enumerate().map(|(place, placed)| {
        let mut entry = json!({"place": place + 1, "agent": names[placed.agent]});
        match placed.by {
            PlacedBy::Points { points, opponents } => {
                (entry["points"], entry["points_of_opponents"]) = (json!(points), json!(opponents));
            }
            PlacedBy::Out { round } => entry["out_in_round"] = json!(round + 1),
            PlacedBy::Final => entry["in_final"] = json!(true),
            PlacedBy::StillIn => entry["still_in"] = json!(true),
            PlacedBy::Disqualified => {
                (entry["place"], entry["disqualified"]) = (Value::Null, json!(true));
            }
        }
        entry
    });
    let list = |agents: &[usize]| agents.iter().map(|agent| names[*agent].as_str()).collect::<Vec<_>>();
    let seated = |seated: &AtTable| {
        json!({
            "agent": names[seated.agent],
            "score": seated.score,
            "outcome": seated.outcome,
            "by_lot": seated.by_lot,
            "fills_in": seated.fills_in,
        })
    };
    let round = |round: &RoundResult| {
        let tables = round.tables.iter().map(|table| {
            json!({
                "final": table.is_final,
                "games": table.games,
                "play_off_deals": table.play_offs,
                "losses_before": table.losses,
                "agents": table.agents.iter().map(seated).collect::<Vec<_>>(),
            })
        });
        json!({
            "tables": tables.collect::<Vec<_>>(),
            "byes": list(&round.byes),
            "waiting": list(&round.waiting),
        })
    };
    json!({
        "is_over": result.is_over,
        "order": placed.collect::<Vec<_>>(),
        "rounds": result.rounds.iter().map(round).collect::<Vec<_>>(),
    })
}
