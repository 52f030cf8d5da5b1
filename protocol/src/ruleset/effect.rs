//! What cards do beyond being played. Keys and values only; the engine compiles them for each table (`rules/face`) and
//! its `game` carries them out.

use std::fmt;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::CountedCards;
use crate::card_list::CardList;

/// What some cards do beyond being played. All parts are optional and can be combined; where several effects name a card,
/// each part holds that names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Effect {
    /// The clauses that this effect states.
    pub clauses: Vec<String>,
    /// The cards that have it.
    pub cards: CountedCards,
    /// The smallest and largest table where it holds; absent = every table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<[u8; 2]>,
    /// Switches the whole effect off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
    /// The cards for which its player may let it stand: it is judged, and has effects, as the one that is named with it (G-79).
    #[serde(skip_serializing_if = "CardList::is_empty")]
    pub stands_for: CardList,
    /// The card needs no match in its player's own turn, unless something is owed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub any_time: bool,
    /// The card may only be played by a seat that holds no card of the suit that counts (G-67).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only_without: Option<OnlyWithout>,
    /// The card may be played between turns too; play then goes on from its player.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub out_of_turn: bool,
    /// The card is as if it were not there: what lies under it is what counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub transparent: bool,
    /// Cards on which it may be played whatever suit is named for them (G-55).
    #[serde(skip_serializing_if = "CardList::is_empty")]
    pub also_on: CardList,
    /// It may be played on a card of its own value whatever suit is named for that (G-55).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub also_on_value: bool,
    /// Cards on which it may not be played.
    #[serde(skip_serializing_if = "CardList::is_empty")]
    pub not_on: CardList,
    /// It may not be played on a card of its own suit.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub not_on_own_suit: bool,
    /// Cards on which, where the suit is the same, anybody may play it at any time without having a turn by it.
    #[serde(skip_serializing_if = "CardList::is_empty")]
    pub free_on: CardList,
    /// Any card may be played on it, unless cards are owed, an answer is due or a request stands (G-36).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open_to_all: bool,
    /// Of the cards that fit on it, only these may be played on it (G-69).
    #[serde(skip_serializing_if = "CardList::is_empty")]
    pub followed_by: CardList,
    /// Either neighbour of its player may play any card on it, or draw; the first to act fixes the direction.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub race: bool,
    /// The next player and the one after change places until both have had a turn.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub swap_next: bool,
    /// A card goes from hand to hand at random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub take: Option<Take>,
    /// Whole hands go from seat to seat (G-44).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hands: Option<HandsMove>,
    /// Seats draw cards at once, which nothing answers (G-35).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawAtOnce>,
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
    /// Its player may play a further card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<Again>,
    /// Played in the turn after one in which a seat went out, it brings that seat back, which draws what the card owes (G-71).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub brings_back: bool,
    /// Its player must name a value or a suit that binds the whole table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Request>,
    /// It may not be played as the last card.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub never_last: bool,
    /// As the last card it stays where it lies, but does not win: what it costs its player is taken at once.
    #[serde(skip_serializing_if = "LastCosts::is_nothing")]
    pub last_costs: LastCosts,
    /// What the points of the others are multiplied by when it is the last card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_multiplies: Option<u8>,
}

impl Effect {
    /// Whether the player of its card chooses a player for it (G-59).
    pub fn chooses_seat(&self) -> bool {
        let owed = self.owe.as_ref().is_some_and(|owe| owe.on == Debtor::Chosen);
        owed || self.hands == Some(HandsMove::SwapChosen) || self.draw.is_some_and(|draw| draw.who == Drawers::Chosen)
    }
}

/// What the player of a card may not hold beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OnlyWithout {
    /// A card of the suit that lies on top, or was named for it.
    Suit,
}

/// What a card costs that does not win as the last one: false = nothing, it wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LastCosts {
    /// It wins like any other.
    #[default]
    Nothing,
    /// What a request for something that its player does not hold costs, or one card.
    Unheld,
    /// So many penalty cards, and it has no effect (G-49).
    Cards(u8),
}

impl LastCosts {
    /// Whether the card has no such price.
    pub fn is_nothing(&self) -> bool {
        *self == LastCosts::Nothing
    }
}

impl Serialize for LastCosts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            LastCosts::Nothing => serializer.serialize_bool(false),
            LastCosts::Unheld => serializer.serialize_bool(true),
            LastCosts::Cards(cards) => serializer.serialize_u8(*cards),
        }
    }
}

impl<'de> Deserialize<'de> for LastCosts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LastCosts, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = LastCosts;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false or a number of cards")
            }
            fn visit_bool<E: de::Error>(self, costs: bool) -> Result<LastCosts, E> {
                Ok(if costs { LastCosts::Unheld } else { LastCosts::Nothing })
            }
            fn visit_u64<E: de::Error>(self, cards: u64) -> Result<LastCosts, E> {
                let cards =
                    u8::try_from(cards).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(cards), &self))?;
                Ok(LastCosts::Cards(cards))
            }
            fn visit_i64<E: de::Error>(self, cards: i64) -> Result<LastCosts, E> {
                let cards = u8::try_from(cards).map_err(|_| E::invalid_value(de::Unexpected::Signed(cards), &self))?;
                Ok(LastCosts::Cards(cards))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
impl JsonSchema for LastCosts {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "LastCosts".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "false: nothing, it wins; true: what an unheld request costs, or one card; a number: so many penalty cards",
            "anyOf": [{ "type": "boolean" }, { "type": "integer", "minimum": 0, "maximum": 255 }]
        })
    }
}

/// How a suit is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChooseSuit {
    /// Naming is a permission; without it the card's own suit counts.
    May,
    /// A play without a suit is a protocol error (G-04).
    Must,
    /// The first suit that anybody states in words counts, before or after the next player's turn has come; until then
    /// only a card that needs no match can be played.
    Spoken,
    /// It must be a new suit, neither the card's own nor that of the card before. A play without one stands, is a mistake,
    /// and the referee asks until one is named.
    New,
}

/// Who takes a card from whose hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Take {
    /// The next player from the player of the card, before the player after that one plays.
    FromPlayer,
    /// The player of the card from the next player, before that one plays.
    FromNext,
}

/// How hands go from seat to seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum HandsMove {
    /// Every hand goes to the next player in the direction of play.
    Rotate,
    /// The player of the card exchanges hands with the next player.
    SwapNext,
    /// The player of the card exchanges hands with a player that it chooses (G-59).
    SwapChosen,
    /// No hand moves: that of the next player is shown to everybody (G-62).
    ShowNext,
}

/// Cards that are drawn at once because of a card, in the order of play from its player on (G-35).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DrawAtOnce {
    /// How many each of them draws.
    pub cards: u8,
    /// Who draws.
    pub who: Drawers,
}

/// Who draws at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Drawers {
    /// Everybody but the player of the card.
    Others,
    /// The player before, against the direction of play.
    Previous,
    /// The next player.
    Next,
    /// A player that the player of the card chooses (G-59).
    Chosen,
    /// The player of the card.
    #[serde(rename = "self")]
    Oneself,
}

/// Cards that a player owes because of a card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Owe {
    /// How many for one card.
    pub cards: u8,
    /// The name of the debt in views and events, as in `draw_kind`.
    pub kind: String,
    /// The cards that pass it on, enlarged by their own debt; none = it cannot be answered so.
    #[serde(default)]
    pub answers: Answers,
    /// The cards that pass it on as it is (G-30).
    #[serde(default, skip_serializing_if = "Answers::is_empty")]
    pub passes: Answers,
    /// The cards that turn the direction and send it back to the player of the top card (G-31).
    #[serde(default, skip_serializing_if = "Answers::is_empty")]
    pub returns: Answers,
    /// The cards that cancel it: nothing is owed any more (G-32).
    #[serde(default, skip_serializing_if = "Answers::is_empty")]
    pub cancels: Answers,
    /// Who owes them (G-33).
    #[serde(default, skip_serializing_if = "is_default")]
    pub on: Debtor,
    /// Where play goes on once the turn of a player before is over (G-33).
    #[serde(default, skip_serializing_if = "is_default")]
    pub resume: Resume,
    /// Whether the first of the owed cards is drawn by itself and may be played if it answers (G-34).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rescue: bool,
    /// Whether the player who has taken the cards names the suit of the next card (G-70).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub drawer_names: bool,
    /// What follows once the cards are taken.
    pub then: AfterOwed,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Cards that answer a debt, and what else is asked of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// The cards.
    pub cards: CardList,
    /// What they must share with the top card.
    pub matching: AnswerMatch,
}

impl Answers {
    /// Whether no card answers so.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }
}

/// What an answer must share with the top card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AnswerMatch {
    /// Nothing.
    #[default]
    None,
    /// Its suit or value, as in an ordinary turn.
    Fit,
    /// Its suit.
    Suit,
}

/// Cards that answer a debt, and what they must share with the top card.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
struct AnswersTable {
    /// The cards that answer.
    cards: CardList,
    /// What they must share with the top card.
    #[serde(default)]
    r#match: AnswerMatch,
}

impl Serialize for Answers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Answers { cards, matching } = *self;
        match matching {
            AnswerMatch::None => cards.serialize(serializer),
            _ => AnswersTable { cards, r#match: matching }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Answers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Answers, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Answers;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("cards, as a text like \"7 8 KH\", or a table like { cards = \"8\", match = \"suit\" }")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Answers, E> {
                let cards = CardList::parse(text).map_err(E::custom)?;
                Ok(Answers { cards, matching: AnswerMatch::None })
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, seq: A) -> Result<Answers, A::Error> {
                let cards = CardList::deserialize(de::value::SeqAccessDeserializer::new(seq))?;
                Ok(Answers { cards, matching: AnswerMatch::None })
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Answers, A::Error> {
                let AnswersTable { cards, r#match } =
                    AnswersTable::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(Answers { cards, matching: r#match })
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
impl JsonSchema for Answers {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Answers".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let cards = generator.subschema_for::<CardList>();
        let table = generator.subschema_for::<AnswersTable>();
        json_schema!({
            "description": "cards that answer, or a table of them and of what they must share with the top card",
            "anyOf": [cards, table]
        })
    }
}

/// Who owes cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Debtor {
    /// The next player.
    #[default]
    Next,
    /// The player before, against the direction of play, who has the turn by it.
    Previous,
    /// A player that the player of the card chooses, who has the turn by it (G-59).
    Chosen,
}

/// Where play goes on after the turn of a player before, who owed cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Resume {
    /// With the first player after the one whose card made the debt.
    #[default]
    AfterCard,
    /// With the first player after the debtor.
    AfterDebtor,
}

/// What follows once owed cards are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AfterOwed {
    /// The turn is over.
    TurnOver,
    /// A full turn follows.
    TurnStays,
}

/// A turn that is lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Skip {
    /// The cards that pass it on, enlarged by one if `adds`; none = it is lost at once and cannot be answered.
    #[serde(default)]
    pub answers: CardList,
    /// Whether each player who is to be skipped may answer, or only the first.
    #[serde(default)]
    pub every_victim_may_answer: bool,
    /// Whether the player after that one has the turn at once, and the answer is possible until that one acts.
    #[serde(default)]
    pub threat: bool,
    /// Whether each answer adds a turn to those that are lost; otherwise it only passes the one turn on (G-27).
    #[serde(default = "adds_up", skip_serializing_if = "super::is_true")]
    pub adds: bool,
    /// Who loses turns that have added up (G-37).
    #[serde(default, skip_serializing_if = "is_default")]
    pub of: LostBy,
}

/// Who loses turns that have added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LostBy {
    /// As many players, one turn each.
    #[default]
    Players,
    /// The first who does not answer, as many turns of its own.
    Turns,
}

fn adds_up() -> bool {
    true
}

/// A further card in the same turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Again {
    /// Whether it must be played, or a card drawn; otherwise one may play it or stop.
    pub must: bool,
    /// What it must share with the card before it.
    pub fits: AgainFits,
    /// How many cards are drawn in its place.
    pub draws: AgainDraws,
}

impl Again {
    /// One may play it or stop.
    pub const MAY: Again = Again { must: false, fits: AgainFits::Card, draws: AgainDraws::One };
    /// One must play it, or draw a card.
    pub const MUST: Again = Again { must: true, ..Again::MAY };
}

/// What a further card must share with the one before it (G-38).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AgainFits {
    /// Suit or value, as in an ordinary turn.
    #[default]
    Card,
    /// The suit.
    Suit,
    /// Nothing.
    Anything,
}

/// How many cards are drawn in place of a further card that must be played (G-38).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AgainDraws {
    /// One, and the turn is over.
    #[default]
    One,
    /// One after another until one can be played.
    UntilFits,
    /// One, as in an ordinary turn: what may follow it says `turn.after_draw` (G-60).
    AsTurn,
}

/// Whether a further card in the same turn must be played.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
enum AgainWord {
    /// One may play it or stop.
    May,
    /// One must play it, or draw a card.
    Must,
}

/// What is asked of a further card in the same turn.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
struct AgainTable {
    /// Whether the further card must be played, or a card drawn.
    must: bool,
    /// What it must share with the card before it.
    #[serde(default)]
    fits: AgainFits,
    /// How many cards are drawn in its place.
    #[serde(default)]
    draws: AgainDraws,
}

impl Serialize for Again {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Again { must, fits, draws } = *self;
        match *self {
            Again::MAY => AgainWord::May.serialize(serializer),
            Again::MUST => AgainWord::Must.serialize(serializer),
            _ => AgainTable { must, fits, draws }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Again {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Again, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Again;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"may\", \"must\" or a table like { must = true, fits = \"suit\" }")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Again, E> {
                let word = AgainWord::deserialize(de::value::StrDeserializer::new(text))?;
                Ok(match word {
                    AgainWord::May => Again::MAY,
                    AgainWord::Must => Again::MUST,
                })
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Again, A::Error> {
                let AgainTable { must, fits, draws } =
                    AgainTable::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(Again { must, fits, draws })
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
impl JsonSchema for Again {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Again".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let word = generator.subschema_for::<AgainWord>();
        let table = generator.subschema_for::<AgainTable>();
        json_schema!({ "description": "a further card in the same turn", "anyOf": [word, table] })
    }
}

/// A value or suit that everybody has to serve until the request is over; meanwhile no card has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// What is named.
    pub names: Named,
    /// The values that can be named; absent = all of the pack (G-39).
    #[serde(default, skip_serializing_if = "CardList::is_empty")]
    pub of: CardList,
    /// Whether the card may be played without a request (G-39).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_decline: bool,
    /// Cards that it costs to name what one does not hold.
    #[serde(default)]
    pub unheld_costs: u8,
    /// When the request is over.
    #[serde(default)]
    pub ends: RequestEnds,
    /// When another card that makes such a request may be played in its place.
    #[serde(default, skip_serializing_if = "Revocable::is_default")]
    pub revocable: Revocable,
}

/// What a request names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Named {
    /// A value of the pack.
    Rank,
    /// A suit.
    Suit,
}

/// When a request is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RequestEnds {
    /// When every seat has served it, or a whole lap passed in which nobody served it and nobody could draw.
    #[default]
    AllServed,
    /// When every seat has had one turn at it, the chooser last.
    Lap,
    /// When the next player has had one turn at it (G-61).
    NextTurn,
}

/// When a request may be revoked by another card that makes one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Revocable {
    /// As long as no seat has served it, and not by the one that made it.
    #[default]
    Unserved,
    /// By every seat as long as it stands (G-81).
    Always,
}

impl Revocable {
    fn is_default(&self) -> bool {
        *self == Revocable::default()
    }
}
