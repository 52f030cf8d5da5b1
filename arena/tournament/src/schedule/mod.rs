//! Who meets whom, as pure functions of what was played before: balanced groups, Swiss rounds, heats. They start no
//! game and know agents only by number.

pub mod balanced;
pub mod heats;
pub mod swiss;
