//! The lengths of the times that the rules mention. It takes them from the time control and the protocol's limits; the
//! sections that mention a time do not know its length.

use maumau_protocol::limits::{CLOSING_TICKS, COUNT_TICKS, POINT_OF_ORDER_MS, POINT_OF_ORDER_TICKS};
use maumau_protocol::ruleset::{DealOrder, EndingAt, Take};

use super::words::count;
use super::{Page, Rulebook};

impl Rulebook<'_> {
    pub(super) fn times(&self, page: &mut Page) {
        let set = self.set;
        let time = self.time;
        page.heading("Times");
        page.paragraph();
        page.say(format!("A turn limit is {} unless the table sets another.", seconds(time.move_ms)))
            .states("G-13 P-77 N-124")
            .from("time.move_ms")
            .played("fn a_live_ask_has_the_time_of_the_turn");
        let mut others = 0;
        let mut item = |page: &mut Page, text: String, states: &str, key: &str| {
            others += 1;
            if others == 1 {
                page.say("Other times are seconds on the live clock, and in lockstep ticks, which are offers to all seats that can act:")
                    .states("G-13")
                    .played("fn words_that_became_due_within_a_tick_are_not_late_at_its_end");
            }
            page.item().say(text).states(states).from(key).rendered();
        };
        let duties = &set.duties;
        if duties.mau_mau.is_some() || self.owes_words() {
            let text = format!("grace time, for words that are due: {}; one tick.", seconds(time.grace_ms));
            item(page, text, "G-13 N-82 P-68", "time.grace_ms");
        }
        let answered = self.some_card(|effect| {
            effect.skip.as_ref().is_some_and(|skip| skip.threat) || effect.take == Some(Take::FromNext)
        });
        if answered {
            let text =
                format!("reaction time, for answers before the next turn: {}; one tick.", seconds(time.reaction_ms));
            item(page, text, "G-13 N-44 N-106", "time.reaction_ms");
        }
        if set.ending.at == EndingAt::Closing {
            let text = format!(
                "closing time, restarted by each action but speech and calls: {}; {}.",
                seconds(time.closing_ms),
                count(CLOSING_TICKS, "tick")
            );
            item(page, text, "G-13 N-97 P-98", "time.closing_ms");
        }
        if self.dealt_by_dealer() && set.deal.order == DealOrder::Fixed {
            let text = format!("count of ten: {}; {}.", seconds(time.count_ms), count(COUNT_TICKS, "tick"));
            item(page, text, "G-13 N-114", "time.count_ms");
        }
        if set.point_of_order.as_ref().is_some_and(|pause| pause.max > 0) {
            let text = format!(
                "point of order, at most: {}; {}.",
                seconds(POINT_OF_ORDER_MS),
                count(POINT_OF_ORDER_TICKS, "tick")
            );
            item(page, text, "G-13 P-95", "point_of_order.max");
        }
    }
}

/// `5 seconds`, `1 second`, `0.5 seconds`.
fn seconds(ms: u64) -> String {
    match (ms / 1_000, ms % 1_000) {
        (1, 0) => "1 second".to_owned(),
        (whole, 0) => format!("{whole} seconds"),
        (whole, rest) => format!("{whole}.{} seconds", format!("{rest:03}").trim_end_matches('0')),
    }
}
