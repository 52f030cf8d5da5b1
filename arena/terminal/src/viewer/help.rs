//! The keys of the viewer, in words.

/// Each key and what it does.
pub(super) const KEYS: [(&str, &str); 18] = [
    ("left, right", "a step back, a step on (also up, down)"),
    ("space", "play, pause"),
    ("[  ]", "to the turn before, the next turn"),
    ("PgUp PgDn", "to the round before, the next round"),
    ("Home End", "to the deal, the end"),
    ("x  X", "to the next fault, the one before"),
    ("i  I", "to the next interjection, the one before"),
    ("r  R", "to the next end of a round, the one before"),
    ("12 Enter", "to move 12"),
    ("/TEXT n", "to the next move with TEXT; the same again"),
    ("e", "change eyes: the referee's, each seat's"),
    ("f", "flip: another seat at the bottom"),
    ("u", "a step is an action, a turn, a round"),
    ("+  -", "faster, slower"),
    ("c", "colours on, off"),
    ("?", "this help"),
    ("q", "quit"),
    ("", "any key closes this"),
];
