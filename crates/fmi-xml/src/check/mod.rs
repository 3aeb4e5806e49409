//! Checks that all versions share: methods of [`Findings`](crate::Findings).

mod experiment;
mod lists;
mod names;
mod ranges;
mod root;
mod units;
mod variables;

pub use experiment::repair_experiment;
pub use lists::{Listing, repair_dependencies};
pub use ranges::Range;
pub use root::is_date_and_time;
pub use units::Units;
pub use variables::{Combination, legal_initials};

use std::collections::HashSet;
use std::hash::Hash;

/// Returns the indices of values that occur earlier in the sequence.
pub fn repeated<T: Eq + Hash>(values: impl Iterator<Item = T>) -> Vec<usize> {
    let mut seen = HashSet::new();
    values.enumerate().filter_map(|(index, value)| (!seen.insert(value)).then_some(index)).collect()
}
