//! Choosing `k` out of `n`, by number: the combinatorial number system (Knuth, TAOCP 4A, 7.2.1.3, theorem L). Pure
//! arithmetic: it knows no agents and no games.
//!
//! Combinations are numbered in colexicographic order, so those of the first `n` things keep their numbers when another thing
//! is appended.

/// The number of ways to choose `k` out of `n`; `u64::MAX` if it does not fit.
pub(crate) fn choose(n: u64, k: u64) -> u64 {
    let Some(rest) = n.checked_sub(k) else { return 0 };
    // With the smaller half the partial products only grow, so if one does not fit, neither does the result.
    let mut product: u128 = 1;
    for step in 0..k.min(rest) {
        product = product * u128::from(n - step) / u128::from(step + 1);
        if product > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    product as u64
}

/// Combination number `rank` of `k` out of 0, 1, 2, …, in ascending order.
pub(crate) fn combination(rank: u64, k: usize) -> Vec<u64> {
    let mut members = vec![0; k];
    let mut rest = rank;
    for place in (0..k).rev() {
        let size = place as u64 + 1;
        let member = largest_within(rest, size);
        rest -= choose(member, size);
        members[place] = member;
    }
    members
}

/// The largest `c` with `choose(c, k) <= rest`, for `k > 0`.
fn largest_within(rest: u64, k: u64) -> u64 {
    let mut low = k - 1;
    let mut high = k;
    while choose(high, k) <= rest {
        (low, high) = (high, high * 2);
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if choose(middle, k) <= rest { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_binomials_are_right_and_large_ones_saturate() {
        for (n, k, expected) in
            [(0, 0, 1), (5, 0, 1), (5, 2, 10), (5, 5, 1), (2, 3, 0), (16, 8, 12_870), (1_024, 2, 523_776)]
        {
            assert_eq!(choose(n, k), expected, "{n} choose {k}");
        }
        assert_eq!(choose(67, 33), 14_226_520_737_620_288_370);
        assert_eq!(choose(68, 34), u64::MAX);
        assert_eq!(choose(u64::MAX, 8), u64::MAX);
    }

    #[test]
    fn four_choose_two_is_listed_in_colexicographic_order() {
        let listed: Vec<_> = (0..6).map(|rank| combination(rank, 2)).collect();
        assert_eq!(listed, [[0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3]]);
    }

    #[test]
    fn every_rank_has_its_own_ascending_combination() {
        for (n, k) in [(5, 1), (7, 3), (16, 16), (18, 16)] {
            let listed: Vec<_> = (0..choose(n, k as u64)).map(|rank| combination(rank, k)).collect();
            assert!(listed.iter().all(|members| members.is_sorted_by(|a, b| a < b) && members[k - 1] < n));
            // Colexicographic order compares the largest members first.
            assert!(listed.is_sorted_by(|a, b| a.iter().rev().lt(b.iter().rev())), "{n} choose {k}");
        }
    }
}
