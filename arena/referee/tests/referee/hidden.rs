//! No byte sent to a seat depends on what it may not see (G-08): at two tables that differ in nothing else, the seat is
//! sent the same lines. It plays both tables in memory; what a view should show is tested in the engine.
//!
//! `MAUMAU_FULL=1 cargo test --release -p maumau-referee --test referee hidden -- --nocapture` compares at a hundred thousand
//! positions.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a test reads its length and prints what it did"
)]

use std::sync::Arc;

use maumau_engine::{ChoiceStream, Game, Rules};
use maumau_model_check::{may_show_cards, random_tables, twin};
use maumau_protocol::message::{Act, AskId, GameId, Ready, Want};
use maumau_protocol::{Action, Card, Seat, Verb};
use maumau_referee::local_game::{LocalGame, setup};
use maumau_referee::record::Meta;
use maumau_referee::{Blame, Input};

use crate::table::ready;

/// Maximum offers of one game.
const MOST_OFFERS: usize = 120;

/// Counts of what was compared.
#[derive(Default)]
struct Compared {
    positions: u64,
    answers: u64,
    bytes: u64,
}

fn begun(rules: &Arc<Rules>, seed: u64) -> LocalGame {
    let wants = vec![Want::View, Want::Legal, Want::Events];
    let ready = Ready { wants, ticks: true, ..ready() };
    LocalGame::begin(setup(Arc::clone(rules), seed, vec![Ok(ready); rules.seats()]))
}

/// Gives an input; returns the bytes sent to `seat`.
fn take(game: &mut LocalGame, input: Input, seat: Seat) -> Vec<u8> {
    game.give(input);
    game.lines().filter(|(to, _)| *to == seat).flat_map(|(_, line)| line.to_vec()).collect()
}

/// An answer that `seat` may give: a legal action, or none.
fn answer(game: &Game, seat: Seat, dice: &mut ChoiceStream<'_>) -> Action {
    let legal = game.legal(seat);
    let acts = !legal.is_empty() && (game.waits_for() == Some(seat) || dice.one_in(3));
    let verb = acts.then(|| legal.nth(dice.below(legal.len()))).flatten().unwrap_or(Verb::Wait);
    let say = game.words_due(seat, &verb);
    Action { verb, say }
}

fn act((seat, id): (Seat, AskId), action: &Action) -> Input {
    let act = Act { game: GameId("g1".into()), id, crash: None, action: action.clone() };
    Input::Act { seat, act, meta: Meta::default() }
}

/// For one seat, compares the open offer and the effects of its answers with those of a twin.
fn compare(before: &LocalGame, answers: &[((Seat, AskId), Action)], seat: Seat, number: u64, compared: &mut Compared) {
    let Some(position) = twin(before.referee().game(), seat, number) else { return };
    let other = before.at(position);
    let name = &before.referee().game().rules().set().name;
    // A void deadline: the same ask is sent once more.
    let [here, there] = [before, &other].map(|game| {
        let mut game = game.clone();
        let (id, _) = game.pass_deadline(seat).expect("a seat that is asked");
        take(&mut game, Input::Deadline { seat, id, meta: Meta::default(), blame: Blame::Host }, seat)
    });
    assert!(here.starts_with(b"{\"type\":\"ask\""), "{}", String::from_utf8_lossy(&here));
    assert!(here == there, "{name}: seat {seat} is sent what it may not know:\n{}\n{}", text(&here), text(&there));
    compared.positions += 1;
    compared.bytes += here.len() as u64;

    let game = before.referee().game();
    if answers.iter().any(|((by, _), action)| may_show_cards(game, seat, *by, &action.verb)) {
        return;
    }
    let [(here, one), (there, other)] = [before, &other].map(|game| {
        let mut game = game.clone();
        let sent: Vec<u8> = answers.iter().flat_map(|(ask, action)| take(&mut game, act(*ask, action), seat)).collect();
        (sent, game)
    });
    // Cards that the seat has drawn or been dealt meanwhile are known to it; after the round hands are shown.
    let (one, other) = (one.referee().game(), other.referee().game());
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
    let mut games = 0;
    while compared.positions < wanted {
        let rules = &tables[games % tables.len()];
        let mut dice = ChoiceStream::new(&[games as u64]);
        let mut game = begun(rules, games as u64);
        for _ in 0..MOST_OFFERS {
            let asked: Vec<_> = game.asked().collect();
            if asked.is_empty() {
                break;
            }
            let answers: Vec<_> =
                asked.iter().map(|ask| (*ask, answer(game.referee().game(), ask.0, &mut dice))).collect();
            let (seat, _) = asked[dice.below(asked.len())];
            compare(&game, &answers, seat, dice.any(), &mut compared);
            for (ask, action) in &answers {
                game.give(act(*ask, action));
            }
        }
        games += 1;
    }
    let Compared { positions, answers, bytes } = compared;
    println!("{positions} positions and what came of {answers} answers compared, {bytes} bytes, {games} games");
    assert!(answers > positions / 20, "only {answers} of {positions} went on");
}
