//! What several effects have in common: requests, and cards from hand to hand. What a single effect does stands in
//! `special`.

use maumau_protocol::RuleFault;
use maumau_protocol::ruleset::{Named, RequestEnds, Revocable};

use super::words::fault;
use super::{Page, Rulebook};

impl Rulebook<'_> {
    /// What holds while a request stands.
    pub(super) fn requests(&self, page: &mut Page) {
        let making = |names: Named| self.cards_with(|effect| effect.request.is_some_and(|made| made.names == names));
        let (ranks, suits) = (making(Named::Rank), making(Named::Suit));
        if ranks.union(suits).is_empty() {
            return;
        }
        page.paragraph();
        let named = match (ranks.is_empty(), suits.is_empty()) {
            (false, true) => "value",
            (true, _) => "suit",
            (false, false) => "value or suit",
        };
        page.say(format!(
            "Requests: while one stands only cards of the named {named} may be played, whether they fit the top card or not, \
             and no card has any effect, the one that ends it included."
        ))
        .states("D-42 D-43 D-55 D-56 D-82");
        page.say(
            "A player who cannot or will not serve it draws; one who has served already is bound like all others.",
        )
        .states("D-44 D-45 D-56 D-61");
        if self.set.prices.misplay.ends_turn {
            page.say("A wrong card uses up the turn and serves nothing.")
                .states("D-38")
                .from("prices.misplay.ends_turn");
        }
        let how = match (ranks.is_empty(), suits.is_empty()) {
            (false, false) => {
                format!(
                    ": a requested value with {} and a requested suit with {}",
                    self.one_of(ranks),
                    self.one_of(suits)
                )
            }
            _ => format!(", with {}", self.one_of(ranks.union(suits))),
        };
        let is = |how| self.some_card(|effect| effect.request.is_some_and(|made| made.revocable == how));
        let last = match self.some_card(|effect| effect.request.is_some() && effect.never_last) {
            true => ", and cannot be the last one",
            false => "",
        };
        if is(Revocable::Unserved) {
            page.say(format!(
                "As long as nobody has served it, any player but the one who made it may revoke it and make a new one \
                 instead{how}. Such a card need not fit{last}."
            ))
            .states("D-46 D-47 D-49 D-53 D-57 D-59 D-79");
        }
        if is(Revocable::Always) {
            page.say(format!(
                "As long as it stands, any player, also the one who made it, may revoke it and make a new one \
                 instead{how}. Such a card need not fit{last}."
            ))
            .states("G-81 D-47 D-53")
            .played("makao/MK-13");
        }
        if self.some_card(|effect| effect.request.is_some_and(|made| made.may_decline)) {
            page.say("A card that could make a request, and makes none, revokes it too.").states("G-39");
        }
        page.say("A card that serves only serves: nothing is named with it.").states("D-48 D-58");
        let ends = |how| self.some_card(|effect| effect.request.is_some_and(|made| made.ends == how));
        if ends(RequestEnds::AllServed) {
            page.say("A request also lapses after a whole lap in which nobody served it and nobody could draw a card.")
                .states("D-45");
        }
        if ends(RequestEnds::Lap) {
            page.say("In the lap a card that serves, a draw and a wrong card each take up a player's turn; revoking it restarts the lap.")
                .states("D-38 D-45 D-47");
        }
        page.say("When it is over, play goes on from the top card.").states("D-45 D-77 D-82").played("deluxe/D-45");
    }

    /// Cards from hand to hand: when, and who sees them.
    pub(super) fn takes(&self, page: &mut Page) {
        if !self.some_card(|effect| effect.take.is_some()) {
            return;
        }
        page.paragraph();
        page.say("Takes: only the two players see which card goes from hand to hand.")
            .states("N-23 N-50")
            .played("fn a_card_from_hand_to_hand_is_seen_by_the_two_only");
        if self.set.prices.sealed {
            page.say("It may be a sealed one, which is open in the hand of the player who takes it.")
                .states("N-101")
                .from("prices.sealed");
        }
        if self.set.turn.musts_at_once {
            page.say("The referee carries a take out at once.")
                .states("N-106")
                .from("turn.musts_at_once")
                .played("snap/N-106-option");
        } else {
            page.say(
                "A take is done by the action \"take\", before or after one's own play, but before any other player draws or \
                 plays a card that is not free.",
            )
            .states("N-20 N-104 N-106")
            .from("turn.musts_at_once");
            page.say(format!(
                "After that the referee does it, and having forgotten it is a mistake ({}){}.",
                fault(RuleFault::Must),
                self.until_round_end()
            ))
            .states("N-105 N-106")
            .from("turn.musts_at_once");
        }
        page.say("Where there is nothing to take, it counts as done.").states("N-22 N-93");
        page.say("Of several takes each keeps its own time, and of two from one hand the older comes first.")
            .states("N-130");
    }
}
