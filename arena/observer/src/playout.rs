//! Plays a round to its end by a policy: for searches, which do it many times. It decides who may act and when, as a
//! lockstep referee does; the policy decides what is done.

use maumau_engine::{Game, Legal, Phase, Unseen, Verdict};
use maumau_protocol::{Elapse, Say, Seat, Stand, Verb};

/// Chooses actions for all seats of a playout.
pub trait Policy {
    /// What `seat` does, one of `legal`, of which there is at least one. A seat that is not to move may also do nothing:
    /// `None`.
    fn choose(&mut self, game: &Game, seat: Seat, legal: &Legal<'_>) -> Option<Verb>;
}

/// Plays `game` on by `policy` until the round is over, for at most `most` actions; true if it is over. All words that are
/// due are said. Nobody sees the events.
pub fn play_out(game: &mut Game, policy: &mut impl Policy, most: u32) -> bool {
    for _ in 0..most {
        let Some(mover) = game.waits_for().filter(|_| game.phase() != Phase::ChooseRule) else { return true };
        step(game, policy, mover);
    }
    game.waits_for().is_none() || game.phase() == Phase::ChooseRule
}

fn step(game: &mut Game, policy: &mut impl Policy, mover: Seat) {
    if game.phase() == Phase::Play && game.lets_others_act() {
        let seats = game.rules().seats();
        for step in 1..seats {
            let seat = Seat::new((mover.index() + step) % seats).unwrap_or(mover);
            if let Some(text) = game.word_owed(seat) {
                game.apply_verb(seat, &Verb::Say { text }, &Say::Nothing, game.last_event(), &mut Unseen);
            }
            let legal = game.legal(seat);
            if !legal.is_empty()
                && let Some(verb) = policy.choose(game, seat, &legal)
            {
                return act(game, seat, &verb);
            }
        }
    }
    let legal = game.legal(mover);
    let verb = if legal.is_empty() { None } else { policy.choose(game, mover, &legal) };
    match verb {
        Some(verb) => act(game, mover, &verb),
        None if game.is_closing() => game.elapse(Elapse::Closing, &mut Unseen),
        None if game.point_of_order().is_some() => game.elapse(Elapse::PointOfOrder, &mut Unseen),
        None => game.act_for(mover, Stand::Absent, &mut Unseen),
    }
}

fn act(game: &mut Game, seat: Seat, verb: &Verb) {
    let say = if game.may_owe_words(seat) { game.words_due(seat, verb) } else { Say::Nothing };
    let verdict = game.apply_verb(seat, verb, &say, game.last_event(), &mut Unseen);
    if verdict != Verdict::Accepted && game.waits_for() == Some(seat) {
        // A card that an overdue take has just drawn.
        game.act_for(seat, Stand::Absent, &mut Unseen);
    }
}
