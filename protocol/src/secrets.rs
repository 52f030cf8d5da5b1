//! Takes the values of secrets out of texts, in whatever usual form they stand there, and puts their names in their place. It knows
//! texts and values; where texts come from and who keeps them is not known here.
//!
//! A value is found as it is, in capitals or not, in base64 at any place of what was encoded, and in hexadecimal digits; all of
//! these also behind the escapes of JSON and of addresses, each up to twice over. The greater part of a value counts as the value:
//! texts are cut, and endpoints reveal parts of keys. What somebody who has the value makes of it in other ways is not found.

use std::borrow::Cow;

/// The minimum length in bytes of a value that is looked for: shorter ones occur by chance.
pub const LEAST_SECRET_BYTES: usize = 6;

/// The least and the most bytes of a value that count as the value; between them half of it does.
const LEAST_PART: usize = 8;
const MOST_PART: usize = 64;

/// The least of a value in base64 that is looked for: of short ones little is the same at each place.
const LEAST_BASE64: usize = 5;

/// The least of a value that is taken out where a text was cut.
const LEAST_AT_CUT: usize = 4;

/// How many times over escapes are looked behind.
const DEPTH: usize = 2;

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Values that are to stand in no text.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secrets {
    names: Vec<String>,
    patterns: Vec<Pattern>,
}

/// A form of a value.
#[derive(Clone, PartialEq, Eq)]
struct Pattern {
    /// The place of its name.
    name: usize,
    alike: Alike,
    bytes: Vec<u8>,
    /// How many of its bytes in a row count as it.
    part: usize,
    /// Where such parts begin in it, in the order of the parts.
    parts: Vec<usize>,
    /// The bytes with which they begin.
    first: Vec<bool>,
}

/// Which bytes are taken for the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alike {
    Cases,
    /// The two alphabets of base64.
    Alphabets,
}

/// A text as it is behind some escapes.
struct Layer {
    bytes: Vec<u8>,
    /// For each byte, and for the end, where it is in the text; absent if it is the text.
    at: Option<Vec<usize>>,
}

/// Bytes of a text, and whose value they are.
#[derive(Clone, Copy)]
struct Found {
    start: usize,
    end: usize,
    name: usize,
}

impl Secrets {
    /// The secrets with these names and values; those below [`LEAST_SECRET_BYTES`] are left out.
    pub fn new<'a>(values: impl IntoIterator<Item = (&'a str, &'a str)>) -> Secrets {
        let mut secrets = Secrets::default();
        for (name, value) in values.into_iter().filter(|(_, value)| value.len() >= LEAST_SECRET_BYTES) {
            let place = secrets.names.len();
            secrets.names.push(name.to_owned());
            let hex = value.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
            secrets.patterns.push(Pattern::new(place, Alike::Cases, value.as_bytes()));
            secrets.patterns.push(Pattern::new(place, Alike::Cases, hex.as_bytes()));
            let base64 = (0..3).map(|before| base64_within(value.as_bytes(), before));
            let of_some_length = base64.filter(|form| form.len() >= LEAST_BASE64);
            secrets.patterns.extend(of_some_length.map(|form| Pattern::new(place, Alike::Alphabets, &form)));
        }
        secrets
    }

    /// True if nothing is looked for.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// `text` without the values.
    pub fn hide<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let found = self.find(text.as_bytes());
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(String::from_utf8_lossy(&self.replaced(text.as_bytes(), &found, |_| false)).into_owned())
    }

    /// As [`Secrets::hide`], for a line that may be JSON, and still is if it was, unless the value itself has quotation marks: a number that
    /// holds a value becomes a text.
    pub fn hide_line<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        let mut found = self.find(line);
        if found.is_empty() {
            return Cow::Borrowed(line);
        }
        let in_text = texts(line);
        let is_bare = |at: usize| !in_text[at] && !b" \t\r,:[]{}\"".contains(&line[at]);
        for found in found.iter_mut().filter(|found| is_bare(found.start)) {
            found.start = (0..found.start).rev().take_while(|at| is_bare(*at)).last().unwrap_or(found.start);
            found.end += (found.end..line.len()).take_while(|at| is_bare(*at)).count();
        }
        let found = merged(found);
        Cow::Owned(self.replaced(line, &found, |found| is_bare(found.start)))
    }

    /// As [`Secrets::hide`], for a text that goes on: what may be the beginning of a value is left out at its end.
    pub fn hide_cut_end(&self, text: &str) -> String {
        let mut text = self.hide(text).into_owned();
        let begins = |pattern: &Pattern, bytes: &[u8], count: usize| bytes.ends_with(&pattern.bytes[..count]);
        let cuts = self.at_cut(&text, begins, |layer, count| layer.place(layer.bytes.len() - count));
        let mut end = cuts.into_iter().min().unwrap_or(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text
    }

    /// As [`Secrets::hide`], for a text that began earlier: what may be the end of a value is left out at its beginning.
    pub fn hide_cut_start(&self, text: &str) -> String {
        let text = self.hide(text).into_owned();
        let ends = |pattern: &Pattern, bytes: &[u8], count: usize| {
            bytes.starts_with(&pattern.bytes[pattern.bytes.len() - count..])
        };
        let cuts = self.at_cut(&text, ends, Layer::place);
        let mut start = cuts.into_iter().max().unwrap_or(0);
        while !text.is_char_boundary(start) {
            start += 1;
        }
        text[start..].to_owned()
    }

    /// The places in `text` up to which, or from which on, a part of a value may stand at its edge.
    fn at_cut(
        &self,
        text: &str,
        stands: impl Fn(&Pattern, &[u8], usize) -> bool,
        place: impl Fn(&Layer, usize) -> usize,
    ) -> Vec<usize> {
        let mut places = Vec::new();
        for layer in self.layers(text.as_bytes()) {
            for pattern in &self.patterns {
                let bytes = pattern.alike.fold(&layer.bytes);
                let most = pattern.bytes.len().min(bytes.len());
                let longest = (LEAST_AT_CUT..=most).rev().find(|count| stands(pattern, &bytes, *count));
                places.extend(longest.map(|count| place(&layer, count)));
            }
        }
        places
    }

    /// Where values stand, in order and apart from one another.
    fn find(&self, text: &[u8]) -> Vec<Found> {
        let mut found = Vec::new();
        for layer in self.layers(text) {
            for alike in [Alike::Cases, Alike::Alphabets] {
                let bytes = alike.fold(&layer.bytes);
                for pattern in self.patterns.iter().filter(|pattern| pattern.alike == alike) {
                    let starts = (0..(bytes.len() + 1).saturating_sub(pattern.part))
                        .filter(|start| pattern.holds(&bytes[*start..start + pattern.part]));
                    found.extend(starts.map(|start| Found {
                        start: layer.place(start),
                        end: layer.place(start + pattern.part),
                        name: pattern.name,
                    }));
                }
            }
        }
        // No character is cut in two.
        let is_inner = |at: usize| text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
        for found in &mut found {
            while found.start > 0 && is_inner(found.start) {
                found.start -= 1;
            }
            while is_inner(found.end) {
                found.end += 1;
            }
        }
        merged(found)
    }

    /// The text, and what it is behind escapes, as far as there are any.
    fn layers(&self, text: &[u8]) -> Vec<Layer> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut layers = vec![Layer { bytes: text.to_vec(), at: None }];
        let mut newest = 0;
        for _ in 0..DEPTH {
            let until = layers.len();
            for from in newest..until {
                layers.extend(
                    [json_escape, percent_escape]
                        .iter()
                        .filter_map(|escape| layers[from].behind(*escape))
                        .collect::<Vec<_>>(),
                );
            }
            newest = until;
        }
        layers
    }

    fn replaced(&self, text: &[u8], found: &[Found], in_quotes: impl Fn(&Found) -> bool) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len());
        let mut from = 0;
        for part in found {
            out.extend_from_slice(&text[from..part.start]);
            let name = format!("[secret {}]", self.names[part.name]);
            out.extend(if in_quotes(part) { format!("\"{name}\"") } else { name }.bytes());
            from = part.end;
        }
        out.extend_from_slice(&text[from..]);
        out
    }
}

impl Pattern {
    fn new(name: usize, alike: Alike, bytes: &[u8]) -> Pattern {
        let bytes = alike.fold(bytes).into_owned();
        let part = bytes.len().div_ceil(2).clamp(LEAST_PART, MOST_PART).min(bytes.len());
        let mut parts: Vec<usize> = (0..=bytes.len() - part).collect();
        parts.sort_by_key(|start| &bytes[*start..start + part]);
        let mut first = vec![false; 256];
        parts.iter().for_each(|start| first[usize::from(bytes[*start])] = true);
        Pattern { name, alike, bytes, part, parts, first }
    }

    /// True if these bytes, of the length of a part, are one.
    fn holds(&self, bytes: &[u8]) -> bool {
        let part = |start: &usize| &self.bytes[*start..start + self.part];
        self.first[usize::from(bytes[0])] && self.parts.binary_search_by(|start| part(start).cmp(bytes)).is_ok()
    }
}

impl Alike {
    fn fold(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Alike::Cases if !bytes.iter().any(u8::is_ascii_uppercase) => Cow::Borrowed(bytes),
            Alike::Cases => Cow::Owned(bytes.to_ascii_lowercase()),
            Alike::Alphabets if !bytes.iter().any(|byte| b"-_".contains(byte)) => Cow::Borrowed(bytes),
            Alike::Alphabets => Cow::Owned(
                bytes
                    .iter()
                    .map(|byte| match byte {
                        b'-' => b'+',
                        b'_' => b'/',
                        other => *other,
                    })
                    .collect(),
            ),
        }
    }
}

/// Reads an escape at the beginning of bytes: how many it has, and what it stands for.
type Escape = fn(&[u8]) -> Option<(usize, char)>;

impl Layer {
    fn place(&self, at: usize) -> usize {
        self.at.as_ref().map_or(at, |places| places[at])
    }

    /// What it is behind its escapes of this kind, if there are any.
    fn behind(&self, escape: Escape) -> Option<Layer> {
        let (mut bytes, mut at) = (Vec::with_capacity(self.bytes.len()), Vec::with_capacity(self.bytes.len() + 1));
        let (mut from, mut any) = (0, false);
        while from < self.bytes.len() {
            let before = bytes.len();
            let place = self.place(from);
            match escape(&self.bytes[from..]) {
                Some((count, stands_for)) => {
                    bytes.extend_from_slice(stands_for.encode_utf8(&mut [0; 4]).as_bytes());
                    (from, any) = (from + count, true);
                }
                None => {
                    bytes.push(self.bytes[from]);
                    from += 1;
                }
            }
            at.resize(at.len() + bytes.len() - before, place);
        }
        at.push(self.place(from));
        any.then_some(Layer { bytes, at: Some(at) })
    }
}

/// An escape of JSON, or of a language that writes `\x41`.
fn json_escape(bytes: &[u8]) -> Option<(usize, char)> {
    let [b'\\', kind, ..] = bytes else { return None };
    Some(match kind {
        b'u' => (6, char::from_u32(hexadecimal(bytes.get(2..6)?)?)?),
        b'x' => (4, char::from_u32(hexadecimal(bytes.get(2..4)?)?)?),
        b'n' => (2, '\n'),
        b'r' => (2, '\r'),
        b't' => (2, '\t'),
        b'"' | b'\'' | b'\\' | b'/' => (2, char::from(*kind)),
        _ => return None,
    })
}

/// An escape of an address, of one plain character.
fn percent_escape(bytes: &[u8]) -> Option<(usize, char)> {
    let [b'%', ..] = bytes else { return None };
    let code = hexadecimal(bytes.get(1..3)?)?;
    (code < 0x80).then(|| char::from_u32(code).map(|stands_for| (3, stands_for)))?
}

fn hexadecimal(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |number, digit| Some(number * 16 + char::from(*digit).to_digit(16)?))
}

/// What is the same of `value` in base64 wherever it stands `before` bytes, or three more, from the beginning.
fn base64_within(value: &[u8], before: usize) -> Vec<u8> {
    let bit = |at: usize| at.checked_sub(before * 8).is_some_and(|at| value[at / 8] >> (7 - at % 8) & 1 == 1);
    let bits = (before + value.len()) * 8;
    let digits = (before * 8).div_ceil(6)..bits / 6;
    digits.map(|digit| BASE64[(0..6).fold(0, |number, at| number << 1 | usize::from(bit(digit * 6 + at)))]).collect()
}

/// For each byte of a line of JSON, whether it is inside a text.
fn texts(line: &[u8]) -> Vec<bool> {
    let (mut inside, mut escaped) = (false, false);
    let at = |byte: &u8| {
        let was_inside = inside;
        match (inside, escaped, byte) {
            (true, true, _) => escaped = false,
            (true, false, b'\\') => escaped = true,
            (_, _, b'"') => inside = !inside,
            _ => {}
        }
        was_inside && inside
    };
    line.iter().map(at).collect()
}

/// In order, with those that touch one another joined.
fn merged(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|found| (found.start, found.end));
    let mut merged: Vec<Found> = Vec::new();
    for next in found {
        match merged.last_mut() {
            Some(last) if next.start <= last.end => last.end = last.end.max(next.end),
            _ => merged.push(next),
        }
    }
    merged
}

/// Shows names only.
impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Secrets").field(&self.names).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    const VALUE: &str = "sk-SECRET-0123456789";

    fn secrets() -> Secrets {
        Secrets::new([("KEY", VALUE)])
    }

    #[test]
    fn a_value_is_found_in_every_usual_form() {
        let secrets = secrets();
        // The base64 forms are those of Python's base64 module, of "Bearer " and the value, "x" and the value, and the value.
        for (text, expected) in [
            ("your key is sk-SECRET-0123456789, is it?", "your key is [secret KEY], is it?"),
            ("authorization: Bearer sk-SECRET-0123456789", "authorization: Bearer [secret KEY]"),
            ("SK-SECRET-0123456789", "[secret KEY]"),
            ("sk-secret-0123456789 sk-SECRET-0123456789", "[secret KEY] [secret KEY]"),
            ("736b2d5345435245542d30313233343536373839!", "[secret KEY]!"),
            ("736B2D5345435245542D30313233343536373839", "[secret KEY]"),
            ("QmVhcmVyIHNrLVNFQ1JFVC0wMTIzNDU2Nzg5", "QmVhcmVyIH[secret KEY]"),
            ("eHNrLVNFQ1JFVC0wMTIzNDU2Nzg5", "eH[secret KEY]"),
            ("c2stU0VDUkVULTAxMjM0NTY3ODk=", "[secret KEY]k="),
            ("?key=sk%2DSECRET%2d0123456789&", "?key=[secret KEY]&"),
            ("%73%6B%2D%53%45%43%52%45%54%2D%30%31%32%33%34%35%36%37%38%39", "[secret KEY]"),
            ("%2573k-SECRET-012345678%2539", "[secret KEY]"),
            ("s\\u006b-SECRET-012345678\\u0039 \\u0041", "[secret KEY] \\u0041"),
            ("s\\\\u006b-SECRET-0123456789", "[secret KEY]"),
            ("\\x73k-SECRET-0123456789", "[secret KEY]"),
            ("{\\\"k\\\":\\\"sk-SECRET-0123456789\\\"}", "{\\\"k\\\":\\\"[secret KEY]\\\"}"),
            // Most of it.
            ("Incorrect API key: sk-SECRET-0123…", "Incorrect API key: [secret KEY]…"),
            ("…ECRET-0123456789", "…[secret KEY]"),
            // Little of it, and something else.
            ("sk-…789", "sk-…789"),
            ("SECRET", "SECRET"),
            ("sk-OTHERS-9876543210", "sk-OTHERS-9876543210"),
            ("", ""),
        ] {
            assert_eq!(secrets.hide(text), expected, "{text}");
        }
    }

    #[test]
    fn a_line_of_json_stays_one() {
        let secrets = Secrets::new([("PIN", "12345678"), ("KEY", VALUE), ("NAME", "naïve-Größe")]);
        for (line, expected) in [
            (r#"{"note":12345678}"#, r#"{"note":"[secret PIN]"}"#),
            (r#"{"note":[-0.1234567890e1,2]}"#, r#"{"note":["[secret PIN]",2]}"#),
            (r#"{"12345678":true}"#, r#"{"[secret PIN]":true}"#),
            (r#"{"note":"\"12345678\" sk-SECRET-012345678\u0039"}"#, r#"{"note":"\"[secret PIN]\" [secret KEY]"}"#),
            (r#"{"note":"na\u00efve-Größe, naïve-Größe"}"#, r#"{"note":"[secret NAME], [secret NAME]"}"#),
            (r#"{"note":1234567}"#, r#"{"note":1234567}"#),
        ] {
            let hidden = secrets.hide_line(line.as_bytes());
            assert_eq!(String::from_utf8_lossy(&hidden), expected);
            assert!(serde_json::from_slice::<serde_json::Value>(&hidden).is_ok(), "{line}");
        }
        let no_json = b"\xff sk-SECRET-0123456789 no JSON \"";
        assert_eq!(&*secrets.hide_line(no_json), b"\xff \"[secret KEY]\" no JSON \"");
        assert!(matches!(secrets.hide_line(b"{\"type\":\"act\"}"), Cow::Borrowed(_)));
    }

    #[test]
    fn where_a_text_was_cut_no_part_of_a_value_stays() {
        let secrets = secrets();
        for (text, expected) in [
            ("said sk-SECRET-0123456789 and sk-SEC", "said [secret KEY] and "),
            ("and sk-S", "and "),
            ("and sk\\u002dS", "and "),
            ("and 736b2d53", "and "),
            ("and sk-", "and sk-"),
        ] {
            assert_eq!(secrets.hide_cut_end(text), expected);
        }
        for (text, expected) in [("6789 and sk-SECRET-0123456789", " and [secret KEY]"), ("789 and", "789 and")] {
            assert_eq!(secrets.hide_cut_start(text), expected);
        }
    }

    #[test]
    fn a_value_that_occurs_by_chance_is_not_looked_for_and_none_is_shown() {
        let short = Secrets::new([("PIN", "12345")]);
        assert!(short.is_empty());
        assert_eq!(short.hide("12345"), "12345");
        assert_eq!(Secrets::new([("PIN", "123456")]).hide("a 123456"), "a [secret PIN]");
        assert_eq!(format!("{:?}", secrets()), r#"Secrets(["KEY"])"#);
    }

    #[test]
    fn a_long_line_and_a_long_value_are_read_in_a_moment() {
        let value = "0123456789abcdef".repeat(512);
        let secrets = Secrets::new([("KEY", &*value)]);
        let line = format!("{{\"note\":\"{}\"}}", "\\u0030%31".repeat(5_000));
        assert!(matches!(secrets.hide_line(line.as_bytes()), Cow::Borrowed(_)));
        assert_eq!(secrets.hide(&format!("<{value}>")), "<[secret KEY]>");
    }

    /// A text that holds the value or parts of it in some forms.
    fn revealing(value: &'static str) -> impl Strategy<Value = String> {
        let hex: String = value.bytes().map(|byte| format!("{byte:02X}")).collect();
        let percent: String = value.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let escaped: String = value.bytes().map(|byte| format!("\\u{byte:04x}")).collect();
        let part = prop_oneof![
            "[ -~]{0,8}",
            "[\"\\\\%ux0-9äß€\u{1f0a1}]{0,8}",
            (0..value.len(), 0..=value.len()).prop_map(move |(from, to)| value[from..to.max(from)].to_owned()),
            prop::sample::select(vec![value.to_owned(), hex, percent, escaped]),
        ];
        prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn no_text_holds_the_value_afterwards_and_json_stays_json(text in revealing(VALUE), more in revealing("90071992547409")) {
            let secrets = Secrets::new([("KEY", VALUE), ("NUMBER", "90071992547409")]);
            let hidden = secrets.hide(&text);
            prop_assert!(!hidden.to_ascii_lowercase().contains(&VALUE.to_ascii_lowercase()), "{text:?}: {hidden:?}");
            secrets.hide_cut_end(&text);
            secrets.hide_cut_start(&text);
            let number: String = more.chars().filter(char::is_ascii_digit).collect();
            let line = format!("{{\"a\":[1{number},-0.5{number}e1],{}:{}}}", json!(more), json!(text));
            let hidden = secrets.hide_line(line.as_bytes());
            let value: Value = serde_json::from_slice(&hidden).map_err(|error| TestCaseError::fail(format!("{line}: {error}")))?;
            prop_assert!(!value.to_string().contains(VALUE), "{line}: {value}");
        }

        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            secrets().hide_line(&bytes);
            let text = String::from_utf8_lossy(&bytes);
            secrets().hide_cut_end(&text);
            secrets().hide_cut_start(&text);
        }
    }
}
