//! Sequential tests of a match: is the challenger better? The question may be asked after every deal. It keeps only the
//! two capitals and their sums; who plays how many deals is decided by its caller.
//!
//! The unit `x` is the share of a deal's comparisons between two sides that one of them won ([`match_unit`]). Two capitals are
//! bet against the two hypotheses (Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting, J. Royal
//! Statistical Society B 86, 2024); each exceeds 1/α with probability at most α when its hypothesis holds, for any distribution
//! of `x`, and whenever it is looked at. The test uses only the arithmetic + - × ÷.

pub use crate::format::MatchTest;

/// The decision of a match test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchVerdict {
    /// The challenger is better.
    Better,
    /// The challenger is not better.
    NotBetter,
}

impl MatchVerdict {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            MatchVerdict::Better => "better",
            MatchVerdict::NotBetter => "not better",
        }
    }
}

/// A running mean and variance that start with one invented deal of mean 1/2 and variance 1/4.
#[derive(Clone, Copy, Debug)]
struct Running {
    deals: f64,
    total: f64,
    squares: f64,
}

impl Running {
    const START: Running = Running { deals: 1.0, total: 0.5, squares: 0.25 };

    fn variance(self) -> f64 {
        self.squares / self.deals
    }

    fn take(&mut self, x: f64) {
        self.total += x;
        self.deals += 1.0;
        let distance = x - self.total / self.deals;
        self.squares += distance * distance;
    }
}

/// A match test in progress.
#[derive(Clone, Debug)]
pub struct MatchProgress {
    test: MatchTest,
    running: Running,
    /// Capital bet on "better" and on "not better".
    pub capital: [f64; 2],
    /// The first decision, and the number of deals before it.
    pub decision: Option<(MatchVerdict, u64)>,
    deals: u64,
}

impl MatchProgress {
    /// Before the first deal.
    pub fn new(test: MatchTest) -> MatchProgress {
        MatchProgress { test, running: Running::START, capital: [1.0; 2], decision: None, deals: 0 }
    }

    /// Takes the next deal, `x` from 0 to 1.
    pub fn take(&mut self, x: f64) {
        let MatchTest { mu0, mu1, alpha, beta } = self.test;
        let aim = mu1 - mu0;
        let bet = aim / (self.running.variance() + aim * aim);
        // At most three quarters of the capital.
        let (up, down) = (bet.min(0.75 / mu0), bet.min(0.75 / (1.0 - mu1)));
        self.capital[0] *= 1.0 + up * (x - mu0);
        self.capital[1] *= 1.0 - down * (x - mu1);
        self.running.take(x);
        self.deals += 1;
        if self.decision.is_none() {
            let verdict = if self.capital[0] >= 1.0 / alpha {
                Some(MatchVerdict::Better)
            } else if self.capital[1] >= 1.0 / beta {
                Some(MatchVerdict::NotBetter)
            } else {
                None
            };
            self.decision = verdict.map(|verdict| (verdict, self.deals));
        }
    }
}

/// Steps of the grid of a confidence sequence.
const GRID: usize = 1_000;

/// An interval of the mean that holds at all looks simultaneously, with probability 1 - `alpha`.
#[derive(Clone, Debug)]
pub struct ConfidenceSequence {
    alpha: f64,
    running: Running,
    /// For each mean on the grid that is still possible: logarithms of the capitals bet on more and on less.
    grid: Vec<Option<[f64; 2]>>,
}

impl ConfidenceSequence {
    /// Before the first deal.
    pub fn new(alpha: f64) -> ConfidenceSequence {
        ConfidenceSequence { alpha, running: Running::START, grid: vec![Some([0.0; 2]); GRID + 1] }
    }

    /// Takes the next deal, `x` from 0 to 1.
    pub fn take(&mut self, x: f64) {
        let deal = self.running.deals;
        let rate = 2.0 * libm::log(2.0 / self.alpha) / (self.running.variance() * deal * libm::log(deal + 1.0));
        let bet = rate.sqrt();
        let most = libm::log(2.0 / self.alpha);
        for (place, kept) in self.grid.iter_mut().enumerate() {
            let Some([more, less]) = kept else { continue };
            let mean = place as f64 / GRID as f64;
            *more += libm::log(1.0 + bet.min(0.5 / mean) * (x - mean));
            *less += libm::log(1.0 - bet.min(0.5 / (1.0 - mean)) * (x - mean));
            if more.max(*less) >= most {
                *kept = None;
            }
        }
        self.running.take(x);
    }

    /// The interval: the grid points just outside the means that are still possible, from 0 to 1.
    pub fn interval(&self) -> (f64, f64) {
        let first = self.grid.iter().position(Option::is_some).unwrap_or(0);
        let last = self.grid.iter().rposition(Option::is_some).unwrap_or(GRID);
        (first.saturating_sub(1) as f64 / GRID as f64, (last + 1).min(GRID) as f64 / GRID as f64)
    }
}

/// How many standard errors a difference of ratings must exceed if it may be looked at repeatedly: the boundary of a confidence
/// sequence at level `alpha` after `deals` deals, narrowest around `best` deals.
pub fn peeking_factor(deals: u64, alpha: f64, best: u64) -> f64 {
    let log_alpha = libm::log(alpha);
    let rho_squared = (-2.0 * log_alpha + libm::log(1.0 - 2.0 * log_alpha)) / best as f64;
    let scaled = deals as f64 * rho_squared + 1.0;
    (2.0 * scaled / (scaled - 1.0) * libm::log(scaled.sqrt() / alpha)).sqrt()
}

/// A side of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The one whose share is the unit.
    A,
    /// The other one.
    B,
}

impl Side {
    /// Both, in the order of a match's agents.
    pub const ALL: [Side; 2] = [Side::A, Side::B];
}

/// The unit of a match: the share of all comparisons between an agent of side A and one of side B, in the games of a deal, in
/// which A's agent was ahead, ties counting half. Each game is given as its seats' sides, `None` for a third party, and places;
/// `None` without comparisons.
pub fn match_unit<'a>(games: impl IntoIterator<Item = (&'a [Option<Side>], &'a [u8])>) -> Option<f64> {
    let (mut won, mut compared) = (0_u64, 0_u64);
    for (sides, places) in games {
        let of = |wanted: Side| sides.iter().zip(places).filter(move |(side, _)| **side == Some(wanted));
        for (_, place) in of(Side::A) {
            for (_, against) in of(Side::B) {
                won += u64::from(crate::score::duel(*place, *against));
                compared += 2;
            }
        }
    }
    (compared > 0).then(|| won as f64 / compared as f64)
}
