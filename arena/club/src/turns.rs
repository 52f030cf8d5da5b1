//! Whose version is checked next. Teams take turns, so one that sends much keeps nobody waiting.

use std::collections::BTreeMap;

/// A version that waits for its check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingVersion {
    /// Its number in the club.
    pub id: i64,
    /// The team whose bot it is.
    pub team: String,
}

/// The order in which versions are checked. `waiting` is in the order of arrival: the first of each team come first, then the second of
/// each, and so on.
pub fn in_turn(waiting: &[WaitingVersion]) -> Vec<i64> {
    let mut of_team: BTreeMap<&str, usize> = BTreeMap::new();
    let mut order: Vec<(usize, usize, i64)> = Vec::new();
    for (arrival, version) in waiting.iter().enumerate() {
        let before = of_team.entry(&version.team).or_default();
        order.push((*before, arrival, version.id));
        *before += 1;
    }
    order.sort_unstable();
    order.into_iter().map(|(_, _, id)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_that_sends_much_keeps_nobody_waiting() {
        let sent = [(1, "ann"), (2, "ann"), (3, "ann"), (4, "bob"), (5, "cid"), (6, "bob")];
        let waiting: Vec<_> = sent.map(|(id, team)| WaitingVersion { id, team: team.to_owned() }).into();
        assert_eq!(in_turn(&waiting), [1, 4, 5, 2, 6, 3]);
        assert_eq!(in_turn(&[]), [0; 0]);
    }
}
