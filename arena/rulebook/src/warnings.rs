//! The words for few cards: the warning of the last card, the word for an empty hand, the word for two identical cards.
//! Other words that are owed with a card stand in `owed_words`.

use maumau_protocol::RuleFault;
use maumau_protocol::ruleset::{CallableUntil, EndingAt, Mau, MauDue, MauMissing, Notice};

use super::words::{count, fault, spoken};
use super::{Page, Rulebook};

impl Rulebook<'_> {
    pub(super) fn mau(&self, page: &mut Page) {
        let Some(mau) = &self.set.duties.mau else { return };
        page.paragraph().about("duties.mau");
        match mau.if_missing {
            _ if mau.due == MauDue::NextCard => self.mau_before_card(mau, page),
            MauMissing::BarsLastCard => self.mau_bars_last_card(mau, page),
            MauMissing::Charged | MauMissing::Called => self.mau_until_next_turn(mau, page),
        }
        let word = spoken(&mau.word);
        if mau.before_last_of_chain {
            page.say(format!(
                "Before a last card that is played as the further card after {}, {word} must have been said: earlier in the turn, \
                 not with the last card. Otherwise that is a wrong card.",
                self.one_of(self.cards_with(|effect| effect.again.is_some()))
            ))
            .states("D-66")
            .from(".before_last_of_chain");
        }
        page.say(format!(
            "A player who gets further cards while it can still be said need not say {word} any more; for the next single card it must be said again."
        ))
        .states("B-47 D-51 D-84 K-64 N-132")
        .played("basic/B-47-penalty, deluxe/D-84-an-old, deluxe/D-84-cards-taken-before");
        if mau.false_costs > 0 {
            page.say(format!(
                "Said with two or more cards in hand, counted after the card with which it is said, {word} costs {} at once.",
                count(mau.false_costs.into(), "penalty card")
            ))
            .states("G-47")
            .from(".false_costs");
        }
        if mau.word == "mau"
            && self.set.duties.last.is_none()
            && mau.if_missing != MauMissing::BarsLastCard
            && self.set.ending.at == EndingAt::Once
        {
            page.say("With the last card nothing need be said: Maumau is the winner's courtesy.")
                .states("D-33")
                .played("basic/B-34-a-jack, deluxe/D-12, deluxe/D-32");
        }
    }

    /// The word is due before the next turn.
    fn mau_until_next_turn(&self, mau: &Mau, page: &mut Page) {
        let (word, price) = (spoken(&mau.word), count(mau.cards.into(), "card"));
        page.say(format!(
            "A player who has played down to one card at the end of the turn says {word}: with that card, or at any moment until \
             somebody acts in a following turn."
        ))
        .states("B-12 B-14 D-25 D-26 D-67")
        .from(".word .due");
        page.say("A single card that is held only within a turn asks for no word.")
            .states("B-32 D-67")
            .played("deluxe/D-67");
        if mau.if_missing == MauMissing::Charged {
            page.say(format!(
                "If the word is missing then, the referee makes the player draw {price} before that action."
            ))
            .states("B-13 B-14 D-30")
            .from(".if_missing .cards")
            .played("deluxe/D-30-option");
            return;
        }
        if mau.callable_until == CallableUntil::NextAction {
            page.say(format!(
                "As soon as the turn is over and until then, any other player may call a word that has not been said ({}); the \
                 offender then draws {price}.",
                fault(RuleFault::NoMau)
            ))
            .states("G-48")
            .from(".if_missing .cards .callable_until");
            page.say("From that action on it is too late for a call.").states("G-48").from(".callable_until");
            if !self.has_calls() {
                self.wrong_call(page);
            }
            return;
        }
        let until = match mau.callable_until {
            CallableUntil::OwnTurn | CallableUntil::NextAction => "the offender's own next action in turn",
            CallableUntil::NextButOne => {
                "the next move after that, by turns actually taken: a card, a draw, or a turn lost by a wrong card"
            }
        };
        page.say(format!(
            "If the word is missing then, any other player may call it ({}) until {until}; the offender then draws {price}.",
            fault(RuleFault::NoMau)
        ))
        .states("B-14 D-27 D-28 D-29 D-30")
        .from(".if_missing .cards .callable_until")
        .played("basic/B-14-option-mau");
        if mau.callable_until == CallableUntil::NextButOne && self.may_be_two() {
            page.say("With two players that is the offender's own next move.").states("D-31").from(".callable_until");
        }
        page.say("A call before that is refused, and the word said after it comes too late.")
            .states("D-30 B-14")
            .from(".if_missing")
            .played("basic/B-14-option-mau, deluxe/D-30-an-early, deluxe/D-27");
        if !self.has_calls() {
            self.wrong_call(page);
        }
    }

    /// Without the word the last card is barred.
    fn mau_bars_last_card(&self, mau: &Mau, page: &mut Page) {
        let word = spoken(&mau.word);
        if mau.any_time {
            page.say(format!(
                "A player who plays the last card must have said {word} for it, at any time before or with it."
            ))
            .states("K-40 K-42 K-43")
            .from(".any_time")
            .played("skat/K-43-option");
        } else {
            page.say(format!(
                "A player who is down to one card says {word}: with the card before it, or at any time before the own next turn \
                 begins."
            ))
            .states("K-40 K-43")
            .from(".any_time .word");
            page.say("In the turn in which the last card is played it is too late.").states("K-43").from(".any_time");
            if self.some_card(|effect| effect.again.is_some()) {
                page.say(
                    "Only a player who comes down to one card in that same turn may still say it in between, before the last card \
                     is played and not with it.",
                )
                .states("K-41 K-43")
                .from(".any_time");
            }
        }
        page.say("Without it the last card is a wrong card; having missed it costs nothing else.")
            .states("K-42")
            .from(".if_missing");
        page.say("Who missed it has to draw, and say it again when there is one card again.")
            .states("K-43 K-64")
            .from(".if_missing");
    }

    /// The word is due before the next card.
    fn mau_before_card(&self, mau: &Mau, page: &mut Page) {
        let word = spoken(&mau.word);
        page.say(format!(
            "A player who holds exactly one card, however that came about, says {word} before the next card is played, no matter who plays \
             it; a free card counts, a draw does not."
        ))
        .states("N-72 N-73 N-76 N-77")
        .from(".word .due");
        if self.set.prices.sealed {
            page.say("Sealed cards are cards too.").states("N-78").from("prices.sealed");
        }
        let open = match self.set.calls.notice {
            Notice::Seats => ", which can be called only until that player's next turn begins",
            Notice::Referee => "",
        };
        page.say(format!("Said later it is still a mistake ({}){open}.", fault(RuleFault::NoMau)))
            .states("N-74 N-75")
            .from(".due calls.notice")
            .played("snap/N-75, snap/N-70-option");
    }

    /// The word with a last card.
    pub(super) fn last_word(&self, page: &mut Page) {
        let Some(last) = &self.set.duties.last else { return };
        page.paragraph().about("duties.last");
        page.say(format!(
            "With a last card that wins its player says {}. Without the word the card lies and has its effect, but its player \
             draws {} and stays in the round.",
            spoken(&last.word),
            count(last.cards.into(), "penalty card")
        ))
        .states("G-50")
        .from(".word .cards");
    }

    /// The word for an empty hand.
    pub(super) fn mau_mau(&self, page: &mut Page) {
        let Some(duty) = &self.set.duties.mau_mau else { return };
        let word = spoken(&duty.word);
        page.paragraph().about("duties.mau_mau");
        page.say(format!(
            "A player who holds no card says {word}, in the grace time and before anybody plays the next card; otherwise it is a \
             mistake ({}){}.",
            fault(RuleFault::NoMauMau),
            self.until_round_end()
        ))
        .states("N-79 N-80 N-81")
        .from(".word");
        match duty.double {
            true => page.say("Being late for both is two mistakes."),
            false => page.say("Being late for both is one mistake."),
        }
        .states("N-82")
        .from(".double")
        .played("snap/N-82, snap/N-80");
        page.say("Its penalty cards bring the player back into the game.").states("N-83").played("snap/N-94-one");
        if let Some(mau) = &self.set.duties.mau {
            page.say(format!("{word} is not {}: each word is for its own hand.", spoken(&mau.word)))
                .states("N-79")
                .from(".word");
        }
    }

    /// The word for two identical cards.
    pub(super) fn identical(&self, page: &mut Page) {
        let Some(duty) = &self.set.duties.identical else { return };
        let word = spoken(&duty.word);
        page.paragraph().about("duties.identical");
        page.say(format!(
            "When a card lies on another of the same suit and value, the player who plays the next card, however much later, says \
             {word} before it or with it; otherwise it is a mistake ({}){}.",
            fault(RuleFault::NoSnap),
            self.until_round_end()
        ))
        .states("N-84 N-85")
        .from(".word");
        if self.some_card(|effect| effect.transparent) {
            page.say("Cards that are looked through do not count.").states("N-86");
        }
    }
}
