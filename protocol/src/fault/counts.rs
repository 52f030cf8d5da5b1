//! What a seat did wrong, counted: faults of every kind by their names, as results, standings and run files show them.
//!
//! What is counted when is the fault table's business, which belongs to the referee.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::ConductFault;
use crate::event::RuleFault;
use crate::named::named;

/// One of the kinds that are counted. They are ordered by their names, which are unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CountedFault {
    /// A conduct fault.
    Conduct(ConductFault),
    /// A rule fault.
    Rule(RuleFault),
    /// What costs nothing, but is counted.
    Free(FreeFault),
}

named! {
    /// What costs nothing, but is counted beside the faults.
    pub enum FreeFault {
        /// An action that cannot be done now (G-02).
        NotNow = "not_now",
        /// A failure of the author's code (SPEC 6.16).
        Crash = "crash",
    }
}

impl CountedFault {
    /// The name in results, tables and run files.
    pub const fn name(self) -> &'static str {
        match self {
            CountedFault::Conduct(fault) => fault.name(),
            CountedFault::Rule(fault) => fault.name(),
            CountedFault::Free(fault) => fault.name(),
        }
    }
}

impl From<ConductFault> for CountedFault {
    fn from(fault: ConductFault) -> CountedFault {
        CountedFault::Conduct(fault)
    }
}

impl From<RuleFault> for CountedFault {
    fn from(fault: RuleFault) -> CountedFault {
        CountedFault::Rule(fault)
    }
}

impl From<FreeFault> for CountedFault {
    fn from(fault: FreeFault) -> CountedFault {
        CountedFault::Free(fault)
    }
}

impl Ord for CountedFault {
    fn cmp(&self, other: &CountedFault) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl PartialOrd for CountedFault {
    fn partial_cmp(&self, other: &CountedFault) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// How often a seat, or an agent in many games, committed each fault. As JSON it is an object of counts by name; faults that
/// did not occur are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FaultCounts(BTreeMap<CountedFault, u64>);

impl FaultCounts {
    /// Counts one more `fault`; returns the new count.
    pub fn add(&mut self, fault: impl Into<CountedFault>) -> u64 {
        let count = self.0.entry(fault.into()).or_default();
        *count += 1;
        *count
    }

    /// How often `fault` occurred.
    pub fn get(&self, fault: impl Into<CountedFault>) -> u64 {
        self.0.get(&fault.into()).copied().unwrap_or(0)
    }

    /// The faults that occurred, by name, each with its count.
    pub fn iter(&self) -> impl Iterator<Item = (CountedFault, u64)> + '_ {
        self.0.iter().map(|(fault, count)| (*fault, *count))
    }

    /// The number of all faults together.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// True if no fault occurred.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What people read, such as `1 gone, 2 slow`, the faults joined by `separator`.
    pub fn list(&self, separator: &str) -> String {
        self.iter().map(|(fault, count)| format!("{count} {fault}")).collect::<Vec<_>>().join(separator)
    }
}

impl AddAssign<&FaultCounts> for FaultCounts {
    fn add_assign(&mut self, other: &FaultCounts) {
        for (fault, count) in other.iter() {
            *self.0.entry(fault).or_default() += count;
        }
    }
}

impl<F: Into<CountedFault>> FromIterator<F> for FaultCounts {
    fn from_iter<T: IntoIterator<Item = F>>(faults: T) -> FaultCounts {
        let mut counts = FaultCounts::default();
        faults.into_iter().for_each(|fault| _ = counts.add(fault));
        counts
    }
}

impl fmt::Display for CountedFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every() -> impl Iterator<Item = CountedFault> {
        let conduct = ConductFault::ALL.map(CountedFault::Conduct);
        let rule = RuleFault::ALL.map(CountedFault::Rule);
        conduct.into_iter().chain(rule).chain(FreeFault::ALL.map(CountedFault::Free))
    }

    #[test]
    fn every_fault_has_a_name_of_its_own_and_is_read_by_it() {
        let all: FaultCounts = every().collect();
        assert_eq!(all.iter().count(), every().count());
        let json = serde_json::to_string(&all).expect("JSON");
        for fault in every() {
            assert!(json.contains(&format!("\"{fault}\":1")), "{fault}");
        }
        assert_eq!(serde_json::from_str::<FaultCounts>(&json).expect("what was written"), all);
        assert!(serde_json::from_str::<FaultCounts>(r#"{"lazy":1}"#).is_err());
    }

    #[test]
    fn counts_add_up_and_are_listed_by_name() {
        let mut counts: FaultCounts =
            [RuleFault::Slow.into(), CountedFault::from(ConductFault::Gone)].into_iter().collect();
        counts += &counts.clone();
        assert_eq!(counts.add(RuleFault::Slow), 3);
        assert_eq!((counts.get(ConductFault::Gone), counts.get(FreeFault::Crash), counts.total()), (2, 0, 5));
        assert_eq!(counts.list(", "), "2 gone, 3 slow");
    }
}
