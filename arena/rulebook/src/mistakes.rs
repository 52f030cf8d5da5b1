//! Wrong cards and slowness, and what they cost. Mistakes that cost nothing until they are called stand in `calls`.

use maumau_protocol::RuleFault;
use maumau_protocol::ruleset::{ChooseSuit, DebtAfterWrong, FirstCard, Illegal, MauMissing, Named, Notice};

use super::words::{count, fault, list};
use super::{Page, Rulebook};

impl Rulebook<'_> {
    pub(super) fn mistakes(&self, page: &mut Page) {
        page.heading("Mistakes and their prices");
        page.paragraph();
        self.wrong_cards(page);
        self.out_of_turn(page);
        self.sealed(page);
        self.calls(page);
        page.paragraph();
        self.slowness(page);
    }

    fn bars_last_card(&self) -> bool {
        let mau = self.set.duties.mau.as_ref();
        let barred = self.cards_with(|effect| effect.never_last);
        let costly = self.cards_with(|effect| !effect.last_costs.is_nothing());
        let requests = self.some_card(|effect| effect.request.is_some());
        !barred.without(costly).is_empty()
            || (requests && !costly.is_empty())
            || mau.is_some_and(|mau| mau.if_missing == MauMissing::BarsLastCard || mau.before_last_of_chain)
    }

    fn wrong_cards(&self, page: &mut Page) {
        let prices = &self.set.prices;
        let stands = prices.illegal == Illegal::Stands;
        let called = prices.misplay.called;
        if stands {
            let out_of_turn = if called { ", or comes out of turn," } else { " and is played in turn" };
            page.say(format!(
                "A card that does not fit{out_of_turn} lies like a right one, with its effect, until the next card is played."
            ))
            .states("N-68 P-103")
            .from("prices.illegal prices.misplay.called");
            let names = match called {
                true => format!("{} or {}", fault(RuleFault::WrongCard), fault(RuleFault::OutOfTurn)),
                false => fault(RuleFault::WrongCard),
            };
            page.say(format!(
                "If another player calls it before that ({names}), it goes back, everything that followed from it is undone, \
                 and its player gets {}.",
                count(self.set.calls.cards.into(), "penalty card")
            ))
            .states("N-68 P-103")
            .from("prices.illegal prices.misplay.called calls.cards");
        }
        let last = self.bars_last_card();
        let which = match (stands, called, last) {
            (false, _, true) => "A card that does not fit, that may not be the last one, or that comes out of turn",
            (false, _, false) => "A card that does not fit or comes out of turn",
            (true, false, true) => "A card that may not be the last one, or that comes out of turn,",
            (true, false, false) => "A card that comes out of turn",
            (true, true, true) => "A card that may not be the last one",
            (true, true, false) => return,
        };
        let price = match (prices.misplay.cards, called) {
            (0, false) => "at no cost".to_owned(),
            (0, true) => "at no cost at once".to_owned(),
            (cards, _) => format!("and costs {}", count(cards.into(), "penalty card")),
        };
        page.say(format!("{which} goes back to the hand, {price}."))
            .states("B-36 D-34 D-36 D-37 K-42 K-50 N-09 N-62 N-68 N-69 P-74 P-76 P-103")
            .from("prices.misplay.cards prices.illegal")
            .played("crazy-eights/a-wrong-card");
        if let Some(cards) = prices.misplay.out_of_turn {
            let price = if cards == 0 { "nothing".to_owned() } else { count(cards.into(), "penalty card") };
            page.say(format!("Out of turn it costs {price} instead."))
                .states("G-66")
                .from("prices.misplay.out_of_turn")
                .played("colours/CO-16");
        }
        if called && !stands {
            page.say(format!(
                "It is a mistake besides: in turn {}, out of turn {}.",
                fault(RuleFault::WrongCard),
                fault(RuleFault::OutOfTurn)
            ))
            .states("P-74 P-76 P-103 P-106")
            .from("prices.misplay.called");
        }
        self.turn_after_wrong_card(page);
    }

    fn turn_after_wrong_card(&self, page: &mut Page) {
        let prices = &self.set.prices;
        if !prices.misplay.ends_turn {
            page.say("In your turn you keep the turn, and what is owed stays owed.")
                .states("B-36 B-49 K-50 K-68 N-68 P-104")
                .from("prices.misplay.ends_turn")
                .played("basic/B-36-option, skat/K-50-option, snap/N-05, crazy-eights/a-wrong-card");
            return;
        }
        page.say("Played in turn it ends the turn.")
            .states("B-36 D-36 D-38 D-39 K-50")
            .from("prices.misplay.ends_turn")
            .played("skat/K-50-a-wrong");
        if self.skips_can_be_answered() {
            page.say("Turns that were to be missed are missed then.").states("K-68").from("prices.misplay.ends_turn");
        }
        match prices.misplay.debt {
            DebtAfterWrong::Taken => page.say("Cards that are owed are drawn as well.").played(""),
            DebtAfterWrong::Passes => {
                page.say("Cards that are owed are then owed by the next player.").played("deluxe/D-37-option")
            }
        }
        .states("B-49 D-37 K-68")
        .from("prices.misplay.debt");
    }

    /// Draws and passes out of turn, and actions that were overtaken.
    fn out_of_turn(&self, page: &mut Page) {
        match self.set.turn.draw_out_of_turn {
            true => page
                .say(
                    "A card drawn out of turn is kept and changes nothing else; nothing further can be called for it. Passing \
                     out of turn is refused, at no cost.",
                )
                .states("P-75")
                .from("turn.draw_out_of_turn"),
            false => page
                .say("Drawing or passing out of turn is refused, at no cost.")
                .states("D-35 B-10 K-67 N-06")
                .from("turn.draw_out_of_turn")
                .played("skat/K-16, crazy-eights/a-wrong-card, basic/B-10-only"),
        };
        page.say("At any time, an action that was right until something happened that its player could not have seen yet is refused at no cost.")
            .states("G-03 D-34 P-88 P-89")
            .played("basic/G-03, skat/G-03, snap/G-03");
    }

    fn slowness(&self, page: &mut Page) {
        let (prices, turn) = (&self.set.prices, &self.set.turn);
        let acts = "owed cards are drawn as usual, otherwise one card is drawn if the turn still asks for one and the turn is over";
        if turn.absent_limits == 0 {
            let slow = match prices.slow_cards {
                0 => "at no further cost".to_owned(),
                cards => format!("and the seat gets {}", count(cards.into(), "penalty card")),
            };
            page.say(format!(
                "A seat that does not act within the turn limit is acted for by the referee: {acts}; {slow}."
            ))
            .states("G-05 B-48 D-83 K-66")
            .from("turn.absent_limits prices.slow_cards")
            .played("crazy-eights/slowness");
        } else {
            let (cards, slow) = (count(self.set.calls.cards.into(), "penalty card"), fault(RuleFault::Slow));
            match self.set.calls.slow {
                Notice::Referee => page
                    .say(format!(
                        "Each turn limit that passes without what the game waits for costs that seat {cards} at once ({slow})."
                    ))
                    .played("snap/N-124-every"),
                Notice::Seats => page
                    .say(format!("Each turn limit that passes in play without what the game waits for is a mistake ({slow})."))
                    .played("snap/N-124-option, spam/P-77"),
            }
            .states("N-123 N-124 P-77")
            .from("calls.slow");
            page.say(format!(
                "After {} in a row the referee acts for the seat, at no further cost: {acts}.",
                count(turn.absent_limits.into(), "turn limit")
            ))
            .states("G-22")
            .from("turn.absent_limits");
        }
        self.acted_for(page);
        page.say(format!("The same happens after {} in one turn.", count(turn.max_refusals.into(), "refused action")))
            .states("G-21")
            .from("turn.max_refusals")
            .played("crazy-eights/a-wrong-card");
        page.say(format!(
            "An agent that breaks the protocol gets a strike; after {} it is dismissed: the referee plays its seat to the end by the \
             first legal action, with the words due, and the seat ranks behind all that were not dismissed.",
            count(turn.max_strikes.into(), "strike")
        ))
        .states("G-04")
        .from("turn.max_strikes")
        .played("fn the_third_strike_dismisses_whatever_the_fault");
    }

    /// What the referee does for a seat besides drawing.
    fn acted_for(&self, page: &mut Page) {
        if self.skips_can_be_answered() {
            page.say("Turns that are to be missed are missed.").states("K-66 G-05").played("skat/K-66-time-out-facing");
        }
        if self.some_card(|effect| effect.race) {
            page.say("In a race nothing is drawn.").states("P-109 P-36").played("spam/P-109-nobody");
        }
        let asked = match self.set.deal.first_card {
            FirstCard::Effect => self.named_when_turned_up(),
            FirstCard::Plain => {
                self.cards_with(|effect| effect.choose_suit == Some(ChooseSuit::New)).union(self.named_when_turned_up())
            }
        };
        let ranks = self.cards_with(|effect| effect.request.is_some_and(|made| made.names == Named::Rank));
        if !asked.is_empty() {
            let ranks = if asked.intersect(ranks).is_empty() { "" } else { ", or of two to ace" };
            let suits = list(&self.set.deck.pack.suits().map(|suit| self.set.deck.faces.suit(suit).to_owned()), "and");
            page.say(format!("What has to be named is the first that is possible of {suits}{ranks}."))
                .states("G-05 K-10 N-57")
                .from("deal.first_card")
                .played("skat/K-10-a-slow, snap/N-57-the-referee, basic/B-39-option-a-slow, deluxe/D-10-option-a-slow");
        }
        if self.dealt_by_dealer() {
            page.say("A deal is finished with the right number of cards.")
                .states("G-22")
                .from("deal.by")
                .played("fn a_dealer_who_lets_all_times_run_out_leaves_a_card_to_turn_up");
        }
    }
}
