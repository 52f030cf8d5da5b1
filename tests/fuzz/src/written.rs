//! The quick writer against serde's. It only compares; the values come from the other targets.

use maumau_protocol::write_json;
use serde::Serialize;

/// The JSON of `value`, which both writers have to write alike.
pub(crate) fn check_written<T: Serialize>(value: &T) -> Vec<u8> {
    let by_serde = serde_json::to_vec(value).expect("a message has a JSON form");
    let mut quick = Vec::new();
    write_json(&mut quick, value).expect("a message has a JSON form");
    assert_eq!(String::from_utf8_lossy(&quick), String::from_utf8_lossy(&by_serde), "the writers differ");
    by_serde
}
