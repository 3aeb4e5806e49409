//! A stiff system.

use fmu_sdk::{Declaration, Experiment, Integration, Model, Ode, Refusal, Step, Time};
use serde::{Deserialize, Serialize};

/// A system of two states with a fast and a slow process:
///
/// ```text
/// du/dt =  998 u + 1998 v
/// dv/dt = -999 u - 1999 v
/// ```
///
/// From the start values (1, 0), the exact solution is `u = 2 e^-t - e^-1000t`, `v = -e^-t + e^-1000t` (`t` in s; `u` and `v`
/// are dimensionless). After a few milliseconds only e^-t remains, but the fast process still limits explicit integrators:
/// they become unstable with steps above about 2 ms. Parameters select the integrator and its steps ([`Integration`]); the
/// default is `esdirk34`, which is made for stiff equations.
///
/// Output derivatives: those of the equations.
///
/// Source: W. H. Press, S. A. Teukolsky, W. T. Vetterling, B. P. Flannery, Numerical Recipes, 2007, section 17.5.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Stiff {
    state: [f64; 2],
    integration: Integration,
}

/// The equations, independent of the integrator.
struct FastAndSlow;

impl Ode for FastAndSlow {
    fn derivatives(&self, _: Time, state: &[f64], rates: &mut [f64]) {
        let (u, v) = (state[0], state[1]);
        (rates[0], rates[1]) = (998.0 * u + 1998.0 * v, -999.0 * u - 1999.0 * v);
    }
}

impl Default for Stiff {
    fn default() -> Self {
        Self { state: [1.0, 0.0], integration: Integration::new("esdirk34", 1e-3) }
    }
}

impl Model for Stiff {
    const NAME: &'static str = "stiff";
    const DESCRIPTION: &'static str = "Stiff system: du/dt = 998 u + 1998 v, dv/dt = -999 u - 1999 v";

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 4.0, 0.5);
        Integration::declare(v, |m| &mut m.integration);
        v.output("u", |m| &mut m.state[0])
            .unit("1")
            .description("first state")
            .exact()
            .depends_on([])
            .derivatives([|m| m.rates()[0]]);
        v.output("v", |m| &mut m.state[1])
            .unit("1")
            .description("second state")
            .exact()
            .depends_on([])
            .derivatives([|m| m.rates()[1]]);
        v.computed("der(u)", |m| m.rates()[0])
            .unit("1/s")
            .description("time derivative of u")
            .derivative_of("u")
            .partials([("u", |_| 998.0), ("v", |_| 1998.0)]);
        v.computed("der(v)", |m| m.rates()[1])
            .unit("1/s")
            .description("time derivative of v")
            .derivative_of("v")
            .partials([("u", |_| -999.0), ("v", |_| -1999.0)]);
    }

    fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
        self.integration.start()
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.integration.step(&FastAndSlow, step, &mut self.state)
    }
}

impl Stiff {
    /// Time derivatives of both states \[1/s\].
    fn rates(&self) -> [f64; 2] {
        let mut rates = [0.0; 2];
        FastAndSlow.derivatives(Time { t: 0.0, tau: 0.0 }, &self.state, &mut rates);
        rates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the largest deviation from the exact solution at 1 s.
    fn error(integration: Integration, tolerance: f64) -> f64 {
        let mut stiff = Stiff { integration, ..Stiff::default() };
        stiff.do_step(&Step { t: 0.0, h: 1.0, tolerance: Some(tolerance) }).unwrap();
        let slow = (-1.0_f64).exp();
        f64::max((stiff.state[0] - 2.0 * slow).abs(), (stiff.state[1] + slow).abs())
    }

    #[test]
    fn implicit_methods_keep_the_tolerance_with_few_steps() {
        for name in ["tr-bdf2", "esdirk34"] {
            let got = error(Integration::new(name, 1.0), 1e-6);
            assert!(got < 2e-5, "{name}: {got}");
        }
        let mut stiff = Stiff::default();
        stiff.do_step(&Step { t: 0.0, h: 4.0, tolerance: Some(1e-4) }).unwrap();
        assert!(stiff.integration.work().n_internal_steps < 100, "{:?}", stiff.integration.work());
    }

    #[test]
    fn explicit_methods_blow_up_above_two_milliseconds() {
        for name in ["euler", "modified-euler", "midpoint", "heun"] {
            assert!(error(Integration::new(name, 1.0 / 600.0), 1e-6) < 1e-2, "{name}");
            assert!(error(Integration::new(name, 1.0 / 480.0), 1e-6) > 1e6, "{name}");
        }
    }
}
