//! What other seats' actions let one suspect of their hands. It knows how a player that tries to win usually acts, and
//! reads positions before actions; the observer keeps what is suspected.

use maumau_engine::{Game, Hand};
use maumau_observer::Suspicion;
use maumau_protocol::{Card, CardSet, Choice, Seat, Verb};

use crate::greedy::worth_of_play;
use crate::sight::{Sight, cards_with};
use crate::table::CardValues;

/// How likely a card that could have been played was kept, compared with any other card, when its seat drew or passed.
const KEPT: f32 = 0.05;
/// The same for a card that seems better than the one that was played.
const BETTER: f32 = 0.35;
/// The same for a card that could have been played together with those that were.
const APART: f32 = 0.2;
/// How much likelier cards of a suit are that their seat has named.
const NAMED: f32 = 2.5;
/// How much better a card must seem.
const CLEARLY: i32 = 3;

/// What `seat`, doing `verb` in the position `game`, lets one suspect of the cards that it keeps.
pub(crate) fn suspicions(table: &CardValues, game: &Game, seat: Seat, verb: &Verb) -> Vec<Suspicion> {
    let could = game.could_play(seat);
    match verb {
        Verb::Draw if !could.is_empty() => {
            // A card that binds every seat is rather kept while there are cards to draw.
            vec![Suspicion { kinds: could.without(table.binding), factor: KEPT }]
        }
        Verb::Choose(choice @ Choice::Suit(_)) => vec![named(table, *choice)],
        Verb::Play { card, choose } => {
            let hand = Hand::default();
            let sight = Sight { hand: &hand, held: game.held(seat), ..Sight::of_game(game, seat, false) };
            let rate = |card| worth_of_play(table, card, None, &sight);
            let played = rate(*card);
            let better: CardSet = could.iter().filter(|other| rate(*other) > played + CLEARLY).collect();
            let mut found = with_them(table, &[*card]);
            if !better.is_empty() {
                found.push(Suspicion { kinds: better, factor: BETTER });
            }
            if let Some(choice @ Choice::Suit(_)) = choose {
                found.push(named(table, *choice));
            }
            found
        }
        Verb::PlayTogether { cards, choose, .. } => {
            let mut found = with_them(table, cards);
            if let Some(choice @ Choice::Suit(_)) = choose {
                found.push(named(table, *choice));
            }
            found
        }
        _ => Vec::new(),
    }
}

/// What follows from a play of `cards` of the cards that could have been part of it.
fn with_them(table: &CardValues, cards: &[Card]) -> Vec<Suspicion> {
    let kinds = table.several.joining(cards);
    if kinds.is_empty() { Vec::new() } else { vec![Suspicion { kinds, factor: APART }] }
}

fn named(table: &CardValues, choice: Choice) -> Suspicion {
    Suspicion { kinds: cards_with(choice).without(table.universal), factor: NAMED }
}
