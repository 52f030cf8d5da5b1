//! Neither the engine nor the referee allocates in the middle of a game. Only allocations are counted; that the games
//! are right is tested elsewhere.

use std::sync::Arc;

use allocation_counter::measure;
use maumau_engine::ChoiceStream;
use maumau_engine::rules::load_built_in;
use maumau_engine::{Game, Phase, Rules, Unseen, seed_of_number};
use maumau_protocol::message::{Ready, Want};
use maumau_protocol::ruleset::Look;
use maumau_protocol::{Action, Elapse, Stand, Verb, View};
use maumau_referee::local_game::{LocalGame, setup};
use maumau_referee::record::Meta;

fn rules(name: &str, seats: usize) -> Arc<Rules> {
    let set = load_built_in(name, &[]).expect("a built-in set").set;
    Arc::new(Rules::for_table(&Arc::new(set), seats, Some(1)).expect("a table of that size"))
}

/// Plays a whole game at random, without speech; returns its moves.
fn play(game: &mut Game, view: &mut View, dice: &mut ChoiceStream<'_>) -> u64 {
    let mut moves = 0;
    game.start_round(&mut Unseen);
    while !game.is_over() {
        let Some(seat) = game.waits_for() else { break };
        game.view_into(seat, view);
        let legal = game.legal(seat);
        if legal.is_empty() || game.phase() != Phase::Play {
            game.elapse(Elapse::Closing, &mut Unseen);
            game.act_for(seat, Stand::Slow, &mut Unseen);
            continue;
        }
        let verb = legal.nth(dice.below(legal.len())).expect("a legal action");
        game.apply(seat, &verb.into(), game.last_event(), &mut Unseen);
        moves += 1;
    }
    moves
}

#[test]
fn a_move_of_the_engine_asks_for_no_memory() {
    for name in ["basic", "skat", "deluxe", "snap", "spam"] {
        let rules = rules(name, 4);
        let (mut view, mut dice) = (View::default(), ChoiceStream::new(&[1]));
        let mut game = Game::new(Arc::clone(&rules), &seed_of_number(0));
        for number in 0..160 {
            game.restart(&seed_of_number(number));
            play(&mut game, &mut view, &mut dice);
        }
        let (mut moves, mut asked) = (0, 0);
        for number in 160..180 {
            game.restart(&seed_of_number(number));
            asked += measure(|| moves += play(&mut game, &mut view, &mut dice)).count_total;
        }
        assert!(moves > 2_000, "{name}: only {moves} moves");
        // When hands are looked at, once in a game, they are listed.
        let of_a_game = if rules.set().deal.look == Look::Dealt { 0 } else { 8 };
        assert!(asked <= 20 * of_a_game, "{name}: memory was asked for {asked} times in {moves} moves of 20 games");
    }
}

#[test]
fn a_move_of_the_referee_asks_for_no_memory() {
    let ready = Ready::new("scripted", vec![Want::View, Want::Legal, Want::Events]);
    let mut dice = ChoiceStream::new(&[2]);
    let (mut moves, mut asked) = (0, 0);
    for number in 0..30 {
        let mut game = LocalGame::begin_unwatched(setup(rules("basic", 4), number, vec![Ok(ready.clone()); 4]));
        let mut of_this_game = 0;
        while let Some((seat, id)) = game.next_asked() {
            let referee = game.referee();
            let legal = referee.game().legal(seat);
            let verb = legal.nth(dice.below(legal.len())).unwrap_or(Verb::Draw);
            let action = Action { say: referee.game().words_due(seat, &verb), verb };
            let mut action = Some(action);
            let count = measure(|| game.act(seat, id, action.take().expect("one action"), Meta::default())).count_total;
            of_this_game += 1;
            // After some moves the buffers have the size that they need; the end of a game writes its last lines.
            if of_this_game > 60 && !game.referee().is_finished() {
                moves += 1;
                asked += count;
            }
        }
        assert!(game.referee().is_finished());
    }
    assert!(moves > 2_000, "only {moves} moves");
    // The log of the inputs grows, more and more rarely.
    assert!(asked <= 30 * 6, "memory was asked for {asked} times in {moves} moves");
}
