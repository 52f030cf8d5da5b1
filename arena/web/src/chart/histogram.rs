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

    /// The least and the greatest number of a bar.
    fn numbers(&self, bar: usize) -> (u32, u32) {
        let first = self.first.saturating_add(self.width.saturating_mul(bar as u32));
        (first, first.saturating_add(self.width - 1))
    }

    fn scale(&self) -> Scale {
        Scale::new(self.first.into(), f64::from(self.first) + f64::from(self.width) * self.counts.len() as f64)
    }
}

/// Where a bar leads: the address for the numbers from the first to the last.
pub type BarLink<'a> = &'a dyn Fn(u32, u32) -> String;

/// The bars of a histogram over their axis, with a line at `marked`. Each bar leads where `link` says, if it says anything, and is
/// then called after its numbers: so many `things` of so many `units`.
pub fn histogram(histogram: &Histogram, marked: f64, link: Option<(BarLink<'_>, &str, &str)>) -> Markup {
    let scale = histogram.scale();
    let most = histogram.most().max(1) as f64;
    let share = 100.0 / histogram.counts.len() as f64;
    let ticks = scale.ticks(6);
    html! {
        svg.chart.histogram width="100%" height=(HEIGHT + 20) aria-hidden=[link.is_none().then_some("true")] {
            (grid(&ticks, None, HEIGHT))
            @for (number, count) in histogram.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                // A single game is still seen.
                @let height = (f64::from(HEIGHT) * *count as f64 / most).max(1.0);
                @let bar = html! {
                    rect.bar x=(percent(share * (number as f64 + 0.06))) width=(percent(share * 0.88))
                        y=(super::short(f64::from(HEIGHT) - height)) height=(super::short(height)) {}
                };
                @match link {
                    Some((address, things, units)) => {
                        @let (first, last) = histogram.numbers(number);
                        @let of = if first == last { first.to_string() } else { format!("{first} to {last}") };
                        a href=(address(first, last)) aria-label=(format!("{count} {things} of {of} {units}")) {
                            // A low bar can be pointed at in its whole column.
                            rect.reach x=(percent(share * number as f64)) width=(percent(share)) y="0" height=(HEIGHT) {}
                            (bar)
                        }
                    }
                    None => (bar),
                }
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
        let linked =
            histogram(&many, 9.0, Some((&|first, last| format!("/{first}-{last}"), "games", "moves"))).into_string();
        assert!(linked.contains("<a href=\"/950-999\" aria-label=\"50 games of 950 to 999 moves\">"), "{linked}");
        let drawn = histogram(&few, 9.0, None).into_string();
        assert!(!drawn.contains("<a "));
        assert_eq!(drawn.matches("class=\"bar\"").count(), 3, "{drawn}");
    }
}
