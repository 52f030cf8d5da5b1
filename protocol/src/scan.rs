//! Takes apart text that is probably in the one form in which this project's own programs write it. It only moves
//! forward over the given bytes; text in any other form is left to the readers that accept every form.

use crate::eight;

/// What is left of a line.
#[derive(Clone, Copy)]
pub struct Scan<'a>(pub &'a [u8]);

impl<'a> Scan<'a> {
    /// Passes over `expected`.
    #[inline]
    pub fn pass(&mut self, expected: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(expected)?;
        Some(())
    }

    /// Passes over so many bytes, whatever they are.
    #[inline]
    pub fn skip(&mut self, count: usize) -> Option<()> {
        self.0 = self.0.get(count..)?;
        Some(())
    }

    /// Whether `expected` comes next; it is passed over if so.
    #[inline]
    pub fn passes(&mut self, expected: &[u8]) -> bool {
        self.pass(expected).is_some()
    }

    /// A whole number of at most 18 digits, without leading zeros.
    #[inline(always)]
    pub fn number(&mut self) -> Option<u64> {
        // Nearly all have one digit or two.
        let digits = match *self.0 {
            [b'0'..=b'9', next, ..] if !next.is_ascii_digit() => 1,
            [b'1'..=b'9', b'0'..=b'9', next, ..] if !next.is_ascii_digit() => 2,
            _ => return self.long_number(),
        };
        let (number, rest) = self.0.split_at(digits);
        self.0 = rest;
        Some(number.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0')))
    }

    /// The same, however many digits it has.
    fn long_number(&mut self) -> Option<u64> {
        let (mut number, mut digits) = (0, 0);
        while let Some(digit @ b'0'..=b'9') = self.0.get(digits) {
            if digits == 18 {
                return None;
            }
            number = number * 10 + u64::from(digit - b'0');
            digits += 1;
        }
        if digits == 0 || (digits > 1 && self.0[0] == b'0') {
            return None;
        }
        self.0 = &self.0[digits..];
        Some(number)
    }

    /// A text in quotes, of ASCII and without escapes.
    #[inline]
    pub fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.word()?).ok()
    }

    /// The bytes of such a text.
    #[inline]
    pub fn word(&mut self) -> Option<&'a [u8]> {
        let text = self.0.strip_prefix(b"\"")?;
        let (text, rest) = text.split_at_checked(usual(text))?;
        self.0 = rest.strip_prefix(b"\"")?;
        Some(text)
    }
}

/// How many of the first bytes are printable ASCII and neither a quote nor a backslash.
#[inline]
pub fn usual(bytes: &[u8]) -> usize {
    let (eights, rest) = bytes.as_chunks::<8>();
    for (place, eight) in eights.iter().enumerate() {
        let unusual = eight::unusual(u64::from_le_bytes(*eight));
        if unusual != 0 {
            return 8 * place + unusual.trailing_zeros() as usize / 8;
        }
    }
    let is_usual = |byte: &&u8| matches!(byte, 0x20..=0x7e) && !matches!(byte, b'"' | b'\\');
    8 * eights.len() + rest.iter().take_while(is_usual).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_usual_form_is_taken() {
        for (text, found) in [
            ("0,", Some(0)),
            ("17}", Some(17)),
            ("999999999999999999", Some(999_999_999_999_999_999)),
            ("1000000000000000000", None),
            ("00", None),
            ("01", None),
            ("-1", None),
            ("", None),
        ] {
            assert_eq!(Scan(text.as_bytes()).number(), found, "{text}");
        }
        for (text, found) in [
            (r#""mau","#, Some("mau")),
            (r#""""#, Some("")),
            (r#""a\"b""#, None),
            ("\"\u{e9}\"", None),
            ("\"\n\"", None),
            ("\"\u{7f}\"", None),
            (r#""mau"#, None),
            ("mau", None),
        ] {
            assert_eq!(Scan(text.as_bytes()).text(), found, "{text}");
        }
    }

    #[test]
    fn what_is_passed_over_is_gone() {
        let mut scan = Scan(b"{\"a\":1}");
        assert!(!scan.passes(b"{\"b\":"));
        assert_eq!(scan.pass(b"{\"a\":"), Some(()));
        assert_eq!((scan.number(), scan.0), (Some(1), &b"}"[..]));
    }
}
