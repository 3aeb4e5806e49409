//! Which meshes are run, and which runs are in the table.

use super::Ladder;

/// Most runs in the table at once.
const TABLE: usize = 6;

/// Share of the tolerance that the noise of the runs may reach in the result before only powers of two are used.
const NOISE_SHARE: f64 = 0.1;

/// Steps per step of the base mesh in the finest run, if nothing else is asked for.
pub(crate) const LARGEST_REFINEMENT: u32 = 256;

/// How meshes are refined: by 1, 2, 3, 4, 5, 6, 8, 12, 16, 24 ... while `(sum of |table weights|) * noise < tolerance / 10`, else by
/// powers of two, whose table amplifies noise least.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Refinement {
    pub(crate) ladder: Ladder,
    /// Relative noise of a run, rounding included.
    pub(crate) level: f64,
    pub(crate) tolerance: f64,
}

impl Refinement {
    /// The runs of the table, out of usable ones from coarse to fine: the finest six; with noise the finest six powers of two, if
    /// there are two of them.
    pub(crate) fn select(&self, usable: &[u32]) -> Vec<u32> {
        let finest = last(usable);
        if self.bears(&finest) {
            return finest;
        }
        let powers: Vec<u32> = usable.iter().copied().filter(|n| n.is_power_of_two()).collect();
        if powers.len() < 2 { finest } else { last(&powers) }
    }

    /// The refinement after `tried`, given the usable runs. While fewer than two are usable the mesh is halved.
    pub(crate) fn next(&self, tried: u32, usable: &[u32]) -> u32 {
        let doubled = (tried + 1).next_power_of_two();
        let next = following(tried);
        let with_next: Vec<u32> = usable.iter().copied().chain([next]).collect();
        if usable.len() >= 2 && self.bears(&last(&with_next)) { next } else { doubled }
    }

    fn bears(&self, table: &[u32]) -> bool {
        self.ladder.amplification(table) * self.level < NOISE_SHARE * self.tolerance
    }
}

fn last(subdivisions: &[u32]) -> Vec<u32> {
    subdivisions[subdivisions.len().saturating_sub(TABLE)..].to_vec()
}

/// The number after `n` in 1, 2, 3, 4, 5, 6, then 8, 12, 16, 24 ... (`2^j` and `3 2^j`).
fn following(n: u32) -> u32 {
    let doubled = (n + 1).next_power_of_two();
    match n {
        0..=5 => n + 1,
        _ if doubled / 4 * 3 > n => doubled / 4 * 3,
        _ => doubled,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refinement(level: f64) -> Refinement {
        Refinement { ladder: Ladder::Even, level, tolerance: 1e-6 }
    }

    #[test]
    fn first_every_number_then_two_per_doubling() {
        let numbers: Vec<u32> = std::iter::successors(Some(1), |&n| Some(following(n))).take(15).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128]);
    }

    #[test]
    fn noise_asks_for_powers_of_two() {
        assert_eq!(refinement(1e-15).next(4, &[1, 2, 3, 4]), 5);
        assert_eq!(refinement(1e-8).next(4, &[1, 2, 3, 4]), 8);
        assert_eq!(refinement(1e-15).select(&[1, 2, 3, 4, 5, 6, 8]), [2, 3, 4, 5, 6, 8]);
        assert_eq!(refinement(1e-8).select(&[1, 2, 3, 4, 5, 6, 8]), [1, 2, 4, 8]);
        assert_eq!(refinement(1e-4).select(&[3, 4]), [3, 4]);
    }

    #[test]
    fn meshes_are_halved_until_two_runs_agree() {
        assert_eq!(refinement(0.0).next(2, &[2]), 4);
        assert_eq!(refinement(0.0).next(6, &[]), 8);
        assert_eq!(refinement(0.0).next(8, &[4, 8]), 12);
    }
}
