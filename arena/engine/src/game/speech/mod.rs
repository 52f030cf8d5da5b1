//! Speech: words that are due with cards, the warning of the last card, the effects of words, and conduct. It judges
//! what was said in a game; what a text means at all is known by `crate::speech`.

mod announce;
mod conduct;
mod heard;
mod mau;
mod words;

pub(in crate::game) use announce::{Announcements, Lateness};
pub(in crate::game) use conduct::Conduct;
pub(in crate::game) use heard::PlayedCards;
pub(in crate::game) use mau::MauDuties;
