//! What a rating of single actions needs of a position, whether a bot is asked or a playout goes on. It reads a view or a
//! game; it changes and rates nothing.

use maumau_engine::{Game, Hand};
use maumau_protocol::{Card, CardSet, Choice, Direction, Seat, View};

/// Where the number of cards of each seat stands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum HandCounts<'a> {
    View(&'a [u16]),
    Game(&'a Game),
}

/// A position with the eyes of one seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight<'a> {
    pub(crate) hand: &'a Hand,
    /// The seat before.
    pub(crate) before: Seat,
    /// The cards that the seat holds, including those that it may not look at.
    pub(crate) held: u16,
    pub(crate) counts: HandCounts<'a>,
    /// The cards of the next seat.
    pub(crate) next: Option<u16>,
    /// Whether another seat holds one card or none.
    pub(crate) nearly_out: bool,
    pub(crate) draw_pile: usize,
    /// Whether a request stands, under which no card has an effect.
    pub(crate) requested: bool,
    /// The card on which the next one lies.
    pub(crate) top: Option<Card>,
}

impl<'a> Sight<'a> {
    /// What `view` shows `seat`, whose open cards are `hand`.
    pub(crate) fn of_view(view: &'a View, seat: Seat, hand: &'a Hand) -> Sight<'a> {
        let held = view.hands.get(seat.index()).copied().unwrap_or_else(|| hand.len());
        Sight {
            requested: view.pending.request.is_some(),
            top: view.visible.or(view.top),
            counts: HandCounts::View(&view.hands),
            ..Sight::of_counts(
                hand,
                held,
                usize::from(view.draw_pile),
                seat,
                view.direction,
                view.hands.len(),
                |other| view.hands[other.index()],
            )
        }
    }

    /// What `seat` sees of `game`, in which a request may stand.
    pub(crate) fn of_game(game: &'a Game, seat: Seat, requested: bool) -> Sight<'a> {
        let (hand, seats) = (game.hand(seat), game.rules().seats());
        let draw_pile = game.draw_pile_len();
        Sight {
            requested,
            top: game.visible_top(),
            counts: HandCounts::Game(game),
            ..Sight::of_counts(hand, game.held(seat), draw_pile, seat, game.direction(), seats, |other| {
                game.held(other)
            })
        }
    }

    fn of_counts(
        hand: &'a Hand,
        held: u16,
        draw_pile: usize,
        seat: Seat,
        direction: Direction,
        seats: usize,
        cards: impl Fn(Seat) -> u16,
    ) -> Sight<'a> {
        let next = (seats > 0).then(|| cards(seat.step(direction, 1, seats)));
        let before = seat.step(direction.reversed(), 1, seats.max(1));
        let nearly_out = Seat::all(seats).any(|other| other != seat && cards(other) <= 1);
        Sight {
            hand,
            before,
            held,
            counts: HandCounts::View(&[]),
            next,
            nearly_out,
            draw_pile,
            requested: false,
            top: None,
        }
    }

    /// The cards of `other`.
    pub(crate) fn held_by(&self, other: Seat) -> u16 {
        match self.counts {
            HandCounts::View(hands) => hands.get(other.index()).copied().unwrap_or_default(),
            HandCounts::Game(game) => game.held(other),
        }
    }

    /// Whether the seat before had to fear, when it played, that another one would win next.
    pub(crate) fn was_in_a_hurry_before(&self) -> bool {
        let seats = match self.counts {
            HandCounts::View(hands) => hands.len(),
            HandCounts::Game(game) => game.rules().seats(),
        };
        Seat::all(seats).any(|other| other != self.before && self.held_by(other) <= 1)
    }

    /// The number of cards of these kinds, one copy of `played` aside.
    pub(crate) fn count_without(&self, played: Option<Card>, kinds: CardSet) -> i32 {
        let held = self.hand.kinds().intersect(kinds);
        let count = match usize::from(self.hand.len()) == self.hand.kinds().len() {
            true => held.len() as i32,
            false => held.iter().map(|card| i32::from(self.hand.copies(card))).sum(),
        };
        count - i32::from(played.is_some_and(|card| held.contains(card)))
    }
}

/// The cards that have what was named.
pub(crate) fn cards_with(choice: Choice) -> CardSet {
    match choice {
        Choice::Suit(suit) => CardSet::suit(suit),
        Choice::Rank(rank) => CardSet::rank(rank),
        Choice::Seat(_) => CardSet::ALL,
    }
}
