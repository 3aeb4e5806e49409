//! The continuous half of ARGESIM comparison C5 as differential equations.

use fmu_sdk::{Declaration, Experiment, Integration, Model, Ode, Refusal, Step, Time};
use serde::{Deserialize, Serialize};

/// The plant of [`crate::TwoStatePlant`] with the same inputs, outputs and parameters, but defined by its equations only:
///
/// ```text
/// dy1/dt = c1 (y2 + c2 - y1),   y1(0) = y1_0
/// dy2/dt = c3 (c4 - y2),        y2(0) = y2_0
/// ```
///
/// The equations are stiff: `y1` follows within a microsecond, while `y2` changes within a second. A parameter selects the
/// integrator ([`Integration`]); the default is `esdirk34`.
///
/// Output derivatives: those of the equations.
///
/// Source: as for [`crate::TwoStatePlant`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TwoStateOde {
    y1_0: f64,
    y2_0: f64,
    equations: Equations,
    y: [f64; 2],
    integration: Integration,
}

/// The equations with parameters and inputs, independent of the integrator.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Equations {
    c1: f64,
    c3: f64,
    c2: f64,
    c4: f64,
}

impl Ode for Equations {
    fn derivatives(&self, _: Time, y: &[f64], rates: &mut [f64]) {
        rates[0] = self.c1 * (y[1] + self.c2 - y[0]);
        rates[1] = self.c3 * (self.c4 - y[1]);
    }
}

impl Default for TwoStateOde {
    fn default() -> Self {
        let equations = Equations { c1: 2.7e6, c3: 3.5651205, c2: 0.4, c4: 5.5 };
        Self { y1_0: 4.2, y2_0: 0.3, equations, y: [4.2, 0.3], integration: Integration::new("esdirk34", 1e-7) }
    }
}

impl Model for TwoStateOde {
    const NAME: &'static str = "two_state_ode";
    const DESCRIPTION: &'static str = "ARGESIM C5, integrated numerically: dy1/dt = c1 (y2 + c2 - y1), dy2/dt = c3 (c4 - y2)";

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 5.0, 0.1);
        v.parameter("c1", |m| &mut m.equations.c1).unit("1/s").min(0.0).description("rate of the fast state");
        v.parameter("c3", |m| &mut m.equations.c3).unit("1/s").min(0.0).description("rate of the slow state");
        v.parameter("y1_0", |m| &mut m.y1_0).unit("1").description("fast state at the start");
        v.parameter("y2_0", |m| &mut m.y2_0).unit("1").description("slow state at the start");
        Integration::declare(v, |m| &mut m.integration);
        let c2 = v.input("c2", |m| &mut m.equations.c2).discrete().unit("1");
        c2.description("by how much the fast state follows above the slow one");
        v.input("c4", |m| &mut m.equations.c4).discrete().unit("1").description("what the slow state approaches");
        let y1 = v.output("y1", |m| &mut m.y[0]).unit("1").description("fast state");
        y1.partials([("y1_0", |_| 1.0)]).derivatives([|m| m.rates()[0]]);
        let y2 = v.output("y2", |m| &mut m.y[1]).unit("1").description("slow state");
        y2.partials([("y2_0", |_| 1.0)]).derivatives([|m| m.rates()[1]]);
        let fast = v.computed("der(y1)", |m| m.rates()[0]).unit("1/s").description("time derivative of y1").derivative_of("y1");
        fast.partials([
            ("y1", |m| -m.equations.c1),
            ("y2", |m| m.equations.c1),
            ("c2", |m| m.equations.c1),
            ("c1", |m| m.y[1] + m.equations.c2 - m.y[0]),
        ]);
        let slow = v.computed("der(y2)", |m| m.rates()[1]).unit("1/s").description("time derivative of y2").derivative_of("y2");
        slow.partials([("y2", |m| -m.equations.c3), ("c4", |m| m.equations.c3), ("c3", |m| m.equations.c4 - m.y[1])]);
    }

    fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
        self.y = [self.y1_0, self.y2_0];
        self.integration.start()
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.integration.step(&self.equations, step, &mut self.y)
    }
}

impl TwoStateOde {
    /// Time derivatives of both states \[1/s\].
    fn rates(&self) -> [f64; 2] {
        let mut rates = [0.0; 2];
        self.equations.derivatives(Time { t: 0.0, tau: 0.0 }, &self.y, &mut rates);
        rates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The closed form, evaluated in 60-digit arithmetic (Python's `decimal`), as for the exact plant.
    const EXACT: [(f64, [f64; 2]); 4] = [
        (1e-12, [4.199990550012758, 0.3000000000185386]),
        (3e-7, [2.2570049816753808, 0.30000556158500585]),
        (0.01, [0.8821139421361797, 0.48212056782819873]),
        (1.1, [5.796994470115718, 5.396994606125765]),
    ];

    fn errors(integration: Integration, tolerance: f64) -> f64 {
        let of = |(h, exact): (f64, [f64; 2])| {
            let mut plant = TwoStateOde { integration: integration.clone(), ..TwoStateOde::default() };
            plant.do_step(&Step { t: 0.0, h, tolerance: Some(tolerance) }).unwrap();
            f64::max((plant.y[0] - exact[0]).abs(), (plant.y[1] - exact[1]).abs())
        };
        EXACT.into_iter().map(of).fold(0.0, f64::max)
    }

    #[test]
    fn stiff_integrators_follow_both_states() {
        for (name, tolerance, error) in [("esdirk34", 1e-9, 1e-6), ("esdirk34", 1e-6, 1e-4), ("tr-bdf2", 1e-6, 1e-3)] {
            let got = errors(Integration::new(name, 1.0), tolerance);
            assert!(got < error, "{name} at {tolerance}: {got}");
        }
    }

    #[test]
    fn explicit_ones_need_steps_of_less_than_a_microsecond() {
        let mut plant = TwoStateOde { integration: Integration::new("rk4", 1e-6), ..TwoStateOde::default() };
        let refusal = plant.do_step(&Step { t: 0.0, h: 0.01, tolerance: None });
        assert!(refusal.is_ok(), "rk4 is stable up to 2.78 / c1");
        plant.integration = Integration::new("rk4", 1.1e-6);
        assert!(plant.do_step(&Step { t: 0.01, h: 0.01, tolerance: None }).unwrap_err().to_string().contains("finite"));
    }
}
