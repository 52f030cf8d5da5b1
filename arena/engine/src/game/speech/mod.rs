//! Speech: words that are due with cards, the warning of the last card, and the effects of what is said.

mod announce;
mod heard;
mod mau;
mod words;

pub(in crate::game) use announce::{Announcements, Lateness};
pub(in crate::game) use heard::{Conduct, Laid};
pub(in crate::game) use mau::{MauDuties, MauState};
