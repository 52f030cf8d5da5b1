//! JSON text, written straight into the caller's buffer. It knows types only by their `Serialize`, no message and no
//! record.
//!
//! The bytes are those that `serde_json` writes, from the same `Serialize`. Writing is
//! faster, since the names of members and variants are known to need no escapes, and a member's name is written with its
//! punctuation in one piece.

use std::fmt::{self, Display};

use serde::Serialize;
use serde::ser::{self, Error as _, Serializer};
use serde_json::Error;

use crate::eight;

/// Adds the JSON of `value` to `out`.
///
/// # Errors
/// `value` says that it has no JSON form, or has a map whose keys are no texts, numbers or truth values; `out` then ends
/// with a part of it.
pub fn write_json<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) -> Result<(), Error> {
    value.serialize(Writer(out))
}

struct Writer<'a>(&'a mut Vec<u8>);

/// Between the brackets of a list or an object.
struct Inside<'a> {
    out: &'a mut Vec<u8>,
    /// What stands before the next part: the opening bracket before the first.
    before: u8,
    /// What stands behind the last part.
    close: &'static [u8],
}

impl<'a> Inside<'a> {
    #[inline]
    fn list(out: &'a mut Vec<u8>, close: &'static [u8]) -> Inside<'a> {
        Inside { out, before: b'[', close }
    }

    #[inline]
    fn object(out: &'a mut Vec<u8>, close: &'static [u8]) -> Inside<'a> {
        Inside { out, before: b'{', close }
    }

    #[inline(always)]
    fn add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.out.push(self.before);
        self.before = b',';
        value.serialize(Writer(self.out))
    }

    #[inline(always)]
    fn member<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        write_name(self.out, self.before, name);
        self.before = b',';
        value.serialize(Writer(self.out))
    }

    #[inline]
    fn finish(self) -> Result<(), Error> {
        if self.before != b',' {
            self.out.push(self.before);
        }
        self.out.extend_from_slice(self.close);
        Ok(())
    }
}

/// The longest name that goes out in one piece with what stands round it.
const PIECE: usize = 29;

/// Adds `before`, the name in quotes and a colon. Where the length of the name is known when this is compiled that is a
/// copy of a constant.
#[inline(always)]
fn write_name(out: &mut Vec<u8>, before: u8, name: &'static str) {
    debug_assert!(name.bytes().all(is_plain), "{name:?} needs escapes");
    if name.len() > PIECE - 4 {
        out.extend_from_slice(&[before, b'"']);
        out.extend_from_slice(name.as_bytes());
        return out.extend_from_slice(b"\":");
    }
    let mut piece = [0; PIECE];
    piece[0] = before;
    piece[1] = b'"';
    piece[2..2 + name.len()].copy_from_slice(name.as_bytes());
    piece[2 + name.len()] = b'"';
    piece[3 + name.len()] = b':';
    out.extend_from_slice(&piece[..4 + name.len()]);
}

/// Whether a byte stands for itself between quotes.
const fn is_plain(byte: u8) -> bool {
    byte >= 0x20 && byte != b'"' && byte != b'\\'
}

/// Whether all bytes of a text stand for themselves between quotes; eight of them at a time.
#[inline]
fn are_plain(bytes: &[u8]) -> bool {
    let (eights, rest) = bytes.as_chunks::<8>();
    eights.iter().all(|eight| eight::escaped(u64::from_le_bytes(*eight)) == 0)
        && rest.iter().all(|byte| is_plain(*byte))
}

#[inline]
fn write_text(out: &mut Vec<u8>, text: &str) -> Result<(), Error> {
    match text.as_bytes() {
        [one, two] if is_plain(*one) && is_plain(*two) => out.extend_from_slice(&[b'"', *one, *two, b'"']),
        bytes if are_plain(bytes) => {
            out.reserve(bytes.len() + 2);
            out.push(b'"');
            out.extend_from_slice(bytes);
            out.push(b'"');
        }
        _ => return serde_json::to_writer(out, text),
    }
    Ok(())
}

#[inline]
fn write_number(out: &mut Vec<u8>, number: impl itoa::Integer) -> Result<(), Error> {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    Ok(())
}

#[inline]
fn write_small(out: &mut Vec<u8>, number: impl Into<u32>) -> Result<(), Error> {
    let number = number.into();
    match number {
        0..10 => out.push(b'0' + number as u8),
        10..100 => out.extend_from_slice(&[b'0' + (number / 10) as u8, b'0' + (number % 10) as u8]),
        _ => write_number(out, number)?,
    }
    Ok(())
}

/// Numbers of different kinds that are written in one way.
macro_rules! numbers {
    ($write:ident: $($name:ident $kind:ty),+) => {$(
        #[inline]
        fn $name(self, value: $kind) -> Result<(), Error> {
            $write(self.0, value)
        }
    )+};
}

impl<'a> Serializer for Writer<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Inside<'a>;
    type SerializeTuple = Inside<'a>;
    type SerializeTupleStruct = Inside<'a>;
    type SerializeTupleVariant = Inside<'a>;
    type SerializeMap = Inside<'a>;
    type SerializeStruct = Inside<'a>;
    type SerializeStructVariant = Inside<'a>;

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.0.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    #[inline]
    fn serialize_i32(self, value: i32) -> Result<(), Error> {
        match u32::try_from(value) {
            Ok(number) => write_small(self.0, number),
            Err(_) => write_number(self.0, value),
        }
    }

    numbers!(write_small: serialize_u8 u8, serialize_u16 u16, serialize_u32 u32);
    numbers!(write_number: serialize_i8 i8, serialize_i16 i16, serialize_i64 i64, serialize_i128 i128);
    numbers!(write_number: serialize_u64 u64, serialize_u128 u128);

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        serde_json::to_writer(self.0, &value)
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        serde_json::to_writer(self.0, &value)
    }

    #[inline]
    fn serialize_char(self, value: char) -> Result<(), Error> {
        match u8::try_from(value) {
            Ok(byte) if value.is_ascii() && is_plain(byte) => {
                self.0.extend_from_slice(&[b'"', byte, b'"']);
                Ok(())
            }
            _ => write_text(self.0, value.encode_utf8(&mut [0; 4])),
        }
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), Error> {
        write_text(self.0, value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.collect_seq(value)
    }

    #[inline]
    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Result<(), Error> {
        self.0.extend_from_slice(b"null");
        Ok(())
    }

    #[inline]
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    #[inline(always)]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.0.push(b'"');
        self.0.extend_from_slice(variant.as_bytes());
        self.0.push(b'"');
        Ok(())
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    #[inline(always)]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        write_name(self.0, b'{', variant);
        value.serialize(Writer(self.0))?;
        self.0.push(b'}');
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<Inside<'a>, Error> {
        Ok(Inside::list(self.0, b"]"))
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<Inside<'a>, Error> {
        Ok(Inside::list(self.0, b"]"))
    }

    #[inline]
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Inside<'a>, Error> {
        Ok(Inside::list(self.0, b"]"))
    }

    #[inline(always)]
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Inside<'a>, Error> {
        write_name(self.0, b'{', variant);
        Ok(Inside::list(self.0, b"]}"))
    }

    #[inline]
    fn serialize_map(self, _: Option<usize>) -> Result<Inside<'a>, Error> {
        Ok(Inside::object(self.0, b"}"))
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Inside<'a>, Error> {
        Ok(Inside::object(self.0, b"}"))
    }

    #[inline(always)]
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Inside<'a>, Error> {
        write_name(self.0, b'{', variant);
        Ok(Inside::object(self.0, b"}}"))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        let start = self.0.len();
        self.0.push(b'"');
        fmt::write(&mut Raw(self.0), format_args!("{value}")).map_err(Error::custom)?;
        if are_plain(&self.0[start + 1..]) {
            self.0.push(b'"');
            return Ok(());
        }
        let text = String::from_utf8_lossy(&self.0[start + 1..]).into_owned();
        self.0.truncate(start);
        write_text(self.0, &text)
    }
}

struct Raw<'a>(&'a mut Vec<u8>);

impl fmt::Write for Raw<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// The parts of a list, whatever Rust calls it.
macro_rules! list {
    ($($kind:ident $part:ident),+) => {
        $(impl ser::$kind for Inside<'_> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.add(value)
            }

            #[inline]
            fn end(self) -> Result<(), Error> {
                self.finish()
            }
        })+
    };
}

list!(
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
);

/// The members of an object whose names are known.
macro_rules! object {
    ($($kind:ident),+) => {
        $(impl ser::$kind for Inside<'_> {
            type Ok = ();
            type Error = Error;

            #[inline(always)]
            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
                self.member(name, value)
            }

            #[inline]
            fn end(self) -> Result<(), Error> {
                self.finish()
            }
        })+
    };
}

object!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Inside<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let start = self.out.len() + 1;
        self.add(key)?;
        match self.out[start] {
            b'"' => {}
            b'-' | b'0'..=b'9' | b't' | b'f' => {
                self.out.insert(start, b'"');
                self.out.push(b'"');
            }
            _ => return Err(Error::custom("key must be a string")),
        }
        self.out.push(b':');
        Ok(())
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(Writer(self.out))
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

#[cfg(test)]
mod tests;
