//! Components of nonlinear systems.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// A species in an ecosystem: `x' = x (growth + a u + b v)` (A. J. Lotka 1925; V. Volterra 1926), exact for held inputs.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
pub struct Rival {
    growth: f64,
    effects: [f64; 2],
    inputs: [f64; 2],
    x: f64,
}

impl Model for Rival {
    const NAME: &'static str = "rival";
    const DESCRIPTION: &'static str = "A species among others";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("growth", |m| &mut m.growth).description("per second");
        v.parameter("a", |m| &mut m.effects[0]).description("effect of u");
        v.parameter("b", |m| &mut m.effects[1]).description("effect of v");
        v.parameter("x0", |m| &mut m.x).description("at the start");
        v.input("u", |m| &mut m.inputs[0]).description("another species");
        v.input("v", |m| &mut m.inputs[1]).description("a third species");
        v.computed_output("x", |m| m.x).depends_on([]).description("how many there are");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let [a, b] = self.effects;
        let [u, v] = self.inputs;
        self.x *= (step.h * (self.growth + a * u + b * v)).exp();
        Ok(())
    }
}

/// One half of the van der Pol oscillator (B. van der Pol 1926, doi 10.1080/14786442608564127), exact for held inputs: `x' = u`,
/// or `x' = mu (1 - u^2) x - u`.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
pub struct HalfVanDerPol {
    mu: f64,
    is_velocity: bool,
    u: f64,
    x: f64,
}

impl Model for HalfVanDerPol {
    const NAME: &'static str = "half_van_der_pol";
    const DESCRIPTION: &'static str = "One half of the van der Pol oscillator";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("mu", |m| &mut m.mu).description("damping");
        v.parameter("is_velocity", |m| &mut m.is_velocity).description("the state is the velocity");
        v.parameter("x0", |m| &mut m.x).description("state at the start");
        v.input("u", |m| &mut m.u).description("the other half");
        v.computed_output("x", |m| m.x).depends_on([]).description("the state");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        if self.is_velocity {
            let rate = self.mu * (1.0 - self.u * self.u) * step.h;
            // (exp(r) - 1) / r
            let phi = if rate.abs() < 1e-12 { 1.0 } else { rate.exp_m1() / rate };
            self.x = self.x * rate.exp() - self.u * step.h * phi;
        } else {
            self.x += step.h * self.u;
        }
        Ok(())
    }
}
