//! Places at the table. Seats, sets of seats and the direction of play are plain numbers here; whose turn it is and who
//! has changed places is the engine's business.

use std::fmt;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};

/// The most seats a table can have.
pub const MAX_SEATS: usize = 16;

/// A place at the table, counted clockwise from 0 (G-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Seat(u8);

impl Seat {
    /// Seat 0.
    pub const FIRST: Seat = Seat(0);

    /// Seat number `index`; `None` from [`MAX_SEATS`] on.
    pub const fn new(index: usize) -> Option<Seat> {
        if index < MAX_SEATS { Some(Seat(index as u8)) } else { None }
    }

    /// The seats of a table of `count`, clockwise from 0.
    #[inline]
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone {
        (0..count.min(MAX_SEATS) as u8).map(Seat)
    }

    /// 0 to 15.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The seat `steps` places on in `direction` at a table of `count` seats.
    pub const fn step(self, direction: Direction, steps: usize, count: usize) -> Seat {
        let steps = if steps < count { steps } else { steps % count };
        let forward = match direction {
            Direction::Clockwise => steps,
            Direction::Counterclockwise => count - steps,
        };
        // A division takes longer than the rest of a turn's end.
        let at = self.0 as usize + forward;
        let at = if at < count { at } else { at - count };
        Seat((if at < count { at } else { at % count }) as u8)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        let index = u64::deserialize(deserializer)?;
        usize::try_from(index)
            .ok()
            .and_then(Seat::new)
            .ok_or_else(|| de::Error::custom(format_args!("{index} is no seat: seats are numbered from 0 to 15")))
    }
}

#[cfg(test)]
impl JsonSchema for Seat {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Seat".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 0, "maximum": MAX_SEATS - 1, "description": "a seat, clockwise from 0" })
    }
}

/// A set of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SeatSet(u16);

impl SeatSet {
    /// No seat.
    pub const EMPTY: SeatSet = SeatSet(0);

    /// The one seat.
    pub const fn of(seat: Seat) -> SeatSet {
        SeatSet(1 << seat.0)
    }

    /// Every seat of a table of `count`.
    pub const fn all(count: usize) -> SeatSet {
        SeatSet(((1u32 << count) - 1) as u16)
    }

    /// Whether `seat` is in the set.
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// Whether no seat is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What is in this set but not in `other`.
    pub const fn without(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & !other.0)
    }

    /// What is in this set, in `other`, or in both.
    pub const fn union(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 | other.0)
    }

    /// The number of seats in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Puts `seat` in.
    pub const fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.0;
    }

    /// Takes `seat` out.
    pub const fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat.0);
    }

    /// The seats, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Seat> + Clone {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let first = (left != 0).then(|| Seat(left.trailing_zeros() as u8));
            left &= left.wrapping_sub(1);
            first
        })
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        let mut set = SeatSet::EMPTY;
        seats.into_iter().for_each(|seat| set.insert(seat));
        set
    }
}

impl Serialize for SeatSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for SeatSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SeatSet, D::Error> {
        Ok(Vec::<Seat>::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
impl JsonSchema for SeatSet {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Seats".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let seat = generator.subschema_for::<Seat>();
        json_schema!({ "type": "array", "items": seat, "uniqueItems": true, "maxItems": MAX_SEATS })
    }
}

/// The direction of play (G-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub enum Direction {
    /// Seat + 1 is next.
    #[default]
    #[serde(rename = "cw")]
    Clockwise,
    /// Seat - 1 is next.
    #[serde(rename = "ccw")]
    Counterclockwise,
}

impl Direction {
    /// The other direction.
    #[must_use]
    pub const fn reversed(self) -> Direction {
        match self {
            Direction::Clockwise => Direction::Counterclockwise,
            Direction::Counterclockwise => Direction::Clockwise,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_goes_round_the_table_in_both_directions() {
        let seat = |index| Seat::new(index).expect("a small seat");
        assert_eq!(seat(3).step(Direction::Clockwise, 1, 4), seat(0));
        assert_eq!(seat(0).step(Direction::Counterclockwise, 1, 4), seat(3));
        assert_eq!(seat(1).step(Direction::Clockwise, 9, 4), seat(2));
        assert_eq!(seat(2).step(Direction::Counterclockwise, 0, 3), seat(2));
        assert_eq!(Seat::new(16), None);
    }
}
