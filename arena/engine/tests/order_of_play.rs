//! However a seat threatened by an eight loses its turn, the order of play afterwards is the same, whichever exchanges
//! are in force (N-32, N-41, N-44, N-45). Tables are set up by hand; what the eight itself does is tested by scenarios.

use std::sync::{Arc, LazyLock};

use maumau_engine::rules::load_built_in;
use maumau_engine::{Game, Position, Rules, Verdict, seed_of_number};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Action, Card, Direction, Elapse, Event, Say, Seat, Verb};

/// All hearts, so that every card fits: a three, a nine, a plain card and an eight.
const CARDS: [&str; 4] = ["3H", "9H", "4H", "8H"];

/// The most cards played before the eight.
const MOST_BEFORE: u32 = 4;

fn card(name: &str) -> Card {
    name.parse().expect("a card")
}

/// Every seat holds enough of every card; an eight can only be answered with an eight.
fn table(seats: usize) -> Game {
    static SNAP: LazyLock<Arc<RuleSet>> =
        LazyLock::new(|| Arc::new(load_built_in("snap", &[]).expect("a built-in set").set));
    let rules = Arc::new(Rules::for_table(&SNAP, seats, None).expect("a table"));
    let hand: Vec<Card> = CARDS.iter().cycle().take(40).map(|name| card(name)).collect();
    let position = Position {
        dealer: seats - 1,
        hands: vec![hand; seats],
        pile: vec![card("7H")],
        draw: ["6C", "6D", "6S", "7C"].iter().cycle().take(200).map(|name| card(name)).collect(),
        direction: Direction::Clockwise,
        ..Position::default()
    };
    Game::from_position(rules, &position, &seed_of_number(1)).expect("a position")
}

fn act(game: &mut Game, seat: Seat, verb: Verb) {
    let action = Action { verb, say: Say::word("snap") };
    let verdict = game.apply(seat, &action, game.last_event(), &mut Vec::<Event>::new());
    assert_eq!(verdict, Verdict::Accepted, "{action:?} of seat {seat}");
}

fn mover(game: &Game) -> Seat {
    game.turn().expect("a seat to move")
}

/// The mover acts, with a card or with a draw.
#[derive(Clone, Copy, Debug)]
enum Move {
    Card,
    Draw,
}

impl Move {
    fn make(self, game: &mut Game) {
        let seat = mover(game);
        act(
            game,
            seat,
            match self {
                Move::Card => Verb::Play { card: card("4H"), choose: None },
                Move::Draw => Verb::Draw,
            },
        );
    }
}

/// How the threatened seat loses its turn.
#[derive(Clone, Copy, Debug)]
enum Loses {
    Passing,
    Silence,
    /// Also after the grace time and the reaction time.
    LongSilence,
    /// Three turn limits pass, and the referee draws for the seat after it.
    TheTurnLimit,
}

/// The seats to move after the eight has been played.
fn order_after(game: &Game, how: Loses, first: Move, turns: usize) -> Vec<Seat> {
    let mut game = game.clone();
    let victim = game.pending().skip_victim.expect("a threatened seat");
    let mut order = vec![mover(&game)];
    let nobody = &mut Vec::<Event>::new();
    match how {
        Loses::Passing => {
            act(&mut game, victim, Verb::Pass);
            assert_eq!(mover(&game), order[0], "after the pass the seat behind moves");
        }
        Loses::Silence => {}
        Loses::LongSilence => [Elapse::Grace, Elapse::Reaction].into_iter().for_each(|what| game.elapse(what, nobody)),
        Loses::TheTurnLimit => (0..3).for_each(|_| game.elapse(Elapse::TurnLimit, nobody)),
    }
    if !matches!(how, Loses::TheTurnLimit) {
        first.make(&mut game);
    }
    while order.len() < turns {
        order.push(mover(&game));
        assert_eq!(game.pending().skip_victim, None, "the threat is over");
        Move::Draw.make(&mut game);
    }
    order
}

/// Compares the ways of losing the turn after the cards in `before` and the eight.
fn check(seats: usize, before: &[usize]) -> bool {
    let mut game = table(seats);
    for index in before {
        let seat = mover(&game);
        act(&mut game, seat, Verb::Play { card: card(CARDS[*index]), choose: None });
    }
    let seat = mover(&game);
    act(&mut game, seat, Verb::Play { card: card("8H"), choose: None });
    let turns = 3 * seats + 2;
    let passed = order_after(&game, Loses::Passing, Move::Draw, turns);
    for how in [Loses::Passing, Loses::Silence, Loses::LongSilence, Loses::TheTurnLimit] {
        for first in [Move::Draw, Move::Card] {
            let names: Vec<&str> = before.iter().map(|index| CARDS[*index]).collect();
            let order = order_after(&game, how, first, turns);
            assert_eq!(order, passed, "{seats} players, {names:?} and the eight: {how:?}, then {first:?}");
        }
    }
    before.contains(&0)
}

#[test]
fn a_lost_turn_leaves_the_same_order_however_it_is_lost() {
    let mut with_exchange = 0;
    for seats in 2..=8 {
        for length in 0..=MOST_BEFORE {
            for number in 0..CARDS.len().pow(length) {
                let before: Vec<usize> =
                    (0..length).map(|place| number / CARDS.len().pow(place) % CARDS.len()).collect();
                with_exchange += u32::from(check(seats, &before));
            }
        }
    }
    assert!(with_exchange > 1000, "only {with_exchange} positions with an exchange");
}

/// Exchanged seats at tables of every size: the nine changes the order, so that one of the two threatens the other's
/// neighbour, and the eight hits the second of them while the first is to move after it.
#[test]
fn the_seat_behind_the_threatened_one_moves_though_they_were_exchanged() {
    for seats in 2..=8 {
        let mut game = table(seats);
        // Two players: 3, 8. More: 3, 9, then plain cards round to the seat before the exchanged two, then 8.
        let mut cards = vec!["3H"];
        if seats > 2 {
            cards.push("9H");
            cards.extend(std::iter::repeat_n("4H", seats - 3));
        }
        cards.push("8H");
        for name in cards {
            let seat = mover(&game);
            act(&mut game, seat, Verb::Play { card: card(name), choose: None });
        }
        let (victim, behind) = (game.pending().skip_victim.expect("a threatened seat"), mover(&game));
        let (one, other) = if seats > 2 { (1, 2) } else { (1, 0) };
        assert_eq!((victim.index(), behind.index()), (one, other), "{seats} players");
        act(&mut game, victim, Verb::Pass);
        assert_eq!(mover(&game), behind, "{seats} players: the threatened one has lost this turn");
        Move::Draw.make(&mut game);
        // The seats are at their own places again, and play continues from there.
        assert_eq!(mover(&game), behind.step(game.direction(), 1, seats), "{seats} players");
    }
}
