//! The rounds of a run, each a row with a checksum: what was decided while it was played.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use maumau_tournament::{AgentId, Plan, Round, Scheduler};
use rusqlite::{Connection, params};

use super::checksum::{self, Checksum};
use super::settings::{json, read_agents};

/// Writes the round that follows the first `number` ones.
pub(super) fn write_round(connection: &Connection, number: u64, round: &Round) -> rusqlite::Result<()> {
    let round = json(round)?;
    let checksum = checksum::of_setting(&key(number), &round);
    let mut insert = connection.prepare_cached("INSERT INTO rounds (number, round, checksum) VALUES (?1, ?2, ?3)")?;
    insert.execute(params![number as i64, round, checksum]).map(drop)
}

/// All rounds in their order.
pub(super) fn read_rounds(connection: &Connection) -> Result<Vec<Round>> {
    read_rounds_from(connection, 0)
}

/// The rounds after the first `known` ones.
pub(super) fn read_rounds_from(connection: &Connection, known: usize) -> Result<Vec<Round>> {
    let query = "SELECT number, round, checksum FROM rounds WHERE number >= ?1 ORDER BY number";
    let mut query = connection.prepare_cached(query)?;
    let mut rows = query.query(params![known as i64])?;
    let mut rounds = Vec::new();
    while let Some(row) = rows.next()? {
        let (number, round, checksum): (i64, String, Checksum) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let expected = (known + rounds.len()) as u64;
        ensure!(number == expected as i64, "it holds round {number} where round {expected} should be");
        ensure!(
            checksum == checksum::of_setting(&key(expected), &round),
            "the checksum of round {number} does not fit"
        );
        rounds.push(serde_json::from_str(&round).with_context(|| format!("round {number} cannot be read"))?);
    }
    Ok(rounds)
}

fn key(number: u64) -> String {
    format!("round {number}")
}

/// A plan with the rounds that a file has at one moment.
pub(super) struct KnownRounds {
    pub(super) plan: Plan,
    /// False if agents have joined since the plan was read, whose rounds and games are left out until the reader follows them.
    pub(super) is_whole: bool,
}

/// `plan` with those rounds of the file that are of its agents.
pub(super) fn known_rounds(moment: &Connection, plan: &Plan) -> Result<KnownRounds> {
    let agents = plan.agents().len();
    let is_whole = !plan.league().has_open_pool() || read_agents(moment)? <= agents;
    let mut rounds = read_rounds(moment)?;
    if !is_whole {
        let joined = rounds.iter().position(|round| has_agent_from(round, agents));
        rounds.truncate(joined.unwrap_or(rounds.len()));
    }
    Ok(KnownRounds { plan: with_rounds(plan, &rounds)?, is_whole })
}

/// True if an agent with this number or a higher one is in `round`.
fn has_agent_from(round: &Round, first: usize) -> bool {
    let is_later = |agent: &AgentId| agent.index() >= first;
    match round {
        Round::Games(_) => false,
        Round::Tables { tables, byes } => {
            tables.iter().flat_map(|table| &table.agents).any(is_later) || byes.iter().any(is_later)
        }
        Round::Pool { playing, .. } => playing.iter().any(is_later),
    }
}

/// `plan` with those of `rounds` that it lacks.
pub(super) fn with_rounds(plan: &Plan, rounds: &[Round]) -> Result<Plan> {
    let mut whole = plan.clone();
    for round in rounds.get(whole.rounds()..).unwrap_or_default() {
        whole.try_extend(round)?;
    }
    Ok(whole)
}

/// Which rounds must be the ones that follow from the results before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DerivedRounds {
    /// The last one; those before it only where its own tables depend on them.
    Last,
    /// Each.
    All,
}

/// A new `scheduler` after `rounds`, of which `derived` must be those that follow, and the places of those games that it cannot take yet;
/// `results` are all there are, by number.
pub(super) fn follow(
    mut scheduler: Scheduler,
    rounds: &[Round],
    mut results: BTreeMap<u64, Vec<u8>>,
    derived: DerivedRounds,
) -> Result<(Scheduler, BTreeMap<u64, Vec<u8>>)> {
    let first = rounds.iter().find_map(|round| match round {
        Round::Pool { before, .. } => Some(*before),
        Round::Games(_) | Round::Tables { .. } => None,
    });
    first.into_iter().for_each(|agents| scheduler.begin_with(agents));
    for (number, round) in rounds.iter().enumerate() {
        if derived == DerivedRounds::All || number + 1 == rounds.len() {
            scheduler.adopt(round)?;
        } else {
            scheduler.adopt_earlier(round)?;
        }
        // The results of later rounds are there too, but these rounds are not known yet.
        while scheduler.takes_results()
            && scheduler.taken() < scheduler.plan().len()
            && let Some(places) = results.remove(&scheduler.taken())
        {
            scheduler.take(&places);
        }
    }
    Ok((scheduler, results))
}

#[cfg(test)]
mod tests {
    use maumau_tournament::{Format, NextRound, Round, Scheduler, StopRules};
    use tempfile::TempDir;

    use super::super::{RunFile, RunWriter};
    use super::write_round;
    use crate::run_store::settings::{RunPlan, RunSettings};
    use crate::run_store::{AgentSettings, RunStore, StoredGame};
    use crate::trial::{games, settings};

    /// A run of the format `sample` of which two rounds are known, after `edit` of its file.
    fn opened_after(edit: &str) -> Result<RunFile, String> {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("run");
        let mut wanted: RunSettings = settings();
        wanted.league.format = Format::Sample;
        wanted.league.games_per_pairing = 2;
        wanted.league.stop = StopRules { games: Some(1_000), ..StopRules::default() };
        let (mut writer, _) = RunWriter::open(&path, |_| Ok(wanted)).expect("a run file");
        let (mut scheduler, _) = writer.scheduler().expect("a scheduler");
        for _ in 0..2 {
            let NextRound::Round(round) = scheduler.advance() else { panic!("a round") };
            writer.add_rounds(&[round]).expect("room");
        }
        drop(writer);
        let connection = rusqlite::Connection::open(&path).expect("a database");
        connection.execute_batch(edit).expect("an edit");
        RunFile::open(&path).map_err(|error| format!("{error:#}")).inspect(|run| {
            assert_eq!(run.plan.pairings.rounds(), 2);
            run.scheduler().expect("the rounds that follow");
        })
    }

    /// Decides a round, and plays it.
    fn play_a_round(writer: &mut RunWriter, scheduler: &mut Scheduler) {
        let NextRound::Round(round) = scheduler.advance() else { panic!("a round") };
        writer.add_rounds(std::slice::from_ref(&round)).expect("room");
        let plan = scheduler.plan();
        let planned = (writer.games()..plan.len()).map(|number| plan.game(number));
        let games = planned.zip(games(plan.len())).map(|(planned, game)| StoredGame { planned, ..game });
        let games: Vec<StoredGame> = games.collect();
        writer.add(&games).expect("room");
        if scheduler.takes_results() {
            games.iter().for_each(|game| scheduler.take(&game.result.places));
        }
    }

    #[test]
    fn an_earlier_round_that_does_not_follow_is_found_by_who_derives_all() {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("run");
        let mut wanted: RunSettings = settings();
        wanted.league.format = Format::Ladder;
        wanted.league.games_per_pairing = 2;
        let (mut writer, _) = RunWriter::open(&path, |_| Ok(wanted)).expect("a run file");
        let (mut scheduler, _) = writer.scheduler().expect("a scheduler");
        (0..3).for_each(|_| play_a_round(&mut writer, &mut scheduler));
        let rounds = writer.rounds().expect("rounds");
        drop(writer);
        let with = |number: usize| {
            let connection = rusqlite::Connection::open(&path).expect("a database");
            let mut other = rounds[number].clone();
            let Round::Tables { tables, .. } = &mut other else { panic!("tables") };
            tables[0].agents.reverse();
            for (place, round) in rounds.iter().enumerate() {
                let round = if place == number { &other } else { round };
                connection.execute("DELETE FROM rounds WHERE number = ?1", [place as i64]).expect("an edit");
                write_round(&connection, place as u64, round).expect("an edit");
            }
            RunFile::open(&path).expect("a run file")
        };
        let first = with(0);
        assert!(first.scheduler().is_ok(), "the last round follows");
        let why = format!("{:#}", first.check_rounds().expect_err("the first one does not"));
        assert!(why.contains("round 0 is not the one that follows"), "{why}");
        assert!(with(2).scheduler().is_err(), "the last one does not");
    }

    #[test]
    fn a_reader_sees_the_run_as_it_was_until_it_follows_agents_that_have_joined() {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("run");
        let mut wanted: RunSettings = settings();
        wanted.league.format = Format::Sample;
        wanted.league.games_per_pairing = 2;
        wanted.league.stop = StopRules { games: Some(1_000), ..StopRules::default() };
        let (mut writer, _) = RunWriter::open(&path, |_| Ok(wanted.clone())).expect("a run file");
        let (mut scheduler, _) = writer.scheduler().expect("a scheduler");
        play_a_round(&mut writer, &mut scheduler);
        let mut reader = RunFile::open(&path).expect("a run file");
        let before = writer.games();
        wanted.league.agents.push(AgentSettings { name: "c".to_owned(), ..wanted.league.agents[0].clone() });
        let plan = RunPlan::new(wanted).expect("a plan");
        let (plan, pool) = writer.change_agents(plan, &scheduler.playing(), scheduler.known()).expect("a third agent");
        scheduler.grow(plan.settings.league.for_schedule()).expect("it joins");
        scheduler.adopt(&pool.expect("another pool")).expect("the pool follows");
        play_a_round(&mut writer, &mut scheduler);
        let seen = |reader: &RunFile| {
            let read = || -> anyhow::Result<_> {
                let (tally, _) = reader.tally()?;
                reader.check_tally()?;
                let mut listed = 0;
                reader.for_each_game(|_| {
                    listed += 1;
                    Ok(())
                })?;
                let mut results = 0;
                reader.results_from(0, |_, _| {
                    results += 1;
                    std::ops::ControlFlow::Continue(())
                })?;
                reader.results()?;
                Ok((reader.scheduler()?.plan().len(), tally.games(), listed, results))
            };
            read().unwrap_or_else(|error| panic!("{error:#}"))
        };
        assert!(writer.games() > before);
        assert_eq!(seen(&reader), (before, before, before, before));
        reader.follow().expect("the run goes on");
        let now = writer.games();
        assert_eq!(seen(&reader), (now, now, now, now));
    }

    #[test]
    fn rounds_come_back_and_damage_to_any_is_named() {
        assert!(opened_after("").is_ok());
        for (edit, expected) in [
            (
                "UPDATE rounds SET round = replace(round, '0', '1') WHERE number = 1",
                "the checksum of round 1 does not fit",
            ),
            (
                "UPDATE rounds SET checksum = x'0011223344556677' WHERE number = 0",
                "the checksum of round 0 does not fit",
            ),
            ("DELETE FROM rounds WHERE number = 0", "it holds round 1 where round 0 should be"),
            ("UPDATE rounds SET number = 5 WHERE number = 1", "it holds round 5 where round 1 should be"),
        ] {
            let said = opened_after(edit).err().unwrap_or_else(|| panic!("{edit} goes unnoticed"));
            assert!(said.contains(expected) && said.contains("is damaged"), "{edit}: {said}");
        }
    }
}
