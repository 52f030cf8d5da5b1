//! A mean over games, and how far it can be trusted.
//!
//! Games of one deal are dealt alike, so they are not independent: the deal is the unit that was sampled. With `n_c`
//! games and score `s_c` in deal `c` of `G`, the mean is the ratio `m = Σ s_c / Σ n_c`, and its variance, linearised, is
//! `G / (G - 1) · Σ (s_c - m n_c)² / (Σ n_c)²` (Cochran, Sampling Techniques, 3rd ed. 1977, §6.4 and §9A on clusters).
//! The quantile is Student's with `G - 1` degrees of freedom (Cameron and Miller, A Practitioner's Guide to
//! Cluster-Robust Inference, J. Human Resources 50, 2015, §VI): nearly 1.96 with many deals and honestly wide with few.
//!
//! Two things to know. Deals against different opponents are taken as one sample, so for an agent that fares very
//! differently against different opponents the interval is on the wide side. And an agent whose deals all came out the
//! same has an interval of no width: the data hold no sign of chance, which with few deals is not proof of none.
//!
//! The sums are whole numbers and the few operations after them are exactly rounded (IEEE 754), so the same games in
//! any order, on any machine, give the same bits.

use serde::{Deserialize, Serialize};

/// A 95 % confidence interval of a mean score, cut off at 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Sums over deals from which the mean and its variance follow. They hold for any order of deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DealSums {
    /// Deals of which a game is finished.
    pub(crate) deals: u64,
    games: u64,
    units: u64,
    games_squared: u64,
    games_by_units: u64,
    units_squared: u64,
}

/// A mean score with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) mean: f64,
    /// Absent with one deal, as is the interval.
    pub(crate) std_error: Option<f64>,
    pub(crate) interval: Option<Interval>,
}

impl DealSums {
    /// Counts a deal of which an agent finished `games` with `units` of score in all.
    pub(crate) fn add(&mut self, games: u64, units: u64) {
        self.deals += 1;
        self.games += games;
        self.units += units;
        self.games_squared += games * games;
        self.games_by_units += games * units;
        self.units_squared += units * units;
    }

    /// The mean score, where a game has `units_per_game` units; `None` without games.
    pub(crate) fn estimate(&self, units_per_game: u64) -> Option<Estimate> {
        if self.games == 0 {
            return None;
        }
        let (games, scale) = (self.games as f64, units_per_game as f64);
        let mean = self.units as f64 / (games * scale);
        let std_error = (self.deals > 1).then(|| {
            let correction = self.deals as f64 / (self.deals - 1) as f64;
            (correction * self.scaled_residuals() as f64).sqrt() / (games * games * scale)
        });
        let interval = std_error.map(|error| {
            let reach = student_975(self.deals - 1) * error;
            Interval { low: (mean - reach).max(0.0), high: (mean + reach).min(1.0) }
        });
        Some(Estimate { mean, std_error, interval })
    }

    /// `N² Σ (s_c - m n_c)²` with `N = Σ n_c`, which is a whole number. At the limits of a league it is below 2^90.
    fn scaled_residuals(&self) -> u128 {
        let [games, units, games_squared, games_by_units, units_squared] =
            [self.games, self.units, self.games_squared, self.games_by_units, self.units_squared].map(i128::from);
        let sum = games * games * units_squared - 2 * games * units * games_by_units + units * units * games_squared;
        sum.unsigned_abs()
    }
}

/// The 97.5 % quantile of the normal distribution.
const NORMAL_975: f64 = 1.959_963_984_540_054;

/// The 97.5 % quantile of Student's distribution with 1 to 10 degrees of freedom.
const STUDENT_975: [f64; 10] = [
    12.706_204_736,
    4.302_652_730,
    3.182_446_305,
    2.776_445_105,
    2.570_581_836,
    2.446_911_851,
    2.364_624_252,
    2.306_004_135,
    2.262_157_163,
    2.228_138_852,
];

/// The 97.5 % quantile of Student's distribution: a table up to 10 degrees of freedom, beyond it the expansion of
/// Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5, which is then right to five digits.
fn student_975(freedom: u64) -> f64 {
    if let Some(quantile) = freedom.checked_sub(1).and_then(|place| STUDENT_975.get(usize::try_from(place).ok()?)) {
        return *quantile;
    }
    let (x, n) = (NORMAL_975, freedom as f64);
    let x2 = x * x;
    let first = x * (x2 + 1.0) / 4.0;
    let second = x * ((5.0 * x2 + 16.0) * x2 + 3.0) / 96.0;
    let third = x * (((3.0 * x2 + 19.0) * x2 + 17.0) * x2 - 15.0) / 384.0;
    let fourth = x * ((((79.0 * x2 + 776.0) * x2 + 1482.0) * x2 - 1920.0) * x2 - 945.0) / 92160.0;
    x + (first + (second + (third + fourth / n) / n) / n) / n
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(deals: &[(u64, u64)], units_per_game: u64) -> Option<Estimate> {
        let mut sums = DealSums::default();
        deals.iter().for_each(|(games, units)| sums.add(*games, *units));
        sums.estimate(units_per_game)
    }

    #[test]
    fn the_quantiles_are_those_of_the_printed_tables() {
        let table = [
            (1, 12.706),
            (2, 4.303),
            (5, 2.571),
            (10, 2.228),
            (11, 2.201),
            (12, 2.179),
            (15, 2.131),
            (20, 2.086),
            (30, 2.042),
            (60, 2.000),
            (120, 1.980),
            (1_000_000, 1.960),
        ];
        for (freedom, expected) in table {
            let quantile = student_975(freedom);
            assert!((quantile - expected).abs() < 0.000_5, "{freedom}: {quantile}, printed {expected}");
        }
        assert!((1..500).all(|freedom| student_975(freedom) > student_975(freedom + 1)));
    }

    #[test]
    fn four_deals_of_two_games_computed_by_hand() {
        // Wins 2, 1, 1, 0 of two games each: mean 1/2, residuals 1, 0, 0, -1, variance 4/3 · 2 / 8² = 1/24.
        let got = estimate(&[(2, 4), (2, 2), (2, 2), (2, 0)], 2).expect("games");
        assert_eq!(got.mean, 0.5);
        let error = got.std_error.expect("four deals");
        assert!((error - 0.204_124_145_231_931_5).abs() < 1e-15, "{error}");
        // 3.182446 · 0.204124 is more than a half, so the interval is cut off.
        assert_eq!(got.interval, Some(Interval { low: 0.0, high: 1.0 }));
    }

    #[test]
    fn unequal_deals_computed_by_hand() {
        // Scores 3 of 3 games and 0 of 1, in units of 1/2: mean 3/4, residuals 3/4 and -3/4, variance 2 · 9/8 / 16.
        let got = estimate(&[(3, 6), (1, 0)], 2).expect("games");
        assert_eq!(got.mean, 0.75);
        assert_eq!(got.std_error, Some(0.375));
    }

    #[test]
    fn one_deal_has_a_mean_but_no_interval_and_none_has_neither() {
        assert_eq!(estimate(&[], 2), None);
        let got = estimate(&[(2, 3)], 2).expect("games");
        assert_eq!((got.mean, got.std_error, got.interval), (0.75, None, None));
    }

    #[test]
    fn deals_that_all_came_out_the_same_show_no_chance() {
        let got = estimate(&[(2, 2); 50], 2).expect("games");
        assert_eq!(got.interval, Some(Interval { low: 0.5, high: 0.5 }));
    }

    #[test]
    fn the_sums_of_the_largest_league_do_not_overflow() {
        let deals = 10_000_000 / 16;
        let sums = DealSums {
            deals,
            games: deals * 16,
            units: deals * 240,
            games_squared: deals * 16 * 16,
            games_by_units: deals * 16 * 240,
            units_squared: deals * 480 * 480,
        };
        assert!(sums.scaled_residuals() < 1 << 90);
    }
}
