//! Bitwise comparison of the rows of two runs.

use lotka::Memory;

/// Returns the bit patterns of all times and numbers, column by column.
#[must_use]
pub fn bits(rows: &Memory) -> Vec<u64> {
    let columns = rows.columns().iter().filter_map(|column| rows.real(&column.name));
    std::iter::once(rows.time()).chain(columns).flatten().map(|value| value.to_bits()).collect()
}
