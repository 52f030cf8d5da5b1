//! League files: written by an organiser, read and checked as a whole. It reads the file and checks it; nothing is
//! started and no run is touched.
//!
//! Agents' commands run in the current directory unless `directory` says otherwise, so relative paths in them start there. Rule
//! files are looked up relative to the folder of the league file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use maumau_places::{At, Problem, ProblemCollector, Problems, Reader, SourcePlace, TextForm, parse, suggestion};
use maumau_protocol::limits::{MAX_MS, MAX_ROUNDS};
use maumau_protocol::message::{ClockMode, TimeControl};
use maumau_protocol::ruleset::{OptionValue, RuleSet};
use maumau_protocol::{MAX_SEATS, SandboxLevel, Seed};
use maumau_tournament::power::{Hopeless, hopeless};
use maumau_tournament::{Format, League, LeagueProblem, MAX_AGENTS, MAX_GAMES, Plan, RankedBy, StopRules};

use super::formats::{ScheduleDraft, read_stop};
use super::given_seed::{GUESSABLE, GivenSeed};
use super::rule_sets::{RulesDraft, load_rules, read_options, read_rules, rounds_of};
use crate::agent::{
    AgentCommand, Fingerprint, PermitSettings, SandboxSettings, check_host, check_variable, look, spelled,
};
use crate::error::usage;
use crate::io::bounded;
use crate::io::entropy;
use crate::io::rule_files::listed;
use crate::run_store::{AgentSettings, Anchor, LeagueSettings, Life, RunSettings};

/// Maximum bytes of a league file.
pub const MAX_LEAGUE_BYTES: u64 = 1024 * 1024;
/// The JSON Schema (draft 7) of league files, for editors. It knows keys, shapes and bounds; whether a league makes sense as a
/// whole is checked when it is read.
pub const FILE_SCHEMA: &str = include_str!("../../../docs/league-file.schema.json");

/// Maximum characters of a command or a path.
const MAX_COMMAND_CHARS: usize = 4_000;
/// Ratings that an anchor may have.
const RATINGS: std::ops::RangeInclusive<f64> = 0.0..=10_000.0;
/// Maximum games at once in all.
const MAX_CONCURRENCY: u64 = 4_096;

#[rustfmt::skip]
const KEYS: [&str; 17] = [
    "name", "rules", "seats", "rounds", "games_per_pairing", "seed", "public_seed", "hidden_names", "concurrency", "clock", "anchor",
    "schedule", "stop", "options", "time", "sandbox", "agent",
];
/// The times of either clock.
const TIME_KEYS: [&str; 2] = ["move_ms", "start_ms"];
/// The times of lockstep alone.
const LOCKSTEP_KEYS: [&str; 2] = ["bank_ms", "increment_ms"];
/// The times of the live clock alone.
const LIVE_KEYS: [&str; 4] = ["grace_ms", "reaction_ms", "closing_ms", "count_ms"];
const SANDBOX_KEYS: [&str; 2] = ["level", "memory_mib"];
#[rustfmt::skip]
const AGENT_KEYS: [&str; 14] = [
    "name", "author", "command", "directory", "env", "secrets", "read", "network", "host", "files", "version", "renamed_from",
    "retired", "disqualified",
];

/// A league as its file describes it, resolved and checked.
#[derive(Clone, Debug)]
pub struct LeagueFile {
    /// Everything that determines the games, except the master seed.
    pub league: LeagueSettings,
    /// The resolved rule sets.
    pub rules: Vec<RuleSet>,
    /// The master seed, if the file has one.
    pub seed: Option<GivenSeed>,
    /// Games at once in all; absent = automatic.
    pub concurrency: Option<usize>,
    /// The number of groups of agents, if the league is a sample only since they are many.
    pub sampled_of: Option<u64>,
    /// What the file says of each agent beside its settings, in the same order.
    pub declared: Vec<Declared>,
}

/// What a league file says of an agent, but a run file does not keep.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// Files and folders that make it up, besides those that its command names.
    pub files: Vec<String>,
    /// Its version.
    pub version: Option<String>,
    /// The name that it had before.
    pub renamed_from: Option<String>,
}

impl LeagueFile {
    /// Reads and checks the file at `path`.
    ///
    /// # Errors
    /// The file cannot be read, or every problem in it with file, line and key.
    pub fn read(path: &Path) -> anyhow::Result<LeagueFile> {
        let shown = path.display().to_string();
        let text = bounded::read_text(path, MAX_LEAGUE_BYTES, "a league file")
            .map_err(|error| crate::error::usage(format!("the league file {shown}: {error}")))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        LeagueFile::parse(&shown, folder, &text).map_err(|problems| crate::error::usage(listed(&problems)))
    }

    /// Reads and checks `text`, which messages call `file`; rule files are looked up relative to `folder`.
    ///
    /// # Errors
    /// Every problem with file, line and key.
    pub fn parse(file: &str, folder: &Path, text: &str) -> Result<LeagueFile, Problems> {
        let mut report = ProblemCollector::default();
        let form = TextForm { key_problem: |_| None, text_problem: |_| None, fractions: true };
        let tree = parse(file, 0, text, form, &mut report);
        if let Some(Problem { line, .. }) = report.first()
            && let Some(written) = text.lines().nth(line.saturating_sub(1) as usize)
            && written.trim_start().starts_with("[agent]")
        {
            // The keys that follow belong to it, and are reported as duplicates too.
            let place = SourcePlace { line: *line, column: 1, ..SourcePlace::whole(file) };
            report = ProblemCollector::default();
            report.add(&place, "agent", "each agent is a table of its own, [[agent]] in two brackets");
        }
        let draft = Draft::read(file, &Reader::new(&tree, ""), &mut report);
        let checked = draft.check(folder, &mut report);
        report.into_result()?;
        checked.ok_or(Problems(Vec::new()))
    }

    /// Takes the fingerprints of the agents that play; `private` are files of the arena.
    ///
    /// # Errors
    /// Every agent whose files cannot be read, and why.
    pub fn take_fingerprints(&mut self, private: &[PathBuf]) -> anyhow::Result<()> {
        let mut problems = Vec::new();
        let agents = self.league.agents.iter_mut().zip(&self.declared);
        for (agent, Declared { files, version, .. }) in agents.filter(|(agent, _)| !agent.life.retired) {
            let taken = agent.parsed_command().and_then(|command| {
                let command = command.granted(agent.permits.grant());
                Fingerprint::of(&command, files, version.as_deref(), private)
            });
            match taken {
                Ok(fingerprint) => agent.life.fingerprint = Some(fingerprint),
                Err(error) => problems.push(format!("agent {:?}: {error:#}", agent.name)),
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(crate::error::usage(problems.join("\n"))) }
    }

    /// The settings of a run of this league: with the seed `given` on the command line, that of the file, that of the run's
    /// settings `stored`, or one that is drawn, whichever is the first.
    ///
    /// # Errors
    /// Agents could find the seed, and the file does not say that it is public.
    pub fn seeded(&self, given: Option<GivenSeed>, stored: Option<&RunSettings>) -> anyhow::Result<RunSettings> {
        let begun = stored.map(|stored| GivenSeed { seed: stored.seed, is_guessable: stored.league.public_seed });
        let seed = match given.or(self.seed).or(begun) {
            Some(seed) => seed,
            None => GivenSeed { seed: entropy::fresh_seed()?, is_guessable: false },
        };
        if seed.is_guessable && !self.league.public_seed && self.league.has_foreign_agents() {
            let remedy = "If agents may know the cards, write public_seed = true in the league file";
            let begun = match given.or(self.seed) {
                Some(_) => "",
                None => ". This run was begun with its seed: name another run file with --run",
            };
            return Err(usage(format!("the seed of the run is not secret: {GUESSABLE}. {remedy}{begun}")));
        }
        let mut settings = self.settings(seed.seed);
        settings.league.public_seed |= seed.is_guessable;
        if let Some(stored) = stored {
            settings.league.allocation.by_wait = stored.league.allocation.by_wait;
        }
        Ok(settings)
    }

    /// The settings of a run of this league with the master seed `seed`.
    pub fn settings(&self, seed: Seed) -> RunSettings {
        RunSettings {
            league: self.league.clone(),
            rules: self.rules.clone(),
            seed,
            engine: maumau_engine::VERSION.to_owned(),
        }
    }
}

/// The file as written: each value with its type and place, before checks of the whole.
#[derive(Default)]
struct Draft {
    name: Option<At<String>>,
    rules: Vec<RulesDraft>,
    seats: Option<At<u64>>,
    rounds: Option<At<u64>>,
    games: Option<At<u64>>,
    seed: Option<At<String>>,
    public_seed: bool,
    hidden_names: bool,
    concurrency: u64,
    schedule: ScheduleDraft,
    stop: StopRules,
    stop_place: SourcePlace,
    /// The file as a whole.
    file: SourcePlace,
    anchor: Option<At<Anchor>>,
    options: Vec<(String, At<OptionValue>)>,
    time: TimeControl,
    clock: ClockMode,
    sandbox: Option<SandboxSettings>,
    agents: Vec<At<AgentSettings>>,
    declared: Vec<Declared>,
}

impl Draft {
    fn read(file: &str, top: &Reader<'_>, report: &mut ProblemCollector) -> Draft {
        top.refuse_unknown(&KEYS, report);
        let mut draft = Draft {
            name: top.text("name", 64, report),
            seats: top.number("seats", 2, MAX_SEATS as u64, report),
            rounds: top.number("rounds", 1, MAX_ROUNDS.into(), report),
            games: top.number("games_per_pairing", 1, MAX_GAMES, report),
            seed: top.text_or_number("seed", 200, report),
            public_seed: top.flag("public_seed", report).unwrap_or_default(),
            hidden_names: top.flag("hidden_names", report).unwrap_or_default(),
            concurrency: top.number("concurrency", 0, MAX_CONCURRENCY, report).map_or(0, |number| number.is),
            file: SourcePlace::whole(file),
            ..Draft::default()
        };
        match top.text("clock", 64, report) {
            None => {}
            Some(At { is, .. }) if is == "lockstep" => {}
            Some(At { is, .. }) if is == "live" => draft.clock = ClockMode::Live,
            Some(At { is, at }) => {
                report.add(&at, "clock", format!("expected \"lockstep\" or \"live\", found {is:?}"));
            }
        }
        if let Some(schedule) = top.table("schedule", report) {
            draft.schedule = ScheduleDraft::read(&schedule, report);
        }
        if let Some(stop) = top.table("stop", report) {
            (draft.stop, draft.stop_place) = (read_stop(&stop, report), stop.place().clone());
        }
        if let Some(anchor) = top.table("anchor", report) {
            draft.anchor = read_anchor(&anchor, report);
        }
        if let Some(options) = top.table("options", report) {
            draft.options = read_options(&options, report);
        }
        draft.rules = read_rules(top, report);
        if let Some(time) = top.table("time", report) {
            let (own, others) = match draft.clock {
                ClockMode::Lockstep => (&LOCKSTEP_KEYS[..], &LIVE_KEYS[..]),
                ClockMode::Live => (&LIVE_KEYS[..], &LOCKSTEP_KEYS[..]),
            };
            time.refuse_unknown(&[&TIME_KEYS, own, others].concat(), report);
            for key in others {
                if let Some(given) = time.number(key, 0, MAX_MS, report) {
                    let message = match draft.clock {
                        ClockMode::Lockstep => "only the live clock has it: clock = \"live\"",
                        ClockMode::Live => "the live clock has no bank: only move_ms counts (SPEC 7.13)",
                    };
                    report.add(&given.at, &time.path(key), message);
                }
            }
            let usual = TimeControl::default();
            let mut read = |key, low, usual| time.number(key, low, MAX_MS, report).map_or(usual, |number| number.is);
            draft.time = TimeControl {
                move_ms: read("move_ms", 1, usual.move_ms),
                bank_ms: read("bank_ms", 0, usual.bank_ms),
                increment_ms: read("increment_ms", 0, usual.increment_ms),
                start_ms: read("start_ms", 1, usual.start_ms),
                grace_ms: read("grace_ms", 1, usual.grace_ms),
                reaction_ms: read("reaction_ms", 1, usual.reaction_ms),
                closing_ms: read("closing_ms", 1, usual.closing_ms),
                count_ms: read("count_ms", 1, usual.count_ms),
            };
        }
        if let Some(sandbox) = top.table("sandbox", report) {
            draft.sandbox = Some(read_sandbox(&sandbox, report));
        }
        for agent in top.tables("agent", report) {
            agent.refuse_unknown(&AGENT_KEYS, report);
            draft.read_agent(&agent, report);
        }
        draft.report_missing(report);
        draft
    }

    fn read_agent(&mut self, agent: &Reader<'_>, report: &mut ProblemCollector) {
        let command = agent.text("command", MAX_COMMAND_CHARS, report);
        let parsed = command.as_ref().map(|command| AgentCommand::parse(&command.is));
        let directory = agent.text("directory", MAX_COMMAND_CHARS, report);
        let name = agent.text("name", 1_000, report);
        match (&command, &parsed) {
            (None, _) if !report.is_empty() => {}
            (None, _) => {
                report.add(
                    agent.place(),
                    &agent.path("command"),
                    "this key is required: command = \"python3 my_bot.py\"",
                );
            }
            (Some(command), Some(Err(error))) => report.add(&command.at, &agent.path("command"), error.to_string()),
            _ => {}
        }
        // The files of an agent that plays no more may be gone.
        let retired = agent.flag("retired", report).unwrap_or_default();
        if let Some(directory) = directory.as_ref().filter(|directory| !retired && !Path::new(&directory.is).is_dir()) {
            report.add(&directory.at, &agent.path("directory"), format!("there is no directory {:?}", directory.is));
        }
        let short = parsed.and_then(Result::ok).map(|command| command.short_name());
        let at = name.as_ref().or(command.as_ref()).map_or(agent.place(), |given| &given.at).clone();
        let is = AgentSettings {
            // An agent with neither a name nor a command is reported for its command.
            name: name.map(|name| name.is).or(short).unwrap_or_else(|| agent.path("name")),
            command: command.map(|command| command.is).unwrap_or_default(),
            directory: directory.map(|directory| directory.is),
            author: agent.text("author", 64, report).map(|author| author.is),
            permits: read_permits(agent, retired, report),
            life: Life {
                retired,
                disqualified: agent.flag("disqualified", report).unwrap_or_default(),
                ..Life::default()
            },
        };
        self.agents.push(At { is, at });
        self.declared.push(Declared {
            files: agent.texts("files", MAX_COMMAND_CHARS, report).into_iter().map(|file| file.is).collect(),
            version: agent.text("version", 64, report).map(|version| version.is),
            renamed_from: agent.text("renamed_from", 1_000, report).map(|name| name.is),
        });
    }

    fn report_missing(&self, report: &mut ProblemCollector) {
        if !report.is_empty() {
            return;
        }
        let missing = [
            (self.rules.is_empty(), "rules", "rules = \"skat\""),
            (self.seats.is_none(), "seats", "seats = 2"),
            // Whether a league needs it depends on its format, which depends on its agents.
            (self.games.is_none() && self.agents.is_empty(), "games_per_pairing", "games_per_pairing = 40"),
            (self.agents.is_empty(), "agent", "[[agent]] with name and command"),
        ];
        for (_, key, example) in missing.into_iter().filter(|(missing, ..)| *missing) {
            report.add(&self.file, key, format!("this key is required: {example}"));
        }
    }

    fn check(self, folder: &Path, report: &mut ProblemCollector) -> Option<LeagueFile> {
        let seed = self.seed.as_ref().map(|seed| (&seed.at, seed.is.parse::<GivenSeed>()));
        if let Some((at, Err(error))) = &seed {
            report.add(at, "seed", error.to_string());
        }
        self.report_look_alikes(report);
        let usual = self.rounds.as_ref().map(|rounds| rounds.is as u32);
        let rules = load_rules(&self.rules, &self.options, folder, report);
        let seats = self.seats.as_ref()?;
        let scheduled = self.check_plan(seats, report);
        let mut agents: Vec<AgentSettings> = self.agents.iter().map(|agent| agent.is.clone()).collect();
        if scheduled.as_ref().is_some_and(|league| league.ranked_by() != RankedBy::Tournament) {
            // Where games do not follow from its results, it leaves.
            agents.iter_mut().for_each(|agent| agent.life.retired |= agent.life.disqualified);
        }
        let rules = rules?;
        let by_itself = !self.schedule.names_format();
        let is_sample_by_itself = by_itself && scheduled.as_ref().is_some_and(|league| league.format == Format::Sample);
        let rounds = rounds_of(&rules, &self.rules, (&self.options, folder), seats, usual, report)?;
        let groups = scheduled.as_ref().map(League::groups);
        if let Some(At { is: Anchor { agent, .. }, at }) = &self.anchor
            && !self.agents.iter().any(|other| other.is.name == *agent)
        {
            let known = suggestion(agent, self.agents.iter().map(|other| other.is.name.as_str()));
            report.add(at, "anchor", format!("no agent is called {agent:?}{known}"));
        }
        let league = LeagueSettings {
            name: self.name.map_or_else(|| "league".to_owned(), |name| name.is),
            seats: seats.is as usize,
            rounds,
            games_per_pairing: scheduled.as_ref().map_or(0, |league| league.games_per_pairing),
            format: scheduled.map(|league| league.format).unwrap_or_default(),
            one_author_per_table: self.schedule.one_author_per_table(),
            allocation: self.schedule.allocation(),
            stop: self.stop,
            anchor: self.anchor.map(|anchor| anchor.is),
            time: self.time,
            clock: self.clock,
            sandbox: self.sandbox.unwrap_or(SandboxSettings::USUAL),
            public_seed: self.public_seed,
            hidden_names: self.hidden_names,
            shard: None,
            agents,
        };
        if let Some((at, Ok(GivenSeed { is_guessable: true, .. }))) = &seed
            && !self.public_seed
            && league.has_foreign_agents()
        {
            report.add(at, "seed", format!("{GUESSABLE}; or, if agents may know the cards, public_seed = true"));
        }
        Some(LeagueFile {
            league,
            rules,
            seed: seed.and_then(|(_, seed)| seed.ok()),
            concurrency: (self.concurrency > 0).then_some(self.concurrency as usize),
            sampled_of: groups.filter(|_| is_sample_by_itself),
            declared: self.declared,
        })
    }

    /// Reports names of agents and of authors that a reader could take for one another. Equal ones of agents are reported with the plan;
    /// those of authors are one author.
    fn report_look_alikes(&self, report: &mut ProblemCollector) {
        let (mut names, mut authors) = (BTreeMap::new(), BTreeMap::new());
        for At { is: AgentSettings { name, author, .. }, at } in &self.agents {
            let before: &String = names.entry(look(name)).or_insert(name);
            if before != name {
                let (name, before) = (spelled(name), spelled(before));
                let message = format!(
                    "the name {name} looks like {before}, which an agent before it has; give it one of its own"
                );
                report.add(at, "agent", message);
            }
            let Some(author) = author else { continue };
            let before: &String = authors.entry(look(author)).or_insert(author);
            if before != author {
                let (author, before) = (spelled(author), spelled(before));
                let message = format!(
                    "the author {author} looks like {before}, the author of an agent before it; write one author in one way"
                );
                report.add(at, "agent", message);
            }
        }
    }

    /// By agent, the number of its author; `None` if nobody names one, which is reported.
    fn authors(&self, report: &mut ProblemCollector) -> Option<Vec<Option<u16>>> {
        let of = |agent: &At<AgentSettings>| agent.is.author.clone();
        let first = |author: &String| self.agents.iter().position(|other| other.is.author.as_ref() == Some(author));
        if self.agents.iter().all(|agent| agent.is.author.is_none()) {
            let message = "no agent names its author; write author = \"…\" in [[agent]]";
            report.add(self.schedule.place(), "schedule.one_author_per_table", message);
            return None;
        }
        Some(self.agents.iter().map(|agent| of(agent).as_ref().and_then(first).map(|place| place as u16)).collect())
    }

    /// What decides who meets whom, unless something of it is wrong, which is reported.
    fn check_plan(&self, seats: &At<u64>, report: &mut ProblemCollector) -> Option<League> {
        if self.agents.is_empty() {
            // By now their absence has been reported, or follows from something reported.
            return None;
        }
        if self.agents.len() > MAX_AGENTS {
            report.add(&self.file, "agent", format!("{} agents; a league has at most {MAX_AGENTS}", self.agents.len()));
            return None;
        }
        let agents: Vec<String> = self.agents.iter().map(|agent| agent.is.name.clone()).collect();
        let mut league = League {
            agents,
            seats: seats.is as usize,
            allocation: self.schedule.allocation(),
            stop: self.stop.clone(),
            ..League::default()
        };
        league.rule_sets = self.rules.len().max(1);
        if self.schedule.one_author_per_table() {
            league.kept_apart = self.authors(report)?;
        }
        league.format = self.schedule.format(&league.agents, league.groups(), report)?;
        let games_place = self.games.as_ref().map_or(&self.file, |games| &games.at);
        league.games_per_pairing = match &self.games {
            Some(games) => games.is,
            None if league.has_own_length() => league.rotations(),
            None => {
                report.add(&self.file, "games_per_pairing", "this key is required: games_per_pairing = 40");
                return None;
            }
        };
        let plays = |life: &Life| !life.retired && !life.disqualified;
        let playing = self.agents.iter().filter(|agent| plays(&agent.is.life)).count();
        if playing < league.seats && playing < self.agents.len() {
            let all = self.agents.len();
            let message = match playing {
                0 => format!("all {all} agents have retired; let one of them play again, or add others"),
                _ => format!("{} of the {all} agents have retired, and the others fill no table", all - playing),
            };
            report.add(&seats.at, "seats", message);
        }
        let problems = match Plan::new(league.clone()) {
            Ok(_) => {
                if let Some(few) = hopeless(&league) {
                    report.add(&self.stop_place, "stop", in_words(few));
                    return None;
                }
                return Some(league);
            }
            Err(problems) => problems,
        };
        for problem in problems.0 {
            let at = match &problem {
                LeagueProblem::NoName { place }
                | LeagueProblem::LongName { place }
                | LeagueProblem::ControlInName { place }
                | LeagueProblem::NameTwice { place, .. } => &self.agents[*place].at,
                LeagueProblem::TooManyAgents { .. } => &self.file,
                LeagueProblem::RuleSets { .. } => self.rules.first().map_or(&self.file, |rules| &rules.at),
                LeagueProblem::Seats { .. } | LeagueProblem::TooFewAgents { .. } => &seats.at,
                LeagueProblem::Format { key, .. } if key.starts_with("stop.") => &self.stop_place,
                LeagueProblem::Format { .. } => self.schedule.place(),
                LeagueProblem::NoGames { .. }
                | LeagueProblem::NotEveryRotation { .. }
                | LeagueProblem::TooManyGames { .. } => games_place,
            };
            report.add(at, "", problem.to_string());
        }
        None
    }
}

/// Why a stop rule is refused that can never be met.
fn in_words(Hopeless { budget, enough }: Hopeless) -> String {
    let remedy = match enough {
        Some(games) => format!("about {games} would do for clear differences"),
        None => "four times as many games would not do either".to_owned(),
    };
    format!(
        "in the {budget} games that there are at most, not even agents that differ clearly would show what is asked for; {remedy}. \
         Have more games, or ask for less"
    )
}

/// The agent whose rating is given.
fn read_anchor(table: &Reader<'_>, report: &mut ProblemCollector) -> Option<At<Anchor>> {
    let values: Vec<_> = table.values().collect();
    let [(agent, _)] = values[..] else {
        report.add(table.place(), "anchor", "expected one agent and its rating: anchor = { greedy = 1500 }");
        return None;
    };
    let At { is: rating, at } = table.real(agent, report)?;
    if !RATINGS.contains(&rating) {
        let (low, high) = (RATINGS.start(), RATINGS.end());
        report.add(&at, "anchor", format!("expected a rating from {low} to {high}, found {rating}"));
        return None;
    }
    Some(At { is: Anchor { agent: agent.clone(), rating }, at })
}

fn read_sandbox(table: &Reader<'_>, report: &mut ProblemCollector) -> SandboxSettings {
    table.refuse_unknown(&SANDBOX_KEYS, report);
    let mut settings = SandboxSettings::USUAL;
    if let Some(level) = table.text("level", 100, report) {
        match level.is.parse() {
            Ok(known) => settings.level = known,
            Err(error) => {
                let known = suggestion(&level.is, SandboxLevel::ALL.map(SandboxLevel::name));
                report.add(&level.at, &table.path("level"), format!("{error}{known}"));
            }
        }
    }
    if let Some(memory) = table.number("memory_mib", 32, 1 << 20, report) {
        settings.memory_mib = memory.is;
    }
    settings
}

/// An agent's permissions. Whether secrets are set is checked before a run, not here: a league can be read without them.
fn read_permits(agent: &Reader<'_>, retired: bool, report: &mut ProblemCollector) -> PermitSettings {
    let mut permits =
        PermitSettings { network: agent.flag("network", report).unwrap_or_default(), ..PermitSettings::default() };
    if let Some(host) = agent.text("host", MAX_COMMAND_CHARS, report) {
        match check_host(&host.is) {
            Ok(()) => permits.host = Some(host.is),
            Err(expected) => report.add(&host.at, &agent.path("host"), expected.to_string()),
        }
    }
    let secrets = agent.texts("secrets", MAX_COMMAND_CHARS, report);
    if let Some(env) = agent.table("env", report) {
        for (name, value) in env.values() {
            let key = env.path(name);
            let text = env.text(name, MAX_COMMAND_CHARS, report);
            if let Err(expected) = check_variable(name) {
                report.add(&value.at, &key, expected.to_string());
            } else if secrets.iter().any(|secret| secret.is == *name) {
                report.add(&value.at, &key, "stands in secrets as well; leave one of them out");
            } else if let Some(text) = text {
                permits.env.insert(name.clone(), text.is);
            }
        }
    }
    for secret in secrets {
        match check_variable(&secret.is) {
            Ok(()) => _ = permits.secrets.insert(secret.is),
            // It may be the secret itself, so it is not quoted.
            Err(_) => report.add(
                &secret.at,
                &agent.path("secrets"),
                "expected names of environment variables, never their values: secrets = [\"API_KEY\"]",
            ),
        }
    }
    for path in agent.texts("read", MAX_COMMAND_CHARS, report) {
        if retired || Path::new(&path.is).exists() {
            permits.read.insert(path.is);
        } else {
            report.add(&path.at, &agent.path("read"), format!("there is no file or folder {:?}", path.is));
        }
    }
    permits
}

#[cfg(test)]
mod file_schema;
#[cfg(test)]
mod tests;
