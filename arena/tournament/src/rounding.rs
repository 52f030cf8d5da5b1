//! Numbers for tables, the same bytes on every machine. It rounds and formats; which numbers a table shows is decided
//! by the reports.

/// `value` with exactly `decimals` digits after the point. Halfway values are rounded to the even digit, and there is no
/// negative zero.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

/// The number that [`fixed`] writes.
pub fn rounded(value: f64, decimals: usize) -> f64 {
    fixed(value, decimals).parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_with_fixed_decimals() {
        for (value, decimals, expected) in [
            (0.0, 3, "0.000"),
            (-0.0, 1, "0.0"),
            (-0.000_4, 3, "0.000"),
            (-0.000_6, 3, "-0.001"),
            (0.125, 2, "0.12"),
            (0.375, 2, "0.38"),
            (2.5, 0, "2"),
            (2.0 / 3.0, 4, "0.6667"),
            (-12.345_6, 1, "-12.3"),
            (999.96, 1, "1000.0"),
        ] {
            assert_eq!(fixed(value, decimals), expected);
        }
        assert_eq!(rounded(2.0 / 3.0, 2), 0.67);
        assert!(rounded(-0.001, 2).is_sign_positive());
    }
}
