//! Mistakes that are kept until a seat calls them, and wrong cards that lie until then. They are found elsewhere in
//! `game`; here they are kept, called and paid for.

mod ledger;
mod wrong_card;

pub(in crate::game) use ledger::{MistakeLedger, Until};
pub(in crate::game) use wrong_card::WrongCard;
