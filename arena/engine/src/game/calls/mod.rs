//! Mistakes that are kept until a seat calls them.

mod ledger;

pub(in crate::game) use ledger::{Ledger, Until};
