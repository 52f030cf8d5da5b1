//! The conditions of a simulated run. It draws them from a seed and decides nothing later.

use anyhow::{Result, anyhow};
use maumau_engine::ChoiceStream;
use maumau_engine::rules::{load_built_in, parse_setting};
use maumau_engine::seed_of_number;
use maumau_protocol::message::{ClockMode, TimeControl};
use maumau_protocol::ruleset::RuleSet;
use maumau_run::run_store::{RunPlan, RunSettings};
use maumau_tournament::{Allocation, Format, StopRules};
use serde_json::json;

use super::script::ScriptKind;

/// Rule sets with options that keep rounds short.
const TABLES: [(&str, &[&str]); 12] = [
    ("basic", &["deal.cards=3", "turn_cap=60"]),
    ("basic", &["deal.cards=5", "turn_cap=60", "mau=called", "rounds=2"]),
    ("basic", &["deal.cards=4", "turn_cap=40", "function_any=out_of_turn", "slow_cards=0"]),
    ("basic", &["deal.cards=2", "turn_cap=30", "strict=true", "misplay=1"]),
    ("skat", &["deal.cards=3", "turn_cap=60", "rounds=2"]),
    ("skat", &["deal.cards=4", "turn_cap=40", "extra_rules=on", "rounds=1"]),
    ("deluxe", &["deal.cards=3", "turn_cap=40", "rounds=1"]),
    ("snap", &["deal.cards=3", "turn_cap=40", "rounds=1"]),
    ("snap", &["deal.cards=2", "turn_cap=30", "rounds=1", "dealing=dealer", "strict=true"]),
    ("spam", &["deal.cards=3", "turn_cap=40", "rounds=1"]),
    ("spam", &["deal.cards=2", "turn_cap=30", "rounds=1", "strict=true"]),
    ("basic", &["deal.cards=7", "turn_cap=200"]),
];

/// The rule sets of simulated runs.
///
/// # Errors
/// A set cannot be loaded.
pub(super) fn rule_sets() -> Result<Vec<RuleSet>> {
    let load = |(name, settings): &(&str, &[&str])| {
        let settings: Result<Vec<_>, _> = settings.iter().map(|setting| parse_setting(setting)).collect();
        let loaded = load_built_in(name, &settings.map_err(|error| anyhow!("{name}: {error}"))?);
        loaded.map(|loaded| loaded.set).map_err(|problems| anyhow!("{problems}"))
    };
    TABLES.iter().map(load).collect()
}

/// The conditions of one run.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    pub(super) set: usize,
    pub(super) seats: usize,
    /// By agent.
    pub(super) kinds: Vec<ScriptKind>,
    pub(super) clock: ClockMode,
    pub(super) time: TimeControl,
    /// Games at once.
    pub(super) at_once: usize,
    /// True if the arena is stopped now and then.
    pub(super) stalls: bool,
    /// Maximum number of crashes.
    pub(super) crashes: u64,
    /// One in this many commits fails.
    pub(super) disk_fails_one_in: u64,
    pub(super) seed: u64,
}

/// Maximum games of one run.
const MOST_GAMES: u64 = 36;

impl Conditions {
    pub(super) fn draw(sets: &[RuleSet], dice: &mut ChoiceStream<'_>) -> Conditions {
        let set = dice.number_below(sets.len() as u64) as usize;
        let fewest = u64::from(sets[set].seats.min);
        let seats = (fewest + dice.number_below(3)).min(u64::from(sets[set].seats.max)).min(4);
        let others = if seats == 4 { dice.number_below(2) } else { dice.number_below(3) };
        let stalls = dice.one_in(4);
        let kinds = (0..seats + others).map(|_| draw_kind(stalls, dice)).collect();
        let clock = if dice.one_in(6) { ClockMode::Live } else { ClockMode::Lockstep };
        let crashes = if dice.one_in(2) { dice.number_below(3) } else { 0 };
        Conditions {
            set,
            seats: seats as usize,
            kinds,
            clock,
            time: TimeControl {
                move_ms: *dice.pick(&[20, 50, 200, 1_000]),
                bank_ms: *dice.pick(&[0, 0, 30, 500]),
                increment_ms: *dice.pick(&[0, 0, 3]),
                start_ms: 1_000,
                grace_ms: 8,
                reaction_ms: 4,
                closing_ms: 12,
                count_ms: 20,
            },
            at_once: *dice.pick(&[1, 2, 4]),
            stalls,
            crashes,
            disk_fails_one_in: if crashes > 0 { 8 } else { u64::MAX },
            seed: dice.any(),
        }
    }

    pub(super) fn is_live(&self) -> bool {
        self.clock == ClockMode::Live
    }

    /// The run itself.
    ///
    /// # Errors
    /// The conditions are contradictory.
    pub(super) fn plan(&self, set: &RuleSet) -> Result<RunPlan> {
        let agents: Vec<_> = self
            .kinds
            .iter()
            .enumerate()
            .map(|(index, kind)| json!({"name": format!("{kind:?} {index}"), "command": "scripted"}))
            .collect();
        let groups = binomial(self.kinds.len() as u64, self.seats as u64);
        let deals = (MOST_GAMES / (groups * self.seats as u64)).clamp(1, 3);
        let league = json!({
            "name": "simulation",
            "seats": self.seats,
            "rounds": set.scoring.rounds,
            "games_per_pairing": deals * self.seats as u64,
            "format": Format::default(),
            "allocation": Allocation::default(),
            "stop": StopRules::default(),
            "sandbox": {"level": "none", "memory_mib": 512},
            "time": self.time,
            "agents": agents,
        });
        RunPlan::new(RunSettings {
            league: serde_json::from_value(league)?,
            rules: vec![set.clone()],
            seed: seed_of_number(self.seed),
            engine: maumau_engine::VERSION.to_owned(),
        })
    }
}

/// Good and bad agents. If the arena itself is stopped, no agent is starved as well: together they could take more time than an
/// ask has in all.
fn draw_kind(stalls: bool, dice: &mut ChoiceStream<'_>) -> ScriptKind {
    if dice.one_in(3) {
        return *dice.pick(&ScriptKind::BAD);
    }
    match *dice.pick(&ScriptKind::GOOD) {
        ScriptKind::Starved if stalls => ScriptKind::Honest,
        kind => kind,
    }
}

fn binomial(all: u64, chosen: u64) -> u64 {
    (0..chosen).fold(1, |ways, index| ways * (all - index) / (index + 1))
}
