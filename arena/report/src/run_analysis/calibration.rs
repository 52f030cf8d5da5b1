//! Whether worths come true: decisions in bins by what was predicted of them, with what happened. Decisions of one deal share its luck, so
//! intervals are made from deals.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::judged_words::rounded;

/// How many bins there are, all as wide.
const BINS: usize = 10;
/// Standard errors on both sides of a mean in a 95 % interval.
const SIGMAS: f64 = 1.96;
/// Deals below which there is no interval.
const LEAST_DEALS: usize = 10;

/// Decisions whose worths are alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CalibrationBin {
    /// The least worth in it.
    pub(super) from: f64,
    /// The first worth that is not in it, but for the last bin.
    pub(super) to: f64,
    /// How many decisions.
    pub(super) choices: u32,
    /// Their mean worth.
    pub(super) predicted: f64,
    /// What came of their rounds, on average.
    pub(super) happened: f64,
    /// The 95 % interval of that, if there are enough deals.
    pub(super) interval: Option<[f64; 2]>,
}

/// The bins with decisions in them. A decision is its deal, its worth and what happened.
pub(super) fn calibration<'a>(decisions: impl Iterator<Item = (&'a str, f64, f64)>) -> Vec<CalibrationBin> {
    let mut bins = vec![Vec::new(); BINS];
    for decision in decisions {
        bins[((decision.1 * BINS as f64) as usize).min(BINS - 1)].push(decision);
    }
    let width = 1.0 / BINS as f64;
    let bins = bins.iter().enumerate().filter(|(_, decisions)| !decisions.is_empty());
    bins.map(|(at, decisions)| bin(at as f64 * width, (at + 1) as f64 * width, decisions)).collect()
}

fn bin(from: f64, to: f64, decisions: &[(&str, f64, f64)]) -> CalibrationBin {
    let count = decisions.len() as f64;
    let predicted = decisions.iter().map(|decision| decision.1).sum::<f64>() / count;
    let happened = decisions.iter().map(|decision| decision.2).sum::<f64>() / count;
    // The error of a ratio of sums over deals: each deal counts by how far its decisions are from the mean, together.
    let mut deals: BTreeMap<&str, f64> = BTreeMap::new();
    decisions.iter().for_each(|(deal, _, found)| *deals.entry(deal).or_default() += found - happened);
    let number = deals.len() as f64;
    let squares: f64 = deals.values().map(|distance| distance * distance).sum();
    let error = (squares * number / (number - 1.0).max(1.0)).sqrt() / count;
    let [low, high] = [-SIGMAS, SIGMAS].map(|sigmas| (happened + sigmas * error).clamp(0.0, 1.0));
    let interval = (deals.len() >= LEAST_DEALS).then_some([low, high]);
    CalibrationBin { from, to, choices: decisions.len() as u32, predicted, happened, interval }
}

impl CalibrationBin {
    pub(super) fn json(&self) -> Value {
        json!({
            "from": rounded(self.from),
            "to": rounded(self.to),
            "choices": self.choices,
            "predicted": rounded(self.predicted),
            "happened": rounded(self.happened),
            "interval": self.interval.map(|interval| interval.map(rounded)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_in_the_bin_of_their_worth() {
        let bins = calibration([("a", 0.0, 0.0), ("b", 0.95, 1.0), ("c", 1.0, 1.0), ("d", 0.99, 0.0)].into_iter());
        let shown: Vec<_> = bins.iter().map(|bin| (bin.from, bin.choices, bin.interval)).collect();
        assert_eq!(shown, [(0.0, 1, None), (0.9, 3, None)]);
        assert!((bins[1].predicted - 0.98).abs() < 1e-9 && (bins[1].happened - 2.0 / 3.0).abs() < 1e-9, "{bins:?}");
    }

    #[test]
    fn many_decisions_of_one_deal_say_no_more_than_one() {
        let names: Vec<String> = (0..40).map(|deal| format!("d{deal}")).collect();
        let one = |times: usize| {
            let decisions = names.iter().enumerate().map(|(at, deal)| (deal.as_str(), 0.55, f64::from(at as u32 % 2)));
            calibration(decisions.flat_map(|decision| vec![decision; times])).pop().expect("a bin")
        };
        let (few, many) = (one(1), one(9));
        assert_eq!((few.choices, many.choices), (40, 360));
        // The variance of one deal is 1/4: the error is the root of 1/4 / 39.
        let half = 1.96 * (0.25_f64 / 39.0).sqrt();
        for found in [few, many] {
            let [low, high] = found.interval.expect("enough deals");
            assert!((low - (0.5 - half)).abs() < 1e-9 && (high - (0.5 + half)).abs() < 1e-9, "{found:?}");
        }
    }
}
