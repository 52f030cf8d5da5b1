//! The steps of a check, in the order in which they are reported. It decides what is tried and what passes; lines are
//! moved by `agent_under_test`, games by `play`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use maumau_engine::Rules;
use maumau_engine::rules::{built_in, family, load_built_in, parse_value};
use maumau_protocol::MAX_SEATS;
use maumau_protocol::message::{PROTOCOL, Ready, TimeControl, What};
use maumau_protocol::ruleset::OptionValue;
use maumau_run::agent::AgentCommand;
use maumau_run::error::usage;
use maumau_run::io::format::counted;

use super::agent_under_test::{AgentUnderTest, hello};
use super::newer::with_additions;
use super::play::{LineVariation, Play};
use super::report::{ConformanceProblem, ConformanceReport, Stopped};
use super::schemas::Schemas;
use super::test_game::{Met, TestGame, lot};

/// How long to wait for an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnswerTimeouts {
    /// From its start to `ready`.
    pub(crate) start: Duration,
    /// For an answer.
    pub(crate) answer: Duration,
}

/// Time within which an agent should end (SPEC 2.6).
const END: Duration = Duration::from_millis(500);
/// The longest wait beyond that, to distinguish slow from never.
const LATEST_END: Duration = Duration::from_secs(5);
/// Turns per round: enough to meet everything, while a check stays short.
const TURN_CAP: i64 = 60;
/// Games at once if an agent offers several.
const GAMES_AT_ONCE: u32 = 8;
/// How many games are tried to find one that begins in a certain way.
const TRIES: u64 = 300;

/// The kind of table to play at.
#[derive(Clone, Copy)]
struct At<'a> {
    rules: &'a str,
    options: &'a [(&'a str, &'a str)],
    seats: usize,
    /// Only games whose first ask to the agent is this one.
    begins_with: Option<What>,
}

/// The tables at which an agent is tried.
#[derive(Clone)]
pub(crate) struct CheckedTables {
    /// Names of built-in rule sets; empty for those that the agent plays.
    pub(crate) sets: Vec<String>,
    /// How many seats; empty for the usual numbers of those that the agent plays.
    pub(crate) seats: Vec<usize>,
}

impl CheckedTables {
    /// How many seats the tables without a purpose of their own have.
    fn sizes(&self) -> &[usize] {
        if self.seats.is_empty() { &[2, 4] } else { &self.seats }
    }

    /// How many seats the tables have at which `usual` ones are best: as near to that as allowed.
    fn size(&self, usual: usize) -> usize {
        self.seats.iter().copied().min_by_key(|seats| seats.abs_diff(usual)).unwrap_or(usual)
    }
}

/// Takes `command` through all steps, at the tables `tables`.
///
/// # Errors
/// The check itself failed: stdout, a rule set that does not exist, or one that is not played by so many. The agent's problems
/// are in the report.
pub(crate) async fn check(
    command: &AgentCommand,
    tables: &CheckedTables,
    games: u64,
    patience: AnswerTimeouts,
    report: &mut ConformanceReport,
) -> Result<()> {
    for set in &tables.sets {
        for seats in tables.sizes() {
            rules(At { rules: set, options: &[], seats: *seats, begins_with: None })?;
        }
    }
    let schemas = Schemas::new();
    let mut check = Check { command, patience, games, report, schemas, peer: None, number: 0, met: Met::default() };
    match check.all(tables).await {
        Err(error) if error.is::<Stopped>() => Ok(()),
        other => other,
    }
}

struct Check<'a> {
    command: &'a AgentCommand,
    patience: AnswerTimeouts,
    games: u64,
    report: &'a mut ConformanceReport,
    schemas: Schemas,
    /// The agent, as long as nothing has gone wrong with it; otherwise the next step starts another.
    peer: Option<(AgentUnderTest, Ready)>,
    /// Games so far.
    number: u64,
    met: Met,
}

impl Check<'_> {
    /// Every step, one after another.
    async fn all(&mut self, tables: &CheckedTables) -> Result<()> {
        let Some(ready) = self.handshake().await? else { return Ok(()) };
        let tables = &self.made_for(tables, &ready)?;
        let sets = &tables.sets;
        for set in sets {
            let at = |seats| At { rules: set, options: &[], seats, begins_with: None };
            for seats in tables.sizes() {
                self.games(at(*seats), LineVariation::Plain, 1).await?;
            }
            let three = tables.size(3);
            self.games(At { begins_with: Some(What::Choose), ..at(three) }, LineVariation::Plain, 1).await?;
            if set == "spam" {
                let options = &[("deal_count", "dealer"), ("auto_look", "false")];
                self.games(At { options, begins_with: Some(What::Deal), ..at(three) }, LineVariation::Plain, 1).await?;
            }
        }
        let first = At { rules: &sets[0], options: &[], seats: tables.size(2), begins_with: None };
        match ready.games.min(GAMES_AT_ONCE) {
            1 => self.report.left_out("several games at once", "it offers one (\"games\" in \"ready\")")?,
            games => self.games(first, LineVariation::Plain, games).await?,
        }
        self.games(first, LineVariation::SlowPeers, 1).await?;
        self.games(first, LineVariation::Missed, 1).await?;
        self.games(first, LineVariation::Garbled, 1).await?;
        self.in_pieces(first).await?;
        self.parting().await?;
        self.newer(tables).await?;
        self.closed_input().await?;
        self.other_major().await?;
        self.coverage()
    }

    /// The tables to play at: those that are named, otherwise those that the agent says it was made for.
    fn made_for(&mut self, tables: &CheckedTables, ready: &Ready) -> Result<CheckedTables> {
        let mut tables = tables.clone();
        let plays = ready.plays.clone().unwrap_or_default();
        if tables.sets.is_empty() {
            let names = |name: &str| plays.rules.iter().flatten().any(|set| set == name);
            let all = built_in().iter().map(|set| set.name);
            let (mut played, others): (Vec<&str>, Vec<&str>) =
                all.partition(|name| plays.rules.is_none() || names(name));
            // The further games are checked only for an agent that names them.
            played.extend(family().iter().map(|set| set.name).filter(|name| names(name)));
            if played.is_empty() {
                let rules = plays.rules.unwrap_or_default().join(", ");
                return Err(usage(format!(
                    "the agent says that it plays only {rules} (\"plays\" in \"ready\"), and no built-in rule set has that name: name one with --rules"
                )));
            }
            if !others.is_empty() {
                let why = "it was not made for them (\"plays\" in \"ready\")";
                self.report.left_out(&format!("rule sets {}", others.join(", ")), why)?;
            }
            tables.sets = played.into_iter().map(str::to_owned).collect();
        }
        if tables.seats.is_empty() {
            let allowed = 2..=MAX_SEATS;
            let seats = plays.seats.iter().flatten().map(|seats| usize::from(*seats));
            tables.seats = seats.filter(|seats| allowed.contains(seats)).collect();
            if !tables.seats.is_empty() {
                self.report.left_out("tables of other sizes", "it was not made for them (\"plays\" in \"ready\")")?;
            }
        }
        Ok(tables)
    }

    async fn handshake(&mut self) -> Result<Option<Ready>> {
        let began = Instant::now();
        let mut peer = match AgentUnderTest::start(self.command) {
            Ok(peer) => peer,
            Err(problem) => {
                self.report.failed("handshake", &problem, "")?;
                return Ok(None);
            }
        };
        match peer.greet(&hello(PROTOCOL), self.patience.start).await {
            Err(problem) => {
                let (problem, stderr) = peer.end_after(problem).await;
                self.report.failed("handshake", &problem, &stderr)?;
                Ok(None)
            }
            Ok(ready) => {
                let wants: Vec<&str> = ready.wants.iter().map(|want| want.name()).collect();
                let ticks = if ready.ticks { ", every tick" } else { "" };
                self.report.ok(
                    "handshake",
                    &format!(
                        "ready after {} ms as {:?} {:?}; wants {}{ticks}; {} at once",
                        began.elapsed().as_millis(),
                        ready.name,
                        ready.version,
                        wants.join(", "),
                        counted(ready.games, "game")
                    ),
                )?;
                for difference in
                    [self.schemas.against_arena(&hello(PROTOCOL)), self.schemas.against_good(&peer.ready_line)]
                {
                    difference.map_or(Ok(()), |difference| self.report.warn(&difference))?;
                }
                self.peer = Some((peer, ready.clone()));
                Ok(Some(ready))
            }
        }
    }

    /// The running agent, or a new one.
    async fn peer(&mut self) -> Result<(AgentUnderTest, Ready), ConformanceProblem> {
        match self.peer.take() {
            Some(peer) => Ok(peer),
            None => self.fresh(PROTOCOL).await,
        }
    }

    async fn fresh(&mut self, protocol: &str) -> Result<(AgentUnderTest, Ready), ConformanceProblem> {
        let mut peer = AgentUnderTest::start(self.command)?;
        let greeting = String::from_utf8_lossy(&hello(protocol)).into_owned();
        let greeting = if protocol == PROTOCOL { greeting } else { with_additions(&greeting) };
        match peer.greet(greeting.as_bytes(), self.patience.start).await {
            Ok(ready) => Ok((peer, ready)),
            Err(problem) => Err(peer.end_after(problem).await.0),
        }
    }

    /// Games at one table, `at_once` of them at a time.
    async fn games(&mut self, at: At<'_>, way: LineVariation, at_once: u32) -> Result<()> {
        let step = match way {
            LineVariation::Plain if at_once > 1 => format!("{at_once} games at once, their asks mixed"),
            LineVariation::Plain => {
                let options: Vec<String> = at.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
                let with = if options.is_empty() { String::new() } else { format!(" with {}", options.join(", ")) };
                let first = match at.begins_with {
                    Some(What::Choose) => ", where it has to name a suit first",
                    Some(What::Deal) => ", where it has to deal",
                    _ => "",
                };
                format!("{} at a table of {}{with}{first}", at.rules, at.seats)
            }
            LineVariation::SlowPeers => "others who take their time".to_owned(),
            LineVariation::Missed => "deadlines that pass, and penalties for it".to_owned(),
            LineVariation::Garbled => "a fault that leaves the ask open".to_owned(),
            LineVariation::Newer => {
                format!("{} with members, events, actions and messages of a later version", at.rules)
            }
        };
        let games = if way == LineVariation::Plain && at_once == 1 { self.games } else { u64::from(at_once) };
        self.step(&step, at, way, at_once, games).await
    }

    async fn step(&mut self, step: &str, at: At<'_>, way: LineVariation, at_once: u32, games: u64) -> Result<()> {
        let rules = rules(at)?;
        if !self.is_there(at, &rules) {
            return Ok(());
        }
        let (mut peer, ready) = match self.peer().await {
            Ok(peer) => peer,
            Err(problem) => return self.report.failed(step, &problem, ""),
        };
        let mut asks = 0;
        let mut warnings = Vec::new();
        let mut left = games;
        while left > 0 {
            let now = left.min(u64::from(at_once));
            left -= now;
            let tables = (0..now).map(|_| self.table(at, &rules, &ready)).collect();
            let mut play = Play {
                tables,
                way,
                patience: self.patience.answer,
                asks: 0,
                warnings: &mut warnings,
                garbled: false,
                schemas: &self.schemas,
            };
            let outcome = play.run(&mut peer).await;
            asks += play.asks;
            peer.forget(play.tables.iter().map(|table| table.id.clone()));
            for table in play.tables {
                self.met.add(&table.end());
            }
            if let Err(problem) = outcome {
                let (problem, stderr) = peer.end_after(problem).await;
                warnings.iter().try_for_each(|warning| self.report.warn(warning))?;
                return self.report.failed(step, &problem, &stderr);
            }
        }
        let stderr = peer.take_stderr();
        self.peer = Some((peer, ready));
        self.report.ok(step, &format!("{}, {}", counted(games, "game"), counted(asks, "ask")))?;
        stderr.iter().try_for_each(|text| self.report.wrote(text))?;
        warnings.iter().try_for_each(|warning| self.report.warn(warning))
    }

    /// The next game that begins as required, with the agent at one seat after another.
    fn table(&mut self, at: At<'_>, rules: &Arc<Rules>, ready: &Ready) -> TestGame {
        loop {
            self.number += 1;
            let us = self.number as usize % at.seats;
            let table = TestGame::new(Arc::clone(rules), us, self.number, ready, self.time());
            if at.begins_with.is_none_or(|what| table.begins_with == Some(what)) {
                return table;
            }
        }
    }

    /// True if there are games that begin as required.
    fn is_there(&self, at: At<'_>, rules: &Arc<Rules>) -> bool {
        let Some(what) = at.begins_with else { return true };
        let ready = lot();
        let mut tables = (1..TRIES)
            .map(|number| TestGame::new(Arc::clone(rules), number as usize % at.seats, number, &ready, self.time()));
        tables.any(|table| table.begins_with == Some(what))
    }

    fn time(&self) -> TimeControl {
        TimeControl { move_ms: self.patience.answer.as_millis() as u64, ..TimeControl::default() }
    }

    async fn in_pieces(&mut self, at: At<'_>) -> Result<()> {
        let step = "lines that come in pieces";
        match self.peer().await {
            Ok((mut peer, ready)) => {
                peer.in_pieces = true;
                self.peer = Some((peer, ready));
                self.step(step, at, LineVariation::Plain, 1, 1).await?;
                if let Some((peer, _)) = &mut self.peer {
                    peer.in_pieces = false;
                }
                Ok(())
            }
            Err(problem) => self.report.failed(step, &problem, ""),
        }
    }

    async fn newer(&mut self, tables: &CheckedTables) -> Result<()> {
        if let Some((peer, _)) = self.peer.take() {
            peer.end().await;
        }
        match self.fresh("maumau/1.9").await {
            Ok(peer) => {
                self.peer = Some(peer);
                self.report.ok("an arena of protocol maumau/1.9", "ready all the same")?;
            }
            Err(problem) => return self.report.failed("an arena of protocol maumau/1.9", &problem, ""),
        }
        for set in &tables.sets {
            let seats = tables.size(3);
            self.games(At { rules: set, options: &[], seats, begins_with: None }, LineVariation::Newer, 1).await?;
        }
        Ok(())
    }

    async fn parting(&mut self) -> Result<()> {
        let step = "the end after \"bye\"";
        let peer = self.peer().await;
        self.ends(step, peer, true).await
    }

    async fn closed_input(&mut self) -> Result<()> {
        let step = "the end of its input without \"bye\"";
        if let Some((peer, _)) = self.peer.take() {
            peer.end().await;
        }
        let peer = self.fresh(PROTOCOL).await;
        self.ends(step, peer, false).await
    }

    async fn ends(
        &mut self,
        step: &str,
        peer: Result<(AgentUnderTest, Ready), ConformanceProblem>,
        bye: bool,
    ) -> Result<()> {
        let mut peer = match peer {
            Ok((peer, _)) => peer,
            Err(problem) => return self.report.failed(step, &problem, ""),
        };
        let began = Instant::now();
        let exit = match peer.part(bye, END).await {
            Some(exit) => Some(exit),
            None => peer.ends_within(LATEST_END).await,
        };
        let took = began.elapsed();
        let stderr = peer.end().await;
        match exit {
            None => self.report.failed(
                step,
                &ConformanceProblem::new("it does not end; an arena kills it after 500 ms"),
                &stderr,
            ),
            Some(exit) if took > END => {
                self.report.ok(step, &format!("ended after {} ms with {exit}", took.as_millis()))?;
                self.report.warn(
                    "an arena kills it 500 ms after \"bye\" (SPEC 2.6). A slow end, as of a Python with torch, costs nothing but what it \
                     does then: write files and results when \"over\" comes, and not as it ends",
                )
            }
            Some(exit) => {
                self.report.ok(step, &format!("ended after {} ms with {exit}", took.as_millis()))?;
                match exit.ends_with(": 0") {
                    true => Ok(()),
                    false => self.report.warn("an agent that was asked to end, and nothing else, should exit with 0"),
                }
            }
        }
    }

    async fn other_major(&mut self) -> Result<()> {
        let step = "an arena of another major version";
        let mut peer = match AgentUnderTest::start(self.command) {
            Ok(peer) => peer,
            Err(problem) => return self.report.failed(step, &problem, ""),
        };
        let greeting = peer.greet(&hello("maumau/99"), self.patience.start.min(LATEST_END)).await;
        let stderr = peer.end().await;
        match greeting {
            Err(_) if !stderr.is_empty() => self.report.ok(step, "it says so and ends"),
            Err(_) => {
                self.report.ok(step, "it does not play")?;
                self.report.warn("it should say in one sentence on stderr why (SPEC 2.3)")
            }
            Ok(_) => {
                self.report.ok(step, "it is ready all the same")?;
                self.report.warn("it does not look at \"protocol\" of \"hello\", and should say so and exit (SPEC 2.3)")
            }
        }
    }

    fn coverage(&mut self) -> Result<()> {
        let Met { asks, penalties, unsaid, skipped, answers } = &self.met;
        self.report.answered(answers);
        let met: Vec<String> = asks.iter().map(|(what, count)| format!("{count} {what}")).collect();
        let all = format!(
            "asks: {}; {}; skipped {}",
            met.join(", "),
            counted(*penalties, "penalty card"),
            counted(*skipped, "time")
        );
        let missing: Vec<&str> =
            What::ALL.map(What::name).into_iter().filter(|what| !asks.contains_key(what)).collect();
        match missing.is_empty() {
            true => self.report.ok("every kind of ask", &all)?,
            false => {
                let why = format!("no game came to {}; met were {all}", missing.join(", "));
                self.report.left_out("every kind of ask", &why)?;
            }
        }
        match unsaid {
            0 => Ok(()),
            count => self.report.warn(&format!(
                "{} for words that were not said: the actions in \"legal\" hold them in \"say\"",
                counted(*count, "penalty card")
            )),
        }
    }
}

fn rules(at: At<'_>) -> Result<Arc<Rules>> {
    let mut settings = vec![("turn_cap".to_owned(), OptionValue::Int(TURN_CAP))];
    settings.extend(at.options.iter().map(|(key, value)| ((*key).to_owned(), parse_value(value))));
    let loaded = load_built_in(at.rules, &settings).map_err(|problems| usage(problems.to_string()))?;
    Ok(Arc::new(Rules::for_table(&Arc::new(loaded.set), at.seats, None).map_err(|error| usage(error.to_string()))?))
}
