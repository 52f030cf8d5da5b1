//! Counts cards: rates actions as `greedy` does, and besides by how likely the next seat has an answer, from the cards that
//! have not been seen. It looks at its cards and carries out what is due before anything else, and calls every mistake.

use std::sync::Arc;

use maumau_engine::{Game, Rules};
use maumau_observer::Observer;
use maumau_protocol::message::{Ask, Start, Tell};
use maumau_protocol::{Action, Card, CardSet, Choice, Seat, SeenEvent, Verb, View};
use maumau_sdk::{Agent, first_legal};

use crate::greedy::Greedy;
use crate::sight::cards_with;

/// What it is worth that the next seat has no answer, on the scale of `greedy`.
const SILENCED: f32 = 12.0;
/// The same when that seat is nearly out.
const SILENCED_WHO_IS_NEARLY_OUT: f32 = 40.0;

/// Counts cards.
#[derive(Clone, Debug)]
pub struct Careful {
    greedy: Greedy,
    /// `None` where the rules are not known.
    observer: Option<Observer>,
}

/// An observer of the game of `start`, where its rules are known.
pub(crate) fn observer(start: &Start) -> Option<Observer> {
    let rules = Rules::for_table(start.rules.as_ref()?, start.names.len(), Some(start.rounds)).ok()?;
    Some(Observer::new(Arc::new(rules), start.seat))
}

/// What is done before anything else is thought about: calls, words and takes that are due, a look at the cards.
pub(crate) fn duty(ask: &Ask) -> Option<&Action> {
    let find = |wanted: fn(&Verb) -> bool| ask.legal.iter().find(|action| wanted(&action.verb));
    find(|verb| matches!(verb, Verb::Call { .. }))
        .or_else(|| find(|verb| matches!(verb, Verb::Take { .. } | Verb::Look)))
        .or_else(|| find(|verb| matches!(verb, Verb::Say { .. })))
}

impl Careful {
    /// The player of one game.
    pub fn new(start: &Start) -> Careful {
        Careful { greedy: Greedy::new(start), observer: observer(start) }
    }

    fn see(&mut self, events: &[SeenEvent]) {
        if let Some(observer) = &mut self.observer {
            events.iter().for_each(|event| observer.see(event));
        }
    }

    /// What it gains, beside what `greedy` sees, that the next seat can hardly answer `card`.
    fn silences(
        &self,
        game: &Game,
        unseen: &[u8; Card::KINDS],
        card: Card,
        choose: Option<Choice>,
        view: &View,
    ) -> i32 {
        let table = self.greedy.table();
        let served = match (choose, card.suit(), card.rank()) {
            (Some(choice), ..) => cards_with(choice),
            (None, Some(suit), Some(rank)) => CardSet::suit(suit).union(CardSet::rank(rank)),
            _ => CardSet::ALL,
        };
        let answers = if table.attacks.contains(card) { card.rank().map_or(served, CardSet::rank) } else { served };
        let answers = answers.union(if table.attacks.contains(card) { CardSet::EMPTY } else { table.universal });
        let count = |kinds: CardSet| kinds.iter().map(|kind| u32::from(unseen[kind.index()])).sum::<u32>();
        let (all, fitting) = (count(CardSet::ALL), count(answers));
        let seats = view.hands.len();
        if all == 0 || seats == 0 {
            return 0;
        }
        let next = view.hands[next_seat(game, view)];
        let each = 1.0 - fitting as f32 / all as f32;
        let silent = (0..next).fold(1.0, |chance: f32, _| chance * each);
        let weight = if next <= 2 { SILENCED_WHO_IS_NEARLY_OUT } else { SILENCED };
        (weight * silent) as i32
    }
}

/// The place of the seat after the one to move.
fn next_seat(game: &Game, view: &View) -> usize {
    let seats = view.hands.len();
    game.turn().map_or(0, |seat| seat.step(view.direction, 1, seats).index())
}

/// The cards of each kind that lie neither in the hand nor on the discard pile.
fn unseen(game: &Game, view: &View) -> [u8; Card::KINDS] {
    let mut left = [0_u8; Card::KINDS];
    let seats = Seat::all(game.rules().seats());
    let hands = seats.flat_map(|seat| [game.hand(seat), game.sealed_hand(seat)]).flat_map(|hand| hand.cards());
    hands.chain(game.draw_pile_cards()).for_each(|card| left[card.index()] += 1);
    view.hand.iter().for_each(|card| left[card.index()] = left[card.index()].saturating_sub(1));
    left
}

impl Agent for Careful {
    fn choose(&mut self, ask: &Ask) -> Action {
        self.see(&ask.events);
        if let Some(duty) = duty(ask) {
            return duty.clone();
        }
        let Some(view) = &ask.view else { return first_legal(ask) };
        let mut observer = self.observer.take();
        let game = observer.as_mut().and_then(|observer| match observer.look(view) {
            Ok(()) => observer.position().ok(),
            Err(_) => None,
        });
        let best = match game {
            Some(game) => {
                let unseen = unseen(game, view);
                self.greedy.best(ask, view, |verb, worth| match verb {
                    Verb::Play { card, choose } if worth > 0 => {
                        worth + self.silences(game, &unseen, *card, *choose, view)
                    }
                    _ => worth,
                })
            }
            None => self.greedy.best(ask, view, |_, worth| worth),
        };
        let best = best.cloned().unwrap_or_else(|| first_legal(ask));
        self.observer = observer;
        best
    }

    fn tell(&mut self, tell: &Tell) {
        self.see(&tell.events);
    }
}
