//! Helpers about the cards on a table: what the deck is, what cards cost, who is next, what fits, what is unseen. They read
//! messages and know no rules beyond them.

use maumau_protocol::message::Ask;
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Card, Event, Rank, Seat, SeenEvent, View};

/// Points against a seat that is left with `card`: by the table of `rules`, or for `None` by that of `skat`.
pub fn card_points(card: Card, rules: Option<&RuleSet>) -> u16 {
    match rules {
        Some(rules) => rules.scoring.points_of(card),
        None => match card.rank().map_or('X', Rank::letter) {
            'J' => 20,
            'A' => 11,
            'T' => 10,
            '9' => 9,
            '8' => 8,
            '7' => 7,
            'K' | 'Q' => 3,
            _ => 0,
        },
    }
}

/// All cards of a table of so many seats, each as often as it is there, by suit and in a suit from two to ace, jokers last in
/// each pack. `rules` are those of `start`.
pub fn deck(rules: &RuleSet, seats: usize) -> Vec<Card> {
    rules.deck.list(seats).unwrap_or_default()
}

/// The seat after `seat` in the direction of play, if nobody is skipped.
pub fn next_seat(view: &View, seat: Seat) -> Seat {
    seat.step(view.direction, 1, view.hands.len())
}

/// The cards that may be played now, each once, in the order of `legal`.
pub fn fits(ask: &Ask) -> Vec<Card> {
    let mut cards = Vec::new();
    for action in &ask.legal {
        if let Some(card) = action.verb.single_card()
            && !cards.contains(&card)
        {
            cards.push(card);
        }
    }
    cards
}

/// Keeps count of the cards that a seat has not seen; for an agent that wants events and rules.
#[derive(Clone, Debug)]
pub struct CardCounter {
    deck: Vec<Card>,
    played: Vec<Card>,
}

impl CardCounter {
    /// A counter for the rules of `start`.
    pub fn new(rules: &RuleSet, seats: usize) -> CardCounter {
        CardCounter { deck: deck(rules, seats), played: Vec::new() }
    }

    /// Takes the events of an ask, a tell or an over, in order.
    pub fn see(&mut self, events: &[SeenEvent]) {
        for event in events {
            match event {
                Event::TurnedUp { card } | Event::Played { card, .. } => self.played.push(*card),
                // All but the top card.
                Event::Reshuffled { .. } => drop(self.played.drain(..self.played.len().saturating_sub(1))),
                Event::TakenBack { .. } => drop(self.played.pop()),
                Event::RoundStarted { .. } => self.played.clear(),
                _ => {}
            }
        }
    }

    /// The cards in other hands and in the draw pile, in the order of the deck, for a seat that holds `hand`.
    pub fn unseen(&self, hand: &[Card]) -> Vec<Card> {
        let mut known = [self.played.as_slice(), hand].concat();
        let mut left = self.deck.clone();
        left.retain(|card| match known.iter().position(|one| one == card) {
            Some(place) => {
                known.swap_remove(place);
                false
            }
            None => true,
        });
        left
    }
}
