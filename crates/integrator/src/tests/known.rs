//! Problems with known solutions.

use crate::{EvaluationError, RightHandSide, Time};

/// A problem that starts at simulation time 10 s.
pub(super) trait Known: RightHandSide {
    /// States `tau` seconds after the start.
    fn exact(&self, tau: f64) -> Vec<f64>;
}

/// x' = y, y' = -x.
pub(super) struct Circle;

impl RightHandSide for Circle {
    fn derivatives(&mut self, _: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
        (dx[0], dx[1]) = (x[1], -x[0]);
        Ok(())
    }
}

impl Known for Circle {
    fn exact(&self, tau: f64) -> Vec<f64> {
        let (sin, cos) = tau.sin_cos();
        vec![20.0 * cos + 10.0 * sin, 10.0 * cos - 20.0 * sin]
    }
}

/// x' = ω y, y' = -ω x with ω = (1 + t) / 2 and the time t since 10 s: turns by t / 2 + t² / 4.
pub(super) struct Turn;

impl RightHandSide for Turn {
    fn derivatives(&mut self, time: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
        let speed = 0.5 * (time.t - 9.0);
        (dx[0], dx[1]) = (speed * x[1], -speed * x[0]);
        Ok(())
    }
}

impl Known for Turn {
    fn exact(&self, tau: f64) -> Vec<f64> {
        Circle.exact(0.5 * tau + 0.25 * tau * tau)
    }
}

/// x' = -y + x (1 - r²), y' = x + y (1 - r²) with r² = x² + y²: turns with one radian per second, while r approaches 1 from 1/2
/// as r² = 1 / (1 + 3 exp(-2 t)).
pub(super) struct LimitCycle;

impl RightHandSide for LimitCycle {
    fn derivatives(&mut self, _: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
        let pull = 1.0 - x[0] * x[0] - x[1] * x[1];
        (dx[0], dx[1]) = (-x[1] + x[0] * pull, x[0] + x[1] * pull);
        Ok(())
    }
}

impl Known for LimitCycle {
    fn exact(&self, tau: f64) -> Vec<f64> {
        let r = (1.0 + 3.0 * (-2.0 * tau).exp()).powf(-0.5);
        vec![r * tau.cos(), r * tau.sin()]
    }
}

/// All of them, with their names.
pub(super) fn all() -> [(&'static str, Box<dyn Known>); 3] {
    [("circle", Box::new(Circle)), ("turn", Box::new(Turn)), ("limit cycle", Box::new(LimitCycle))]
}
