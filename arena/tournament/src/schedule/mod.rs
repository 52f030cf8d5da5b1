//! Who meets whom, as pure functions of what was played before: balanced groups, Swiss rounds, heats.

pub mod balanced;
pub mod heats;
pub mod swiss;
