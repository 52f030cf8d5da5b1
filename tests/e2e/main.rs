//! The program as people use it: commands, files and screens, through the real program and real processes. One target, so that
//! it is linked once; `cargo test -p maumau-arena --test e2e play::` runs one file.

mod again;
mod agent_faults;
mod analyse;
mod arena;
mod check;
mod club;
mod dealing;
mod documents;
mod dry_run;
mod duel;
mod example_pages;
mod examples;
mod exports;
mod formats;
mod league_place;
mod learn;
mod live_pages;
mod lobby;
mod open_pools;
mod output;
mod play;
#[cfg(target_os = "linux")]
mod pseudo_terminal;
mod readme;
mod rule_sets;
mod run_life;
mod sandbox;
mod seeds;
mod special_files;
#[cfg(target_os = "linux")]
mod terminal;
mod tournament;
mod transcript;
