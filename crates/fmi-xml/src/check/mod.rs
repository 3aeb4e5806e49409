//! Checks that all versions share: methods of [`Findings`](crate::Findings).

mod experiment;
mod names;
mod ranges;
mod root;
mod units;

pub use experiment::repair_experiment;
pub use ranges::Range;
pub use units::Units;

use std::collections::HashSet;
use std::hash::Hash;

/// Returns the indices of values that occur earlier in the sequence.
pub fn repeated<T: Eq + Hash>(values: impl Iterator<Item = T>) -> Vec<usize> {
    let mut seen = HashSet::new();
    values.enumerate().filter_map(|(index, value)| (!seen.insert(value)).then_some(index)).collect()
}
