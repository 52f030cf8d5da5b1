//! Owed cards: how debts of one kind add up, what answers them, how they are drawn, and what follows once they are paid
//! (B-15 to B-17, K-29 to K-34, P-47, P-48, P-93, P-94, G-30 to G-34). Keeps what is owed and passes the turn on; the cards
//! themselves are drawn in `draw`.

use std::mem;

use maumau_protocol::ruleset::{AfterOwed, Again, AgainFits, AnswerMatch, Answers, Debtor, Resume};
use maumau_protocol::{Card, CardSet, DrawReason, Event, MAX_SEATS, Reach, RuleFault, Say, Seat};

use crate::game::way::PlayWay;
use crate::game::{Facing, Game, Witness};
use crate::rules::{Debt, DebtMove, Rules};

/// The debt that the seat to move faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) struct Owed {
    /// Index into the rules' debts.
    debt: u8,
    /// The seat whose card made it, or answered it last.
    by: Seat,
    cards: u16,
    begun: Begun,
    /// The cards on the pile that caused it.
    live: u16,
}

/// Whether the seat has begun to draw what it owes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begun {
    No,
    /// The first card has been drawn, which may still be played if it answers (G-34).
    Rescue(Card),
    /// No answer is possible any more.
    Yes,
}

impl Owed {
    /// Debt number `debt`, made by `by`, with `cards` owed for the `live` cards on the pile.
    pub(in crate::game) fn new(debt: u8, by: Seat, cards: u16, live: u16) -> Owed {
        Owed { debt, by, cards, begun: Begun::No, live }
    }

    /// The cards still to be drawn.
    pub(in crate::game) fn cards(self) -> u16 {
        self.cards
    }

    /// What an answer passes on: a card that is played at once was not paid (G-34).
    fn unpaid(self) -> u16 {
        self.cards + u16::from(self.is_rescue())
    }

    /// Whether the first of the owed cards has been drawn by itself.
    pub(in crate::game) fn is_rescue(self) -> bool {
        matches!(self.begun, Begun::Rescue(_))
    }

    /// The seat whose card made it, or answered it last.
    pub(in crate::game) fn by(self) -> Seat {
        self.by
    }

    /// The cards on the pile that caused it.
    pub(in crate::game) fn live(self) -> u16 {
        self.live
    }

    /// Whether some of the cards have been drawn.
    pub(in crate::game) fn is_begun(self) -> bool {
        self.begun != Begun::No
    }

    /// The card that has been drawn first and may be played if it answers (G-34).
    pub(in crate::game) fn rescuing(self) -> Option<Card> {
        match self.begun {
            Begun::Rescue(card) => Some(card),
            Begun::No | Begun::Yes => None,
        }
    }

    /// As it is, but the card that was drawn first is `card`.
    pub(in crate::game) fn with_rescuing(self, card: Card) -> Owed {
        Owed { begun: Begun::Rescue(card), ..self }
    }

    /// What is left of it for the next seat, which may answer it (D-74).
    pub(in crate::game) fn passed_on(self) -> Owed {
        Owed { begun: Begun::No, ..self }
    }

    /// The rule by which they are owed.
    pub(in crate::game) fn rule(self, rules: &Rules) -> &Debt {
        &rules.debts[self.debt as usize]
    }
}

/// Cards that were drawn for the present debt, or the last one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::game) struct DrawnForDebt {
    /// By each seat (P-94).
    by_seat: [u16; MAX_SEATS],
    /// One by one, by all seats, since it was last owed whole (P-48).
    one_by_one: u16,
}

impl Game {
    /// The debt that a card of debt number `debt` adds to when it is played facing `faced`: a debt of the same kind.
    pub(in crate::game) fn debt_answered(&self, faced: Facing, debt: u8) -> Option<Owed> {
        let kind = |debt: u8| &self.rules.debts[debt as usize].kind;
        match faced {
            Facing::Owed(owed) if kind(owed.debt) == kind(debt) => Some(owed),
            _ => None,
        }
    }

    /// The cards that answer `owed`: none after drawing has begun, but for the one that saves (G-34).
    #[inline(always)]
    pub(in crate::game) fn answers_to(&self, owed: Owed) -> CardSet {
        let rule = owed.rule(&self.rules);
        let answers = match &rule.matched {
            None => rule.answers,
            Some(ways) => self.matching_answers(ways),
        };
        match owed.begun {
            Begun::No => answers,
            Begun::Rescue(card) => answers.intersect(CardSet::of(card)),
            Begun::Yes => CardSet::EMPTY,
        }
    }

    /// The cards that answer a debt in one of these `ways`.
    #[cold]
    fn matching_answers(&self, ways: &[Answers]) -> CardSet {
        ways.iter().fold(CardSet::EMPTY, |all, way| {
            let matching = match way.matching {
                AnswerMatch::None => CardSet::ALL,
                AnswerMatch::Fit => self.table.pile.fits(&self.rules),
                AnswerMatch::Suit => self.of_suit_on_top(),
            };
            all.union(way.cards.0.intersect(matching))
        })
    }

    /// The total number of cards owed after a card of debt number `debt` is played, which adds to the debt `answered`.
    pub(in crate::game) fn owed_with(&self, answered: Option<Owed>, debt: u8) -> u16 {
        answered.map_or(0, Owed::unpaid) + self.rules.debts[debt as usize].cards
    }

    /// `by` has played a card of debt number `debt` facing `faced`, and the turn ends: the next player owes, the one before or the one that
    /// it has `chosen`,
    /// and debts of one kind add up while they are answered (B-15, B-17, K-29, K-31, G-33).
    pub(super) fn owe<W: Witness>(
        &mut self,
        witness: &mut W,
        by: Seat,
        faced: Facing,
        debt: u8,
        way: PlayWay,
        chosen: Option<Seat>,
    ) {
        let owed = self.owed_after(by, faced, debt, way);
        let chosen = chosen.filter(|_| self.rules.debts[debt as usize].on == Debtor::Chosen);
        let steps = match owed {
            _ if chosen.is_some() => chosen.map_or(1, |chosen| self.steps_to(chosen)),
            Facing::Owed(owed) => self.steps_to_debtor(owed),
            _ => 1,
        };
        self.pass_turn_facing(witness, steps, owed);
    }

    /// How far the turn moves to the seat that owes `owed`, from the player of its last card (G-33).
    #[inline]
    pub(super) fn steps_to_debtor(&self, owed: Owed) -> usize {
        match owed.rule(&self.rules).on {
            Debtor::Next | Debtor::Chosen => 1,
            Debtor::Previous => self.steps_to(self.before(owed.by)),
        }
    }

    /// What is owed once `by` has played a card of debt number `debt` facing `faced`.
    #[inline(always)]
    pub(super) fn owed_after(&mut self, by: Seat, faced: Facing, debt: u8, way: PlayWay) -> Facing {
        let answered = self.debt_answered(faced, debt);
        let mut cards = self.owed_with(answered, debt);
        if answered.is_none() {
            self.table.drawn_for_debt = DrawnForDebt::default();
        }
        if way == PlayWay::Interjection && self.rules.set.interject.as_ref().is_some_and(|twins| twins.redraw_full) {
            // P-48, option `redraw_full`: cards already drawn are owed again.
            cards += mem::take(&mut self.table.drawn_for_debt.one_by_one);
        }
        let live = answered.map_or(0, Owed::live) + 1;
        Facing::Owed(Owed { debt, by, cards, begun: Begun::No, live })
    }

    /// `by` has answered `owed` with a card that makes no debt of its own (G-30 to G-32), and that asks for a further card
    /// (`again`) or for none.
    pub(super) fn move_debt<W: Witness>(
        &mut self,
        witness: &mut W,
        by: Seat,
        owed: Owed,
        how: DebtMove,
        again: Option<Again>,
    ) {
        let (facing, debtor) = self.moved_debt(witness, by, owed, how);
        let stays = how == DebtMove::Cancel && !self.table.places.is_out(by);
        if let Some(again) = again.filter(|again| stays && again.fits == AgainFits::Anything) {
            self.table.facing = Facing::Again(again);
            return self.note_turn();
        }
        let steps = debtor.map_or(1, |debtor| self.steps_to(debtor));
        self.pass_turn_facing(witness, steps, facing);
    }

    /// What is left of `owed` once `by` has answered it so, and who then owes it if it is not the next player.
    pub(super) fn moved_debt<W: Witness>(
        &mut self,
        witness: &mut W,
        by: Seat,
        owed: Owed,
        how: DebtMove,
    ) -> (Facing, Option<Seat>) {
        let moved = Facing::Owed(Owed { by, cards: owed.unpaid(), live: owed.live + 1, ..owed.passed_on() });
        match how {
            DebtMove::Pass => (moved, Some(self.after(by, 1))),
            DebtMove::Return => {
                self.reverse(witness);
                self.emit(witness, Event::DebtReturned { by });
                (moved, Some(owed.by))
            }
            DebtMove::Cancel => {
                self.emit(witness, Event::DebtCancelled { by });
                (Facing::FRESH, None)
            }
        }
    }

    /// `seat` draws the cards it owes, or one of them if they are drawn one by one.
    pub(super) fn draw_owed<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say, owed: Owed) {
        self.finish_movement(witness, seat, Reach::Draw);
        let (held, asked) = (self.hand(seat).len(), self.next_owed(owed));
        let last = self.draw_cards(witness, seat, asked, DrawReason::Owed);
        self.table.drawn_for_debt.by_seat[seat.index()] += self.hand(seat).len() - held;
        self.note_demand();
        if asked < owed.cards {
            let saves = owed.begun == Begun::No && owed.rule(&self.rules).rescue;
            let begun = last.filter(|_| saves).map_or(Begun::Yes, Begun::Rescue);
            self.table.drawn_for_debt.one_by_one += 1;
            self.table.facing = Facing::Owed(Owed { cards: owed.cards - 1, begun, ..owed });
        } else {
            self.owe_done(seat);
            self.after_owed(witness, owed);
        }
        self.on_speech(witness, seat, say);
    }

    /// The cards that the next draw for `owed` asks for: where they are drawn one by one, or the first may save (G-34), and
    /// none is left, all that then lapse (G-07).
    fn next_owed(&self, owed: Owed) -> u16 {
        let saves = owed.begun == Begun::No && owed.rule(&self.rules).rescue;
        if (self.rules.set.turn.owed_one_by_one || saves) && !self.draw_pile.is_empty() { 1 } else { owed.cards }
    }

    /// Gives the seat to move all the cards that it still owes.
    pub(in crate::game) fn draw_all_owed<W: Witness>(&mut self, witness: &mut W, owed: Owed) {
        self.draw_cards(witness, self.table.seating.turn(), owed.cards, DrawReason::Owed);
    }

    /// Continues after owed cards were drawn (B-16, K-30, K-34, K-54, G-33).
    #[inline]
    pub(in crate::game) fn after_owed<W: Witness>(&mut self, witness: &mut W, owed: Owed) {
        if self.drawer_names(owed) {
            return self.ask_drawer();
        }
        self.go_on_after_owed(witness, owed.rule(&self.rules).then, self.steps_after(owed));
    }

    /// Whether the seat to move, which has drawn `owed`, names the suit of the next card (G-70).
    #[inline]
    fn drawer_names(&self, owed: Owed) -> bool {
        let its_card = |card: Card| self.rules.faces[card.index()].owe == Some(owed.debt);
        owed.rule(&self.rules).drawer_names && !self.table.pile.takes_anything() && self.top().is_some_and(its_card)
    }

    /// What the card on top then lets its debtor do, if a suit is to be named for it by the one who has drawn (G-70).
    pub(super) fn named_by_drawer(&self) -> Option<AfterOwed> {
        let debt = self.rules.faces[self.top()?.index()].owe?;
        let rule = &self.rules.debts[debt as usize];
        rule.drawer_names.then_some(rule.then)
    }

    /// The turn of the seat that has drawn what it owed is over after `steps`, or stays.
    pub(super) fn go_on_after_owed<W: Witness>(&mut self, witness: &mut W, then: AfterOwed, steps: usize) {
        match then {
            AfterOwed::TurnOver => self.end_turn(witness, steps),
            AfterOwed::TurnStays => {
                let drawn = if self.rules.set.turn.owed_counts_as_draw { self.rules.draws } else { 0 };
                self.table.facing = Facing::Ordinary { drawn, last: None };
            }
        }
    }

    /// How far the turn moves once `owed` is paid and the turn of the debtor over (G-33).
    #[inline]
    pub(super) fn steps_after(&self, owed: Owed) -> usize {
        let rule = owed.rule(&self.rules);
        if rule.on == Debtor::Next || rule.resume == Resume::AfterDebtor {
            return 1;
        }
        let next = self.after(owed.by, 1);
        match next == self.table.seating.turn() {
            true => 1,
            false => self.steps_to(next),
        }
    }

    /// The seat that draws the last owed card must say so, with the number of cards that it drew itself (P-93, P-94).
    fn owe_done(&mut self, seat: Seat) {
        let drawn = self.table.drawn_for_debt.by_seat[seat.index()];
        let due = self.rules.set.duties.done.as_ref().is_some_and(|done| !done.off);
        if due && drawn > 0 {
            self.owe_words(seat, RuleFault::NoDone, drawn, self.table.turns);
        }
    }

    /// The number that `seat` must say if it draws now: the cards that it will have drawn itself for its debt, if this draw
    /// is the last for it and there are any.
    pub(in crate::game) fn number_if_done(&self, seat: Seat) -> Option<u16> {
        match self.table.facing {
            Facing::Owed(owed) if self.turn() == Some(seat) && self.next_owed(owed) == owed.cards => {
                let drawn = self.table.drawn_for_debt.by_seat[seat.index()] + owed.cards.min(self.left_to_draw());
                (drawn > 0).then_some(drawn)
            }
            _ => None,
        }
    }
}
