//! A short heuristic without memory: rates each legal action by itself and takes the best one. It sees the ask and what
//! `table` knows of the rule set; it draws no random numbers.

use maumau_protocol::message::{Ask, Start};
use maumau_protocol::{Action, Card, Choice, Verb, View};
use maumau_sdk::{Agent, first_legal};

use crate::table::Table;

/// Values on one scale, about one per card point.
const CALL: i32 = 3_000;
/// A word that is listed by itself is owed, and other seats may call its absence.
const SAY: i32 = 2_500;
const TAKE: i32 = 2_000;
const WIN: i32 = 1_000;
const PLAY: i32 = 100;
/// Waiting, passing and drawing are worse than any play: a card laid between turns is one fewer at no cost.
const WAIT: i32 = -1_000;
const PASS: i32 = -1_000;
const DRAW: i32 = -1_001;
/// Requesting something the seat does not hold costs more cards than a draw.
const UNHELD: i32 = -2_000;
/// A request binds the table until every seat has laid one of few cards. A card that makes one is better kept to serve the
/// request of another seat, and a card drawn, while there are cards to draw.
const BINDING: i32 = -1_005;
const KEEP_UNIVERSAL: i32 = -50;
const STRANDED: i32 = -100;
const ATTACK: i32 = 6;
const ATTACK_WHO_IS_NEARLY_OUT: i32 = 30;
/// The size of the draw pile below which a debt only sends the same few cards round, endlessly if every seat continues it.
const THIN_PILE: u16 = 4;
const IN_VAIN: i32 = -40;
const AGAIN: i32 = 15;
/// A card that changes hands together with the one laid.
const GIVE: i32 = 15;
/// For each remaining card that fits on the one laid.
const GOES_ON: i32 = 3;

/// Sheds expensive and attacking cards, keeps cards that fit anything for later, names its longest suit.
#[derive(Clone, Debug)]
pub struct Greedy {
    table: Table,
}

impl Greedy {
    /// The player of one game.
    pub fn new(start: &Start) -> Greedy {
        Greedy { table: Table::new(start) }
    }

    /// How good `verb` looks; `None` for a verb that this bot does not rate.
    fn worth(&self, verb: &Verb, ask: &Ask, view: &View) -> Option<i32> {
        match *verb {
            Verb::Play { card, choose } => Some(self.worth_of_play(card, choose, ask, view)),
            Verb::Choose(choice) => Some(self.fitting(view.hand.iter().copied(), choice)),
            Verb::Call { .. } => Some(CALL),
            Verb::Say { .. } => Some(SAY),
            Verb::Take { .. } => Some(TAKE),
            Verb::Wait => Some(WAIT),
            Verb::Pass => Some(PASS),
            Verb::Draw => Some(DRAW),
            _ => None,
        }
    }

    fn worth_of_play(&self, card: Card, choose: Option<Choice>, ask: &Ask, view: &View) -> i32 {
        let table = &self.table;
        let left = || without_one(&view.hand, card);
        if own_hand(ask, view) == 1 {
            return WIN;
        }
        if let Some(choice) = choose
            && table.requests.contains(card)
            && !left().any(|held| has(held, choice))
        {
            return UNHELD;
        }
        if choose.is_some() && table.binding.contains(card) && view.draw_pile > 0 {
            return BINDING;
        }
        let goes_on = match (choose, card.suit(), card.rank()) {
            (Some(choice), ..) => self.fitting(left(), choice),
            (None, Some(suit), Some(rank)) => {
                self.fitting(left(), Choice::Suit(suit)) + self.fitting(left(), Choice::Rank(rank))
            }
            _ => 0,
        };
        let mut worth = PLAY + table.points(card) + GOES_ON * goes_on;
        if table.universal.contains(card) && !(table.points(card) > 0 && somebody_is_nearly_out(ask, view)) {
            worth += KEEP_UNIVERSAL - table.points(card);
        }
        // Under a request no card has an effect.
        let strikes = table.attacks.contains(card) && view.pending.request.is_none();
        if strikes && table.debts.contains(card) && view.draw_pile < THIN_PILE {
            worth += IN_VAIN;
        } else if strikes {
            let nearly_out = next_hand(ask, view).is_some_and(|cards| cards <= 2);
            worth += if nearly_out { ATTACK_WHO_IS_NEARLY_OUT } else { ATTACK };
        }
        let is_free = view.visible.or(view.top).is_some_and(|top| table.is_free_on(card, top));
        if (table.again.contains(card) && goes_on > 0) || is_free {
            worth += AGAIN;
        }
        worth += GIVE * (i32::from(table.give.contains(card)) - i32::from(table.take.contains(card)));
        if left().all(|last| table.cannot_win(last)) {
            worth += STRANDED;
        }
        worth
    }

    /// How many of `cards` need `choice` to be laid and have it.
    fn fitting(&self, cards: impl Iterator<Item = Card>, choice: Choice) -> i32 {
        cards.filter(|card| !self.table.universal.contains(*card) && has(*card, choice)).count() as i32
    }
}

impl Agent for Greedy {
    fn choose(&mut self, ask: &Ask) -> Action {
        let best = ask.view.as_ref().and_then(|view| {
            let worths = ask.legal.iter().filter_map(|action| Some((self.worth(&action.verb, ask, view)?, action)));
            worths.reduce(|best, next| if next.0 > best.0 { next } else { best })
        });
        best.map_or_else(|| first_legal(ask), |(_, action)| action.clone())
    }
}

/// The cards of `hand` except one copy of `card`.
fn without_one(hand: &[Card], card: Card) -> impl Iterator<Item = Card> {
    let at = hand.iter().position(|held| *held == card);
    hand.iter().enumerate().filter(move |(place, _)| Some(*place) != at).map(|(_, held)| *held)
}

fn has(card: Card, choice: Choice) -> bool {
    match choice {
        Choice::Suit(suit) => card.suit() == Some(suit),
        Choice::Rank(rank) => card.rank() == Some(rank),
    }
}

/// The number of cards that the seat holds, including those that it may not look at.
fn own_hand(ask: &Ask, view: &View) -> usize {
    view.hands.get(ask.seat.index()).map_or(view.hand.len(), |cards| usize::from(*cards))
}

/// The number of cards of the next seat.
fn next_hand(ask: &Ask, view: &View) -> Option<u16> {
    let seats = view.hands.len();
    (seats > 0).then(|| view.hands[ask.seat.step(view.direction, 1, seats).index()])
}

fn somebody_is_nearly_out(ask: &Ask, view: &View) -> bool {
    view.hands.iter().enumerate().any(|(seat, cards)| seat != ask.seat.index() && *cards <= 1)
}
