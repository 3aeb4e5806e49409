//! Motion on a circle.

use fmu_sdk::{Declaration, Experiment, Integration, Model, Ode, Refusal, Step, Time};
use serde::{Deserialize, Serialize};

/// A point that rotates clockwise at one radian per second:
///
/// ```text
/// dx/dt = y
/// dy/dt = -x
/// ```
///
/// `x` and `y` are dimensionless and start at their start values. The exact solution is `x = x0 cos t + y0 sin t`,
/// `y = y0 cos t - x0 sin t`. The distance from the origin is constant, so numerical damping or growth is directly visible.
/// Parameters select the integrator and its steps ([`Integration`]); the default is the classic Runge–Kutta method with
/// steps of 0.1 s.
///
/// Output derivatives: those of the equations and their time derivatives.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Circle {
    state: [f64; 2],
    integration: Integration,
}

/// The equations, independent of the integrator.
struct Rotation;

impl Ode for Rotation {
    fn derivatives(&self, _: Time, state: &[f64], rates: &mut [f64]) {
        (rates[0], rates[1]) = (state[1], -state[0]);
    }
}

impl Default for Circle {
    fn default() -> Self {
        Self { state: [0.1, 0.1], integration: Integration::new("rk4", 0.1) }
    }
}

impl Model for Circle {
    const NAME: &'static str = "circle";
    const DESCRIPTION: &'static str = "Motion on a circle: dx/dt = y, dy/dt = -x";

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 20.0, 1.0);
        Integration::declare(v, |m| &mut m.integration);
        v.output("x", |m| &mut m.state[0])
            .unit("1")
            .description("first coordinate")
            .exact()
            .depends_on([])
            .derivatives([|m| m.state[1], |m| -m.state[0]]);
        v.output("y", |m| &mut m.state[1])
            .unit("1")
            .description("second coordinate")
            .exact()
            .depends_on([])
            .derivatives([|m| -m.state[0], |m| -m.state[1]]);
        v.computed("der(x)", |m| m.state[1])
            .unit("1/s")
            .description("time derivative of x")
            .derivative_of("x")
            .partials([("y", |_| 1.0)]);
        v.computed("der(y)", |m| -m.state[0])
            .unit("1/s")
            .description("time derivative of y")
            .derivative_of("y")
            .partials([("x", |_| -1.0)]);
    }

    fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
        self.integration.start()
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.integration.step(&Rotation, step, &mut self.state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_leads_back_to_the_start() {
        let mut circle = Circle::default();
        circle.do_step(&Step { t: 0.0, h: std::f64::consts::TAU, tolerance: None }).unwrap();
        assert!(circle.state.iter().all(|x| (x - 0.1).abs() < 1e-5), "{:?}", circle.state);
        assert_eq!(circle.integration.work().n_internal_steps, 63);
    }

    #[test]
    fn the_integrator_decides_what_becomes_of_the_radius() {
        let radius = |name: &str| {
            let mut circle = Circle { integration: Integration::new(name, 0.1), ..Circle::default() };
            circle.do_step(&Step { t: 0.0, h: 10.0, tolerance: None }).unwrap();
            circle.state[0].hypot(circle.state[1]) / 0.1_f64.hypot(0.1)
        };
        let grown_by_euler = 1.01_f64.powi(50);
        assert!((radius("euler") / grown_by_euler - 1.0).abs() < 1e-12);
        assert!((radius("rk4") - 1.0).abs() < 1e-5);
    }
}
