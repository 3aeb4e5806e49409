//! The distances between doubles, which limit how short steps can be.

/// The shortest step, in units of the resolution.
const SHORTEST: f64 = 4.0;

/// Times that differ by less than this share of the largest one are equal, but not those farther apart than this share of the
/// duration or of a step: far from 0 the former alone would be many steps.
const SAME: f64 = 1e-13;
const SAME_IN_DURATION: f64 = 1e-9;
const SAME_IN_STEP: f64 = 1e-3;

/// Times that differ by so many units of the resolution are equal: a product and a sum are rounded.
const ROUNDING: f64 = 2.0;

/// Returns the distance between `t` and the next double away from 0 \[s\].
#[must_use]
#[inline]
pub fn ulp(t: f64) -> f64 {
    t.abs().next_up() - t.abs()
}

/// The resolution of the times of an experiment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resolution {
    /// The time farthest from 0 \[s\].
    farthest: f64,
    /// From start to stop \[s\].
    duration: f64,
}

impl Resolution {
    /// The resolution between start and stop time \[s\].
    #[must_use]
    pub fn of((start, stop): (f64, f64)) -> Self {
        Self { farthest: start.abs().max(stop.abs()), duration: stop - start }
    }

    /// The time farthest from 0, where doubles are farthest apart \[s\].
    #[must_use]
    pub fn farthest(self) -> f64 {
        self.farthest
    }

    /// The largest distance between neighboring doubles \[s\].
    #[must_use]
    pub fn unit(self) -> f64 {
        ulp(self.farthest)
    }

    /// The shortest step \[s\]: four units of the resolution.
    #[must_use]
    pub fn shortest_step(self) -> f64 {
        SHORTEST * self.unit()
    }

    /// The smallest and largest distance of neighboring points `start + n h`, for steps of this size \[s\]: all are equal to it
    /// only if it is a multiple of the distance between doubles, or large beside that.
    #[must_use]
    pub fn sizes(self, h: f64) -> (f64, f64) {
        let unit = self.unit();
        let units = h / unit;
        (units.floor() * unit, units.ceil() * unit)
    }

    /// The largest share by which the distances of the points differ from `h` \[s\].
    #[must_use]
    pub fn unevenness(self, h: f64) -> f64 {
        let (smallest, largest) = self.sizes(h);
        (h - smallest).max(largest - h) / h
    }

    /// Times that differ by no more than this are equal \[s\].
    #[must_use]
    pub fn slack(self) -> f64 {
        (SAME * self.farthest).min(SAME_IN_DURATION * self.duration).max(ROUNDING * self.unit())
    }

    /// The same, for times of a run with steps of this size \[s\].
    #[must_use]
    pub fn slack_with_steps(self, h: f64) -> f64 {
        self.slack().min(SAME_IN_STEP * h).max(ROUNDING * self.unit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_of_a_few_units_is_uneven() {
        let far = Resolution::of((1e9, 1e9 + 1.0));
        assert_eq!(far.unit(), 2f64.powi(-23));
        assert_eq!(far.shortest_step(), 2f64.powi(-21));
        assert_eq!(far.unevenness(2f64.powi(-20)), 0.0, "a multiple of the unit");
        assert!((0.19..0.2).contains(&far.unevenness(5e-7)), "4.2 units are 4 or 5");
        assert!(far.unevenness(1e-3) < 1e-4);
        assert!(Resolution::of((0.0, 1.0)).unevenness(0.1) < 1e-14);
    }

    #[test]
    fn times_are_equal_up_to_a_small_share_of_what_matters() {
        assert_eq!(Resolution::of((0.0, 10.0)).slack(), 1e-12);
        let far = Resolution::of((1e9, 1e9 + 100.0));
        assert_eq!(far.slack(), 2.0 * far.unit(), "not 1e-4 s");
        assert_eq!(Resolution::of((1e9, 1.1e9)).slack_with_steps(1e-3), 1e-6);
    }
}
