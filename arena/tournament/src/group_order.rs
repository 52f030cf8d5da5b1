//! The order in which the groups of a complete round-robin play within a lap: a run that stops anywhere has about as many games
//! of each agent. It knows groups by their colexicographic number, and neither deals nor games.

use std::sync::Arc;

use crate::combinations::{choose, combination};
use crate::cyclic_order::coprime_step;

/// Up to so many groups their order is worked out; beyond, they come in steps.
const MOST_LISTED: u64 = 1_000;

/// The place of a group that does not play.
const NOWHERE: u32 = u32::MAX;

/// The groups of a lap by place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GroupOrder {
    /// By place, the group; by group, its place.
    Listed { group: Arc<[u32]>, place: Arc<[u32]> },
    /// Place `p` is the group `p * step` modulo `groups`, and the group `g` has the place `g * back`.
    Steps { groups: u64, step: u64, back: u64 },
}

impl GroupOrder {
    /// The order of all groups of `seats` out of `agents`, which must be at least one.
    pub(crate) fn new(agents: usize, seats: usize) -> GroupOrder {
        let groups = choose(agents as u64, seats as u64);
        if groups > MOST_LISTED {
            let step = coprime_step(groups);
            return GroupOrder::Steps { groups, step, back: inverse_modulo(step, groups) };
        }
        GroupOrder::listed(evenly(agents, (0..groups).map(|group| members(group, seats)).collect()), groups)
    }

    /// The order of those groups that are `wanted`, which must be at least one. All groups are listed, so there must not be too many.
    pub(crate) fn of_some(agents: usize, seats: usize, wanted: impl Fn(&[usize]) -> bool) -> GroupOrder {
        let groups = choose(agents as u64, seats as u64);
        let is_wanted = |(_, members): &(u32, Vec<usize>)| wanted(members);
        if groups > MOST_LISTED {
            let step = coprime_step(groups);
            let in_steps = (0..groups).map(|place| members(multiplied(place, step, groups), seats));
            return GroupOrder::listed(in_steps.filter(is_wanted).map(|(number, _)| number).collect(), groups);
        }
        let all = (0..groups).map(|group| members(group, seats));
        GroupOrder::listed(evenly(agents, all.filter(is_wanted).collect()), groups)
    }

    /// The order `group` of some of so many `groups`.
    fn listed(group: Vec<u32>, groups: u64) -> GroupOrder {
        let mut place = vec![NOWHERE; groups as usize];
        (0..).zip(&group).for_each(|(at, group)| place[*group as usize] = at);
        GroupOrder::Listed { group: group.into(), place: place.into() }
    }

    /// The number of groups.
    pub(crate) fn groups(&self) -> u64 {
        match self {
            GroupOrder::Listed { group, .. } => group.len() as u64,
            GroupOrder::Steps { groups, .. } => *groups,
        }
    }

    /// The group at a place of the lap.
    pub(crate) fn group(&self, place: u64) -> u64 {
        match self {
            GroupOrder::Listed { group, .. } => group[place as usize].into(),
            GroupOrder::Steps { groups, step, .. } => multiplied(place, *step, *groups),
        }
    }

    /// The place of a group; `None` if there is no such group.
    pub(crate) fn place(&self, group: u64) -> Option<u64> {
        match self {
            GroupOrder::Listed { place, .. } => place
                .get(usize::try_from(group).ok()?)
                .filter(|place| **place != NOWHERE)
                .map(|place| u64::from(*place)),
            GroupOrder::Steps { groups, back, .. } => (group < *groups).then(|| multiplied(group, *back, *groups)),
        }
    }
}

/// The number of a group and its agents.
fn members(group: u64, seats: usize) -> (u32, Vec<usize>) {
    (group as u32, combination(group, seats).into_iter().map(|agent| agent as usize).collect())
}

/// The groups `left`, each the one whose agents have played least, then met least.
fn evenly(agents: usize, mut left: Vec<(u32, Vec<usize>)>) -> Vec<u32> {
    let (mut plays, mut met) = (vec![0_u32; agents], vec![0_u32; agents * agents]);
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let cost = |group: &[usize]| {
            let most = group.iter().map(|agent| plays[*agent]).max();
            let played: u32 = group.iter().map(|agent| plays[*agent]).sum();
            let meetings: u32 = pairs(group).map(|(one, other)| met[one * agents + other]).sum();
            (most, played, meetings)
        };
        // Of equals the first one is taken.
        let Some(best) = (0..left.len()).min_by_key(|at| (cost(&left[*at].1), left[*at].0)) else { break };
        let (number, group) = left.swap_remove(best);
        group.iter().for_each(|agent| plays[*agent] += 1);
        pairs(&group).for_each(|(one, other)| met[one * agents + other] += 1);
        order.push(number);
    }
    order
}

fn pairs(group: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    group.iter().enumerate().flat_map(|(at, one)| group[at + 1..].iter().map(move |other| (*one, *other)))
}

fn multiplied(value: u64, by: u64, modulus: u64) -> u64 {
    (u128::from(value) * u128::from(by) % u128::from(modulus)) as u64
}

/// The number with which `value`, coprime to `modulus`, makes 1 modulo `modulus`.
fn inverse_modulo(value: u64, modulus: u64) -> u64 {
    let (mut old, mut rest) = (i128::from(value), i128::from(modulus));
    let (mut factor, mut next) = (1_i128, 0_i128);
    while rest != 0 {
        let quotient = old / rest;
        (old, rest) = (rest, old - quotient * rest);
        (factor, next) = (next, factor - quotient * next);
    }
    factor.rem_euclid(i128::from(modulus)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_a_place_of_its_own() {
        for (agents, seats) in [(2, 2), (6, 4), (12, 3), (30, 3), (50, 2)] {
            let order = GroupOrder::new(agents, seats);
            assert_eq!(order.groups(), choose(agents as u64, seats as u64));
            for place in 0..order.groups() {
                assert_eq!(order.place(order.group(place)), Some(place), "{agents} agents");
            }
            assert_eq!(order.place(order.groups()), None);
        }
    }
}
