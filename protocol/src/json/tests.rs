//! Tests that the writer's bytes are those of `serde_json`, for every kind of value and any JSON. Messages and their
//! members are tested elsewhere.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// The same bytes as serde_json's, after those already in the buffer.
#[track_caller]
fn check<T: Serialize + ?Sized>(value: &T) {
    let mut out = b"before".to_vec();
    write_json(&mut out, value).expect("a JSON form");
    let expected = format!("before{}", serde_json::to_string(value).expect("a JSON form"));
    assert_eq!(String::from_utf8(out).expect("UTF-8"), expected);
}

#[derive(Serialize)]
struct Empty {}

#[derive(Serialize)]
struct Unit;

#[derive(Serialize)]
struct Pair(u8, i64);

#[derive(Serialize)]
struct One(f64);

#[derive(Serialize)]
struct Inner {
    a: bool,
}

#[derive(Serialize)]
struct Flat<'a> {
    before: u8,
    #[serde(flatten)]
    inner: Inner,
    #[serde(flatten)]
    tagged: Tagged,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Tagged {
    Plain,
    WithMembers { a_member_with_a_name_that_is_longer_than_a_piece: u16, some: Option<u8> },
    Wrapped(Inner),
}

#[derive(Serialize)]
enum Untagged {
    Plain,
    New(u32),
    Two(u8, u8),
    Members { x: i8 },
    None {},
}

struct Shown(&'static str);

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}{}", self.0, 1))
    }
}

struct Octets;

impl Serialize for Octets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&[0, 255])
    }
}

#[test]
fn every_kind_of_value_is_written_as_serde_json_writes_it() {
    check(&(Empty {}, Unit, Pair(1, -2), One(0.1), Octets, ()));
    check(&(1.0e300, f64::NAN, f32::INFINITY, 1.5f32, u128::MAX, i128::MIN));
    check(&(i8::MIN, i16::MIN, i32::MIN, i32::MAX, i64::MIN, u64::MAX, u32::MAX, u16::MAX));
    check(&(0..=300).collect::<Vec<u16>>());
    check(&(0..=300).map(|number| -number).collect::<Vec<i32>>());
    check(&[Some(1), None]);
    check(&[vec![], vec![1], vec![2, 3]]);
    check(&[Untagged::Plain, Untagged::New(7), Untagged::Two(1, 2), Untagged::Members { x: -1 }, Untagged::None {}]);
    let long = Tagged::WithMembers { a_member_with_a_name_that_is_longer_than_a_piece: 9, some: None };
    check(&Flat { before: 1, inner: Inner { a: true }, tagged: long, text: "" });
    check(&Flat { before: 1, inner: Inner { a: false }, tagged: Tagged::Plain, text: "\u{7f}é" });
    check(&Tagged::Wrapped(Inner { a: true }));
    check(&[Shown("plain "), Shown("\"quoted\"\n")]);
}

#[test]
fn every_character_is_written_as_serde_json_writes_it() {
    for code in (0..0x300).chain([0x2028, 0xfffd, 0x1f0a1]) {
        let Some(one) = char::from_u32(code) else { continue };
        check(&one);
        for length in 0..20 {
            check(&format!("{}{one}{}", "x".repeat(length), "y".repeat(19 - length)));
        }
        check(&format!("{one}{one}"));
    }
}

#[test]
fn keys_are_texts_also_where_they_are_numbers() {
    check(&BTreeMap::from([(1, 2), (-3, 4)]));
    check(&BTreeMap::from([(true, 'a')]));
    check(&BTreeMap::from([('"', "b")]));
    check(&BTreeMap::from([("a\"", ())]));
    check(&BTreeMap::<u8, u8>::new());
    for wrong in [BTreeMap::from([(vec![1], 1)]), BTreeMap::from([(vec![], 1)])] {
        let words = "key must be a string";
        let error = write_json(&mut Vec::new(), &wrong).expect_err("a list is no key");
        assert_eq!(error.to_string(), words);
        assert_eq!(serde_json::to_string(&wrong).expect_err("nor there").to_string(), words);
    }
}

fn any_value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<u64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 30, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::vec((any::<String>(), inner), 0..5)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_is_written_as_serde_json_writes_it(value in any_value()) {
        check(&value);
    }
}
