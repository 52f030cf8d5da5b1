//! The rounds of a run: each follows from the league, a lot and the results of the rounds before, so a run that was interrupted
//! goes on with the same tables, and a reader can derive them again.
//!
//! Owns the state of a tournament between rounds. Games are played and stored elsewhere; their results are taken in the order of
//! the plan.

mod bracket;
mod doubt;
mod history;
mod lot;
mod results;
mod tables;

use crate::agent_id::AgentId;
use crate::format::Format;
use crate::league::{League, LeagueProblems};
use crate::plan::Plan;
use crate::rounds::{Round, Table};
use crate::schedule::balanced::Balance;
use bracket::Bracket;
use history::History;

pub(crate) use bracket::EXTRA_DEALS;
pub use doubt::PairsInDoubt;
pub use history::MatchState;
pub(crate) use lot::lot as hash;
pub use results::{AtTable, HeatOutcome, Placed, PlacedBy, RoundResult, TableResult, TournamentResult};

/// What comes next.
#[derive(Clone, Debug, PartialEq)]
pub enum NextRound {
    /// A round, which is part of the plan now.
    Round(Round),
    /// The results of games that are in the plan must be taken first.
    Waiting,
    /// Nothing.
    Over(RunEnding),
}

/// Why a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnding {
    /// The format is played to its end.
    Complete,
    /// The stop rules' games are played.
    Games,
    /// All that was to be shown has been shown.
    Shown,
}

/// A stored round that is not the one that follows from the results before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("round {round} is not the one that follows from the league and the results before it")]
pub struct RoundMismatch {
    /// Its number, from 0.
    pub round: usize,
}

/// The numbers of the draws that decide before anything is played: the seeding, and the order in which balanced groups take agents.
const SEEDING: u64 = u64::MAX;
const GROUPS: u64 = u64::MAX - 1;

/// A tournament between its rounds.
#[derive(Clone, Debug)]
pub struct Scheduler {
    plan: Plan,
    lot: u64,
    rounds: usize,
    known: usize,
    history: History,
    /// The plays and meetings of what has been planned.
    balance: Balance,
    bracket: Bracket,
    /// The bracket as the results of the latest round leave it, once it has been asked for what comes next.
    settled: Option<Bracket>,
    /// The rounds of a Swiss tournament before the latest one.
    past: Vec<RoundResult>,
    /// Who sits out in the latest one.
    byes: Vec<usize>,
}

impl Scheduler {
    /// The tournament before its first round; `lot` decides what results leave equal.
    ///
    /// # Errors
    /// Every problem of the league.
    pub fn new(league: League, lot: u64) -> Result<Scheduler, LeagueProblems> {
        let plan = Plan::new(league)?;
        let league = plan.league();
        let agents = league.agents.len();
        let drawn = (0..agents).map(|agent| hash(lot, GROUPS, agent)).collect();
        let balance = Balance::new(agents).in_order_of(drawn).keeping_apart(&league.kept_apart);
        let (history, bracket) = (History::new(league), Bracket::new(seeding(league, lot)));
        let (settled, past, byes) = (None, Vec::new(), Vec::new());
        Ok(Scheduler { plan, lot, rounds: 0, known: agents, history, balance, bracket, settled, past, byes })
    }

    /// The games that are known so far.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How many games' results have been taken.
    pub fn taken(&self) -> u64 {
        self.history.taken()
    }

    /// The agents that play from the next round on.
    pub fn playing(&self) -> Vec<AgentId> {
        self.history.playing().iter().map(|agent| AgentId(*agent as u16)).collect()
    }

    /// How many agents the run has had so far; those that come after them in the league have not joined.
    pub fn known(&self) -> usize {
        self.known
    }

    /// Says how many agents the run began with, before its first round; the others of the league join later.
    pub fn begin_with(&mut self, agents: usize) {
        self.known = agents;
        self.history.play_with((0..agents).collect(), agents);
    }

    /// Goes on in `league`, to whose agents others have been added. They play once a [`Round::Pool`] has them.
    ///
    /// # Errors
    /// Every problem of the league. Nothing has changed.
    pub fn grow(&mut self, league: League) -> Result<(), LeagueProblems> {
        self.plan = self.plan.with_league(league)?;
        let league = self.plan.league();
        let agents = league.agents.len();
        self.history.grow(agents);
        let mut balance = self.balance.clone().keeping_apart(&league.kept_apart);
        while balance.plays().len() < agents {
            // As if it had been there from the beginning: who reads the run later knows all agents.
            balance.join(hash(self.lot, GROUPS, balance.plays().len()));
        }
        self.balance = balance;
        Ok(())
    }

    fn change_pool(&mut self, before: usize, playing: &[AgentId]) {
        let mut playing: Vec<usize> = playing.iter().map(|agent| agent.index()).collect();
        playing.sort_unstable();
        self.history.play_with(playing, before.max(self.known));
        self.known = self.history.playing().last().map_or(self.known, |last| self.known.max(last + 1));
    }

    /// Leaves out games that are not played any more.
    fn skip_dropped(&mut self) {
        while self.history.taken() < self.plan.len() && self.plan.is_dropped(self.history.taken()) {
            self.history.skip(&self.plan);
        }
    }

    /// True if rounds depend on results, or the end does.
    pub fn needs_results(&self) -> bool {
        self.plan.league().needs_results()
    }

    /// True if results are worth taking: rounds or the end depend on them, or how a match stands.
    pub fn takes_results(&self) -> bool {
        self.needs_results() || self.plan.league().format == Format::Match
    }

    /// How many pairs the stop rules want to know the order of, and how many of them are in doubt after the results so far; `None` if
    /// they want no ranks.
    pub fn pairs_in_doubt(&self) -> Option<PairsInDoubt> {
        self.plan.league().stop.wants_ranks().then(|| self.history.pairs_in_doubt(self.plan.league()))
    }

    /// The pairs among those that the stop rules ask for, or among all, that are decided, the smaller number first.
    pub fn decided(&self) -> Vec<(AgentId, AgentId)> {
        self.history.decided(self.plan.league())
    }

    /// The best so many agents by their ratings so far.
    pub fn best(&self, count: usize) -> Vec<AgentId> {
        doubt::by_rating(&self.history.fitted().logits)[..count].iter().map(|agent| AgentId(*agent as u16)).collect()
    }

    /// How a match stands; `None` in other formats.
    pub fn match_state(&self) -> Option<&MatchState> {
        self.history.match_state()
    }

    /// Takes the places of the next game of the plan.
    ///
    /// # Panics
    /// All games of the plan have been taken.
    pub fn take(&mut self, places: &[u8]) {
        self.history.take(&self.plan, places);
        self.skip_dropped();
    }

    /// Decides what comes next, and adds a round to the plan.
    pub fn advance(&mut self) -> NextRound {
        let next = self.derive(self.plan.league().budget(), true);
        if let NextRound::Round(round) = &next {
            self.add(round);
        }
        next
    }

    /// How the tournament went so far, where the format has an order of its own that is not the one of scores: Swiss tournaments and
    /// knock-outs. Heats that follow from the results and are not in the plan yet are there too.
    pub fn result(&self) -> Option<TournamentResult> {
        match self.plan.league().format {
            Format::Swiss { rounds } => Some(self.swiss_result(rounds as usize)),
            Format::KnockOut { .. } | Format::Double { .. } => {
                // The results of the last round count once the tournament is asked how it goes on.
                let mut ahead = self.clone();
                ahead.derive(None, false);
                let bracket = ahead.settled.as_ref().unwrap_or(&self.bracket);
                Some(bracket.results(&self.history, ahead.settled.is_some()))
            }
            _ => None,
        }
    }

    fn swiss_result(&self, rounds: usize) -> TournamentResult {
        let order = self.history.swiss_order(self.plan.league(), self.lot, self.rounds as u64);
        let mut played = self.past.clone();
        if self.rounds > 0 {
            played.push(self.latest_round());
        }
        let is_over = self.rounds == rounds && self.history.taken() == self.plan.len();
        TournamentResult { order: results::swiss_order(&order, &played), rounds: played, is_over }
    }

    /// The latest round as its results are now.
    fn latest_round(&self) -> RoundResult {
        let tables = self.history.latest().iter().map(|halves| TableResult::of(halves)).collect();
        RoundResult { tables, byes: self.byes.clone(), waiting: Vec::new() }
    }

    /// Takes over a stored round, which must be the one that follows, or the first part of it: a budget may have been raised
    /// since, and more may be wanted to be shown.
    ///
    /// # Errors
    /// It is another one. Nothing has changed.
    pub fn adopt(&mut self, stored: &Round) -> Result<(), RoundMismatch> {
        if let Round::Pool { before, playing, .. } = stored {
            // An organiser decides who plays, and nothing else has to be known.
            self.plan.try_extend(stored).map_err(|_| RoundMismatch { round: self.rounds })?;
            self.rounds += 1;
            self.change_pool(*before, playing);
            self.skip_dropped();
            return Ok(());
        }
        match self.derive(None, false) {
            NextRound::Round(derived) if begins_with(&derived, stored) => {
                self.add(stored);
                Ok(())
            }
            _ => Err(RoundMismatch { round: self.rounds }),
        }
    }

    /// As [`Scheduler::adopt`], for a round that another one has followed: what follows from it is checked with that one, so it is derived
    /// only where the state after it is. Deriving all rounds of a ladder takes as long as deciding them did.
    ///
    /// # Errors
    /// It cannot be played, or is not the one that follows where that is found out. Nothing has changed.
    pub fn adopt_earlier(&mut self, stored: &Round) -> Result<(), RoundMismatch> {
        let settles = matches!(self.plan.league().format, Format::KnockOut { .. } | Format::Double { .. });
        if settles || matches!(stored, Round::Pool { .. }) {
            return self.adopt(stored);
        }
        self.plan.try_extend(stored).map_err(|_| RoundMismatch { round: self.rounds })?;
        self.note(stored);
        Ok(())
    }

    fn add(&mut self, round: &Round) {
        self.plan.extend(round);
        self.note(round);
    }

    /// Goes on after a round that is in the plan now.
    fn note(&mut self, round: &Round) {
        if let (Format::Swiss { .. }, Round::Tables { byes, .. }) = (&self.plan.league().format, round) {
            self.past.extend((self.rounds > 0).then(|| self.latest_round()));
            self.byes = byes.iter().map(|agent| agent.index()).collect();
        }
        self.rounds += 1;
        if let Some(settled) = self.settled.take() {
            self.bracket = settled;
        }
        self.history.begin(round);
        if let Round::Tables { tables, .. } = round {
            for table in tables {
                let mut group: Vec<usize> = table.agents.iter().map(|agent| agent.index()).collect();
                group.sort_unstable();
                group.dedup();
                self.balance.take(&group);
            }
        }
    }

    /// What comes next, with at most so many `games` in all, and with an end once everything `may_be_shown`.
    fn derive(&mut self, games: Option<u64>, may_be_shown: bool) -> NextRound {
        let plan = &self.plan;
        let league = plan.league();
        if self.needs_results() && self.history.taken() < plan.len() {
            return NextRound::Waiting;
        }
        if may_be_shown && self.rounds > 0 && self.history.has_shown(league) {
            return NextRound::Over(RunEnding::Shown);
        }
        let round = match &league.format {
            Format::RoundRobin => tables::of_round_robin(plan),
            Format::Sample if league.stop.wants_ranks() => {
                self.history.where_most_in_doubt(plan, &self.balance, self.rounds)
            }
            Format::Sample => tables::of_sample(plan, &self.balance, self.history.playing()),
            Format::Ladder => self.history.where_most_in_doubt(plan, &self.balance, self.rounds),
            Format::Gauntlet { challengers } => tables::of_gauntlet(plan, challengers, &self.balance),
            Format::Match => tables::of_match(plan),
            Format::Swiss { rounds } => {
                (self.rounds < *rounds as usize).then(|| self.history.swiss_round(plan, self.lot, self.rounds))
            }
            Format::KnockOut { advance, .. } => self.heats(*advance, 1),
            Format::Double { advance, .. } => self.heats(*advance, 2),
        };
        match round {
            None => NextRound::Over(RunEnding::Complete),
            Some(round) => match within(round, games, &self.plan, self.has_whole_rounds()) {
                Some(round) => NextRound::Round(round),
                None => NextRound::Over(RunEnding::Games),
            },
        }
    }

    fn heats(&mut self, advance: usize, lives: u32) -> Option<Round> {
        let (bracket, round) = self.bracket.next(&self.plan, (advance, lives), &self.history, self.lot);
        self.settled = Some(bracket);
        round
    }

    /// True if the results of a part of a round mean nothing.
    fn has_whole_rounds(&self) -> bool {
        matches!(self.plan.league().format, Format::Swiss { .. } | Format::KnockOut { .. } | Format::Double { .. })
    }
}

/// The agents of a knock-out in the order of its seeding: those that the organiser seeds, then the others by lot.
fn seeding(league: &League, lot: u64) -> Vec<usize> {
    let seeds = match &league.format {
        Format::KnockOut { seeds, .. } | Format::Double { seeds, .. } => &seeds[..],
        _ => &[],
    };
    let place = |agent: usize| seeds.iter().position(|seeded| seeded.index() == agent).unwrap_or(seeds.len());
    let mut order: Vec<usize> = (0..league.agents.len()).collect();
    order.sort_by_key(|agent| (place(*agent), hash(lot, SEEDING, *agent)));
    order
}

/// The part of a round for which a budget of `games` is left after those of `plan` that are played; `None` if there is none,
/// or a part means
/// nothing. A table plays a deal by each rule set or none.
fn within(round: Round, games: Option<u64>, plan: &Plan, is_whole: bool) -> Option<Round> {
    let Some(games) = games else { return Some(round) };
    let mut left = games.saturating_sub(plan.len() - plan.dropped());
    let sets = plan.league().rule_sets as u64;
    match round {
        Round::Games(count) => {
            let left = left - left % plan.seats() as u64;
            (left > 0).then(|| Round::Games(count.min(left)))
        }
        Round::Pool { .. } => Some(round),
        Round::Tables { tables, byes } => {
            let all = tables.len();
            let mut kept: Vec<Table> = Vec::new();
            for mut table in tables {
                let asked = table.deals;
                let deals = left / table.rotations() as u64;
                table.deals = (deals - deals % sets).min(asked.into()) as u32;
                left -= table.games();
                let is_cut = table.deals < asked;
                if table.deals > 0 {
                    kept.push(table);
                }
                if is_cut {
                    if is_whole {
                        return None;
                    }
                    break;
                }
            }
            (!kept.is_empty() && (!is_whole || kept.len() == all)).then_some(Round::Tables { tables: kept, byes })
        }
    }
}

/// True if `stored` is `derived`, or its beginning.
fn begins_with(derived: &Round, stored: &Round) -> bool {
    match (derived, stored) {
        (Round::Games(derived), Round::Games(stored)) => stored <= derived && *stored > 0,
        (Round::Tables { tables, byes }, Round::Tables { tables: stored, byes: sat_out }) => {
            // Only of the last table a budget may have left out deals.
            let Some((last, whole)) = stored.split_last() else { return false };
            let is_part = |table: &Table| table.agents == last.agents && (1..=table.deals).contains(&last.deals);
            byes == sat_out && tables.starts_with(whole) && tables.get(whole.len()).is_some_and(is_part)
        }
        _ => false,
    }
}
