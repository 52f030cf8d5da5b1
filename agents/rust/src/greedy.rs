//! A short heuristic without memory: look at each legal action by itself and take the one that looks best.

use maumau_protocol::message::{Ask, Start};
use maumau_protocol::{Action, Card, Choice, Verb, View};
use maumau_sdk::{Agent, Words, first_legal};

use crate::table::Table;

/// Worths on one scale, about one to a card point.
const WIN: i32 = 1_000;
const PLAY: i32 = 100;
/// To wait, pass or draw is worse than any play: a card laid between turns is one fewer for nothing.
const WAIT: i32 = -1_000;
const PASS: i32 = -1_000;
const DRAW: i32 = -1_001;
const KEEP_UNIVERSAL: i32 = -50;
const STRANDED: i32 = -100;
const ATTACK: i32 = 6;
const ATTACK_WHO_IS_NEARLY_OUT: i32 = 30;
const AGAIN: i32 = 15;
/// For each card left that would go on the one laid.
const GOES_ON: i32 = 3;

/// Sheds dear and attacking cards, keeps cards that fit anything for later, names its longest suit.
#[derive(Clone, Debug)]
pub struct Greedy {
    words: Words,
    table: Table,
}

impl Greedy {
    /// The player of one game.
    pub fn new(start: &Start) -> Greedy {
        Greedy { words: Words::new(start), table: Table::new(start) }
    }

    /// How good `verb` looks; `None` for one that this bot has no opinion of.
    fn worth(&self, verb: &Verb, ask: &Ask, view: &View) -> Option<i32> {
        match *verb {
            Verb::Play { card, choose } => Some(self.worth_of_play(card, choose, ask, view)),
            Verb::Choose(choice) => Some(self.fitting(&view.hand, None, choice)),
            Verb::Wait => Some(WAIT),
            Verb::Pass => Some(PASS),
            Verb::Draw => Some(DRAW),
            _ => None,
        }
    }

    fn worth_of_play(&self, card: Card, choose: Option<Choice>, ask: &Ask, view: &View) -> i32 {
        let table = &self.table;
        if view.hand.len() == 1 {
            return WIN;
        }
        let goes_on = match (choose, card.suit(), card.rank()) {
            (Some(choice), ..) => self.fitting(&view.hand, Some(card), choice),
            (None, Some(suit), Some(rank)) => {
                self.fitting(&view.hand, Some(card), Choice::Suit(suit))
                    + self.fitting(&view.hand, Some(card), Choice::Rank(rank))
            }
            _ => 0,
        };
        let mut worth = PLAY + table.points(card) + GOES_ON * goes_on;
        if table.universal.contains(card) && !(table.points(card) > 0 && somebody_is_nearly_out(ask, view)) {
            worth += KEEP_UNIVERSAL - table.points(card);
        }
        if table.attacks.contains(card) {
            let nearly_out = next_hand(ask, view).is_some_and(|cards| cards <= 2);
            worth += if nearly_out { ATTACK_WHO_IS_NEARLY_OUT } else { ATTACK };
        }
        if table.again.contains(card) && goes_on > 0 {
            worth += AGAIN;
        }
        let mut left = view.hand.iter().filter(|held| **held != card);
        if view.hand.len() == 2 && left.next().is_some_and(|last| table.never_last.contains(*last)) {
            worth += STRANDED;
        }
        worth
    }

    /// How many cards of the hand, one copy of `without` aside, need `choice` to be laid and have it.
    fn fitting(&self, hand: &[Card], without: Option<Card>, choice: Choice) -> i32 {
        let fits = |card: &&Card| {
            !self.table.universal.contains(**card)
                && match choice {
                    Choice::Suit(suit) => card.suit() == Some(suit),
                    Choice::Rank(rank) => card.rank() == Some(rank),
                }
        };
        let laid = without.as_ref().is_some_and(|card| fits(&card));
        hand.iter().filter(fits).count() as i32 - i32::from(laid)
    }
}

impl Agent for Greedy {
    fn choose(&mut self, ask: &Ask) -> Action {
        let best = ask.view.as_ref().and_then(|view| {
            let worths = ask.legal.iter().filter_map(|verb| Some((self.worth(verb, ask, view)?, verb)));
            worths.reduce(|best, next| if next.0 > best.0 { next } else { best })
        });
        let action = best.map_or_else(|| first_legal(ask), |(_, verb)| verb.clone().into());
        self.words.say_what_must_be_said(ask, action)
    }
}

/// The number of cards of the seat that is next.
fn next_hand(ask: &Ask, view: &View) -> Option<u16> {
    let seats = view.hands.len();
    (seats > 0).then(|| view.hands[ask.seat.step(view.direction, 1, seats).index()])
}

fn somebody_is_nearly_out(ask: &Ask, view: &View) -> bool {
    view.hands.iter().enumerate().any(|(seat, cards)| seat != ask.seat.index() && *cards <= 1)
}
