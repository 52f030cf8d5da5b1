//! The judged decisions of a game: a table of those that earned a mark and the sums of each seat as text, or everything as one
//! JSON object, `maumau-analysis/1` (`arena/docs/analysis.schema.json`). What a decision lost was measured elsewhere.

use maumau_analysis::{DecisionSums, GameAnalysis, JudgedAction, JudgedDecision, Judgement, LossMark, MeanWithError};
use maumau_engine::VERSION;
use maumau_protocol::{Action, Choice, Faces, Reach, Seat, Verb};
use maumau_referee::record::Header;
use maumau_referee::story::{Piece, Tone, choice_name};
use serde_json::{Value, json};

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
    let mut count = 0;
    for decision in &analysis.decisions {
        let Some(verdicts) = decision.verdicts() else { continue };
        let Some(mark) = verdicts.mark() else { continue };
        let taken = words(decision.taken.as_ref());
        let refused = decision.refused.map_or(String::new(), |reason| format!(" (refused: {})", reason.name()));
        marked.row(vec![
            decision.number.to_string(),
            seat_name(header, decision.seat),
            decision.what.name().to_owned(),
            mark.name().to_owned(),
            with_error(verdicts.loss),
            taken + &refused,
            words(verdicts.actions[verdicts.best].action.as_ref()),
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
    format!("{marks}\n{}\n{meaning}\n{}", sums.draw(look), doubt(in_doubt))
}

/// What is said of decisions without a mark whose loss seems large enough for one.
pub(crate) fn doubt(count: u32) -> String {
    let least = LossMark::Inaccuracy.threshold();
    match count {
        0 => String::new(),
        _ => {
            format!("Without a mark, since the error leaves it in doubt: {count} with a loss of {least:.2} or more.\n")
        }
    }
}

/// The judged decisions as one object; text of others is as they wrote it.
pub fn analysis_json(header: &Header, analysis: &GameAnalysis, only: Option<Seat>) -> Value {
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
            })
        }).collect::<Vec<_>>(),
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

/// A figure to five places: its error is larger.
pub(crate) fn rounded(figure: f64) -> Value {
    json!(round(figure))
}

/// As [`rounded`], as a number.
pub(crate) fn round(figure: f64) -> f64 {
    // Adding 0 makes a 0 of -0.
    (figure * 100_000.0).round() / 100_000.0 + 0.0
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

/// An action in a few words; what it says is not escaped yet.
pub(crate) fn words(action: Option<&Action>) -> String {
    let Some(action) = action else { return "nothing in time".to_owned() };
    let word = |piece: Piece| match piece {
        Piece::Card(card) => card.to_string(),
        Piece::Named(choice) => choice_name(&choice, Faces::French),
        Piece::Name(seat) => format!("seat {seat}"),
        Piece::Quoted(said) => format!("{said:?}"),
        Piece::Words(_, words) => words.into_owned(),
        Piece::Foreign(_, words) | Piece::Json(_, words) => words,
    };
    action_words(action).into_iter().map(word).collect()
}

/// What an action is, as it stands after "to": `play 8♣, name spades`.
pub(crate) fn action_words(Action { verb, say }: &Action) -> Vec<Piece> {
    let named = |choice: &Option<Choice>| (*choice).into_iter().flat_map(|choice| [", name ".into(), choice.into()]);
    let mut pieces: Vec<Piece> = match verb {
        Verb::Play { card, choose } => ["play ".into(), (*card).into()].into_iter().chain(named(choose)).collect(),
        Verb::PlayTogether { cards, choose, close } => {
            let cards = cards.iter().flat_map(|card| [" ".into(), (*card).into()]);
            let open = (!close).then(|| Piece::from(", leaving the run open"));
            ["play".into()].into_iter().chain(cards).chain(named(choose)).chain(open).collect()
        }
        Verb::PlayAs { card, stands_for, choose } => {
            let play = ["play ".into(), (*card).into(), " as ".into(), (*stands_for).into()];
            play.into_iter().chain(named(choose)).collect()
        }
        Verb::Choose(named) => vec!["name ".into(), (*named).into()],
        Verb::ChooseRule { rule } => vec![format!("add the rule {}", rule.as_str()).into()],
        Verb::Say { text } => return vec!["say ".into(), Piece::Quoted(text.as_str().to_owned())],
        Verb::Call { against, fault } => {
            vec![
                "call ".into(),
                Piece::Foreign(Tone::Plain, fault.as_str().to_owned()),
                " of ".into(),
                (*against).into(),
            ]
        }
        Verb::Take { from } => vec!["take from ".into(), (*from).into()],
        Verb::Glare { at } => vec!["glare at ".into(), (*at).into()],
        Verb::Reach { r#for: Reach::Draw } => vec!["reach for the draw pile".into()],
        Verb::Reach { r#for: Reach::Play } => vec!["reach for the discard pile".into()],
        other => vec![other.name().replace('_', " ").into()],
    };
    for word in say.texts() {
        pieces.extend([", say ".into(), Piece::Quoted(word.as_str().to_owned())]);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use maumau_analysis::{Effort, analyse};
    use maumau_engine::Rules;
    use maumau_engine::rules::{all_sets, load_built_in};
    use maumau_protocol::Text;
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
