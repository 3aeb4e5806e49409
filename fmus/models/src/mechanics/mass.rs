//! A mass driven by a force.

use fmu_sdk::{Declaration, Experiment, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use super::body::{Body, Moving, declare_motion, declare_parameters};
use crate::polynomial::scaled_derivatives;

/// A mass on a spring and a damper, driven by a force `f` \[N\], which is an input:
///
/// ```text
/// dx/dt = v
/// m dv/dt = f - k (x - z) - d v
/// ```
///
/// `x` \[m\] and `v` \[m/s\] are outputs without direct feedthrough and start at their start values. `k` \[N/m\] and `d`
/// \[N.s/m\] connect the mass `m` \[kg\] to a foundation at `z` \[m\] for t > 0. Without `k` and `d` the mass is free. A step
/// is exact for every input polynomial.
///
/// With the `Default` values it is the first side of the two-mass oscillator; the second side is [`super::SprungMassForce`].
///
/// Output derivatives: `v` and `v'`, from the equation and its time derivative.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Mass {
    body: Body,
    f: Input,
}

impl Default for Mass {
    fn default() -> Self {
        Self { body: Body::new(1.0, 10.0, 0.2, 0.0), f: Input::new(0.0) }
    }
}

impl Model for Mass {
    const NAME: &'static str = "mass";
    const DESCRIPTION: &'static str = "Mass on a spring and a damper, driven by a force";

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 10.0, 0.01);
        declare_parameters(v);
        v.input("f", |m| &mut m.f).unit("N").description("force on the mass");
        declare_motion(v).partials([("f", |m| 1.0 / m.body.m)]);
    }

    fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
        self.body.check()
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let force = scaled_derivatives(&self.f, step.h);
        self.body.step(self.body.k, self.body.d, force, step.h)
    }
}

impl Moving for Mass {
    fn body(&self) -> &Body {
        &self.body
    }

    fn body_mut(&mut self) -> &mut Body {
        &mut self.body
    }

    fn stiffness(&self) -> f64 {
        self.body.k
    }

    fn damping(&self) -> f64 {
        self.body.d
    }

    fn force(&self) -> f64 {
        self.f.value(0.0)
    }

    fn force_rate(&self) -> f64 {
        self.f.slope(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stepped(mut mass: Mass, h: f64) -> Result<[f64; 2], Refusal> {
        mass.initialize(&Experiment { start: 0.0, stop: None, tolerance: None })?;
        mass.do_step(&Step { t: 0.0, h, tolerance: None })?;
        Ok([mass.body.x, mass.body.v])
    }

    #[test]
    fn a_step_is_exact_for_input_polynomials() {
        // x = 1 + t - t² + t³ needs f = m x'' + d x' + k (x - z).
        let body = Body { z: 0.3, v: 1.0, ..Body::new(2.0, 5.0, 0.7, 1.0) };
        let f = Input::with_derivatives(2.0 * -2.0 + 0.7 + 5.0 * 0.7, [12.0 - 1.4 + 5.0, 0.7 * 6.0 - 10.0, 30.0]);
        for h in [1e-3, 0.4, 3.0] {
            let [x, v] = stepped(Mass { body: body.clone(), f }, h).unwrap();
            assert!((x / (1.0 + h - h * h + h.powi(3)) - 1.0).abs() < 1e-14, "{h}");
            assert!((v / (1.0 - 2.0 * h + 3.0 * h * h) - 1.0).abs() < 1e-13, "{h}");
        }
    }

    #[test]
    fn output_derivatives_are_those_of_the_solution() {
        let mass =
            Mass { body: Body { v: -0.3, ..Body::new(2.0, 5.0, 0.7, 1.0) }, f: Input::with_derivatives(3.0, [4.0, 0.0, 0.0]) };
        let h = 1e-3;
        let at = |h: f64| stepped(mass.clone(), h).unwrap()[1];
        let later = (at(2.0 * h) - at(h)) / h - 1.5 * h * mass.jerk();
        assert!((mass.acceleration() - later).abs() < 1e-4);
        assert!((mass.jerk() - (at(2.0 * h) - 2.0 * at(h) - 0.3) / (h * h)).abs() < 1e-2);
    }

    #[test]
    fn what_is_no_mass_or_force_is_refused_with_a_sentence() {
        let refused = |mass: Mass, h| stepped(mass, h).unwrap_err().to_string();
        let weightless = Mass { body: Body::new(0.0, 1.0, 1.0, 0.0), ..Mass::default() };
        assert!(refused(weightless, 0.1).contains("must be positive"));
        assert!(refused(Mass { f: Input::new(f64::NAN), ..Mass::default() }, 0.1).contains("must be finite"));
        let free = Mass { body: Body::new(1.0, 0.0, 0.0, 0.0), f: Input::new(1e200) };
        assert!(refused(free, 1e200).contains("smaller step"));
    }
}
