//! Rule sets as data: what a rule file can say, and what an agent is sent.
//!
//! A rule set is a combination of small pieces: a deck, a deal, a turn, effects of cards, duties to say things, prices of
//! mistakes, an ending and a scoring. Nothing here knows the name of a rule set. Reading rule files, applying options and
//! checking that a combination makes sense is the engine's part.

mod calls;
mod interject;
mod talk;

use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::card_list::CardList;

pub use calls::{CallUntil, Calls, FalseCall, Notice, PenaltiesInDeal};
pub use interject::Interject;
pub use talk::{Done, Loud, PointOfOrder, SaidDuty, Talk, WordList};

/// A resolved rule set: every option decided, every default filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleSet {
    /// The version of the rule file format: 1.
    pub format: u32,
    /// The short name, as in file names and on the command line.
    pub name: String,
    /// The name shown to people.
    pub title: String,
    /// What kind of game this is, in a sentence or two.
    #[serde(default)]
    pub about: String,
    /// How many can play.
    pub seats: SeatRange,
    /// The cards.
    pub deck: Deck,
    /// How a round begins.
    pub deal: Deal,
    /// What a turn is.
    #[serde(default)]
    pub turn: Turn,
    /// What cards do beyond being laid, by a name of the effect's own.
    #[serde(default)]
    pub effects: BTreeMap<String, Effect>,
    /// What must be said.
    #[serde(default)]
    pub duties: Duties,
    /// Twins of the top card, laid at any time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interject: Option<Interject>,
    /// What should not be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talk: Option<Talk>,
    /// Pauses in which play rests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point_of_order: Option<PointOfOrder>,
    /// What mistakes cost.
    #[serde(default)]
    pub prices: Prices,
    /// Mistakes that have to be called.
    #[serde(default)]
    pub calls: Calls,
    /// How a round ends.
    #[serde(default)]
    pub ending: Ending,
    /// What a round and a match are worth.
    #[serde(default)]
    pub scoring: Scoring,
    /// The table options that were chosen, defaults included.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
}

/// The smallest and largest table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatRange {
    /// Fewest seats, at least 2.
    pub min: u8,
    /// Most seats, at most 16.
    pub max: u8,
}

/// A value that may depend on the number of seats: one value for all tables, or a list of ranges with their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BySeats<T> {
    /// The same at every table.
    All(T),
    /// Different by the number of seats; a number that no row covers cannot play.
    Rows(Vec<SeatRow<T>>),
}

/// One row of a [`BySeats`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatRow<T> {
    /// The fewest and most seats of this row.
    pub seats: [u8; 2],
    /// The value there.
    pub is: T,
}

impl<T> BySeats<T> {
    /// The value for a table of `seats`.
    pub fn get(&self, seats: usize) -> Option<&T> {
        match self {
            BySeats::All(value) => Some(value),
            BySeats::Rows(rows) => rows
                .iter()
                .find(|row| (row.seats[0] as usize..=row.seats[1] as usize).contains(&seats))
                .map(|row| &row.is),
        }
    }
}

impl<T: Serialize> Serialize for BySeats<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            BySeats::All(value) => value.serialize(serializer),
            BySeats::Rows(rows) => rows.serialize(serializer),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for BySeats<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BySeats<T>, D::Error> {
        struct Visitor<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Visitor<T> {
            type Value = BySeats<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value, or a list of rows like { seats = [2, 4], is = VALUE }")
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<BySeats<T>, E> {
                T::deserialize(de::value::U64Deserializer::new(value)).map(BySeats::All)
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<BySeats<T>, E> {
                T::deserialize(de::value::I64Deserializer::new(value)).map(BySeats::All)
            }
            fn visit_str<E: de::Error>(self, value: &str) -> Result<BySeats<T>, E> {
                T::deserialize(de::value::StrDeserializer::new(value)).map(BySeats::All)
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, seq: A) -> Result<BySeats<T>, A::Error> {
                Vec::deserialize(de::value::SeqAccessDeserializer::new(seq)).map(BySeats::Rows)
            }
        }
        deserializer.deserialize_any(Visitor(std::marker::PhantomData))
    }
}

impl<T: JsonSchema> JsonSchema for BySeats<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("BySeats_{}", T::schema_name()).into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        let row = generator.subschema_for::<SeatRow<T>>();
        json_schema!({
            "description": "one value for every table, or rows by the number of seats",
            "anyOf": [value, { "type": "array", "items": row }]
        })
    }
}

/// The cards of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deck {
    /// The cards of one pack, usually a range of ranks.
    pub cards: BySeats<DeckCards>,
    /// The number of packs.
    #[serde(default = "one_pack")]
    pub packs: BySeats<u8>,
    /// Jokers in each pack.
    #[serde(default)]
    pub jokers: u8,
}

/// The cards of one pack.
pub type DeckCards = CardList;

fn is_empty(cards: &CardList) -> bool {
    cards.0.is_empty()
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_true(is: &bool) -> bool {
    *is
}

fn one_pack() -> BySeats<u8> {
    BySeats::All(1)
}

/// How a round begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// Cards dealt to each seat.
    pub cards: BySeats<u8>,
    /// Cards that must be left to draw for each seat, once the first is turned up.
    #[serde(default)]
    pub leave_each: u8,
    /// What the first card turned up does.
    #[serde(default)]
    pub first_card: FirstCard,
    /// Who deals the next round.
    #[serde(default)]
    pub next_dealer: NextDealer,
    /// Who deals the cards.
    #[serde(default)]
    pub by: DealtBy,
    /// What the dealer has to keep to, where he deals.
    #[serde(default)]
    pub order: DealOrder,
    /// When a seat sees its cards.
    #[serde(default)]
    pub look: Look,
    /// Whether the direction of play carries over from round to round.
    #[serde(default)]
    pub direction_carries: bool,
    /// Cards that are not turned up first: they are shuffled back unseen, and another is turned up.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub not_first: CardList,
}

/// What the dealer has to keep to, where he deals by actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DealOrder {
    /// Singly, in the direction of play, the number that the rules say; whoever begins deals, rightly or not. The referee
    /// notices wrong cards at the turn-up (N-107 to N-121).
    #[default]
    Fixed,
    /// Any order and any number, as long as all get the same; only the dealer. A misdeal is a mistake to be noticed like
    /// any other (P-02 to P-04, P-70 to P-72).
    Free,
}

/// When a seat sees its cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// As they are dealt.
    #[default]
    Dealt,
    /// By an action, the dealer first; the referee looks for whoever has not by the time the first card is turned up.
    Auto,
    /// By an action, the dealer first; whoever has not looked lays no card.
    Asked,
}

/// What the first card turned up does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FirstCard {
    /// It is a plain card, whatever it is.
    #[default]
    Plain,
    /// It has its effect, as if the dealer had just played it.
    Effect,
}

/// Who deals the next round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DealtBy {
    /// The referee.
    #[default]
    Referee,
    /// The dealer, by actions of his own and with all mistakes that can be made.
    Dealer,
}

/// What a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Turn {
    /// Cards that one may take in a turn for want of a play, one after another.
    pub draws: u8,
    /// What may follow a draw.
    pub after_draw: AfterDraw,
    /// Whether taking owed cards counts as the draw of the turn that follows.
    pub owed_counts_as_draw: bool,
    /// Whether owed cards are taken by one action each.
    pub owed_one_by_one: bool,
    /// Turn limits in a row after which the referee acts for a silent seat; 0 = at the first, at the price of slowness
    /// (G-05, G-22).
    pub absent_limits: u8,
    /// Whether instructions (to take a card) are carried out by the referee at once.
    pub musts_at_once: bool,
    /// Whether a further card that must be laid may be refused although one fits.
    pub again_may_draw: bool,
    /// Refused cards a seat may offer in one turn before the referee acts for it (G-21).
    pub max_refusals: u8,
    /// Turns in a round; then it is scored as it stands and nobody wins it.
    pub cap: u32,
    /// Whether a card drawn out of turn is kept and changes nothing; otherwise the draw is refused.
    pub draw_out_of_turn: bool,
    /// Whether the discard pile under its top card becomes the new draw pile when that is used up (G-06).
    #[serde(skip_serializing_if = "is_true")]
    pub reshuffle: bool,
    /// What happens when nothing is left to draw (G-07).
    pub shortage: Shortage,
    /// Cards laid in a round; then it is scored as it stands and nobody wins it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards_cap: Option<u32>,
    /// Conduct faults after which an agent is dismissed and the referee plays its seat (G-04).
    pub max_strikes: u8,
}

impl Default for Turn {
    fn default() -> Turn {
        Turn {
            draws: 1,
            after_draw: AfterDraw::Over,
            owed_counts_as_draw: false,
            owed_one_by_one: false,
            absent_limits: 0,
            musts_at_once: false,
            again_may_draw: true,
            max_refusals: 3,
            draw_out_of_turn: false,
            cap: crate::limits::DEFAULT_TURN_CAP,
            reshuffle: true,
            shortage: Shortage::Waive,
            cards_cap: None,
            max_strikes: 3,
        }
    }
}

/// What may follow a draw in the same turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AfterDraw {
    /// Nothing: the turn is over.
    #[default]
    Over,
    /// The card just drawn may be laid if it fits.
    DrawnCard,
    /// Any card that fits may be laid.
    AnyCard,
}

/// What happens when draw pile and discard pile together cannot supply a card (G-07).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shortage {
    /// The missing cards are waived.
    #[default]
    Waive,
    /// The drawer also takes the top card, and the next player may lay anything.
    TopCard,
    /// Nobody draws: one lays a card or passes, and a card that would make a debt makes none.
    Pass,
}

/// What some cards do beyond being laid. All parts are optional and can be combined; where several effects name a card,
/// each part holds that names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Effect {
    /// The clauses that this effect states.
    pub clauses: Vec<String>,
    /// The cards that have it.
    pub cards: CardList,
    /// The smallest and largest table where it holds; absent = every table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<[u8; 2]>,
    /// Switches the whole effect off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
    /// The card needs no match in its player's own turn, unless something is owed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub any_time: bool,
    /// The card may be laid between turns too; play then goes on from its player.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub out_of_turn: bool,
    /// The card is as if it were not there: what lies under it is what counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub transparent: bool,
    /// Cards on which it may not be laid.
    #[serde(skip_serializing_if = "is_empty")]
    pub not_on: CardList,
    /// It may not be laid on a card of its own suit.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub not_on_own_suit: bool,
    /// Cards on which, where the suit is the same, anybody may lay it at any time without having a turn by it.
    #[serde(skip_serializing_if = "is_empty")]
    pub free_on: CardList,
    /// Either neighbour of its player may lay any card on it, or draw; the first to act fixes the direction.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub race: bool,
    /// The next player and the one after him change places until both have had a turn.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub swap_next: bool,
    /// A card goes from hand to hand at random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub take: Option<Take>,
    /// Its player may name the suit of the next card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choose_suit: Option<ChooseSuit>,
    /// The next player owes cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owe: Option<Owe>,
    /// The next player loses a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip: Option<Skip>,
    /// The direction of play turns round.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reverse: bool,
    /// Its player may lay a further card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<Again>,
    /// Its player must name a value or a suit that binds the whole table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Request>,
    /// It may not be laid as the last card.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub never_last: bool,
    /// As the last card it stays where it lies, but does not win: what it costs its player is taken at once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub last_costs: bool,
    /// What the points of the others are multiplied by when it is the last card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_multiplies: Option<u8>,
}

/// How a suit is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChooseSuit {
    /// Naming is a permission; without it the card's own suit counts.
    May,
    /// A play without a suit is a protocol error (G-04).
    Must,
    /// The first suit that anybody states in words counts, before or after the next player's turn has come; until then
    /// only a card that needs no match can be laid.
    Spoken,
    /// It must be a new suit, neither the card's own nor that of the card before. A play without one stands, is a mistake,
    /// and the referee asks until one is named.
    New,
}

/// Who takes a card from whose hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Take {
    /// The next player from whoever laid the card, before the player after him plays.
    FromPlayer,
    /// Whoever laid the card from the next player, before that one plays.
    FromNext,
}

/// Cards that the next player owes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Owe {
    /// How many for one card.
    pub cards: u8,
    /// The name of the debt in views and events, as in `draw_kind`.
    pub kind: String,
    /// The cards that pass it on, enlarged by their own debt; none = it cannot be answered.
    #[serde(default)]
    pub answers: CardList,
    /// What follows once the cards are taken.
    pub then: AfterOwed,
}

/// What follows once owed cards are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AfterOwed {
    /// The turn is over.
    TurnOver,
    /// A full turn follows.
    TurnStays,
}

/// A turn that is lost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Skip {
    /// The cards that pass it on, enlarged by one; none = it is lost at once and cannot be answered.
    #[serde(default)]
    pub answers: CardList,
    /// Whether each player who is to be skipped may answer, or only the first.
    #[serde(default)]
    pub every_victim_may_answer: bool,
    /// Whether the player after him has the turn at once, and the answer is possible until that one acts.
    #[serde(default)]
    pub threat: bool,
}

/// A further card in the same turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Again {
    /// One may lay it or stop.
    May,
    /// One must lay it, or draw a card.
    Must,
}

/// A value or suit that everybody has to serve until the request is over; meanwhile no card has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// What is named.
    pub names: Named,
    /// Cards that it costs to name what one does not hold.
    #[serde(default)]
    pub unheld_costs: u8,
    /// When the request is over.
    #[serde(default)]
    pub ends: RequestEnds,
}

/// What a request names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Named {
    /// A value of the pack.
    Rank,
    /// A suit.
    Suit,
}

/// When a request is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RequestEnds {
    /// When every seat has served it, or a whole lap passed in which nobody served it and nobody could draw.
    #[default]
    AllServed,
    /// When every seat has had one turn at it, the chooser last.
    Lap,
}

/// What must be said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Duties {
    /// The warning of whoever holds one card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mau: Option<Mau>,
    /// Words owed with a card, by a name of the duty's own.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<String, SaidDuty>,
    /// The word of whoever has drawn what was owed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<Done>,
    /// The word of whoever holds no card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mau_mau: Option<MauMau>,
    /// The word of whoever lays the card after two identical ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identical: Option<Word>,
}

/// The word of whoever holds no card: due quickly, and before the next card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MauMau {
    /// The clauses that state it.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// The word, in the form of G-10.
    pub word: String,
    /// Whether being late and being later than the next card are two mistakes.
    #[serde(default)]
    pub double: bool,
}

/// A word that is due at a certain moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Word {
    /// The clauses that state it.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// The word, in the form of G-10.
    pub word: String,
}

/// The warning that one card is left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mau {
    /// The clauses that state it.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// The word, in the form of G-10.
    pub word: String,
    /// What comes of it when it is missing.
    pub if_missing: MauMissing,
    /// Cards that a missing word costs, where it costs cards.
    #[serde(default)]
    pub cards: u8,
    /// Where the last card is barred: the word counts whenever it is said, also with the last card.
    #[serde(default)]
    pub any_time: bool,
    /// Its last moment.
    #[serde(default)]
    pub due: MauDue,
    /// Where it has to be called: when a call is too late.
    #[serde(default)]
    pub callable_until: CallableUntil,
    /// Whether the last card may not follow a further-card effect in the same turn unless the word was said before it.
    #[serde(default)]
    pub before_last_of_chain: bool,
}

/// The last moment of the warning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MauDue {
    /// Before the first action of a following turn; due only for one card left at the end of one's own turn.
    #[default]
    NextTurn,
    /// Before the next card that anybody lays; due however one came to hold one card.
    NextCard,
}

/// When a call of a missing word is too late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallableUntil {
    /// From the offender's own next turn on.
    #[default]
    OwnTurn,
    /// From the move of the next-but-one player on.
    NextButOne,
}

/// What comes of a missing word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MauMissing {
    /// The referee charges the cards before the next turn's first action.
    Charged,
    /// Another seat has to call it, from the next turn's first action on.
    Called,
    /// The last card may not be laid.
    BarsLastCard,
}

/// What mistakes cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Prices {
    /// A card that does not fit or comes out of turn.
    pub misplay: Misplay,
    /// Penalty cards for a missed deadline, beside what the referee does for the seat (G-05).
    pub slow_cards: u8,
    /// What becomes of a wrong card.
    pub illegal: Illegal,
    /// Whether penalty cards may not be looked at or used before their owner's next turn is over.
    pub sealed: bool,
}

/// What becomes of a wrong card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Illegal {
    /// It is refused at once.
    #[default]
    Refused,
    /// It lies like a right one unless somebody calls it before the next card.
    Stands,
}

/// The price of a wrong card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Misplay {
    /// Penalty cards.
    pub cards: u8,
    /// Whether a wrong card laid in turn ends the turn.
    pub ends_turn: bool,
    /// What becomes of owed cards when a wrong card ends the turn.
    pub debt: DebtAfterWrong,
    /// Whether it is a mistake to be noticed like those that are called, besides what it costs at once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub called: bool,
}

/// What becomes of owed cards when a wrong card ends the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DebtAfterWrong {
    /// They are taken as well.
    #[default]
    Taken,
    /// The next player owes them.
    Passes,
}

/// How a round ends: the first empty hand wins it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Ending {
    /// What becomes of the effect of the winning card.
    pub last_card_effects: LastCardEffects,
    /// When an empty hand ends the round.
    pub at: EndingAt,
    /// Whether nothing at all can be laid or drawn in the closing time; otherwise what answers the last card can.
    pub rests: bool,
    /// Whether a last card laid free in one's own turn wins although the turn is still owed.
    pub free_card_wins_in_turn: bool,
    /// With nothing left to draw: once every seat has passed in a row, and so many seats again, nobody wins. Owed cards
    /// that took the last of the pile, and were all there, count as the first pass. Absent = the round goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked_after: Option<u8>,
}

/// When an empty hand ends the round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndingAt {
    /// At once.
    #[default]
    Once,
    /// When the closing time is over and the hand is still empty; all empty hands win.
    Closing,
}

/// What becomes of the effect of the winning card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LastCardEffects {
    /// It dies with the round.
    #[default]
    Die,
    /// Owed cards are drawn before the hands are counted.
    DrawFirst,
}

/// What a round and a match are worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Scoring {
    /// What decides the match.
    pub decides: Decides,
    /// Rounds of a match unless the table says otherwise.
    pub rounds: u32,
    /// Points against whoever holds the card at the end of a round, by rank; what is not named counts nothing.
    pub points: BTreeMap<String, u16>,
    /// Chips that every seat starts with, where chips decide.
    pub chips: u16,
    /// Whether a seat can owe chips.
    pub debt: ChipDebt,
    /// What follows when several seats share the first place after the last round.
    pub tie: Tie,
}

/// Whether a seat can owe chips, and so when it is broke.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChipDebt {
    /// Nobody pays more than he has; with no chips left the match is over.
    #[default]
    None,
    /// Everybody pays in full; the match is over when somebody is below zero.
    Negative,
}

/// What follows when several seats share the first place after the last round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tie {
    /// They share it.
    #[default]
    Shared,
    /// A further round is played, until one seat leads.
    ExtraRound,
}

impl Default for Scoring {
    fn default() -> Scoring {
        Scoring {
            decides: Decides::RoundsWon,
            rounds: 1,
            points: BTreeMap::new(),
            chips: 0,
            debt: ChipDebt::None,
            tie: Tie::Shared,
        }
    }
}

/// What decides a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decides {
    /// Most rounds won.
    #[default]
    RoundsWon,
    /// Fewest points.
    FewestPoints,
    /// Most chips: the winner of a round gets one from each other seat for each card left in its hand.
    MostChips,
}

/// The value of a table option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OptionValue {
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A word.
    Text(String),
    /// A list of words.
    List(Vec<String>),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Bool(value) => write!(f, "{value}"),
            OptionValue::Int(value) => write!(f, "{value}"),
            OptionValue::Text(value) => f.write_str(value),
            OptionValue::List(values) => f.write_str(&values.join(",")),
        }
    }
}
