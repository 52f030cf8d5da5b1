//! Decisions of a run as a table for other programs: one row for each action that was taken up and each deadline that a seat
//! let pass, as Parquet or as compressed JSON lines. Rows are made from the stored logs; `arena/docs/data.md` is their data
//! dictionary, and a test holds it to the columns here.
//!
//! All columns are whole numbers and lists of them: numbers as they are, and codes, whose meanings are in the metadata of a
//! Parquet file. JSON lines hold the meanings instead.

#[cfg(feature = "parquet")]
mod parquet_file;
mod rows;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use maumau_referee::DecisionReader;
use maumau_referee::record::MoveCount;

use maumau_run::error::usage;
use maumau_run::io::{atomic_file, untrusted};
use maumau_run::run_store::{RunFile, StoredGame};

use crate::run_analysis::{JudgedGame, MeasuredDecision, kept_games};
use rows::{Column, DecisionTable, Meaning, OfGame, Shape};

/// Rows that are gathered before they are written: what bounds the memory.
const ROWS_AT_ONCE: usize = 1 << 17;
/// How hard JSON lines are compressed: the usual level of zstd.
const LEVEL: i32 = 3;

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `dense` splits columns into bytes, which fewer readers take.
    Parquet {
        dense: bool,
    },
    JsonLines,
}

/// Checks that `file` can be written, and that its name says how.
///
/// # Errors
/// It cannot, or does not, or this program does not write Parquet, or JSON lines were to be `dense`.
pub fn check(file: &Path, dense: bool) -> Result<()> {
    form_of(file, dense)?;
    atomic_file::check(file)
}

fn form_of(file: &Path, dense: bool) -> Result<Form> {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if name.ends_with(".jsonl.zst") {
        if dense {
            return Err(usage(format!("{}: --dense is for .parquet alone", file.display())));
        }
        return Ok(Form::JsonLines);
    }
    if !name.ends_with(".parquet") {
        return Err(usage(format!("{}: expected a name that ends in .parquet or .jsonl.zst", file.display())));
    }
    if cfg!(not(feature = "parquet")) {
        return Err(usage(format!(
            "{}: this program writes no Parquet; build it with `cargo build --release --features parquet`, or write .jsonl.zst",
            file.display()
        )));
    }
    Ok(Form::Parquet { dense })
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Rows, of all files.
    pub rows: u64,
    /// Files.
    pub files: u64,
}

/// Writes the decisions of all finished games of `run` to `file`, in the order of the plan; or, if `games_per_file` is given, to
/// files named after it, `decisions-0000.parquet` and so on, each with so many games. `dense` Parquet is smaller; fewer readers
/// take it.
///
/// # Errors
/// The name of the file says no form, a file cannot be written, or the run file cannot be read.
pub fn write(run: &RunFile, file: &Path, games_per_file: Option<usize>, dense: bool) -> Result<Written> {
    let form = form_of(file, dense)?;
    let mut judged = BTreeMap::new();
    let is_judged = kept_games(run.path(), |game| _ = judged.insert(game.number, game))?.is_some();
    let table = DecisionTable::new(run, is_judged);
    let mut source = Source { run, reader: DecisionReader::default(), table, judged };
    let mut written = Written::default();
    let Some(games_per_file) = games_per_file else {
        atomic_file::write_by(file, |out| {
            written.rows = source.write(form, out, |each| run.for_each_game(|game| each(&game)))?;
            Ok(())
        })?;
        return Ok(Written { files: 1, ..written });
    };
    let mut games = Vec::with_capacity(games_per_file.min(ROWS_AT_ONCE));
    let mut next_file = |games: &mut Vec<StoredGame>| {
        atomic_file::write_by(&numbered(file, written.files)?, |out| {
            written.rows += source.write(form, out, |each| games.drain(..).try_for_each(|game| each(&game)))?;
            Ok(())
        })?;
        written.files += 1;
        Ok(())
    };
    run.for_each_game(|game| {
        games.push(game);
        if games.len() == games_per_file { next_file(&mut games) } else { Ok(()) }
    })?;
    if !games.is_empty() {
        next_file(&mut games)?;
    }
    Ok(written)
}

/// `file` with a number before its ending.
fn numbered(file: &Path, number: u64) -> Result<PathBuf> {
    let name = file.file_name().and_then(|name| name.to_str()).context("the name of the file is not UTF-8")?;
    let (stem, ending) = name.split_once('.').context("the name of the file has no ending")?;
    Ok(file.with_file_name(format!("{stem}-{number:04}.{ending}")))
}

/// Where rows come from.
struct Source<'a> {
    run: &'a RunFile,
    reader: DecisionReader,
    table: DecisionTable,
    /// What is kept of judged games, by their numbers.
    judged: BTreeMap<u64, JudgedGame>,
}

impl Source<'_> {
    /// Writes the rows of the games that `games` hands over as one file; returns their number.
    fn write(
        &mut self,
        form: Form,
        out: &mut (dyn Write + Send),
        games: impl FnOnce(&mut dyn FnMut(&StoredGame) -> Result<()>) -> Result<()>,
    ) -> Result<u64> {
        let mut sink = Sink::new(form, out, self.table.described())?;
        let mut rows = 0;
        self.table.clear();
        games(&mut |game| {
            self.add(game)?;
            if self.table.rows >= ROWS_AT_ONCE {
                rows += self.table.rows as u64;
                sink.write(&self.table)?;
                self.table.clear();
            }
            Ok(())
        })?;
        rows += self.table.rows as u64;
        sink.write(&self.table)?;
        sink.end(self.run, &self.table)?;
        Ok(rows)
    }

    fn add(&mut self, game: &StoredGame) -> Result<()> {
        let planned = self.run.plan.pairings.game(game.number());
        let number = i32::try_from(game.number()).with_context(|| format!("the game {} is past 2^31", game.id()))?;
        let log = game.game_log(&self.run.plan)?;
        let rules = self.run.plan.pairings.league().rule_set_of(planned.deal) as i32;
        let context = OfGame { number, rules, planned: &planned, stored: game };
        let (table, mut tick, mut before) = (&mut self.table, -1, None);
        let judged = self.judged.get(&game.number()).filter(|judged| judged.digest == game.digest);
        let mut judged = judged.map(|judged| judged.decisions.iter().peekable());
        // The moves are counted as the judge counts them.
        let mut moves = MoveCount::default();
        let numbers: Vec<u32> = match judged {
            Some(_) => log.inputs.iter().map(|logged| moves.of(&logged.entry).0).collect(),
            None => Vec::new(),
        };
        let read = self.reader.read(&log, |decision, decided| {
            if before != Some(decision.as_of) {
                (before, tick) = (Some(decision.as_of), tick + 1);
            }
            let is_it =
                |judged: &&MeasuredDecision| judged.r#move == numbers[decision.input] && judged.seat == decision.seat;
            let judged = judged.as_mut().and_then(|judged| judged.next_if(is_it));
            table.add(&context, tick, decision, &decided, judged);
        });
        read.with_context(|| format!("the game {}", game.id()))
    }
}

/// Where rows go.
enum Sink<'a> {
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet_file::ParquetFile<'a>>),
    JsonLines(Box<zstd::Encoder<'static, &'a mut (dyn Write + Send)>>),
}

impl<'a> Sink<'a> {
    #[cfg_attr(not(feature = "parquet"), allow(unused_variables))]
    fn new(form: Form, out: &'a mut (dyn Write + Send), columns: &'static [Column]) -> Result<Sink<'a>> {
        match form {
            Form::JsonLines => Ok(Sink::JsonLines(Box::new(zstd::Encoder::new(out, LEVEL)?))),
            #[cfg(feature = "parquet")]
            Form::Parquet { dense } => {
                Ok(Sink::Parquet(Box::new(parquet_file::ParquetFile::new(out, columns, dense)?)))
            }
            #[cfg(not(feature = "parquet"))]
            Form::Parquet { .. } => Err(usage("this program writes no Parquet")),
        }
    }

    fn write(&mut self, table: &DecisionTable) -> Result<()> {
        match self {
            #[cfg(feature = "parquet")]
            Sink::Parquet(file) => file.write(table),
            Sink::JsonLines(out) => write_lines(table, out),
        }
    }

    #[cfg_attr(not(feature = "parquet"), allow(unused_variables))]
    fn end(self, run: &RunFile, table: &DecisionTable) -> Result<()> {
        match self {
            #[cfg(feature = "parquet")]
            Sink::Parquet(file) => file.end(&metadata(run, table)?),
            Sink::JsonLines(out) => {
                out.finish()?;
                Ok(())
            }
        }
    }
}

/// What a reader of codes has to know, and what was played.
#[cfg(feature = "parquet")]
fn metadata(run: &RunFile, table: &DecisionTable) -> Result<String> {
    let settings = &run.plan.settings;
    let mut meanings = serde_json::Map::new();
    for column in table.described() {
        let list = table.codes.meanings(column.meaning)?;
        if !list.is_empty() {
            meanings.insert(column.name.to_owned(), list.into());
        }
    }
    let mut all = serde_json::json!({"format": "maumau decisions 1", "league": settings.league.name, "engine": settings.engine,
        "rules": settings.rules, "meanings": meanings});
    // The cards of games that are played later follow from it.
    if settings.league.public_seed {
        all["seed"] = settings.seed.to_string().into();
    }
    Ok(untrusted::json(&all)?)
}

/// Writes the rows as JSON lines, with meanings for codes.
fn write_lines(table: &DecisionTable, out: &mut impl Write) -> Result<()> {
    let columns = table.described();
    let meanings = columns.iter().map(|column| {
        let list = table.codes.meanings(column.meaning)?;
        Ok(list.iter().map(untrusted::json).collect::<Result<Vec<String>, _>>()?)
    });
    let meanings = meanings.collect::<Result<Vec<_>>>()?;
    let mut starts = vec![0; columns.len()];
    let mut line = String::new();
    for row in 0..table.rows {
        line.clear();
        for (at, column) in columns.iter().enumerate() {
            let values = &table.columns[at];
            let end = starts[at] + if column.shape == Shape::One { 1 } else { usize::from(values.counts[row]) };
            let there = &values.there[starts[at]..end];
            starts[at] = end;
            let value = |value: &i32| match (column.meaning, meanings[at].get(*value as usize)) {
                (Meaning::Number | Meaning::Flag, _) | (_, None) => value.to_string(),
                (_, Some(meaning)) => meaning.clone(),
            };
            line += if at == 0 { "{\"" } else { ",\"" };
            line += column.name;
            line += "\":";
            match (column.shape, there) {
                (Shape::Many, list) => {
                    line.push('[');
                    line += &list.iter().map(value).collect::<Vec<_>>().join(",");
                    line.push(']');
                }
                (_, [one]) => line += &value(one),
                (..) => line += "null",
            }
        }
        line += "}\n";
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::rows::columns;
    use super::*;

    const DICTIONARY: &str = include_str!("../../docs/data.md");

    #[test]
    fn the_data_dictionary_describes_every_column_in_order() {
        let section = DICTIONARY.split("\n## ").find(|part| part.starts_with("A row for each decision")).expect("it");
        let described = section.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split_once("` |")?.0));
        assert_eq!(described.collect::<Vec<_>>(), columns(true).iter().map(|column| column.name).collect::<Vec<_>>());
    }

    #[test]
    fn files_of_several_are_numbered_before_their_ending() {
        let of = |name: &str| numbered(Path::new(name), 7).map(|path| path.display().to_string()).ok();
        assert_eq!(of("a/d.jsonl.zst").as_deref(), Some("a/d-0007.jsonl.zst"));
        assert_eq!(of("d.parquet").as_deref(), Some("d-0007.parquet"));
        assert!(form_of(Path::new("d.csv"), false).is_err());
        assert!(form_of(Path::new("d.jsonl"), true).is_err(), "JSON lines are not dense");
    }
}
