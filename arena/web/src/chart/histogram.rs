//! How often values occur, as bars.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::intervals::{anchor, grid};
use super::percent;
use super::scale::{Scale, Tick};

/// The height of the bars in pixels.
const HEIGHT: u32 = 140;
/// The most bars.
const BARS: u32 = 48;

/// Whole numbers counted in bars of equal width.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The least number of the first bar.
    first: u32,
    /// Numbers a bar.
    width: u32,
    counts: Vec<u64>,
}

impl Histogram {
    /// Of numbers, each with how often it occurs; `None` if there are none.
    pub fn of(values: &BTreeMap<u32, u64>) -> Option<Histogram> {
        let (least, most) = (*values.first_key_value()?.0, *values.last_key_value()?.0);
        let rough = (most - least) / BARS + 1;
        // 1, 2, 5, 10, 20 ...
        let mut steps = (0..).flat_map(|decade| [1, 2, 5].map(|factor| factor * 10_u32.saturating_pow(decade)));
        let width = steps.find(|step| *step >= rough).unwrap_or(rough);
        let first = least / width * width;
        let mut counts = vec![0; ((most - first) / width + 1) as usize];
        values.iter().for_each(|(value, count)| counts[((value - first) / width) as usize] += count);
        Some(Histogram { first, width, counts })
    }

    /// How many different numbers a bar stands for.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// How many values the highest bar has.
    pub fn most(&self) -> u64 {
        self.counts.iter().copied().max().unwrap_or(0)
    }

    fn scale(&self) -> Scale {
        Scale::new(self.first.into(), f64::from(self.first) + f64::from(self.width) * self.counts.len() as f64)
    }
}

/// The bars of a histogram over their axis, with a line at `marked`.
pub fn histogram(histogram: &Histogram, marked: f64) -> Markup {
    let scale = histogram.scale();
    let most = histogram.most().max(1) as f64;
    let share = 100.0 / histogram.counts.len() as f64;
    let ticks = scale.ticks(6);
    html! {
        svg.chart.histogram width="100%" height=(HEIGHT + 20) aria-hidden="true" {
            (grid(&ticks, None, HEIGHT))
            @for (number, count) in histogram.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                // A single game is still seen.
                @let height = (f64::from(HEIGHT) * *count as f64 / most).max(1.0);
                rect.bar x=(percent(share * (number as f64 + 0.06))) width=(percent(share * 0.88))
                    y=(super::short(f64::from(HEIGHT) - height)) height=(super::short(height)) {}
            }
            line.base x1="0" x2="100%" y1=(HEIGHT) y2=(HEIGHT) {}
            line.reference x1=(percent(scale.percent(marked))) x2=(percent(scale.percent(marked))) y1="0" y2=(HEIGHT) {}
            @for Tick { at, label } in &ticks {
                text x=(percent(*at)) y=(HEIGHT + 15) text-anchor=(anchor(*at)) { (label) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_counted_in_one_bar() {
        let of = |values: &[(u32, u64)]| Histogram::of(&values.iter().copied().collect());
        let few = of(&[(7, 1), (9, 2), (12, 1)]).expect("values");
        assert_eq!((few.first, few.width, &few.counts[..]), (7, 1, &[1, 0, 2, 0, 0, 1][..]));
        let many = Histogram::of(&(0..1_000).map(|value| (value, 1)).collect()).expect("values");
        assert_eq!((many.width, many.counts.len(), many.counts.iter().sum::<u64>()), (50, 20, 1_000));
        assert_eq!(of(&[]), None);
        let largest = of(&[(0, 1), (u32::MAX, 1)]).expect("values");
        assert!(largest.counts.len() <= 50, "{largest:?}");
        let drawn = histogram(&few, 9.0).into_string();
        assert_eq!(drawn.matches("class=\"bar\"").count(), 3, "{drawn}");
    }
}
