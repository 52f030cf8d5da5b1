//! What only some formats have: a tournament with rounds, and how a match stands. It takes them from the scheduler and draws no
//! tables.

use maumau_run::io::format::counted;
use maumau_run::io::untrusted::Untrusted;
use maumau_tournament::statistics::Interval;
use maumau_tournament::{Format, Method, Scheduler, TournamentResult, fixed};
use serde_json::{Value, json};

use super::tables::TableLook;
use super::tournament_tables;

/// True for formats of which a scheduler knows more than scores.
pub(super) fn has_schedule(format: &Format) -> bool {
    matches!(format, Format::Match | Format::Swiss { .. } | Format::KnockOut { .. } | Format::Double { .. })
}

/// What a scheduler knows beyond scores.
pub(super) struct ScheduleReport {
    pub(super) agents: Vec<String>,
    /// A knock-out or a Swiss tournament.
    pub(super) tournament: Option<TournamentResult>,
    match_: Option<MatchReport>,
}

struct MatchReport {
    mean: f64,
    deals: u64,
    sequence: Interval,
    /// The decision that was asked for.
    asked: Option<Asked>,
}

struct Asked {
    method: Method,
    mu0: f64,
    mu1: f64,
    decided: Option<(&'static str, u64)>,
    /// How near each decision is, 1 for reached.
    progress: [f64; 2],
}

impl ScheduleReport {
    /// What `scheduler` knows, and its `tournament` as it is shown.
    pub(super) fn of(scheduler: &Scheduler, tournament: Option<TournamentResult>) -> ScheduleReport {
        let plan = scheduler.plan();
        let agents = plan.agents().map(|agent| plan.name(agent).to_owned()).collect();
        let match_ = scheduler.match_state().and_then(|state| {
            let asked = state.decision().zip(state.progress()).map(|(decision, progress)| Asked {
                method: decision.method,
                mu0: decision.test.mu0,
                mu1: decision.test.mu1,
                decided: state.decided().map(|(verdict, deals)| (verdict.name(), deals)),
                progress,
            });
            Some(MatchReport { mean: state.mean()?, deals: state.deals, sequence: state.sequence(), asked })
        });
        ScheduleReport { agents, tournament, match_ }
    }

    /// How a match stands, in sentences for people.
    pub(super) fn lines(&self, look: TableLook) -> Vec<String> {
        let shown = |agent: usize| look.shown(Untrusted::new(&self.agents[agent]));
        let mut lines = Vec::new();
        let Some(MatchReport { mean, deals, sequence, asked }) = &self.match_ else { return lines };
        let (first, second) = (shown(0), shown(1));
        let three = |value: &f64| fixed(*value, 3);
        let deals = counted(*deals, "deal");
        lines.push(format!(
            "{first} is ahead of {second} in {} of all comparisons, deal by deal; {}-{} holds at every look together, with 95 %.",
            three(mean),
            three(&sequence.low),
            three(&sequence.high)
        ));
        if let Some(asked) = asked {
            let method = match asked.method {
                Method::Betting => "by betting",
                Method::Gsprt => "by the ratio test of chess programs, which is approximate",
            };
            let between = format!("at most {} or at least {}", three(&asked.mu0), three(&asked.mu1));
            lines.push(match asked.decided {
                Some((verdict, after)) => {
                    format!("Decided {method} between {between}: {verdict}, after {} of {deals}.", counted(after, "deal"))
                }
                None => format!(
                    "Not decided yet {method} between {between}, after {deals}: {} of the way to better, {} to not better.",
                    percent(asked.progress[0]),
                    percent(asked.progress[1])
                ),
            });
        }
        lines
    }

    /// The members that JSON has of it.
    pub(super) fn json(&self, report: &mut Value) {
        if let Some(tournament) = &self.tournament {
            report["order"] = tournament.order.iter().map(|placed| &*self.agents[placed.agent]).collect();
            report["tournament"] = tournament_tables::json(tournament, &self.agents);
        }
        if let Some(MatchReport { mean, deals, sequence, asked }) = &self.match_ {
            report["match"] = json!({ "first": self.agents[0], "mean": mean, "deals": deals, "sequence": sequence });
            if let Some(Asked { mu0, mu1, decided, .. }) = asked {
                report["match"]["mu0"] = json!(mu0);
                report["match"]["mu1"] = json!(mu1);
                report["match"]["decision"] = json!(decided.map(|(verdict, _)| verdict));
                report["match"]["decided_after"] = json!(decided.map(|(_, deals)| deals));
            }
        }
    }
}

fn percent(share: f64) -> String {
    format!("{} %", fixed(100.0 * share.clamp(0.0, 1.0), 0))
}
