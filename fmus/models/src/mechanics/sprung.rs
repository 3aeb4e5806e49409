//! A mass connected to a neighbor by a spring and a damper.

use fmu_sdk::{Declaration, Experiment, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use super::body::{Body, Moving, declare_motion, declare_parameters};
use crate::polynomial::{TERMS, scaled_derivatives};

/// A mass between a foundation and a neighbor. The neighbor's position `x_other` \[m\] and velocity `v_other` \[m/s\] are inputs:
///
/// ```text
/// dx/dt = v
/// m dv/dt = -k (x - z) - d v - f
/// f = k_other (x - x_other) + d_other (v - v_other)
/// ```
///
/// `x` \[m\] and `v` \[m/s\] are outputs without direct feedthrough and start at their start values. `k` \[N/m\] and `d`
/// \[N.s/m\] connect the mass `m` \[kg\] to a foundation at `z` \[m\] for t > 0. `k_other` and `d_other` are the spring and the
/// damper between the mass and its neighbor. With `GIVES_FORCE`, the force on the neighbor, `f` \[N\], is an output with direct
/// feedthrough: it is computed from the state and the current inputs whenever it is read. A step is exact for every input
/// polynomial.
///
/// With the `Default` values it is the second side of the two-mass oscillator; the first side is [`super::Mass`].
///
/// Output derivatives: `v` and `v'`, from the equations and their time derivatives. `f` has none, because they would require
/// derivatives of the inputs, which are unknown if inputs are held.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Sprung<const GIVES_FORCE: bool> {
    body: Body,
    k_other: f64,
    d_other: f64,
    x_other: Input,
    v_other: Input,
}

/// A mass on a neighbor, for coupling by displacements; no output has direct feedthrough.
pub type SprungMass = Sprung<false>;

/// A mass on a neighbor that outputs the force on the neighbor, with direct feedthrough.
pub type SprungMassForce = Sprung<true>;

impl<const GIVES_FORCE: bool> Default for Sprung<GIVES_FORCE> {
    fn default() -> Self {
        let body = Body::new(1.0, 20.0, 0.3, 0.5);
        Self { body, k_other: 10.0, d_other: 0.5, x_other: Input::new(0.0), v_other: Input::new(0.0) }
    }
}

impl<const GIVES_FORCE: bool> Model for Sprung<GIVES_FORCE> {
    const NAME: &'static str = if GIVES_FORCE { "sprung_mass_force" } else { "sprung_mass" };
    const DESCRIPTION: &'static str = if GIVES_FORCE {
        "Mass that hangs on a neighbor by a spring and a damper and gives the force on the neighbor"
    } else {
        "Mass that hangs on a neighbor by a spring and a damper"
    };

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 10.0, 0.01);
        declare_parameters(v);
        v.parameter("k_other", |m| &mut m.k_other).unit("N/m").min(0.0).description("stiffness of the spring to the neighbor");
        v.parameter("d_other", |m| &mut m.d_other).unit("N.s/m").min(0.0).description("damping of the damper to the neighbor");
        v.input("x_other", |m| &mut m.x_other).unit("m").description("position of the neighbor");
        v.input("v_other", |m| &mut m.v_other).unit("m/s").description("velocity of the neighbor");
        declare_motion(v).partials([
            ("x_other", |m| m.k_other / m.body.m),
            ("v_other", |m| m.d_other / m.body.m),
            ("k_other", |m| -m.stretch() / m.body.m),
            ("d_other", |m| -m.stretch_rate() / m.body.m),
        ]);
        if GIVES_FORCE {
            v.computed_output("f", |m| m.pull()).unit("N").description("force on the neighbor").partials([
                ("x", |m| m.k_other),
                ("v", |m| m.d_other),
                ("x_other", |m| -m.k_other),
                ("v_other", |m| -m.d_other),
                ("k_other", |m| m.stretch()),
                ("d_other", |m| m.stretch_rate()),
            ]);
        }
    }

    fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
        self.body.check()
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let (x, v) = (scaled_derivatives(&self.x_other, step.h), scaled_derivatives(&self.v_other, step.h));
        let force: [f64; TERMS] = std::array::from_fn(|i| self.k_other * x[i] + self.d_other * v[i]);
        self.body.step(self.stiffness(), self.damping(), force, step.h)
    }
}

impl<const GIVES_FORCE: bool> Sprung<GIVES_FORCE> {
    /// Returns the elongation of the spring to the neighbor \[m\].
    fn stretch(&self) -> f64 {
        self.body.x - self.x_other.value(0.0)
    }

    /// Returns the rate of the elongation \[m/s\].
    fn stretch_rate(&self) -> f64 {
        self.body.v - self.v_other.value(0.0)
    }

    /// Returns the force on the neighbor \[N\].
    fn pull(&self) -> f64 {
        self.k_other * self.stretch() + self.d_other * self.stretch_rate()
    }
}

impl<const GIVES_FORCE: bool> Moving for Sprung<GIVES_FORCE> {
    fn body(&self) -> &Body {
        &self.body
    }

    fn body_mut(&mut self) -> &mut Body {
        &mut self.body
    }

    fn stiffness(&self) -> f64 {
        self.body.k + self.k_other
    }

    fn damping(&self) -> f64 {
        self.body.d + self.d_other
    }

    fn force(&self) -> f64 {
        -self.pull()
    }

    fn force_rate(&self) -> f64 {
        let (x, v) = (self.body.v - self.x_other.slope(0.0), self.acceleration() - self.v_other.slope(0.0));
        -(self.k_other * x + self.d_other * v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stepped(mut mass: SprungMassForce, h: f64) -> SprungMassForce {
        mass.do_step(&Step { t: 0.0, h, tolerance: None }).unwrap();
        mass
    }

    #[test]
    fn a_step_is_exact_for_input_polynomials() {
        // Let x = t³, c = x_other - x and w = v_other - v. Then k c + d w = m x'' + k_f (x - z) + d_f x'.
        let body = Body { z: 0.5, ..Body::new(2.0, 3.0, 0.25, 0.0) };
        let (k, d) = (4.0, 0.5);
        // k (x_other - x) + d (v_other - v) = 12 t + 3 (t³ - 0.5) + 0.75 t²; v_other = v, so x_other follows.
        let x_other = Input::with_derivatives(-1.5 / k, [12.0 / k, 1.5 / k, 18.0 / k + 6.0]);
        let v_other = Input::with_derivatives(0.0, [0.0, 6.0, 0.0]);
        for h in [1e-3_f64, 0.3, 2.0] {
            let mass = Sprung { body: body.clone(), k_other: k, d_other: d, x_other, v_other };
            let mass = stepped(mass, h);
            // Both tolerances are small compared with the effect of the springs.
            assert!((mass.body.x - h.powi(3)).abs() < 1e-14 * (1.0 + h.powi(3)), "{h}");
            assert!((mass.body.v - 3.0 * h * h).abs() < 1e-14 * (1.0 + 3.0 * h * h), "{h}");
        }
    }

    #[test]
    fn the_force_follows_the_present_inputs() {
        let mut mass = stepped(SprungMassForce::default(), 0.1);
        let held = mass.pull();
        mass.x_other = Input::new(0.25);
        assert!((mass.pull() - (held - 2.5)).abs() < 1e-15);
        assert!((mass.body.m * mass.acceleration() + 20.0 * mass.body.x + 0.3 * mass.body.v + mass.pull()).abs() < 1e-14);
    }

    #[test]
    fn output_derivatives_are_those_of_the_solution() {
        let mut mass = SprungMassForce { x_other: Input::with_derivatives(0.1, [0.7, 0.0, 0.0]), ..Default::default() };
        mass.v_other = Input::with_derivatives(0.7, [-0.2, 0.0, 0.0]);
        let h = 1e-4;
        let at = |h: f64| stepped(mass.clone(), h).body.v;
        assert!((mass.jerk() - (at(2.0 * h) - 2.0 * at(h)) / (h * h)).abs() < 0.05);
        assert!((mass.acceleration() - (2.0 * at(h) - 0.5 * at(2.0 * h)) / h).abs() < 1e-5);
    }
}
