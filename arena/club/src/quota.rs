//! How much a team may send. A refusal says which limit was reached and when the next upload is accepted.

use serde::Deserialize;

/// Seconds of a day.
const DAY_S: u64 = 24 * 60 * 60;

/// The limits of a club, the same for each team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ClubQuotas {
    /// Versions a day that count (those that failed on the club's side do not).
    pub uploads_a_day: u32,
    /// Versions that are on their way at once.
    pub on_their_way: u32,
    /// Mebibytes of one archive.
    pub upload_mib: u32,
}

impl Default for ClubQuotas {
    fn default() -> ClubQuotas {
        ClubQuotas { uploads_a_day: 20, on_their_way: 2, upload_mib: 32 }
    }
}

/// What a team has sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UploadUsage {
    /// When its versions that count were sent, in seconds since 1970, the oldest first.
    pub charged_at_s: Vec<u64>,
    /// How many are on their way.
    pub on_their_way: u32,
}

/// Why an upload is refused for now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuotaRefusal {
    /// Too many versions in the last 24 hours.
    #[error("the limit uploads_a_day = {limit} is reached; the next upload is accepted in {wait_s} s")]
    Day {
        /// The limit.
        limit: u32,
        /// Seconds until one more is accepted.
        wait_s: u64,
    },
    /// Too many versions are on their way.
    #[error("the limit on_their_way = {limit} is reached: wait until one of your versions plays or is refused")]
    OnTheirWay {
        /// The limit.
        limit: u32,
    },
}

impl QuotaRefusal {
    /// Seconds after which it is worth trying again.
    pub fn wait_s(&self) -> u64 {
        match self {
            QuotaRefusal::Day { wait_s, .. } => *wait_s,
            QuotaRefusal::OnTheirWay { .. } => 10,
        }
    }
}

impl ClubQuotas {
    /// Why one more upload is refused at `now_s`, if it is.
    pub fn refusal(&self, usage: &UploadUsage, now_s: u64) -> Option<QuotaRefusal> {
        let recent: Vec<u64> = usage.charged_at_s.iter().copied().filter(|at| at + DAY_S > now_s).collect();
        let limit = self.uploads_a_day as usize;
        if recent.len() >= limit {
            // Once all before it are a day old, one fewer than the limit is left.
            let ends = recent.get(recent.len() - limit).map_or(now_s, |at| at + DAY_S);
            return Some(QuotaRefusal::Day { limit: self.uploads_a_day, wait_s: ends - now_s });
        }
        (usage.on_their_way >= self.on_their_way).then_some(QuotaRefusal::OnTheirWay { limit: self.on_their_way })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_which_limit_and_for_how_long() {
        let quotas = ClubQuotas { uploads_a_day: 2, on_their_way: 1, upload_mib: 1 };
        let usage = |charged: &[u64], on_their_way| UploadUsage { charged_at_s: charged.to_vec(), on_their_way };
        let now = 200_000;
        for (usage, expected) in [
            (usage(&[], 0), None),
            (usage(&[199_000], 0), None),
            (usage(&[199_000], 1), Some(QuotaRefusal::OnTheirWay { limit: 1 })),
            (usage(&[113_599, 199_000], 0), None),
            (usage(&[113_601, 199_000], 0), Some(QuotaRefusal::Day { limit: 2, wait_s: 1 })),
            (usage(&[113_601, 113_611, 199_000], 0), Some(QuotaRefusal::Day { limit: 2, wait_s: 11 })),
        ] {
            assert_eq!(quotas.refusal(&usage, now), expected, "{usage:?}");
        }
    }
}
