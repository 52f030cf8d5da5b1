//! Moves the cards as seen events say. Which input led to the events is found before.

use maumau_protocol::ruleset::{DealOrder, DealtBy};
use maumau_protocol::{DrawReason, Event, EventNumber, Hidden, SeenEvent};

use super::Observer;

impl Observer {
    /// Moves the cards as `events` say, which one input led to; false if they cannot have moved so. With `lies_anew` one of
    /// them played a card that may be taken back.
    pub(super) fn follow(&mut self, events: &[SeenEvent], lies_anew: bool) -> bool {
        let mut totals = Vec::new();
        for event in events {
            if lies_anew && matches!(event, Event::Played { .. }) {
                self.before = Some(Box::new(self.places.clone()));
            }
            if !self.move_cards(event) {
                return false;
            }
            if matches!(event, Event::Played { .. } | Event::Chose { .. } | Event::Named { .. }) {
                self.learn_of_naming();
            }
            if let Event::Scored { seat, total, .. } = event {
                totals.push((*seat, *total));
            }
        }
        if !totals.is_empty() {
            let over = events.iter().any(|event| matches!(event, Event::MatchOver { .. }));
            self.game.retrace().know_totals(&totals, over);
        }
        if self.game.may_be_taken_back_to().is_none() {
            self.before = None;
        }
        self.game.retrace().know_number(EventNumber(self.number + events.len() as u32));
        self.place_all(None, 0);
        true
    }

    fn move_cards(&mut self, event: &SeenEvent) -> bool {
        let (places, dice) = (&mut self.places, &mut self.dice);
        let seals = self.game.rules().set().prices.sealed;
        match event {
            Event::RoundStarted { .. } => {
                places.begin(self.game.rules().deck());
                true
            }
            Event::Dealt { seat, count, cards, .. } => {
                let deal = &self.game.rules().set().deal;
                let revealed = deal.by == DealtBy::Dealer && deal.order != DealOrder::Free;
                match (revealed, cards.get()) {
                    (true, Some(cards)) => places.reveal(*seat, cards, false, dice),
                    (true, None) => places.open(*seat) == usize::from(*count),
                    (false, Some(cards)) => cards.iter().all(|card| places.draw(*seat, Some(*card), false, dice)),
                    (false, None) => (0..*count).all(|_| places.draw(*seat, None, false, dice)),
                }
            }
            Event::DealtCard { to, .. } => places.draw(*to, None, false, dice),
            Event::TurnedUp { card } => places.turn_up(*card, dice),
            Event::Played { seat, card, .. } => places.play(*seat, *card, dice),
            Event::Drew { seat, why: DrawReason::Shortage, .. } => {
                let taken = places.take_top(*seat);
                // In a turn it is the card drawn.
                if self.game.turn() == Some(*seat) {
                    places.note_drawn(*seat);
                }
                taken
            }
            Event::Drew { seat, card, why, .. } => {
                let drawn = places.draw(*seat, card.get().copied(), false, dice);
                if matches!(*why, DrawReason::Turn | DrawReason::Owed) {
                    places.note_drawn(*seat);
                }
                drawn
            }
            Event::Penalty { seat, card, .. } => places.draw(*seat, card.get().copied(), seals, dice),
            Event::Taken { by, from, card, sealed, .. } => places.take(*by, *from, card.get().copied(), *sealed, dice),
            Event::Unsealed { seat, cards, .. } => {
                let known = cards.get().is_none_or(|cards| places.reveal(*seat, cards, true, dice));
                places.unseal(*seat);
                known
            }
            Event::HandShown { seat, cards } => {
                cards.get().is_none_or(|cards| places.reveal(*seat, cards, false, dice))
            }
            Event::Shown { seat, cards, .. } => cards.get().is_none_or(|cards| places.reveal_older(*seat, cards, dice)),
            Event::HandsRotated { direction } => {
                places.move_hands(&self.game.in_order(*direction));
                true
            }
            Event::HandsSwapped { seats } => {
                places.move_hands(&seats.iter().collect::<Vec<_>>());
                true
            }
            Event::Returned { seat, card, .. } => places.put_under(*seat, card.get().copied(), dice),
            Event::Reshuffled { count } => {
                places.turn_over(usize::from(*count));
                true
            }
            Event::DealVoid => {
                places.void_deal();
                true
            }
            Event::TakenBack { .. } => match self.before.take() {
                Some(before) => {
                    self.places = *before;
                    true
                }
                None => false,
            },
            _ => true,
        }
    }
}
