//! A value that may depend on the number of seats. Knows how such a value is written and looked up, not which keys have
//! one.

use std::fmt;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};

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
