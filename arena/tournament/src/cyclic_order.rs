//! The ways to seat a group around a table, by number. Pure arithmetic: `plan` says who the members of the group are.
//!
//! With `n` agents there are `(n - 1)!` cyclic orders. They are visited in steps coprime to their number, so each comes once
//! before any comes again; the step is near the golden section of that number, so that if there are more orders than deals the
//! first ones are already far apart.

/// Cyclic order number `turn` of the places `0..seats`. The first place stays first; turn 0 leaves the order unchanged.
pub(crate) fn cyclic_order(turn: u64, seats: usize) -> Vec<usize> {
    let others = seats.saturating_sub(1);
    let orders: u64 = (1..=others as u64).product();
    let rank = u128::from(turn) * u128::from(coprime_step(orders)) % u128::from(orders);
    let mut rank = rank as u64;
    let mut left: Vec<usize> = (1..seats).collect();
    let mut order = vec![0];
    let mut below = orders;
    while !left.is_empty() {
        below /= left.len() as u64;
        order.push(left.remove((rank / below) as usize));
        rank %= below;
    }
    order
}

/// The largest number up to the golden section of `orders` that is coprime to it: in such steps every number below `orders` is
/// visited once, and neighbours lie far apart.
pub(crate) fn coprime_step(orders: u64) -> u64 {
    let golden = (u128::from(orders) * 618_034 / 1_000_000) as u64;
    (1..=golden.max(1)).rev().find(|step| divisor(*step, orders) == 1).unwrap_or(1)
}

/// The greatest common divisor.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_order_comes_once_before_any_comes_again() {
        for (seats, orders) in [(2, 1), (3, 2), (4, 6), (5, 24), (6, 120), (7, 720)] {
            let seen: BTreeSet<Vec<usize>> = (0..orders).map(|turn| cyclic_order(turn, seats)).collect();
            assert_eq!(seen.len() as u64, orders, "{seats} seats");
            assert!(seen.iter().all(|order| order[0] == 0));
            assert_eq!(cyclic_order(0, seats), (0..seats).collect::<Vec<_>>());
            assert_eq!(cyclic_order(orders, seats), cyclic_order(0, seats));
        }
    }

    #[test]
    fn at_a_large_table_neighbours_change_from_the_start() {
        let neighbours = |turn| {
            let order = cyclic_order(turn, 16);
            (0..16).map(|place| (order[place], order[(place + 1) % 16])).collect::<BTreeSet<_>>()
        };
        let met: BTreeSet<_> = (0..200).flat_map(neighbours).collect();
        assert_eq!(met.len(), 16 * 15, "everybody has sat beside everybody");
        assert!(neighbours(0).intersection(&neighbours(1)).count() < 8);
    }
}
