//! A step-size controller that keeps the step size unless it can grow by half.

use lotka::method::{Controller, Persistent};

/// Smallest growth factor that justifies a new step size.
const THRESHOLD: f64 = 1.5;

/// The elementary controller without small changes. Only a failed step reduces the step size, as in CVODE (Hindmarsh et al.
/// 2005, section 2.1, doi 10.1145/1089014.1089020). Safety factors and bounds are Lotka's.
pub struct Patient;

impl Persistent for Patient {}

impl Controller for Patient {
    fn accepted(&mut self, _h: f64, error: f64, order: u32) -> f64 {
        let factor = error.powf(-1.0 / f64::from(order + 1));
        if factor < THRESHOLD { 1.0 } else { factor }
    }

    fn rejected(&mut self, error: f64, order: u32) -> f64 {
        error.powf(-1.0 / f64::from(order + 1))
    }
}
