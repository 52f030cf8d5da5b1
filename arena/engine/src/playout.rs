//! Plays a round to its end by a policy: for searches, which do it many times. It decides who may act and when, as a
//! lockstep referee does; the policy decides what is done.

use maumau_protocol::{Elapse, Say, Seat, Stand, Verb};

use crate::game::{Game, Legal, Phase, Unseen, Verdict};

/// Chooses actions for all seats of a playout.
pub trait Policy {
    /// What `seat` does, one of `legal`, of which there is at least one. A seat that is not to move may also do nothing:
    /// `None`.
    fn choose(&mut self, game: &Game, seat: Seat, legal: &Legal) -> Option<Verb>;
}

impl Game {
    /// Plays on by `policy` until the round is over, for at most `most` actions; true if it is over. All words that are due
    /// are said. Nobody is told of events.
    pub fn play_out(&mut self, policy: &mut impl Policy, most: u32) -> bool {
        for _ in 0..most {
            let Some(mover) = self.waits_for() else { return true };
            self.step_of_playout(policy, mover);
        }
        self.waits_for().is_none()
    }

    fn step_of_playout(&mut self, policy: &mut impl Policy, mover: Seat) {
        if self.phase() == Phase::Play && self.lets_others_act() {
            let seats = self.rules().seats();
            for step in 1..seats {
                let seat = Seat::new((mover.index() + step) % seats).unwrap_or(mover);
                if let Some(text) = self.word_owed(seat) {
                    self.apply_verb(seat, &Verb::Say { text }, &Say::Nothing, self.last_event(), &mut Unseen);
                }
                let legal = self.legal(seat);
                if !legal.is_empty()
                    && let Some(verb) = policy.choose(self, seat, &legal)
                {
                    return self.act_in_playout(seat, &verb);
                }
            }
        }
        let legal = self.legal(mover);
        let verb = if legal.is_empty() { None } else { policy.choose(self, mover, &legal) };
        match verb {
            Some(verb) => self.act_in_playout(mover, &verb),
            None if self.is_closing() => self.elapse(Elapse::Closing, &mut Unseen),
            None if self.point_of_order().is_some() => self.elapse(Elapse::PointOfOrder, &mut Unseen),
            None => self.stand_in(mover, Stand::Absent, &mut Unseen),
        }
    }

    fn act_in_playout(&mut self, seat: Seat, verb: &Verb) {
        let say = if self.may_owe_words(seat) { self.words_due(seat, verb) } else { Say::Nothing };
        let verdict = self.apply_verb(seat, verb, &say, self.last_event(), &mut Unseen);
        if verdict != Verdict::Accepted && self.waits_for() == Some(seat) {
            // A card that an overdue take has just drawn.
            self.stand_in(seat, Stand::Absent, &mut Unseen);
        }
    }
}
