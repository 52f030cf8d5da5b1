//! Places that change: a line for each runner, the first place on top.

use std::fmt::Write;

use maud::{Markup, html};

use super::{percent, short};

/// The height of a row in pixels, here and in the list beside the drawing.
pub const RACE_ROW: usize = 24;
/// The width of the lines in their own units, which are stretched to the width they are given.
const WIDTH: f64 = 1000.0;
/// How many lines have a colour of their own; those after them are dashed.
pub const RACE_COLOURS: usize = 10;

/// The class of a runner's colour.
pub fn race_class(runner: usize) -> String {
    let dashed = if runner >= RACE_COLOURS { " dashed" } else { "" };
    format!("r{}{dashed}", runner % RACE_COLOURS)
}

/// The rows of runners, from 0, at each step of a race; `at` are the shares of the whole at which the steps are. `None` where a runner
/// has no place.
pub fn race(at: &[f64], rows: &[Vec<Option<usize>>]) -> Markup {
    let height = rows.len() * RACE_ROW;
    let y = |row: usize| row as f64 * RACE_ROW as f64 + RACE_ROW as f64 / 2.0;
    let line = |rows: &Vec<Option<usize>>| {
        let mut line = String::new();
        for (at, row) in at.iter().zip(rows).filter_map(|(at, row)| Some((at, (*row)?))) {
            let letter = if line.is_empty() { 'M' } else { 'L' };
            // Writing to a string cannot fail.
            _ = write!(line, "{letter}{} {}", short(WIDTH * at), short(y(row)));
        }
        line
    };
    html! {
        svg.chart width="100%" height=(height) aria-hidden="true" {
            svg.lines width="100%" height=(height) viewBox=(format!("0 0 {WIDTH} {height}")) preserveAspectRatio="none" {
                // The best one is drawn last, over the others.
                @for (runner, rows) in rows.iter().enumerate().rev() { path class=(race_class(runner)) data-runner=(runner) d=(line(rows)) {} }
            }
            // It hides what comes after the step that is shown.
            rect.cover x="100%" width="0%" height=(height) {}
            line.reference.now x1="100%" x2="100%" y1="0" y2=(height) {}
            @for (runner, rows) in rows.iter().enumerate().rev() {
                @if let (Some(at), Some(Some(row))) = (at.last(), rows.last()) {
                    circle class=(race_class(runner)) data-runner=(runner) cx=(percent(100.0 * at)) cy=(short(y(*row))) r="5" {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_from_place_to_place_and_begins_where_its_runner_has_one() {
        let drawn =
            race(&[0.5, 0.75, 1.0], &[vec![Some(1), Some(0), Some(0)], vec![None, Some(1), Some(1)]]).into_string();
        assert!(drawn.contains(r#"data-runner="0" d="M500 36L750 12L1000 12">"#), "{drawn}");
        assert!(drawn.contains(r#"data-runner="1" d="M750 36L1000 36">"#), "{drawn}");
        assert!(drawn.contains(r#"<circle class="r0" data-runner="0" cx="100%" cy="12" r="5">"#), "{drawn}");
        assert_eq!([0, 9, 10, 11].map(race_class), ["r0", "r9", "r0 dashed", "r1 dashed"]);
        let nobody = race(&[], &[]).into_string();
        assert!(!nobody.contains("<path") && !nobody.contains("<circle"), "{nobody}");
    }
}
