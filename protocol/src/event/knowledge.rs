//! Whose knowledge an event holds: everything, or what one seat may know. Types only: they hold or leave out a value.
//!
//! This decides what the hidden members of an event are made of. Which seat may see which of them is decided in
//! [`Event::seen_by`](super::Event::seen_by) alone.

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::card::Card;

/// Whose knowledge an event holds.
pub trait Knowledge: Clone + Debug + Eq {
    /// A card that not everybody may see.
    type Card: Hidden<Value = Card>;
    /// Cards that not everybody may see.
    type Cards: Hidden<Value = Box<[Card]>>;
}

/// The referee's knowledge, which is also that of a record: nothing is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Everything {}

/// The knowledge of one seat: cards that it may not see are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OneSeat {}

impl Knowledge for Everything {
    type Card = Option<Card>;
    type Cards = Option<Box<[Card]>>;
}

impl Knowledge for OneSeat {
    type Card = Seen<Card>;
    type Cards = Seen<Box<[Card]>>;
}

/// A member of an event that not everybody may see. It is absent where there is no such card, or where a seat may not see
/// it.
pub trait Hidden: Clone + Debug + Eq + Default + Serialize + DeserializeOwned {
    /// What it holds.
    type Value;

    /// The value, if it is there.
    fn get(&self) -> Option<&Self::Value>;

    /// Whether there is no value.
    #[inline]
    fn is_absent(&self) -> bool {
        self.get().is_none()
    }
}

/// A hidden member as one seat sees it. Only [`Event::seen_by`](super::Event::seen_by) and a line of the arena that is
/// read put a value into one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seen<T>(Option<T>);

impl<T: Clone> Seen<T> {
    /// `value` if the seat may see it, otherwise nothing.
    #[inline]
    pub(super) fn only_if(may_see: bool, value: &Option<T>) -> Seen<T> {
        Seen(if may_see { value.clone() } else { None })
    }
}

impl<T> Seen<T> {
    /// Takes the value out, if it is there.
    pub fn take(&mut self) -> Option<T> {
        self.0.take()
    }
}

impl<T> Default for Seen<T> {
    fn default() -> Seen<T> {
        Seen(None)
    }
}

impl<T: Clone + Debug + Eq + Serialize + DeserializeOwned> Hidden for Option<T> {
    type Value = T;

    #[inline]
    fn get(&self) -> Option<&T> {
        self.as_ref()
    }
}

impl<T: Clone + Debug + Eq + Serialize + DeserializeOwned> Hidden for Seen<T> {
    type Value = T;

    #[inline]
    fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }
}

/// In the schemas it is the value, or absent.
#[cfg(test)]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Seen<T> {
    fn inline_schema() -> bool {
        Option::<T>::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        Option::<T>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Option::<T>::json_schema(generator)
    }
}
