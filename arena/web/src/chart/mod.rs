//! Charts as SVG: pure functions from numbers to drawings. What the numbers mean is not known here, and no text from outside gets
//! into a drawing.
//!
//! Across, positions are percentages and down they are pixels, so a drawing fills whatever width it is given while its text and
//! lines keep their size. Colours are classes; the page's style gives them values for light, dark and paper. Every drawing is hidden
//! from screen readers: the numbers it shows stand in the page as text.

mod course;
mod histogram;
mod intervals;
mod race;
mod scale;

pub use course::{Course, CoursePoint, course};
pub use histogram::{BarLink, Histogram, histogram};
pub use intervals::{ROW_HEIGHT, Whisker, axis, intervals, ranks};
pub use race::{RACE_COLOURS, RACE_ROW, race, race_class};
pub use scale::{Scale, Tick};

/// A position in percent, with as many digits as a screen has pixels.
fn percent(value: f64) -> String {
    format!("{}%", short(value))
}

/// A number with at most two decimals.
fn short(value: f64) -> String {
    let text = maumau_tournament::fixed(value, 2);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([12.5, 100.0, 0.004, -3.456, 10.0].map(short), ["12.5", "100", "0", "-3.46", "10"]);
        assert_eq!(percent(33.333), "33.33%");
    }
}
