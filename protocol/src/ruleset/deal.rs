//! The cards, and how a round begins. Keys and values only; the engine's `game/dealing` deals.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BySeats, CountedCards, DealtCards};
use crate::card::{Card, Pack};
use crate::card_list::CardList;
use crate::faces::Faces;
use crate::seat::Direction;

/// The cards of the game; `pack` says how they are named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Deck {
    /// The kind of pack.
    #[serde(default, skip_serializing_if = "is_french")]
    pub pack: Pack,
    /// The pictures and names of a French pack's cards (G-80).
    #[serde(default, skip_serializing_if = "Faces::is_french")]
    pub faces: Faces,
    /// The cards of one pack, usually a range of ranks.
    pub cards: BySeats<DeckCards>,
    /// The number of packs.
    #[serde(default = "one_pack")]
    pub packs: BySeats<u8>,
    /// Jokers in each pack.
    #[serde(default)]
    pub jokers: u8,
    /// Cards that a pack has more than once (G-64).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<Copies>,
}

impl Deck {
    /// How often one pack has `card`, which it has.
    pub fn copies_of(&self, card: Card) -> u8 {
        self.copies.iter().find(|copies| copies.cards.0.contains(card)).map_or(1, |copies| copies.is)
    }

    /// All cards at a table of so many seats, each copy by itself: pack by pack, in each by [`Card::index`], jokers last.
    /// `None` where no row covers the seats.
    pub fn list(&self, seats: usize) -> Option<Vec<Card>> {
        let (cards, packs) = (self.cards.get(seats)?, *self.packs.get(seats)?);
        let mut pack = Vec::new();
        for card in cards.0.in_pack(self.pack).iter().filter(|card| !card.is_joker()) {
            pack.extend(std::iter::repeat_n(card, self.copies_of(card).into()));
        }
        pack.extend(std::iter::repeat_n(Card::JOKER, self.jokers.into()));
        Some(pack.repeat(packs.into()))
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_french(pack: &Pack) -> bool {
    *pack == Pack::French
}

/// How often a pack has some of its cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Copies {
    /// The cards.
    pub cards: CardList,
    /// How many of each a pack has.
    pub is: u8,
}

/// The cards of one pack.
pub type DeckCards = CardList;

fn one_pack() -> BySeats<u8> {
    BySeats::All(1)
}

/// How a round begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// Cards dealt to each seat.
    pub cards: DealtCards,
    /// Cards that must be left to draw for each seat, once the first is turned up.
    #[serde(default)]
    pub leave_each: u8,
    /// What the first card turned up does.
    #[serde(default)]
    pub first_card: FirstCard,
    /// Cards that have their effect when they are turned up first, where the others are plain (G-51).
    #[serde(default, skip_serializing_if = "CardList::is_empty")]
    pub first_effects: CardList,
    /// Who names something for a first card that asks for it.
    #[serde(default, skip_serializing_if = "FirstNames::is_dealer")]
    pub first_names: FirstNames,
    /// Who has the first turn after a first card that turns the direction round.
    #[serde(default, skip_serializing_if = "FirstReverse::is_neighbour")]
    pub first_reverse: FirstReverse,
    /// Who deals the next round.
    #[serde(default)]
    pub next_dealer: NextDealer,
    /// Who deals the cards.
    #[serde(default)]
    pub by: DealtBy,
    /// What the dealer has to keep to when dealing.
    #[serde(default)]
    pub order: DealOrder,
    /// When a seat sees its cards.
    #[serde(default)]
    pub look: Look,
    /// Whether the direction of play carries over from round to round.
    #[serde(default)]
    pub direction_carries: bool,
    /// The direction in which rounds begin; with `direction_carries` only the first round of a match (G-28).
    #[serde(default, skip_serializing_if = "is_clockwise")]
    pub direction: Direction,
    /// Cards that are not turned up first: they are shuffled back unseen, and another is turned up.
    #[serde(default, skip_serializing_if = "CountedCards::is_empty")]
    pub not_first: CountedCards,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_clockwise(direction: &Direction) -> bool {
    *direction == Direction::Clockwise
}

/// What the dealer has to keep to when dealing by actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DealOrder {
    /// Singly, in the direction of play, the number that the rules say; the seat that begins deals, rightly or not. The referee
    /// notices wrong cards at the turn-up (N-107 to N-121).
    #[default]
    Fixed,
    /// Any order and any number, as long as all get the same; only the dealer. A misdeal is a mistake to be noticed like
    /// any other (P-02 to P-04, P-70 to P-72).
    Free,
}

/// When a seat sees its cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// As they are dealt.
    #[default]
    Dealt,
    /// By an action, the dealer first; the referee looks for seats that have not by the time the first card is turned up.
    Auto,
    /// By an action, the dealer first; a seat that has not looked plays no card.
    Asked,
}

/// What the first card turned up does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FirstCard {
    /// It is a plain card, whatever it is.
    #[default]
    Plain,
    /// It has its effect, as if the dealer had just played it.
    Effect,
}

/// Who names a suit or value for the first card, before anything else happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FirstNames {
    /// The dealer; the card then has its other effects.
    #[default]
    Dealer,
    /// The player after the dealer, who then has an ordinary turn; the card has no other effect (G-51).
    FirstPlayer,
}

impl FirstNames {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    fn is_dealer(&self) -> bool {
        *self == FirstNames::Dealer
    }
}

/// Who has the first turn after a first card that only turns the direction round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FirstReverse {
    /// The dealer's neighbour in the new direction.
    #[default]
    Neighbour,
    /// The dealer (G-52).
    Dealer,
}

impl FirstReverse {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    fn is_neighbour(&self) -> bool {
        *self == FirstReverse::Neighbour
    }
}

/// Who deals the next round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NextDealer {
    /// The next seat clockwise.
    #[default]
    Left,
    /// The winner of the round; the next seat clockwise where nobody won or several did.
    Winner,
    /// The next seat in the direction of play.
    InDirection,
}

/// Who deals the cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DealtBy {
    /// The referee.
    #[default]
    Referee,
    /// The dealer, by actions and with all mistakes that can be made.
    Dealer,
}
