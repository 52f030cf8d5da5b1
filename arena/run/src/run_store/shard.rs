//! A part of a run, played on a machine of its own: whole deals, so that their games stay together.

use std::fmt;
use std::str::FromStr;

use maumau_tournament::DealId;
use serde::{Deserialize, Serialize};

/// Maximum parts of a run.
const MAX_PARTS: u32 = 100_000;

/// Part `part` of `of` parts, from 1. As text `2/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    part: u32,
    of: u32,
}

impl Shard {
    /// True if the deal belongs to this part. This depends on the deal's name alone, so it stays when agents join.
    pub fn has(self, deal: DealId) -> bool {
        (u64::from(deal.group) + u64::from(deal.deal)) % u64::from(self.of) == u64::from(self.part - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

/// A text that names no part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a part and the number of parts, from 1/1 to {MAX_PARTS}/{MAX_PARTS}, such as 2/4")]
pub struct NoShard;

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Shard, NoShard> {
        let numbers = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((part, of)) if of <= MAX_PARTS && (1..=of).contains(&part) => Ok(Shard { part, of }),
            _ => Err(NoShard),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_deal_is_in_exactly_one_part() {
        let parts: Vec<Shard> = (1..=4).map(|part| format!("{part}/4").parse().expect("a part")).collect();
        for (group, deal) in (0..7).flat_map(|group| (0..9).map(move |deal| (group, deal))) {
            assert_eq!(parts.iter().filter(|part| part.has(DealId { group, deal })).count(), 1);
        }
        for wrong in ["", "1", "0/4", "5/4", "1/0", "a/b", "1/100001", "-1/2", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
