//! A Swiss round at tables of any size: equals meet, those who have met before seldom do again.

/// The tables of a round, and who sits out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The agents of each table, in the order in which they were seated.
    pub tables: Vec<Vec<usize>>,
    /// Those who sit out, in the order of the standings.
    pub byes: Vec<usize>,
}

/// The next round: `order` are the agents, the best first; `met` says how often two of them met, `byes` how often each sat
/// out. Too many for full tables sit out: fewest byes first, from the end of the order. The best one left opens a table;
/// each further seat goes to whoever, among the next two tables' worth in order, met those at the table least often.
///
/// # Panics
/// A table would have no seats.
pub fn round(order: &[usize], seats: usize, met: impl Fn(usize, usize) -> u64, byes: impl Fn(usize) -> u64) -> Round {
    assert!(seats > 0, "tables without seats");
    let mut from_end: Vec<usize> = (0..order.len()).rev().collect();
    from_end.sort_by_key(|place| byes(order[*place]));
    let mut out = from_end[..order.len() % seats].to_vec();
    out.sort_unstable();
    let mut left: Vec<usize> =
        (0..order.len()).filter(|place| !out.contains(place)).map(|place| order[place]).collect();
    let mut tables = Vec::new();
    while !left.is_empty() {
        let mut table = vec![left.remove(0)];
        while table.len() < seats {
            let meetings = |agent: usize| table.iter().map(|other| met(agent, *other)).sum::<u64>();
            let near = left.iter().take(2 * seats).enumerate();
            let Some((place, _)) = near.min_by_key(|(place, agent)| (meetings(**agent), *place)) else { break };
            table.push(left.remove(place));
        }
        tables.push(table);
    }
    Round { tables, byes: out.into_iter().map(|place| order[place]).collect() }
}
