//! The state that every game has in every stage and on both clocks: its position, its seats, what they have not been
//! sent yet, and its log. Knows neither offers nor timers. Its neighbours change it; it starts and ends the messages of
//! a game.

use std::sync::Arc;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use maumau_engine::{Game, Phase, commitment};
use maumau_protocol::message::{ArenaMessage, AskId, GameResult, Over, Start};
use maumau_protocol::{Event, Seat, SeatSet, View};

use super::seat_state::SeatState;
use super::{Effects, GameSetup, RefereeEffect};
use crate::lines::{SeenBy, name_json, write_over};
use crate::log::Logged;
use crate::places::result_of;
use crate::record::{AgentStderr, Crash, Entry, Header, Meta, Missed, numbered};

/// Inputs for which a log has room from the start.
const USUAL_LOG: usize = 32;

#[derive(Clone)]
pub(super) struct OpenGame {
    pub(super) setup: GameSetup,
    /// The name of the game as JSON.
    pub(super) name_json: Box<[u8]>,
    pub(super) game: Game,
    pub(super) seats: Vec<SeatState>,
    /// Events that some seat has not been sent yet; the seats' cursors index into it.
    pub(super) events: Vec<Event>,
    pub(super) ids: AskIds,
    pub(super) log: Vec<Logged>,
    /// Deadlines that have passed since the newest entry of the log, written with the next one.
    pub(super) missed: Vec<Missed>,
    /// Failures of agents' own code since then, also written with the next entry.
    pub(super) crashes: Vec<Crash>,
    /// What agents have written to stderr since then, likewise.
    pub(super) stderr: Vec<AgentStderr>,
    /// Filled for each ask that shows it; kept to reuse its memory.
    pub(super) view: View,
}

impl OpenGame {
    pub(super) fn new(setup: GameSetup) -> OpenGame {
        OpenGame {
            game: Game::new(Arc::clone(&setup.rules), &setup.seed),
            seats: setup.players.iter().map(|player| SeatState::new(player, &setup.time)).collect(),
            events: Vec::new(),
            ids: AskIds::new(setup.id_key),
            log: Vec::with_capacity(USUAL_LOG),
            missed: Vec::new(),
            crashes: Vec::new(),
            stderr: Vec::new(),
            view: View::default(),
            name_json: name_json(&setup.id),
            setup,
        }
    }

    pub(super) fn seat(&self, seat: Seat) -> &SeatState {
        &self.seats[seat.index()]
    }

    pub(super) fn seat_mut(&mut self, seat: Seat) -> &mut SeatState {
        &mut self.seats[seat.index()]
    }

    /// True if all seats are dismissed, so that the match ends as it stands.
    pub(super) fn is_deserted(&self) -> bool {
        self.seats.iter().all(|state| state.dismissed)
    }

    pub(super) fn is_paused(&self) -> bool {
        self.game.point_of_order().is_some()
    }

    /// A round that is due begins at once, as in a replay, which knows nothing of offers.
    pub(super) fn settle(&mut self) {
        if self.game.phase() == Phase::BetweenRounds {
            self.game.start_round(&mut self.events);
        }
    }

    pub(super) fn keep(&mut self, entry: Entry, mut meta: Meta) {
        meta.missed = std::mem::take(&mut self.missed);
        meta.crashes = std::mem::take(&mut self.crashes);
        meta.stderr = std::mem::take(&mut self.stderr);
        self.log.push(Logged { entry, meta });
    }

    pub(super) fn header(&self) -> Header {
        let GameSetup { id, rules, seed, time, clock, .. } = &self.setup;
        Header::new(rules, maumau_engine::VERSION, *clock, *time, id.clone(), self.names(), *seed)
    }

    /// What all seats are sent in the same words at the beginning.
    pub(super) fn start_message(&self) -> Start {
        let setup = &self.setup;
        Start {
            game: setup.id.clone(),
            seat: Seat::FIRST,
            names: if setup.hidden_names { numbered(setup.players.len()) } else { self.names() },
            rule_set: setup.rules.set().name.clone(),
            rules: None,
            rounds: setup.rules.rounds(),
            time: setup.time,
            max_strikes: setup.rules.max_strikes(),
            commitment: commitment(&setup.id.0, &setup.seed),
            seed: String::new(),
            public_seed: setup.public_seed,
        }
    }

    fn names(&self) -> Vec<String> {
        self.setup.players.iter().map(|player| player.name.clone()).collect()
    }

    /// Ends the game as things stand: every remaining seat is sent the result.
    pub(super) fn end(&self, effects: &mut Effects) -> GameResult {
        let result = self.result();
        let mut message = ArenaMessage::Over(Over {
            game: self.setup.id.clone(),
            events: Vec::new(),
            result: result.clone(),
            seed: self.setup.reveal_seed.then(|| self.setup.seed.to_string()),
        });
        for (seat, state) in Seat::all(self.seats.len()).zip(&self.seats) {
            if state.dismissed {
                continue;
            }
            let events = if state.wants.events { &self.events[state.cursor..] } else { &[] };
            let seen = SeenBy { seat, events };
            effects.send_lines(seat, |out, each| write_over(out, &self.name_json, &mut message, seen, each));
        }
        effects.list.push(RefereeEffect::Finished);
        result
    }

    fn result(&self) -> GameResult {
        let dismissed = Seat::all(self.seats.len()).filter(|seat| self.seat(*seat).dismissed);
        result_of(&self.game, dismissed.collect::<SeatSet>())
    }
}

/// A sequence of random ids that depends on a key alone.
pub(super) struct AskIds(ChaCha20Rng);

impl AskIds {
    pub(super) fn new(key: [u8; 32]) -> AskIds {
        AskIds(ChaCha20Rng::from_seed(key))
    }

    pub(super) fn next(&mut self) -> AskId {
        AskId(self.0.next_u64())
    }
}

impl Clone for AskIds {
    /// The same ids come from both.
    fn clone(&self) -> AskIds {
        AskIds(ChaCha20Rng::deserialize_state(&self.0.serialize_state()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_goes_on_from_the_same_place() {
        let mut ids = AskIds::new([7; 32]);
        for _ in 0..37 {
            ids.next();
        }
        let mut copy = ids.clone();
        assert!((0..100).all(|_| ids.next() == copy.next()));
    }
}
