//! A mean over games, and how far it can be trusted. It knows sums by deal, not who played.
//!
//! Games of one deal are dealt alike, so they are not independent: the deal is the sampling unit. With `n_c` games and score
//! `s_c` in deal `c` of `G`, the mean is the ratio `m = Σ s_c / Σ n_c`, and its variance, linearised, is
//! `G / (G - 1) · Σ (s_c - m n_c)² / (Σ n_c)²` (Cochran, Sampling Techniques, 3rd ed. 1977, §6.4 and §9A on clusters).
//! Student's quantile with `G - 1` degrees of freedom makes that honestly wide with few deals (Cameron and Miller, A
//! Practitioner's Guide to Cluster-Robust Inference, J. Human Resources 50, 2015, §VI). If nearly everything is won or lost
//! there is hardly any variance to observe, and an interval of a fixed number of errors around the mean would contain the truth
//! too seldom. So the interval is Wilson's, with as many deals as that variance stands for: as wide in the middle, and never of
//! zero width.
//!
//! Deals against different opponents are taken as one sample, so for an agent whose results differ strongly between opponents
//! the interval is on the wide side.
//!
//! The sums are whole numbers, so the same games in any order give the same bits.

use serde::{Deserialize, Serialize};

use super::student::{NORMAL_975, quantile_975};

/// A 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Sums over deals that determine the mean and its variance, whatever the order of the deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DealSums {
    /// Deals with a finished game.
    pub deals: u64,
    games: u64,
    units: u64,
    games_squared: u64,
    games_by_units: u64,
    units_squared: u64,
}

impl std::ops::AddAssign<&DealSums> for DealSums {
    fn add_assign(&mut self, other: &DealSums) {
        self.deals += other.deals;
        self.games += other.games;
        self.units += other.units;
        self.games_squared += other.games_squared;
        self.games_by_units += other.games_by_units;
        self.units_squared += other.units_squared;
    }
}

/// A mean score with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean score of a game.
    pub mean: f64,
    /// Absent with one deal, as are the intervals.
    pub std_error: Option<f64>,
    /// The guarded 95 % interval of the mean: within 0 and 1, and never of zero width.
    pub interval: Option<Interval>,
    /// Student's interval, cut off at 0 and 1; for comparison, since it fails if nearly everything is won or lost.
    pub student: Option<Interval>,
}

impl DealSums {
    /// Counts a deal in which an agent finished `games` with `units` of score in all.
    pub fn add(&mut self, games: u64, units: u64) {
        self.deals += 1;
        self.games += games;
        self.units += units;
        self.games_squared += games * games;
        self.games_by_units += games * units;
        self.units_squared += units * units;
    }

    /// The mean score, if a game has `units_per_game` units; `None` without games.
    pub fn estimate(&self, units_per_game: u64) -> Option<Estimate> {
        if self.games == 0 {
            return None;
        }
        let (games, scale) = (self.games as f64, units_per_game as f64);
        let mean = self.units as f64 / (games * scale);
        let std_error = (self.deals > 1).then(|| {
            let correction = self.deals as f64 / (self.deals - 1) as f64;
            (correction * self.scaled_residuals() as f64).sqrt() / (games * games * scale)
        });
        let student = std_error.map(|error| {
            let reach = quantile_975(self.deals - 1) * error;
            Interval { low: (mean - reach).max(0.0), high: (mean + reach).min(1.0) }
        });
        let interval = std_error.map(|error| guarded(mean, error, self.deals));
        Some(Estimate { mean, std_error, interval, student })
    }

    /// `N² Σ (s_c - m n_c)²` with `N = Σ n_c`, which is a whole number. At the limits of a league it is below 2^90.
    fn scaled_residuals(&self) -> u128 {
        let [games, units, games_squared, games_by_units, units_squared] =
            [self.games, self.units, self.games_squared, self.games_by_units, self.units_squared].map(i128::from);
        let sum = games * games * units_squared - 2 * games * units * games_by_units + units * units * games_squared;
        sum.unsigned_abs()
    }
}

/// Wilson's interval with as many deals as would give this error if each were simply won or lost, times the square of the
/// normal quantile over Student's.
fn guarded(mean: f64, std_error: f64, deals: u64) -> Interval {
    let deals_alone = mean * (1.0 - mean) / (std_error * std_error);
    let effective = if std_error > 0.0 { deals_alone.clamp(1e-9, 1e9) } else { deals as f64 };
    let shrunk = NORMAL_975 / quantile_975(deals - 1);
    let n = effective * shrunk * shrunk;
    let z2 = NORMAL_975 * NORMAL_975;
    let middle = (mean + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let reach = NORMAL_975 / (1.0 + z2 / n) * (mean * (1.0 - mean) / n + z2 / (4.0 * n * n)).sqrt();
    // Rounding must not push the mean out.
    Interval { low: (middle - reach).clamp(0.0, mean), high: (middle + reach).clamp(mean, 1.0) }
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
    fn four_deals_of_two_games_computed_by_hand() {
        // Wins 2, 1, 1, 0 of two games each: mean 1/2, residuals 1, 0, 0, -1, variance 4/3 · 2 / 8² = 1/24.
        let got = estimate(&[(2, 4), (2, 2), (2, 2), (2, 0)], 2).expect("games");
        assert_eq!(got.mean, 0.5);
        let error = got.std_error.expect("four deals");
        assert!((error - 0.204_124_145_231_931_5).abs() < 1e-15, "{error}");
        // 3.182446 · 0.204124 is more than 1/2, so Student's interval is cut off.
        assert_eq!(got.student, Some(Interval { low: 0.0, high: 1.0 }));
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
    fn deals_that_all_came_out_the_same_leave_doubt() {
        for (units, mean) in [(2, 0.5), (4, 1.0), (0, 0.0)] {
            let got = estimate(&[(2, units); 50], 2).expect("games");
            let Interval { low, high } = got.interval.expect("fifty deals");
            assert!(high - low > 0.05 && (low..=high).contains(&mean), "{low} - {high}");
        }
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
