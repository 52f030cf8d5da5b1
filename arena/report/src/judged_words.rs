//! What is said in the same words of a judged game and of a judged run: actions, figures and doubt. It judges nothing.

use maumau_analysis::LossMark;
use maumau_protocol::{Action, Choice, Faces, Reach, Verb};
use maumau_referee::story::{Piece, Tone, choice_name};
use serde_json::{Value, json};

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

/// A figure to five places: its error is larger.
pub(crate) fn rounded(figure: f64) -> Value {
    json!(round(figure))
}

/// As [`rounded`], as a number.
pub(crate) fn round(figure: f64) -> f64 {
    // Adding 0 makes a 0 of -0.
    (figure * 100_000.0).round() / 100_000.0 + 0.0
}

/// An action in a few words, suits and ranks as they are called with these `faces`; what it says is not escaped yet.
pub(crate) fn words(action: Option<&Action>, faces: Faces) -> String {
    let Some(action) = action else { return "nothing in time".to_owned() };
    let word = |piece: Piece| match piece {
        Piece::Card(card) => card.to_string(),
        Piece::Named(choice) => choice_name(&choice, faces),
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
    use super::*;

    #[test]
    fn suits_are_called_what_the_cards_show() {
        let card = "QS".parse().expect("a card");
        let action = Action::from(Verb::Play { card, choose: Some(Choice::Suit(maumau_protocol::Suit::Spades)) });
        assert_eq!(words(Some(&action), Faces::French), "play QS, name spades");
        assert_eq!(words(Some(&action), Faces::German), "play QS, name leaves");
    }
}
