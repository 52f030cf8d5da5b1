//! What a seat can do: the vocabulary of the rules, the same in scenarios, on the wire and in records. Defines the
//! verbs, their members and their JSON. Which actions are legal is the engine's business.

use std::fmt;

#[cfg(test)]
use schemars::JsonSchema;
use serde::de::{self, IgnoredAny, MapAccess};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::card::{Card, Rank, Suit};
use crate::limits::{MAX_DEAL_RECEIVERS, MAX_TOGETHER};
use crate::seat::Seat;
use crate::speech::{Say, Text};

/// A suit, a rank or a seat that a card lets its player name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// A suit.
    Suit(Suit),
    /// A value.
    Rank(Rank),
    /// Another seat, with a card whose effect falls on a chosen one (G-59).
    Seat(Seat),
}

/// What can be named apart from a play.
#[cfg(test)]
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[allow(dead_code, reason = "it is only described")]
enum SuitOrRank {
    /// A suit.
    Suit(Suit),
    /// A value.
    Rank(Rank),
}

/// What a movement begins (P-78).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// Towards the draw pile.
    Draw,
    /// Towards the discard pile.
    Play,
}

/// One thing a seat can do, without the words that go with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Verb {
    /// Play a card.
    Play {
        /// The card, which must be in the seat's hand.
        card: Card,
        /// What the card lets its player name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choose: Option<Choice>,
    },
    /// Play several cards at once, where the rule set has a way to (G-40).
    #[serde(rename = "play")]
    PlayTogether {
        /// The cards, which must be in the seat's hand, in the order in which they are played: the last one lies on top.
        #[cfg_attr(test, schemars(length(min = 1, max = MAX_TOGETHER)))]
        cards: Vec<Card>,
        /// What the last card lets its player name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choose: Option<Choice>,
        /// False leaves a run open for the next player, where the rules let it; a list of one card is then possible (G-73).
        #[serde(default = "closes", skip_serializing_if = "is_closed")]
        close: bool,
    },
    /// Play a card that stands for another (G-79).
    #[serde(rename = "play")]
    PlayAs {
        /// The card, which must be in the seat's hand.
        card: Card,
        /// The card for which it stands.
        #[serde(rename = "as")]
        stands_for: Card,
        /// What that card lets its player name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choose: Option<Choice>,
    },
    /// Take from the draw pile: all owed cards, else one.
    Draw,
    /// Suspend, decline to answer, or stop where a further card is allowed.
    Pass,
    /// Say that the card which makes one owe cards was not allowed, instead of drawing them (G-67).
    Challenge,
    /// Speak.
    Say {
        /// The words.
        text: Text,
    },
    /// Accuse another seat of a fault.
    Call {
        /// The accused.
        against: Seat,
        /// The name of the fault; an unknown one is a call that is not upheld.
        fault: Text,
    },
    /// Name a suit or value when the referee has asked for it.
    Choose(#[cfg_attr(test, schemars(with = "SuitOrRank"))] Choice),
    /// Choose the rule of the menu that is added, after a round that one has won (G-74).
    #[serde(rename = "choose")]
    ChooseRule {
        /// The name of the rule in the menu, one of the offer.
        rule: Text,
    },
    /// Take a card from another hand where a card orders it.
    Take {
        /// The hand to take from.
        from: Seat,
    },
    /// Deal one card to each of these seats, in this order.
    Deal {
        /// The receivers.
        #[cfg_attr(test, schemars(length(max = MAX_DEAL_RECEIVERS)))]
        to: Vec<Seat>,
    },
    /// Deal out the penalty cards that are outstanding.
    DealPenalties,
    /// Turn up the first card.
    TurnUp,
    /// Look at one's own cards.
    Look,
    /// Begin a movement.
    Reach {
        /// Towards what.
        r#for: Reach,
    },
    /// Show a seat that it is too loud.
    Glare {
        /// The loud seat.
        at: Seat,
    },
    /// Ask for play to rest.
    PointOfOrder,
    /// Let play go on.
    EndPointOfOrder,
    /// Count down from ten.
    Count,
    /// Pick up the cards to deal.
    PickUp,
    /// Do nothing at this offer; only an answer to an ask that does not demand a move.
    Wait,
}

#[cfg(test)]
fn closes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_closed(close: &bool) -> bool {
    *close
}

/// A verb and the words spoken with it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Action {
    /// What is done.
    #[cfg_attr(test, serde(flatten))]
    pub verb: Verb,
    /// What is said with it, heard before its effects (G-11).
    #[cfg_attr(test, serde(default, skip_serializing_if = "Say::is_silent"))]
    pub say: Say,
}

/// As if it were derived with the attributes above, but without the detour of a flattened member for what most lines hold.
impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Any<'a> {
            #[serde(flatten)]
            verb: &'a Verb,
            #[serde(skip_serializing_if = "Say::is_silent")]
            say: &'a Say,
        }
        let Action { verb, say } = self;
        let (Verb::Play { .. } | Verb::Draw | Verb::Pass | Verb::Wait) = verb else {
            return Any { verb, say }.serialize(serializer);
        };
        let mut members = serializer.serialize_struct("Action", 4)?;
        members.serialize_field("do", verb.name())?;
        if let Verb::Play { card, choose } = verb {
            members.serialize_field("card", card)?;
            match choose {
                Some(choose) => members.serialize_field("choose", choose)?,
                None => members.skip_field("choose")?,
            }
        }
        match say.is_silent() {
            true => members.skip_field("say")?,
            false => members.serialize_field("say", say)?,
        }
        members.end()
    }
}

impl From<Verb> for Action {
    fn from(verb: Verb) -> Action {
        Action { verb, say: Say::Nothing }
    }
}

impl Verb {
    /// The verb's name on the wire.
    pub const fn name(&self) -> &'static str {
        match self {
            Verb::Play { .. } | Verb::PlayTogether { .. } | Verb::PlayAs { .. } => "play",
            Verb::Draw => "draw",
            Verb::Pass => "pass",
            Verb::Challenge => "challenge",
            Verb::Say { .. } => "say",
            Verb::Call { .. } => "call",
            Verb::Choose(_) | Verb::ChooseRule { .. } => "choose",
            Verb::Take { .. } => "take",
            Verb::Deal { .. } => "deal",
            Verb::DealPenalties => "deal_penalties",
            Verb::TurnUp => "turn_up",
            Verb::Look => "look",
            Verb::Reach { .. } => "reach",
            Verb::Glare { .. } => "glare",
            Verb::PointOfOrder => "point_of_order",
            Verb::EndPointOfOrder => "end_point_of_order",
            Verb::Count => "count",
            Verb::PickUp => "pick_up",
            Verb::Wait => "wait",
        }
    }

    /// Whether it plays a card, or several.
    pub const fn plays(&self) -> bool {
        matches!(self, Verb::Play { .. } | Verb::PlayTogether { .. } | Verb::PlayAs { .. })
    }

    /// The card that it plays by itself, as what it is printed or as another.
    pub const fn single_card(&self) -> Option<Card> {
        match self {
            Verb::Play { card, .. } | Verb::PlayAs { card, .. } => Some(*card),
            _ => None,
        }
    }

    /// Every verb's name.
    pub const NAMES: [&'static str; 19] = [
        "play",
        "draw",
        "pass",
        "challenge",
        "say",
        "call",
        "choose",
        "take",
        "deal",
        "deal_penalties",
        "turn_up",
        "look",
        "reach",
        "glare",
        "point_of_order",
        "end_point_of_order",
        "count",
        "pick_up",
        "wait",
    ];
}

/// The members of an action as they are met in an object; shared by every message that carries one.
#[derive(Default)]
pub(crate) struct ActionFields {
    verb: Option<VerbName>,
    card: Option<Card>,
    cards: Option<Vec<Card>>,
    stands_for: Option<Card>,
    choose: Option<Choice>,
    close: Option<bool>,
    say: Option<Say>,
    text: Option<Text>,
    against: Option<Seat>,
    fault: Option<Text>,
    suit: Option<Suit>,
    rank: Option<Rank>,
    rule: Option<Text>,
    from: Option<Seat>,
    to: Option<Vec<Seat>>,
    reach: Option<Reach>,
    at: Option<Seat>,
}

/// Reads one member's value into `slot`, refusing a second one and naming the member in every error.
pub(crate) fn read_member<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
    map: &mut A,
    slot: &mut Option<T>,
    name: &str,
) -> Result<(), A::Error> {
    if slot.is_some() {
        return Err(de::Error::custom(format_args!("/{name}: the member stands twice")));
    }
    *slot = Some(map.next_value().map_err(|error| de::Error::custom(format_args!("/{name}: {error}")))?);
    Ok(())
}

impl ActionFields {
    /// Reads the member `name` if it is one of an action's; `false` if it is not.
    pub(crate) fn read<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<bool, A::Error> {
        match name {
            "do" => read_member(map, &mut self.verb, name)?,
            "card" => read_member(map, &mut self.card, name)?,
            "cards" => {
                read_member(map, &mut self.cards, name)?;
                if self.cards.as_ref().is_some_and(|cards| cards.len() > MAX_TOGETHER) {
                    return Err(de::Error::custom(format_args!("/cards: more than {MAX_TOGETHER} cards")));
                }
            }
            "as" => read_member(map, &mut self.stands_for, name)?,
            "choose" => read_member(map, &mut self.choose, name)?,
            "close" => read_member(map, &mut self.close, name)?,
            "say" => read_member(map, &mut self.say, name)?,
            "text" => read_member(map, &mut self.text, name)?,
            "against" => read_member(map, &mut self.against, name)?,
            "fault" => read_member(map, &mut self.fault, name)?,
            "suit" => read_member(map, &mut self.suit, name)?,
            "rank" => read_member(map, &mut self.rank, name)?,
            "rule" => read_member(map, &mut self.rule, name)?,
            "from" => read_member(map, &mut self.from, name)?,
            "to" => {
                read_member(map, &mut self.to, name)?;
                if self.to.as_ref().is_some_and(|to| to.len() > MAX_DEAL_RECEIVERS) {
                    return Err(de::Error::custom(format_args!("/to: more than {MAX_DEAL_RECEIVERS} receivers")));
                }
            }
            "for" => read_member(map, &mut self.reach, name)?,
            "at" => read_member(map, &mut self.at, name)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The action, once every member has been read.
    pub(crate) fn finish(self) -> Result<Action, NoAction> {
        fn need<T>(value: Option<T>, member: &'static str, verb: &'static str) -> Result<T, NoAction> {
            value.ok_or(NoAction::Missing { member, verb })
        }
        let name = need(self.verb, "do", "an action")?.0.map_err(NoAction::UnknownVerb)?;
        let verb = match name {
            "play" => match (self.card, self.cards) {
                (None, Some(cards)) if cards.len() > 1 => {
                    if self.stands_for.is_some() {
                        return Err(NoAction::SeveralAs);
                    }
                    Verb::PlayTogether { cards, choose: self.choose, close: self.close.unwrap_or(true) }
                }
                (card, cards) => {
                    let only = card.or_else(|| cards?.first().copied());
                    let (card, choose) = (need(only, "card", name)?, self.choose);
                    match (self.close, self.stands_for) {
                        (Some(false), Some(_)) => return Err(NoAction::SeveralAs),
                        (_, Some(stands_for)) => Verb::PlayAs { card, stands_for, choose },
                        // A single card that leaves a run open is played as several are.
                        (Some(false), None) => Verb::PlayTogether { cards: vec![card], choose, close: false },
                        (_, None) => Verb::Play { card, choose },
                    }
                }
            },
            "draw" => Verb::Draw,
            "pass" => Verb::Pass,
            "challenge" => Verb::Challenge,
            "say" => Verb::Say { text: need(self.text, "text", name)? },
            "call" => {
                Verb::Call { against: need(self.against, "against", name)?, fault: need(self.fault, "fault", name)? }
            }
            "choose" => match (self.suit, self.rank, self.rule) {
                (Some(suit), None, None) => Verb::Choose(Choice::Suit(suit)),
                (None, Some(rank), None) => Verb::Choose(Choice::Rank(rank)),
                (None, None, Some(rule)) => Verb::ChooseRule { rule },
                _ => return Err(NoAction::NoChoice),
            },
            "take" => Verb::Take { from: need(self.from, "from", name)? },
            "deal" => Verb::Deal { to: need(self.to, "to", name)? },
            "deal_penalties" => Verb::DealPenalties,
            "turn_up" => Verb::TurnUp,
            "look" => Verb::Look,
            "reach" => Verb::Reach { r#for: need(self.reach, "for", name)? },
            "glare" => Verb::Glare { at: need(self.at, "at", name)? },
            "point_of_order" => Verb::PointOfOrder,
            "end_point_of_order" => Verb::EndPointOfOrder,
            "count" => Verb::Count,
            "pick_up" => Verb::PickUp,
            _ => Verb::Wait,
        };
        Ok(Action { verb, say: self.say.unwrap_or_default() })
    }
}

/// Why members, each of which is sound, make no action; the words begin with the path of the member.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoAction {
    #[error("/do: unknown verb {0:?}; known are {known}", known = Verb::NAMES.join(", "))]
    UnknownVerb(String),
    #[error("/{member}: missing; {verb:?} needs it")]
    Missing { member: &'static str, verb: &'static str },
    #[error("/as: a card that stands for another is played by itself, and leaves no run open")]
    SeveralAs,
    #[error("/suit: \"choose\" needs one of \"suit\", \"rank\" and \"rule\"")]
    NoChoice,
}

/// The name of a verb; whether it exists is said when everything else has been read, so that a fault does not depend on
/// the order of members.
struct VerbName(Result<&'static str, String>);

impl<'de> Deserialize<'de> for VerbName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<VerbName, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = VerbName;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of an action")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<VerbName, E> {
                let known = Verb::NAMES.into_iter().find(|name| *name == text);
                Ok(VerbName(known.ok_or_else(|| text.chars().take(30).collect())))
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

/// Strict: unknown and doubled members are errors, since this form stands in files. Agents' lines are read by
/// [`crate::wire::read_agent_line`], which passes over unknown members.
impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Action, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Action;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an action as an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Action, A::Error> {
                let mut fields = ActionFields::default();
                while let Some(name) = map.next_key::<std::borrow::Cow<'de, str>>()? {
                    if !fields.read(&name, &mut map)? {
                        map.next_value::<IgnoredAny>()?;
                        return Err(de::Error::custom(format_args!("/{name}: no such member of an action")));
                    }
                }
                fields.finish().map_err(de::Error::custom)
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

impl<'de> Deserialize<'de> for Verb {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Verb, D::Error> {
        Action::deserialize(deserializer).map(|action| action.verb)
    }
}
