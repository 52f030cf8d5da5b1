//! What lists of games are filtered and sorted by, of all games of a run, in memory: so a list of few games among a million is one
//! answer. It is made in the background, and is of the run as it was then: first what the results say, then the figures, for which
//! every game is replayed. Which conditions there are, `games` decides for good: what is found here may be wanted, and what is not
//! is not.

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use maumau_protocol::Seat;
use maumau_referee::{FigureCounter, GameFigures};
use maumau_run::agent::resource_limits;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::{RunFile, StoredGame};
use maumau_tournament::{AgentId, DealId, PlannedGame};
use maumau_web::shown::{Figure, GameFilter, GameOrder};

use super::games::{ANY_FAULT, DISMISSED, UNWON, worth_watching};

/// The place of a fault among the bits of a seat, for all kinds beyond those that have one of their own.
const OTHER_FAULTS: usize = 29;
/// The place of a game with a round that no seat has won.
const NO_WINNER: usize = 30;
/// The place of a dismissal.
const DISMISSAL: usize = 31;

/// The index of one run file, once it has been made.
#[derive(Default)]
pub(super) struct KeptIndex {
    index: Mutex<Option<Arc<GameIndex>>>,
    counted: Mutex<Option<Arc<CountedGames>>>,
    /// True while a thread makes them.
    is_making: AtomicBool,
}

/// The figures of all games of an index.
pub(super) struct CountedGames {
    /// What they are the figures of.
    pub(super) index: Arc<GameIndex>,
    figures: Vec<GameFigures>,
    /// Games worth watching, by their numbers.
    pub(super) highlights: Vec<(Figure, u64, GameFigures)>,
}

/// Finished games in the order of the plan.
pub(super) struct GameIndex {
    /// Of the run that it is of, as [`RunFile::state`] says it.
    digest: String,
    games: Vec<AtGame>,
    /// Of each game its seats.
    seats: Vec<AtSeat>,
    seats_of_game: usize,
    /// The names of the faults that have bits.
    faults: Vec<String>,
}

struct AtGame {
    number: u64,
    deal: DealId,
    rotation: u8,
    moves: u32,
}

struct AtSeat {
    agent: AgentId,
    place: u8,
    /// Kinds of faults and a dismissal, as bits.
    faults: u32,
}

impl KeptIndex {
    /// Nothing in it is left half changed by a panic.
    fn state(&self) -> MutexGuard<'_, Option<Arc<GameIndex>>> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The figures that were counted last, perhaps for an earlier state of the run.
    pub(super) fn counted(&self) -> Option<Arc<CountedGames>> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes the index of the run file at `path` and counts its figures in the background, unless that is being done.
    ///
    /// # Errors
    /// The machine has no room for a thread.
    pub(super) fn renew(self: &Arc<KeptIndex>, path: PathBuf) -> Result<()> {
        if self.is_making.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        let kept = Arc::clone(self);
        let started = resource_limits::start("figures of games", move || {
            resource_limits::lower_priority();
            if let Err(error) = kept.make(&path).and_then(|()| kept.count(&path)) {
                print_stderr!("maumau: {}", Untrusted::new(&format!("{error:#}")).terminal());
            }
            kept.is_making.store(false, Ordering::Release);
        });
        if started.is_err() {
            self.is_making.store(false, Ordering::Release);
        }
        started.map(drop)
    }

    /// Counts the figures of the games of the index; those that were counted before are not counted again.
    ///
    /// # Errors
    /// The run file at `path` cannot be read, or is damaged.
    pub(super) fn count(&self, path: &Path) -> Result<()> {
        let Some(index) = self.state().clone() else { return Ok(()) };
        let (run, before) = (RunFile::open(path)?, self.counted());
        let (mut counter, mut figures) = (FigureCounter::default(), Vec::with_capacity(index.games.len()));
        let mut numbers = index.games.iter().map(|game| game.number).peekable();
        run.for_each_game(|game| {
            // Games that came meanwhile are not in the index.
            if numbers.next_if_eq(&game.number()).is_none() {
                return Ok(());
            }
            let known = before.as_ref().and_then(|before| before.of(game.number()));
            figures.push(match known {
                Some(known) => known,
                None => counter.count(&game.game_log(&run.plan)?)?,
            });
            Ok(())
        })?;
        // A round that nobody wins is long for no good reason.
        let is_won = |at: &usize| index.seats(*at).iter().all(|seat| seat.faults & 1 << NO_WINNER == 0);
        let won = (0..figures.len()).filter(is_won).map(|at| (index.games[at].number, figures[at]));
        let highlights = worth_watching(won);
        let counted = CountedGames { index: Arc::clone(&index), figures, highlights };
        *self.counted.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(counted));
        Ok(())
    }

    /// The index of `run`, if it is made and `run` is still the same.
    ///
    /// # Errors
    /// The run cannot be read.
    pub(super) fn of(&self, run: &RunFile) -> Result<Option<Arc<GameIndex>>> {
        let index = self.state().clone();
        Ok(match index {
            Some(index) if index.digest == run.state()? => Some(index),
            _ => None,
        })
    }

    /// Makes the index of the run file at `path`.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    pub(super) fn make(&self, path: &Path) -> Result<()> {
        let index = GameIndex::new(&RunFile::open(path)?)?;
        *self.state() = Some(Arc::new(index));
        Ok(())
    }
}

impl CountedGames {
    /// The figures of a game of the plan.
    pub(super) fn of(&self, number: u64) -> Option<GameFigures> {
        let at = self.index.games.binary_search_by_key(&number, |game| game.number).ok()?;
        self.figures.get(at).copied()
    }

    /// The numbers of the games that may pass the filter, as far as figures and index say, in the order that is asked for: at least
    /// the first `most` of them. `run` is what the index is of, or has become since.
    pub(super) fn wanted(&self, filter: &GameFilter, run: &RunFile, most: usize) -> Vec<u64> {
        let Some(wanted) = WantedGames::new(&self.index, filter, run) else { return Vec::new() };
        let mut name = String::new();
        let mut found: Vec<(u32, u64)> = Vec::new();
        let (order, accepts) = (filter.order(), filter.accepts_figures());
        for (at, figures) in self.figures.iter().enumerate() {
            if accepts(figures) && wanted.may_hold(&self.index, at, run, &mut name) {
                let key = order.map_or(0, |order| match order {
                    GameOrder { figure, ascends: true } => figure.of(figures),
                    GameOrder { figure, ascends: false } => u32::MAX - figure.of(figures),
                });
                found.push((key, self.index.games[at].number));
            }
        }
        if order.is_some() && most < found.len() {
            found.select_nth_unstable(most);
            found.truncate(most);
        }
        // Equal games stay in the order of the plan.
        found.sort_unstable();
        found.into_iter().map(|(_, number)| number).collect()
    }
}

impl GameIndex {
    /// Reads all games of a run.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    pub(super) fn new(run: &RunFile) -> Result<GameIndex> {
        let digest = run.state()?;
        let seats_of_game = run.plan.pairings.seats();
        let mut index = GameIndex { digest, games: Vec::new(), seats: Vec::new(), seats_of_game, faults: Vec::new() };
        run.for_each_game(|game| index.add(&game))?;
        index.games.shrink_to_fit();
        index.seats.shrink_to_fit();
        Ok(index)
    }

    fn add(&mut self, game: &StoredGame) -> Result<()> {
        let PlannedGame { index: number, deal, rotation, .. } = game.planned;
        self.games.push(AtGame { number, deal, rotation, moves: game.actions()? });
        for (seat, agent) in Seat::all(self.seats_of_game).zip(&game.planned.agents) {
            let dismissed = u32::from(game.result.dismissed.contains(&seat)) << DISMISSAL;
            let mut faults = dismissed | u32::from(game.result.unwon > 0) << NO_WINNER;
            for (fault, _) in game.faults[seat.index()].iter() {
                faults |= 1 << self.bit(fault.name());
            }
            self.seats.push(AtSeat { agent: *agent, place: game.result.places[seat.index()], faults });
        }
        Ok(())
    }

    /// The place of the bit of a kind of fault, which gets one if it has none.
    fn bit(&mut self, fault: &str) -> usize {
        let known = self.faults.iter().position(|known| known == fault);
        let bit = known.unwrap_or_else(|| {
            self.faults.push(fault.to_owned());
            self.faults.len() - 1
        });
        bit.min(OTHER_FAULTS)
    }

    /// The numbers of all games from number `filter.from` on, and whether each may pass the filter; `run` is what the index is of.
    pub(super) fn numbers<'a>(
        &'a self,
        filter: &'a GameFilter,
        run: &'a RunFile,
    ) -> impl Iterator<Item = (u64, bool)> + 'a {
        let first = self.games.partition_point(|game| game.number < filter.from);
        let wanted = WantedGames::new(self, filter, run);
        let mut name = String::new();
        (first..self.games.len()).map(move |at| {
            let may_hold = wanted.as_ref().is_some_and(|wanted| wanted.may_hold(self, at, run, &mut name));
            (self.games[at].number, may_hold)
        })
    }

    fn seats(&self, game: usize) -> &[AtSeat] {
        &self.seats[game * self.seats_of_game..][..self.seats_of_game]
    }
}

/// The conditions of a filter in terms of an index.
struct WantedGames<'a> {
    agent: Option<AgentId>,
    against: Option<AgentId>,
    place: Option<u8>,
    seat: Option<usize>,
    moves: Option<RangeInclusive<u32>>,
    /// Bits of which a seat has one.
    faults: Option<u32>,
    rule_set: Option<usize>,
    name: &'a str,
}

impl<'a> WantedGames<'a> {
    /// `None` if no game can hold them.
    fn new(index: &GameIndex, filter: &'a GameFilter, run: &RunFile) -> Option<WantedGames<'a>> {
        /// The condition that a text is, if it is one; `None` if nothing is like that.
        fn condition<T>(text: &str, read: impl FnOnce(&str) -> Option<T>) -> Option<Option<T>> {
            let text = text.trim();
            if text.is_empty() { Some(None) } else { read(text).map(Some) }
        }
        let plan = &run.plan.pairings;
        let agent = |name: &str| plan.agents().find(|agent| plan.name(*agent) == name);
        let fault = |name: &str| match name {
            ANY_FAULT => Some(!(1 << NO_WINNER)),
            UNWON => Some(1 << NO_WINNER),
            DISMISSED => Some(1 << DISMISSAL),
            name => index.faults.iter().position(|known| known == name).map(|at| 1 << at.min(OTHER_FAULTS)),
        };
        Some(WantedGames {
            agent: condition(&filter.agent, agent)?,
            against: condition(&filter.against, agent)?,
            place: condition(&filter.place, |text| text.parse().ok())?,
            seat: condition(&filter.seat, |text| text.parse().ok())?,
            moves: filter.range(Figure::Moves),
            faults: condition(&filter.fault, fault)?,
            rule_set: condition(&filter.rules, |name| {
                run.plan.settings.rule_names().iter().position(|known| known == name)
            })?,
            name: filter.name.trim(),
        })
    }

    /// `name` is room for one.
    fn may_hold(&self, index: &GameIndex, at: usize, run: &RunFile, name: &mut String) -> bool {
        let AtGame { number, deal, rotation, moves } = index.games[at];
        let seats = index.seats(at);
        let mut sitting = seats.iter().enumerate().filter(|(seat, own)| {
            self.agent.is_none_or(|agent| own.agent == agent) && self.seat.is_none_or(|wanted| *seat == wanted)
        });
        self.moves.as_ref().is_none_or(|wanted| wanted.contains(&moves))
            && self.against.is_none_or(|agent| seats.iter().any(|own| own.agent == agent))
            && sitting.any(|(_, own)| {
                self.place.is_none_or(|place| own.place == place)
                    && self.faults.is_none_or(|faults| own.faults & faults != 0)
            })
            && self.rule_set.is_none_or(|set| run.plan.pairings.rule_set(number) == set)
            && (self.name.is_empty() || {
                name.clear();
                // As `PlannedGame::id` has it; a million names are made without a million texts.
                write!(name, "{deal}-r{rotation}").is_ok() && name.contains(self.name)
            })
    }
}
