//! How an estimate settles: a line with a band, small enough for many side by side.

use std::fmt::Write;

use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::scale::Scale;
use super::short;

/// The height of the drawing in pixels.
const HEIGHT: f64 = 64.0;
/// Its width in its own units, which are stretched to the width it is given.
const WIDTH: f64 = 400.0;

/// An estimate after a share of all games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoursePoint {
    /// The share, from 0 to 1.
    pub at: f64,
    /// The estimate.
    pub value: f64,
    /// The ends of its interval, if there is one.
    pub interval: Option<(f64, f64)>,
}

/// An estimate from the first game to the last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Course(pub Vec<CoursePoint>);

/// The course of an estimate on `scale`, with a line at `reference`.
pub fn course(scale: Scale, reference: f64, course: &Course) -> Markup {
    let y = |value: f64| short(HEIGHT * (1.0 - scale.percent(value) / 100.0));
    let points = &course.0;
    let mut line = String::new();
    for (number, point) in points.iter().enumerate() {
        let letter = if number == 0 { 'M' } else { 'L' };
        // Writing to a string cannot fail.
        _ = write!(line, "{letter}{} {}", short(WIDTH * point.at), y(point.value));
    }
    let known: Vec<(f64, (f64, f64))> = points.iter().filter_map(|point| Some((point.at, point.interval?))).collect();
    let mut band = String::new();
    let upper = known.iter().map(|(at, (_, high))| (at, high));
    let lower = known.iter().rev().map(|(at, (low, _))| (at, low));
    for (number, (at, value)) in upper.chain(lower).enumerate() {
        let letter = if number == 0 { 'M' } else { 'L' };
        _ = write!(band, "{letter}{} {}", short(WIDTH * at), y(*value));
    }
    html! {
        svg.chart.course width="100%" height=(short(HEIGHT)) viewBox={ "0 0 " (short(WIDTH)) " " (short(HEIGHT)) }
            preserveAspectRatio="none" aria-hidden="true" {
            @if !band.is_empty() { path.band d={ (band) "Z" } {} }
            path.reference d={ "M0 " (y(reference)) "H" (short(WIDTH)) } {}
            path.line d=(line) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_is_a_line_inside_its_band() {
        let point = |at, value, interval| CoursePoint { at, value, interval };
        let points =
            vec![point(0.25, 0.5, None), point(0.5, 0.25, Some((0.0, 0.5))), point(1.0, 0.5, Some((0.25, 0.75)))];
        let drawn = course(Scale::new(0.0, 1.0), 0.5, &Course(points)).into_string();
        assert!(drawn.contains(r#"<path class="line" d="M100 32L200 48L400 32">"#), "{drawn}");
        assert!(drawn.contains(r#"<path class="band" d="M200 32L400 16L400 48L200 64Z">"#), "{drawn}");
        let nothing = course(Scale::new(0.0, 1.0), 0.5, &Course::default()).into_string();
        assert!(!nothing.contains("band"), "{nothing}");
    }
}
