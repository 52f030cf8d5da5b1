//! Counts finished games. It neither plays nor stores them.
//!
//! A [`Tally`] holds exact integer sums, so games may come in any order. Its size does not grow with the games, except for one
//! bit per game and for incomplete deals.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use maumau_protocol::SeatSet;
use maumau_protocol::fault::FaultCounts;
use maumau_protocol::message::GameResult;
use serde::{Deserialize, Serialize};

use crate::agent_id::AgentId;
use crate::format::RankedBy;
use crate::league::{League, LeagueProblems};
use crate::plan::Plan;
use crate::planned_game::PlannedGame;
use crate::rounds::Round;
use crate::score::{PlacesError, check_places, duel};
use crate::standings::{Encounter, Row, Standings};
use crate::statistics::DealSums;

/// A first place is counted in units of 1/720720: 720720 is the smallest number that 1 to 16 all divide, so any share is whole.
const WIN_UNITS: u64 = 720_720;

/// The result of a finished game. The agents and their seats are in the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Its number in the plan.
    pub index: u64,
    /// Its result.
    pub result: GameResult,
    /// Faults of each seat.
    pub faults: Vec<FaultCounts>,
}

/// A finished game that cannot belong to this plan. Nothing of it is counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowError {
    /// The plan has fewer games.
    #[error("game {index}: the plan has only {planned} games")]
    NotPlanned {
        /// The game.
        index: u64,
        /// Games in the plan.
        planned: u64,
    },
    /// The game has been counted already.
    #[error("game {index}: it has already been counted")]
    Twice {
        /// The game.
        index: u64,
    },
    /// A list does not have one item for each seat.
    #[error("game {index}: {list} has {items} items, but the table has {seats} seats")]
    Length {
        /// The game.
        index: u64,
        /// Which list.
        list: &'static str,
        /// Its length.
        items: usize,
        /// Seats at the table.
        seats: usize,
    },
    /// No game can have these places as its result.
    #[error("game {index}: {source}")]
    Places {
        /// The game.
        index: u64,
        /// What is wrong.
        source: PlacesError,
    },
    /// A dismissed seat is not at the table.
    #[error("game {index}: seat {seat} was dismissed, but the table has {seats} seats")]
    Dismissed {
        /// The game.
        index: u64,
        /// The seat.
        seat: usize,
        /// Seats at the table.
        seats: usize,
    },
}

/// The sums over the finished games of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    plan: Plan,
    games: u64,
    deals: u64,
    /// One bit for each game of the plan.
    counted: Vec<u64>,
    /// By rule set.
    sets: Vec<SetSums>,
    /// Deals with some but not all games finished, by their number in the plan.
    open: BTreeMap<u64, OpenDeal>,
}

/// The sums of a [`Tally`] over the first games of a plan, without gaps, up to the end of a deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sums {
    games: u64,
    /// Of the first rule set. It stands apart from the others so that runs with one rule set are written as ever.
    totals: Vec<Total>,
    complete: Vec<DealSums>,
    duels: Vec<Duel>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    further_sets: Vec<SetSums>,
}

/// The sums over the games by one rule set, or by all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetSums {
    /// By agent.
    totals: Vec<Total>,
    /// Each agent's sums over complete deals.
    complete: Vec<DealSums>,
    /// `duels[a * agents + b]`: agent `a` against agent `b`.
    duels: Vec<Duel>,
}

impl SetSums {
    fn new(agents: usize) -> SetSums {
        SetSums {
            totals: vec![Total::default(); agents],
            complete: vec![DealSums::default(); agents],
            duels: vec![Duel::default(); agents * agents],
        }
    }

    /// The same sums among `agents` agents, of whom those that were not there have none.
    fn grow(&mut self, agents: usize) {
        let before = self.totals.len();
        self.totals.resize(agents, Total::default());
        self.complete.resize(agents, DealSums::default());
        let mut duels = vec![Duel::default(); agents * agents];
        for (row, known) in self.duels.chunks_exact(before.max(1)).enumerate() {
            duels[row * agents..][..before].copy_from_slice(known);
        }
        self.duels = duels;
    }

    fn is_of(&self, agents: usize) -> bool {
        [self.totals.len(), self.complete.len(), self.duels.len()] == [agents, agents, agents * agents]
    }

    fn add(&mut self, other: &SetSums) {
        self.totals.iter_mut().zip(&other.totals).for_each(|(sum, total)| sum.add(total));
        self.complete.iter_mut().zip(&other.complete).for_each(|(sum, deals)| *sum += deals);
        for (sum, duel) in self.duels.iter_mut().zip(&other.duels) {
            sum.compared += duel.compared;
            sum.halves += duel.halves;
        }
    }
}

impl Sums {
    /// The number of games in the sums.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The same sums among `agents` agents, of whom those that were not there have none.
    #[must_use]
    pub fn grown(self, agents: usize) -> Sums {
        let Sums { games, totals, complete, duels, mut further_sets } = self;
        let mut first = SetSums { totals, complete, duels };
        first.grow(agents);
        further_sets.iter_mut().for_each(|set| set.grow(agents));
        let SetSums { totals, complete, duels } = first;
        Sums { games, totals, complete, duels, further_sets }
    }
}

/// One agent's sums.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Total {
    games: u64,
    seats: u64,
    compared: u64,
    halves: u64,
    win_units: u64,
    points: i64,
    rounds: u64,
    rounds_won: u64,
    rounds_unwon: u64,
    dismissals: u64,
    faults: FaultCounts,
}

impl Total {
    fn add(&mut self, other: &Total) {
        self.games += other.games;
        self.seats += other.seats;
        self.compared += other.compared;
        self.halves += other.halves;
        self.win_units += other.win_units;
        self.points += other.points;
        self.rounds += other.rounds;
        self.rounds_won += other.rounds_won;
        self.rounds_unwon += other.rounds_unwon;
        self.dismissals += other.dismissals;
        self.faults += &other.faults;
    }
}

/// Comparisons with seats of another agent, or of all others: how many, and the halves of points won in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Duel {
    compared: u64,
    halves: u64,
}

/// A deal with some but not all games finished: how many, and the score of each of its agents in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OpenDeal {
    games: u64,
    sums: BTreeMap<AgentId, Duel>,
}

impl Tally {
    /// An empty tally.
    pub fn new(plan: Plan) -> Tally {
        let agents = plan.agents().len();
        let words = usize::try_from(plan.len().div_ceil(64)).unwrap_or(usize::MAX);
        Tally {
            games: 0,
            deals: 0,
            counted: vec![0; words],
            sets: vec![SetSums::new(agents); plan.league().rule_sets],
            open: BTreeMap::new(),
            plan,
        }
    }

    /// A tally that continues from `sums`; `None` if they cannot belong to this plan.
    pub fn resume(plan: Plan, sums: Sums) -> Option<Tally> {
        let agents = plan.agents().len();
        let Sums { games, totals, complete, duels, mut further_sets } = sums;
        further_sets.insert(0, SetSums { totals, complete, duels });
        let sets = further_sets;
        let fits = sets.len() == plan.league().rule_sets && sets.iter().all(|set| set.is_of(agents));
        if !fits || games > plan.len() || games < plan.len() && plan.deal_of(games).0 != games {
            return None;
        }
        let mut tally = Tally { games, deals: plan.deals_before(games), sets, ..Tally::new(plan) };
        let (words, bits) = place_of(games);
        tally.counted[..words].fill(u64::MAX);
        if bits > 0 {
            tally.counted[words] = (1 << bits) - 1;
        }
        Some(tally)
    }

    /// The sums that [`Tally::resume`] continues from; `None` unless the counted games are exactly the first ones of the plan,
    /// up to the end of a deal.
    pub fn sums(&self) -> Option<Sums> {
        let (words, bits) = place_of(self.games);
        let are_first = self.counted[..words].iter().all(|word| *word == u64::MAX)
            && (bits == 0 || self.counted[words] == (1 << bits) - 1);
        let (first, further) = self.sets.split_first()?;
        let SetSums { totals, complete, duels } = first.clone();
        (are_first && self.open.is_empty()).then(|| Sums {
            games: self.games,
            totals,
            complete,
            duels,
            further_sets: further.to_vec(),
        })
    }

    /// Adds a round to the plan.
    pub fn extend(&mut self, round: &Round) {
        self.plan.extend(round);
        self.counted.resize(usize::try_from(self.plan.len().div_ceil(64)).unwrap_or(usize::MAX), 0);
    }

    /// Goes on in `league`, to whose agents others have been added.
    ///
    /// # Errors
    /// Every problem of the league. Nothing has changed.
    pub fn grow(&mut self, league: League) -> Result<(), LeagueProblems> {
        self.plan = self.plan.with_league(league)?;
        let agents = self.plan.agents().len();
        self.sets.iter_mut().for_each(|set| set.grow(agents));
        Ok(())
    }

    /// How many games are planned, as far as that is known.
    pub fn planned(&self) -> u64 {
        (self.plan.league().planned_games().unwrap_or(0) + self.plan.dropped()).max(self.plan.len())
    }

    /// How many games have been counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The plan whose games are counted.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// True if game number `index` has been counted.
    pub fn is_counted(&self, index: u64) -> bool {
        let (word, bit) = place_of(index);
        self.counted.get(word).is_some_and(|bits| bits >> bit & 1 == 1)
    }

    /// Counts a game, and returns its place in the plan. Games may come in any order, each once.
    ///
    /// # Errors
    ///
    /// The row is not in this plan, or has been counted; the tally is unchanged.
    pub fn add(&mut self, finished: &Finished) -> Result<PlannedGame, RowError> {
        self.check(finished)?;
        let game = self.plan.game(finished.index);
        let scores = against_others(&game, &finished.result.places);
        let set = self.plan.league().rule_set_of(game.deal);
        self.sets[set].add_totals(&game, finished, &scores);
        self.sets[set].add_duels(&game, &finished.result.places);
        self.add_to_deal(&game, &scores);
        let (word, bit) = place_of(finished.index);
        self.counted[word] |= 1 << bit;
        self.games += 1;
        Ok(game)
    }

    fn check(&self, finished: &Finished) -> Result<(), RowError> {
        let (index, result, seats) = (finished.index, &finished.result, self.plan.seats());
        if index >= self.plan.len() {
            return Err(RowError::NotPlanned { index, planned: self.plan.len() });
        }
        if self.is_counted(index) {
            return Err(RowError::Twice { index });
        }
        let lists = [
            ("places", result.places.len()),
            ("points", result.points.len()),
            ("wins", result.wins.len()),
            ("faults", finished.faults.len()),
        ];
        if let Some((list, items)) = lists.into_iter().find(|(_, items)| *items != seats) {
            return Err(RowError::Length { index, list, items, seats });
        }
        if let Some(seat) = result.dismissed.iter().map(|seat| seat.index()).find(|seat| *seat >= seats) {
            return Err(RowError::Dismissed { index, seat, seats });
        }
        check_places(&result.places).map_err(|source| RowError::Places { index, source })
    }

    /// Adds a game to its deal, and the deal to the sums once it is complete.
    fn add_to_deal(&mut self, game: &PlannedGame, scores: &[Duel]) {
        let (first, games) = self.plan.deal_of(game.index);
        let deal = self.open.entry(first).or_default();
        self.deals += u64::from(deal.games == 0);
        deal.games += 1;
        for (agent, score) in game.agents.iter().zip(scores) {
            let sums = deal.sums.entry(*agent).or_default();
            sums.compared += score.compared;
            sums.halves += score.halves;
        }
        if deal.games == games
            && let Some(deal) = self.open.remove(&first)
        {
            let set = self.plan.league().rule_set_of(game.deal);
            deal.add_to(&mut self.sets[set].complete);
        }
    }

    /// The tables, over all rule sets. Deals that are not complete count with their finished games.
    pub fn standings(&self) -> Standings {
        self.standings_of(None)
    }

    /// The tables of the games by one of the rule sets.
    pub fn standings_by(&self, rule_set: usize) -> Standings {
        self.standings_of(Some(rule_set))
    }

    fn standings_of(&self, rule_set: Option<usize>) -> Standings {
        let is_wanted = |set: usize| rule_set.is_none_or(|wanted| wanted == set);
        let mut sums = SetSums::new(self.plan.agents().len());
        self.sets.iter().enumerate().filter(|(set, _)| is_wanted(*set)).for_each(|(_, set)| sums.add(set));
        let mut complete_deals = sums.complete.clone();
        let open = self.open.iter().filter(|(first, _)| is_wanted(self.plan.rule_set(**first)));
        open.for_each(|(_, deal)| deal.add_to(&mut complete_deals));

        let mut order: Vec<AgentId> = self.plan.agents().collect();
        order.sort_by(|a, b| {
            let by_score = better_first(&sums.totals[a.index()], &sums.totals[b.index()]);
            by_score.then_with(|| self.plan.name(*a).cmp(self.plan.name(*b)))
        });
        let row =
            |agent: &AgentId| sums.totals[agent.index()].row(self.plan.name(*agent), &complete_deals[agent.index()]);
        let Counts { games, planned, deals } = match rule_set {
            None => Counts { games: self.games, planned: self.planned(), deals: self.deals },
            Some(set) => self.counts_by(set),
        };
        // Every game counts its rounds once for each of its seats.
        let rounds_unwon = sums.totals.iter().map(|total| total.rounds_unwon).sum::<u64>() / self.plan.seats() as u64;
        Standings {
            games,
            planned,
            deals,
            rounds_unwon,
            ranked_by: RankedBy::Score,
            rows: order.iter().map(row).collect(),
            cross: order.iter().map(|a| order.iter().map(|b| sums.encounter(*a, *b)).collect()).collect(),
        }
    }

    fn counts_by(&self, rule_set: usize) -> Counts {
        let league = self.plan.league();
        let mut counts = Counts::default();
        let mut first = 0;
        while first < self.plan.len() {
            let (_, games) = self.plan.deal_of(first);
            if self.plan.rule_set(first) == rule_set {
                let counted = (first..first + games).filter(|game| self.is_counted(*game)).count() as u64;
                counts.games += counted;
                counts.planned += games;
                counts.deals += u64::from(counted > 0);
            }
            first += games;
        }
        let in_all = league.planned_games().unwrap_or(0) / league.rule_sets as u64;
        counts.planned = counts.planned.max(in_all);
        counts
    }
}

/// How much is played by one rule set, or by all.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    games: u64,
    planned: u64,
    deals: u64,
}

impl SetSums {
    fn add_totals(&mut self, game: &PlannedGame, finished: &Finished, scores: &[Duel]) {
        let result = &finished.result;
        let winners: SeatSet = result.winners().collect();
        let dismissed: SeatSet = result.dismissed.iter().copied().collect();
        for (seat, agent) in game.seating() {
            let total = &mut self.totals[agent.index()];
            let at = seat.index();
            total.games += u64::from(!game.agents[..at].contains(&agent));
            total.seats += 1;
            total.compared += scores[at].compared;
            total.halves += scores[at].halves;
            total.win_units += if winners.contains(seat) { WIN_UNITS / winners.len() as u64 } else { 0 };
            total.points += i64::from(result.points[at]);
            total.rounds += u64::from(result.rounds);
            total.rounds_won += u64::from(result.wins[at]);
            total.rounds_unwon += u64::from(result.unwon);
            total.dismissals += u64::from(dismissed.contains(seat));
            total.faults += &finished.faults[at];
        }
    }

    fn add_duels(&mut self, game: &PlannedGame, places: &[u8]) {
        let agents = self.totals.len();
        for (agent, place) in game.agents.iter().zip(places) {
            for (other, other_place) in game.agents.iter().zip(places).filter(|(other, _)| *other != agent) {
                let cell = &mut self.duels[agent.index() * agents + other.index()];
                cell.compared += 1;
                cell.halves += u64::from(duel(*place, *other_place));
            }
        }
    }

    fn encounter(&self, agent: AgentId, other: AgentId) -> Option<Encounter> {
        let Duel { compared, halves } = self.duels[agent.index() * self.totals.len() + other.index()];
        (compared > 0).then(|| Encounter { compared, mean_score: halves as f64 / (2 * compared) as f64 })
    }
}

impl Total {
    fn row(&self, name: &str, deals: &DealSums) -> Row {
        let total = self;
        let estimate = deals.estimate(2);
        let per_game = |sum: f64| (total.seats > 0).then(|| sum / total.seats as f64);
        Row {
            name: name.to_owned(),
            games: total.games,
            deals: deals.deals,
            wins: total.win_units as f64 / WIN_UNITS as f64,
            mean_score: estimate.map(|estimate| estimate.mean),
            std_error: estimate.and_then(|estimate| estimate.std_error),
            interval: estimate.and_then(|estimate| estimate.interval),
            mean_points: per_game(total.points as f64),
            mean_rounds_won: per_game(total.rounds_won as f64),
            rounds: total.rounds,
            rounds_won: total.rounds_won,
            rounds_unwon: total.rounds_unwon,
            faults: total.faults.clone(),
            dismissals: total.dismissals,
        }
    }
}

impl OpenDeal {
    /// Adds the deal to the sums of each of its agents.
    fn add_to(&self, sums: &mut [DealSums]) {
        for (agent, Duel { compared, halves }) in &self.sums {
            sums[agent.index()].add(*compared, *halves);
        }
    }
}

/// By seat, its comparisons with the seats of other agents.
fn against_others(game: &PlannedGame, places: &[u8]) -> Vec<Duel> {
    let of_seat = |(agent, place): (&AgentId, &u8)| {
        let others = game.agents.iter().zip(places).filter(|(other, _)| *other != agent);
        others.fold(Duel::default(), |sum, (_, against)| Duel {
            compared: sum.compared + 1,
            halves: sum.halves + u64::from(duel(*place, *against)),
        })
    };
    game.agents.iter().zip(places).map(of_seat).collect()
}

/// Higher mean score first, compared as fractions; agents without games last.
fn better_first(a: &Total, b: &Total) -> Ordering {
    let cross = |units: u64, games: u64| u128::from(units) * u128::from(games);
    let no_games_last = (a.games == 0).cmp(&(b.games == 0));
    no_games_last.then_with(|| cross(b.halves, a.compared).cmp(&cross(a.halves, b.compared)))
}

/// The word and bit of a game.
fn place_of(index: u64) -> (usize, u64) {
    (usize::try_from(index / 64).unwrap_or(usize::MAX), index % 64)
}
