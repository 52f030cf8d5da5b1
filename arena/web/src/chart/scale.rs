//! Scales: from values to positions in percent, with round numbers along them.

use maumau_tournament::fixed;

/// A range of values, drawn from 0 to 100 percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    /// True if equal distances are equal ratios.
    logarithmic: bool,
}

/// A round number on a scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Its position in percent.
    pub at: f64,
    /// As text.
    pub label: String,
}

impl Scale {
    /// From `low` to `high`.
    pub fn new(low: f64, high: f64) -> Scale {
        let high = if high > low { high } else { low + 1.0 };
        Scale { low, high, logarithmic: false }
    }

    /// A scale that has room for all `values`, and a little more on both sides.
    pub fn around(values: impl IntoIterator<Item = f64>) -> Scale {
        let (low, high) = ends(values);
        let margin = if high > low { 0.03 * (high - low) } else { 0.5 };
        Scale::new(low - margin, high + margin)
    }

    /// A logarithmic scale over whole decades, or halves and fifths of them, that has room for all `values`; those that are not
    /// above 0 are ignored.
    pub fn logarithmic(values: impl IntoIterator<Item = f64>) -> Scale {
        let (low, high) = ends(values.into_iter().filter(|value| *value > 0.0).map(f64::log10));
        let (low, high) = (low - 0.05, high + 0.05);
        Scale { low, high: if high - low < 0.3 { low + 0.3 } else { high }, logarithmic: true }
    }

    /// The least and the greatest value on it; of a logarithmic scale their logarithms.
    pub fn ends(self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// The position of `value` in percent, from 0 to 100.
    pub fn percent(self, value: f64) -> f64 {
        let value = match self.logarithmic {
            true if value > 0.0 => value.log10(),
            true => self.low,
            false => value,
        };
        ((value - self.low) / (self.high - self.low) * 100.0).clamp(0.0, 100.0)
    }

    /// Round numbers on the scale, about `count` of them.
    pub fn ticks(self, count: usize) -> Vec<Tick> {
        if self.logarithmic {
            return self.logarithmic_ticks(count);
        }
        let rough = (self.high - self.low) / count.max(1) as f64;
        let decade = 10_f64.powf(rough.log10().floor());
        let factors = [1.0, 2.0, 5.0, 10.0];
        let step = factors.iter().map(|factor| factor * decade).find(|step| *step >= rough).unwrap_or(10.0 * decade);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        let tick = |number: i64| {
            let value = number as f64 * step;
            Tick { at: self.percent(value), label: fixed(value, decimals) }
        };
        (first..=last).map(tick).collect()
    }

    fn logarithmic_ticks(self, count: usize) -> Vec<Tick> {
        let decades = self.low.floor() as i32..=self.high.ceil() as i32;
        let factors: &[f64] = if self.high - self.low > count as f64 / 2.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let values = decades.flat_map(|decade| {
            factors.iter().map(move |factor| (factor * 10_f64.powi(decade), (-decade).max(0) as usize))
        });
        let inside = values.filter(|(value, _)| (self.low..=self.high).contains(&value.log10()));
        inside.map(|(value, decimals)| Tick { at: self.percent(value), label: fixed(value, decimals) }).collect()
    }
}

/// The least and the greatest of `values`; 0 and 1 if there are none.
fn ends(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let ends = values.into_iter().fold(None, |ends: Option<(f64, f64)>, value| {
        let (low, high) = ends.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    });
    ends.unwrap_or((0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, count: usize) -> Vec<String> {
        scale.ticks(count).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_numbers_inside_the_scale() {
        assert_eq!(labels(Scale::new(1_283.0, 1_672.0), 5), ["1300", "1400", "1500", "1600"]);
        assert_eq!(labels(Scale::new(0.43, 0.57), 6), ["0.45", "0.50", "0.55"]);
        assert_eq!(labels(Scale::new(-12.0, 31.0), 4), ["0", "20"]);
        assert_eq!(labels(Scale::logarithmic([0.03, 40.0]), 4), ["0.1", "1", "10"]);
        assert_eq!(labels(Scale::logarithmic([0.8, 6.0]), 4), ["1", "2", "5"]);
        assert_eq!(labels(Scale::around([]), 2), ["0", "1"]);
    }

    #[test]
    fn positions_run_from_0_to_100() {
        let scale = Scale::new(10.0, 20.0);
        assert_eq!([5.0, 10.0, 15.0, 20.0, 25.0].map(|value| scale.percent(value)), [0.0, 0.0, 50.0, 100.0, 100.0]);
        let scale = Scale::logarithmic([1.0, 100.0]);
        assert!((scale.percent(10.0) - 50.0).abs() < 1e-9 && scale.percent(0.0) == 0.0);
        // A single value has room on both sides.
        assert_eq!(Scale::around([3.0, 3.0]).percent(3.0), 50.0);
    }
}
