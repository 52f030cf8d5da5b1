//! Decisions of a run as a table for other programs: one row for each action that was taken up and each deadline that a seat
//! let pass, as Parquet or as compressed JSON lines. Rows are made from the stored logs; `arena/docs/data.md` is their data
//! dictionary, and a test holds it to the columns here.
//!
//! All columns are whole numbers and lists of them: numbers as they are, and codes, whose meanings are in the metadata of a
//! Parquet file. JSON lines hold the meanings instead.

#[cfg(feature = "parquet")]
mod parquet_file;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use maumau_protocol::message::What;
use maumau_protocol::{Action, Card, Choice, Direction, Rank, Reason, Seat, Suit, Verb};
use maumau_referee::{Decided, Decision, DecisionReader};
use maumau_tournament::PlannedGame;
use serde_json::{Value, json};

use crate::error::usage;
use crate::io::{atomic_file, untrusted};
use crate::run_store::{RunFile, StoredGame};

/// Rows that are gathered before they are written: what bounds the memory.
const ROWS_AT_ONCE: usize = 1 << 17;
/// How hard JSON lines are compressed: the usual level of zstd.
const LEVEL: i32 = 3;

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Parquet,
    JsonLines,
}

/// How many values a column has in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    One,
    Maybe,
    Many,
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Number,
    /// 1 or 0.
    Flag,
    /// The name of a rule set.
    Rules,
    Agent,
    Card,
    /// A suit or a value.
    Choice,
    What,
    Direction,
    Action,
    Word,
    Refused,
}

/// A column.
struct Column {
    name: &'static str,
    shape: Shape,
    meaning: Meaning,
}

const fn column(name: &'static str, shape: Shape, meaning: Meaning) -> Column {
    Column { name, shape, meaning }
}

/// The columns, in the order in which [`Table::add`] fills them.
const COLUMNS: [Column; 40] = [
    column("game", Shape::One, Meaning::Number),
    column("group", Shape::One, Meaning::Number),
    column("deal", Shape::One, Meaning::Number),
    column("rotation", Shape::One, Meaning::Number),
    column("rules", Shape::One, Meaning::Rules),
    column("round", Shape::One, Meaning::Number),
    column("tick", Shape::One, Meaning::Number),
    column("seat", Shape::One, Meaning::Number),
    column("agent", Shape::One, Meaning::Agent),
    column("what", Shape::One, Meaning::What),
    column("hand", Shape::Many, Meaning::Card),
    column("top", Shape::Maybe, Meaning::Card),
    column("visible", Shape::Maybe, Meaning::Card),
    column("turn", Shape::Maybe, Meaning::Number),
    column("direction", Shape::One, Meaning::Direction),
    column("hands", Shape::Many, Meaning::Number),
    column("draw_pile", Shape::One, Meaning::Number),
    column("owed", Shape::One, Meaning::Number),
    column("skip", Shape::One, Meaning::Number),
    column("suit", Shape::Maybe, Meaning::Choice),
    column("request", Shape::Maybe, Meaning::Choice),
    column("request_by", Shape::Maybe, Meaning::Number),
    column("again", Shape::Maybe, Meaning::Number),
    column("choose", Shape::Maybe, Meaning::Number),
    column("skip_victim", Shape::Maybe, Meaning::Number),
    column("take_from", Shape::Maybe, Meaning::Number),
    column("drawn", Shape::One, Meaning::Number),
    column("anything", Shape::One, Meaning::Flag),
    column("closing", Shape::One, Meaning::Flag),
    column("said_mau", Shape::Many, Meaning::Number),
    column("dealer", Shape::Maybe, Meaning::Number),
    column("points_before", Shape::Many, Meaning::Number),
    column("legal", Shape::Many, Meaning::Action),
    column("action", Shape::Maybe, Meaning::Action),
    column("said", Shape::Many, Meaning::Word),
    column("refused", Shape::Maybe, Meaning::Refused),
    column("took_us", Shape::Maybe, Meaning::Number),
    column("place", Shape::One, Meaning::Number),
    column("points", Shape::One, Meaning::Number),
    column("won", Shape::One, Meaning::Number),
];

/// The values of a column.
#[derive(Default)]
struct Values {
    /// The values that are there, of all rows.
    there: Vec<i32>,
    /// How many of them each row has.
    counts: Vec<u16>,
}

/// Rows by columns, and what their codes mean.
struct Table {
    columns: Vec<Values>,
    rows: usize,
    codes: Codes,
}

/// A row that is being filled.
struct Row<'a>(std::slice::IterMut<'a, Values>);

impl Row<'_> {
    /// There are as many columns as are filled: [`Table::add`] is the only caller.
    fn values(&mut self) -> &mut Values {
        self.0.next().expect("a column for every value")
    }

    fn one(&mut self, value: i32) {
        let values = self.values();
        values.there.push(value);
        values.counts.push(1);
    }

    fn maybe(&mut self, value: Option<i32>) {
        let values = self.values();
        values.there.extend(value);
        values.counts.push(value.is_some().into());
    }

    fn many(&mut self, list: impl Iterator<Item = i32>) {
        let values = self.values();
        let before = values.there.len();
        values.there.extend(list);
        values.counts.push((values.there.len() - before) as u16);
    }
}

impl Table {
    fn new(run: &RunFile) -> Table {
        let columns = COLUMNS.iter().map(|_| Values::default()).collect();
        Table { columns, rows: 0, codes: Codes::new(run) }
    }

    fn clear(&mut self) {
        for Values { there, counts } in &mut self.columns {
            there.clear();
            counts.clear();
        }
        self.rows = 0;
    }

    /// Adds the row of a decision.
    fn add(&mut self, game: &OfGame<'_>, tick: i32, decision: &Decision, decided: &Decided<'_>) {
        let Table { columns, codes, rows } = self;
        let (view, pending) = (&decision.view, &decision.view.pending);
        let seat = |seat: Seat| seat.index() as i32;
        let number = |number: u64| i32::try_from(number).unwrap_or(i32::MAX);
        let of_choice = |choice: Choice| choice_code(choice);
        let mut row = Row(columns.iter_mut());
        row.one(game.number);
        row.one(number(game.planned.deal.group.into()));
        row.one(number(game.planned.deal.deal.into()));
        row.one(number(game.planned.rotation.into()));
        row.one(game.rules);
        row.one(number(view.round.into()));
        row.one(tick);
        row.one(seat(decision.seat));
        row.one(game.planned.agents[decision.seat.index()].index() as i32);
        row.one(place_in(&What::ALL, decision.what));
        row.many(view.hand.iter().map(|card| card.index() as i32));
        row.maybe(view.top.map(|card| card.index() as i32));
        row.maybe(view.visible.map(|card| card.index() as i32));
        row.maybe(view.turn.map(seat));
        row.one(i32::from(view.direction != Direction::default()));
        row.many(view.hands.iter().map(|count| i32::from(*count)));
        row.one(view.draw_pile.into());
        row.one(pending.draw.into());
        row.one(pending.skip.into());
        row.maybe(pending.suit.map(|suit| of_choice(Choice::Suit(suit))));
        row.maybe(pending.request.map(|request| of_choice(request.names)));
        row.maybe(pending.request.map(|request| seat(request.by)));
        row.maybe(pending.again.map(seat));
        row.maybe(pending.choose.map(seat));
        row.maybe(pending.skip_victim.map(seat));
        row.maybe(pending.take.map(|order| seat(order.from)));
        row.one(pending.drawn.into());
        row.one(pending.anything.into());
        row.one(pending.closing.into());
        row.many(view.mau_said.iter().map(seat));
        row.maybe(view.dealer.map(seat));
        row.many(view.points.iter().copied());
        row.many(decision.legal.iter().map(|verb| codes.action(verb)));
        let (action, refused) = match decided {
            Decided::Act(action, refused) => (Some(*action), *refused),
            Decided::Silence => (None, None),
        };
        row.maybe(action.map(|action: &Action| codes.action(&action.verb)));
        row.many(action.into_iter().flat_map(|action| action.say.texts()).map(|word| codes.word(word.as_str())));
        row.maybe(refused.map(|reason| place_in(&Reason::ALL, reason)));
        row.maybe(decision.took_us.map(number));
        let at = decision.seat.index();
        row.one(game.stored.result.places[at].into());
        row.one(game.stored.result.points[at]);
        row.one(number(game.stored.result.wins[at].into()));
        debug_assert!(row.0.next().is_none(), "a value for every column");
        *rows += 1;
    }
}

/// What is the same in all rows of a game.
struct OfGame<'a> {
    number: i32,
    rules: i32,
    planned: &'a PlannedGame,
    stored: &'a StoredGame,
}

fn place_in<T: PartialEq>(all: &[T], value: T) -> i32 {
    all.iter().position(|known| *known == value).map_or(-1, |place| place as i32)
}

fn choice_code(choice: Choice) -> i32 {
    match choice {
        Choice::Suit(suit) => suit as i32,
        Choice::Rank(rank) => (Suit::ALL.len() + rank.index()) as i32,
    }
}

/// Ways to lay a card: with nothing named, with a suit, with a value.
const WAYS: usize = 1 + Suit::ALL.len() + Rank::COUNT;

/// What codes mean. Actions and words get their codes in the order in which they are met.
struct Codes {
    actions: Vec<Verb>,
    words: Vec<String>,
    agents: Vec<String>,
    rules: Vec<String>,
    /// The codes of plays by card and way; -1 for those that were not met.
    plays: Vec<i32>,
    /// The codes of other actions.
    others: Vec<i32>,
}

impl Codes {
    fn new(run: &RunFile) -> Codes {
        let agents = run.plan.settings.league.agents.iter().map(|agent| agent.record_name().to_owned()).collect();
        let rules = run.plan.settings.rule_names();
        let (actions, words, others) = (Vec::new(), Vec::new(), Vec::new());
        Codes { actions, words, agents, rules, plays: vec![-1; Card::KINDS * WAYS], others }
    }

    fn action(&mut self, verb: &Verb) -> i32 {
        let next = self.actions.len() as i32;
        if let Verb::Play { card, choose } = *verb {
            let way = choose.map_or(0, |choice| 1 + choice_code(choice) as usize);
            let code = &mut self.plays[card.index() * WAYS + way];
            if *code < 0 {
                *code = next;
                self.actions.push(verb.clone());
            }
            return *code;
        }
        let known = self.others.iter().find(|code| self.actions[**code as usize] == *verb);
        known.copied().unwrap_or_else(|| {
            self.others.push(next);
            self.actions.push(verb.clone());
            next
        })
    }

    fn word(&mut self, word: &str) -> i32 {
        let known = self.words.iter().position(|known| known == word);
        known.unwrap_or_else(|| {
            self.words.push(word.to_owned());
            self.words.len() - 1
        }) as i32
    }

    /// The meanings of the codes of each kind, in order.
    fn meanings(&self, meaning: Meaning) -> Result<Vec<Value>> {
        let named = |names: &[&str]| names.iter().map(|name| json!(name)).collect();
        Ok(match meaning {
            Meaning::Number | Meaning::Flag => Vec::new(),
            Meaning::Agent => self.agents.iter().map(|name| json!(name)).collect(),
            Meaning::Rules => self.rules.iter().map(|name| json!(name)).collect(),
            Meaning::Card => {
                (0..Card::KINDS as u8).filter_map(Card::from_index).map(|card| json!(card.to_string())).collect()
            }
            Meaning::Choice => {
                let suits = Suit::ALL.iter().map(|suit| json!(suit.to_string()));
                suits.chain(Rank::all().map(|rank| json!(rank.to_string()))).collect()
            }
            Meaning::What => named(&What::ALL.map(What::name)),
            Meaning::Direction => vec![json!("cw"), json!("ccw")],
            Meaning::Action => self.actions.iter().map(serde_json::to_value).collect::<Result<_, _>>()?,
            Meaning::Word => self.words.iter().map(|word| json!(word)).collect(),
            Meaning::Refused => named(&Reason::ALL.map(Reason::name)),
        })
    }
}

/// Checks that `file` can be written, and that its name says how.
///
/// # Errors
/// It cannot, or does not, or this program does not write Parquet.
pub(crate) fn check(file: &Path) -> Result<()> {
    form_of(file)?;
    atomic_file::check(file)
}

fn form_of(file: &Path) -> Result<Form> {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if name.ends_with(".jsonl.zst") {
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
    Ok(Form::Parquet)
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    /// Rows, of all files.
    pub(crate) rows: u64,
    /// Files.
    pub(crate) files: u64,
}

/// Writes the decisions of all finished games of `run` to `file`, in the order of the plan; or, if `games_per_file` is given, to
/// files named after it, `decisions-0000.parquet` and so on, each with so many games.
///
/// # Errors
/// The name of the file says no form, a file cannot be written, or the run file cannot be read.
pub(crate) fn write(run: &RunFile, file: &Path, games_per_file: Option<usize>) -> Result<Written> {
    let form = form_of(file)?;
    let mut source = Source { run, reader: DecisionReader::default(), table: Table::new(run) };
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
    table: Table,
}

impl Source<'_> {
    /// Writes the rows of the games that `games` hands over as one file; returns their number.
    fn write(
        &mut self,
        form: Form,
        out: &mut (dyn Write + Send),
        games: impl FnOnce(&mut dyn FnMut(&StoredGame) -> Result<()>) -> Result<()>,
    ) -> Result<u64> {
        let mut sink = Sink::new(form, out)?;
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
        sink.end(self.run, &self.table.codes)?;
        Ok(rows)
    }

    fn add(&mut self, game: &StoredGame) -> Result<()> {
        let planned = self.run.plan.pairings.game(game.number());
        let number = i32::try_from(game.number()).with_context(|| format!("the game {} is past 2^31", game.id()))?;
        let log = game.game_log(&self.run.plan)?;
        let rules = self.run.plan.pairings.league().rule_set_of(planned.deal) as i32;
        let context = OfGame { number, rules, planned: &planned, stored: game };
        let (table, mut tick, mut before) = (&mut self.table, -1, None);
        let read = self.reader.read(&log, |decision, decided| {
            if before != Some(decision.as_of) {
                (before, tick) = (Some(decision.as_of), tick + 1);
            }
            table.add(&context, tick, decision, &decided);
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
    fn new(form: Form, out: &'a mut (dyn Write + Send)) -> Result<Sink<'a>> {
        match form {
            Form::JsonLines => Ok(Sink::JsonLines(Box::new(zstd::Encoder::new(out, LEVEL)?))),
            #[cfg(feature = "parquet")]
            Form::Parquet => Ok(Sink::Parquet(Box::new(parquet_file::ParquetFile::new(out)?))),
            #[cfg(not(feature = "parquet"))]
            Form::Parquet => Err(usage("this program writes no Parquet")),
        }
    }

    fn write(&mut self, table: &Table) -> Result<()> {
        match self {
            #[cfg(feature = "parquet")]
            Sink::Parquet(file) => file.write(table),
            Sink::JsonLines(out) => write_lines(table, out),
        }
    }

    #[cfg_attr(not(feature = "parquet"), allow(unused_variables))]
    fn end(self, run: &RunFile, codes: &Codes) -> Result<()> {
        match self {
            #[cfg(feature = "parquet")]
            Sink::Parquet(file) => file.end(&metadata(run, codes)?),
            Sink::JsonLines(out) => {
                out.finish()?;
                Ok(())
            }
        }
    }
}

/// What a reader of codes has to know, and what was played.
#[cfg(feature = "parquet")]
fn metadata(run: &RunFile, codes: &Codes) -> Result<String> {
    let settings = &run.plan.settings;
    let mut meanings = serde_json::Map::new();
    for column in &COLUMNS {
        let list = codes.meanings(column.meaning)?;
        if !list.is_empty() {
            meanings.insert(column.name.to_owned(), list.into());
        }
    }
    let all = json!({"format": "maumau decisions 1", "league": settings.league.name, "engine": settings.engine,
        "seed": settings.seed.to_string(), "rules": settings.rules, "meanings": meanings});
    Ok(untrusted::json(&all)?)
}

/// Writes the rows as JSON lines, with meanings for codes.
fn write_lines(table: &Table, out: &mut impl Write) -> Result<()> {
    let meanings = COLUMNS.iter().map(|column| {
        let list = table.codes.meanings(column.meaning)?;
        Ok(list.iter().map(untrusted::json).collect::<Result<Vec<String>, _>>()?)
    });
    let meanings = meanings.collect::<Result<Vec<_>>>()?;
    let mut starts = vec![0; COLUMNS.len()];
    let mut line = String::new();
    for row in 0..table.rows {
        line.clear();
        for (at, column) in COLUMNS.iter().enumerate() {
            let values = &table.columns[at];
            let end = starts[at] + usize::from(values.counts[row]);
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
    use super::*;

    const DICTIONARY: &str = include_str!("../../docs/data.md");

    #[test]
    fn the_data_dictionary_describes_every_column_in_order() {
        let section = DICTIONARY.split("\n## ").find(|part| part.starts_with("A row for each decision")).expect("it");
        let described = section.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split_once("` |")?.0));
        assert_eq!(described.collect::<Vec<_>>(), COLUMNS.map(|column| column.name));
    }

    #[test]
    fn files_of_several_are_numbered_before_their_ending() {
        let of = |name: &str| numbered(Path::new(name), 7).map(|path| path.display().to_string()).ok();
        assert_eq!(of("a/d.jsonl.zst").as_deref(), Some("a/d-0007.jsonl.zst"));
        assert_eq!(of("d.parquet").as_deref(), Some("d-0007.parquet"));
        assert!(form_of(Path::new("d.csv")).is_err());
    }
}
