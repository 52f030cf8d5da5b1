//! Whether a worker's host is to blame for missed deadlines too often, so that it must not go on. Counts alone; why a deadline was void
//! the arena decides.

/// So many void deadlines are chance.
const FEW: u64 = 20;
/// Void deadlines among answers that are too many: one in this number.
const ONE_IN: u64 = 500;

/// What a worker's host has done to deadlines so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostBlame {
    /// Answers of agents in time.
    pub answers: u64,
    /// Deadlines that did not count.
    pub void: u64,
}

impl HostBlame {
    /// Counts what a unit's games say.
    pub fn add(&mut self, answers: u64, void: u64) {
        self.answers += answers;
        self.void += void;
    }

    /// Why the worker takes no more units, if it must not.
    pub fn verdict(&self) -> Option<String> {
        let asks = self.answers + self.void;
        (self.void > FEW && self.void * ONE_IN > asks).then(|| {
            format!(
                "the host is to blame for {} of {asks} deadlines (more than one in {ONE_IN}): it is too busy to play against the clock",
                self.void
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_drained_when_more_than_a_few_deadlines_and_one_in_many_are_void() {
        for (answers, void, drained) in [
            (0, 0, false),
            (0, 20, false),
            (0, 21, true),
            (100_000, 21, false),
            (100_000, 200, false),
            (100_000, 201, true),
        ] {
            let mut blame = HostBlame::default();
            blame.add(answers, void);
            assert_eq!(blame.verdict().is_some(), drained, "{answers} {void}");
        }
    }
}
