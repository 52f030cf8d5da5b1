//! Words that are due before the next card, and mistakes that somebody has to notice.

use maumau_protocol::ruleset::{DealtBy, FalseCall, Illegal, Mau, MauDue, Notice};

use super::words::{cite, count, spoken};
use super::{Explainer, Page};

impl Explainer<'_> {
    /// What a mistake that has to be noticed costs, and who notices it until when, as the end of a sentence.
    pub(super) fn noticed(&self, until: &str) -> String {
        let cards = count(self.set.calls.cards.into(), "penalty card");
        match self.set.calls.notice {
            Notice::Seats => format!("that costs {cards} if another player calls it {until}"),
            Notice::Referee => format!("that costs {cards}; the referee notices it"),
        }
    }

    /// What a call costs that is not upheld.
    pub(super) fn wrong_call(&self) -> String {
        match self.set.calls.false_call {
            FalseCall::Free => "A wrong call costs nothing.".to_owned(),
            FalseCall::Violation => format!(
                "A wrong call is a mistake of the caller (\"bad_penalty\") {}; a call that the same call of somebody else \
                 has overtaken is not.",
                self.noticed("in time")
            ),
            FalseCall::Cards => format!(
                "A wrong call is a mistake itself (\"false_call\") and costs {}.",
                count(self.set.calls.cards.into(), "penalty card")
            ),
        }
    }

    /// The rule of a warning that is due before the next card.
    pub(super) fn mau_before_card(&self, mau: &Mau) -> String {
        let word = spoken(&mau.word);
        let sealed = if self.set.prices.sealed { " Sealed cards are cards too." } else { "" };
        format!(
            "Whoever holds exactly one card, however that came about, says {word} before anybody else lays the next \
             card; a free card is a card too, a draw is not.{sealed} Said later it is still a mistake (\"no_mau\") {}. \
             Whoever does not hold one card any more when the next card is laid owes no {word}.",
            self.noticed("before that player's own next turn")
        )
    }

    /// The words for an empty hand and for two identical cards.
    pub(super) fn other_words(&self, page: &mut Page) {
        if let Some(duty) = &self.set.duties.mau_mau {
            let word = spoken(&duty.word);
            let double = match duty.double {
                true => "Not quickly and not before the next card are two mistakes.",
                false => "Not quickly and not before the next card are one mistake together.",
            };
            page.paragraph(&format!(
                "Whoever holds no card says {word}: quickly, which is within the grace time [G-13], and before anybody \
                 lays the next card. Otherwise it is a mistake (\"no_mau_mau\") {}, and the penalty cards bring the \
                 player back into the game. {double}{}",
                self.noticed("before the round is over"),
                cite(&duty.clauses)
            ));
        }
        if let Some(duty) = &self.set.duties.identical {
            let word = spoken(&duty.word);
            let through = match self.some_card(|effect| effect.transparent) {
                true => " Cards that are looked through do not count.",
                false => "",
            };
            page.paragraph(&format!(
                "When a card lies on another of the same suit and value, whoever lays the next card, whenever that is, \
                 says {word} before it or with it.{through} Otherwise it is a mistake (\"no_snap\") {}.{}",
                self.noticed("before the round is over"),
                cite(&duty.clauses)
            ));
        }
    }

    /// Whether any mistake has the price of the section on calls.
    pub(super) fn has_calls(&self) -> bool {
        let (duties, set) = (&self.set.duties, self.set);
        duties.mau.as_ref().is_some_and(|mau| mau.due == MauDue::NextCard)
            || duties.mau_mau.is_some()
            || duties.identical.is_some()
            || set.deal.by == DealtBy::Dealer
            || set.prices.illegal == Illegal::Stands
            || set.turn.absent_limits > 0
            || self.some_card(|effect| effect.take.is_some())
    }

    /// How mistakes are noticed.
    pub(super) fn calls(&self, page: &mut Page) {
        if !self.has_calls() {
            return;
        }
        let cards = count(self.set.calls.cards.into(), "penalty card");
        let who = match self.set.calls.notice {
            Notice::Seats => format!(
                "What is to be said or done and is forgotten costs nothing unless another player notices: any of them \
                 may call it, naming the player and the fault, and then it costs {cards}, however late in the round, \
                 unless a shorter time is given."
            ),
            Notice::Referee => {
                format!("What is to be said or done and is forgotten costs {cards}: the referee notices it by himself.")
            }
        };
        page.paragraph(&format!(
            "{who} One mistake is charged once. {} Nobody can call himself, and everybody may speak and call at any \
             time [G-12, G-19].{}",
            self.wrong_call(),
            self.cited(&["calls"])
        ));
    }

    /// Penalty cards that nobody may look at yet.
    pub(super) fn sealed(&self, page: &mut Page) {
        if !self.set.prices.sealed {
            return;
        }
        let (play, look) = (self.set.prices.misplay.cards, self.set.calls.cards);
        let price = match play == look {
            true => format!("; trying to is a mistake and costs {}", count(play.into(), "penalty card")),
            false => format!(
                "; trying to lay one costs {}, to look at them {}",
                count(play.into(), "penalty card"),
                count(look.into(), "penalty card")
            ),
        };
        page.paragraph(&format!(
            "Penalty cards are sealed: their owner may neither look at them nor lay them{price}. They are opened when \
             the owner's turn is over, for cards taken between turns the next turn; a turn that is missed is a turn, a \
             free card is none. They count as cards of the hand: they can be taken at random, and have points at the \
             end of a round. Cards that are drawn for any other reason are never sealed."
        ));
    }

    /// Slowness where the referee waits for several turn limits.
    pub(super) fn absence(&self) -> String {
        let (calls, limits) = (&self.set.calls, self.set.turn.absent_limits);
        let cards = count(calls.cards.into(), "penalty card");
        let noticed = match calls.slow {
            Notice::Referee => format!("that costs {cards}; the referee notices it by the clock"),
            Notice::Seats => self.noticed("before the round is over"),
        };
        format!(
            "Each time a turn limit passes without what the game waits for is a mistake (\"slow\") {noticed}. After {} \
             in a row the referee acts for the seat, at no further cost",
            count(limits.into(), "turn limit")
        )
    }

    /// The deal by the dealer's own actions.
    pub(super) fn dealing(&self) -> String {
        let cards = count(self.set.calls.cards.into(), "penalty card");
        format!(
            "The dealer deals the cards one by one by the action \"deal\", in the direction of play, beginning with \
             the next player and ending with himself; then, by \"deal_penalties\", what penalty cards are outstanding \
             from before; then \"turn_up\". The referee shuffles. These are mistakes, {cards} each: every card too \
             many or too few in a hand (\"misdeal\"; at the turn-up the referee puts the hands right); beginning in \
             the wrong direction (\"wrong_direction\"); forgetting outstanding penalty cards (\"penalties_not_dealt\", \
             {}; the referee hands them out at the turn-up). Whoever begins to deal and is not the dealer makes a \
             false deal (\"false_deal\"): one mistake, and one more for each card beyond the proper number and for the \
             wrong direction. Another player may call it: before the turn-up the deal is void and the right dealer \
             deals anew, afterwards it stands. Before the deal is over anybody may \"count\" down from ten; if the \
             dealer has not done \"pick_up\" by its end, that is a mistake, and if somebody else picks the cards up, \
             it is his (\"pick_up\"). What is to be paid between rounds is dealt out in the deal.",
            self.noticed("before the round is over")
        )
    }
}
