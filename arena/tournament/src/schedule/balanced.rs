//! Groups of agents that meet as evenly as possible, for pools with more groups than could be played. It knows agents
//! by number and no results.
//!
//! Each group takes the agents that have played least, and of them those that have met each other least; equal ones in an order
//! that is given. There is no randomness, and any prefix of the groups is balanced, so a run may stop anywhere.

/// Of those that have waited longest, this many tables may be filled at once: the same ones do not meet again and again.
const WAITING_TABLES: usize = 2;

/// The plays and meetings of a pool so far.
#[derive(Clone, Debug)]
pub struct Balance {
    plays: Vec<u64>,
    /// By agent, the number of the group that it was in last, from 1; 0 before its first.
    last: Vec<u64>,
    /// Groups so far.
    groups: u64,
    /// How often each pair of agents met, row by row.
    met: Vec<u32>,
    /// By agent, the smallest agent of its component: the agents that have met it, directly or through others.
    part: Vec<usize>,
    /// By agent, its author, if those of one author never meet; empty if they may.
    kept_apart: Vec<Option<u16>>,
    /// By agent, its place among equal ones.
    rank: Vec<u64>,
}

impl Balance {
    /// A pool of `agents` agents that have not played.
    pub fn new(agents: usize) -> Balance {
        Balance {
            plays: vec![0; agents],
            last: vec![0; agents],
            groups: 0,
            met: vec![0; agents * agents],
            part: (0..agents).collect(),
            kept_apart: Vec::new(),
            rank: (0..agents as u64).collect(),
        }
    }

    /// The same pool, in which equal agents come in the order of `ranks`, one for each agent, and not of their numbers.
    #[must_use]
    pub fn in_order_of(mut self, ranks: Vec<u64>) -> Balance {
        assert_eq!(ranks.len(), self.plays.len(), "a rank for each agent");
        self.rank = ranks;
        self
    }

    /// The same pool, in which agents of one author never meet; `authors` are empty or one for each agent.
    #[must_use]
    pub fn keeping_apart(mut self, authors: &[Option<u16>]) -> Balance {
        self.kept_apart = authors.to_vec();
        self
    }

    /// True if `agent` may sit with all of `group`.
    pub fn may_join(&self, group: &[usize], agent: usize) -> bool {
        let author = |agent: usize| self.kept_apart.get(agent).copied().flatten();
        author(agent).is_none_or(|own| group.iter().all(|other| author(*other) != Some(own)))
    }

    /// Adds an agent, with its place among equal ones, and returns its number.
    pub fn join(&mut self, rank: u64) -> usize {
        let before = self.plays.len();
        let mut met = vec![0; (before + 1) * (before + 1)];
        for row in 0..before {
            met[row * (before + 1)..][..before].copy_from_slice(&self.met[row * before..][..before]);
        }
        self.met = met;
        self.plays.push(0);
        self.last.push(0);
        self.part.push(before);
        self.rank.push(rank);
        before
    }

    /// How often each agent has played.
    pub fn plays(&self) -> &[u64] {
        &self.plays
    }

    /// How often two agents have met.
    pub fn met(&self, one: usize, other: usize) -> u32 {
        self.met[one * self.plays.len() + other]
    }

    /// Records that a group has been given a deal.
    pub fn take(&mut self, group: &[usize]) {
        let agents = self.plays.len();
        self.groups += 1;
        for (place, one) in group.iter().enumerate() {
            self.plays[*one] += 1;
            self.last[*one] = self.groups;
            for other in &group[place + 1..] {
                self.met[one * agents + other] += 1;
                self.met[other * agents + one] += 1;
                let (a, b) = (self.part[*one], self.part[*other]);
                if a != b {
                    let (kept, gone) = (a.min(b), a.max(b));
                    self.part.iter_mut().filter(|part| **part == gone).for_each(|part| *part = kept);
                }
            }
        }
    }

    /// The next group of `seats` agents, in ascending order; it is not recorded yet.
    ///
    /// # Panics
    /// There are fewer agents than seats.
    pub fn next(&self, seats: usize) -> Vec<usize> {
        let pool: Vec<usize> = (0..self.plays.len()).collect();
        self.next_with(&[], &pool, seats)
    }

    /// As [`Balance::next`], with `first` in the group and all others from `pool`: those that have met `first` least.
    ///
    /// # Panics
    /// There are too few agents for the seats.
    pub fn next_with(&self, first: &[usize], pool: &[usize], seats: usize) -> Vec<usize> {
        let agents = self.plays.len();
        assert!(seats <= first.len() + pool.len(), "{seats} seats for {} agents", first.len() + pool.len());
        let mut group: Vec<usize> = Vec::with_capacity(seats);
        // By agent: meetings with the members of the group.
        let mut meetings = vec![0_u64; agents];
        let mut given = first.iter().copied();
        while group.len() < seats {
            let parts: Vec<usize> = group.iter().map(|agent| self.part[*agent]).collect();
            let free = pool.iter().copied().filter(|agent| !group.contains(agent) && self.may_join(&group, *agent));
            let rank = |agent: &usize| {
                let with_first: u64 = first.iter().map(|one| u64::from(self.met(*one, *agent))).sum();
                (
                    with_first,
                    meetings[*agent],
                    parts.contains(&self.part[*agent]),
                    self.plays[*agent],
                    self.rank[*agent],
                    *agent,
                )
            };
            let Some(chosen) = given.next().or_else(|| free.min_by_key(rank)) else { break };
            let row = &self.met[chosen * agents..][..agents];
            meetings.iter_mut().zip(row).for_each(|(sum, met)| *sum += u64::from(*met));
            group.push(chosen);
        }
        group.sort_unstable();
        group
    }

    /// The next group of those of `pool` that have waited longest since they played: the first of them, with those of the next few
    /// that have met least. So each plays again after about as many groups as it takes to seat all, however often it has played.
    ///
    /// # Panics
    /// There are fewer agents in the pool than seats.
    pub fn next_by_wait(&self, pool: &[usize], seats: usize) -> Vec<usize> {
        let mut waiting = pool.to_vec();
        waiting.sort_unstable_by_key(|agent| (self.last[*agent], self.plays[*agent], self.rank[*agent], *agent));
        let first = &waiting[..1];
        let near = &waiting[1..waiting.len().min(WAITING_TABLES * seats)];
        let group = if near.len() + 1 < seats { Vec::new() } else { self.next_with(first, near, seats) };
        // Those may be of one author.
        if group.len() < seats { self.next_with(first, pool, seats) } else { group }
    }

    /// How well these meetings measure differences between agents: the variance in the complete design with as many groups over
    /// the mean variance here, from 0 to 1; 0 if parts of the pool have not met.
    pub fn a_efficiency(&self) -> f64 {
        let agents = self.plays.len();
        if agents < 2 || self.part.iter().any(|part| *part != 0) {
            return 0.0;
        }
        let degree = |row: usize| (0..agents).map(|column| f64::from(self.met(row, column))).sum::<f64>();
        let trace: f64 = (0..agents).map(degree).sum();
        crate::statistics::harmonic_over_arithmetic(agents, trace, |row, column| {
            if row == column { degree(row) } else { -f64::from(self.met(row, column)) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_have_waited_longest_play_next_whatever_they_have_played() {
        let mut balance = Balance::new(12);
        (0..500).for_each(|_| balance.take(&[0, 1]));
        balance.join(0);
        let pool: Vec<usize> = (0..13).collect();
        let mut last = [0; 13];
        for number in 1..=400 {
            let group = balance.next_by_wait(&pool, 2);
            balance.take(&group);
            group.iter().for_each(|agent| last[*agent] = number);
            let waited = last.iter().map(|last| number - last).max();
            assert!(waited <= Some(13), "group {number}: {last:?}");
        }
        let unmet = (2..13).flat_map(|one| (2..one).map(move |other| (one, other)));
        assert_eq!(unmet.filter(|(one, other)| balance.met(*one, *other) == 0).count(), 0, "all have met");
    }

    #[test]
    fn two_of_one_author_who_have_waited_longest_do_not_meet() {
        let authors: Vec<Option<u16>> = (0..12).map(|agent| (agent < 9).then_some(1)).collect();
        let mut balance = Balance::new(12).keeping_apart(&authors);
        (0..9).for_each(|agent| balance.take(&[agent, 9]));
        balance.take(&[10, 11]);
        let pool: Vec<usize> = (0..12).collect();
        let group = balance.next_by_wait(&pool, 2);
        assert!(group.len() == 2 && group[0] == 0 && group[1] >= 9, "{group:?}");
    }

    #[test]
    fn thirty_agents_at_tables_of_four_all_meet_within_a_hundred_groups() {
        let mut balance = Balance::new(30);
        for number in 1..=150 {
            let group = balance.next(4);
            balance.take(&group);
            let (most, least) = (balance.plays().iter().max(), balance.plays().iter().min());
            assert!(most <= least.map(|plays| plays + 3).as_ref(), "group {number}: {:?}", balance.plays());
            if number == 100 {
                let unmet = (0..30).flat_map(|one| (0..one).map(move |other| (one, other)));
                assert_eq!(unmet.filter(|(one, other)| balance.met(*one, *other) == 0).count(), 0);
            }
        }
        assert!(balance.a_efficiency() >= 0.99, "{}", balance.a_efficiency());
    }
}
