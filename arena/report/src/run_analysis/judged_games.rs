//! Judged games, kept in a file beside a run file or a record: JSON lines, the first of which says by which engine and how much
//! effort they were judged. A file of another engine is refused, a line that was cut off is dropped, and a game whose digest has
//! changed is judged again.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, bail, ensure};
use maumau_analysis::{
    DecisionKind, Effort, GameAnalysis, JudgedDecision, Judgement, LossMark, MeanWithError, RoundPart,
};
use maumau_engine::VERSION;
use maumau_protocol::{Action, Faces, Reason, Seat};
use maumau_referee::record::{Digest, Header};
use maumau_run::error::usage;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::{RunPlan, StoredGame};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::judged_words::round;

/// What the file begins with; other contents get another number.
const SCHEMA: &str = "maumau-judged-games/2";

/// The first line.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    schema: String,
    /// The version of the engine that judged.
    engine: String,
    /// The name of the effort.
    effort: String,
    /// Playouts for a decision.
    simulations: u32,
    /// The same where seats act between turns.
    in_races: u32,
}

impl Head {
    fn of(effort: Effort) -> Head {
        Head {
            schema: SCHEMA.to_owned(),
            engine: VERSION.to_owned(),
            effort: effort.name().to_owned(),
            simulations: effort.simulations,
            in_races: effort.in_races,
        }
    }
}

/// A line: the decisions of a game, judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedGame {
    /// Its name in the plan.
    pub game: String,
    /// Its number in the plan.
    pub number: u64,
    /// The deal, which other games may share.
    pub deal: String,
    /// The digest of its record.
    pub digest: Digest,
    /// The name of its rule set.
    pub rules: String,
    /// What its cards look like and are called.
    #[serde(default, skip_serializing_if = "are_french")]
    pub faces: Faces,
    /// The agents by seat.
    pub agents: Vec<String>,
    /// By seat, the decisions without a choice.
    pub forced: Vec<u32>,
    /// By seat, the decisions that could not be judged.
    pub unknown: Vec<u32>,
    /// The others.
    pub decisions: Vec<MeasuredDecision>,
}

/// A decision with a choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredDecision {
    /// The number of its move.
    pub r#move: u32,
    /// Whose.
    pub seat: Seat,
    /// What it was about.
    #[serde(serialize_with = "kind_name", deserialize_with = "kind_named")]
    pub kind: DecisionKind,
    /// When in its round.
    #[serde(serialize_with = "part_name", deserialize_with = "part_named")]
    pub part: RoundPart,
    /// The cards that the seat held.
    pub held: u16,
    /// What the seat did; absent if it let its deadline pass.
    pub taken: Option<Action>,
    /// Why that was refused, if it was.
    pub refused: Option<Reason>,
    /// The best action.
    pub best: Option<Action>,
    /// What the action taken was worth.
    pub worth: f64,
    /// What it lost.
    pub loss: f64,
    /// The standard error of the loss.
    pub error: f64,
    /// The action that was worth most after the best one.
    pub next: Option<Action>,
    /// What the best action was worth more than that one.
    pub lead: f64,
    /// The standard error of the lead.
    pub lead_error: f64,
    /// What came of the round, on the scale of the worth; absent if the round was not played to its end.
    pub happened: Option<f64>,
}

impl MeasuredDecision {
    /// The decisions of `analysis` with a choice.
    pub(crate) fn all_of(analysis: &GameAnalysis) -> Vec<MeasuredDecision> {
        let measured = |decision: &JudgedDecision| {
            let verdicts = decision.verdicts()?;
            let lead = verdicts.lead().unwrap_or_default();
            Some(MeasuredDecision {
                r#move: decision.number.0,
                seat: decision.seat,
                kind: verdicts.kind,
                part: decision.part,
                held: decision.held,
                taken: decision.taken.clone(),
                refused: decision.refused,
                best: verdicts.actions[verdicts.best].action.clone(),
                worth: round(verdicts.actions[verdicts.taken].worth.mean),
                loss: round(verdicts.loss.mean),
                error: round(verdicts.loss.error),
                next: verdicts.next_best().and_then(|next| verdicts.actions[next].action.clone()),
                lead: round(lead.mean),
                lead_error: round(lead.error),
                happened: decision.happened.map(round),
            })
        };
        analysis.decisions.iter().filter_map(measured).collect()
    }

    /// Whether the seat took the best action.
    pub(crate) fn was_solved(&self) -> bool {
        self.taken == self.best
    }

    /// How bad it was.
    pub fn mark(&self) -> Option<LossMark> {
        LossMark::of(MeanWithError { mean: self.loss, error: self.error })
    }

    /// The mark that every action but the best one would have earned at least, if that is sure.
    pub fn mark_of_others(&self) -> Option<LossMark> {
        LossMark::of(MeanWithError { mean: self.lead, error: self.lead_error })
    }

    /// True if it was the best action, and every other one would have earned a mark.
    pub fn is_good(&self) -> bool {
        self.was_solved() && self.mark_of_others().is_some()
    }
}

fn kind_name<S: Serializer>(kind: &DecisionKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

fn kind_named<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DecisionKind, D::Error> {
    let name = String::deserialize(deserializer)?;
    let kind = DecisionKind::ALL.into_iter().find(|kind| kind.name() == name);
    kind.ok_or_else(|| de::Error::custom(format!("expected a kind of decision, found {name:?}")))
}

fn part_name<S: Serializer>(part: &RoundPart, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(part.name())
}

fn part_named<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RoundPart, D::Error> {
    let name = String::deserialize(deserializer)?;
    let part = RoundPart::ALL.into_iter().find(|part| part.name() == name);
    part.ok_or_else(|| de::Error::custom(format!("expected a part of a round, found {name:?}")))
}

fn are_french(faces: &Faces) -> bool {
    *faces == Faces::French
}

impl JudgedGame {
    /// What is kept of `analysis`, which is of all seats of a game of a run.
    pub fn of_run(plan: &RunPlan, game: &StoredGame, analysis: &GameAnalysis) -> JudgedGame {
        JudgedGame {
            game: game.id(),
            number: game.number(),
            deal: game.planned.deal.to_string(),
            agents: game.planned.agents.iter().map(|agent| plan.pairings.name(*agent).to_owned()).collect(),
            ..JudgedGame::of_record(&plan.header(&game.planned), game.digest, analysis)
        }
    }

    /// What is kept of `analysis`, which is of all seats of the game in a record.
    pub fn of_record(header: &Header, digest: Digest, analysis: &GameAnalysis) -> JudgedGame {
        let seats = header.names.len();
        let (mut forced, mut unknown) = (vec![0; seats], vec![0; seats]);
        for decision in &analysis.decisions {
            match decision.judgement {
                Judgement::Forced => forced[decision.seat.index()] += 1,
                Judgement::Unknown => unknown[decision.seat.index()] += 1,
                Judgement::Measured(_) => {}
            }
        }
        JudgedGame {
            game: header.game.0.to_string(),
            number: 0,
            deal: header.game.0.to_string(),
            digest,
            rules: header.rules.name.to_string(),
            faces: header.rules.deck.faces,
            agents: header.names.clone(),
            forced,
            unknown,
            decisions: MeasuredDecision::all_of(analysis),
        }
    }
}

/// The file, open for reading and adding.
#[derive(Debug)]
pub struct JudgedGames {
    file: File,
    path: PathBuf,
    by_number: BTreeMap<u64, JudgedGame>,
}

impl JudgedGames {
    /// The name of the file for what of `judged`, a run file or a record, is judged with `effort`. It ends in `.jsonl` beside a run, and
    /// beside a record does not, so that nobody takes it for another record.
    pub fn path_of(judged: &Path, effort: Effort) -> PathBuf {
        let is_record = judged.extension().is_some_and(|extension| extension == "jsonl");
        let mut name = judged.as_os_str().to_owned();
        name.push(format!(".analysis-{}{}", effort.name(), if is_record { "" } else { ".jsonl" }));
        PathBuf::from(name)
    }

    /// Opens the file, or begins it. No other process may add to it meanwhile.
    ///
    /// # Errors
    /// Another process has it open, it cannot be read or written, or it is of another engine or no such file: what to do about it.
    pub fn open(run: &Path, effort: Effort) -> Result<JudgedGames> {
        let path = JudgedGames::path_of(run, effort);
        let shown = Untrusted::path(&path).terminal();
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).with_context(|| format!("{shown} cannot be opened"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(usage(format!("{shown}: another `analyse` is writing it"))),
            Err(TryLockError::Error(error)) => bail!("{shown} cannot be locked: {error}"),
        }
        let mut by_number = BTreeMap::new();
        let whole = read_lines(
            BufReader::new(&file),
            &shown,
            effort,
            |_| true,
            |game| {
                by_number.insert(game.number, game);
            },
        )?;
        file.set_len(whole).with_context(|| format!("{shown} cannot be written"))?;
        file.seek(SeekFrom::End(0))?;
        let mut judged = JudgedGames { file, path, by_number };
        if whole == 0 {
            judged.write(&Head::of(effort))?;
        }
        Ok(judged)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The game with this number, if it was judged as it was played last.
    pub fn game(&self, number: u64, digest: Digest) -> Option<&JudgedGame> {
        self.by_number.get(&number).filter(|game| game.digest == digest)
    }

    /// Those of `games` that were judged as they were played last.
    pub fn games(&self, games: &[(u64, Digest)]) -> Vec<&JudgedGame> {
        games.iter().filter_map(|(number, digest)| self.game(*number, *digest)).collect()
    }

    /// Adds a game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, game: JudgedGame) -> Result<()> {
        ensure!(game.agents.len() == game.forced.len(), "a game has as many agents as seats");
        self.write(&game)?;
        self.by_number.insert(game.number, game);
        Ok(())
    }

    fn write(&mut self, line: &impl Serialize) -> Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        self.file.write_all(&bytes).with_context(|| format!("{} cannot be written", self.path.display()))
    }
}

/// Reads the lines of a file of games that were judged with `effort`, as far as they are whole; only those that `is_wanted` are
/// looked into. Returns the bytes of the whole lines.
///
/// # Errors
/// The file cannot be read, is no such file, or was judged by another engine or effort.
fn read_lines(
    mut reader: impl BufRead,
    shown: &str,
    effort: Effort,
    is_wanted: impl Fn(&str) -> bool,
    mut found: impl FnMut(JudgedGame),
) -> Result<u64> {
    let (mut line, mut whole, mut number) = (String::new(), 0, 0);
    loop {
        line.clear();
        number += 1;
        let bytes = reader.read_line(&mut line).with_context(|| format!("{shown}, line {number}"))? as u64;
        // What a killed process left of a line is written over.
        if !line.ends_with('\n') {
            return Ok(whole);
        }
        let refuse = |why: String| {
            usage(format!("{shown}, line {number}: {why}; delete the file, and the games are judged again"))
        };
        if number == 1 {
            let head: Head = serde_json::from_str(&line).map_err(|error| refuse(format!("not expected: {error}")))?;
            let wanted = Head::of(effort);
            if head != wanted {
                let of =
                    |head: &Head| format!("{} of engine {}, {} playouts", head.schema, head.engine, head.simulations);
                return Err(refuse(format!("expected {}, found {}", of(&wanted), of(&head))));
            }
        } else if is_wanted(&line) {
            found(serde_json::from_str(&line).map_err(|error| refuse(format!("not expected: {error}")))?);
        }
        whole += bytes;
    }
}

/// The efforts of kept files, those of the smallest errors first.
const EFFORTS: [Effort; 3] = [Effort::DEEP, Effort::USUAL, Effort::QUICK];

/// The file of `judged`, a run file or a record, and its reader, if there is one.
fn kept_file(judged: &Path, effort: Effort) -> Result<Option<(String, BufReader<File>)>> {
    let path = JudgedGames::path_of(judged, effort);
    let shown = Untrusted::path(&path).terminal();
    match File::open(&path) {
        Ok(file) => Ok(Some((shown, BufReader::new(file)))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("{shown} cannot be opened")),
    }
}

/// The game with `digest` as it was judged with the most effort, if that is kept beside `judged`, a run file or a record.
///
/// # Errors
/// A file beside it cannot be read, or was judged by another engine.
pub(crate) fn kept_game(judged: &Path, digest: Digest) -> Result<Option<(Effort, JudgedGame)>> {
    let wanted = format!("\"digest\":\"{digest}\"");
    for effort in EFFORTS {
        let Some((shown, reader)) = kept_file(judged, effort)? else { continue };
        let mut game = None;
        read_lines(reader, &shown, effort, |line| line.contains(&wanted), |found| game = Some(found))?;
        if let Some(game) = game.filter(|game| game.digest == digest) {
            return Ok(Some((effort, game)));
        }
    }
    Ok(None)
}

/// Hands the games of `judged`, a run file, to `found`, as they were judged with one effort: the one of most games, or of equal numbers
/// the greatest. Returns it; `None` if nothing is kept. Games that were played again since are among them.
///
/// # Errors
/// As [`kept_game`].
pub(crate) fn kept_games(judged: &Path, found: impl FnMut(JudgedGame)) -> Result<Option<Effort>> {
    let mut most: Option<(u64, Effort)> = None;
    for effort in EFFORTS {
        let Some((shown, reader)) = kept_file(judged, effort)? else { continue };
        let games = Cell::new(0);
        let counts = |_: &str| {
            games.set(games.get() + 1);
            false
        };
        read_lines(reader, &shown, effort, counts, |_| {})?;
        if most.is_none_or(|(count, _)| games.get() > count) {
            most = Some((games.get(), effort));
        }
    }
    let Some((_, effort)) = most else { return Ok(None) };
    let Some((shown, reader)) = kept_file(judged, effort)? else { return Ok(None) };
    read_lines(reader, &shown, effort, |_| true, found)?;
    Ok(Some(effort))
}

/// What the files beside `judged` are like now: another text as soon as one of them has changed.
pub fn kept_state(judged: &Path) -> String {
    let of_file = |effort: Effort| {
        let file = std::fs::metadata(JudgedGames::path_of(judged, effort)).ok()?;
        let changed = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(format!(" {} {} {}", effort.name(), file.len(), changed.as_nanos()))
    };
    EFFORTS.into_iter().filter_map(of_file).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A game with one decision.
    pub(crate) fn game(number: u64) -> JudgedGame {
        JudgedGame {
            game: format!("g000-d000{number}-r0"),
            number,
            deal: format!("g000-d000{number}"),
            digest: Digest([number as u8; 32]),
            rules: "skat".to_owned(),
            faces: Faces::French,
            agents: vec!["a".to_owned(), "b".to_owned()],
            forced: vec![1, 2],
            unknown: vec![0, 0],
            decisions: vec![MeasuredDecision {
                r#move: 3,
                seat: Seat::FIRST,
                kind: DecisionKind::AnswerOrTake,
                part: RoundPart::End,
                held: 2,
                taken: None,
                refused: None,
                best: Some(maumau_protocol::Verb::Draw.into()),
                worth: 0.5,
                loss: 0.25,
                error: 0.01,
                next: None,
                lead: 0.25,
                lead_error: 0.01,
                happened: Some(1.0),
            }],
        }
    }

    #[test]
    fn judged_games_are_there_again_and_a_line_that_was_cut_off_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = folder.path().join("x.maumau");
        let open = || JudgedGames::open(&run, Effort::QUICK);
        let mut judged = open().expect("a new file");
        (0..3).for_each(|number| judged.add(game(number)).expect("a line"));
        let said = format!("{:#}", open().expect_err("it is open"));
        assert!(said.contains("another `analyse` is writing it"), "{said}");
        drop(judged);
        let path = JudgedGames::path_of(&run, Effort::QUICK);
        let bytes = std::fs::read(&path).expect("a file");
        std::fs::write(&path, &bytes[..bytes.len() - 5]).expect("a file");
        let mut judged = open().expect("a file");
        assert_eq!(judged.game(1, game(1).digest), Some(&game(1)));
        assert_eq!(judged.game(1, game(2).digest), None, "it was played again");
        assert_eq!(judged.game(2, game(2).digest), None, "it was cut off");
        judged.add(game(2)).expect("a line");
        drop(judged);
        assert_eq!(std::fs::read(&path).expect("a file"), bytes);
    }

    #[test]
    fn a_file_of_another_engine_or_of_something_else_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = folder.path().join("x.maumau");
        drop(JudgedGames::open(&run, Effort::DEEP).expect("a new file"));
        let path = JudgedGames::path_of(&run, Effort::DEEP);
        let head = std::fs::read_to_string(&path).expect("a file");
        let engine = format!("\"engine\":\"{VERSION}\"");
        for (text, expected) in [
            (head.replace(&engine, "\"engine\":\"0.0.1\""), "found maumau-judged-games/2 of engine 0.0.1, 40000"),
            (head.replace("40000", "39999"), "39999 playouts; delete the file, and the games are judged again"),
            ("league = 1\n".to_owned(), "line 1: not expected: "),
            (format!("{head}{{}}\n"), "line 2: not expected: missing field"),
        ] {
            std::fs::write(&path, &text).expect("a file");
            let said = format!("{:#}", JudgedGames::open(&run, Effort::DEEP).expect_err("refused"));
            assert!(said.contains(expected), "{said}");
            assert_eq!(std::fs::read_to_string(&path).expect("a file"), text, "it is left as it was");
        }
    }

    #[test]
    fn a_kept_game_is_the_one_that_was_judged_with_the_most_effort_and_as_it_was_played() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = folder.path().join("x.maumau");
        let state = kept_state(&run);
        assert!(kept_game(&run, game(1).digest).expect("no file").is_none() && state.is_empty());
        for (effort, numbers) in [(Effort::QUICK, 0..3), (Effort::DEEP, 1..2)] {
            let mut judged = JudgedGames::open(&run, effort).expect("a new file");
            numbers.for_each(|number| judged.add(game(number)).expect("a line"));
        }
        let kept = |number: u64| kept_game(&run, game(number).digest).expect("sound files").map(|(effort, _)| effort);
        assert_eq!([0, 1, 2, 3].map(kept), [Some(Effort::QUICK), Some(Effort::DEEP), Some(Effort::QUICK), None]);
        let mut all = Vec::new();
        let effort = kept_games(&run, |game| all.push(game.number)).expect("sound files");
        assert_eq!((effort, all), (Some(Effort::QUICK), vec![0, 1, 2]), "the file of most games");
        assert_ne!(kept_state(&run), state);
        std::fs::write(JudgedGames::path_of(&run, Effort::DEEP), "{}\n").expect("a file");
        assert!(kept_game(&run, game(0).digest).is_err(), "a file of something else is not passed over in silence");
        let record = JudgedGames::path_of(Path::new("game.jsonl"), Effort::USUAL);
        assert_eq!(record, Path::new("game.jsonl.analysis-usual"));
    }

    #[test]
    fn a_decision_is_good_if_all_other_actions_would_surely_have_lost() {
        let mut decision = game(1).decisions.remove(0);
        assert!(!decision.is_good(), "it was not the best action");
        decision.taken = decision.best.clone();
        assert_eq!((decision.is_good(), decision.mark_of_others()), (true, Some(LossMark::Blunder)));
        decision.lead_error = 0.11;
        assert!(!decision.is_good(), "the error leaves it in doubt");
    }
}
