//! The scenario file as it is written. Running it is the business of its parent module. Only the form is known here;
//! running it is the business of its parent module.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use maumau_protocol::ruleset::OptionValue;
use maumau_protocol::{Action, Card, Direction, Elapse, OpenRun, Pending, Race, Request, Seat, Suit, TakeOrder};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Map, Value};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scenario {
    pub(crate) name: String,
    pub(crate) ruleset: String,
    #[serde(default, rename = "note")]
    _note: String,
    #[serde(default, rename = "ruling")]
    _ruling: bool,
    #[serde(default, rename = "random")]
    _random: bool,
    #[serde(default)]
    pub(crate) options: BTreeMap<String, OptionValue>,
    #[serde(default)]
    pub(crate) clauses: Vec<String>,
    pub(crate) players: usize,
    pub(crate) setup: Setup,
    pub(crate) steps: Vec<ScenarioStep>,
    #[serde(default)]
    pub(crate) end: Option<ScenarioEnd>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Setup {
    pub(crate) dealer: Seat,
    pub(crate) hands: Vec<Vec<Card>>,
    pub(crate) pile: Vec<Card>,
    pub(crate) draw: Vec<Card>,
    pub(crate) direction: Direction,
    pub(crate) turn: Option<Seat>,
    #[serde(default)]
    pub(crate) phase: SetupPhase,
    #[serde(default)]
    pub(crate) pending: SetupPending,
    #[serde(default)]
    pub(crate) looked: Vec<bool>,
    #[serde(default)]
    pub(crate) points: Option<Vec<i32>>,
    #[serde(default)]
    pub(crate) chips: Option<Vec<i32>>,
    #[serde(default)]
    pub(crate) count: Option<Vec<i32>>,
    #[serde(default)]
    pub(crate) pending_penalties: Option<Vec<u16>>,
    #[serde(default)]
    pub(crate) sealed: Option<Vec<Vec<Card>>>,
    /// The rules of the menu that have been added, in this order.
    #[serde(default)]
    pub(crate) rules: Vec<String>,
    /// The rules of the menu that are offered after this round.
    #[serde(default)]
    pub(crate) offer: Vec<String>,
    #[serde(default)]
    pub(crate) round: Option<u32>,
    #[serde(default)]
    pub(crate) rounds: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SetupPhase {
    #[default]
    Play,
    TurnUp,
    Deal,
    NewMatch,
}

/// The state at the beginning, by the keys with which it is also expected. `null`, `false`, 0 and absent are the same.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SetupPending {
    pub(crate) mau_said: Vec<Seat>,
    pub(crate) stands_for: Option<Card>,
    pub(crate) draw: Option<u16>,
    pub(crate) draw_by: Option<Seat>,
    pub(crate) draw_kind: Option<String>,
    pub(crate) sevens: Option<u16>,
    pub(crate) skip: Option<u16>,
    pub(crate) turns_lost: BySeat<u16>,
    pub(crate) skip_victim: Option<Seat>,
    pub(crate) request: Option<Request>,
    pub(crate) suit: Option<Suit>,
    pub(crate) suit_open: Option<bool>,
    pub(crate) again: Option<Seat>,
    pub(crate) choose: Option<Seat>,
    pub(crate) take: Option<TakeOrder>,
    pub(crate) snap: Option<bool>,
    pub(crate) owed_turn: Option<Seat>,
    pub(crate) joker: Option<Race>,
    pub(crate) run: Option<OpenRun>,
}

impl SetupPending {
    pub(crate) fn standing(&self) -> Pending {
        Pending {
            draw: self.draw.unwrap_or_default(),
            draw_kind: self.draw_kind.as_deref().map(Arc::from),
            sevens: self.sevens.unwrap_or_default(),
            skip: self.skip.unwrap_or_default(),
            skip_victim: self.skip_victim,
            request: self.request,
            suit: self.suit,
            suit_open: self.suit_open.unwrap_or_default(),
            again: self.again,
            choose: self.choose,
            take: self.take,
            snap: self.snap.unwrap_or_default(),
            owed_turn: self.owed_turn,
            joker: self.joker,
            run: self.run,
            ..Pending::default()
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScenarioStep {
    pub(crate) by: By,
    pub(crate) action: StepAction,
    #[serde(default)]
    pub(crate) expect: Expect,
    #[serde(default, rename = "ruling")]
    _ruling: bool,
    #[serde(default, rename = "note")]
    _note: String,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum By {
    Seat(Seat),
    Text(StandText),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StandText {
    Clock,
    Referee,
}

/// What happens in a step.
#[derive(Debug)]
pub(crate) enum StepAction {
    /// A seat acts; `as_of` is the number of steps it had seen.
    Act { action: Action, as_of: Option<usize> },
    /// Time passes.
    Elapse(Elapse),
    /// The referee deals a fresh match.
    NewRound,
}

impl<'de> Deserialize<'de> for StepAction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StepAction, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct ElapseForm {
            #[serde(rename = "do")]
            _do: String,
            what: Elapse,
        }
        let mut members = Map::deserialize(deserializer)?;
        match members.get("do").and_then(Value::as_str) {
            Some("elapse") => {
                let form: ElapseForm = serde_json::from_value(Value::Object(members)).map_err(de::Error::custom)?;
                Ok(StepAction::Elapse(form.what))
            }
            Some("new_round") if members.len() == 1 => Ok(StepAction::NewRound),
            _ => {
                let as_of =
                    members.remove("as_of").map(serde_json::from_value).transpose().map_err(de::Error::custom)?;
                let action = serde_json::from_value(Value::Object(members)).map_err(de::Error::custom)?;
                Ok(StepAction::Act { action, as_of })
            }
        }
    }
}

/// Sets of seats with a number each, as in `{"0": 2}`.
pub(crate) type BySeat<T> = BTreeMap<SeatKey, T>;

/// A seat as the key of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct SeatKey(pub(crate) Seat);

impl<'de> Deserialize<'de> for SeatKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SeatKey, D::Error> {
        let text = String::deserialize(deserializer)?;
        let seat = text.parse().ok().and_then(Seat::new);
        seat.map(SeatKey).ok_or_else(|| de::Error::custom(format_args!("{text:?} is no seat")))
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Expect {
    pub(crate) ok: Option<bool>,
    pub(crate) penalty: Option<BySeat<u16>>,
    pub(crate) drew: Option<BySeat<u16>>,
    pub(crate) hands: BySeat<u16>,
    pub(crate) has: BySeat<Vec<Card>>,
    pub(crate) lacks: BySeat<Vec<Card>>,
    pub(crate) sealed: BySeat<u16>,
    #[serde(deserialize_with = "given")]
    pub(crate) turn: Option<Option<Seat>>,
    pub(crate) may_act: Option<Vec<Seat>>,
    #[serde(deserialize_with = "given")]
    pub(crate) top: Option<Option<Card>>,
    pub(crate) direction: Option<Direction>,
    pub(crate) draw_left: Option<usize>,
    pub(crate) phase: Option<String>,
    pub(crate) round_over: Option<bool>,
    pub(crate) shown: Option<HandExpectation>,
    pub(crate) pending: ExpectPending,
    pub(crate) events: Vec<String>,
    pub(crate) no_events: Vec<String>,
}

/// A hand that is shown.
#[derive(Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HandExpectation {
    pub(crate) seat: Seat,
    /// One seat, or several.
    #[serde(deserialize_with = "one_or_several")]
    pub(crate) to: Vec<Seat>,
    /// As a set: their order means nothing.
    pub(crate) cards: Vec<Card>,
}

/// A seat, or a list of seats.
fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Seat>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Form {
        One(Seat),
        Several(Vec<Seat>),
    }
    Ok(match Form::deserialize(deserializer)? {
        Form::One(seat) => vec![seat],
        Form::Several(seats) => seats,
    })
}

/// Distinguishes a member that is `null` from one that is absent.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// As [`given`], except that `false`, and 0 unless that is a value, mean the same as `null`.
fn given_or_nothing<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let is_nothing = value.is_null() || value == false;
    match T::deserialize(&value) {
        _ if is_nothing => Ok(Some(None)),
        Ok(read) => Ok(Some(Some(read))),
        Err(_) if value == 0 => Ok(Some(None)),
        Err(error) => Err(de::Error::custom(error)),
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ExpectPending {
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) draw: Option<Option<u16>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) stands_for: Option<Option<Card>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) draw_by: Option<Option<Seat>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) challenge: Option<Option<Seat>>,
    pub(crate) turns_lost: Option<BySeat<u16>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) draw_kind: Option<Option<String>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) skip: Option<Option<u16>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) sevens: Option<Option<u16>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) suit_open: Option<Option<bool>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) joker: Option<Option<Race>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) suit: Option<Option<Suit>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) request: Option<Option<Request>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) skip_victim: Option<Option<Seat>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) take: Option<Option<TakeOrder>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) snap: Option<Option<bool>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) owed_turn: Option<Option<Seat>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) run: Option<Option<OpenRun>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) again: Option<Option<Seat>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) choose: Option<Option<Seat>>,
    #[serde(deserialize_with = "given_or_nothing")]
    pub(crate) choose_rule: Option<Option<RuleExpectation>>,
}

/// Who has to add a rule; the offer as a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleExpectation {
    pub(crate) by: Seat,
    pub(crate) offer: BTreeSet<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ScenarioEnd {
    pub(crate) round_over: Option<bool>,
    pub(crate) winners: Option<Vec<Seat>>,
    pub(crate) places: Option<Vec<Seat>>,
    pub(crate) points: Option<Vec<i32>>,
    pub(crate) chips: Option<Vec<i32>>,
    pub(crate) count: Option<Vec<i32>>,
    pub(crate) match_over: Option<bool>,
    pub(crate) match_winners: Option<Vec<Seat>>,
    pub(crate) next_dealer: Option<Seat>,
    pub(crate) direction: Option<Direction>,
    pub(crate) rules: Option<Vec<String>>,
}
