//! The messages of `maumau/1`, one JSON object a line. Only the types and their members: `wire` reads lines, and the
//! referee decides when to send what.

use std::sync::Arc;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::action::Action;
use crate::event::{EventNumber, SeenEvent};
use crate::faces::Faces;
use crate::limits;
use crate::named::named;
use crate::ruleset::RuleSet;
use crate::seat::Seat;
use crate::seed::digits_of;
use crate::view::View;

/// The protocol's name and major version. Within a major version only additions are made.
pub const PROTOCOL: &str = "maumau/1";

/// The name of a game, unique in its run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(transparent)]
pub struct GameId(pub Arc<str>);

/// The name of an ask: 64 bits that cannot be guessed, as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AskId(pub u64);

impl std::fmt::Display for AskId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl AskId {
    /// Reads the 16 lower-case hexadecimal digits.
    pub fn from_digits(digits: &[u8]) -> Option<AskId> {
        let digits: [u8; 16] = digits.try_into().ok()?;
        let value = |digit: u8| match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            _ => 0x10,
        };
        let values = digits.map(value);
        let are_digits = values.iter().fold(0, |all, value| all | value) < 0x10;
        are_digits.then(|| AskId(values.iter().fold(0, |number, value| number << 4 | u64::from(*value))))
    }

    /// The 16 lower-case hexadecimal digits, in pairs.
    #[inline]
    pub fn digits(self) -> [[u8; 2]; 8] {
        digits_of(self.0.to_be_bytes())
    }
}

impl Serialize for AskId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(std::str::from_utf8(self.digits().as_flattened()).unwrap_or_default())
    }
}

impl<'de> Deserialize<'de> for AskId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<AskId, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        AskId::from_digits(text.as_bytes())
            .ok_or_else(|| serde::de::Error::custom("not an ask id: 16 lower-case hexadecimal digits"))
    }
}

#[cfg(test)]
impl JsonSchema for AskId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AskId".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[0-9a-f]{16}$" })
    }
}

/// The time a seat has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct TimeControl {
    /// Milliseconds for one answer.
    pub move_ms: u64,
    /// Milliseconds a seat may overdraw in a whole game, beyond `move_ms` of each answer.
    pub bank_ms: u64,
    /// Milliseconds that each answer in time adds to the bank.
    pub increment_ms: u64,
    /// Milliseconds from the start of a process to its `ready`.
    pub start_ms: u64,
    /// Live clock: milliseconds for words that are due (G-13).
    pub grace_ms: u64,
    /// Live clock: milliseconds that others have to answer before the seat to move is heard (G-13).
    pub reaction_ms: u64,
    /// Live clock: milliseconds after a last card (G-13).
    pub closing_ms: u64,
    /// Live clock: milliseconds of a count of ten (G-13).
    pub count_ms: u64,
}

impl Default for TimeControl {
    fn default() -> TimeControl {
        TimeControl {
            move_ms: 5_000,
            bank_ms: 0,
            increment_ms: 0,
            start_ms: 10_000,
            grace_ms: 2_000,
            reaction_ms: 1_000,
            closing_ms: 4_000,
            count_ms: 10_000,
        }
    }
}

impl TimeControl {
    /// The longest of its times, in milliseconds.
    pub fn longest_ms(&self) -> u64 {
        let TimeControl { move_ms, bank_ms, increment_ms, start_ms, grace_ms, reaction_ms, closing_ms, count_ms } =
            *self;
        let times = [move_ms, bank_ms, increment_ms, start_ms, grace_ms, reaction_ms, closing_ms, count_ms];
        times.into_iter().fold(0, u64::max)
    }
}

/// How answers are put in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClockMode {
    /// All seats that can act are asked at the same moment; the order of their answers is drawn from the seed.
    #[default]
    Lockstep,
    /// Actions are taken up as they arrive, and time passes for real.
    Live,
}

/// The limits that the arena announces in `hello`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Limits {
    /// Bytes in a line, newline included, in either direction.
    pub line_bytes: usize,
    /// Lines one agent may send while one ask is open.
    pub lines_per_ask: u32,
    /// Utterances in an action.
    pub says: usize,
    /// Characters in an utterance.
    pub say_chars: usize,
    /// Bytes of JSON in a note.
    pub note_bytes: usize,
    /// Games in one process.
    pub games: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            line_bytes: limits::MAX_LINE_BYTES,
            lines_per_ask: limits::MAX_LINES_PER_ASK,
            says: limits::MAX_SAYS,
            say_chars: limits::MAX_SAY_CHARS,
            note_bytes: limits::MAX_NOTE_BYTES,
            games: limits::MAX_GAMES_PER_AGENT,
        }
    }
}

/// What the arena sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ArenaMessage {
    /// First line of every process.
    Hello(Hello),
    /// A game begins.
    Start(Box<Start>),
    /// An answer is wanted.
    Ask(Box<Ask>),
    /// Something happened and nothing is asked.
    Tell(Tell),
    /// A line or an action was wrong.
    Fault(Fault),
    /// A game is over.
    Over(Over),
    /// The process is no longer needed and should end.
    Bye(Bye),
}

/// First line of every process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Hello {
    /// The protocol that the arena speaks: `maumau/1`.
    pub protocol: String,
    /// The version of the arena.
    pub arena: String,
    /// Limits on what is sent: of the lines in either direction, and of what an agent may send.
    pub limits: Limits,
    /// How answers are put in order.
    pub clock: ClockMode,
}

/// A game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Start {
    /// The game.
    pub game: GameId,
    /// The agent's seat.
    pub seat: Seat,
    /// The names of all seats, in order; `seat-0`, `seat-1` and so on where the organiser hides them.
    pub names: Vec<String>,
    /// The name of the rule set.
    pub rule_set: String,
    /// The resolved rule set; only for an agent that wants `rules`, and if a line holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Arc<RuleSet>>,
    /// Rounds of the match.
    pub rounds: u32,
    /// The time a seat has.
    pub time: TimeControl,
    /// Conduct faults after which the agent is dismissed.
    pub max_strikes: u8,
    /// The commitment to the game's seed, 64 hexadecimal digits (SPEC 8.10).
    pub commitment: String,
    /// A seed for the agent's own use, 16 hexadecimal digits, the same whenever this game is played again.
    pub seed: String,
    /// True if the organiser says that agents may know the run's seed, and so every card (SPEC 8.1).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub public_seed: bool,
}

impl Start {
    /// What the cards of the game look like; French, if the agent is not sent the rules.
    pub fn faces(&self) -> Faces {
        self.rules.as_ref().map_or(Faces::French, |rules| rules.deck.faces)
    }
}

named! {
    /// What kind of answer is wanted.
    pub enum What {
        /// The seat is to move.
        Turn = "turn",
        /// The seat may act, or answer `wait`.
        React = "react",
        /// The seat must name a suit or value.
        Choose = "choose",
        /// The seat must deal, turn up or look.
        Deal = "deal",
    }
}

/// An answer is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Ask {
    /// The game.
    pub game: GameId,
    /// The id to repeat in the answer.
    pub id: AskId,
    /// The agent's seat.
    pub seat: Seat,
    /// What kind of answer.
    pub what: What,
    /// Milliseconds until the deadline, counted from when the line was written.
    pub time_ms: u64,
    /// The number of the last event so far.
    pub as_of: EventNumber,
    /// Events since the last line of this game; for an agent that wants `events`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<SeenEvent>,
    /// The position; for an agent that wants `view`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<View>,
    /// The actions that would be accepted, each with the words that the rules want said with it; for an agent that wants
    /// `legal`. Never empty where it stands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legal: Vec<Action>,
}

impl Ask {
    /// An ask of `game` in which nothing stands yet.
    pub fn of(game: GameId) -> Ask {
        Ask {
            game,
            id: AskId(0),
            seat: Seat::FIRST,
            what: What::React,
            time_ms: 0,
            as_of: EventNumber(0),
            events: Vec::new(),
            view: None,
            legal: Vec::new(),
        }
    }
}

/// Something happened and nothing is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Tell {
    /// The game.
    pub game: GameId,
    /// What happened since the last line of this game.
    pub events: Vec<SeenEvent>,
}

/// A line or an action was wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Fault {
    /// The game it counts in; absent before the first game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
    /// The ask that it belongs to, where one is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<AskId>,
    /// The name in the fault table.
    pub fault: String,
    /// What was expected, what came, where.
    pub message: String,
    /// The rule clause or SPEC clause.
    pub clause: String,
    /// Penalty cards that it cost.
    #[serde(default)]
    pub cards: u16,
    /// Conduct faults of this seat in this game so far.
    #[serde(default)]
    pub strikes: u8,
    /// Whether the ask is still open, so that another answer may be sent before its deadline.
    #[serde(default)]
    pub open: bool,
}

/// A game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Over {
    /// The game.
    pub game: GameId,
    /// What happened since the last line of this game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<SeenEvent>,
    /// The result.
    pub result: GameResult,
    /// The game's seed, 64 hexadecimal digits; absent unless all other games of the deal were stored when this one began
    /// (SPEC 8.10).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
}

/// The result of a match. Lists are in seat order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct GameResult {
    /// The place of each seat, 1 for the first; equal seats share the better place.
    pub places: Vec<u8>,
    /// Points of each seat.
    pub points: Vec<i32>,
    /// Rounds won by each seat.
    pub wins: Vec<u32>,
    /// Rounds played.
    pub rounds: u32,
    /// Rounds that no seat has won, if any: their places follow from the hands as they stood (G-23).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unwon: u32,
    /// Seats that were dismissed.
    #[serde(default)]
    pub dismissed: Vec<Seat>,
}

impl GameResult {
    /// The seats that have won: those at the first place, unless no round was won (G-23).
    pub fn winners(&self) -> impl Iterator<Item = Seat> {
        let is_won = self.unwon < self.rounds;
        Seat::all(self.places.len()).filter(move |seat| is_won && self.places[seat.index()] == 1)
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The process is no longer needed and should end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Bye {
    /// Why, in a sentence.
    pub reason: String,
}

named! {
    /// What an agent can want in its asks.
    pub enum Want {
        /// The position.
        View = "view",
        /// The legal actions.
        Legal = "legal",
        /// What happened since the last line.
        Events = "events",
        /// The resolved rule set in `start`.
        Rules = "rules",
    }
}

/// What an agent sends.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AgentMessage {
    /// The answer to `hello`.
    Ready(Ready),
    /// The answer to an ask.
    Act(Act),
    /// Something for the record.
    Note(Note),
}

/// The answer to `hello`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Ready {
    /// The protocol that the agent speaks: `maumau/1`.
    pub protocol: String,
    /// The agent's name, at most 64 characters.
    #[serde(default)]
    #[cfg_attr(test, schemars(length(max = limits::MAX_NAME_CHARS)))]
    pub name: String,
    /// The agent's version, at most 64 characters.
    #[serde(default)]
    #[cfg_attr(test, schemars(length(max = limits::MAX_NAME_CHARS)))]
    pub version: String,
    /// What the agent wants in its asks; absent = view and legal.
    #[serde(default = "usual_wants")]
    pub wants: Vec<Want>,
    /// Whether the agent wants to be offered every tick.
    #[serde(default)]
    pub ticks: bool,
    /// How many games it can play at once in one process.
    #[serde(default = "one_game")]
    #[cfg_attr(test, schemars(range(min = 1, max = u32::MAX)))]
    pub games: u32,
    /// The games that the agent was made for; absent = all. A league that has others is not begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plays: Option<Plays>,
}

/// The games that an agent was made for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Plays {
    /// The names of the rule sets; absent = all.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<String>>,
    /// How many seats a table may have; absent = any number.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub seats: Option<Vec<u8>>,
}

/// Reads a member that may be absent but not null.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl Ready {
    /// The handshake of an agent without a version that plays one game at a time and wants no ticks.
    pub fn new(name: impl Into<String>, wants: Vec<Want>) -> Ready {
        let (protocol, version) = (PROTOCOL.to_owned(), String::new());
        Ready { protocol, name: name.into(), version, wants, ticks: false, games: one_game(), plays: None }
    }
}

pub(crate) fn usual_wants() -> Vec<Want> {
    vec![Want::View, Want::Legal]
}

pub(crate) fn one_game() -> u32 {
    1
}

/// The answer to an ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Act {
    /// The game of the ask.
    pub game: GameId,
    /// The id of the ask.
    pub id: AskId,
    /// What failed in the author's code, so that this action is a kit's own choice (SPEC 6.16); at most 1,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(length(max = limits::MAX_CRASH_CHARS)))]
    pub crash: Option<Box<str>>,
    /// What the seat does and says.
    #[serde(flatten)]
    pub action: Action,
}

/// Something for the record.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Note {
    /// The game it belongs to.
    pub game: GameId,
    /// Anything, at most 4 KiB of JSON.
    pub note: serde_json::Value,
}
