//! What a turn is, and what happens when the draw pile is used up. What particular cards change about it stands in
//! `special` and `turns_lost`.

use maumau_protocol::ruleset::{AfterDraw, MayDraw, Shortage};
use maumau_protocol::{Card, CardSet, Pack};

use super::words::count;
use super::{Page, Rulebook};

impl Rulebook<'_> {
    pub(super) fn turn(&self, page: &mut Page) {
        page.heading("A turn");
        page.paragraph();
        page.say("In your turn you play one card on the discard pile, face up, or you draw.")
            .states("B-07 K-67 D-19 D-22 N-05 P-10")
            .played("crazy-eights/nothing-left");
        let shared = match self.set.deck.pack {
            Pack::French => "the suit or the value",
            Pack::Colours | Pack::Waterfall => "the suit, the number or the symbol",
        };
        page.say(format!("A card fits if it has {shared} of the top card."))
            .states("B-05 B-06 K-13 D-19 N-05 P-12")
            .from("deck.pack")
            .played("crazy-eights/an-eight-names");
        let joker = CardSet::of(Card::JOKER);
        let stands_for_others = !self.cards_with(|effect| !effect.stands_for.is_empty()).intersect(joker).is_empty();
        if self.set.deck.jokers > 0 && stands_for_others {
            if !self.set.deal.not_first.0.contains(Card::JOKER) {
                page.say("On a joker that was turned up every card fits.")
                    .states("G-79 TS-14")
                    .from("deck.jokers deal.not_first")
                    .played("tschau-sepp/TS-14-a-joker-that-was-turned-up-takes-any-card");
            }
        } else if self.set.deck.jokers > 0 {
            page.say("On a joker every card fits.").states("P-39").from("deck.jokers");
            if self.cards_with(|effect| effect.any_time || effect.out_of_turn).intersect(joker).is_empty() {
                page.say("A joker itself has neither: it fits on a joker, and where any card may be played.")
                    .from("deck.jokers")
                    .played("basic/B-05-house");
            }
        }
        match self.set.turn.may_draw {
            MayDraw::Always => page
                .say("You may draw although you could play a card.")
                .states("B-09 K-14 D-21 N-06 P-13")
                .from("turn.may_draw")
                .played("crazy-eights/five-draws"),
            MayDraw::Unable => {
                page.say("You may draw only if you cannot play a card.").states("G-53").from("turn.may_draw")
            }
        };
        self.drawing(page);
        self.used_up(page);
    }

    fn drawing(&self, page: &mut Page) {
        let turn = &self.set.turn;
        let dry = if turn.shortage == Shortage::Pass { ", or when nothing is left to draw" } else { "" };
        let draws = count(turn.draws.into(), "card");
        let unlimited = "as many cards as there are";
        match (turn.after_draw, turn.draws) {
            (AfterDraw::Over, _) => page
                .say("A draw is one card from the draw pile, and your turn is over.")
                .states("B-08 B-10 D-22 N-07 N-08 P-10 P-11")
                .from("turn.after_draw"),
            (AfterDraw::DrawnCard, 1) => page
                .say(
                    "A draw is one card from the draw pile; if it fits you may play it, but no other card; otherwise you \
                     pass.",
                )
                .states("B-08 B-30")
                .from("turn.after_draw turn.draws")
                .played("basic/B-30"),
            (AfterDraw::DrawnCardMust, 1) => page
                .say("A draw is one card from the draw pile; if it fits you must play it; otherwise you pass.")
                .states("G-54")
                .from("turn.after_draw turn.draws"),
            (AfterDraw::DrawnCardMust, 0) => page
                .say(format!(
                    "You may draw {unlimited}, one after another, and must play the first that fits, but no other card; you pass \
                     when nothing is left to draw."
                ))
                .states("G-54 G-56")
                .from("turn.after_draw turn.draws"),
            (AfterDraw::DrawnCard, 0) => page
                .say(format!(
                    "You may draw {unlimited}, one after another, and after each play it if it fits, but no other card; you may \
                     pass only when nothing is left to draw."
                ))
                .states("G-56")
                .from("turn.after_draw turn.draws"),
            (AfterDraw::AnyCard, 0) => page
                .say(format!(
                    "You may draw {unlimited}, one after another, and after each play any card that fits; you may pass only when \
                     nothing is left to draw."
                ))
                .states("G-56")
                .from("turn.after_draw turn.draws"),
            (AfterDraw::DrawnCardMust, _) => page
                .say(format!(
                    "You may draw up to {draws}, one after another, and must play the first that fits, but no other card; with \
                     all of them drawn you pass instead."
                ))
                .states("G-54")
                .from("turn.after_draw turn.draws"),
            (AfterDraw::AnyCard, 1) => page
                .say("A draw is one card from the draw pile; then you may still play any card that fits, or pass.")
                .states("K-14 K-15 K-16 K-17")
                .from("turn.after_draw turn.draws"),
            (AfterDraw::DrawnCard, _) => page
                .say(format!(
                    "You may draw up to {draws}, one after another, and after each play it if it fits, but no other card; \
                     with all of them drawn you may pass instead."
                ))
                .from("turn.after_draw turn.draws")
                .played("basic/B-30-house"),
            (AfterDraw::AnyCard, _) => page
                .say(format!(
                    "You may draw up to {draws}, one after another, and after each play any card that fits; with all of \
                     them drawn you may pass instead."
                ))
                .from("turn.after_draw turn.draws")
                .played("crazy-eights/five-draws"),
        };
        if turn.draws == 0 && turn.after_draw != AfterDraw::Over {
            return;
        }
        match turn.after_draw {
            AfterDraw::Over => page
                .say(format!("You cannot pass instead of drawing, unless a special card lets you{dry}."))
                .states("B-11 B-08 D-21 N-06 P-10")
                .played("deluxe/D-21, snap/N-44, spam/P-10"),
            _ => page
                .say(format!("You cannot pass without having drawn, unless a special card lets you{dry}."))
                .states("K-16 B-11")
                .played("crazy-eights/nothing-left"),
        }
        .from("turn.after_draw turn.shortage");
    }

    fn used_up(&self, page: &mut Page) {
        let turn = &self.set.turn;
        page.paragraph();
        match (turn.reshuffle, self.some_card(|effect| effect.transparent)) {
            (true, false) => page.say(
                "When the last card of the draw pile is taken, everything under the top card is shuffled and becomes the new \
                 draw pile, at once or as soon as there is something under it.",
            ),
            (true, true) => page.say(
                "When the last card of the draw pile is taken, everything under the top card, with what is looked through \
                 above it, is shuffled and becomes the new draw pile, at once or as soon as there is something under it.",
            ),
            (false, _) => page.say("A draw pile that is used up is not replaced."),
        }
        .states("G-06 B-42 K-20 D-23 N-125 N-126 P-102")
        .from("turn.reshuffle")
        .played("crazy-eights/nothing-left, crazy-eights/option-reshuffle");
        match turn.shortage {
            Shortage::Waive => page.say(
                "When nothing at all is left to draw, cards that are missing need not be drawn, and a draw without a card \
                 ends the turn.",
            ),
            Shortage::TopCard => page.say(
                "When nothing at all is left to draw, the drawer takes the top card instead, further missing cards need not \
                 be drawn, and the next player may play anything. Missing penalty cards lapse.",
            ),
            Shortage::Pass => page.say(
                "When nothing is left to draw, nobody draws: you play a card or pass. Owed cards that are missing need not be \
                 drawn, and no card makes anybody owe cards.",
            ),
        }
        .states("G-07 B-42 K-21 D-24 N-127 P-102")
        .from("turn.shortage")
        .played("crazy-eights/nothing-left");
    }
}
