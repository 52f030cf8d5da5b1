//! What lies on the table at one moment, in one form for the referee's eyes and for a seat's: what pages and terminals draw. It
//! does not know how it came about.

use maumau_protocol::{Card, CardSet, Choice, Direction, Faces, Pack, Pending, Seat, SeatSet, Suit};
use serde::{Serialize, Serializer};

use super::StoryPosition;

/// Cards of a seat, or how many, if these eyes may not see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownHand {
    /// The cards.
    Open(Vec<Card>),
    /// Their number.
    Closed(u16),
}

impl ShownHand {
    /// The cards, in the order in which people look for them.
    fn open(mut cards: Vec<Card>) -> ShownHand {
        cards.sort_by_key(|card| card.order_in_hand());
        ShownHand::Open(cards)
    }

    /// How many cards there are.
    pub fn len(&self) -> usize {
        match self {
            ShownHand::Open(cards) => cards.len(),
            ShownHand::Closed(count) => usize::from(*count),
        }
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Serialize for ShownHand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ShownHand::Open(cards) => serializer.collect_seq(cards),
            ShownHand::Closed(count) => serializer.serialize_u16(*count),
        }
    }
}

/// The table. Lists by seat are in seat order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Scene {
    /// What the cards look like.
    #[serde(skip)]
    pub faces: Faces,
    /// The cards that their owner may look at.
    pub hands: Vec<ShownHand>,
    /// Those that their owner may not look at yet; empty if the rules know none.
    pub sealed: Vec<ShownHand>,
    /// The top of the discard pile.
    pub top: Option<Card>,
    /// The topmost card that counts, if it is another one.
    pub visible: Option<Card>,
    /// Cards in the discard pile, if these eyes count them.
    pub pile: Option<usize>,
    /// Cards in the draw pile.
    pub draw_pile: u16,
    /// The seat to move.
    pub turn: Option<Seat>,
    /// Both seats of a race, of which the first to act moves; empty at other times.
    pub racing: SeatSet,
    /// The direction of play.
    pub direction: Direction,
    /// What the seat to move faces, a few words each.
    pub facing: Vec<String>,
    /// Seats that hold one card and have said so.
    pub mau_said: SeatSet,
    /// The round, from 1; 0 before the first.
    pub round: u32,
    /// The rounds of the match.
    pub rounds: u32,
    /// Who dealt.
    pub dealer: Option<Seat>,
    /// Points so far.
    pub points: Vec<i32>,
    /// Rounds won so far.
    pub wins: Vec<u32>,
    /// Seats that have not looked at their cards.
    pub not_looked: SeatSet,
    /// The seat whose point of order lasts.
    pub point_of_order: Option<Seat>,
}

impl Scene {
    /// All cards of a seat, sealed ones included.
    pub fn cards_of(&self, seat: usize) -> usize {
        self.hands.get(seat).map_or(0, ShownHand::len) + self.sealed.get(seat).map_or(0, ShownHand::len)
    }

    /// Whether it is a seat's turn, or it may be faster than the one whose turn it is.
    pub fn is_to_move(&self, seat: Seat) -> bool {
        self.turn == Some(seat) || self.racing.contains(seat)
    }

    /// What `eyes` see of a position; `names` are those of the agents by seat, `faces` those of the cards.
    pub fn new(position: StoryPosition, eyes: Option<Seat>, names: &[String], faces: Faces) -> Scene {
        match position {
            StoryPosition::Open(table) => Scene {
                faces,
                racing: racing(&table.pending, table.turn, table.direction, table.hands.len(), table.out),
                hands: table.hands.into_iter().map(ShownHand::open).collect(),
                sealed: table.sealed.into_iter().map(ShownHand::open).collect(),
                top: table.top,
                visible: table.visible,
                pile: Some(table.pile),
                draw_pile: table.draw_pile,
                turn: table.turn,
                direction: table.direction,
                facing: facing(&table.pending, &table.turns_lost, table.top, names, faces),
                mau_said: table.mau_said,
                round: table.round,
                rounds: table.rounds,
                dealer: table.dealer,
                points: table.points,
                wins: table.wins,
                not_looked: table.not_looked,
                point_of_order: table.point_of_order,
            },
            StoryPosition::Seen(view) => {
                let own = |seat: usize| eyes.is_some_and(|eyes| eyes.index() == seat);
                let sealed_of = |seat: usize| view.sealed.get(seat).copied().unwrap_or_default();
                let hand = |(seat, count): (usize, &u16)| match own(seat) {
                    true if !view.hand.is_empty() => ShownHand::open(view.hand.clone()),
                    _ => ShownHand::Closed(count.saturating_sub(sealed_of(seat))),
                };
                Scene {
                    faces,
                    racing: racing(&view.pending, view.turn, view.direction, view.hands.len(), view.out),
                    hands: view.hands.iter().enumerate().map(hand).collect(),
                    sealed: view.sealed.iter().map(|count| ShownHand::Closed(*count)).collect(),
                    top: view.top,
                    visible: view.visible,
                    pile: None,
                    draw_pile: view.draw_pile,
                    turn: view.turn,
                    direction: view.direction,
                    facing: facing(&view.pending, &view.turns_lost, view.top, names, faces),
                    mau_said: view.mau_said,
                    round: view.round,
                    rounds: view.rounds,
                    dealer: view.dealer,
                    points: view.points,
                    wins: view.wins,
                    not_looked: view.not_looked,
                    point_of_order: view.point_of_order,
                }
            }
        }
    }
}

/// The neighbours of the seat whose joker they race after (P-33): the one to move, and the one before the joker.
fn racing(pending: &Pending, turn: Option<Seat>, direction: Direction, seats: usize, out: SeatSet) -> SeatSet {
    let Some(race) = pending.joker else { return SeatSet::EMPTY };
    let back = (1..seats).map(|steps| race.by.step(direction.reversed(), steps, seats));
    turn.into_iter().chain(back.filter(|seat| !out.contains(*seat)).take(1)).collect()
}

/// Debts, wishes and open questions in a few words each.
fn facing(pending: &Pending, turns_lost: &[u16], top: Option<Card>, names: &[String], faces: Faces) -> Vec<String> {
    let is_coloured = top.is_some_and(|card| CardSet::of(card).pack() != Pack::French);
    let suit_word = if is_coloured { "colour" } else { "suit" };
    // Whatever is added to the position must be shown here.
    let Pending {
        draw,
        draw_kind: _,
        challenge,
        sevens: _,
        suit_open,
        joker,
        skip,
        suit,
        request,
        run,
        again,
        choose,
        skip_victim,
        take,
        snap,
        owed_turn,
        closing,
        drawn,
        anything,
        choose_rule,
    } = pending;
    let name = |seat: Seat| names.get(seat.index()).map_or("?", String::as_str);
    let suit_name = |suit: Suit| format!("{} {}", faces.sign(suit), faces.suit(suit));
    let choice = |choice: &Choice| match choice {
        Choice::Suit(suit) => suit_name(*suit),
        Choice::Rank(rank) => faces.ranks(*rank),
        Choice::Seat(seat) => name(*seat).to_owned(),
    };
    let mut words = Vec::new();
    if *draw > 0 {
        words.push(format!("{draw} to draw"));
    }
    words.extend(challenge.map(|seat| format!("{} may challenge", name(seat))));
    if *skip > 0 {
        words.push(if *skip == 1 { "a turn to lose".to_owned() } else { format!("{skip} turns to lose") });
    }
    for (seat, lost) in turns_lost.iter().enumerate().filter(|(_, lost)| **lost > 0) {
        let turns = if *lost == 1 { "turn" } else { "turns" };
        words.push(format!("{} misses {lost} more {turns}", names.get(seat).map_or("?", String::as_str)));
    }
    words.extend(suit.map(|suit| format!("{} must be played", suit_name(suit))));
    if let Some(request) = request {
        words.push(format!("{} asks for {}", name(request.by), choice(&request.names)));
    }
    if *suit_open {
        words.push(format!("a {suit_word} must be stated"));
    }
    if let Some(race) = joker {
        words.push(format!("the neighbours of {} race", name(race.by)));
    }
    words.extend(run.map(|run| format!("a run of {} is open", suit_name(run.suit))));
    words.extend(again.map(|seat| format!("{} moves again", name(seat))));
    words.extend(choose.map(|seat| format!("{} must name a {suit_word}", name(seat))));
    words.extend(skip_victim.map(|seat| format!("{} is skipped unless it answers", name(seat))));
    if let Some(take) = take {
        words.push(format!("{} takes a card from {}", name(take.by), name(take.from)));
    }
    if *snap {
        words.push("Snap is due".to_owned());
    }
    words.extend(owed_turn.map(|seat| format!("{} still owes the turn", name(seat))));
    if *closing {
        words.push("the round is about to close".to_owned());
    }
    if *drawn > 0 {
        words.push(format!("{drawn} drawn this turn"));
    }
    if *anything {
        words.push("anything may be played".to_owned());
    }
    words.extend(choose_rule.as_ref().map(|choice| format!("{} adds a rule", name(choice.by))));
    words
}

#[cfg(test)]
mod tests {
    use maumau_protocol::Race;

    use super::*;

    #[test]
    fn both_neighbours_of_a_joker_may_move_and_those_out_of_the_round_are_no_neighbours() {
        let seat = |seat| Seat::new(seat).expect("a seat");
        let seats = |seats: &[usize]| seats.iter().map(|own| seat(*own)).collect::<SeatSet>();
        let race = Pending { joker: Some(Race { by: seat(2) }), ..Pending::default() };
        let next = Some(seat(3));
        assert_eq!(racing(&race, next, Direction::Clockwise, 5, SeatSet::EMPTY), seats(&[1, 3]));
        assert_eq!(racing(&race, Some(seat(1)), Direction::Counterclockwise, 5, SeatSet::EMPTY), seats(&[1, 3]));
        assert_eq!(racing(&race, next, Direction::Clockwise, 5, seats(&[1])), seats(&[0, 3]));
        assert_eq!(racing(&race, Some(seat(0)), Direction::Clockwise, 2, SeatSet::EMPTY), seats(&[0, 1]));
        assert!(racing(&Pending::default(), next, Direction::Clockwise, 5, SeatSet::EMPTY).is_empty());
    }
}
