//! Games, seats, rounds, seeds and judged decisions of a run as tables for other programs: one row a game, a seat in a game, an agent in a
//! round of a tournament, and so on, as CSV or JSON lines.
//! `arena/docs/data.md` is their data dictionary; a test holds it to the columns here.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use maumau_protocol::fault::FaultCounts;
use maumau_protocol::{Action, Seat};
use maumau_run::error::usage;
use maumau_run::io::atomic_file;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_run::run_store::{OpenedSeed, RunFile, StoredGame};
use maumau_tournament::{AgentId, Lane, PlannedGame, game_scores};
use serde_json::Value;

use super::ranking;
use crate::commentary::decision_mark;
use crate::judged_words::words;
use crate::run_analysis::{JudgedGame, MeasuredDecision, kept_games};

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// A game.
    Games,
    /// A seat in a game.
    Seats,
    /// An agent in a round of a knock-out or a Swiss tournament.
    Rounds,
    /// A commitment, with the game and the seed if the deal is done.
    Seeds,
    /// A decision that was judged.
    Judged,
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Csv,
    JsonLines,
}

impl Form {
    /// The form that the name of a file asks for.
    fn of(file: &Path) -> Result<Form> {
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => Ok(Form::Csv),
            Some("jsonl") => Ok(Form::JsonLines),
            _ => Err(usage(format!("{}: expected a name that ends in .csv or .jsonl", file.display()))),
        }
    }
}

/// One value.
enum Cell {
    /// Written by others.
    Text(String),
    Count(u64),
    Signed(i64),
    Real(f64),
    /// 1 or 0.
    Flag(bool),
    /// No value for this column.
    Absent,
}

/// The columns of both tables: which game it is.
const IDENTITY: [&str; 6] = ["game", "number", "group", "deal", "rotation", "rules"];
/// The columns of games after those.
const OF_GAMES: [&str; 11] = [
    "seats",
    "rounds",
    "rounds_unwon",
    "winner",
    "first_places",
    "actions",
    "faults",
    "dismissals",
    "answers",
    "took_us",
    "digest",
];
/// The columns of seats after those.
const OF_SEATS: [&str; 16] = [
    "seat",
    "agent",
    "author",
    "lane",
    "place",
    "score",
    "points",
    "rounds",
    "rounds_won",
    "dismissed",
    "faults",
    "fault_kinds",
    "answers",
    "took_us",
    "late",
    "void",
];

/// The columns of rounds.
const OF_ROUNDS: [&str; 11] = [
    "round",
    "table",
    "is_final",
    "agent",
    "score",
    "outcome",
    "by_lot",
    "fills_in",
    "losses_before",
    "games",
    "play_off_deals",
];

/// The columns of seeds.
const OF_SEEDS: [&str; 5] = ["game", "deal_name", "id", "commitment", "seed"];

/// The columns of judged decisions after those that say which game it is.
const OF_JUDGED: [&str; 17] = [
    "move",
    "seat",
    "agent",
    "kind",
    "part",
    "held",
    "taken",
    "refused",
    "best",
    "worth",
    "loss",
    "loss_error",
    "mark",
    "next_best",
    "lead",
    "lead_error",
    "happened",
];

impl Rows {
    fn columns(self) -> impl Iterator<Item = &'static str> {
        let columns: [&[&str]; 2] = match self {
            Rows::Games => [&IDENTITY, &OF_GAMES],
            Rows::Seats => [&IDENTITY, &OF_SEATS],
            Rows::Rounds => [&OF_ROUNDS, &[]],
            Rows::Seeds => [&OF_SEEDS, &[]],
            Rows::Judged => [&IDENTITY, &OF_JUDGED],
        };
        columns.into_iter().flatten().copied()
    }
}

/// A row: a cell for each column.
type Row = Vec<Cell>;

/// Checks that `file` can be written, and that its name says how.
///
/// # Errors
/// It cannot, or does not.
pub fn check(file: &Path) -> Result<()> {
    Form::of(file)?;
    atomic_file::check(file)
}

/// Writes the rows of all finished games of `run` to `file`, in the order of the plan, or of all its rounds; returns their number.
///
/// # Errors
/// The name of the file says no form, the file cannot be written, the run file cannot be read, or its format has no rounds.
pub fn write(run: &RunFile, kind: Rows, file: &Path) -> Result<u64> {
    let form = Form::of(file)?;
    let rules = run.plan.settings.rule_names();
    let planned = |game: &StoredGame| {
        let planned = run.plan.pairings.game(game.number());
        let rules = rules[run.plan.pairings.league().rule_set_of(planned.deal)].as_str();
        (planned, rules)
    };
    let mut count = 0;
    atomic_file::write_by(file, |out| {
        if form == Form::Csv {
            writeln!(out, "{}", kind.columns().collect::<Vec<_>>().join(","))?;
        }
        let mut put = |row: Row| -> Result<()> {
            writeln!(out, "{}", line(form, kind, row)?)?;
            count += 1;
            Ok(())
        };
        match kind {
            Rows::Games => run.for_each_game(|game| {
                let (planned, rules) = planned(&game);
                put(game_row(run, rules, &planned, &game)?)
            }),
            Rows::Seats => run.for_each_game(|game| {
                let (planned, rules) = planned(&game);
                seat_rows(run, rules, &planned, &game).into_iter().try_for_each(&mut put)
            }),
            Rows::Judged => {
                let mut judged = BTreeMap::new();
                if kept_games(run.path(), |game| _ = judged.insert(game.number, game))?.is_none() {
                    return Err(usage(
                        "--judged-to: no game of this run was judged yet; `maumau analyse RUN` does that",
                    ));
                }
                for judged in judged.into_values() {
                    let game = run.game(judged.number)?.filter(|game| game.digest == judged.digest);
                    let Some(game) = game else { continue };
                    let (planned, rules) = planned(&game);
                    for decision in &judged.decisions {
                        put(judged_row(rules, &planned, &game, &judged, decision))?;
                    }
                }
                Ok(())
            }
            Rows::Rounds => round_rows(run)?.into_iter().try_for_each(put),
            Rows::Seeds => {
                let (tally, _) = run.tally()?;
                run.plan.opened_seeds(&tally, 0).try_for_each(|(_, opened)| put(seed_row(opened)))?;
                let sealed = run.plan.sealed_commitments(&tally).into_iter();
                sealed.map(|(id, commitment)| sealed_row(id, commitment)).try_for_each(put)
            }
        }
    })?;
    Ok(count)
}

fn line(form: Form, kind: Rows, row: Row) -> Result<String> {
    Ok(match form {
        Form::Csv => row.into_iter().map(Cell::csv).collect::<Vec<_>>().join(","),
        Form::JsonLines => {
            let members = kind.columns().zip(row).map(|(name, cell)| Ok(format!("\"{name}\":{}", cell.json()?)));
            format!("{{{}}}", members.collect::<Result<Vec<_>>>()?.join(","))
        }
    })
}

impl Cell {
    fn csv(self) -> String {
        match self {
            Cell::Text(text) => Untrusted::new(&text).csv(),
            Cell::Count(number) => number.to_string(),
            Cell::Signed(number) => number.to_string(),
            Cell::Real(number) => number.to_string(),
            Cell::Flag(flag) => u8::from(flag).to_string(),
            Cell::Absent => String::new(),
        }
    }

    fn json(self) -> Result<String> {
        Ok(match self {
            Cell::Text(text) => untrusted::json(&text)?,
            Cell::Absent => "null".to_owned(),
            number => number.csv(),
        })
    }
}

/// What says which game it is.
fn identity(rules: &str, planned: &PlannedGame, game: &StoredGame) -> Row {
    vec![
        Cell::Text(game.id()),
        Cell::Count(game.number()),
        Cell::Count(planned.deal.group.into()),
        Cell::Count(planned.deal.deal.into()),
        Cell::Count(planned.rotation.into()),
        Cell::Text(rules.to_owned()),
    ]
}

fn game_row(run: &RunFile, rules: &str, planned: &PlannedGame, game: &StoredGame) -> Result<Row> {
    let first: Vec<Seat> =
        Seat::all(game.result.places.len()).filter(|seat| game.result.places[seat.index()] == 1).collect();
    let winner = match first[..] {
        [seat] if game.result.unwon < game.result.rounds => {
            run.plan.pairings.name(planned.agents[seat.index()]).to_owned()
        }
        _ => String::new(),
    };
    let sum = |of_seat: fn(&maumau_run::run_store::SeatTimes) -> u64| Cell::Count(game.times.iter().map(of_seat).sum());
    let mut row = identity(rules, planned, game);
    row.extend([
        Cell::Count(planned.agents.len() as u64),
        Cell::Count(game.result.rounds.into()),
        Cell::Count(game.result.unwon.into()),
        Cell::Text(winner),
        Cell::Count(first.len() as u64),
        Cell::Count(game.actions()?.into()),
        Cell::Count(game.faults.iter().map(FaultCounts::total).sum()),
        Cell::Count(game.result.dismissed.len() as u64),
        sum(|times| times.answers),
        sum(|times| times.took_us),
        Cell::Text(game.digest.to_string()),
    ]);
    Ok(row)
}

fn seat_rows(run: &RunFile, rules: &str, planned: &PlannedGame, game: &StoredGame) -> Vec<Row> {
    let result = &game.result;
    let scores = game_scores(&result.places);
    let of_seat = |(seat, (agent, lane)): (Seat, (AgentId, Lane))| {
        let (at, times, faults) = (seat.index(), game.times[seat.index()], &game.faults[seat.index()]);
        let mut row = identity(rules, planned, game);
        row.extend([
            Cell::Count(at as u64),
            Cell::Text(run.plan.pairings.name(agent).to_owned()),
            Cell::Text(run.plan.settings.league.agents[agent.index()].author.clone().unwrap_or_default()),
            Cell::Count(lane.0.into()),
            Cell::Count(result.places[at].into()),
            Cell::Real(scores[at]),
            Cell::Signed(result.points[at].into()),
            Cell::Count(result.rounds.into()),
            Cell::Count(result.wins[at].into()),
            Cell::Flag(result.dismissed.contains(&seat)),
            Cell::Count(faults.total()),
            Cell::Text(faults.list(" ")),
            Cell::Count(times.answers),
            Cell::Count(times.took_us),
            Cell::Count(times.late),
            Cell::Count(times.void),
        ]);
        row
    };
    Seat::all(planned.agents.len()).zip(planned.lanes()).map(of_seat).collect()
}

fn judged_row(
    rules: &str,
    planned: &PlannedGame,
    game: &StoredGame,
    judged: &JudgedGame,
    decision: &MeasuredDecision,
) -> Row {
    let action =
        |action: Option<&Action>| action.map_or(Cell::Absent, |action| Cell::Text(words(Some(action), judged.faces)));
    let mut row = identity(rules, planned, game);
    row.extend([
        Cell::Count(decision.r#move.into()),
        Cell::Count(decision.seat.index() as u64),
        Cell::Text(judged.agents[decision.seat.index()].clone()),
        Cell::Text(decision.kind.name().to_owned()),
        Cell::Text(decision.part.name().to_owned()),
        Cell::Count(decision.held.into()),
        action(decision.taken.as_ref()),
        decision.refused.map_or(Cell::Absent, |reason| Cell::Text(reason.name().to_owned())),
        action(decision.best.as_ref()),
        Cell::Real(decision.worth),
        Cell::Real(decision.loss),
        Cell::Real(decision.error),
        decision_mark(decision).map_or(Cell::Absent, |mark| Cell::Text(mark.name().to_owned())),
        action(decision.next.as_ref()),
        Cell::Real(decision.lead),
        Cell::Real(decision.lead_error),
        decision.happened.map_or(Cell::Absent, Cell::Real),
    ]);
    row
}

fn seed_row(OpenedSeed { game, deal, id, commitment, seed }: OpenedSeed) -> Row {
    [game, deal, id.0.to_string(), commitment, seed.to_string()].map(Cell::Text).into()
}

fn sealed_row(id: String, commitment: String) -> Row {
    vec![Cell::Absent, Cell::Absent, Cell::Text(id), Cell::Text(commitment), Cell::Absent]
}

/// A row for each agent in each round, as its tables list them, then those that did not play.
fn round_rows(run: &RunFile) -> Result<Vec<Row>> {
    let Some(tournament) = ranking::tournament_of(run)? else {
        return Err(usage(
            "--rounds-to: this run is neither a knock-out nor a Swiss tournament, which alone are played in rounds",
        ));
    };
    let name = |agent: usize| Cell::Text(run.plan.settings.league.agents[agent].name.clone());
    let mut rows = Vec::new();
    for (number, round) in tournament.rounds.iter().enumerate() {
        for (at, table) in round.tables.iter().enumerate() {
            for seated in &table.agents {
                let outcome = match serde_json::to_value(seated.outcome)? {
                    Value::String(outcome) => Cell::Text(outcome),
                    _ => Cell::Absent,
                };
                rows.push(vec![
                    Cell::Count(number as u64 + 1),
                    Cell::Count(at as u64 + 1),
                    Cell::Flag(table.is_final),
                    name(seated.agent),
                    seated.score.map_or(Cell::Absent, Cell::Real),
                    outcome,
                    Cell::Flag(seated.by_lot),
                    Cell::Flag(seated.fills_in),
                    table.losses.map_or(Cell::Absent, |losses| Cell::Count(losses.into())),
                    Cell::Count(table.games),
                    Cell::Count(table.play_offs.into()),
                ]);
            }
        }
        for (agents, outcome) in [(&round.byes, "bye"), (&round.waiting, "waiting")] {
            rows.extend(agents.iter().map(|agent| {
                let mut row: Row = OF_ROUNDS.iter().map(|_| Cell::Absent).collect();
                (row[0], row[3], row[5]) =
                    (Cell::Count(number as u64 + 1), name(*agent), Cell::Text(outcome.to_owned()));
                row
            }));
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DICTIONARY: &str = include_str!("../../docs/data.md");

    /// The names in the first column of the table under a heading of the dictionary.
    fn described(heading: &str) -> Vec<&'static str> {
        let section = DICTIONARY.split("\n## ").find(|section| section.starts_with(heading)).expect("a section");
        section.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split_once("` |")?.0)).collect()
    }

    #[test]
    fn the_data_dictionary_describes_every_column_in_order() {
        assert_eq!(described("A row for each game"), Rows::Games.columns().collect::<Vec<_>>());
        assert_eq!(described("A row for each seat"), Rows::Seats.columns().collect::<Vec<_>>());
        assert_eq!(described("A row for each agent in a round"), Rows::Rounds.columns().collect::<Vec<_>>());
        assert_eq!(described("A row for each seed"), Rows::Seeds.columns().collect::<Vec<_>>());
        let of_judged: Vec<&str> = Rows::Judged.columns().skip(IDENTITY.len()).collect();
        assert_eq!(described("A row for each judged decision"), of_judged);
    }

    #[test]
    fn the_name_of_a_file_says_how_it_is_written() {
        for (name, form) in
            [("a.csv", Some(Form::Csv)), ("a.b.jsonl", Some(Form::JsonLines)), ("csv", None), ("a.json", None)]
        {
            assert_eq!(Form::of(Path::new(name)).ok(), form, "{name}");
        }
    }
}
