//! Lots: what decides between agents whom results leave equal, the same each time it is asked.

/// The lot of `agent` in the draw number `draw`: the smaller one is drawn first. SplitMix64's last step (Steele, Lea, Flood,
/// OOPSLA 2014) over the seed of all lots.
pub(crate) fn lot(seed: u64, draw: u64, agent: usize) -> u64 {
    let mut mixed = seed;
    for part in [draw, agent as u64] {
        mixed = mixed.wrapping_add(part.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
    }
    mixed
}
