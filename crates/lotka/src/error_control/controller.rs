//! Step-size controllers: factors from error estimates.

/// Says by which factor the step size should change so that the error estimate becomes 1. It is asked once per attempt, accepted or
/// rejected; `order` is that of the method, the local error being of order `order + 1`.
pub(crate) trait Controller: Send {
    /// Factor after an accepted step with this error.
    fn accepted(&mut self, error: f64, order: u32) -> f64;
    /// Factor after a step that was rejected because of this error.
    fn rejected(&mut self, error: f64, order: u32) -> f64;
}

fn elementary(error: f64, order: u32) -> f64 {
    error.powf(-1.0 / f64::from(order + 1))
}

/// `h error^(-1/(p+1))`: the elementary controller.
pub(crate) struct Integral;

impl Controller for Integral {
    fn accepted(&mut self, error: f64, order: u32) -> f64 {
        elementary(error, order)
    }

    fn rejected(&mut self, error: f64, order: u32) -> f64 {
        elementary(error, order)
    }
}

/// `h error_n^(-0.7/(p+1)) error_(n-1)^(0.4/(p+1))`: smoother step sizes (Gustafsson 1991, doi 10.1145/210232.210242).
/// After a rejection the elementary controller acts.
pub(crate) struct ProportionalIntegral {
    last: Option<f64>,
}

impl ProportionalIntegral {
    pub(crate) fn new() -> Self {
        Self { last: None }
    }
}

impl Controller for ProportionalIntegral {
    fn accepted(&mut self, error: f64, order: u32) -> f64 {
        let exponent = 1.0 / f64::from(order + 1);
        let bounded = error.max(1e-10);
        let factor = match self.last {
            Some(last) => bounded.powf(-0.7 * exponent) * last.powf(0.4 * exponent),
            None => elementary(bounded, order),
        };
        self.last = Some(bounded);
        factor
    }

    fn rejected(&mut self, error: f64, order: u32) -> f64 {
        self.last = None;
        elementary(error, order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_controllers_rest_at_an_error_of_one() {
        assert_eq!(Integral.accepted(1.0, 1), 1.0);
        let mut pi = ProportionalIntegral::new();
        assert_eq!(pi.accepted(1.0, 1), 1.0);
        assert_eq!(pi.accepted(1.0, 1), 1.0);
    }

    #[test]
    fn the_elementary_controller_knows_the_order() {
        assert!((Integral.rejected(16.0, 1) - 0.25).abs() < 1e-15);
        assert!((Integral.accepted(16.0, 3) - 0.5).abs() < 1e-15);
    }

    #[test]
    fn a_growing_error_damps_more_than_its_size_alone() {
        let mut pi = ProportionalIntegral::new();
        pi.accepted(0.25, 1);
        assert!(pi.accepted(1.0, 1) < 1.0);
    }
}
