//! The internal steps that FMUs declare, and defaults that suit them.

use lotka_instance::ModelDescription;
use lotka_plan::time::whole;

/// Common multiples of two sizes are sought up to this multiple of the larger one.
const MOST: u32 = 1000;

/// Usual number of rows.
pub const ROWS: f64 = 100.0;

/// Number of meshes that the distance of rows should have: runs with a `tolerance` divide it, and need some for comparison. Fewer
/// are taken where rows would be too few.
const MESHES: [(usize, u64); 2] = [(6, 10), (3, 1)];

/// Distances of rows that are tried.
const TRIED: usize = 100_000;

/// The internal steps of a size that is common to all FMUs: communication steps are multiples of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InternalGrid {
    /// In seconds.
    size: f64,
}

impl InternalGrid {
    /// The internal steps of these models; `None` if none declares a size, or no size is common.
    #[must_use]
    pub fn of<'d>(descriptions: impl Iterator<Item = &'d ModelDescription>) -> Option<Self> {
        let mut sizes: Vec<f64> = descriptions.filter_map(|description| description.fixed_internal_step).collect();
        sizes.sort_by(|a, b| b.total_cmp(a));
        let (largest, others) = sizes.split_first()?;
        let size = others.iter().try_fold(*largest, |common, size| common_multiple(common, *size))?;
        Some(Self { size })
    }

    /// The longest step up to `wanted` \[s\], and at least one internal step.
    #[must_use]
    pub fn step(self, wanted: f64) -> f64 {
        self.size * whole(wanted, self.size).unwrap_or((wanted / self.size).floor()).max(1.0)
    }

    /// The last end of an internal step up to `stop` \[s\]; at least one internal step after the start.
    #[must_use]
    pub fn stop(self, start: f64, stop: f64) -> f64 {
        whole_steps(start, stop, self.size)
    }

    /// A distance between rows that divides the duration and can itself be divided into communication steps in several ways, for
    /// about a hundred rows or fewer. Durations that are no multiple of the internal steps have only a multiple of them.
    #[must_use]
    pub fn rows(self, duration: f64) -> f64 {
        let Some(count) = whole(duration, self.size) else { return self.step(duration / ROWS) };
        let count = count as u64;
        let least = (count as f64 / ROWS).ceil().max(1.0) as u64;
        let suits = |(meshes, rows): (usize, u64)| {
            let mut dividing = (least..=count / rows).take(TRIED).filter(|steps| count.is_multiple_of(*steps));
            dividing.find(|steps| divisors(*steps) >= meshes)
        };
        let steps = MESHES.into_iter().find_map(suits).unwrap_or(count);
        duration / (count / steps) as f64
    }
}

/// Number of divisors, as far as they matter.
fn divisors(number: u64) -> usize {
    (1..=number.min(512)).filter(|divisor| number.is_multiple_of(*divisor)).count()
}

/// The smallest multiple of the larger size that is a multiple of the smaller one, too.
pub(crate) fn common_multiple(larger: f64, smaller: f64) -> Option<f64> {
    (1..=MOST).map(|factor| larger * f64::from(factor)).find(|multiple| whole(*multiple, smaller).is_some())
}

/// The end of the last whole step that does not go past `stop`, which is `stop` itself but for its rounding where it can be.
#[must_use]
pub fn whole_steps(start: f64, stop: f64, step: f64) -> f64 {
    if whole(stop - start, step).is_some() { stop } else { start + ((stop - start) / step).floor().max(1.0) * step }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_multiples_are_the_smallest() {
        assert_eq!(common_multiple(0.03, 0.01), Some(0.03));
        assert_eq!(common_multiple(0.03, 0.02), Some(0.06));
        assert_eq!(common_multiple(1.0, std::f64::consts::FRAC_1_SQRT_2), None);
    }

    #[test]
    fn defaults_are_multiples_of_internal_steps() {
        let tenths = InternalGrid { size: 0.1 };
        assert_eq!([0.002, 0.1, 0.25, 0.1 + 0.2].map(|wanted| tenths.step(wanted)), [0.1, 0.1, 0.2, 0.1 * 3.0]);
        assert_eq!([2.0, 2.05, 0.01].map(|stop| tenths.stop(0.0, stop)), [2.0, 2.0, 0.1]);
    }

    #[test]
    fn rows_leave_room_for_several_meshes() {
        let rows = |size, duration| InternalGrid { size }.rows(duration);
        assert_eq!(rows(0.1, 2.0), 0.4);
        assert_eq!(rows(0.1, 10.0), 0.4);
        assert_eq!(rows(1.0, 10.0), 10.0, "steps of 1, 2, 5 and 10 s");
        assert_eq!(rows(1.0, 1.0), 1.0, "a single step");
        assert_eq!(rows(0.01, 20.0), 0.2);
        assert_eq!(rows(1e-3, 3.0), 0.03);
        assert_eq!(rows(1e-9, 1.0), 0.01);
        assert_eq!(rows(0.1, 2.05), 0.1);
    }
}
