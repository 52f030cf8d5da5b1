//! Knock-out rounds in heats: how many agents go on without playing in the first round, and who meets whom. Pure functions of
//! numbers and of an order of agents; how the tables are played and who wins is not known here.

/// What a choice of byes in the first round leads to, the worst first; the smaller one is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Trouble {
    /// Agents that come into the final without playing in the round before it.
    byes_into_final: usize,
    /// Byes after the first round.
    later_byes: usize,
    /// Agents that are out and fill a table.
    fill_ins: usize,
    /// Byes in the first round.
    first_byes: usize,
}

/// How many of `agents` go on without playing in the first round, at tables of `seats` of which `advance` go on: as many as make
/// the tables of all later rounds fill, or come nearest to it. At tables of two, those that are missing to a power of two.
///
/// # Panics
/// Nobody is left out at a table, or everybody is.
pub fn first_byes(agents: usize, seats: usize, advance: usize) -> usize {
    assert!((1..seats).contains(&advance), "{advance} of {seats} go on");
    let choices = (agents % seats..=agents.saturating_sub(seats)).step_by(seats);
    choices.min_by_key(|byes| trouble(agents, seats, advance, *byes)).unwrap_or_default()
}

/// What follows if so many have byes in the first round.
fn trouble(agents: usize, seats: usize, advance: usize, byes: usize) -> Trouble {
    let mut trouble = Trouble { first_byes: byes, ..Trouble::default() };
    let (mut left, mut free) = (agents, byes);
    loop {
        let heats = (left - free).div_ceil(seats);
        let next = free + heats * advance;
        if next <= seats {
            trouble.byes_into_final += free;
            trouble.fill_ins += seats - next;
            return trouble;
        }
        left = next;
        let missing = fill_ins(left, seats, advance, agents - left);
        (free, trouble.fill_ins) = match missing {
            Some(missing) => (0, trouble.fill_ins + missing),
            None => (left % seats, trouble.fill_ins),
        };
        trouble.later_byes += free;
    }
}

/// How many of the `out` agents that are out fill the tables of `left` ones after the first round; `None` if they are too few, or if
/// the heats would then leave as many agents in as before.
pub fn fill_ins(left: usize, seats: usize, advance: usize, out: usize) -> Option<usize> {
    let heats = left.div_ceil(seats);
    let missing = heats * seats - left;
    (missing <= out && heats * (seats - advance) > missing).then_some(missing)
}

/// The heats of `agents`, listed from the best on, in serpentine order, so that the best are spread.
///
/// # Panics
/// The agents do not fill tables of `seats`.
pub fn serpentine(agents: &[usize], seats: usize) -> Vec<Vec<usize>> {
    assert!(agents.len().is_multiple_of(seats), "{} agents at tables of {seats}", agents.len());
    let count = agents.len() / seats;
    let mut heats = vec![Vec::with_capacity(seats); count];
    for (lap, agents) in agents.chunks(count.max(1)).enumerate() {
        for (place, agent) in agents.iter().enumerate() {
            let heat = if lap % 2 == 0 { place } else { count - 1 - place };
            heats[heat].push(*agent);
        }
    }
    heats
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_tables_of_two_byes_make_a_power_of_two() {
        for agents in 2..=40_usize {
            let byes = first_byes(agents, 2, 1);
            assert_eq!(byes, agents.next_power_of_two() - agents, "{agents} agents");
        }
    }

    #[test]
    fn at_larger_tables_byes_leave_the_least_to_fill_later() {
        // Agents, seats, who go on: byes.
        for (agents, seats, advance, byes) in
            [(16, 4, 1, 0), (16, 4, 2, 0), (17, 4, 2, 13), (9, 4, 1, 5), (5, 4, 2, 1), (6, 3, 1, 0), (8, 8, 4, 0)]
        {
            assert_eq!(
                first_byes(agents, seats, advance),
                byes,
                "{agents} agents at tables of {seats}, {advance} go on"
            );
        }
    }

    #[test]
    fn tables_are_filled_only_where_somebody_is_out_and_heats_shrink() {
        assert_eq!(fill_ins(5, 2, 1, 4), Some(1));
        assert_eq!(fill_ins(6, 2, 1, 0), Some(0));
        assert_eq!(fill_ins(5, 4, 1, 2), None, "too few are out");
        assert_eq!(fill_ins(4, 3, 2, 9), None, "two heats of three would leave four again");
    }

    #[test]
    fn the_best_are_spread_over_the_heats() {
        assert_eq!(serpentine(&[0, 1, 2, 3, 4, 5], 3), [[0, 3, 4], [1, 2, 5]]);
        assert_eq!(serpentine(&[7, 3], 2), [[7, 3]]);
        assert_eq!(serpentine(&[], 2), Vec::<Vec<usize>>::new());
    }
}
