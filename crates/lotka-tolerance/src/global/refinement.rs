//! The choice of meshes, and of the runs in the table.

use super::ErrorExpansion;

/// Maximum number of runs in the table, and the minimum for which the series is preferred to powers of two.
const TABLE: (usize, usize) = (8, 4);

/// Minimum number of runs in a table that reveals orders.
const FEWEST: usize = 3;

/// Share of the tolerance that the noise of the runs may reach in the result before only powers of two are used.
const NOISE_SHARE: f64 = 0.1;

/// How meshes are refined: by 1, 2, ... 6, 8, 10, 13, 17 ... while `(sum of |table weights|) * noise < tolerance / 10`. Otherwise
/// they are refined by powers of two, whose table amplifies noise least.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Refinement {
    pub(crate) expansion: ErrorExpansion,
    /// Relative noise of a run, rounding included.
    pub(crate) level: f64,
    pub(crate) tolerance: f64,
    /// Whether meshes must have points in common between base points.
    pub(crate) shares_points: bool,
}

impl Refinement {
    /// Selects the runs of the tables to try from the usable ones, coarse to fine. Each table has the finest runs, from three of
    /// them to as many as the noise allows, because coarse runs can spoil a table. If these are too few, it has the powers of
    /// two, if there are at least two of them.
    pub(crate) fn select(&self, usable: &[u32]) -> Vec<Vec<u32>> {
        if let Some(finest) = self.finest(usable) {
            let fewest = FEWEST.min(finest.len());
            return (fewest..=finest.len()).rev().map(|count| last(&finest, count)).collect();
        }
        let powers: Vec<u32> = usable.iter().copied().filter(|n| n.is_power_of_two()).collect();
        vec![if powers.len() < 2 { last(usable, TABLE.1) } else { last(&powers, TABLE.0) }]
    }

    /// The finest runs, as many as the noise allows; `None` if these are too few.
    fn finest(&self, usable: &[u32]) -> Option<Vec<u32>> {
        let fewest = TABLE.1.min(usable.len());
        (fewest..=TABLE.0.min(usable.len())).rev().map(|count| last(usable, count)).find(|table| self.bears(table))
    }

    /// The refinement after `tried`, given the usable runs. As long as fewer than two are usable, the mesh is halved.
    pub(crate) fn next(&self, tried: u32, usable: &[u32]) -> u32 {
        let doubled = (tried + 1).next_power_of_two();
        let next = if self.shares_points { sharing(tried) } else { following(tried) };
        let with_next: Vec<u32> = usable.iter().copied().chain([next]).collect();
        if usable.len() >= 2 && self.finest(&with_next).is_some() { next } else { doubled }
    }

    fn bears(&self, table: &[u32]) -> bool {
        self.expansion.amplification(table) * self.level < NOISE_SHARE * self.tolerance
    }
}

fn last(subdivisions: &[u32], count: usize) -> Vec<u32> {
    subdivisions[subdivisions.len().saturating_sub(count)..].to_vec()
}

/// The number after `n` in 1, 2, ... 6, 8, 10, 13, 17, 22 ...: a third more each time. Of tables of equal work, those with close
/// numbers leave the smallest error (it falls with the product of the numbers), as long as they do not amplify noise too much.
fn following(n: u32) -> u32 {
    if n < 6 { n + 1 } else { n + n / 3 }
}

/// The number after `n` in 1, 2, 3, 4, 6, 8, 12, 16, 24 ..., of which most are multiples of 4.
fn sharing(n: u32) -> u32 {
    match n {
        0..4 => n + 1,
        _ if n.is_power_of_two() => n + n / 2,
        _ => (n + 1).next_power_of_two(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refinement(level: f64) -> Refinement {
        Refinement { expansion: ErrorExpansion::Even, level, tolerance: 1e-6, shares_points: false }
    }

    #[test]
    fn first_every_number_then_a_third_more() {
        let numbers: Vec<u32> = std::iter::successors(Some(1), |&n| Some(following(n))).take(15).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 29, 38, 50, 66]);
    }

    #[test]
    fn noise_asks_for_powers_of_two() {
        assert_eq!(refinement(1e-15).next(4, &[1, 2, 3, 4]), 5);
        assert_eq!(refinement(1e-8).next(4, &[1, 2, 3, 4]), 8);
        let tables = refinement(1e-15).select(&[1, 2, 3, 4, 5, 6, 7, 8, 10]);
        assert_eq!((&tables[0][..], &tables[4][..]), (&[2, 3, 4, 5, 6, 7, 8, 10][..], &[6, 7, 8, 10][..]));
        assert_eq!(refinement(1e-8).select(&[1, 2, 3, 4, 5, 6, 8]), [[1, 2, 4, 8]]);
        assert_eq!(refinement(1e-4).select(&[3, 4]), [[3, 4]]);
    }

    #[test]
    fn meshes_are_halved_until_two_runs_agree() {
        assert_eq!(refinement(0.0).next(2, &[2]), 4);
        assert_eq!(refinement(0.0).next(6, &[]), 8);
        assert_eq!(refinement(0.0).next(8, &[4, 8]), 10);
    }
}
