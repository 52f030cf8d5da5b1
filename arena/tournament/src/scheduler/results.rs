//! How a tournament with an order of its own went: its rounds with their tables, byes and play-offs, and the order that follows from
//! them. Data only; rounds are decided by `bracket` and `history`.

use serde::{Deserialize, Serialize};

/// A knock-out or a Swiss tournament as far as it has been played. Agents are numbered as in the league.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TournamentResult {
    /// All agents, the best first.
    pub order: Vec<Placed>,
    /// The rounds, those that have been drawn and not played included.
    pub rounds: Vec<RoundResult>,
    /// True once nothing can change the order.
    pub is_over: bool,
}

/// An agent in the order of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placed {
    /// The agent.
    pub agent: usize,
    /// What it owes its place to.
    pub by: PlacedBy,
}

/// What a place in the order of a tournament follows from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlacedBy {
    /// Its place in the final.
    Final,
    /// It is still in; its order among those is that of the seeding.
    StillIn,
    /// It went out.
    Out {
        /// In this round, from 0.
        round: usize,
    },
    /// It was disqualified, whatever it won.
    Disqualified,
    /// What it won in a Swiss tournament.
    Points {
        /// The sum of its scores in each round; a bye counts 1/2.
        points: f64,
        /// The mean of the points of those it met.
        opponents: f64,
    },
}

/// A round.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RoundResult {
    /// Its tables: the heats of a knock-out.
    pub tables: Vec<TableResult>,
    /// Agents that go on without playing.
    pub byes: Vec<usize>,
    /// Agents that wait for others: in a double knock-out the undefeated or the defeated ones, while they are too few for a table.
    pub waiting: Vec<usize>,
}

/// A table of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableResult {
    /// Its agents, the best first.
    pub agents: Vec<AtTable>,
    /// Finished games, play-offs included.
    pub games: u64,
    /// Deals by each rule set that were added since the heat was tied where it matters.
    pub play_offs: u32,
    /// True for the final of a knock-out.
    pub is_final: bool,
    /// Heats that each of its agents had lost before, if all had lost as many; of a knock-out with two lives.
    pub losses: Option<u32>,
}

/// An agent at a table of a round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AtTable {
    /// The agent.
    pub agent: usize,
    /// The share of the other seats that it left behind, from 0 to 1; absent without games.
    pub score: Option<f64>,
    /// What the heat of a knock-out decided; absent before it is over, and in Swiss tournaments.
    pub outcome: Option<HeatOutcome>,
    /// True if the lot decided it.
    pub by_lot: bool,
    /// True if it was out, and fills the table.
    pub fills_in: bool,
}

/// What a heat means for an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeatOutcome {
    /// It goes on.
    GoesOn,
    /// It lost its first heat of two, and plays among those that did.
    FirstLoss,
    /// It is out.
    Out,
    /// The final gave it a place.
    Placed,
}

/// The order of a Swiss tournament with the points that its rounds gave.
pub(super) fn swiss_order(order: &[usize], rounds: &[RoundResult]) -> Vec<Placed> {
    let mut points = vec![0.0; order.len()];
    // By agent: the points of those it met, and how many.
    let mut met = vec![(0.0, 0_u32); order.len()];
    for round in rounds {
        round.byes.iter().for_each(|agent| points[*agent] += 0.5);
        let seated = round.tables.iter().flat_map(|table| &table.agents);
        seated.for_each(|seated| points[seated.agent] += seated.score.unwrap_or(0.0));
    }
    for table in rounds.iter().flat_map(|round| &round.tables) {
        let sum: f64 = table.agents.iter().map(|seated| points[seated.agent]).sum();
        for seated in &table.agents {
            met[seated.agent].0 += sum - points[seated.agent];
            met[seated.agent].1 += table.agents.len() as u32 - 1;
        }
    }
    let placed = |agent: &usize| {
        let (sum, count) = met[*agent];
        let by = PlacedBy::Points { points: points[*agent], opponents: sum / f64::from(count.max(1)) };
        Placed { agent: *agent, by }
    };
    order.iter().map(placed).collect()
}

impl TournamentResult {
    /// The same with other numbers of agents.
    #[must_use]
    pub fn renumbered(mut self, number: impl Fn(usize) -> usize) -> TournamentResult {
        self.order.iter_mut().for_each(|placed| placed.agent = number(placed.agent));
        for round in &mut self.rounds {
            let lists = [&mut round.byes, &mut round.waiting];
            lists.into_iter().flatten().for_each(|agent| *agent = number(*agent));
            let at_tables = round.tables.iter_mut().flat_map(|table| &mut table.agents);
            at_tables.for_each(|seated| seated.agent = number(seated.agent));
        }
        self
    }

    /// The same with some agents disqualified: they are last in the order.
    #[must_use]
    pub fn disqualifying(mut self, is_disqualified: impl Fn(usize) -> bool) -> TournamentResult {
        let (out, mut order): (Vec<Placed>, Vec<Placed>) =
            self.order.into_iter().partition(|placed| is_disqualified(placed.agent));
        order.extend(out.into_iter().map(|placed| Placed { by: PlacedBy::Disqualified, ..placed }));
        self.order = order;
        self
    }

    /// The number of rounds with a finished game.
    pub fn rounds_begun(&self) -> usize {
        self.rounds.iter().filter(|round| round.tables.iter().any(|table| table.games > 0)).count()
    }
}

impl PlacedBy {
    /// In words, for the agent that has this `place` from 0; empty where points say it.
    pub fn words(self, place: usize) -> String {
        match self {
            PlacedBy::Final if place == 0 => "won the final".to_owned(),
            PlacedBy::Final => "in the final".to_owned(),
            PlacedBy::StillIn => "still in".to_owned(),
            PlacedBy::Out { round } => format!("out in round {}", round + 1),
            PlacedBy::Disqualified => "disqualified".to_owned(),
            PlacedBy::Points { .. } => String::new(),
        }
    }
}

impl TableResult {
    /// What the table meant for the agent that has this `place` there, from 0, in words; empty before it is decided.
    ///
    /// # Panics
    /// There are fewer agents.
    pub fn words(&self, place: usize) -> String {
        let seated = &self.agents[place];
        let mut parts = match seated.outcome {
            Some(HeatOutcome::GoesOn) => vec!["goes on".to_owned()],
            Some(HeatOutcome::FirstLoss) => vec!["first loss".to_owned()],
            Some(HeatOutcome::Out) if self.losses.is_some() => vec!["out with its second loss".to_owned()],
            Some(HeatOutcome::Out) => vec!["out".to_owned()],
            Some(HeatOutcome::Placed) if place == 0 => vec!["wins".to_owned()],
            Some(HeatOutcome::Placed) | None => Vec::new(),
        };
        if seated.by_lot {
            parts.push("by lot".to_owned());
        }
        if seated.fills_in {
            parts.push("filled the table".to_owned());
        }
        match self.play_offs {
            0 => {}
            _ if place > 0 => {}
            1 => parts.push("1 play-off".to_owned()),
            deals => parts.push(format!("{deals} play-offs")),
        }
        parts.join("; ")
    }

    /// A table of distinct agents that won so many halves, in any order.
    pub(super) fn of(halves: &[(usize, u64)]) -> TableResult {
        let seats = halves.len() as u64;
        let all: u64 = halves.iter().map(|(_, won)| won).sum();
        // In a game every seat is compared with every other one.
        let games = all / (seats * (seats - 1)).max(1);
        let score = |won: u64| (games > 0).then(|| won as f64 / (2 * games * (seats - 1)) as f64);
        let mut agents = halves.to_vec();
        agents.sort_by_key(|(_, won)| std::cmp::Reverse(*won));
        let agents = agents.into_iter().map(|(agent, won)| AtTable {
            agent,
            score: score(won),
            outcome: None,
            by_lot: false,
            fills_in: false,
        });
        TableResult { agents: agents.collect(), games, play_offs: 0, is_final: false, losses: None }
    }
}
