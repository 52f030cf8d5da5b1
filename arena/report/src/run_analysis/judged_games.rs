//! The judged games of a run, kept in a file beside the run file: JSON lines, the first of which says by which engine and how much
//! effort they were judged. A file of another engine is refused, a line that was cut off is dropped, and a game whose digest has
//! changed is judged again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use maumau_analysis::{DecisionKind, Effort, GameAnalysis, Judgement, LossMark, MeanWithError, RoundPart};
use maumau_engine::VERSION;
use maumau_protocol::{Action, Reason, Seat};
use maumau_referee::record::Digest;
use maumau_run::error::usage;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::{RunPlan, StoredGame};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::game_analysis::round;

/// What the file begins with; other contents get another number.
const SCHEMA: &str = "maumau-judged-games/1";

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
    /// What came of the round, on the scale of the worth; absent if the round was not played to its end.
    pub happened: Option<f64>,
}

impl MeasuredDecision {
    /// How bad it was.
    pub fn mark(&self) -> Option<LossMark> {
        LossMark::of(MeanWithError { mean: self.loss, error: self.error })
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

impl JudgedGame {
    /// What is kept of `analysis`, which is of all seats of `game`.
    pub fn new(plan: &RunPlan, game: &StoredGame, analysis: &GameAnalysis) -> JudgedGame {
        let header = plan.header(&game.planned);
        let agents = game.planned.agents.iter().map(|agent| plan.pairings.name(*agent).to_owned()).collect();
        let seats = header.names.len();
        let (mut forced, mut unknown, mut decisions) = (vec![0; seats], vec![0; seats], Vec::new());
        for decision in &analysis.decisions {
            let verdicts = match &decision.judgement {
                Judgement::Forced => {
                    forced[decision.seat.index()] += 1;
                    continue;
                }
                Judgement::Unknown => {
                    unknown[decision.seat.index()] += 1;
                    continue;
                }
                Judgement::Measured(verdicts) => verdicts,
            };
            decisions.push(MeasuredDecision {
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
                happened: decision.happened.map(round),
            });
        }
        JudgedGame {
            game: game.id(),
            number: game.number(),
            deal: game.planned.deal.to_string(),
            digest: game.digest,
            rules: header.rules.name.to_string(),
            agents,
            forced,
            unknown,
            decisions,
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
    /// The name of the file for the games of `run` that are judged with `effort`.
    pub fn path_of(run: &Path, effort: Effort) -> PathBuf {
        let mut name = run.as_os_str().to_owned();
        name.push(format!(".analysis-{}.jsonl", effort.name()));
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
        let mut reader = BufReader::new(&file);
        let (mut line, mut whole, mut number) = (String::new(), 0, 0);
        let mut by_number = BTreeMap::new();
        loop {
            line.clear();
            number += 1;
            let bytes = reader.read_line(&mut line).with_context(|| format!("{shown}, line {number}"))? as u64;
            // What a killed process left of a line is written over.
            if !line.ends_with('\n') {
                break;
            }
            let refuse = |why: String| {
                usage(format!("{shown}, line {number}: {why}; delete the file, and the games are judged again"))
            };
            if number == 1 {
                let head: Head =
                    serde_json::from_str(&line).map_err(|error| refuse(format!("not expected: {error}")))?;
                let wanted = Head::of(effort);
                if head != wanted {
                    let of = |head: &Head| {
                        format!("{} of engine {}, {} playouts", head.schema, head.engine, head.simulations)
                    };
                    return Err(refuse(format!("expected {}, found {}", of(&wanted), of(&head))));
                }
            } else {
                let game: JudgedGame =
                    serde_json::from_str(&line).map_err(|error| refuse(format!("not expected: {error}")))?;
                by_number.insert(game.number, game);
            }
            whole += bytes;
        }
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A game with one decision.
    pub(in crate::run_analysis) fn game(number: u64) -> JudgedGame {
        JudgedGame {
            game: format!("g000-d000{number}-r0"),
            number,
            deal: format!("g000-d000{number}"),
            digest: Digest([number as u8; 32]),
            rules: "skat".to_owned(),
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
            (head.replace(&engine, "\"engine\":\"0.0.1\""), "found maumau-judged-games/1 of engine 0.0.1, 40000"),
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
}
