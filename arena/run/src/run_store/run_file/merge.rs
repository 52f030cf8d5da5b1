//! Puts the parts of a run together: their games, each once, in one transaction. How the games were played is not known here.

use std::path::Path;

use anyhow::{Result, ensure};
use rusqlite::{OptionalExtension, TransactionBehavior, params};

use super::form::{damaged, explain};
use super::games::{self, read_game};
use super::outcome::GAME_COLUMNS;
use super::subtotal::Subtotal;
use super::{RunFile, RunWriter};
use crate::error::usage;
use crate::run_store::settings::RunSettings;
use crate::run_store::store::StoredGame;

/// Games that are written at once.
const BATCH: usize = 1_024;

/// What came of a merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Games that were not there before.
    pub new: u64,
    /// Games of the parts that were there already, and are the same.
    pub equal: u64,
}

impl RunFile {
    /// What keeps its games from being games of the run `whole`, a sentence each.
    pub fn other_than(&self, whole: &RunSettings) -> Vec<String> {
        let part = &self.plan.settings;
        let mut this = part.clone();
        this.league.shard = whole.league.shard;
        let mut list = whole.differences(&this);
        let (before, now) = (whole.league.games_per_pairing, part.league.games_per_pairing);
        if now > before {
            list.push(format!("games_per_pairing was {before} and is now {now}"));
        }
        let names = |settings: &RunSettings| {
            let names = settings.league.agents.iter().map(|agent| agent.name.clone());
            names.collect::<Vec<_>>().join(", ")
        };
        if names(whole) == names(part) {
            for (one, other) in whole.league.agents.iter().zip(&part.league.agents) {
                list.extend(one.changes(other).iter().map(|change| format!("agent {:?}: {change}", one.name)));
            }
        } else {
            list.push(format!("the agents were {} and are now {}", names(whole), names(part)));
        }
        if list.is_empty() && this != *whole {
            list.push("the name of the league, or what happened to an agent, is not the same".to_owned());
        }
        list
    }
}

impl RunWriter {
    /// Adds the games of `parts`, all or none. Games that are in several parts must be the same; their times are those of the
    /// part that comes first.
    ///
    /// # Errors
    /// A part is damaged, or has another game under the name of one that is there; or the file cannot be written.
    pub fn merge(&mut self, parts: &[(&Path, RunFile)]) -> Result<Merged> {
        let failed = |error| explain(&self.path, error);
        let (mut merged, mut total) = (Merged::default(), self.total);
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        let mut batch = Vec::new();
        for (part, run) in parts {
            run.for_each_game(|game| {
                let there = transaction
                    .prepare_cached(&format!("SELECT {GAME_COLUMNS} FROM games WHERE number = ?1"))
                    .and_then(|mut query| {
                        let read = |row: &rusqlite::Row<'_>| Ok(read_game(row, &self.pairings));
                        query.query_row(params![game.number() as i64], read).optional()
                    })
                    .map_err(failed)?;
                match there.transpose().map_err(|error| damaged(&self.path, &error))? {
                    Some((there, _)) => {
                        ensure!(
                            is_same(&there, &game),
                            usage(format!(
                                "{}: the game {} is another one than in a part before it: its digest is {}, and that of the \
                                 other {}. Were the agents the same?",
                                part.display(),
                                game.id(),
                                game.digest,
                                there.digest
                            ))
                        );
                        merged.equal += 1;
                    }
                    None => {
                        merged.new += 1;
                        batch.push(game);
                    }
                }
                if batch.len() == BATCH {
                    games::insert(&transaction, &std::mem::take(&mut batch), &mut total).map_err(failed)?;
                }
                Ok(())
            })?;
            games::insert(&transaction, &std::mem::take(&mut batch), &mut total).map_err(failed)?;
        }
        let mut counted = 0;
        loop {
            let now = Subtotal::advance(&transaction, &self.pairings).map_err(|error| damaged(&self.path, &error))?;
            if std::mem::replace(&mut counted, now) == now {
                break;
            }
        }
        transaction.commit().map_err(failed)?;
        (self.total, self.counted) = (total, counted);
        Ok(merged)
    }
}

/// True if both are the same game; the times that the agents took may differ.
fn is_same(one: &StoredGame, other: &StoredGame) -> bool {
    (&one.digest, &one.result, &one.faults) == (&other.digest, &other.result, &other.faults)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use maumau_engine::ChoiceStream;
    use maumau_protocol::fault::FaultCounts;
    use maumau_protocol::message::GameResult;
    use maumau_referee::record::Digest;
    use tempfile::TempDir;

    use super::*;
    use crate::run_store::agent_settings::AgentSettings;
    use crate::run_store::settings::RunPlan;
    use crate::run_store::shard::Shard;
    use crate::run_store::store::{RunStore, SeatTimes};
    use crate::trial::{games, settings};

    fn write(folder: &TempDir, name: &str, settings: &RunSettings, games: &[StoredGame]) -> PathBuf {
        let path = folder.path().join(name);
        let (mut writer, _) = RunWriter::open(&path, |_| Ok(settings.clone())).expect("a run file");
        writer.add(games).expect("games");
        path
    }

    fn merge(folder: &TempDir, name: &str, parts: &[&PathBuf]) -> Result<Merged> {
        merge_of(folder, name, &settings(), parts)
    }

    fn merge_of(folder: &TempDir, name: &str, settings: &RunSettings, parts: &[&PathBuf]) -> Result<Merged> {
        let path = folder.path().join(name);
        let (mut writer, _) = RunWriter::open(&path, |_| Ok(settings.clone())).expect("a run file");
        let open = |part: &&PathBuf| RunFile::open(part).expect("a run file");
        let parts: Vec<(&Path, RunFile)> = parts.iter().map(|part| (part.as_path(), open(part))).collect();
        writer.merge(&parts)
    }

    fn contents(path: &Path) -> (Vec<StoredGame>, String) {
        let run = RunFile::open(path).expect("a run file");
        let mut games = Vec::new();
        run.for_each_game(|game| {
            games.push(game);
            Ok(())
        })
        .expect("games");
        run.check_tally().expect("a subtotal of these games");
        let standings = run.plan.standings(&run.tally().expect("a tally").0);
        (games, format!("{standings:?}"))
    }

    #[test]
    fn any_parts_in_any_order_make_the_whole() {
        let folder = TempDir::new().expect("a folder");
        let all = games(60);
        let whole = contents(&write(&folder, "whole", &settings(), &all));
        let mut dice = ChoiceStream::new(&[1]);
        for round in 0..12 {
            let count = 1 + dice.number_below(5) as usize;
            let mut parts = vec![Vec::new(); count];
            for game in &all {
                parts[dice.number_below(count as u64) as usize].push(game.clone());
                // Some games are in several parts.
                if dice.number_below(8) == 0 {
                    let other = &mut parts[dice.number_below(count as u64) as usize];
                    if other.last() != Some(game) {
                        other.push(game.clone());
                    }
                }
            }
            let paths: Vec<PathBuf> =
                (0..count).map(|part| write(&folder, &format!("{round}-{part}"), &settings(), &parts[part])).collect();
            let mut order: Vec<&PathBuf> = paths.iter().collect();
            shuffle(&mut order, &mut dice);
            let merged = merge(&folder, &format!("{round}"), &order).expect("parts of one run");
            let doubled = parts.iter().map(Vec::len).sum::<usize>() as u64 - 60;
            assert_eq!(merged, Merged { new: 60, equal: doubled });
            assert_eq!(contents(&folder.path().join(format!("{round}"))), whole, "{order:?}");
            let again = merge(&folder, &format!("{round}"), &order).expect("the same parts");
            assert_eq!(again.new, 0);
            assert_eq!(contents(&folder.path().join(format!("{round}"))), whole, "a second time");
        }
    }

    fn shuffle<T>(list: &mut [T], dice: &mut ChoiceStream<'_>) {
        for place in (1..list.len()).rev() {
            list.swap(place, dice.number_below(place as u64 + 1) as usize);
        }
    }

    /// A league of any size, and a game for each place in its plan.
    fn any_league(dice: &mut ChoiceStream<'_>) -> (RunSettings, Vec<StoredGame>) {
        let mut settings = settings();
        let seats = 2 + dice.number_below(3) as usize;
        let count = seats as u64 + dice.number_below(3);
        let agent = settings.league.agents[0].clone();
        let named = |number: u64| AgentSettings { name: format!("agent {number}"), ..agent.clone() };
        settings.league.agents = (0..count).map(named).collect();
        settings.league.seats = seats;
        settings.league.games_per_pairing = seats as u64 * (1 + dice.number_below(4));
        let plan = RunPlan::new(settings.clone()).expect("a league");
        let mut game = |number: u64| {
            let mut places: Vec<u8> = (1..=seats as u8).collect();
            shuffle(&mut places, dice);
            let wins = places.iter().map(|place| u32::from(*place == 1)).collect();
            StoredGame {
                planned: plan.pairings.game(number),
                result: GameResult { places, points: vec![0; seats], wins, rounds: 1, unwon: 0, dismissed: vec![] },
                faults: vec![FaultCounts::default(); seats],
                times: vec![SeatTimes::default(); seats],
                digest: Digest([number as u8; 32]),
                log: vec![number as u8; 50],
            }
        };
        let games = (0..plan.pairings.len()).map(&mut game).collect();
        (settings, games)
    }

    #[test]
    fn the_shards_of_any_league_in_any_order_make_the_whole_in_any_number_of_steps() {
        let mut dice = ChoiceStream::new(&[2]);
        for round in 0..24 {
            let folder = TempDir::new().expect("a folder");
            let (settings, all) = any_league(&mut dice);
            let whole = contents(&write(&folder, "whole", &settings, &all));
            let count = 1 + dice.number_below(7);
            let mut parts: Vec<PathBuf> = (1..=count)
                .map(|part| {
                    let shard: Shard = format!("{part}/{count}").parse().expect("a part");
                    let mut of_part = settings.clone();
                    of_part.league.shard = Some(shard);
                    let mut games: Vec<_> = all.iter().filter(|game| shard.has(game.planned.deal)).cloned().collect();
                    shuffle(&mut games, &mut dice);
                    write(&folder, &format!("part-{part}"), &of_part, &games)
                })
                .collect();
            shuffle(&mut parts, &mut dice);
            let (mut left, mut new) = (&parts[..], 0);
            while !left.is_empty() {
                let (now, rest) = left.split_at(1 + dice.number_below(left.len() as u64) as usize);
                let now: Vec<&PathBuf> = now.iter().collect();
                let merged = merge_of(&folder, "to", &settings, &now).expect("parts of one run");
                assert_eq!(merged.equal, 0, "no deal is in two parts");
                (left, new) = (rest, new + merged.new);
            }
            assert_eq!(new, all.len() as u64, "round {round}");
            assert_eq!(contents(&folder.path().join("to")), whole, "round {round}: {parts:?}");
        }
    }

    #[test]
    fn a_part_with_another_game_is_refused_and_nothing_of_any_part_is_added() {
        let folder = TempDir::new().expect("a folder");
        let mut other = games(10);
        other[7].digest.0[0] ^= 1;
        let parts = [write(&folder, "one", &settings(), &games(9)), write(&folder, "two", &settings(), &other[7..])];
        let error = merge(&folder, "to", &[&parts[0], &parts[1]]).expect_err("a game differs").to_string();
        assert!(error.contains("two: the game g000-d0003-r1 is another one than in a part before it"), "{error}");
        assert_eq!(RunFile::open(&folder.path().join("to")).expect("a run file").games().expect("a number"), 0);
    }
}
