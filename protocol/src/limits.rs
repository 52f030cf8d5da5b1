//! Every limit of the protocol, in one place; SPEC.md lists them with the same names. Only numbers stand here; each is
//! enforced where the bounded thing is read or counted.

/// The longest line in either direction, in bytes, newline included.
pub const MAX_LINE_BYTES: usize = 64 * 1024;
/// The most utterances in one action.
pub const MAX_SAYS: usize = 8;
/// The most characters in one utterance.
pub const MAX_SAY_CHARS: usize = 200;
/// The most characters in an agent's name or version.
pub const MAX_NAME_CHARS: usize = 64;
/// Bytes of JSON in one note; a longer one is refused.
pub const MAX_NOTE_BYTES: usize = 4 * 1024;
/// Levels of nesting in the line of a note; the message is the first.
pub const MAX_NESTING: usize = 127;
/// Notes kept per seat and game; later ones are dropped and counted.
pub const MAX_NOTES_PER_GAME: u32 = 1_000;
/// Bytes of JSON in all notes kept per seat and game; later ones are dropped and counted.
pub const MAX_NOTES_BYTES_PER_GAME: usize = 128 * 1024;
/// Characters of the text in which a kit reports that its author's code failed.
pub const MAX_CRASH_CHARS: usize = 1_000;
/// Texts of such failures kept per seat and game; of later failures only the place is kept.
pub const MAX_CRASHES_KEPT: u32 = 8;
/// Bytes kept of what an agent writes to stderr before one move: half of them the beginning, half the end.
pub const MAX_STDERR_BYTES_PER_MOVE: usize = 4 * 1024;
/// Bytes kept of what a seat's agent writes to stderr in one game; what comes later is left out.
pub const MAX_STDERR_BYTES_PER_GAME: usize = 64 * 1024;
/// Cards in one play.
pub const MAX_TOGETHER: usize = 64;
/// Receivers in one `deal`.
pub const MAX_DEAL_RECEIVERS: usize = 512;
/// Games that one agent process may ask to play at once.
pub const MAX_GAMES_PER_AGENT: u32 = 4_096;
/// Lines one agent may send while one ask is open; more is a flood.
pub const MAX_LINES_PER_ASK: u32 = 64;
/// Times in a row that one ask may be void because the host was to blame; the next time its deadline counts (SPEC 5.9).
pub const MAX_VOIDS_PER_ASK: u32 = 3;
/// Void asks of one seat in one game; after that many every deadline counts (SPEC 5.9).
pub const MAX_VOIDS_PER_GAME: u32 = 32;
/// Bytes of all lines that one agent may send in a game while one ask is open; more is a flood.
pub const MAX_BYTES_PER_ASK: u64 = 4 * 1024 * 1024;
/// Bytes of all lines that one agent may send in a game, for each round of the match; more is a flood.
pub const MAX_BYTES_PER_ROUND: u64 = 16 * 1024 * 1024;
/// Bytes that each ask adds to that, so that answers alone never exceed it.
pub const BYTES_ADDED_BY_ASK: u64 = 512;
/// Bytes of a line over the limit that are skipped; an even longer line is a flood.
pub const MAX_SKIPPED_BYTES: u64 = 256 * 1024 * 1024;
/// Answers in a row by which the seat to move may leave everything as it is; then its time is over.
pub const MAX_IDLE_ANSWERS: u32 = 16;
/// Deadlines in a row that a seat may miss while the game waits for it; after the last one it is silent (SPEC 6.15).
pub const MAX_MISSED_IN_A_ROW: u32 = 16;
/// Actions in a row of a seat that need not act, while nothing moves; after them it is not asked until something moves.
pub const MAX_IDLE_REACTIONS: u8 = 8;
/// Offers without an action after which the closing time is over, on logical ticks (G-13).
pub const CLOSING_TICKS: u32 = 2;
/// Offers, not counting the one at which it began, after which a count of ten is over, on logical ticks (G-13).
pub const COUNT_TICKS: u32 = 10;
/// Offers after which a point of order is over, on logical ticks (P-95, G-13: 60 s at 5 s a tick).
pub const POINT_OF_ORDER_TICKS: u32 = 12;
/// Milliseconds after which a point of order is over, on the live clock (P-95).
pub const POINT_OF_ORDER_MS: u64 = 60_000;
/// Packs in one table's deck.
pub const MAX_PACKS: u8 = 8;
/// Jokers in one pack.
pub const MAX_JOKERS_PER_PACK: u8 = 4;

/// The most copies of a card in one pack.
pub const MAX_COPIES: u8 = 8;
/// Turns in one round unless the rule set says otherwise.
pub const DEFAULT_TURN_CAP: u32 = 2_000;
/// Rounds in one match.
pub const MAX_ROUNDS: u32 = 10_000;
/// Rounds that are added to a match while several share its first place.
pub const MAX_EXTRA_ROUNDS: u32 = 10;
/// Turns in a match that lasts until a target is reached, after which no further round begins; more where ten rounds may have more.
pub const MAX_TURNS_TO_TARGET: u32 = 20_000;
/// The most milliseconds of any time in a time control: a day.
pub const MAX_MS: u64 = 86_400_000;
