//! The tables `[schedule]` and `[stop]` of a league file: who meets whom, and when the run ends. Whether they fit the league is
//! checked with the whole of it by `maumau-tournament`.

use maumau_places::{At, ProblemCollector, Reader, SourcePlace, suggestion};
use maumau_tournament::statistics::gsprt::score_of_points;
use maumau_tournament::statistics::sequential::MatchTest;
use maumau_tournament::{AgentId, Allocation, DecisionRule, Format, MAX_GAMES, Method, StopRules};

pub(super) const SCHEDULE_KEYS: [&str; 9] =
    ["format", "challengers", "rounds", "advance", "seeds", "round_games", "floor", "equal", "one_author_per_table"];
pub(super) const STOP_KEYS: [&str; 6] = ["width", "top", "ranking", "decision", "games", "minutes"];
pub(super) const DECISION_KEYS: [&str; 6] = ["mu0", "mu1", "points", "alpha", "beta", "method"];

/// A gigantic number of agents, rounds or minutes is a mistake.
const MANY: u64 = 1_000_000;

/// `[schedule]` as written; challengers and seeds are names.
#[derive(Default)]
pub(super) struct ScheduleDraft {
    format: Option<At<String>>,
    challengers: Vec<At<String>>,
    rounds: Option<At<u64>>,
    advance: Option<At<u64>>,
    seeds: Vec<At<String>>,
    round_games: Option<At<u64>>,
    floor: Option<At<f64>>,
    equal: Option<At<f64>>,
    one_author_per_table: bool,
    place: SourcePlace,
}

impl ScheduleDraft {
    pub(super) fn read(table: &Reader<'_>, report: &mut ProblemCollector) -> ScheduleDraft {
        table.refuse_unknown(&SCHEDULE_KEYS, report);
        ScheduleDraft {
            format: table.text("format", 100, report),
            challengers: table.texts("challengers", 1_000, report),
            rounds: table.number("rounds", 1, MANY, report),
            advance: table.number("advance", 1, MANY, report),
            seeds: table.texts("seeds", 1_000, report),
            round_games: table.number("round_games", 1, MANY, report),
            floor: table.real("floor", report),
            equal: table.real("equal", report),
            one_author_per_table: table.flag("one_author_per_table", report).unwrap_or_default(),
            place: table.place().clone(),
        }
    }

    /// True if the file says which format it is.
    pub(super) fn names_format(&self) -> bool {
        self.format.is_some()
    }

    /// True if agents of one author never sit at one table.
    pub(super) fn one_author_per_table(&self) -> bool {
        self.one_author_per_table
    }

    /// How the rounds of a sample or a ladder are filled.
    pub(super) fn allocation(&self) -> Allocation {
        let usual = Allocation::default();
        Allocation {
            round_games: self.round_games.as_ref().map(|games| games.is),
            floor: self.floor.as_ref().map_or(usual.floor, |floor| floor.is),
            equal: self.equal.as_ref().map_or(usual.equal, |equal| equal.is),
            ..usual
        }
    }

    /// The place of the table, to report what does not fit the league.
    pub(super) fn place(&self) -> &SourcePlace {
        &self.place
    }

    /// The format of a league of these agents; `groups` ways to fill a table make it a sample unless the file says otherwise.
    /// Reports keys that belong to another format, and unknown names.
    pub(super) fn format(&self, agents: &[String], groups: u64, report: &mut ProblemCollector) -> Option<Format> {
        let usual = if groups > MOST_GROUPS { "sample" } else { "round-robin" };
        let name = self.format.as_ref().map_or(usual, |format| &format.is);
        let at = self.format.as_ref().map_or(&self.place, |format| &format.at);
        if Format::NAMES.contains(&name) {
            self.report_foreign_keys(name, report);
        }
        Some(match name {
            "round-robin" => Format::RoundRobin,
            "sample" => Format::Sample,
            "gauntlet" => {
                Format::Gauntlet { challengers: named("schedule.challengers", &self.challengers, agents, report)? }
            }
            "match" => Format::Match,
            "swiss" => {
                let Some(rounds) = &self.rounds else {
                    report.add(at, "schedule.rounds", "a Swiss tournament needs this key: rounds = 7");
                    return None;
                };
                Format::Swiss { rounds: rounds.is as u32 }
            }
            "knock-out" | "double" => {
                let advance = self.advance.as_ref().map_or(1, |advance| advance.is as usize);
                let seeds = named("schedule.seeds", &self.seeds, agents, report)?;
                if name == "double" { Format::Double { advance, seeds } } else { Format::KnockOut { advance, seeds } }
            }
            "ladder" => Format::Ladder,
            unknown => {
                let known = suggestion(unknown, Format::NAMES);
                let names = Format::NAMES.join(", ");
                report.add(at, "schedule.format", format!("there is no format {unknown:?}{known} (known: {names})"));
                return None;
            }
        })
    }

    /// Reports keys that belong to other formats than the one called `name`.
    fn report_foreign_keys(&self, name: &str, report: &mut ProblemCollector) {
        let written = [
            ("challengers", self.challengers.first().map(|given| &given.at), "gauntlet"),
            ("rounds", self.rounds.as_ref().map(|given| &given.at), "swiss"),
            ("advance", self.advance.as_ref().map(|given| &given.at), "knock-out double"),
            ("seeds", self.seeds.first().map(|given| &given.at), "knock-out double"),
            ("round_games", self.round_games.as_ref().map(|given| &given.at), "sample ladder"),
            ("floor", self.floor.as_ref().map(|given| &given.at), "sample ladder"),
            ("equal", self.equal.as_ref().map(|given| &given.at), "sample ladder"),
        ];
        for (key, at, formats) in written {
            if let Some(at) = at.filter(|_| !formats.split(' ').any(|of| of == name)) {
                let message = format!("belongs to the format {}, and this is {name}", formats.replace(' ', " or "));
                report.add(at, &format!("schedule.{key}"), message);
            }
        }
    }
}

/// The agents that `key` lists by their names; `None` if a name is unknown, which is reported.
fn named(key: &str, names: &[At<String>], agents: &[String], report: &mut ProblemCollector) -> Option<Vec<AgentId>> {
    let mut listed = Vec::new();
    let mut all_known = true;
    for name in names {
        match agents.iter().position(|agent| *agent == name.is) {
            Some(place) if listed.contains(&AgentId(place as u16)) => {
                report.add(&name.at, key, format!("{:?} stands there twice", name.is));
            }
            Some(place) => listed.push(AgentId(place as u16)),
            None => {
                let known = suggestion(&name.is, agents.iter().map(String::as_str));
                report.add(&name.at, key, format!("no agent is called {:?}{known}", name.is));
                all_known = false;
            }
        }
    }
    all_known.then_some(listed)
}

/// Above so many groups a league without a format is a sample of them.
const MOST_GROUPS: u64 = 1_000;

/// `[stop]`.
pub(super) fn read_stop(table: &Reader<'_>, report: &mut ProblemCollector) -> StopRules {
    table.refuse_unknown(&STOP_KEYS, report);
    let decision = table.table("decision", report);
    StopRules {
        width: table.real("width", report).map(|width| width.is),
        top: table.number("top", 1, MANY, report).map(|top| top.is as usize),
        ranking: table.flag("ranking", report).unwrap_or_default(),
        decision: decision.and_then(|decision| read_decision(&decision, report)),
        games: table.number("games", 1, MAX_GAMES, report).map(|games| games.is),
        minutes: table.number("minutes", 1, MANY, report).map(|minutes| minutes.is),
    }
}

fn read_decision(table: &Reader<'_>, report: &mut ProblemCollector) -> Option<DecisionRule> {
    table.refuse_unknown(&DECISION_KEYS, report);
    let [points, mu0, mu1] = ["points", "mu0", "mu1"].map(|key| table.real(key, report).map(|number| number.is));
    if points.is_some() && (mu0.is_some() || mu1.is_some()) {
        report.add(
            table.place(),
            &table.path("points"),
            "says the same as mu0 and mu1 in rating points; leave out one of them",
        );
    }
    let mu0 = mu0.unwrap_or(0.5);
    let mu1 = match (mu1, points) {
        (Some(mu1), _) => mu1,
        (None, Some(points)) => score_of_points(points),
        (None, None) => {
            report.add(table.place(), &table.path("mu1"), "this key is required, or points: mu1 = 0.53, points = 20");
            return None;
        }
    };
    let method = match table.text("method", 100, report).as_ref().map(|method| (&*method.is, &method.at)) {
        None | Some(("betting", _)) => Method::Betting,
        Some(("gsprt", _)) => Method::Gsprt,
        Some((other, at)) => {
            report.add(at, &table.path("method"), format!("expected \"betting\" or \"gsprt\", found {other:?}"));
            return None;
        }
    };
    let [alpha, beta] = ["alpha", "beta"].map(|key| table.real(key, report).map_or(0.05, |number| number.is));
    Some(DecisionRule { test: MatchTest { mu0, mu1, alpha, beta }, method })
}
