//! A small network that was trained by imitation and self-play, at tables of two: what the seat may know becomes the numbers of
//! `maumau-environment`, one hidden layer follows, and the legal action with the highest output is taken. It counts in whole numbers,
//! so the same position leads to the same action on every machine, and to the one that `maumau.net` in Python takes. It looks at no
//! rules; where no weights were made for the table, it plays as `greedy` does.

use std::cmp::Reverse;
use std::sync::Arc;

use maumau_engine::Rules;
use maumau_environment::{Discards, Encoding, VERSION as ENCODING_VERSION};
use maumau_protocol::message::{Ask, Start, Tell};
use maumau_protocol::{Action, SeenEvent};
use maumau_sdk::{Agent, first_legal};

use crate::greedy::Greedy;

/// The seats of the tables that the weights were made for.
const SEATS: usize = 2;

/// The version of files of weights.
const WEIGHTS_VERSION: u32 = 1;

/// With what a file of weights begins.
const MAGIC: &[u8] = b"maumau-net";

/// The file of weights for each built-in rule set, by its name: little-endian, `maumau-net`, and as 32-bit numbers the version of
/// the file, the version of the encoding, inputs, hidden units and actions; then as 16-bit numbers a row of the first layer for
/// each input and one for the bias, and a row of the second for each hidden unit.
pub const NET_WEIGHTS: [(&str, &[u8]); 6] = [
    ("basic", include_bytes!("../weights/basic.net")),
    ("crazy-eights", include_bytes!("../weights/crazy-eights.net")),
    ("deluxe", include_bytes!("../weights/deluxe.net")),
    ("skat", include_bytes!("../weights/skat.net")),
    ("snap", include_bytes!("../weights/snap.net")),
    ("spam", include_bytes!("../weights/spam.net")),
];

/// Why a file of weights is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum WeightsError {
    /// It is no such file.
    #[error("expected a file that begins with maumau-net")]
    Magic,
    /// It is of another version.
    #[error("the file has version {0}; expected {WEIGHTS_VERSION}")]
    Version(u32),
    /// It was made for other numbers of positions and actions.
    #[error("made for encoding {0}; expected {ENCODING_VERSION}")]
    Encoding(u32),
    /// It is too short or too long.
    #[error("{found} weights; expected {expected}")]
    Length {
        /// The weights in it.
        found: usize,
        /// Those that its head announces.
        expected: usize,
    },
}

/// Two layers of whole numbers.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    inputs: usize,
    hidden: usize,
    actions: usize,
    /// A row for each input, and one for the bias.
    first: Vec<i16>,
    /// A row for each hidden unit.
    second: Vec<i16>,
}

impl Network {
    /// Reads a file of weights.
    pub(crate) fn read(file: &[u8]) -> Result<Network, WeightsError> {
        let rest = file.strip_prefix(MAGIC).ok_or(WeightsError::Magic)?;
        let (head, rest) = rest.split_at_checked(5 * 4).ok_or(WeightsError::Magic)?;
        let mut head = head.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
        let mut next = || head.next().unwrap_or_default();
        match (next(), next()) {
            (WEIGHTS_VERSION, ENCODING_VERSION) => {}
            (WEIGHTS_VERSION, encoding) => return Err(WeightsError::Encoding(encoding)),
            (version, _) => return Err(WeightsError::Version(version)),
        }
        let [inputs, hidden, actions] = [next(), next(), next()].map(|size| size as usize);
        let at = (inputs.saturating_add(1)).saturating_mul(hidden);
        let expected = at.saturating_add(hidden.saturating_mul(actions));
        if rest.len() != expected.saturating_mul(2) {
            return Err(WeightsError::Length { found: rest.len() / 2, expected });
        }
        let mut first: Vec<i16> = rest.chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]])).collect();
        let second = first.split_off(at);
        Ok(Network { inputs, hidden, actions, first, second })
    }

    /// The output for each action in the position of `observation`.
    ///
    /// # Panics
    /// The observation has another size than the inputs.
    pub(crate) fn outputs(&self, observation: &[u8]) -> Vec<i64> {
        assert_eq!(observation.len(), self.inputs, "one number for each input");
        let (rows, bias) = self.first.split_at(self.inputs * self.hidden);
        let mut hidden: Vec<i64> = bias.iter().copied().map(i64::from).collect();
        // Most inputs are 0.
        for (number, row) in observation.iter().zip(rows.chunks_exact(self.hidden)).filter(|(number, _)| **number > 0) {
            hidden.iter_mut().zip(row).for_each(|(sum, weight)| *sum += i64::from(*number) * i64::from(*weight));
        }
        let mut outputs = vec![0; self.actions];
        for (unit, row) in hidden.iter().zip(self.second.chunks_exact(self.actions)).filter(|(unit, _)| **unit > 0) {
            outputs.iter_mut().zip(row).for_each(|(sum, weight)| *sum += unit * i64::from(*weight));
        }
        outputs
    }
}

/// What it needs where weights were made for the table.
#[derive(Clone, Debug)]
struct Trained {
    network: Network,
    encoding: Arc<Encoding>,
    discards: Discards,
}

impl Trained {
    /// For the table of `start`, if it has two seats, its rule set the name of a built-in one, and its positions and actions the numbers
    /// that the weights were made for.
    fn of(start: &Start) -> Option<Trained> {
        let set = start.rules.as_ref().filter(|_| start.names.len() == SEATS)?;
        let (_, file) = NET_WEIGHTS.iter().find(|(name, _)| *name == set.name)?;
        // It was trained in single rounds, and plays each round of a match as one.
        let encoding = Encoding::new(&Rules::for_table(set, SEATS, Some(1)).ok()?);
        let network = Network::read(file).ok()?;
        let fits = (network.inputs, network.actions) == (encoding.observation.len(), encoding.actions.len());
        fits.then(|| Trained { network, encoding, discards: Discards::default() })
    }

    /// The best of the legal actions that have numbers.
    fn best<'a>(&self, ask: &'a Ask) -> Option<&'a Action> {
        let Encoding { actions, observation, .. } = &*self.encoding;
        let mut numbers = vec![0_u8; observation.len()];
        observation.write(actions, (ask.seat, Some(ask.what)), ask.view.as_ref()?, self.discards.cards(), &mut numbers);
        let outputs = self.network.outputs(&numbers);
        let numbered = ask.legal.iter().filter_map(|action| Some((actions.encode(ask.seat, &action.verb)?, action)));
        // Of several that have one number, the first one listed.
        numbered
            .reduce(|best, next| if rank(&outputs, next.0) > rank(&outputs, best.0) { next } else { best })
            .map(|(_, action)| action)
    }
}

/// By what actions are compared: the output, and the lower number of two with the same.
fn rank(outputs: &[i64], number: usize) -> (i64, Reverse<usize>) {
    (outputs[number], Reverse(number))
}

/// A trained network; where it was not made for the table, `greedy`.
#[derive(Clone, Debug)]
pub struct Net {
    trained: Option<Trained>,
    greedy: Greedy,
}

impl Net {
    /// The player of one game.
    pub fn new(start: &Start) -> Net {
        Net { trained: Trained::of(start), greedy: Greedy::new(start) }
    }

    /// Whether weights were made for its table.
    pub fn is_trained(&self) -> bool {
        self.trained.is_some()
    }

    fn see(&mut self, events: &[SeenEvent]) {
        if let Some(trained) = &mut self.trained {
            events.iter().for_each(|event| trained.discards.see(event));
        }
    }
}

impl Agent for Net {
    fn choose(&mut self, ask: &Ask) -> Action {
        self.see(&ask.events);
        match &self.trained {
            Some(trained) => trained.best(ask).cloned().unwrap_or_else(|| first_legal(ask)),
            None => self.greedy.choose(ask),
        }
    }

    fn tell(&mut self, tell: &Tell) {
        self.see(&tell.events);
    }
}

#[cfg(test)]
mod tests;
