//! Puzzles from the judged games of a run: positions in which one action is worth clearly more than every other one, as the seat saw
//! them. It finds and writes them; what an action was worth was measured elsewhere, and how the page looks is not known here.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use maumau_analysis::{DecisionKind, Effort, LossMark};
use maumau_engine::VERSION;
use maumau_protocol::{Action, Faces, Seat, Verb, View};
use maumau_referee::record::{MoveCount, MoveNumber};
use maumau_referee::story::{About, Level, Line, Piece, Scene, StoryPosition};
use maumau_referee::{DecisionReader, GameLog};
use maumau_run::error::usage;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::RunFile;
use maumau_web::puzzles::{ShownPuzzle, puzzle_page};
use serde_json::{Value, json};

use crate::commentary::best_words;
use crate::judged_words::{action_words, rounded};
use crate::run_analysis::{JudgedGame, MeasuredDecision, kept_games};

/// The schema of the object.
pub const PUZZLES_SCHEMA: &str = include_str!("../../docs/puzzles.schema.json");

/// Puzzles of a run.
pub struct PuzzleSet {
    run: String,
    effort: Effort,
    puzzles: Vec<Puzzle>,
}

/// A puzzle as a test of an agent: the game up to a decision of a seat, and what should be done there.
pub struct PuzzleTask {
    /// The name of the game in the run.
    pub game: String,
    /// The whole game.
    pub log: GameLog,
    /// Who decides.
    pub seat: Seat,
    /// The number of the move, as in replays.
    pub number: MoveNumber,
    /// The best action, with its words.
    pub best: Action,
    /// What it is worth more than the next best: a share of the other seats.
    pub lead: f64,
    /// Whether the seat found it.
    pub was_solved: bool,
}

/// A position and its solution.
struct Puzzle {
    number: u64,
    game: String,
    rules: String,
    faces: Faces,
    names: Vec<String>,
    view: View,
    legal: Vec<Verb>,
    decision: MeasuredDecision,
}

impl PuzzleSet {
    /// At most `most` puzzles of `run`, one of a game: first those that the seat did not solve, of these first the clearest.
    ///
    /// # Errors
    /// No game of the run was judged, what is kept of them was judged by another engine, or the run file cannot be read.
    pub fn of(run: &RunFile, most: usize) -> Result<PuzzleSet> {
        let mut judged = BTreeMap::new();
        let Some(effort) = kept_games(run.path(), |game| _ = judged.insert(game.number, game))? else {
            return Err(usage("no game of this run was judged yet; `maumau analyse RUN` does that"));
        };
        let clearest = |game: JudgedGame| {
            let clear = game.decisions.iter().filter(|decision| is_puzzle(decision));
            let one = clear.max_by(|one, other| rank(one).total_cmp(&rank(other)))?.clone();
            Some((game, one))
        };
        let mut chosen: Vec<(JudgedGame, MeasuredDecision)> = judged.into_values().filter_map(clearest).collect();
        chosen.sort_by(|one, other| rank(&other.1).total_cmp(&rank(&one.1)));
        let mut puzzles = Vec::new();
        for (game, decision) in chosen {
            if puzzles.len() == most {
                break;
            }
            puzzles.extend(puzzle(run, game, decision)?);
        }
        Ok(PuzzleSet { run: Untrusted::path(run.path()).terminal(), effort, puzzles })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.puzzles.len()
    }

    /// Each as a test of an agent. `run` is the run that they are of.
    ///
    /// # Errors
    /// A game cannot be read again.
    pub fn tasks(&self, run: &RunFile) -> impl Iterator<Item = Result<PuzzleTask>> {
        self.puzzles.iter().filter_map(|puzzle| {
            let Puzzle { number, game, decision, .. } = puzzle;
            let best = decision.best.clone()?;
            let read = || {
                let kept = run.game(*number)?.with_context(|| format!("the game {game} is no longer in the run"))?;
                Ok(PuzzleTask {
                    game: game.clone(),
                    log: kept.game_log(&run.plan)?,
                    seat: decision.seat,
                    number: MoveNumber(decision.r#move),
                    best,
                    lead: decision.lead,
                    was_solved: decision.was_solved(),
                })
            };
            Some(read())
        })
    }

    /// A page that loads nothing and needs no script.
    pub fn page(&self) -> String {
        let lead = format!(
            "Positions of {} in which one action is worth clearly more than every other one: each of the others would be a blunder, by {} \
             playouts a decision with all playing on as the bot greedy does. You see what the seat saw.",
            self.run, self.effort.simulations
        );
        let shown: Vec<ShownPuzzle> = self.puzzles.iter().map(|puzzle| puzzle.shown(&self.run)).collect();
        puzzle_page(&lead, &shown)
    }

    /// Everything as one object; text of others is as they wrote it.
    pub fn json(&self) -> Value {
        let puzzle = |puzzle: &Puzzle| {
            let Puzzle { game, rules, names, view, legal, decision, .. } = puzzle;
            json!({
                "game": game,
                "move": decision.r#move,
                "seat": decision.seat,
                "rules": rules,
                "names": names,
                "view": view,
                "legal": legal,
                "best": decision.best,
                "next_best": decision.next,
                "lead": rounded(decision.lead),
                "lead_error": rounded(decision.lead_error),
                "taken": decision.taken,
                "was_solved": decision.was_solved(),
            })
        };
        json!({
            "schema": "maumau-puzzles/1",
            "engine": VERSION,
            "run": self.run,
            "settings": {
                "effort": self.effort.name(),
                "simulations": self.effort.simulations,
                "in_races": self.effort.in_races,
            },
            "puzzles": self.puzzles.iter().map(puzzle).collect::<Vec<_>>(),
        })
    }
}

/// Whether every action but the best one would have been a blunder, and to find it is more than to play the last card.
fn is_puzzle(decision: &MeasuredDecision) -> bool {
    let is_asked = !matches!(decision.kind, DecisionKind::InTime | DecisionKind::CallOrSilence | DecisionKind::Words);
    is_asked && decision.held > 1 && decision.best.is_some() && decision.mark_of_others() == Some(LossMark::Blunder)
}

/// The larger, the better a puzzle: a position that the seat did not solve comes before all that it did.
fn rank(decision: &MeasuredDecision) -> f64 {
    decision.lead + if decision.was_solved() { 0.0 } else { 2.0 }
}

/// The position of `decision`; nothing if the game was played again since.
fn puzzle(run: &RunFile, judged: JudgedGame, decision: MeasuredDecision) -> Result<Option<Puzzle>> {
    let game = run.game(judged.number)?.filter(|game| game.digest == judged.digest);
    let Some(game) = game else { return Ok(None) };
    let log = game.game_log(&run.plan)?;
    let mut moves = MoveCount::default();
    let numbers: Vec<u32> = log.inputs.iter().map(|logged| moves.of(&logged.entry).0).collect();
    let mut position = None;
    let read = DecisionReader::default().read(&log, |read, _| {
        if position.is_none() && read.seat == decision.seat && numbers[read.input] == decision.r#move {
            position = Some((read.view.clone(), read.legal.clone()));
        }
    });
    read.with_context(|| format!("the game {}", judged.game))?;
    let puzzle = |(view, legal)| Puzzle {
        number: judged.number,
        game: judged.game,
        rules: log.header.rules.title.to_string(),
        faces: log.header.rules.deck.faces,
        names: judged.agents,
        view,
        legal,
        decision,
    };
    Ok(position.map(puzzle))
}

impl Puzzle {
    fn shown(&self, run: &str) -> ShownPuzzle {
        let Puzzle { game, rules, faces, names, view, legal, decision, .. } = self;
        let words = |action: &Action| self.text(action_words(action));
        let scene = Scene::new(StoryPosition::Seen(Box::new(view.clone())), Some(decision.seat), names, *faces);
        ShownPuzzle {
            rules: Untrusted::new(rules).terminal(),
            names: names.clone(),
            seat: decision.seat,
            scene,
            hand: view.hand.iter().map(|card| faces.short(*card)).collect(),
            actions: legal.iter().map(|verb| words(&Action::from(verb.clone()))).collect(),
            answer: self.text(best_words(decision, names.len())),
            then: match decision.was_solved() {
                true => "That is what was done.".to_owned(),
                false => {
                    format!("What was done: {}.", decision.taken.as_ref().map_or("nothing in time".to_owned(), words))
                }
            },
            source: format!("{run}, {game}, move {}", decision.r#move),
        }
    }

    fn text(&self, pieces: Vec<Piece>) -> String {
        let line = Line { faces: self.faces, ..Line::new(Level::Main, About::Game, None, pieces) };
        Untrusted::new(&line.text(&self.names)).terminal()
    }
}
