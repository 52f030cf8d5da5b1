//! The digest of a game, as records and tables show it (SPEC 9.3). Only the value and its spelling; `chain` computes
//! it.

use std::fmt;

use maumau_protocol::seed::{hex, unhex};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The digest of a game: 32 bytes, shown as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        unhex(&text).map(Digest).ok_or_else(|| de::Error::custom("not a digest: 64 hexadecimal digits"))
    }
}
