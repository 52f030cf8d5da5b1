//! A second account of a game, kept from its events alone: where every card is, and what every round was worth.

use maumau_engine::{Game, Rules};
use maumau_protocol::ruleset::Decides;
use maumau_protocol::{Card, DrawReason, Event, RoundEnd, Seat, SeatSet};

/// The table as the events tell it.
pub(crate) struct Ledger {
    hands: Vec<Vec<Card>>,
    pile: Vec<Card>,
    draw_pile: usize,
    deck: Vec<Card>,
    points: Vec<i32>,
    wins: Vec<u32>,
    round: u32,
    over: Option<(SeatSet, RoundEnd)>,
    /// Events that have been read.
    seen: usize,
}

/// Every card of the game, from the rule set as data.
fn deck(rules: &Rules) -> Vec<Card> {
    let (set, seats) = (rules.set(), rules.seats());
    let cards = set.deck.cards.get(seats).expect("a deck for this table").0;
    let packs = *set.deck.packs.get(seats).expect("packs for this table");
    let pack = cards.iter().filter(|card| !card.is_joker()).chain(vec![Card::JOKER; set.deck.jokers as usize]);
    sorted(pack.collect::<Vec<_>>().repeat(packs as usize))
}

fn sorted(mut cards: Vec<Card>) -> Vec<Card> {
    cards.sort_unstable();
    cards
}

impl Ledger {
    pub(crate) fn new(rules: &Rules) -> Ledger {
        let seats = rules.seats();
        Ledger {
            hands: vec![Vec::new(); seats],
            pile: Vec::new(),
            draw_pile: 0,
            deck: deck(rules),
            points: vec![0; seats],
            wins: vec![0; seats],
            round: 0,
            over: None,
            seen: 0,
        }
    }

    /// Reads what happened since the last time and compares with the game.
    pub(crate) fn follow(&mut self, game: &Game, events: &[Event]) {
        for event in &events[self.seen..] {
            self.read(game, event);
        }
        self.seen = events.len();
        assert_eq!(game.last_event().0 as usize, self.seen, "every event has a number");
        assert_eq!(game.pile(), self.pile, "the discard pile");
        assert_eq!(game.draw_pile_len(), self.draw_pile, "the draw pile");
        let mut all: Vec<Card> = game.draw_pile_cards().chain(self.pile.iter().copied()).collect();
        for (seat, hand) in Seat::all(self.hands.len()).zip(&self.hands) {
            assert_eq!(game.hand(seat).cards().collect::<Vec<_>>(), sorted(hand.clone()), "the hand of seat {seat}");
            all.extend(hand);
        }
        assert_eq!(sorted(all), self.deck, "no card is lost or made");
        assert_eq!((game.points(), game.wins(), game.round()), (&self.points[..], &self.wins[..], self.round));
    }

    fn read(&mut self, game: &Game, event: &Event) {
        match event {
            Event::RoundStarted { round, .. } => {
                assert_eq!(*round, self.round + 1);
                self.round = *round;
                self.over = None;
                self.pile.clear();
                self.draw_pile = self.deck.len();
            }
            Event::Dealt { seat, count, cards } => {
                let cards = cards.as_ref().expect("the referee sees all cards");
                assert_eq!(cards.len(), *count as usize);
                self.hands[seat.index()] = cards.to_vec();
                self.draw_pile -= cards.len();
            }
            Event::TurnedUp { card } => {
                self.pile.push(*card);
                self.draw_pile -= 1;
            }
            Event::Played { seat, card, .. } => {
                assert_eq!(self.over, None, "nothing is laid after the end");
                let hand = &mut self.hands[seat.index()];
                let place = hand.iter().position(|held| held == card).expect("a card of the hand");
                hand.swap_remove(place);
                self.pile.push(*card);
            }
            Event::Drew { seat, card, why: DrawReason::Shortage } => {
                assert_eq!(self.pile.pop(), *card, "the top card");
                self.hands[seat.index()].extend(*card);
            }
            Event::Drew { seat, card, .. } | Event::Penalty { seat, card, .. } => {
                self.hands[seat.index()].push(card.expect("the referee sees all cards"));
                self.draw_pile -= 1;
            }
            Event::Reshuffled { count } => {
                assert_eq!(self.draw_pile, 0, "only when nothing is left");
                let under = self.pile.len() - 1;
                assert_eq!(*count as usize, under);
                self.pile.drain(..under);
                self.draw_pile = under;
            }
            Event::RoundOver { winners, end } => self.over = Some((*winners, *end)),
            Event::Scored { seat, hand, points, total } => {
                assert_eq!(hand.to_vec(), sorted(self.hands[seat.index()].clone()));
                let (winners, end) = self.over.expect("a round is over");
                let worth = self.worth(game.rules(), *seat, winners, end);
                self.points[seat.index()] += worth;
                self.wins[seat.index()] += u32::from(winners.contains(*seat));
                assert_eq!((*points, *total), (worth, self.points[seat.index()]), "seat {seat}");
            }
            Event::MatchOver { winners } => {
                let standing = |seat: Seat| match game.rules().decides() {
                    Decides::RoundsWon => i64::from(self.wins[seat.index()]),
                    Decides::FewestPoints => -i64::from(self.points[seat.index()]),
                    other => panic!("how is a match decided by {other:?}?"),
                };
                let best = Seat::all(self.wins.len()).map(standing).max();
                let first = Seat::all(self.wins.len()).filter(|seat| Some(standing(*seat)) == best);
                assert_eq!(*winners, first.collect::<SeatSet>());
                assert_eq!(self.round, game.rules().rounds());
            }
            _ => {}
        }
    }

    /// What a round costs a seat: the points of its cards, times what the last card says (K-45, K-46, K-37).
    fn worth(&self, rules: &Rules, seat: Seat, winners: SeatSet, end: RoundEnd) -> i32 {
        let set = rules.set();
        let won = winners.iter().all(|winner| self.hands[winner.index()].is_empty());
        assert!(won && (end == RoundEnd::Won) == !winners.is_empty(), "who has won has no card");
        if winners.contains(seat) {
            return 0;
        }
        let value = |card: &Card| {
            let name = card.rank().map_or("XX".to_owned(), |rank| rank.to_string());
            i32::from(set.scoring.points.get(&name).copied().unwrap_or(0))
        };
        let holds =
            |seats: Option<[u8; 2]>| seats.is_none_or(|[low, high]| (low..=high).contains(&(rules.seats() as u8)));
        let last = self.pile.last().copied().filter(|_| end == RoundEnd::Won);
        let effects = set.effects.values().filter(|effect| !effect.off && holds(effect.seats));
        let times = effects.filter(|effect| last.is_some_and(|card| effect.cards.0.contains(card)));
        let times = times.filter_map(|effect| effect.last_multiplies).next().unwrap_or(1);
        self.hands[seat.index()].iter().map(value).sum::<i32>() * i32::from(times)
    }
}
