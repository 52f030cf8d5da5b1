//! Keys as the screens know them. Terminals write them in many ways; `screen` reads those.

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A character.
    Char(char),
    /// The arrow to the left.
    Left,
    /// The arrow to the right.
    Right,
    /// The arrow up.
    Up,
    /// The arrow down.
    Down,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the beginning.
    Home,
    /// To the end.
    End,
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Tab.
    Tab,
    /// Backspace.
    Backspace,
    /// Ctrl-C.
    Interrupt,
}

/// Whether a screen stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenFlow {
    /// It stays.
    Stay,
    /// It closes.
    Close,
}
