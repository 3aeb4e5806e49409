//! Points at equal distances, by number.

use super::ulp;

/// A quotient of times that differs from a whole number by less than this share is one: both were written with finite digits. The
/// difference is a small share of the divisor, too.
const ROUNDING: f64 = 1e-9;
const MOST: f64 = 1e-3;

/// The rounding of a product, a sum and a difference of times, in units in their last place.
const ROUNDINGS: f64 = 2.0;

/// Returns the number of times that `size` \[s\] goes into `time` \[s\], at least once, if it is whole up to rounding.
#[must_use]
pub fn whole(time: f64, size: f64) -> Option<f64> {
    let quotient = time / size;
    let number = quotient.round();
    (number >= 1.0 && (quotient - number).abs() <= rounding(quotient)).then_some(number)
}

/// Returns the number of steps of `size` \[s\] from `start` up to `time` \[s\]; a time just before the end of one, up to
/// rounding, counts as there.
#[must_use]
#[inline]
pub fn passed(start: f64, time: f64, size: f64) -> f64 {
    let quotient = (time - start) / size;
    let of_times = ROUNDINGS * ulp(start).max(ulp(time)) / size;
    (quotient + rounding(quotient).max(of_times)).floor()
}

fn rounding(quotient: f64) -> f64 {
    (ROUNDING * quotient.abs().max(1.0)).min(MOST)
}

/// The points `start + n h` up to a stop time, which is the last one exactly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Points {
    start: f64,
    stop: f64,
    h: f64,
    /// The number of the last point. A whole number; a double avoids conversions.
    last: f64,
    /// Whether the last step has the size of all others.
    is_even: bool,
}

impl Points {
    /// Creates the points from the start to the stop time, at a distance of `h` \[s\].
    #[must_use]
    pub fn new((start, stop): (f64, f64), h: f64) -> Self {
        // Start and stop time are rounded themselves.
        let rounded = |number: f64| (stop - start - number * h).abs() <= ulp(start).max(ulp(stop));
        let nearest = ((stop - start) / h).round();
        let even = whole(stop - start, h).or(Some(nearest).filter(|number| *number >= 1.0 && rounded(*number)));
        let last = even.unwrap_or_else(|| ((stop - start) / h).ceil().max(1.0));
        Self { start, stop, h, last, is_even: even.is_some() }
    }

    /// The first point \[s\].
    #[must_use]
    pub fn start(&self) -> f64 {
        self.start
    }

    /// The last point \[s\].
    #[must_use]
    #[inline]
    pub fn stop(&self) -> f64 {
        self.stop
    }

    /// The distance of the points \[s\].
    #[must_use]
    #[inline]
    pub fn distance(&self) -> f64 {
        self.h
    }

    /// The point of this number \[s\].
    #[must_use]
    #[inline]
    pub fn at(&self, number: f64) -> f64 {
        if self.is_last(number) { self.stop } else { self.start + number * self.h }
    }

    /// Whether the last step has the size of all others.
    #[must_use]
    pub fn is_even(&self) -> bool {
        self.is_even
    }

    /// Whether a time is no farther than this from a point \[s\].
    #[must_use]
    pub fn include(&self, time: f64, slack: f64) -> bool {
        let number = ((time - self.start) / self.h).round();
        (time - self.at(number.max(0.0))).abs() <= slack
    }

    /// Whether the point of this number is the stop time.
    #[must_use]
    #[inline]
    pub fn is_last(&self, number: f64) -> bool {
        number >= self.last
    }

    /// Whether the step that ends at the point of this number has the size of all others; the last one may be shorter.
    #[must_use]
    #[inline]
    pub fn is_whole(&self, number: f64) -> bool {
        self.is_even || !self.is_last(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_whole_up_to_rounding() {
        assert_eq!(whole(1.0, 1.0 / 3.0), Some(3.0));
        assert_eq!(whole(0.1 + 0.2, 0.1), Some(3.0));
        assert_eq!(whole(1.0, 0.333_333_333_4), Some(3.0));
        assert_eq!(whole(0.05, 0.1), None);
        assert_eq!(whole(1e9 + 0.3, 1.0), None, "a rest is a share of a step, however many there are");
        assert_eq!([0.1 + 0.1 + 0.1, 0.299, 0.9].map(|time| passed(0.0, time, 0.3)), [1.0, 0.0, 3.0]);
        assert_eq!([1e9 + 0.1, 1e9 + 0.3].map(|time| passed(1e9, time, 0.1)), [1.0, 3.0], "far from 0");
    }

    #[test]
    fn the_last_step_may_be_shorter() {
        let points = Points::new((0.0, 1.0), 0.3);
        assert_eq!([1.0, 3.0, 4.0].map(|number| points.at(number)), [0.3, 3.0 * 0.3, 1.0]);
        assert_eq!([3.0, 4.0].map(|number| points.is_whole(number)), [true, false]);
        let even = Points::new((0.0, 1e5), 0.1);
        assert!(even.is_last(1e6) && !even.is_last(1e6 - 1.0) && even.is_whole(1e6));
        assert!(Points::new((0.0, 1.0), 5.0).is_last(1.0), "one step, shorter than the size");
    }
}
