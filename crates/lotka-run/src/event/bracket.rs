//! Search for the sign change of a function inside a step.

/// A bracket of the first zero of a function of the step size: negative at the low end, not negative at the high end.
///
/// Chandrupatla's method narrows it: inverse quadratic interpolation through the last three points if these indicate that it will
/// succeed, otherwise bisection. The number of evaluations depends on the smoothness of the function. It is about six for 1e-11
/// of a step, and about that of bisection for a function that jumps. Candidates keep half the tolerance away from both ends, so
/// that one that finds the zero beside an end closes the bracket.
///
/// Reference: T. R. Chandrupatla, A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function without
/// using derivatives, Advances in Engineering Software 28 (1997) 145-149, doi 10.1016/S0965-9978(96)00051-8.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bracket {
    /// The most recent end, and the other one.
    newest: Point,
    opposite: Point,
    /// The previous end, if there was one.
    last: Option<Point>,
    tolerance: f64,
    /// Candidates are multiples of it \[s\], if there is one.
    unit: Option<f64>,
}

/// A step size \[s\] and the value of the function there.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    h: f64,
    value: f64,
}

impl Bracket {
    /// Creates a bracket between two step sizes, with the values of the function there; `tolerance` is the target width, all in
    /// seconds.
    pub(crate) fn new((low, low_value): (f64, f64), (high, high_value): (f64, f64), tolerance: f64) -> Self {
        let opposite = Point { h: low, value: low_value };
        Self { newest: Point { h: high, value: high_value }, opposite, last: None, tolerance, unit: None }
    }

    /// Makes candidates multiples of a step size \[s\], as both ends are.
    pub(crate) fn in_multiples_of(self, unit: Option<f64>) -> Self {
        Self { unit, ..self }
    }

    /// The next step size to try; `None` if the bracket is narrow enough.
    pub(crate) fn next(&self) -> Option<f64> {
        let low = self.newest.h.min(self.opposite.h);
        let high = self.newest.h.max(self.opposite.h);
        let width = high - low;
        if width <= self.tolerance {
            return None;
        }
        let half = 0.5 * self.tolerance.min(0.5 * width);
        let candidate = (self.newest.h + self.share() * (self.opposite.h - self.newest.h)).clamp(low + half, high - half);
        if let Some(unit) = self.unit {
            let (least, most) = ((low / unit).round() + 1.0, (high / unit).round() - 1.0);
            return (least <= most).then(|| (candidate / unit).round().clamp(least, most) * unit);
        }
        // Between adjacent numbers there is nothing left to try.
        (low < candidate && candidate < high).then_some(candidate)
    }

    /// Relative position of the next candidate between the most recent end and the opposite one, before it is kept away from the
    /// ends.
    fn share(&self) -> f64 {
        let (Point { h: h1, value: f1 }, Point { h: h2, value: f2 }) = (self.newest, self.opposite);
        let Some(Point { h: h3, value: f3 }) = self.last else { return 0.5 };
        let xi = (h1 - h2) / (h3 - h2);
        let phi = (f1 - f2) / (f3 - f2);
        if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
            f1 / (f2 - f1) * f3 / (f2 - f3) + (h3 - h1) / (h2 - h1) * f1 / (f3 - f1) * f2 / (f3 - f2)
        } else {
            0.5
        }
    }

    /// Narrows the bracket with the value of the function at the step size that was tried. Returns true if that is the new high
    /// end.
    pub(crate) fn narrow(&mut self, h: f64, value: f64) -> bool {
        let is_past = value >= 0.0;
        if is_past == (self.newest.h > self.opposite.h) {
            self.last = Some(self.newest);
        } else {
            self.last = Some(self.opposite);
            self.opposite = self.newest;
        }
        self.newest = Point { h, value };
        is_past
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The high end and the number of evaluations.
    fn locate(function: impl Fn(f64) -> f64, high: f64, tolerance: f64) -> (f64, u32) {
        let mut bracket = Bracket::new((0.0, function(0.0)), (high, function(high)), tolerance);
        let mut evaluations = 0;
        while let Some(candidate) = bracket.next() {
            bracket.narrow(candidate, function(candidate));
            evaluations += 1;
        }
        (bracket.newest.h.max(bracket.opposite.h), evaluations)
    }

    #[test]
    fn the_high_end_is_past_the_zero_and_within_the_tolerance() {
        let cases: [(&dyn Fn(f64) -> f64, f64); 5] = [
            (&|x| x - 0.03, 0.03),
            (&|x| x.exp() - 1.05, 1.05_f64.ln()),
            (&|x| x * x * x - 1e-4, 1e-4_f64.cbrt()),
            (&|x: f64| (50.0 * (x - 0.07)).tanh(), 0.07),
            (&|x| if x < 0.012345 { -1.0 } else { 1e-9 }, 0.012345),
        ];
        for (function, zero) in cases {
            let (found, _) = locate(function, 0.1, 1e-12);
            assert!(function(found) >= 0.0 && found >= zero && found - zero <= 1e-12, "{zero}: {found}");
        }
    }

    #[test]
    fn candidates_are_multiples_of_a_unit() {
        let mut bracket = Bracket::new((0.0, -0.33), (1.0, 0.67), 1e-12).in_multiples_of(Some(0.1));
        let mut tried = Vec::new();
        while let Some(candidate) = bracket.next() {
            tried.push(candidate);
            bracket.narrow(candidate, candidate - 0.33);
        }
        assert!(tried.iter().all(|h| (10.0 * h - (10.0 * h).round()).abs() < 1e-12), "{tried:?}");
        assert!((bracket.newest.h.max(bracket.opposite.h) - 0.4).abs() < 1e-12);
    }

    #[test]
    fn smooth_functions_take_few_evaluations_and_jumps_as_many_as_bisection() {
        let evaluations = |function: &dyn Fn(f64) -> f64| locate(function, 0.1, 1e-12).1;
        assert_eq!(evaluations(&|x| x.exp() - 1.05), 5);
        assert_eq!(evaluations(&|x| 4.905 * x * x - 0.01), 8);
        assert_eq!(evaluations(&|x| (50.0 * (x - 0.07)).tanh()), 8);
        for zero in [1e-11, 0.012345, 0.0999] {
            let evaluations = evaluations(&move |x| if x < zero { -1.0 } else { 1e-9 });
            assert!(evaluations <= 37, "{zero}: {evaluations}");
        }
    }

    #[test]
    fn a_bracket_as_narrow_as_the_tolerance_is_not_searched() {
        assert_eq!(locate(|x| x - 1e-13, 1e-12, 1e-12), (1e-12, 0));
    }
}
