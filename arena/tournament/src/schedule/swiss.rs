//! A Swiss round at tables of any size: equals meet, and agents that have met before seldom meet again. A pure function
//! of scores and earlier meetings; it plays nothing and keeps nothing.

/// The tables of a round, and the agents that sit out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwissRound {
    /// The agents of each table, in the order in which they were chosen.
    pub tables: Vec<Vec<usize>>,
    /// The agents that sit out, in the order of the standings.
    pub byes: Vec<usize>,
}

/// The next round: `order` lists the agents, the best first; `met` returns how often two of them met, `byes` how often each sat
/// out. Agents that do not fill a table sit out: fewest byes first, from the end of the order. The best remaining one opens a
/// table; each further seat goes to the agent, among the next two tables' worth in order, that has met those at the table least
/// often.
///
/// # Panics
/// A table would have no seats.
pub fn round(
    order: &[usize],
    seats: usize,
    met: impl Fn(usize, usize) -> u64,
    byes: impl Fn(usize) -> u64,
) -> SwissRound {
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
    SwissRound { tables, byes: out.into_iter().map(|place| order[place]).collect() }
}
