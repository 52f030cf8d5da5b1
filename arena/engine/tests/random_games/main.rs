//! Random games of every rule set with every option at tables of every size, played sensibly and not: whatever the seats
//! do, the laws of every card game hold. What the rules themselves say is pinned by the scenarios.

mod dice;
mod ledger;
mod tables;

use std::sync::Arc;

use maumau_engine::rules::load_built_in;
use maumau_engine::{Game, Phase, Position, Rules, Verdict};
use maumau_protocol::{
    Action, Card, Choice, Event, EventNumber, Rank, Reason, Say, Seat, Seed, Stand, Suit, Text, Verb,
};

use dice::Dice;
use ledger::Ledger;
use tables::{SETS, random_set, random_table};

/// What is put into a game.
#[derive(Clone, Debug)]
enum Step {
    Round,
    Act(Seat, Action, EventNumber),
    Stand(Seat, Stand),
}

impl Step {
    fn take(&self, game: &mut Game, events: &mut Vec<Event>) -> Option<Verdict> {
        match self {
            Step::Round => game.start_round(events),
            Step::Act(seat, action, as_of) => return Some(game.apply(*seat, action, *as_of, events)),
            Step::Stand(seat, why) => game.stand_in(*seat, *why, events),
        }
        None
    }
}

fn any_seat(game: &Game, dice: &mut Dice) -> Seat {
    Seat::new(dice.below(game.rules().seats())).expect("a seat of the table")
}

fn any_card(dice: &mut Dice) -> Card {
    Card::from_index(dice.below(Card::KINDS) as u8).expect("an index below KINDS")
}

fn any_choice(dice: &mut Dice) -> Choice {
    match dice.often(80) {
        true => Choice::Suit(*dice.pick(&Suit::ALL)),
        false => Choice::Rank(Rank::from_index(dice.below(13) as u8).expect("a rank")),
    }
}

/// Anything at all, by anybody.
fn nonsense(game: &Game, dice: &mut Dice) -> Verb {
    let seat = any_seat(game, dice);
    match dice.below(12) {
        0..=3 => Verb::Play { card: any_card(dice), choose: dice.often(30).then(|| any_choice(dice)) },
        4 => Verb::Draw,
        5 => Verb::Pass,
        6 => Verb::Choose(any_choice(dice)),
        7 => Verb::Say { text: Text::fixed(if dice.often(50) { "Mau!" } else { "hello" }) },
        8 => Verb::Call { against: seat, fault: Text::fixed(if dice.often(70) { "no_mau" } else { "cheating" }) },
        9 => Verb::TurnUp,
        10 => Verb::Take { from: seat },
        _ => dice
            .pick(&[
                Verb::Look,
                Verb::Count,
                Verb::PickUp,
                Verb::Wait,
                Verb::PointOfOrder,
                Verb::Deal { to: vec![seat] },
            ])
            .clone(),
    }
}

/// A card of the hand, whether it fits or not.
fn held(game: &Game, seat: Seat, dice: &mut Dice) -> Verb {
    let cards: Vec<Card> = game.hand(seat).cards().collect();
    Verb::Play { card: *dice.pick(&cards), choose: dice.often(20).then(|| any_choice(dice)) }
}

fn next_step(game: &Game, dice: &mut Dice) -> Step {
    let Some(mover) = game.waits_for() else { return Step::Round };
    let (seat, verb) = match dice.below(100) {
        0..72 => {
            let legal = game.legal(mover);
            (mover, legal.nth(dice.below(legal.len())).expect("an index below the number"))
        }
        72..80 => {
            let seat = any_seat(game, dice);
            let legal = game.legal(seat);
            (
                seat,
                if legal.is_empty() {
                    held(game, seat, dice)
                } else {
                    legal.nth(dice.below(legal.len())).expect("below")
                },
            )
        }
        80..86 => (mover, held(game, mover, dice)),
        86..95 => (any_seat(game, dice), nonsense(game, dice)),
        _ => return Step::Stand(mover, *dice.pick(&[Stand::Slow, Stand::Refusals, Stand::Dismissed])),
    };
    let one_card_left = game.hand(seat).len() <= 2;
    let say = if dice.often(if one_card_left { 60 } else { 3 }) { Say::word("mau") } else { Say::Nothing };
    let last = game.last_event().0;
    let as_of = if dice.often(90) { last } else { last.saturating_sub(dice.below(12) as u32) };
    Step::Act(seat, Action { verb, say }, EventNumber(as_of))
}

/// A refused action has done nothing: what follows it is its price.
fn check_refused(seat: Seat, reason: Reason, events: &[Event]) {
    let own = |event: &Event| match event {
        Event::Played { seat: whose, .. } | Event::Chose { seat: whose, .. } | Event::Passed { seat: whose } => {
            *whose == seat
        }
        Event::TurnedUp { .. } => true,
        _ => false,
    };
    // The referee may act for a seat that was refused too often; that is not the seat's own doing.
    let before_the_referee =
        events.iter().take_while(|event| !matches!(event, Event::RoundOver { .. } | Event::ActedFor { .. }));
    let done: Vec<&Event> = before_the_referee.filter(|event| own(event)).collect();
    assert!(done.is_empty(), "{reason:?}, but {done:?}");
    if matches!(reason, Reason::Interrupted) {
        assert!(matches!(events, [Event::Refused { .. }]), "an interrupted action costs nothing: {events:?}");
    }
}

/// `legal` is exactly what `apply` accepts, in silence or with the word.
fn check_legal(game: &Game, seat: Seat, dice: &mut Dice) {
    let legal = game.legal(seat);
    let listed: Vec<Verb> = legal.iter().collect();
    assert_eq!(listed.len(), legal.len());
    for (index, verb) in listed.iter().enumerate() {
        assert_eq!(legal.nth(index).as_ref(), Some(verb));
    }
    let mut verbs = vec![
        Verb::Draw,
        Verb::Pass,
        Verb::TurnUp,
        Verb::Choose(any_choice(dice)),
        Verb::Choose(Choice::Suit(Suit::Hearts)),
    ];
    let unheld = (0..2).map(|_| any_card(dice)).collect::<Vec<_>>();
    for card in game.hand(seat).kinds().iter().chain(unheld) {
        for choose in [None, Some(Choice::Suit(*dice.pick(&Suit::ALL))), Some(any_choice(dice))] {
            verbs.push(Verb::Play { card, choose });
        }
    }
    for verb in verbs {
        let accepted = [Say::Nothing, Say::word("mau")].into_iter().any(|say| {
            let action = Action { verb: verb.clone(), say };
            game.clone().apply(seat, &action, game.last_event(), &mut Vec::new()) == Verdict::Accepted
        });
        assert_eq!(legal.contains(&verb), accepted, "seat {seat}: {verb:?} of {listed:?}, {:?}", game.pending());
    }
}

/// A view says what is so.
fn check_view(game: &Game, seat: Seat) {
    let view = game.view(seat);
    assert_eq!(view.hand, game.hand(seat).cards().collect::<Vec<_>>());
    assert_eq!((view.top, view.turn, view.direction), (game.pile().last().copied(), game.turn(), game.direction()));
    let hands: Vec<u16> = Seat::all(game.rules().seats()).map(|seat| game.hand(seat).len()).collect();
    assert_eq!((view.hands, view.draw_pile as usize), (hands, game.draw_pile_len()));
    assert_eq!((view.points, view.wins, view.round), (game.points().to_vec(), game.wins().to_vec(), game.round()));
    assert!(view.mau_said.iter().all(|seat| game.hand(seat).len() == 1));
    assert_eq!(view.pending, game.pending());
}

/// Plays one game and checks it at every step; the number of steps.
fn check_game(rules: &Arc<Rules>, seed: u64, dice: &mut Dice) -> usize {
    let mut game = Game::new(Arc::clone(rules), &Seed::from_number(seed));
    let mut ledger = Ledger::new(rules);
    let (mut events, mut steps) = (Vec::new(), Vec::new());
    let most = 500 + 60 * rules.set().turn.cap as usize * rules.rounds() as usize;
    while !game.is_over() {
        assert!(steps.len() < most, "the game does not end");
        if steps.len() % 16 == 5 && game.phase() == Phase::Play {
            let mover = game.turn().expect("somebody is to move");
            for seat in [mover, any_seat(&game, dice)] {
                check_legal(&game, seat, dice);
                check_view(&game, seat);
                assert_eq!(game.may_react(seat), seat != mover && !game.legal(seat).is_empty());
            }
            assert!(!game.legal(mover).is_empty(), "whoever is to move can do something");
        }
        let step = next_step(&game, dice);
        let from = events.len();
        let verdict = step.take(&mut game, &mut events);
        ledger.follow(&game, &events);
        if let (Step::Act(seat, ..), Some(Verdict::Refused(reason))) = (&step, verdict) {
            check_refused(*seat, reason, &events[from..]);
        }
        steps.push(step);
    }
    for seat in Seat::all(rules.seats()) {
        assert!(game.legal(seat).is_empty(), "nothing is legal after the end");
    }
    let mut again = Game::new(Arc::clone(rules), &Seed::from_number(seed));
    let mut same = Vec::new();
    for step in &steps {
        step.take(&mut again, &mut same);
    }
    assert!(same == events, "the same inputs, the same events");
    steps.len()
}

/// Runs `check` with many tables; a failure names the table.
fn at_random_tables(sets: usize, games: usize, mut check: impl FnMut(&Arc<Rules>, u64, &mut Dice)) {
    for name in SETS {
        let options = load_built_in(name, &[]).expect("sound rules").options;
        for number in 0..sets {
            let mut dice = Dice(number as u64);
            let (set, shown) = random_set(name, &options, &mut dice);
            for game in 0..games {
                let Some(rules) = random_table(&set, &mut dice) else { continue };
                let seed = (number * games + game) as u64;
                let told = Told(format!("{shown}, {} seats, seed {seed}", rules.seats()));
                check(&rules, seed, &mut dice);
                drop(told);
            }
        }
    }
}

/// Says what was played when a check panics.
struct Told(String);

impl Drop for Told {
    fn drop(&mut self) {
        if std::thread::panicking() {
            #[allow(clippy::disallowed_macros, reason = "a test reports what failed")]
            {
                eprintln!("in this game: {}", self.0);
            }
        }
    }
}

#[test]
fn whatever_the_seats_do_every_game_is_lawful_and_ends() {
    let (mut games, mut steps) = (0, 0);
    at_random_tables(70, 8, |rules, seed, dice| {
        games += 1;
        steps += check_game(rules, seed, dice);
    });
    assert!(games > 1_000 && steps > 50_000, "{games} games, {steps} steps");
}

/// Two tables that differ only in what `seat` may not know: the other hands and the order of the draw pile.
fn twins(rules: &Arc<Rules>, seat: Seat, seed: u64, dice: &mut Dice) -> [Game; 2] {
    let mut dealt = Game::new(Arc::clone(rules), &Seed::from_number(seed));
    dealt.start_round(&mut Vec::new());
    let seats = rules.seats();
    let own: Vec<Card> = dealt.hand(seat).cards().collect();
    let mut hidden: Vec<Card> = dealt.draw_pile_cards().collect();
    let others = Seat::all(seats).filter(|other| *other != seat);
    hidden.extend(others.flat_map(|other| dealt.hand(other).cards().collect::<Vec<_>>()));
    let sizes: Vec<usize> = Seat::all(seats).map(|other| dealt.hand(other).len() as usize).collect();
    [0, 1].map(|_| {
        dice.shuffle(&mut hidden);
        let mut rest = hidden.iter().copied();
        let hands = Seat::all(seats).map(|other| match other == seat {
            true => own.clone(),
            false => rest.by_ref().take(sizes[other.index()]).collect(),
        });
        let hands = hands.collect();
        let position = Position {
            hands,
            pile: dealt.pile().to_vec(),
            draw: rest.collect(),
            turn: seat.index(),
            round: 1,
            ..Position::default()
        };
        Game::from_position(Arc::clone(rules), &position, &Seed::from_number(seed)).expect("a sound position")
    })
}

#[test]
fn no_byte_that_a_seat_is_shown_depends_on_what_it_may_not_know() {
    let mut compared = 0;
    let shown = |game: &Game, seat: Seat| {
        let legal: Vec<Verb> = game.legal(seat).iter().collect();
        serde_json::to_string(&(game.view(seat), legal, game.pending(), game.turn())).expect("JSON")
    };
    at_random_tables(30, 25, |rules, seed, dice| {
        let seat = Seat::new(dice.below(rules.seats())).expect("a seat of the table");
        let [mut one, mut other] = twins(rules, seat, seed, dice);
        for _ in 0..30 {
            assert_eq!(shown(&one, seat), shown(&other, seat));
            compared += 1;
            let Some(mover) = one.waits_for() else { break };
            let legal = one.legal(mover);
            let verb = match mover == seat {
                // What it draws would differ.
                true => legal.iter().filter(|verb| *verb != Verb::Draw).nth(dice.below(legal.len())),
                // The others do what does not show their cards.
                false if legal.pass => Some(Verb::Pass),
                false if legal.draw => Some(Verb::Draw),
                false => legal.iter().find(|verb| matches!(verb, Verb::Choose(_))),
            };
            let Some(verb) = verb else { break };
            let action = Action { verb, say: if dice.often(30) { Say::word("mau") } else { Say::Nothing } };
            let [seen, seen_other] = [&mut one, &mut other].map(|game| {
                let (mut events, as_of) = (Vec::new(), game.last_event());
                let verdict = game.apply(mover, &action, as_of, &mut events);
                // The hands are shown when a round is over.
                let round = events.iter().take_while(|event| !matches!(event, Event::RoundOver { .. }));
                let seen: Vec<_> = round.map(|event| event.seen_by(seat)).collect();
                (verdict, serde_json::to_string(&seen).expect("JSON"))
            });
            // A card that the seat takes is its to know, and differs.
            if !one.hand(seat).cards().eq(other.hand(seat).cards()) {
                break;
            }
            assert_eq!(seen, seen_other, "{action:?} of seat {mover}");
            if one.phase() != Phase::Play {
                break;
            }
        }
    });
    assert!(compared > 2_000, "{compared} positions");
}
