//! No byte that is sent to a seat depends on what it may not see (G-08): of two tables that differ in nothing else, the seat
//! is sent the same lines.
//!
//! `MAUMAU_FULL=1 cargo test --release -p maumau-referee --test referee hidden -- --nocapture` compares at a hundred thousand
//! positions.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a test reads its length and tells what it did"
)]

use std::sync::Arc;

use maumau_engine::selftest::{may_show_cards, random_tables};
use maumau_engine::{Rules, seed_of_number};
use maumau_protocol::message::{Act, AskId, ClockMode, GameId, Ready, TimeControl, Want};
use maumau_protocol::{Action, Card, Seat, Verb};
use maumau_referee::record::Meta;
use maumau_referee::testing::{Watch, twin};
use maumau_referee::{Blame, Effects, GameSetup, Input, Player, Referee};

use crate::table::ready;

/// Offers of one game, at most.
const MOST_OFFERS: usize = 120;

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % count as u64) as usize
    }
}

/// A referee and what its host knows.
struct Judge {
    referee: Referee,
    watch: Watch,
}

/// What was compared.
#[derive(Default)]
struct Compared {
    positions: u64,
    answers: u64,
    bytes: u64,
}

impl Judge {
    fn new(rules: &Arc<Rules>, seed: u64) -> Judge {
        let wants = vec![Want::View, Want::Legal, Want::Events];
        let player = |seat| Player {
            name: format!("bot {seat}"),
            ready: Ok(Ready { wants: wants.clone(), ticks: true, ..ready() }.into()),
        };
        let referee = Referee::new(GameSetup {
            id: GameId("g".into()),
            rules: Arc::clone(rules),
            seed: seed_of_number(seed),
            players: (0..rules.seats()).map(player).collect(),
            time: TimeControl::default(),
            clock: ClockMode::Lockstep,
            reveal_seed: false,
            id_key: [7; 32],
        });
        let mut judge = Judge { referee, watch: Watch::new(rules.seats(), ClockMode::Lockstep) };
        let mut effects = Effects::default();
        judge.referee.begin(&mut effects);
        judge.watch.follow(&judge.referee, &effects).expect("the promises of effects hold");
        judge
    }

    fn copy(&self, referee: Referee) -> Judge {
        Judge { referee, watch: self.watch.clone() }
    }

    fn asked(&self) -> Vec<(Seat, AskId)> {
        let seats = Seat::all(self.referee.game().rules().seats());
        seats.filter_map(|seat| Some((seat, self.watch.deadline(seat)?.0))).collect()
    }

    /// Takes an input; the bytes that `seat` is sent.
    fn take(&mut self, input: Input, seat: Seat) -> Vec<u8> {
        let mut effects = Effects::default();
        self.referee.handle(input, &mut effects);
        let lines = self.watch.follow(&self.referee, &effects).expect("the promises of effects hold");
        lines.into_iter().filter(|(to, _)| *to == seat).flat_map(|(_, line)| line.to_vec()).collect()
    }

    /// Something that `seat` may answer with: what is legal, or nothing.
    fn answer(&self, seat: Seat, dice: &mut Dice) -> Action {
        let game = self.referee.game();
        let legal = game.legal(seat);
        let acts = !legal.is_empty() && (game.waits_for() == Some(seat) || dice.below(3) == 0);
        let verb = acts.then(|| legal.nth(dice.below(legal.len()))).flatten().unwrap_or(Verb::Wait);
        let say = game.words_due(seat, &verb);
        Action { verb, say }
    }
}

fn act((seat, id): (Seat, AskId), action: &Action) -> Input {
    let act = Act { game: GameId("g".into()), id, crash: None, action: action.clone() };
    Input::Act { seat, act, meta: Meta::default() }
}

/// Compares the offer that is open with that of a twin, for one seat, and what comes of the answers to it.
fn compare(judge: &Judge, answers: &[((Seat, AskId), Action)], seat: Seat, number: u64, compared: &mut Compared) {
    let Some(other) = twin(&judge.referee, seat, number) else { return };
    let name = &judge.referee.game().rules().set().name;
    // A void deadline: the same ask is sent once more.
    let id = judge.watch.deadline(seat).expect("a seat that is asked").0;
    let again = Input::Deadline { seat, id, meta: Meta::default(), blame: Blame::Host };
    let [here, there] = [&judge.referee, &other].map(|referee| {
        let mut judge = judge.copy(referee.clone());
        judge.watch.pass_deadline(seat);
        judge.take(again.clone(), seat)
    });
    assert!(here.starts_with(b"{\"type\":\"ask\""), "{}", String::from_utf8_lossy(&here));
    assert!(here == there, "{name}: seat {seat} is sent what it may not know:\n{}\n{}", text(&here), text(&there));
    compared.positions += 1;
    compared.bytes += here.len() as u64;

    let game = judge.referee.game();
    if answers.iter().any(|((by, _), action)| may_show_cards(game, seat, *by, &action.verb)) {
        return;
    }
    let [(here, one), (there, other)] = [&judge.referee, &other].map(|referee| {
        let mut judge = judge.copy(referee.clone());
        let sent: Vec<u8> = answers.iter().flat_map(|(ask, action)| judge.take(act(*ask, action), seat)).collect();
        (sent, judge.referee)
    });
    // What the seat has drawn or been dealt meanwhile it may know; after the round hands are shown.
    let (one, other) = (one.game(), other.game());
    let is_new = |card: Card| one.hand(seat).copies(card) > game.hand(seat).copies(card);
    let learned =
        one.hand(seat).cards().any(is_new) || one.hand(seat) != other.hand(seat) || one.pile() != other.pile();
    if learned || one.round() != game.round() || one.turn().is_none() {
        return;
    }
    assert!(
        here == there,
        "{name}: seat {seat} is sent what it may not know after {answers:?}:\n{}\n{}",
        text(&here),
        text(&there)
    );
    compared.answers += 1;
    compared.bytes += here.len() as u64;
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn no_byte_depends_on_what_its_seat_may_not_see() {
    let full = std::env::var_os("MAUMAU_FULL").is_some();
    let (variants, wanted) = if full { (40, 100_000) } else { (2, 1_500) };
    let tables = random_tables(variants).expect("the built-in sets are sound");
    let mut compared = Compared::default();
    let mut game = 0;
    while compared.positions < wanted {
        let rules = &tables[game % tables.len()];
        let mut dice = Dice(game as u64);
        let mut judge = Judge::new(rules, game as u64);
        for _ in 0..MOST_OFFERS {
            let asked = judge.asked();
            if asked.is_empty() {
                break;
            }
            let answers: Vec<_> = asked.iter().map(|ask| (*ask, judge.answer(ask.0, &mut dice))).collect();
            let (seat, _) = asked[dice.below(asked.len())];
            compare(&judge, &answers, seat, dice.0, &mut compared);
            for (ask, action) in &answers {
                judge.take(act(*ask, action), ask.0);
            }
        }
        game += 1;
    }
    let Compared { positions, answers, bytes } = compared;
    println!("{positions} positions and what came of {answers} answers compared, {bytes} bytes, {game} games");
    assert!(answers > positions / 20, "only {answers} of {positions} went on");
}
