//! The step size under error control: a controller within bounds.

use super::Controller;
use crate::checkpoint::{Persistent, Transfer, Transferred};

/// Numbers of a step-size controller.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepFactors {
    /// Factor by which steps are shorter than the error estimate allows: controllers aim at an error of `safety^(p+1)`. libcosim
    /// multiplies every factor by it.
    pub safety: f64,
    /// Smallest factor from one step size to the next.
    pub smallest: f64,
    /// Largest factor from one step size to the next.
    pub largest: f64,
    /// Exponents of the controller `pi`, and of that of libcosim.
    pub gains: Gains,
}

/// Gains of a proportional-integral controller of step sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gains {
    /// The gain k_P of the change of the error.
    pub proportional: f64,
    /// The gain k_I of the error.
    pub integral: f64,
}

impl Default for Gains {
    fn default() -> Self {
        Self { proportional: 0.4, integral: 0.3 }
    }
}

/// Factors and limits for a controller. Step sizes in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Safety factor, and limits of the change per step.
    pub factors: StepFactors,
    /// The smallest step \[s\].
    pub minimum: f64,
    /// The largest step \[s\].
    pub maximum: f64,
    /// Steps are multiples of it, if there is one.
    pub unit: Option<f64>,
    /// Factor after a step that was discarded, did not converge or was not finite.
    pub refusal_factor: f64,
}

/// The size of the next step under error control.
pub struct StepSize {
    controller: Box<dyn Controller>,
    bounds: Bounds,
    order: u32,
    /// The error that controllers aim at.
    aim: f64,
    next: f64,
}

impl Bounds {
    /// The largest multiple of the unit that is not above this size, and at least the unit.
    fn multiple(&self, h: f64) -> f64 {
        self.unit.map_or(h, |unit| unit * (h / unit * (1.0 + ROUNDING)).floor().max(1.0))
    }
}

/// Relative rounding error of a multiple.
const ROUNDING: f64 = 1e-9;

impl StepSize {
    /// Begins with a step of size `first` \[s\]; the method has this order.
    #[must_use]
    pub fn new(controller: Box<dyn Controller>, bounds: Bounds, order: u32, first: f64) -> Self {
        let next = bounds.multiple(first);
        Self { controller, bounds, order, aim: bounds.factors.safety.powi(order as i32 + 1), next }
    }

    /// The step to try next.
    #[must_use]
    pub fn propose(&self) -> f64 {
        self.next
    }

    /// The smallest step \[s\].
    #[must_use]
    pub fn minimum(&self) -> f64 {
        self.bounds.minimum.max(self.bounds.unit.unwrap_or(0.0))
    }

    /// Handles an accepted step of size `h`. Controllers see errors relative to their aim: at 1 they keep the step size, whatever
    /// their exponents are. A step that was shortened to end at a point does not reduce the next one.
    pub fn accepted(&mut self, h: f64, error: f64) {
        let error = error / self.aim;
        if h >= self.bounds.maximum && self.next <= h && self.controller.grows(error) {
            self.next = self.bounds.multiple(self.bounds.maximum);
            return;
        }
        let factor = self.controller.accepted(h, error, self.order);
        let next = h * self.bounded(factor);
        let next = if h < self.next { next.max(self.next) } else { next };
        self.next = self.bounds.multiple(next.clamp(self.bounds.minimum, self.bounds.maximum));
    }

    /// Handles a step of size `h` that failed the error test; returns whether a smaller one may be tried.
    pub fn rejected(&mut self, h: f64, error: f64) -> bool {
        let factor = self.controller.rejected(error / self.aim, self.order);
        self.shrink(h, h * self.bounded(factor).min(1.0))
    }

    /// Handles a step of size `h` that could not be made; returns whether a smaller one may be tried.
    pub fn refused(&mut self, h: f64) -> bool {
        self.shrink(h, h * self.bounds.refusal_factor)
    }

    fn shrink(&mut self, h: f64, next: f64) -> bool {
        let may_shrink = h > self.minimum();
        self.next = self.bounds.multiple(next.max(self.bounds.minimum));
        may_shrink
    }

    fn bounded(&self, factor: f64) -> f64 {
        // `max` and `min` turn a factor that is not a number into the smallest one.
        factor.max(self.bounds.factors.smallest).min(self.bounds.factors.largest)
    }
}

impl Persistent for StepSize {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.next)?;
        self.controller.transfer(transfer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_control::Integral;

    fn step_size() -> StepSize {
        let bounds = Bounds {
            factors: StepFactors { safety: 0.9, smallest: 0.2, largest: 2.0, gains: Gains::default() },
            minimum: 1e-3,
            maximum: 1.0,
            unit: None,
            refusal_factor: 0.25,
        };
        StepSize::new(Box::new(Integral), bounds, 1, 0.1)
    }

    #[test]
    fn factors_and_sizes_stay_in_their_bounds() {
        let mut steps = step_size();
        steps.accepted(0.1, 1e-30);
        assert_eq!(steps.propose(), 0.2);
        steps.accepted(0.9, 0.0);
        assert_eq!(steps.propose(), 1.0);
        assert!(steps.rejected(0.1, f64::INFINITY));
        assert!((steps.propose() - 0.02).abs() < 1e-15);
        assert!(steps.rejected(0.1, f64::NAN));
        assert!((steps.propose() - 0.02).abs() < 1e-15);
    }

    #[test]
    fn a_step_cut_short_does_not_shrink_the_next_one() {
        let mut steps = step_size();
        steps.accepted(0.01, 0.81);
        assert_eq!(steps.propose(), 0.1);
    }

    #[test]
    fn steps_are_multiples_of_a_unit() {
        let bounds = Bounds { unit: Some(0.04), ..step_size().bounds };
        let mut steps = StepSize::new(Box::new(Integral), bounds, 1, 0.1);
        assert_eq!(steps.propose(), 0.08);
        assert!(steps.rejected(0.08, 0.81 * 4.0));
        assert_eq!(steps.propose(), 0.04);
        assert!(!steps.rejected(0.04, 100.0));
        assert_eq!(steps.propose(), 0.04);
        // A step of the proposed size was not cut short, whatever its rounding.
        steps.accepted(steps.propose(), 0.81 / 4.5);
        assert_eq!(steps.propose(), 0.08);
        steps.accepted(steps.propose(), 0.81 * 2.5);
        assert_eq!(steps.propose(), 0.04);
    }

    #[test]
    fn below_the_minimum_nothing_may_be_tried() {
        let mut steps = step_size();
        assert!(steps.refused(2e-3));
        assert_eq!(steps.propose(), 1e-3);
        assert!(!steps.refused(1e-3));
    }
}
