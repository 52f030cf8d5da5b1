//! The judged decisions of many games: how much each agent loses, where one of them loses, and whether predicted worths come true.
//! `judged_games` keeps them, `loss_figures` sums them up, `calibration` compares worths with results, `agreement` two efforts, `in_report`
//! prepares them for the page of a run; this module writes tables and one JSON object, `maumau-run-analysis/1`
//! (`arena/docs/run-analysis.schema.json`). What a decision lost was measured elsewhere.

mod agreement;
mod calibration;
mod in_report;
mod judged_games;
mod loss_figures;

use maumau_analysis::{DecisionKind, Effort, LossMark, RoundPart};
use maumau_engine::VERSION;
use serde_json::{Map, Value, json};

use crate::judged_words::{doubt, rounded, words};
use crate::tables::{Sheet, TableLook};
use agreement::Agreement;
use calibration::{CalibrationBin, calibration};
use loss_figures::LossFigures;

pub(crate) use in_report::decision_report;
#[cfg(test)]
pub(crate) use judged_games::tests::game as judged_game;
pub use judged_games::{JudgedGame, JudgedGames, MeasuredDecision, kept_state};
pub(crate) use judged_games::{kept_game, kept_games};

/// The schema of the object.
pub const RUN_ANALYSIS_SCHEMA: &str = include_str!("../../docs/run-analysis.schema.json");

/// What the figures of the text mean.
const MEANING: &str = "A loss is the share of the other seats that the action taken beats less than the best one, if all seats play on \
                       greedily; ± is the standard error of a mean over choices. Marks \
                       (inaccuracies, mistakes, blunders) are counted per 100 choices.";
/// What a calibration means.
const CALIBRATION_MEANING: &str = "Predicted is the worth of the action taken, happened the share of the other seats that were beaten in \
                                   the round, with a 95 % interval over deals. They agree as far as the agents play as greedy does.";

/// Decisions that are listed as the worst.
const WORST: usize = 20;
/// Hands from this size on are counted together.
const LARGE_HAND: u16 = 8;
/// Characters in a line of text.
const TEXT_WIDTH: usize = 80;

/// What is shown of judged games.
#[derive(Clone, Debug)]
pub struct RunAnalysis<'a> {
    /// The run file as it is shown to people.
    pub run: &'a str,
    /// How they were judged.
    pub effort: Effort,
    /// The games, in the order of the plan.
    pub games: Vec<&'a JudgedGame>,
    /// Finished games from which these were chosen.
    pub of: u64,
    /// The agent in question, if it is only one.
    pub agent: Option<&'a str>,
    /// Whether worths are compared with results.
    pub calibrates: bool,
    /// The same games judged deep, if both are to be compared.
    pub deep: Option<Vec<&'a JudgedGame>>,
}

/// A decision with its game.
#[derive(Clone, Copy, Debug)]
struct DecisionInGame<'a> {
    game: &'a JudgedGame,
    decision: &'a MeasuredDecision,
}

impl<'a> RunAnalysis<'a> {
    /// The decisions of `agent`, or of all.
    fn decisions(&self, agent: Option<&str>) -> Vec<DecisionInGame<'a>> {
        let all =
            self.games.iter().flat_map(|game| game.decisions.iter().map(|decision| DecisionInGame { game, decision }));
        all.filter(|of| agent.is_none_or(|agent| of.game.agents[of.decision.seat.index()] == agent)).collect()
    }

    /// The agents of the games in the order of their names.
    fn agents(&self) -> Vec<&'a str> {
        let mut agents: Vec<&str> = self.games.iter().flat_map(|game| game.agents.iter().map(String::as_str)).collect();
        agents.sort_unstable();
        agents.dedup();
        agents
    }

    /// Decisions of `agent` without a choice, and those that could not be judged.
    fn not_measured(&self, agent: &str) -> [u32; 2] {
        let mut counts = [0; 2];
        for game in &self.games {
            for (seat, _) in game.agents.iter().enumerate().filter(|(_, name)| *name == agent) {
                counts[0] += game.forced[seat];
                counts[1] += game.unknown[seat];
            }
        }
        counts
    }

    /// The groups of decisions of the agent by each of the questions that authors ask.
    fn groups(decisions: &[DecisionInGame<'a>]) -> [(&'static str, Vec<(String, LossFigures)>); 3] {
        let figures = |is_in: &dyn Fn(&MeasuredDecision) -> bool| {
            LossFigures::of(decisions.iter().map(|of| of.decision).filter(|decision| is_in(decision)))
        };
        let named = |rows: Vec<(String, LossFigures)>| rows.into_iter().filter(|(_, row)| row.choices > 0).collect();
        let kinds = DecisionKind::ALL.map(|kind| (kind.name().to_owned(), figures(&|of| of.kind == kind)));
        let parts = RoundPart::ALL.map(|part| (part.name().to_owned(), figures(&|of| of.part == part)));
        let hands = (0..=LARGE_HAND).map(|cards| {
            let name = if cards == LARGE_HAND { format!("{cards} or more") } else { cards.to_string() };
            (name, figures(&|of| of.held.min(LARGE_HAND) == cards))
        });
        [("about", named(kinds.into())), ("part", named(parts.into())), ("cards held", named(hands.collect()))]
    }

    /// The decisions that lost most; of equal ones the first. Only those with a mark: others may have lost by chance.
    fn worst(decisions: &[DecisionInGame<'a>]) -> Vec<DecisionInGame<'a>> {
        let mut worst: Vec<DecisionInGame<'_>> =
            decisions.iter().copied().filter(|of| of.decision.mark().is_some()).collect();
        worst.sort_by(|one, other| other.decision.loss.total_cmp(&one.decision.loss));
        worst.truncate(WORST);
        worst
    }

    fn calibration(&self) -> Option<Vec<CalibrationBin>> {
        let decisions = self.decisions(self.agent);
        let happened =
            |of: &DecisionInGame<'a>| Some((of.game.deal.as_str(), of.decision.worth, of.decision.happened?));
        self.calibrates.then(|| calibration(decisions.iter().filter_map(happened)))
    }

    fn agreement(&self) -> Option<Agreement> {
        self.deep.as_ref().map(|deep| Agreement::of(&self.games, deep))
    }

    /// Tables for people. Text of others is escaped.
    pub fn text(&self, look: TableLook) -> String {
        let decisions = self.decisions(self.agent);
        let total = LossFigures::of(decisions.iter().map(|of| of.decision));
        let mut agents = figures_sheet("agent");
        for agent in self.agents().into_iter().filter(|agent| self.agent.is_none_or(|only| only == *agent)) {
            let of_agent = LossFigures::of(self.decisions(Some(agent)).iter().map(|of| of.decision));
            agents.row(figures_row(agent.to_owned(), &of_agent, &total));
        }
        let mut text = agents.draw(look);
        if self.agent.is_some() {
            for (question, rows) in RunAnalysis::groups(&decisions) {
                let mut sheet = figures_sheet(question);
                rows.into_iter().for_each(|(name, figures)| sheet.row(figures_row(name, &figures, &total)));
                text += &format!("\n{}", sheet.draw(look));
            }
            text += &worst_text(self.run, &RunAnalysis::worst(&decisions), look);
        }
        if let Some(bins) = self.calibration() {
            text += &format!("\n{}\n{}\n", calibration_sheet(&bins).draw(look), filled(CALIBRATION_MEANING));
        }
        if let Some(agreement) = self.agreement() {
            text += &format!("\n{}\n{}\n", agreement.sheet().draw(look), agreement.sentence());
        }
        let (games, of) = (self.games.len(), self.of);
        let chosen = if games as u64 == of {
            format!("All {of} finished games")
        } else {
            format!("{games} of {of} finished games")
        };
        let playouts = format!(
            "{} playouts for a decision, {} where seats act between turns",
            self.effort.simulations, self.effort.in_races
        );
        text += &format!("\n{}\n", filled(&format!("{chosen}, judged by {playouts}. {MEANING}")));
        text += &doubt(total.undecided);
        text
    }

    /// Everything as one object; text of others is as they wrote it.
    pub fn json(&self) -> Value {
        let decisions = self.decisions(self.agent);
        let agents = self.agents().into_iter().filter(|agent| self.agent.is_none_or(|only| only == *agent));
        let group = |(name, figures): &(String, LossFigures)| figures.json(name);
        let thresholds = LossMark::ALL.map(|mark| (mark.name().to_owned(), json!(mark.threshold())));
        let groups = self.agent.map(|_| RunAnalysis::groups(&decisions));
        json!({
            "schema": "maumau-run-analysis/1",
            "engine": VERSION,
            "run": self.run,
            "settings": {
                "effort": self.effort.name(),
                "simulations": self.effort.simulations,
                "in_races": self.effort.in_races,
                "thresholds": thresholds.into_iter().collect::<Map<String, Value>>(),
            },
            "games": self.games.len(),
            "finished": self.of,
            "agent": self.agent,
            "agents": agents.map(|agent| {
                let [forced, unknown] = self.not_measured(agent);
                let figures = LossFigures::of(self.decisions(Some(agent)).iter().map(|of| of.decision));
                let mut json = figures.json(agent);
                (json["forced"], json["unknown"]) = (json!(forced), json!(unknown));
                json
            }).collect::<Vec<_>>(),
            "where": groups.as_ref().map(|[kinds, parts, hands]| json!({
                "kinds": kinds.1.iter().map(group).collect::<Vec<_>>(),
                "parts": parts.1.iter().map(group).collect::<Vec<_>>(),
                "hands": hands.1.iter().map(group).collect::<Vec<_>>(),
            })),
            "worst": self.agent.map(|_| RunAnalysis::worst(&decisions).iter().map(worst_json).collect::<Vec<_>>()),
            "agreement": self.agreement().map(|agreement| agreement.json()),
            "calibration": self.calibration().map(|bins| bins.iter().map(CalibrationBin::json).collect::<Vec<_>>()),
        })
    }
}

fn filled(text: &str) -> String {
    textwrap::fill(text, TEXT_WIDTH)
}

fn figures_sheet(first: &str) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.text_column(first).number_column("choices").number_column("mean loss").number_column("of all");
    sheet.number_column("inacc.").number_column("mist.").number_column("blund.");
    sheet
}

fn figures_row(name: String, figures: &LossFigures, total: &LossFigures) -> Vec<String> {
    let loss = figures.mean();
    let share = if total.loss > 0.0 {
        format!("{:.0} %", (100.0 * figures.loss / total.loss).round() + 0.0)
    } else {
        "-".to_owned()
    };
    let per_hundred = figures.marks.map(|count| format!("{:.1}", per_hundred(count, figures.choices)));
    let cells = [name, figures.choices.to_string(), format!("{:.4} ± {:.4}", loss.mean, loss.error), share];
    cells.into_iter().chain(per_hundred).collect()
}

fn per_hundred(count: u32, of: u32) -> f64 {
    100.0 * f64::from(count) / f64::from(of.max(1))
}

fn worst_text(run: &str, worst: &[DecisionInGame<'_>], look: TableLook) -> String {
    let Some(first) = worst.first() else { return "\nNo decision lost enough to be marked.\n".to_owned() };
    let mut sheet = Sheet::default();
    sheet.text_column("game").number_column("move").number_column("loss").text_column("about");
    sheet.text_column("taken").text_column("best").wrap_last();
    for DecisionInGame { game, decision } in worst {
        sheet.row(vec![
            game.game.clone(),
            decision.r#move.to_string(),
            format!("{:.2} ± {:.2}", decision.loss, decision.error),
            decision.kind.name().to_owned(),
            words(decision.taken.as_ref(), game.faces),
            words(decision.best.as_ref(), game.faces),
        ]);
    }
    let game = &first.game.game;
    format!(
        "\n{}\nTo see the first of them:\n  maumau tournament export {run} --to records --games {game}\n  maumau replay records/{game}.jsonl\n",
        sheet.draw(look)
    )
}

fn worst_json(of: &DecisionInGame<'_>) -> Value {
    let DecisionInGame { game, decision } = of;
    json!({
        "game": game.game,
        "move": decision.r#move,
        "seat": decision.seat,
        "kind": decision.kind.name(),
        "part": decision.part.name(),
        "held": decision.held,
        "taken": decision.taken,
        "refused": decision.refused,
        "best": decision.best,
        "loss": rounded(decision.loss),
        "error": rounded(decision.error),
        "mark": decision.mark().map(LossMark::name),
    })
}

fn calibration_sheet(bins: &[CalibrationBin]) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.text_column("worth").number_column("choices").number_column("predicted").number_column("happened");
    sheet.text_column("95 % interval");
    for bin in bins {
        let interval = bin.interval.map_or("-".to_owned(), |[low, high]| format!("{low:.3} to {high:.3}"));
        sheet.row(vec![
            format!("{:.1} to {:.1}", bin.from, bin.to),
            bin.choices.to_string(),
            format!("{:.3}", bin.predicted),
            format!("{:.3}", bin.happened),
            interval,
        ]);
    }
    sheet
}
