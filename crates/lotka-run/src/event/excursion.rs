//! Excursions inside a step that its ends do not reveal.

/// Value and slope of a function at one end of a step.
pub(super) type End = (f64, f64);

/// Slopes are taken from the previous step if that is not shorter than this share of the step.
const SHORT: f64 = 0.01;

/// Values of an indicator at the last two communication points since the last event, and the distance of these points \[s\]; NaN
/// if there are none.
#[derive(Debug, Clone, Copy)]
pub(super) struct LastValues {
    pub(super) last: f64,
    pub(super) before: f64,
    pub(super) distance: f64,
}

impl LastValues {
    pub(super) const UNKNOWN: Self = Self { last: f64::NAN, before: f64::NAN, distance: f64::NAN };

    /// Slopes at the beginning and at the end of a step of size `h` with these values: those of the parabola through the previous
    /// point, too.
    pub(super) fn slopes(self, begin: f64, end: f64, h: f64) -> Option<(f64, f64)> {
        let (before, now) = ((begin - self.before) / self.distance, (end - begin) / h);
        let curvature = (now - before) / (h + self.distance);
        let is_known = curvature.is_finite() && self.distance > SHORT * h;
        is_known.then_some((before + curvature * self.distance, now + curvature * h))
    }
}

/// Where in a step of size `h`, as a share of it, a function has its maximum, if that exceeds the values at both ends, and this
/// maximum.
///
/// If the function rises at the beginning and falls at the end, it is the maximum of the cubic through values and slopes
/// (Hermite). If it rises at the end, too, although the end is lower, the slope there follows a reaction to an event on the way.
/// Then the parabola through both values and the slope at the beginning is used. If one of the slopes is unknown (NaN), the other
/// one is used in the same way.
pub(super) fn maximum((y0, s0): End, (y1, s1): End, h: f64) -> Option<(f64, f64)> {
    if s0.is_nan() && s1.is_finite() {
        // Backward, the slope at the beginning is known and the one at the end is not.
        return maximum((y1, -s1), (y0, s0), h).map(|(x, y)| (1.0 - x, y));
    }
    let (c1, d1, rise) = (s0 * h, s1 * h, y1 - y0);
    if !(c1 > 0.0 && (d1 < 0.0 || rise < 0.0)) {
        return None;
    }
    // y = y0 + c1 x + c2 x^2 + c3 x^3 with x from 0 to 1.
    let (c2, c3) = if d1 < 0.0 { (3.0 * rise - 2.0 * c1 - d1, c1 + d1 - 2.0 * rise) } else { (rise - c1, 0.0) };
    // The slope c1 + 2 c2 x + 3 c3 x^2 falls from positive to negative, so that it has one zero; this form has no cancellation.
    let x = c1 / (-c2 + (c2 * c2 - 3.0 * c3 * c1).sqrt());
    let y = y0 + x * (c1 + x * (c2 + x * c3));
    (0.0 < x && x < 1.0 && y.is_finite()).then_some((x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maximum_of_a_parabola_and_of_a_cubic_is_found() {
        // y = 1 - (t - 0.4)^2, slope -2 (t - 0.4), from 0 to 1.
        let (x, y) = maximum((0.84, 0.8), (0.64, -1.2), 1.0).unwrap();
        assert!((x - 0.4).abs() < 1e-15 && (y - 1.0).abs() < 1e-15);
        // y = t - t^3 from 0 to 2.
        let (x, y) = maximum((0.0, 1.0), (-6.0, -11.0), 2.0).unwrap();
        assert!((2.0 * x - 3.0_f64.sqrt().recip()).abs() < 1e-15 && (y - 2.0 / 27.0_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn one_slope_makes_a_parabola() {
        // y = 1 - (t - 0.4)^2 from 0 to 1; with only the slope at the higher end, nothing is found.
        assert_eq!(maximum((0.84, f64::NAN), (0.64, -1.2), 1.0), None);
        let (x, y) = maximum((0.84, 0.8), (0.64, f64::NAN), 1.0).unwrap();
        assert!((x - 0.4).abs() < 1e-15 && (y - 1.0).abs() < 1e-15);
        // y = 1 - (t - 0.6)^2.
        let (x, y) = maximum((0.64, f64::NAN), (0.84, -0.8), 1.0).unwrap();
        assert!((x - 0.6).abs() < 1e-15 && (y - 1.0).abs() < 1e-15);
        assert_eq!(maximum((0.0, f64::NAN), (1.0, f64::NAN), 1.0), None);
    }

    #[test]
    fn a_slope_that_changed_at_the_end_is_not_used() {
        // y = t - t^2 from 0 to 2, reversed.
        assert_eq!(maximum((0.0, 1.0), (-2.0, 2.0), 2.0), Some((0.25, 0.25)));
    }

    #[test]
    fn without_rise_and_fall_there_is_none() {
        assert_eq!(maximum((0.0, -1.0), (1.0, -1.0), 1.0), None);
        assert_eq!(maximum((0.0, 1.0), (1.0, 1.0), 1.0), None);
        assert_eq!(maximum((0.0, f64::NAN), (1.0, 1.0), 1.0), None);
    }
}
