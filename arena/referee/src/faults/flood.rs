//! Floods (SPEC 6.2): how much an agent may send, how it is counted, and the words for the exceeded limit. It only
//! counts; the referee and the connections ask it and charge the fault.

use std::fmt;

use maumau_protocol::limits::{
    BYTES_ADDED_BY_ASK, MAX_BYTES_PER_ASK, MAX_BYTES_PER_ROUND, MAX_LINES_PER_ASK, MAX_SKIPPED_BYTES,
};

/// Which limit was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flood {
    /// Lines of a game since its last ask.
    Lines,
    /// Answers of a seat since something moved, on the live clock (SPEC 7.15).
    Answers,
    /// Lines of a process that belong to no game, between two of its asks.
    IdleLines,
    /// Bytes of a line that does not end.
    EndlessLine,
    /// Bytes of a game's lines since its last ask.
    BytesForAsk,
    /// Bytes of all lines of a game.
    BytesInGame {
        /// The limit.
        limit: u64,
    },
}

impl fmt::Display for Flood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flood::Lines => write!(f, "more than {MAX_LINES_PER_ASK} lines for one ask"),
            Flood::Answers => write!(f, "more than {MAX_LINES_PER_ASK} answers while nothing moved"),
            Flood::IdleLines => write!(f, "more than {MAX_LINES_PER_ASK} lines that belong to no ask"),
            Flood::EndlessLine => write!(f, "a line of more than {MAX_SKIPPED_BYTES} bytes, and no end of it"),
            Flood::BytesForAsk => write!(f, "more than {MAX_BYTES_PER_ASK} bytes for one ask"),
            Flood::BytesInGame { limit } => write!(f, "more than {limit} bytes in one game"),
        }
    }
}

/// Lines since the allowance was last renewed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCount(u32);

impl LineCount {
    /// Adds a line. True if there are too many now.
    pub fn add(&mut self) -> bool {
        self.0 = self.0.saturating_add(1);
        self.0 > MAX_LINES_PER_ASK
    }
}

/// The bytes of the lines of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteCount {
    since_ask: u64,
    in_all: u64,
    limit: u64,
}

impl ByteCount {
    /// The counters at the start of a match of `rounds` rounds.
    pub fn new(rounds: u32) -> ByteCount {
        ByteCount { since_ask: 0, in_all: 0, limit: MAX_BYTES_PER_ROUND.saturating_mul(rounds.into()) }
    }

    /// Renews the allowance when an ask is sent, on either clock: its answer never exceeds a limit of the game, however many
    /// asks other seats cause.
    pub fn invite(&mut self) {
        self.limit = self.limit.saturating_add(BYTES_ADDED_BY_ASK);
    }

    /// As much may come as for a new ask.
    pub fn renew(&mut self) {
        self.since_ask = 0;
    }

    /// Adds a line of `bytes` bytes; returns the exceeded limit, if any.
    pub fn add(&mut self, bytes: usize) -> Option<Flood> {
        self.since_ask += bytes as u64;
        self.in_all += bytes as u64;
        match () {
            () if self.since_ask > MAX_BYTES_PER_ASK => Some(Flood::BytesForAsk),
            () if self.in_all > self.limit => Some(Flood::BytesInGame { limit: self.limit }),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixty_four_lines_are_allowed() {
        let mut lines = LineCount::default();
        assert!((0..64).all(|_| !lines.add()));
        assert!(lines.add());
    }

    #[test]
    fn bytes_are_bounded_for_an_ask_and_for_a_game() {
        const MIB: usize = 1024 * 1024;
        let mut bytes = ByteCount::new(1);
        assert_eq!(bytes.add(4 * MIB), None);
        assert_eq!(bytes.add(1), Some(Flood::BytesForAsk));
        for _ in 0..2 {
            bytes.renew();
            assert_eq!(bytes.add(4 * MIB), None);
        }
        bytes.renew();
        assert_eq!(bytes.add(4 * MIB - 1), None);
        assert_eq!(bytes.add(1), Some(Flood::BytesInGame { limit: 16 * MIB as u64 }));
        assert_eq!(ByteCount::new(3).limit, 48 * MIB as u64);
    }

    /// A round may have any number of asks: other seats can cause more.
    #[test]
    fn answers_to_asks_alone_are_never_too_many_bytes() {
        let mut bytes = ByteCount { limit: 1_000, ..ByteCount::new(1) };
        for _ in 0..10_000 {
            bytes.invite();
            bytes.renew();
            assert_eq!(bytes.add(BYTES_ADDED_BY_ASK as usize), None);
        }
        bytes.renew();
        assert_eq!(bytes.add(1_000), None);
        assert!(bytes.add(1).is_some_and(|flood| flood.to_string().contains("in one game")));
    }
}
