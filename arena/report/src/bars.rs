//! Intervals drawn with characters, on one scale in all rows of a table.

use maumau_tournament::fixed;

use super::tables::TableLook;

/// Characters of a drawn interval.
const WIDTH: usize = 17;

/// A scale, and the characters that are drawn on it.
pub(super) struct Bars {
    low: f64,
    high: f64,
    decimals: usize,
    /// The left end, the line, the point, the right end.
    marks: [char; 4],
}

impl Bars {
    /// A scale with room for all `intervals`, each its lower end, its value and its upper end; an end that is not finite is open.
    /// `None` for a look in which characters do not line up, or without intervals.
    pub(super) fn around(look: TableLook, intervals: impl Iterator<Item = [f64; 3]>, decimals: usize) -> Option<Bars> {
        let marks = match look {
            TableLook::Lines => ['├', '─', '●', '┤'],
            TableLook::Ascii => ['|', '-', 'o', '|'],
            TableLook::Markdown => return None,
        };
        let known = intervals.flatten().filter(|value| value.is_finite());
        let ends = known.fold(None, |ends: Option<(f64, f64)>, value| {
            let (low, high) = ends.unwrap_or((value, value));
            Some((low.min(value), high.max(value)))
        });
        ends.map(|(low, high)| Bars { low, high, decimals, marks })
    }

    /// The ends of the scale, as wide as the intervals below.
    pub(super) fn heading(&self) -> String {
        let (low, high) = (fixed(self.low, self.decimals), fixed(self.high, self.decimals));
        format!("{low}{high:>rest$}", rest = WIDTH.saturating_sub(low.len()))
    }

    /// One interval.
    pub(super) fn draw(&self, [low, value, high]: [f64; 3]) -> String {
        let [left, line, point, right] = self.marks;
        let at = |value: f64| {
            let share = (value - self.low) / (self.high - self.low).max(f64::MIN_POSITIVE);
            (share.clamp(0.0, 1.0) * (WIDTH - 1) as f64).round() as usize
        };
        let (from, to) = (at(low), at(high));
        let mark = |place: usize| match place {
            place if place == at(value) => point,
            place if place == from && low.is_finite() => left,
            place if place == to && high.is_finite() => right,
            place if (from..=to).contains(&place) => line,
            _ => ' ',
        };
        (0..WIDTH).map(mark).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_line_up_on_their_scale() {
        let intervals = [[0.0, 4.0, 8.0], [8.0, 14.0, 16.0]];
        let bars = Bars::around(TableLook::Ascii, intervals.into_iter(), 1).expect("a scale");
        assert_eq!(bars.heading(), "0.0          16.0");
        assert_eq!(bars.draw([0.0, 4.0, 8.0]), "|---o---|        ");
        assert_eq!(bars.draw([8.0, 14.0, 16.0]), "        |-----o-|");
        assert_eq!(bars.draw([12.0, 14.0, f64::INFINITY]), "            |-o--", "an open end");
        assert_eq!(bars.draw([f64::NEG_INFINITY, 0.0, 2.0]), "o-|              ");
        assert!(Bars::around(TableLook::Markdown, intervals.into_iter(), 1).is_none());
        assert!(Bars::around(TableLook::Ascii, [].into_iter(), 1).is_none());
        // One value for all has a scale too.
        let single = Bars::around(TableLook::Lines, [[3.0; 3]].into_iter(), 0).expect("a scale");
        assert_eq!(single.draw([3.0; 3]).chars().next(), Some('●'));
    }
}
