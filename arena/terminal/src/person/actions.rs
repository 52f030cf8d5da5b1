//! What a person can do in words, and the keys for it. It names actions; whether they are possible is asked elsewhere.

use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Choice, Reach, RuleFault, Verb};
use maumau_referee::story::fault_name;

use crate::look::ScreenStyle;
use crate::sentence::name;

/// The key of an action that has one of its own.
pub(super) fn key_of(verb: &Verb) -> Option<char> {
    Some(match verb {
        Verb::Draw => 'd',
        Verb::Pass => 'p',
        Verb::Challenge => 'x',
        Verb::Look => 'l',
        Verb::Take { .. } => 't',
        Verb::Choose(_) | Verb::ChooseRule { .. } => 'n',
        Verb::Deal { .. } => 'g',
        Verb::DealPenalties => 'b',
        Verb::TurnUp => 'u',
        Verb::EndPointOfOrder => 'o',
        Verb::Wait => 'w',
        _ => return None,
    })
}

/// An action in words, as an order: `draw 2 owed cards`.
pub(super) fn words(verb: &Verb, owed: u16, names: &[String], rules: Option<&RuleSet>, look: ScreenStyle) -> String {
    match verb {
        Verb::Play { card, choose } => {
            let named =
                choose.map(|choice| format!(", naming {}", choice_words(choice, names, look))).unwrap_or_default();
            format!("play {}{named}", look.card(*card))
        }
        Verb::PlayTogether { cards, choose, close } => {
            let cards: Vec<String> = cards.iter().map(|card| look.card(*card)).collect();
            let named =
                choose.map(|choice| format!(", naming {}", choice_words(choice, names, look))).unwrap_or_default();
            let open = if *close { "" } else { ", leaving the run open" };
            format!("play {}{named}{open}", cards.join(" "))
        }
        Verb::PlayAs { card, stands_for, choose } => {
            let named =
                choose.map(|choice| format!(", naming {}", choice_words(choice, names, look))).unwrap_or_default();
            format!("play {} as {}{named}", look.card(*card), look.card(*stands_for))
        }
        Verb::Draw if owed > 1 => format!("draw {owed} owed cards"),
        Verb::Draw if owed == 1 => "draw the owed card".to_owned(),
        Verb::Draw => "draw".to_owned(),
        Verb::Pass => "pass".to_owned(),
        Verb::Challenge => "challenge the card".to_owned(),
        Verb::Say { text } => format!("say \"{}\"", look.foreign(text.as_str())),
        Verb::Call { against, fault } => {
            let known = RuleFault::from_name(fault.as_str()).zip(rules).map(|(fault, rules)| fault_name(fault, rules));
            let words = known.unwrap_or_else(|| fault.as_str().into());
            format!("call {}: {}", name(names, *against), look.foreign(&words))
        }
        Verb::Choose(choice) => format!("name {}", choice_words(*choice, names, look)),
        Verb::ChooseRule { rule } => format!("add the rule {}", look.foreign(&rule.as_str().replace('_', " "))),
        Verb::Take { from } => format!("take a card from {}", name(names, *from)),
        Verb::Deal { .. } => "deal the cards".to_owned(),
        Verb::DealPenalties => "deal out the penalty cards".to_owned(),
        Verb::TurnUp => "turn up the first card".to_owned(),
        Verb::Look => "look at your cards".to_owned(),
        Verb::Reach { r#for: Reach::Draw } => "reach for the draw pile".to_owned(),
        Verb::Reach { r#for: Reach::Play } => "reach for the discard pile".to_owned(),
        Verb::Glare { at } => format!("glare at {}", name(names, *at)),
        Verb::PointOfOrder => "call a point of order".to_owned(),
        Verb::EndPointOfOrder => "end the point of order".to_owned(),
        Verb::Count => "count down from ten".to_owned(),
        Verb::PickUp => "pick up the cards".to_owned(),
        Verb::Wait => "do nothing".to_owned(),
    }
}

/// What is named, in words: `♠ spades`, `sevens`, a player's name.
pub(super) fn choice_words(choice: Choice, names: &[String], look: ScreenStyle) -> String {
    match choice {
        Choice::Suit(suit) if look.signs => format!("{} {}", look.faces.sign(suit), look.faces.suit(suit)),
        Choice::Suit(suit) => look.faces.suit(suit).to_owned(),
        Choice::Rank(rank) => look.faces.ranks(rank),
        Choice::Seat(seat) => name(names, seat).to_owned(),
    }
}

/// The key of a suit or value in a menu.
pub(super) fn choice_key(choice: Choice) -> char {
    match choice {
        Choice::Suit(suit) => suit.letter().to_ascii_lowercase(),
        Choice::Rank(rank) => rank.letter().to_ascii_lowercase(),
        Choice::Seat(seat) => char::from_digit(seat.index() as u32, 36).unwrap_or('0'),
    }
}
