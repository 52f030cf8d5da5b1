//! Rule sets as data: what a rule file can say, and what an agent is sent.
//!
//! A rule set is a combination of small pieces: a deck, a deal, a turn, effects of cards, duties to say things, prices of
//! mistakes, an ending and a scoring. Nothing here knows the name of a rule set. Reading rule files, applying options and
//! checking that a combination makes sense is the engine's part.

mod count;
mod deal;
mod duty;
mod effect;
mod ending;
mod menu;
mod read;
mod talk;
mod together;

use std::collections::BTreeMap;
use std::fmt;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::RuleFault;
use crate::card_list::CardList;

pub use count::{Count, CountedCards, DealtCards, rank_of_count};
pub use deal::{
    Copies, Deal, DealOrder, DealtBy, Deck, DeckCards, FirstCard, FirstNames, FirstReverse, Look, NextDealer,
};
pub use duty::{CallableUntil, Duties, LastWord, LastWordMissing, Mau, MauDue, MauMau, MauMissing, Word};
pub use effect::{
    AfterOwed, Again, AgainDraws, AgainFits, AnswerMatch, Answers, ChooseSuit, Debtor, DrawAtOnce, Drawers, Effect,
    HandsMove, LastCosts, LostBy, Named, OnlyWithout, Owe, Request, RequestEnds, Resume, Revocable, Skip, Take,
};
pub use ending::{Blocked, ChipDebt, Decides, Ending, EndingAt, GoesOn, LastCardEffects, Scoring, Tie};
pub use menu::{Menu, MenuEntry, RuleFragment};
pub use read::RuleSetError;
pub use talk::{Done, Loud, PointOfOrder, SaidDuty, Talk, WordList};
pub use together::{Counting, SeveralCards, Step, Steps};

/// A resolved rule set: every option decided, every default filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
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
    /// What cards do beyond being played, by a name of the effect's own.
    #[serde(default)]
    pub effects: BTreeMap<String, Effect>,
    /// Ways to play several cards at once, by a name of their own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub together: BTreeMap<String, SeveralCards>,
    /// What must be said.
    #[serde(default)]
    pub duties: Duties,
    /// Twins of the top card, played at any time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interject: Option<Interject>,
    /// Cards that may be played wrongly, and what a challenge of them costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenge: Option<Challenge>,
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
    /// A count of each seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
    /// Rules that are added in the course of a match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub menu: Option<Menu>,
    /// The table options that were chosen, defaults included.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
}

impl RuleSet {
    /// Whether `fault` can be made by these rules. Whether it is one in a position, the engine says.
    pub fn knows_fault(&self, fault: RuleFault) -> bool {
        let effect = |has: fn(&Effect) -> bool| self.effects.values().any(has);
        let by_hand = self.deal.by != DealtBy::default();
        let word = |fault: RuleFault| self.duties.words.values().any(|word| word.fault == fault);
        let talk = |words: fn(&Talk) -> bool| self.talk.as_ref().is_some_and(words);
        match fault {
            RuleFault::WrongCard | RuleFault::OutOfTurn | RuleFault::Slow => true,
            RuleFault::NoMau => self.duties.mau.is_some() || word(fault),
            RuleFault::NoMauMau => self.duties.mau_mau.is_some() || self.duties.last.is_some() || word(fault),
            RuleFault::NoSnap => self.duties.identical.is_some() || word(fault),
            RuleFault::NoDone => self.duties.done.is_some() || word(fault),
            RuleFault::NoSpade
            | RuleFault::NoLastCard
            | RuleFault::NoOomPapa
            | RuleFault::NoSpam
            | RuleFault::NoWonderful => word(fault),
            RuleFault::Must => effect(|effect| effect.take.is_some()),
            RuleFault::NoSuit => effect(|effect| effect.choose_suit == Some(ChooseSuit::New)),
            RuleFault::Sealed => self.prices.sealed,
            RuleFault::FalseDeal
            | RuleFault::WrongDirection
            | RuleFault::Misdeal
            | RuleFault::PenaltiesNotDealt
            | RuleFault::PickUp => by_hand,
            RuleFault::EarlyLook => self.deal.look != Look::Dealt,
            RuleFault::Flinch => self.calls.movements,
            RuleFault::Question => talk(|_| true),
            RuleFault::Swear => talk(|talk| !talk.swears.words().is_empty() || !talk.deities.words().is_empty()),
            RuleFault::Explaining => talk(|talk| !talk.explaining.words().is_empty()),
            RuleFault::Talking => talk(|talk| talk.silence),
            RuleFault::TooLoud => talk(|talk| talk.loud != Loud::Off),
            RuleFault::PoToSwear | RuleFault::LookInPo | RuleFault::IllegalPo => self.point_of_order.is_some(),
            RuleFault::FalseCall => {
                let false_word = self.duties.mau.as_ref().is_some_and(|mau| mau.false_costs > 0);
                let challenged =
                    self.challenge.as_ref().is_some_and(|challenge| !challenge.off && challenge.failed > 0);
                self.calls.false_call != FalseCall::Free || false_word || challenged
            }
        }
    }
}

/// The smallest and largest table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SeatRange {
    /// Fewest seats, at least 2.
    pub min: u8,
    /// Most seats, at most 16.
    pub max: u8,
}

/// The value of a table option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
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

/// A seat that holds the twin of the top card, in suit and value, may play it at any time; play then goes on from there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Interject {
    /// The clauses that state it.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// The cards whose twin may be played so.
    pub cards: CardList,
    /// Phrases that make a twin played by the seat to move an interjection, in the form of G-10; without one it is an
    /// ordinary play. An empty list: interjections need no word, and only the other seats make them (G-65).
    pub say: Vec<String>,
    /// Whether a twin may be played while cards are owed.
    #[serde(default, skip_serializing_if = "InDebt::is_any")]
    pub in_debt: InDebt,
    /// A twin played while cards are owed for it takes the debt along: what has been drawn already counts towards it, or the
    /// new debtor owes all of it.
    #[serde(default)]
    pub redraw_full: bool,
    /// Switches it off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
}

/// Which twins may be played while cards are owed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum InDebt {
    /// Any.
    #[default]
    Any,
    /// Those that answer the debt (G-65).
    Answers,
}

impl InDebt {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    fn is_any(&self) -> bool {
        *self == InDebt::Any
    }
}

/// Lets a card with `only_without` that makes a debt be played wrongly: only a challenge by the debtor finds it out (G-67).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Challenge {
    /// The clauses that state it.
    pub clauses: Vec<String>,
    /// To whom the hand beside the challenged card is shown.
    pub shows: ShownTo,
    /// Penalty cards of a challenger who was wrong, besides the debt.
    pub failed: u8,
    /// There are no challenges; such cards are then refused where they are wrong.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
}

/// To whom a hand is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ShownTo {
    /// To the challenger.
    #[default]
    Challenger,
    /// To the whole table.
    Table,
    /// To nobody.
    Nobody,
}

/// What mistakes cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Illegal {
    /// It is refused at once.
    #[default]
    Refused,
    /// It lies like a right one unless somebody calls it before the next card.
    Stands,
}

/// The price of a wrong card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Misplay {
    /// Penalty cards.
    pub cards: u8,
    /// Penalty cards for a card that comes out of turn, where that has a price of its own (G-66).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out_of_turn: Option<u8>,
    /// Whether a wrong card played in turn ends the turn.
    pub ends_turn: bool,
    /// What becomes of owed cards when a wrong card ends the turn.
    pub debt: DebtAfterWrong,
    /// Whether it is a mistake to be noticed like those that are called, besides what it costs at once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub called: bool,
}

/// What becomes of owed cards when a wrong card ends the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DebtAfterWrong {
    /// They are taken as well.
    #[default]
    Taken,
    /// The next player owes them.
    Passes,
}

/// Mistakes that have to be called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Calls {
    /// Penalty cards for a mistake that is called, or that the referee notices.
    pub cards: u8,
    /// Who notices mistakes.
    pub notice: Notice,
    /// What a call costs that is not upheld.
    pub false_call: FalseCall,
    /// Who notices slowness.
    pub slow: Notice,
    /// How long a mistake can be called, where its own clause does not say.
    pub until: CallUntil,
    /// What becomes of penalty cards before the first card is turned up.
    pub in_deal: PenaltiesInDeal,
    /// Whether starting to draw or to play and then doing the other thing is a mistake.
    pub movements: bool,
}

/// Who notices a mistake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// The other seats, by calls.
    #[default]
    Seats,
    /// The referee, at once.
    Referee,
}

/// What a call costs that is not upheld.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FalseCall {
    /// Nothing.
    #[default]
    Free,
    /// The cards of a mistake.
    Cards,
    /// It is a mistake of the caller, which can itself be called.
    Violation,
}

/// How long a mistake can be called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CallUntil {
    /// Until the round is over.
    #[default]
    RoundEnd,
    /// Until the offender has completed its next ordinary turn; and until the round is over.
    OwnNextTurn,
}

/// What becomes of penalty cards before the first card is turned up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PenaltiesInDeal {
    /// The dealer deals them out before the turn-up (N-118, N-122).
    #[default]
    Outstanding,
    /// They are taken at once, as at any other time (P-86, P-105).
    AtOnce,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
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

impl BySeats<u32> {
    /// The largest value at any table; 0 if there are no rows.
    pub fn largest(&self) -> u32 {
        match self {
            BySeats::All(value) => *value,
            BySeats::Rows(rows) => rows.iter().map(|row| row.is).max().unwrap_or(0),
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

#[cfg(test)]
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

/// What a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Turn {
    /// Cards that one may take in a turn for want of a play, one after another; 0 = as many as there are (G-56).
    pub draws: u8,
    /// When the seat to move may draw for want of a play.
    #[serde(skip_serializing_if = "MayDraw::is_always")]
    pub may_draw: MayDraw,
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
    /// Whether a further card that must be played may be refused although one fits.
    pub again_may_draw: bool,
    /// Refused actions of a seat in one turn before the referee acts for it (G-21).
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
    /// Cards played in a round; then it is scored as it stands and nobody wins it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards_cap: Option<u32>,
    /// Conduct faults after which an agent is dismissed and the referee plays its seat (G-04).
    pub max_strikes: u8,
}

impl Turn {
    /// Turns after which a match that lasts until a target is reached has no further round (G-82).
    pub fn match_cap(&self) -> u32 {
        self.cap.saturating_mul(10).max(crate::limits::MAX_TURNS_TO_TARGET)
    }
}

impl Default for Turn {
    fn default() -> Turn {
        Turn {
            draws: 1,
            may_draw: MayDraw::Always,
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

/// When the seat to move may draw for want of a play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MayDraw {
    /// Also when it could play a card.
    #[default]
    Always,
    /// Only when it cannot play a card (G-53).
    Unable,
}

impl MayDraw {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    fn is_always(&self) -> bool {
        *self == MayDraw::Always
    }
}

/// What may follow a draw in the same turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AfterDraw {
    /// Nothing: the turn is over.
    #[default]
    Over,
    /// The card just drawn may be played if it fits.
    DrawnCard,
    /// The card just drawn must be played if it fits (G-54).
    DrawnCardMust,
    /// Any card that fits may be played.
    AnyCard,
}

/// What happens when draw pile and discard pile together cannot supply a card (G-07).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Shortage {
    /// The missing cards are waived.
    #[default]
    Waive,
    /// The drawer also takes the top card, and the next player may play anything.
    TopCard,
    /// Nobody draws: one plays a card or passes, and a card that would make a debt makes none.
    Pass,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_true(is: &bool) -> bool {
    *is
}
