//! A knock-out round in heats: if tables would not fill, the best advance without playing; the others meet in
//! serpentine order, so that the best are spread. A pure function of an order of agents; how the tables are played and
//! who wins is not known here.

/// A round of heats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The agents that advance without playing, the best first.
    pub free: Vec<usize>,
    /// The heats, each with its agents from the best on; a single one is the final.
    pub heats: Vec<Vec<usize>>,
}

/// The round of the remaining agents, `seeds` from the best on, at tables of `seats`.
///
/// # Panics
/// A table would have no seats.
pub fn round(seeds: &[usize], seats: usize) -> Round {
    assert!(seats > 0, "tables without seats");
    if seeds.len() <= seats {
        return Round { free: Vec::new(), heats: vec![seeds.to_vec()] };
    }
    let (free, playing) = seeds.split_at(seeds.len() % seats);
    let count = playing.len() / seats;
    let mut heats = vec![Vec::with_capacity(seats); count];
    for (lap, agents) in playing.chunks(count).enumerate() {
        for (place, agent) in agents.iter().enumerate() {
            let heat = if lap % 2 == 0 { place } else { count - 1 - place };
            heats[heat].push(*agent);
        }
    }
    Round { free: free.to_vec(), heats }
}
