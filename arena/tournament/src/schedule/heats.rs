//! A knock-out round in heats: the best go on without playing where tables would not fill, the others meet in serpentine
//! order, so that the best are spread.

/// A round of heats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Who goes on without playing, the best first.
    pub free: Vec<usize>,
    /// The heats, the agents of each from the best on; a single one is the final.
    pub heats: Vec<Vec<usize>>,
}

/// The round of those who are left, `seeds` from the best on, at tables of `seats`.
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
