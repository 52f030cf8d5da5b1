//! Intervals on a common scale, one drawing a row, so that they line up in the rows of a table.

use maud::{Markup, html};

use super::scale::{Scale, Tick};
use super::{percent, short};

/// The height of a row in pixels.
pub const ROW_HEIGHT: u32 = 28;

/// A value with an interval. An end that is absent is unknown, and the line goes on to the edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Whisker {
    /// The lower end.
    pub low: Option<f64>,
    /// The value itself.
    pub value: f64,
    /// The upper end.
    pub high: Option<f64>,
}

/// One row: a point with its interval, before the grid of `ticks` and a line at `reference`.
pub fn intervals(scale: Scale, ticks: &[Tick], reference: Option<f64>, whisker: Option<Whisker>) -> Markup {
    let middle = ROW_HEIGHT / 2;
    html! {
        svg.chart width="100%" height=(ROW_HEIGHT) aria-hidden="true" {
            (grid(ticks, reference.map(|value| scale.percent(value)), ROW_HEIGHT))
            @if let Some(Whisker { low, value, high }) = whisker {
                @let [from, to] = [low.map_or(0.0, |low| scale.percent(low)), high.map_or(100.0, |high| scale.percent(high))];
                line.whisker.open[low.is_none() || high.is_none()] x1=(percent(from)) x2=(percent(to)) y1=(middle) y2=(middle) {}
                @for end in [low.map(|_| from), high.map(|_| to)].into_iter().flatten() {
                    line.whisker x1=(percent(end)) x2=(percent(end)) y1=(middle - 4) y2=(middle + 4) {}
                }
                circle.point cx=(percent(scale.percent(value))) cy=(middle) r="4" {}
            }
        }
    }
}

/// The labels of a scale, for the row above the intervals.
pub fn axis(ticks: &[Tick]) -> Markup {
    html! {
        svg.chart.axis width="100%" height="20" aria-hidden="true" {
            @for Tick { at, label } in ticks {
                line.grid x1=(percent(*at)) x2=(percent(*at)) y1="16" y2="20" {}
                text x=(percent(*at)) y="12" text-anchor=(anchor(*at)) { (label) }
            }
        }
    }
}

/// The places from `best` to `worst` of `count`, and the `place` that an agent has.
pub fn ranks(count: usize, best: usize, worst: usize, place: usize) -> Markup {
    let width = 100.0 / count.max(1) as f64;
    let left = |place: usize| width * (place as f64 - 1.0);
    html! {
        svg.chart width="100%" height=(ROW_HEIGHT) aria-hidden="true" {
            rect.track x="0" y=(ROW_HEIGHT / 2 - 1) width="100%" height="2" {}
            rect.range x=(percent(left(best))) y=(ROW_HEIGHT / 2 - 5) rx="3" height="10"
                width=(percent(width * (worst + 1 - best) as f64)) {}
            circle.point cx=(percent(left(place) + width / 2.0)) cy=(ROW_HEIGHT / 2) r=(short(if count > 40 { 2.5 } else { 3.5 })) {}
        }
    }
}

/// Vertical lines at `ticks`, and a stronger one at `reference`.
pub(super) fn grid(ticks: &[Tick], reference: Option<f64>, height: u32) -> Markup {
    html! {
        @for tick in ticks {
            line.grid x1=(percent(tick.at)) x2=(percent(tick.at)) y1="0" y2=(height) {}
        }
        @if let Some(at) = reference {
            line.reference x1=(percent(at)) x2=(percent(at)) y1="0" y2=(height) {}
        }
    }
}

/// Where a label stands relative to its position, so that none is cut off at an edge.
pub(super) fn anchor(at: f64) -> &'static str {
    match at {
        ..4.0 => "start",
        96.0.. => "end",
        _ => "middle",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_runs_from_end_to_end_and_an_open_one_to_the_edge() {
        let scale = Scale::new(0.0, 10.0);
        let drawn = |low, high| {
            let whisker = Whisker { low, value: 5.0, high };
            intervals(scale, &scale.ticks(2), Some(5.0), Some(whisker)).into_string()
        };
        let closed = drawn(Some(2.0), Some(7.0));
        assert!(closed.contains(r#"<line class="whisker" x1="20%" x2="70%" y1="14" y2="14">"#), "{closed}");
        assert!(closed.contains(r#"<circle class="point" cx="50%" cy="14" r="4">"#), "{closed}");
        assert_eq!(closed.matches(r#"class="whisker""#).count(), 3, "a line and two ends: {closed}");
        let open = drawn(Some(2.0), None);
        assert!(open.contains(r#"<line class="whisker open" x1="20%" x2="100%""#), "{open}");
        assert_eq!(open.matches(r#"class="whisker""#).count(), 1, "one end: {open}");
        assert!(!intervals(scale, &[], None, None).into_string().contains("circle"), "nothing is known");
    }

    #[test]
    fn ranks_cover_their_places() {
        let drawn = ranks(4, 2, 3, 3).into_string();
        assert!(drawn.contains(r#"<rect class="range" x="25%" y="9" rx="3" height="10" width="50%">"#), "{drawn}");
        assert!(drawn.contains(r#"cx="62.5%""#), "{drawn}");
    }
}
