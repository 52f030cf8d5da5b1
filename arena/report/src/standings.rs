//! The tables of a tournament: standings, head-to-head results, times. It reads the run file and returns text; scores
//! and ratings are computed by `maumau-tournament`.
//!
//! Everything except the times depends on the games alone, so equal games give equal bytes; if the host made deadlines void, a
//! line says so.

use std::collections::BTreeMap;

use maumau_protocol::message::ClockMode;
use maumau_protocol::{Permits, SandboxLevel};
use maumau_run::io::format::counted;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_run::run_store::{AgentSettings, Anchor, RunFile, SeatTimes, Shard, TimeTotals};
use maumau_tournament::{RankedBy, Row, Standings, fixed};
use serde_json::json;

use super::by_author::{self, OfAuthor};
use super::estimates::Estimates;
use super::model_use::{self, ModelUse};
use super::ranking::RATED_GAMES;
use super::schedule::{self, ScheduleReport};
use super::score_tables::{SCORE, ScoreTables, authors_sheet, luck_in_words, seats_sheet};
use super::tables::{Sheet, TableLook};
use super::{ranking, tournament_tables};

/// What a reader of standings must know where speed counted.
pub const LIVE: &str =
    "The clock was live: speed counted, of agents and of this machine, and playing the run again gives other games.";

/// What everybody must know of a run whose seed is public.
pub const PUBLIC_SEED: &str = "The seed is public (public_seed): agents may know every card.";

/// How much is drawn for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Who is best: the order of a tournament, standings and ratings, and what a reader must know of them.
    Main,
    /// Also who did what against whom, on which seat and by which rules.
    All,
}

/// A tournament as far as it has been played.
pub struct StandingsReport {
    league: String,
    /// By rule set, its name and the rounds of a game.
    rules: Vec<(String, u32)>,
    seats: usize,
    sandbox: SandboxLevel,
    /// Agents with extra permissions, and those permissions.
    permits: Vec<(String, Permits)>,
    /// The authors that agents name.
    authors: Vec<String>,
    /// Agents that play no more.
    retired: Vec<String>,
    /// Agents that have no place.
    disqualified: Vec<String>,
    /// Which part of the games the run plays, if not all.
    shard: Option<Shard>,
    clock: ClockMode,
    /// True if agents may know the cards.
    public_seed: bool,
    /// What a reader must know of the order of the tables.
    remark: Option<&'static str>,
    /// The agent whose rating is given.
    anchor: Option<Anchor>,
    /// By author, what its agents have done together.
    by_author: Vec<OfAuthor>,
    /// Of all games.
    tables: ScoreTables,
    /// By rule set, of its games; empty if there is only one.
    by_rules: Vec<ScoreTables>,
    /// Present in formats with an order of their own, and in a match.
    schedule: Option<ScheduleReport>,
    /// In the order of the rows, if requested.
    times: Option<Vec<SeatTimes>>,
    /// Deadlines that did not count because the host was to blame.
    void: u64,
    /// What agents that ask language models have used.
    models: Vec<ModelUse>,
}

impl StandingsReport {
    /// Reads a run file; `times` only if requested, since they differ between two runs of the same games; `ratings` for any
    /// number of games.
    ///
    /// # Errors
    /// The run file cannot be read.
    pub fn of(run: &RunFile, times: bool, ratings: bool) -> anyhow::Result<StandingsReport> {
        let (tally, totals) = run.tally()?;
        let standings = run.plan.standings(&tally);
        let settings = &run.plan.settings;
        // Where ratings order the tables, they are computed however long it takes.
        let orders = settings.league.ranked_by() == RankedBy::Rating && standings.games > 0;
        let wanted = ratings || orders || (1..=RATED_GAMES).contains(&standings.games);
        let names_of_rules = settings.rule_names();
        let estimates = if wanted { Estimates::of(&run.results()?, &settings.league) } else { None };
        let estimates = estimates.map(|estimates| estimates.by(names_of_rules.len()));
        let has_schedule = schedule::has_schedule(&settings.league.format);
        let orders = settings.league.ranked_by() == RankedBy::Tournament;
        let schedule = if has_schedule && (wanted || orders) {
            Some(ScheduleReport::of(&run.scheduler()?, ranking::tournament_of(run)?))
        } else {
            None
        };
        let tournament = schedule.as_ref().and_then(|schedule| schedule.tournament.as_ref());
        let mut by_rules = Vec::new();
        if names_of_rules.len() > 1 {
            let results = if wanted { run.results_by_rules()? } else { Vec::new() };
            by_rules.extend((0..names_of_rules.len()).map(|set| {
                let estimates = results.get(set).and_then(|games| Estimates::of(games, &settings.league));
                ScoreTables::new(run.plan.standings_by(&tally, set), estimates, &settings.league, None)
            }));
        }
        let tables = ScoreTables::new(standings, estimates, &settings.league, tournament);
        let times = times.then(|| by_row(&tables.standings, &totals, &settings.league));
        let permitted = settings.league.agents.iter().filter(|agent| !agent.permits.is_empty());
        Ok(StandingsReport {
            league: settings.league.name.clone(),
            rules: names_of_rules.into_iter().zip(settings.league.rounds.iter().copied()).collect(),
            seats: settings.league.seats,
            sandbox: settings.league.sandbox.level,
            shard: settings.league.shard,
            authors: settings.league.authors().0,
            clock: settings.league.clock,
            public_seed: settings.league.cards_may_be_known(),
            retired: names(&settings.league.agents, |agent| agent.life.retired && !agent.life.disqualified),
            disqualified: names(&settings.league.agents, |agent| agent.life.disqualified),
            permits: permitted.map(|agent| (agent.name.clone(), agent.permits.named())).collect(),
            remark: ranking::remark(tables.standings.ranked_by, settings.league.ranked_by()),
            anchor: settings.league.anchor.clone(),
            by_author: by_author::by_author(&tables, &settings.league),
            tables,
            by_rules,
            schedule,
            times,
            void: totals.agents().iter().map(|times| times.void).sum(),
            models: model_use::of(run)?,
        })
    }

    /// The tables, for people.
    pub fn draw(&self, look: TableLook, selection: Selection) -> String {
        let Standings { games, planned, deals, .. } = &self.tables.standings;
        let title = |text: &str| title(text, look);
        let league = look.shown(Untrusted::new(&self.league));
        let (rules, rounds) = (self.rules_text(look), self.rounds_text());
        let progress = match games == planned {
            true => counted(*games, "game"),
            false => format!("{games} of {}", counted(*planned, "game")),
        };
        let mut text = title(&format!(
            "{league}: {progress} of {rules} at tables of {}, {rounds}, {}",
            self.seats,
            counted(*deals, "deal")
        ));
        if let Some(ScheduleReport { agents, tournament: Some(tournament), .. }) = &self.schedule {
            text +=
                &title(if tournament.is_over { "Order of the tournament" } else { "Order of the tournament so far" });
            text += &tournament_tables::order_sheet(tournament, agents).draw(look);
            text.push('\n');
            if selection == Selection::All {
                text += &title("Its rounds");
                text += &tournament_tables::rounds_sheet(tournament, agents).draw(look);
                text.push('\n');
            }
            text += &title("Scores of all its games");
        }
        text += &self.tables.standings_sheet().draw(look);
        text.push('\n');
        self.remark.iter().for_each(|remark| text += &sentence(remark));
        if !self.disqualified.is_empty() {
            let names: Vec<String> = self.disqualified.iter().map(|name| look.shown(Untrusted::new(name))).collect();
            text += &sentence(&ranking::disqualified_in_words(&names));
        }
        for line in self.schedule.iter().flat_map(|schedule| schedule.lines(look)) {
            text += &sentence(&line);
        }
        text += &sentence(
            "Score: the share of the other seats left behind, 1 = always first.\n\
             Interval: 95 %, clustered by deal. Points: a game. Rounds: won of played.",
        );
        text += &self.unwon_text(look).map(|text| sentence(&text)).unwrap_or_default();
        match &self.tables.estimates {
            Some(Estimates { ratings, .. }) => {
                text += &title("Ratings from all games together");
                text += &self.tables.ratings_sheet(ratings, look).draw(look);
                text.push('\n');
                let scale = match &self.anchor {
                    Some(Anchor { agent, rating }) => format!("{} = {rating}", look.shown(Untrusted::new(agent))),
                    None => "1500 = mean of these agents".to_owned(),
                };
                text += &sentence(&format!(
                    "Rating: {scale}, 400 points = odds of 10 to 1 to be ahead.\n\
                     Rank: those that the games do not rule out (Holm, 5 % for all pairs together).\n\
                     Expected: the score against all others."
                ));
                if ratings.parts.len() > 1 {
                    text += &sentence(&self.tables.parts(ratings, look));
                }
            }
            None if *games > 0 => text += &sentence("--ratings also rates the agents, for which all games are read."),
            None => {}
        }
        if self.void > 0 {
            let was = if self.void == 1 { "was" } else { "were" };
            let what = counted(self.void, "deadline");
            text += &sentence(&format!(
                "{what} {was} void: the host was to blame, and the agents were asked again (--times lists them)."
            ));
        }
        if self.public_seed {
            text += &sentence(PUBLIC_SEED);
        }
        if self.clock == ClockMode::Live {
            text += &sentence(LIVE);
        }
        if let Some(shard) = self.shard {
            text +=
                &sentence(&format!("Part {shard} of the games; `maumau tournament merge` puts the parts together."));
        }
        if !self.retired.is_empty() {
            let names: Vec<String> = self.retired.iter().map(|name| look.shown(Untrusted::new(name))).collect();
            text += &sentence(&format!("Retired: {}.", names.join(", ")));
        }
        match selection {
            Selection::Main => text += &sentence(&self.rest_in_words()),
            Selection::All => text += &self.draw_rest(look),
        }
        if let Some(times) = &self.times {
            text += &title(&format!("Time used (sandbox {})", self.sandbox));
            text += &self.times_sheet(times).draw(look);
        }
        text.truncate(text.trim_end().len());
        text + "\n"
    }

    /// The tables that [`Selection::All`] adds.
    fn draw_rest(&self, look: TableLook) -> String {
        let title = |text: &str| title(text, look);
        let mut text = String::new();
        for (name, permits) in &self.permits {
            let [name, permits] = [name, &permits.to_string()].map(|text| look.shown(Untrusted::new(text)));
            text += &sentence(&format!("Permitted to {name}: {permits}."));
        }
        text += &title("Score of each agent against each other");
        text += &self.tables.cross_sheet(|encounter, _, _| Some(fixed(encounter.mean_score, SCORE))).draw(look);
        if let Some(estimates) = &self.tables.estimates {
            text.push('\n');
            text += &title("The same in percent, 95 % intervals clustered by deal");
            text += &self.tables.draw_encounters(estimates, look);
            text.push('\n');
            text += &title(&format!("Seats over {}", counted(estimates.seats.deals, "deal")));
            text += &seats_sheet(&estimates.seats, look).draw(look);
            text.push('\n');
            text += &sentence(&self.tables.checks(estimates, look));
        } else {
            text.push('\n');
        }
        if let Some(estimates) = self.tables.estimates.as_ref().filter(|estimates| !estimates.together.is_empty()) {
            text += &title("Agents of one author together");
            text += &authors_sheet(&estimates.together, &self.authors).draw(look);
            text.push('\n');
            text += &sentence(
                "Gain: the score against others in games where two or more agents of the author sat together, less what the\n\
                 ratings expect, minus the same where one of them sat alone. p: if together changed nothing.",
            );
        }
        for ((name, rounds), tables) in self.rules.iter().zip(&self.by_rules) {
            let Standings { games, deals, .. } = &tables.standings;
            let counts = format!("{}, {}", counted(*games, "game"), counted(*deals, "deal"));
            let rounds = counted(*rounds, "round");
            text += &title(&format!("By {} alone: {counts}, {rounds} a game", look.shown(Untrusted::new(name))));
            text += &tables.standings_sheet().draw(look);
            text.push('\n');
            match &tables.estimates {
                Some(estimates) => {
                    text += &tables.ratings_sheet(&estimates.ratings, look).draw(look);
                    text.push('\n');
                    if estimates.ratings.parts.len() > 1 {
                        text += &sentence(&tables.parts(&estimates.ratings, look));
                    }
                    text += &tables.draw_encounters(estimates, look);
                    text += &luck_in_words(&estimates.luck).map(|words| format!("\n{words}\n")).unwrap_or_default();
                }
                None => {
                    text += &tables.cross_sheet(|encounter, _, _| Some(fixed(encounter.mean_score, SCORE))).draw(look)
                }
            }
            text.push('\n');
        }
        if !self.models.is_empty() {
            text += &title("What language models used, as their notes say");
            text += &model_use::draw(&self.models, look);
            text.push('\n');
        }
        text
    }

    /// What the tables hold that [`Selection::Main`] leaves out.
    fn rest_in_words(&self) -> String {
        let is_tournament = self.schedule.as_ref().is_some_and(|schedule| schedule.tournament.is_some());
        let estimates = self.tables.estimates.as_ref();
        let parts = [
            (is_tournament, "rounds"),
            (true, "cross-tables"),
            (estimates.is_some(), "seats"),
            (estimates.is_some(), "checks"),
            (estimates.is_some_and(|estimates| !estimates.together.is_empty()), "authors"),
            (!self.by_rules.is_empty(), "each rule set"),
            (!self.models.is_empty(), "models"),
            (!self.permits.is_empty(), "permits"),
        ];
        let parts: Vec<&str> = parts.iter().filter(|(is_there, _)| *is_there).map(|(_, part)| *part).collect();
        let times = if self.times.is_none() { "; --times adds times" } else { "" };
        textwrap::fill(&format!("--all adds {}{times}.", parts.join(", ")), 80)
    }

    /// The standings, and the times if requested, as comma-separated values: unrounded, a line for each agent; then, of several
    /// rule sets, those of each.
    pub fn csv(&self) -> String {
        let faults = self.tables.faults();
        let mut sheet = Sheet::default();
        sheet.number_column("place").text_column("agent").number_column("games").number_column("deals");
        for name in ["wins", "score", "std_error", "low", "high", "points", "rounds", "rounds_won", "rounds_unwon"] {
            sheet.number_column(name);
        }
        for name in ["rating", "rating_error", "rating_low", "rating_high", "rank_best", "rank_worst"] {
            sheet.number_column(name);
        }
        faults.iter().for_each(|fault| _ = sheet.number_column(fault.name()));
        sheet.number_column("dismissals");
        if self.times.is_some() {
            ["answers", "took_us", "late", "void"].iter().for_each(|name| _ = sheet.number_column(name));
        }
        sheet.text_column("rules");
        let joint = self.rules.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" ");
        for (place, mut cells) in self.tables.csv_rows(&faults).enumerate() {
            if let Some(times) = &self.times {
                let SeatTimes { answers, took_us, late, void } = times[place];
                cells.extend([answers, took_us, late, void].map(|number| number.to_string()));
            }
            cells.push(joint.clone());
            sheet.row(cells);
        }
        // Times are not kept apart by rule set.
        let no_times = if self.times.is_some() { 4 } else { 0 };
        for ((name, _), tables) in self.rules.iter().zip(&self.by_rules) {
            for mut cells in tables.csv_rows(&faults) {
                cells.extend(std::iter::repeat_n(String::new(), no_times).chain([name.clone()]));
                sheet.row(cells);
            }
        }
        sheet.csv()
    }

    /// The authors alone, as comma-separated values, unrounded.
    pub fn authors_csv(&self) -> String {
        by_author::sheet(&self.by_author, false).csv()
    }

    /// The authors alone, for people.
    pub fn draw_authors(&self, look: TableLook) -> String {
        by_author::sheet(&self.by_author, true).draw(look)
    }

    /// The authors alone, as JSON.
    ///
    /// # Errors
    /// A number has no JSON form.
    pub fn authors_json(&self) -> anyhow::Result<String> {
        let report = json!({
            "schema": "maumau-authors/1",
            "league": self.league,
            "by_author": by_author::json(&self.by_author),
        });
        Ok(untrusted::json(&report)? + "\n")
    }

    /// True if an agent names its author.
    pub fn has_authors(&self) -> bool {
        !self.by_author.is_empty()
    }

    /// The names of the rule sets, for people.
    fn rules_text(&self, look: TableLook) -> String {
        let names: Vec<String> = self.rules.iter().map(|(name, _)| look.shown(Untrusted::new(name))).collect();
        names.join(", ")
    }

    /// The rounds that nobody won, in all and by agent (G-23).
    fn unwon_text(&self, look: TableLook) -> Option<String> {
        let standings = &self.tables.standings;
        let of_agent = |row: &Row| format!("{} {}", look.shown(Untrusted::new(&row.name)), row.rounds_unwon);
        let agents: Vec<String> = standings.rows.iter().filter(|row| row.rounds_unwon > 0).map(of_agent).collect();
        let rounds = counted(standings.rounds_unwon, "round");
        (!agents.is_empty()).then(|| {
            let agents = agents.join(", ");
            let text =
                format!("Nobody won {rounds}, as at the turn cap ({agents}); there the hands decide the places.");
            textwrap::fill(&text, 80)
        })
    }

    /// How many rounds a game has, by whichever rule set.
    fn rounds_text(&self) -> String {
        match &self.rules[..] {
            [(_, first), others @ ..] if others.iter().all(|(_, rounds)| rounds == first) => {
                format!("{} a game", counted(*first, "round"))
            }
            [others @ .., (_, last)] => {
                let others: Vec<String> = others.iter().map(|(_, rounds)| rounds.to_string()).collect();
                format!("{} and {last} rounds a game", others.join(", "))
            }
            [] => String::new(),
        }
    }

    /// Everything, as one JSON object on one line.
    ///
    /// # Errors
    /// A number has no JSON form.
    pub fn json(&self) -> anyhow::Result<String> {
        let mut report = json!({
            "schema": "maumau-standings/1",
            "league": self.league,
            "rules": self.rules.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "),
            "rule_sets": self.rules.iter().map(|(name, rounds)| json!({"rules": name, "rounds": rounds})).collect::<Vec<_>>(),
            "seats": self.seats,
            "clock": self.clock,
            "public_seed": self.public_seed,
            "rounds": self.rules.first().map(|(_, rounds)| rounds).filter(|_| self.rules.len() == 1),
            "standings": self.tables.standings,
            "anchor": self.anchor.as_ref().map(|anchor| json!({"agent": anchor.agent, "rating": anchor.rating})),
            "retired": self.retired,
            "disqualified": self.disqualified,
            "permits": self.permits.iter().cloned().collect::<BTreeMap<_, _>>(),
        });
        if !self.models.is_empty() {
            report["models"] = serde_json::to_value(&self.models)?;
        }
        if let Some(schedule) = &self.schedule {
            schedule.json(&mut report);
        }
        self.tables.json(&mut report);
        for together in self.tables.estimates.iter().flat_map(|estimates| &estimates.together) {
            report["authors"][&self.authors[together.author]] = json!({
                "deals_together": together.together,
                "deals_alone": together.alone,
                "gain": together.effect,
                "std_error": together.std_error,
                "interval": together.interval,
                "p": together.p,
            });
        }
        for ((name, rounds), tables) in self.rules.iter().zip(&self.by_rules) {
            let mut of_set = json!({"rules": name, "rounds": rounds, "standings": tables.standings});
            tables.json(&mut of_set);
            report["by_rules"][name] = of_set;
        }
        if let Some(times) = &self.times {
            let rows = self.tables.standings.rows.iter().zip(times);
            report["times"] = rows
                .map(|(row, times)| {
                    let SeatTimes { answers, took_us, late, void } = times;
                    json!({"name": row.name, "answers": answers, "took_us": took_us, "late": late, "void": void})
                })
                .collect();
        }
        Ok(untrusted::json(&report)? + "\n")
    }

    fn times_sheet(&self, times: &[SeatTimes]) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.text_column("agent");
        for name in ["answers", "seconds", "ms/answer", "late", "void"] {
            sheet.number_column(name);
        }
        for (row, times) in self.tables.standings.rows.iter().zip(times) {
            let per_answer = times.took_us as f64 / 1e3 / times.answers.max(1) as f64;
            sheet.row(vec![
                row.name.clone(),
                times.answers.to_string(),
                fixed(times.took_us as f64 / 1e6, 2),
                fixed(per_answer, 3),
                times.late.to_string(),
                times.void.to_string(),
            ]);
        }
        sheet
    }
}

fn title(text: &str, look: TableLook) -> String {
    match look {
        TableLook::Markdown => format!("## {text}\n\n"),
        TableLook::Lines | TableLook::Ascii => format!("{text}\n\n"),
    }
}

fn sentence(text: &str) -> String {
    format!("{text}\n\n")
}

/// The names of those agents.
fn names(agents: &[AgentSettings], which: impl Fn(&AgentSettings) -> bool) -> Vec<String> {
    agents.iter().filter(|agent| which(agent)).map(|agent| agent.name.clone()).collect()
}

/// The times in the order of the standings.
fn by_row(
    standings: &Standings,
    totals: &TimeTotals,
    league: &maumau_run::run_store::LeagueSettings,
) -> Vec<SeatTimes> {
    let time_of = |name: &str| {
        let place = league.agents.iter().position(|agent| agent.name == name);
        place.and_then(|place| totals.agents().get(place).copied()).unwrap_or_default()
    };
    standings.rows.iter().map(|row| time_of(&row.name)).collect()
}
