//! Output for people: games as text, tables, fault reports. Writes only to the folders of
//! fault reports and of what is handed out to authors. Nothing here
//! decides what happened in a game.

mod agent_faults;
mod bars;
mod by_author;
pub(crate) mod data_tables;
pub(crate) mod decision_table;
mod estimates;
pub(crate) mod fault_report;
mod games;
mod kept_report;
mod model_use;
mod paint;
mod ranking;
mod run_report;
mod schedule;
mod score_tables;
mod standings;
mod story_json;
mod story_text;
mod tables;
#[cfg(test)]
pub(crate) mod tests;
mod tournament_tables;

pub(crate) use agent_faults::hand_out as hand_out_faults;
pub(crate) use games::{GameList, outcome_of};
pub(crate) use kept_report::{keep, kept};
pub(crate) use ranking::{RATED_GAMES, ranked_standings, remark};
pub(crate) use run_report::{html_report, partial_report, run_report};
pub(crate) use standings::{LIVE, PUBLIC_SEED, Selection, StandingsReport};
pub(crate) use story_json::{Members, REPLAY_SCHEMA, story_json};
pub(crate) use story_text::{StoryText, Telling, result_lines};
pub(crate) use tables::{Sheet, TableLook, stdout_width};

/// A number with its noun: `1 game`, `2 games`.
pub(crate) fn counted(count: impl Into<u128>, noun: &str) -> String {
    match count.into() {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}
