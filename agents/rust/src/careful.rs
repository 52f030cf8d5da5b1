//! Counts cards: rates actions as `greedy` does, and besides by how likely the next seat has an answer, from deals that agree
//! with the cards seen and with what that seat could not play. It looks at its cards and carries out what is due before anything
//! else, and calls every mistake.

use maumau_observer::Lost;
use maumau_protocol::message::{Ask, Start, Tell};
use maumau_protocol::{Action, Card, CardSet, Choice, Seat, SeenEvent, Verb, View};
use maumau_sdk::{Agent, first_legal};

use crate::greedy::Greedy;
use crate::mind::Mind;
use crate::sight::cards_with;

/// What it is worth that the next seat has no answer, on the scale of `greedy`.
const SILENCED: f32 = 6.0;
/// The same when that seat is nearly out.
const SILENCED_WHO_IS_NEARLY_OUT: f32 = 20.0;
/// Deals from which it estimates how likely that is.
const DEALS: usize = 48;

/// Counts cards.
#[derive(Debug)]
pub struct Careful {
    greedy: Greedy,
    /// `None` where the rules are not known.
    mind: Option<Mind>,
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
        Careful { greedy: Greedy::new(start), mind: Mind::of(start) }
    }

    fn see(&mut self, events: &[SeenEvent]) {
        if let Some(mind) = &mut self.mind {
            mind.see(events);
        }
    }

    /// What the next seat may hold, in several deals; none where the position is not known.
    fn next_hands(&mut self, ask: &Ask, view: &View) -> Result<Vec<CardSet>, Lost> {
        let Some(mind) = &mut self.mind else { return Ok(Vec::new()) };
        mind.catch_up(Some(self.greedy.table()))?;
        if !mind.knows(ask.seat, view)? {
            return Ok(Vec::new());
        }
        let mut hands = Vec::with_capacity(DEALS);
        for _ in 0..DEALS {
            mind.sample()?;
            hands.push(mind.world.hand(next_seat(ask, view)).kinds());
        }
        Ok(hands)
    }

    /// What it gains, beside what `greedy` sees, that the next seat, which may hold `hands`, can hardly answer `card`.
    fn silences(&self, hands: &[CardSet], held: u16, card: Card, choose: Option<Choice>) -> i32 {
        if hands.is_empty() {
            return 0;
        }
        let table = self.greedy.table();
        let served = match (choose, card.suit(), card.rank()) {
            (Some(choice), ..) => cards_with(choice),
            (None, Some(suit), Some(rank)) => CardSet::suit(suit).union(CardSet::rank(rank)),
            _ => CardSet::ALL,
        };
        let answers = if table.attacks.contains(card) { card.rank().map_or(served, CardSet::rank) } else { served };
        let answers = answers.union(if table.attacks.contains(card) { CardSet::EMPTY } else { table.universal });
        let silent = hands.iter().filter(|hand| hand.intersect(answers).is_empty()).count();
        let weight = if held <= 2 { SILENCED_WHO_IS_NEARLY_OUT } else { SILENCED };
        (weight * silent as f32 / hands.len() as f32) as i32
    }
}

/// The seat after the one that is asked.
fn next_seat(ask: &Ask, view: &View) -> Seat {
    ask.seat.step(view.direction, 1, view.hands.len().max(1))
}

impl Agent for Careful {
    fn choose(&mut self, ask: &Ask) -> Action {
        self.see(&ask.events);
        if let Some(duty) = duty(ask) {
            return duty.clone();
        }
        let Some(view) = &ask.view else { return first_legal(ask) };
        self.greedy.read_rules(view);
        // Where the position is not known, it plays as greedy does.
        let hands = self.next_hands(ask, view).unwrap_or_default();
        let held = view.hands.get(next_seat(ask, view).index()).copied().unwrap_or_default();
        let best = self.greedy.best_play(ask, view, |verb, worth| match verb {
            Verb::Play { card, choose } | Verb::PlayAs { stands_for: card, choose, .. } if worth > 0 => {
                worth + self.silences(&hands, held, *card, *choose)
            }
            _ => worth,
        });
        best.unwrap_or_else(|| first_legal(ask))
    }

    fn tell(&mut self, tell: &Tell) {
        self.see(&tell.events);
    }
}
