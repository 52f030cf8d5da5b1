//! Output for people and for programs that compute: games as text, tables, data files, the pages of an agent's faults. It writes
//! only to the folders of what is handed out to authors. Nothing here decides what happened in a game.
//!
//! A library for `maumau-arena`; it promises nothing to other crates.

mod agent_faults;
mod bars;
mod by_author;
mod commentary;
pub mod data_tables;
pub mod decision_table;
mod estimates;
mod game_analysis;
mod games;
mod judged_words;
mod kept_report;
mod luck_and_skill;
mod model_use;
mod paint;
mod puzzles;
mod ranking;
mod run_analysis;
mod run_report;
mod schedule;
mod score_tables;
mod standings;
mod story_json;
mod story_text;
mod tables;
mod tournament_tables;

pub use agent_faults::{HandedOut, game_for_author, hand_out as hand_out_faults};
pub use commentary::kept_commentary;
pub use game_analysis::{ANALYSIS_SCHEMA, analysis_json, analysis_text};
pub use games::{GameList, outcome_of};
pub use kept_report::{keep, kept};
pub use model_use::{ModelUse, of_game as model_uses};
pub use puzzles::{PUZZLES_SCHEMA, PuzzleSet, PuzzleTask};
pub use ranking::{LadderPlace, RATED_GAMES, ladder_of, ranked_standings, remark};
pub use run_analysis::{JudgedGame, JudgedGames, MeasuredDecision, RUN_ANALYSIS_SCHEMA, RunAnalysis, kept_state};
pub use run_report::{html_report, partial_report, run_report, with_decisions};
pub use standings::{LIVE, PUBLIC_SEED, Selection, StandingsReport};
pub use story_json::{Members, REPLAY_SCHEMA, story_json};
pub use story_text::{StoryProgress, StoryText, result_lines};
pub use tables::{Sheet, TableLook, stdout_width};

#[cfg(test)]
#[path = "../../run/src/trial.rs"]
mod trial;
