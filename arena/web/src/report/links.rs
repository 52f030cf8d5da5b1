//! Where the numbers of a report lead: on a server to the list of the games behind them, in a file that stands alone nowhere.

use maud::{Markup, html};

use crate::address::GameFilter;

/// Where numbers lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// To the list of the games that a server has.
    Games,
    /// Nowhere.
    None,
}

impl Links {
    /// A number or a name, and the games behind it.
    pub(super) fn to(self, wanted: &GameFilter, shown: Markup) -> Markup {
        match self {
            Links::Games => html! { a href=(wanted.address()) { (shown) } },
            Links::None => shown,
        }
    }

    /// The name of an agent, which leads to all its games.
    pub(super) fn name(self, agent: &str) -> Markup {
        self.to(&GameFilter::of(agent), html! { (agent) })
    }
}
