//! Detection of grids, by steps so small that an instance changes nothing in most of them.
//!
//! An instance that advances smoothly changes its outputs in every step, however small. One with a grid changes them only in
//! steps that pass a grid point. One at rest changes nothing, which is no grid. So the detection begins with the smallest step
//! with a change ([`first_change`]). If smaller steps after it also cause changes, there is no grid ([`is_smooth`]). Otherwise
//! the next three changes are located. If they are equidistant, their distance is the size of the grid, and changes at 4, 16, 64
//! ... times the distance refine it. If a change is not at its expected place, there is no grid. If the time span ends before
//! there are enough changes, the size is estimated from the time between two successive changes.

use lotka_step::algorithm::Change;

/// An instance that makes steps with constant inputs.
pub(super) trait Walk {
    /// Its present time \[s\].
    fn now(&self) -> f64;
    /// Its maximum time \[s\].
    fn stop(&self) -> f64;
    /// Makes a step and returns its effect; `None` if it cannot be made.
    fn step(&mut self, h: f64) -> Option<Change>;
    /// Changes the inputs, or restores them.
    fn stir(&mut self);
    /// Its continuous outputs.
    fn values(&self) -> Vec<f64>;
}

/// Size of the first step, as a share of the distance between rows.
const FIRST: f64 = 1.0 / 131_072.0;

/// Maximum size of a grid, as a multiple of the distance between rows.
const LONGEST: f64 = 16.0;

/// Number of parts of a step that are checked for changes.
const PARTS: f64 = 8.0;

/// Approximate number of parts of the time between two changes.
const RESOLUTION: f64 = 24.0;

/// Maximum number of steps from one change to the next, and within the time in which one is expected.
const MOST: (u32, u32) = (60, 17);

/// Growth factor of the distance over which changes are sought. It keeps the time in which one is expected below the size of the
/// grid.
const GROWTH: f64 = 4.0;

/// The time interval of a change: after the first time and at or before the second \[s\].
type Moment = (f64, f64);

/// Bounds of the size of the grid \[s\]; `None` if there is no sign of a grid. Rows are `row` apart \[s\]; grids are sought up to
/// this share of the remaining time.
pub(super) fn grid(walk: &mut impl Walk, row: f64, share: f64) -> Option<(f64, f64)> {
    let longest = (LONGEST * row).min(share * (walk.stop() - walk.now()));
    let first = FIRST * row;
    let step = match first_change(walk, first, longest)? {
        Some(step) => step,
        None => {
            walk.stir();
            first_change(walk, first, longest)??
        }
    };
    let changed = walk.now();
    if is_smooth(walk, step)? {
        return None;
    }
    let change = (changed - step, changed);
    let next = next_change(walk, step / PARTS, longest)?;
    let part = (next.1 - changed).max(step) / RESOLUTION;
    let changes = [(); 3].map(|()| locate(walk, part, MOST.0));
    let [Some(first), Some(second), Some(third)] = changes else {
        let is_over = walk.now() + part > walk.stop();
        return is_over.then(|| bounds(change, next, 1.0)).filter(|(low, _)| *low > 0.0);
    };
    let (before, after) = (bounds(first, second, 1.0), bounds(second, third, 1.0));
    let is_regular = before.0 <= after.1 && after.0 <= before.1;
    if is_regular { refine(walk, first, third) } else { None }
}

/// The first of successively doubled steps with a clear change; `Some(None)` if no step shows one. The outer `None`: a step
/// cannot be made.
fn first_change(walk: &mut impl Walk, first: f64, longest: f64) -> Option<Option<f64>> {
    let (begin, mut h) = (walk.now(), first);
    while walk.now() - begin < longest {
        h = h.min(walk.stop() - walk.now());
        if walk.step(h)? == Change::Clear {
            return Some(Some(h));
        }
        h = walk.now() - begin;
    }
    Some(None)
}

/// Whether an output changes in two successive parts of such a step.
fn is_smooth(walk: &mut impl Walk, step: f64) -> Option<bool> {
    let mut changed = 0;
    for _ in 0..(0.5 * PARTS) as u32 {
        changed = if walk.step(step / PARTS)? == Change::None { 0 } else { changed + 1 };
        if changed == 2 {
            return Some(true);
        }
    }
    Some(false)
}

/// The next change, in successively doubled steps.
fn next_change(walk: &mut impl Walk, first: f64, longest: f64) -> Option<Moment> {
    let (begin, mut h) = (walk.now(), first);
    while walk.now() - begin < longest {
        let before = walk.now();
        if walk.step(h.min(walk.stop() - before))? != Change::None {
            return Some((before, walk.now()));
        }
        h = walk.now() - begin;
    }
    None
}

/// The next change, in equal steps.
fn locate(walk: &mut impl Walk, step: f64, most: u32) -> Option<Moment> {
    for _ in 0..most {
        let before = walk.now();
        if walk.step(step)? != Change::None {
            return Some((before, walk.now()));
        }
    }
    None
}

/// Bounds of the distance of two changes, divided by their number.
fn bounds(first: Moment, last: Moment, count: f64) -> (f64, f64) {
    ((last.0 - first.1) / count, (last.1 - first.0) / count)
}

/// Narrows the bounds with more distant changes, until the time span ends.
fn refine(walk: &mut impl Walk, first: Moment, third: Moment) -> Option<(f64, f64)> {
    let (mut count, mut last) = (2.0, third);
    loop {
        let (low, high) = bounds(first, last, count);
        count *= GROWTH;
        let expected = (first.0 + count * low, first.1 + count * high);
        if expected.1 >= walk.stop() {
            return (low > 0.0).then_some((low, high));
        }
        walk.step(expected.0 - walk.now())?;
        let part = (expected.1 - expected.0) / f64::from(MOST.1 - 1);
        last = locate(walk, part, MOST.1)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The internal behavior of an instance.
    enum Inside {
        /// It advances to the last grid point at or before its target, or to the first one at or after it.
        Grid {
            size: f64,
            offset: f64,
            past: bool,
        },
        Smooth,
        /// Nothing changes before that time with these inputs, or with any.
        Still {
            until: f64,
            stirs: bool,
        },
        /// Its input changes in jumps at these times.
        Irregular(Vec<f64>),
    }

    struct Fake {
        inside: Inside,
        t: f64,
        stop: f64,
        is_stirred: bool,
        calls: u32,
    }

    impl Fake {
        fn value(&self) -> f64 {
            match &self.inside {
                Inside::Grid { size, offset, past: false } => ((self.t - offset) / size + 1e-9).floor() * size,
                Inside::Grid { size, offset, past: true } => ((self.t - offset) / size - 1e-9).ceil() * size,
                Inside::Smooth => self.t.sin(),
                Inside::Still { until, stirs } if !(*stirs && self.is_stirred) => (self.t - until).max(0.0),
                Inside::Still { .. } => self.t,
                Inside::Irregular(times) => times.iter().filter(|time| **time <= self.t).count() as f64,
            }
        }
    }

    impl Walk for Fake {
        fn now(&self) -> f64 {
            self.t
        }

        fn stop(&self) -> f64 {
            self.stop
        }

        fn step(&mut self, h: f64) -> Option<Change> {
            let before = self.value();
            (self.t, self.calls) = (self.t + h, self.calls + 1);
            (self.t <= self.stop).then(|| Change::of([(before, self.value())]))
        }

        fn stir(&mut self) {
            self.is_stirred = true;
        }

        fn values(&self) -> Vec<f64> {
            vec![self.value()]
        }
    }

    fn found(inside: Inside, stop: f64) -> (Option<(f64, f64)>, u32) {
        let mut fake = Fake { inside, t: 0.0, stop, is_stirred: false, calls: 0 };
        (grid(&mut fake, 1.0, 0.2), fake.calls)
    }

    #[test]
    fn grids_are_found_wherever_they_begin() {
        for size in [1e-3, 0.01, 0.0137, 0.1, 1.0 / 3.0, 1.0, 2.7] {
            for (offset, past) in [(0.0, false), (0.4, false), (0.97, false), (0.0, true), (0.4, true)] {
                let (bounds, calls) = found(Inside::Grid { size, offset: offset * size, past }, 100.0);
                let (low, high) = bounds.unwrap_or_else(|| panic!("{size} {offset} {past}"));
                assert!(low <= size && size <= high && high - low < 0.01 * size, "{size} {offset} {past}: {low} {high}");
                assert!(calls < 400, "{size} {offset} {past}: {calls}");
            }
        }
    }

    #[test]
    fn two_changes_are_enough_where_there_is_no_time_for_more() {
        let inside = |past| Inside::Grid { size: 5.0, offset: 2.0, past };
        for past in [false, true] {
            let mut fake = Fake { inside: inside(past), t: 30.0, stop: 40.0, is_stirred: false, calls: 0 };
            let (low, high) = grid(&mut fake, 1.0, 1.0).unwrap();
            assert!((2.5..=5.0).contains(&low) && (5.0..=10.0).contains(&high), "{past}: {low} {high}");
            let mut fake = Fake { inside: Inside::Smooth, t: 30.0, stop: 40.0, is_stirred: false, calls: 0 };
            assert_eq!(grid(&mut fake, 1.0, 1.0), None);
        }
    }

    #[test]
    fn what_is_smooth_takes_three_calls() {
        assert_eq!(found(Inside::Smooth, 100.0), (None, 3));
    }

    #[test]
    fn rest_is_no_grid() {
        assert_eq!(found(Inside::Still { until: 0.3, stirs: false }, 100.0).0, None);
        assert_eq!(found(Inside::Still { until: 200.0, stirs: true }, 100.0).0, None);
        assert_eq!(found(Inside::Still { until: 200.0, stirs: false }, 100.0).0, None);
    }

    #[test]
    fn what_jumps_now_and_then_has_no_grid() {
        assert_eq!(found(Inside::Irregular(vec![0.1, 0.2, 0.31, 0.55, 0.6]), 100.0).0, None);
        assert_eq!(found(Inside::Irregular((1..6).map(|i| 0.1 * f64::from(i)).collect()), 100.0).0, None, "it ends");
    }
}
