//! In the middle of a game neither the engine nor the referee asks for memory.

use std::collections::VecDeque;
use std::sync::Arc;

use allocation_counter::measure;
use maumau_engine::rules::load_built_in;
use maumau_engine::{Game, Phase, Rules, Unseen, seed_of_number};
use maumau_protocol::message::{Act, AskId, ClockMode, GameId, PROTOCOL, Ready, TimeControl, Want};
use maumau_protocol::ruleset::Look;
use maumau_protocol::{Action, Elapse, Seat, Stand, Verb, View};
use maumau_referee::{Effect, Effects, GameSetup, Input, Player, Referee};

fn rules(name: &str, seats: usize) -> Arc<Rules> {
    let set = load_built_in(name, &[]).expect("a built-in set").set;
    Arc::new(Rules::for_table(&Arc::new(set), seats, Some(1)).expect("a table of that size"))
}

/// Numbers that look random: SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound as u64) as usize
    }
}

/// Plays a whole game at random, in silence; its moves.
fn play(game: &mut Game, view: &mut View, dice: &mut Dice) -> u64 {
    let mut moves = 0;
    game.start_round(&mut Unseen);
    while !game.is_over() {
        let Some(seat) = game.waits_for() else { break };
        game.view_into(seat, view);
        let legal = game.legal(seat);
        if legal.is_empty() || game.phase() != Phase::Play {
            game.elapse(Elapse::Closing, &mut Unseen);
            game.stand_in(seat, Stand::Slow, &mut Unseen);
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
        let (mut view, mut dice) = (View::default(), Dice(1));
        let mut game = Game::new(Arc::clone(&rules), &seed_of_number(0));
        for number in 0..40 {
            game.restart(&seed_of_number(number));
            play(&mut game, &mut view, &mut dice);
        }
        let (mut moves, mut asked) = (0, 0);
        for number in 40..60 {
            game.restart(&seed_of_number(number));
            asked += measure(|| moves += play(&mut game, &mut view, &mut dice)).count_total;
        }
        assert!(moves > 2_000, "{name}: only {moves} moves");
        // Where hands are looked at, once in a game, they are listed.
        let of_a_game = if rules.set().deal.look == Look::Dealt { 0 } else { 8 };
        assert!(asked <= 20 * of_a_game, "{name}: memory was asked for {asked} times in {moves} moves of 20 games");
    }
}

#[test]
fn a_move_of_the_referee_asks_for_no_memory() {
    let ready = Ready {
        protocol: PROTOCOL.to_owned(),
        name: "scripted".to_owned(),
        version: String::new(),
        wants: vec![Want::View, Want::Legal, Want::Events],
        ticks: false,
        games: 1,
    };
    let mut dice = Dice(2);
    let mut effects = Effects::default();
    let (mut moves, mut asked) = (0, 0);
    for number in 0..30 {
        let mut referee = Referee::new(GameSetup {
            id: GameId("g".into()),
            rules: rules("basic", 4),
            seed: seed_of_number(number),
            players: vec![Player { name: "scripted".to_owned(), ready: Ok(ready.clone().into()) }; 4],
            time: TimeControl::default(),
            clock: ClockMode::Lockstep,
            reveal_seed: true,
            id_key: [1; 32],
        });
        effects.clear();
        referee.begin(&mut effects);
        let mut asks: VecDeque<(Seat, AskId)> = VecDeque::new();
        let mut of_this_game = 0;
        loop {
            asks.extend(effects.list.iter().filter_map(|effect| match effect {
                Effect::StartDeadline { seat, id, .. } => Some((*seat, *id)),
                _ => None,
            }));
            let Some((seat, id)) = asks.pop_front() else { break };
            let legal = referee.game().legal(seat);
            let verb = legal.nth(dice.below(legal.len())).unwrap_or(Verb::Draw);
            let action = Action { say: referee.game().words_due(seat, &verb), verb };
            let mut input = Some(Input::Act {
                seat,
                act: Act { game: referee.id().clone(), id, crash: None, action },
                meta: Default::default(),
            });
            effects.clear();
            let count = measure(|| referee.handle(input.take().expect("one input"), &mut effects)).count_total;
            of_this_game += 1;
            // The buffers have the size that they need after some moves; the end of a game makes its last lines.
            if of_this_game > 60 && !referee.is_finished() {
                moves += 1;
                asked += count;
            }
        }
        assert!(referee.is_finished());
    }
    assert!(moves > 2_000, "only {moves} moves");
    // The log of the inputs grows, ever more seldom.
    assert!(asked <= 30 * 6, "memory was asked for {asked} times in {moves} moves");
}
