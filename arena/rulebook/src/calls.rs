//! Mistakes that must be noticed: which seats notice them, for how long, and at what price; sealed penalty cards. It
//! adds sentences to the page; what is a mistake at all stands in `mistakes`, `dealing` and `warnings`.

use maumau_protocol::RuleFault;
use maumau_protocol::ruleset::{CallUntil, DealOrder, FalseCall, Illegal, MauDue, Notice};

use super::words::{count, fault};
use super::{Page, Rulebook};

impl Rulebook<'_> {
    /// Whether any mistake has the price of the section on calls.
    pub(super) fn has_calls(&self) -> bool {
        let (duties, set) = (&self.set.duties, self.set);
        duties.mau.as_ref().is_some_and(|mau| mau.due == MauDue::NextCard)
            || duties.mau_mau.is_some()
            || duties.identical.is_some()
            || self.owes_words()
            || set.talk.is_some()
            || set.point_of_order.is_some()
            || set.calls.movements
            || self.dealt_by_dealer()
            || set.prices.illegal == Illegal::Stands
            || set.prices.misplay.called
            || (set.turn.absent_limits > 0 && set.calls.slow == Notice::Seats)
            || (self.some_card(|effect| effect.take.is_some()) && !set.turn.musts_at_once)
    }

    /// `, which can be called until the round is over`, where other mistakes lapse before.
    pub(super) fn until_round_end(&self) -> &'static str {
        match (self.set.calls.notice, self.set.calls.until) {
            (Notice::Seats, CallUntil::OwnNextTurn) => ", which can be called until the round is over",
            _ => "",
        }
    }

    /// The price of a call that is not upheld.
    pub(super) fn wrong_call(&self, page: &mut Page) {
        match self.set.calls.false_call {
            FalseCall::Free => page
                .say("A wrong call costs nothing.")
                .states("D-30 N-70 B-14")
                .from("calls.false_call")
                .played("snap/N-70-a-wrong, deluxe/D-30-an-early, basic/B-14-option-mau-called"),
            FalseCall::Violation => page
                .say(format!("A wrong call is itself a mistake of the caller ({}).", fault(RuleFault::FalseCall)))
                .states("P-85 P-107")
                .from("calls.false_call"),
            FalseCall::Cards => page
                .say(format!(
                    "A wrong call ({}) costs the caller {} at once.",
                    fault(RuleFault::FalseCall),
                    count(self.set.calls.cards.into(), "penalty card")
                ))
                .states("N-70")
                .from("calls.false_call calls.cards")
                .played("snap/N-70-option-a-false"),
        };
    }

    /// How mistakes are noticed, and for how long.
    pub(super) fn calls(&self, page: &mut Page) {
        if !self.has_calls() {
            return;
        }
        let calls = &self.set.calls;
        let cards = count(calls.cards.into(), "penalty card");
        page.paragraph();
        match calls.notice {
            Notice::Seats => {
                page.say(format!(
                    "A mistake costs {cards} if another player calls it, naming the player and the mistake; unless these \
                     rules say that the referee notices it, it costs nothing otherwise."
                ))
                .states("N-09 N-66 N-70 P-56 P-57")
                .from("calls.cards calls.notice");
                self.how_long(page);
                page.say("One mistake is charged once, by the first call of it.")
                    .states("N-71 P-106 P-107")
                    .played("spam/P-107, snap/N-106-a-late");
            }
            Notice::Referee => {
                let known = match self.dealt_by_dealer() && self.set.deal.order == DealOrder::Fixed {
                    true => ", a false deal aside",
                    false => "",
                };
                page.say(format!("The referee notices every mistake by itself{known}; it costs {cards}."))
                    .states("G-12 N-09 N-70 P-56 P-57")
                    .from("calls.cards calls.notice")
                    .played("snap/N-70-option-strict, spam/P-57-strict");
                page.say("One mistake is charged once.")
                    .states("N-71 P-106")
                    .played("snap/N-70-option-strict, spam/P-57-strict");
            }
        }
        page.say("Penalty cards are drawn at once, also out of turn.")
            .states("N-69 P-105")
            .played("snap/N-66, spam/P-74, spam/P-57-strict");
        self.wrong_call(page);
        if calls.false_call != FalseCall::Free {
            page.say("A call that was right when its player saw the table last, and was overtaken, costs nothing.")
                .states("G-03 P-108")
                .played("spam/P-108, spam/G-03-a-call");
        }
        page.say("Everybody may speak and call at any time in a round, from the first card dealt, but nobody can call themselves.")
            .states("G-12 G-19 P-86 P-107")
            .played("snap/N-67-a-call, spam/G-12");
    }

    /// How long a mistake can be called: the general rule, for all mistakes without one of their own.
    fn how_long(&self, page: &mut Page) {
        match self.set.calls.until {
            CallUntil::RoundEnd => {
                page.say("It can be called until the round is over, unless a shorter time is given.")
                    .states("N-66 N-67")
                    .from("calls.until");
            }
            CallUntil::OwnNextTurn => {
                page.say(
                    "It can be called until the offender has completed the next ordinary turn, or the round is over: a \
                     mistake made in a turn is open to the end of the next one.",
                )
                .states("P-58 P-87")
                .from("calls.until");
                page.say("Interjections, owed draws and missed turns are no ordinary turns.")
                    .states("P-58")
                    .from("calls.until");
                if self.owes_words() {
                    page.say("A word that was left out lapses with that turn even if its grace time still runs.")
                        .states("P-58 P-68")
                        .from("calls.until");
                }
            }
        }
    }

    /// Penalty cards that no seat may look at yet.
    pub(super) fn sealed(&self, page: &mut Page) {
        if !self.set.prices.sealed {
            return;
        }
        let (play, look) = (self.set.prices.misplay.cards, self.set.calls.cards);
        let card = |cards: u8| count(cards.into(), "penalty card");
        let price = match play == look {
            true => format!("trying to is a mistake, {}", self.which_costs(play)),
            false => format!("trying to play one costs {}, to look at them {}", card(play), card(look)),
        };
        page.paragraph();
        page.say(format!("Penalty cards are sealed: their owner may neither look at them nor play them; {price}."))
            .states("N-98 N-99 N-103")
            .from("prices.sealed prices.misplay.cards calls.cards");
        page.say("A player who holds only sealed cards can only draw.").states("N-103").from("prices.sealed");
        page.say("They are opened when the owner's turn is over, or for cards taken between turns the next turn.")
            .states("N-98 N-99")
            .from("prices.sealed")
            .played("snap/N-98, snap/N-101");
        page.say("A turn that is missed is a turn, a free card is none.").states("N-102 N-64").from("prices.sealed");
        page.say(
            "They count as cards of the hand: they can be taken at random, and have points at the end of a round.",
        )
        .states("N-100 N-101")
        .from("prices.sealed");
        page.say("Cards that are drawn for any other reason are never sealed.")
            .states("N-28")
            .from("prices.sealed")
            .played("snap/N-102-a-turn-missed");
    }
}
