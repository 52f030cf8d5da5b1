//! The judged decisions of a game: a table of those that earned a mark and the sums of each seat as text, or everything as one
//! JSON object, `maumau-analysis/1` (`arena/docs/analysis.schema.json`). What a decision lost was measured elsewhere.

use maumau_analysis::{DecisionSums, GameAnalysis, JudgedAction, JudgedDecision, Judgement, LossMark, MeanWithError};
use maumau_engine::VERSION;
use maumau_protocol::Seat;
use maumau_referee::record::Header;
use serde_json::{Value, json};

use crate::judged_words::{doubt, rounded, words};
use crate::luck_and_skill::{ChanceBalance, chance_balances, signed};
use crate::run_analysis::MeasuredDecision;
use crate::tables::{Sheet, TableLook};

/// The schema of the object.
pub const ANALYSIS_SCHEMA: &str = include_str!("../../docs/analysis.schema.json");

/// What the figures of the text mean.
const MEANING: &str = "Worth is the share of the other seats that are beaten if all seats play on greedily; a loss is what the \
                       action taken was worth less than the best one in the same deals, ± its standard error.";

/// Characters in a line of it.
const TEXT_WIDTH: usize = 80;

/// The judged decisions as text: those with a mark, then the sums of each seat. Text of others is escaped.
pub fn analysis_text(header: &Header, analysis: &GameAnalysis, only: Option<Seat>, look: TableLook) -> String {
    let mut marked = Sheet::default();
    marked.number_column("move").text_column("seat").text_column("asked").text_column("mark").number_column("loss");
    marked.text_column("taken").text_column("best").wrap_last();
    let (mut count, faces) = (0, header.rules.deck.faces);
    for decision in &analysis.decisions {
        let Some(verdicts) = decision.verdicts() else { continue };
        let Some(mark) = verdicts.mark() else { continue };
        let taken = words(decision.taken.as_ref(), faces);
        let refused = decision.refused.map_or(String::new(), |reason| format!(" (refused: {})", reason.name()));
        marked.row(vec![
            decision.number.to_string(),
            seat_name(header, decision.seat),
            decision.what.name().to_owned(),
            mark.name().to_owned(),
            with_error(verdicts.loss),
            taken + &refused,
            words(verdicts.actions[verdicts.best].action.as_ref(), faces),
        ]);
        count += 1;
    }
    let marks = match count {
        0 => "No decision lost enough to be marked.\n".to_owned(),
        _ => marked.draw(look),
    };
    let (mut sums, mut in_doubt) = (Sheet::default(), 0);
    sums.text_column("seat").number_column("decisions").number_column("forced").number_column("unknown");
    sums.number_column("mean loss").number_column("inaccuracies").number_column("mistakes").number_column("blunders");
    for seat in seats(header, only) {
        let DecisionSums { decisions, forced, unknown, loss, marks, undecided } =
            DecisionSums::of(analysis.of_seat(seat));
        in_doubt += undecided;
        let counts = [decisions, forced, unknown].map(|count| count.to_string());
        let cells = [seat_name(header, seat)].into_iter().chain(counts).chain([fine(loss)]);
        sums.row(cells.chain(marks.map(|count| count.to_string())).collect());
    }
    let meaning = textwrap::fill(&format!("{} playouts for a decision. {MEANING}", analysis.simulations), TEXT_WIDTH);
    let balances = chance_balances(header.names.len(), &MeasuredDecision::all_of(analysis));
    let balances = balance_text(header, balances.iter().filter(|of| only.is_none_or(|only| only == of.seat)), look);
    format!("{marks}\n{}{balances}\n{meaning}\n{}", sums.draw(look), doubt(in_doubt))
}

/// Luck and skill apart, by seat.
fn balance_text<'a>(header: &Header, balances: impl Iterator<Item = &'a ChanceBalance>, look: TableLook) -> String {
    let mut sheet = Sheet::default();
    sheet.text_column("seat").number_column("rounds").number_column("at first").number_column("own decisions");
    sheet.number_column("cards and others").number_column("in the end");
    let mut rows = 0;
    for ChanceBalance { seat, rounds, first, own, error, rest, last } in balances.copied() {
        sheet.row(vec![
            seat_name(header, seat),
            rounds.to_string(),
            format!("{first:.2}"),
            format!("{} ± {error:.2}", signed(own, 2)),
            signed(rest, 2),
            format!("{last:.2}"),
        ]);
        rows += 1;
    }
    match rows {
        0 => String::new(),
        _ => format!("\nWhat moved the chances of a seat, as the mean of its rounds:\n{}", sheet.draw(look)),
    }
}

/// The judged decisions as one object; text of others is as they wrote it.
pub fn analysis_json(header: &Header, analysis: &GameAnalysis, only: Option<Seat>) -> Value {
    let balances = chance_balances(header.names.len(), &MeasuredDecision::all_of(analysis));
    json!({
        "schema": "maumau-analysis/1",
        "engine": VERSION,
        "game": header.game,
        "rules": header.rules.name,
        "names": header.names,
        "seat": only,
        "settings": {
            "simulations": analysis.simulations,
            "thresholds": LossMark::ALL.map(|mark| (mark.name().to_owned(), json!(mark.threshold())))
                .into_iter().collect::<serde_json::Map<String, Value>>(),
        },
        "decisions": analysis.decisions.iter().map(decision_json).collect::<Vec<_>>(),
        "seats": seats(header, only).map(|seat| {
            let balance = balances.iter().find(|balance| balance.seat == seat);
            let sums = DecisionSums::of(analysis.of_seat(seat));
            json!({
                "seat": seat,
                "decisions": sums.decisions,
                "forced": sums.forced,
                "unknown": sums.unknown,
                "mean_loss": rounded(sums.loss.mean),
                "error": rounded(sums.loss.error),
                "inaccuracies": sums.marks[LossMark::Inaccuracy as usize],
                "mistakes": sums.marks[LossMark::Mistake as usize],
                "blunders": sums.marks[LossMark::Blunder as usize],
                "balance": balance.map(balance_json),
            })
        }).collect::<Vec<_>>(),
    })
}

fn balance_json(of: &ChanceBalance) -> Value {
    json!({
        "rounds": of.rounds,
        "first": rounded(of.first),
        "own": rounded(of.own),
        "error": rounded(of.error),
        "rest": rounded(of.rest),
        "last": rounded(of.last),
    })
}

fn decision_json(decision: &JudgedDecision) -> Value {
    let mut json = json!({
        "move": decision.number.0,
        "seat": decision.seat,
        "what": decision.what,
        "as_of": decision.as_of,
        "held": decision.held,
        "taken": decision.taken,
        "refused": decision.refused.map(|reason| reason.name()),
    });
    let verdict = match &decision.judgement {
        Judgement::Forced => json!("forced"),
        Judgement::Unknown => json!("unknown"),
        Judgement::Measured(verdicts) => {
            let action = |JudgedAction { action, worth, deals }: &JudgedAction| {
                let (mean, error) = (rounded(worth.mean), rounded(worth.error));
                json!({ "action": action, "worth": mean, "error": error, "deals": deals })
            };
            json["best"] = json!(verdicts.actions[verdicts.best].action);
            json["loss"] = rounded(verdicts.loss.mean);
            json["error"] = rounded(verdicts.loss.error);
            json["mark"] = json!(verdicts.mark().map(LossMark::name));
            json["actions"] = verdicts.actions.iter().map(action).collect();
            json!("measured")
        }
    };
    json["judgement"] = verdict;
    json
}

/// The seats that were judged.
fn seats(header: &Header, only: Option<Seat>) -> impl Iterator<Item = Seat> {
    Seat::all(header.names.len()).filter(move |seat| only.is_none_or(|only| only == *seat))
}

fn seat_name(header: &Header, seat: Seat) -> String {
    let name = header.names.get(seat.index()).map_or("", String::as_str);
    format!("{seat} {name}")
}

fn with_error(figure: MeanWithError) -> String {
    format!("{:.2} ± {:.2}", figure.mean, figure.error)
}

/// As [`with_error`], for means of many figures.
fn fine(figure: MeanWithError) -> String {
    format!("{:.4} ± {:.4}", figure.mean + 0.0, figure.error)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use maumau_analysis::{Effort, analyse};
    use maumau_engine::Rules;
    use maumau_engine::rules::{all_sets, load_built_in};
    use maumau_protocol::{Text, Verb};
    use maumau_referee::GameLog;
    use maumau_referee::local_game::FirstLegal;

    use super::*;

    /// A game of bots that take the first legal action, judged by few playouts.
    fn judged(set: &str, seats: usize, only: Option<Seat>) -> (GameLog, GameAnalysis) {
        let loaded = load_built_in(set, &[]).expect("a built-in set").set;
        let rules = Rules::for_table(&Arc::new(loaded), seats, Some(1)).expect("a table");
        let (log, _) = FirstLegal::new(Arc::new(rules), Vec::new()).play(2).expect("a game");
        let digest = log.digest().expect("a sound log");
        let analysis = analyse(&log, digest, Effort::of(100, 20), only, |_, _| {});
        (log, analysis.expect("a sound log"))
    }

    #[test]
    fn an_analysis_is_as_its_schema_says_for_every_rule_set() {
        let schema: Value = serde_json::from_str(ANALYSIS_SCHEMA).expect("JSON");
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        for set in all_sets() {
            for only in [None, Seat::new(1)] {
                let (log, analysis) = judged(set.name, 3, only);
                let json = analysis_json(&log.header, &analysis, only);
                let wrong: Vec<String> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
                assert!(wrong.is_empty(), "{}: {wrong:?}", set.name);
                let sum: u64 =
                    json["seats"].as_array().into_iter().flatten().filter_map(|seat| seat["decisions"].as_u64()).sum();
                assert_eq!(Some(sum), json["decisions"].as_array().map(|all| all.len() as u64), "{}", set.name);
                let mut cut = json.clone();
                let mut measured = cut["decisions"].as_array_mut().into_iter().flatten();
                let measured = measured.find(|decision| decision["judgement"] == "measured").expect("a choice");
                measured.as_object_mut().expect("an object").remove("loss");
                assert!(!validator.is_valid(&cut), "{}: a measured decision has a loss", set.name);
            }
        }
    }

    #[test]
    fn names_and_words_of_others_are_escaped_in_the_text() {
        let (mut log, mut analysis) = judged("basic", 2, None);
        log.header.names[0] = "\u{1b}[2J".to_owned();
        let decision = analysis.decisions.iter_mut().find(|decision| decision.verdicts().is_some()).expect("a choice");
        let text = Text::try_from("\u{1b}[31m").expect("a short text");
        decision.taken = Some(Verb::Say { text }.into());
        let Judgement::Measured(verdicts) = &mut decision.judgement else { panic!("it was measured") };
        verdicts.loss = MeanWithError { mean: 0.5, error: 0.01 };
        let text = analysis_text(&log.header, &analysis, None, TableLook::Ascii);
        assert!(!text.contains('\u{1b}'), "{text}");
        assert!(text.contains("0 \\u{1b}[2J") && text.contains("blunder") && text.contains("0.50 ± 0.01"), "{text}");
    }
}
