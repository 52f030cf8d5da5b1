//! The deal by the dealer's own actions, with all mistakes that seats can make in it. A deal by the referee stands in
//! `start`.

use maumau_protocol::RuleFault;
use maumau_protocol::ruleset::{Notice, PenaltiesInDeal};

use super::words::{count, fault};
use super::{Page, Rulebook};

impl Rulebook<'_> {
    /// Singly and in order, whichever seat begins.
    pub(super) fn dealer_deals_in_order(&self, page: &mut Page) {
        let cards = self.dealt();
        page.say("The referee shuffles, which is no part of the deal.")
            .states("N-112")
            .from("deal.by deal.order")
            .played("snap/N-111");
        page.say(format!(
            "The dealer deals by actions (\"deal\"): singly, in the direction of play, beginning with the next player and \
             ending with the dealer, {cards} to each."
        ))
        .states("N-14 N-15 N-109")
        .from("deal.by deal.cards");
        page.say(
            "When everybody has these, the dealer deals out the penalty cards that are outstanding (\"deal_penalties\"), \
             and again those that fall due after that.",
        )
        .states("N-118")
        .from("deal.by")
        .played("snap/N-111, snap/N-114");
        page.say("Then the dealer turns up the first card (\"turn_up\").")
            .states("N-16")
            .from("deal.by")
            .played("snap/N-14-the-dealer");
        let price = count(self.set.calls.cards.into(), "penalty card");
        page.paragraph();
        let paid = match self.set.calls.in_deal {
            PenaltiesInDeal::Outstanding => ", which are dealt out in the deal",
            PenaltiesInDeal::AtOnce => ", at once",
        };
        page.say(format!("Mistakes in the deal cost {price} each{paid}."))
            .states("N-122")
            .from("calls.cards calls.in_deal");
        if self.set.prices.sealed {
            page.say("They are sealed until their owner's first turn is over.").states("N-122").from("prices.sealed");
        }
        page.say("The referee notices these:").states("N-129").from("deal.by").played("snap/N-115");
        page.item().say(format!(
            "every card too many or too few in a hand at the turn-up ({}); the referee then puts the hands right: what \
             was dealt last goes under the draw pile, what is missing comes from its top.",
            fault(RuleFault::Misdeal)
        ))
        .states("N-110 N-121");
        page.item()
            .say(format!(
                "a deal against the direction of play ({}), taken as a whole: one mistake.",
                fault(RuleFault::WrongDirection)
            ))
            .states("N-109");
        page.item()
            .say(format!(
                "cards not picked up ({}): between rounds anybody may count down from ten (\"count\"). A dealer who by \
                 its end has neither picked up the cards (\"pick_up\") nor dealt them all makes the mistake; if somebody \
                 else picks them up, it is theirs instead.",
                fault(RuleFault::PickUp)
            ))
            .states("N-114 N-115");
        page.paragraph()
            .say("These are noticed like mistakes in play, see below:")
            .states("N-70")
            .from("deal.by")
            .played("snap/N-119");
        page.item()
            .say(format!(
                "penalty cards that the dealer has not dealt out at the turn-up ({}); the referee hands them out.",
                fault(RuleFault::PenaltiesNotDealt)
            ))
            .states("N-119 N-128");
        page.item()
            .say(format!(
                "a false deal ({}): somebody begins to deal who is not the dealer. That is one mistake, one more for each \
                 card beyond the proper number, and one more for the wrong direction.",
                fault(RuleFault::FalseDeal)
            ))
            .states("N-111 N-112 N-113 N-116 N-117");
        let by_calls = match self.set.calls.notice {
            Notice::Seats => "",
            Notice::Referee => " Only players notice it.",
        };
        page.say(format!(
            "Called before the turn-up the deal is void, and the right dealer deals again; afterwards it stands, and the \
             call costs the false dealer all the same.{by_calls}"
        ))
        .states("N-120")
        .from("calls.notice");
        page.paragraph().say("The rest is the draw pile, face down.").states("N-16").played("snap/N-14-the-dealer");
    }

    /// As the dealer likes.
    pub(super) fn dealer_deals_freely(&self, page: &mut Page) {
        let left = match self.set.deal.leave_each {
            0 => String::new(),
            each => format!(", and {} for each player to draw", count(each.into(), "card")),
        };
        page.say("The referee shuffles.").states("P-04").from("deal.by deal.order");
        page.say(format!(
            "The dealer deals by actions (\"deal\"), in any order and as many cards as the dealer likes, to everybody the \
             same number and at least one; one card must be left to turn up{left}."
        ))
        .states("P-02 P-03 P-04")
        .from("deal.by deal.order deal.leave_each");
        page.say(
            "The deal is over when the dealer looks at the cards (\"look\") or turns up the first one (\"turn_up\"); the \
             rest is the draw pile, face down.",
        )
        .states("P-04 P-06")
        .from("deal.by deal.order");
        page.say(format!("Unequal hands are then a mistake of the dealer ({}).", fault(RuleFault::Misdeal)))
            .states("P-70")
            .from("deal.by deal.order");
        let price = count(self.set.calls.cards.into(), "penalty card");
        page.say(format!(
            "When it is noticed, hands are made equal: what was dealt last goes under the draw pile, what is missing comes \
             from its top, and each card that was wrong costs {price}."
        ))
        .states("P-70 P-72")
        .from("calls.cards");
        page.say(
            "The right number is the one with the fewest wrong cards, unless the dealer has named another before (\"choose\" \
             with a value from two to ten).",
        )
        .states("P-71")
        .from("deal.by deal.order")
        .played("spam/P-70, spam/P-72");
        match self.set.calls.in_deal {
            PenaltiesInDeal::AtOnce => {
                page.say("Penalty cards are drawn at once in the deal too.").states("P-105 P-86").from("calls.in_deal")
            }
            PenaltiesInDeal::Outstanding => page
                .say("What is to be paid before the turn-up is dealt out with it.")
                .states("N-122")
                .from("calls.in_deal")
                .played("spam/P-105-house"),
        };
    }
}
