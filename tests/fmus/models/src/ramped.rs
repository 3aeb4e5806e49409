//! A plant whose steps are exact for inputs that are linear in time.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use super::phi;

/// Two states, `x' = A x + b u`; `y = x_1`, `v = x_2`. Like [`Plant`](super::Plant), but it interpolates its input: a step is
/// exact for `u + u' t`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ramped {
    u: Input,
    a: [f64; 4],
    b: [f64; 2],
    x: [f64; 2],
}

impl Default for Ramped {
    fn default() -> Self {
        Self { u: Input::new(0.0), a: [0.0; 4], b: [0.0; 2], x: [0.0; 2] }
    }
}

impl Model for Ramped {
    const NAME: &'static str = "ramped";
    const DESCRIPTION: &'static str = "Two states, exact for linear inputs";

    fn declare(v: &mut Declaration<Self>) {
        for place in 0..4 {
            v.parameter(&format!("a{place}"), move |m| &mut m.a[place]).description("of the matrix");
        }
        for place in 0..2 {
            v.parameter(&format!("b{place}"), move |m| &mut m.b[place]).description("effect of the input");
            v.parameter(&format!("x{place}"), move |m| &mut m.x[place]).description("state at the start");
        }
        v.input("u", |m| &mut m.u).description("the input");
        v.computed_output("y", |m| m.x[0]).depends_on([]).description("first state");
        v.computed_output("v", |m| m.x[1]).depends_on([]).description("second state");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let ([a, b, c, d], [x, y], h) = (self.a, self.x, step.h);
        let (u, rate) = (self.u.value(0.0), self.u.slope(0.0));
        let slope = [a * x + b * y + self.b[0] * u, c * x + d * y + self.b[1] * u];
        let [first, second] = phi([a * h, b * h, c * h, d * h]);
        let of = |row: usize| {
            let linear = first[2 * row] * slope[0] + first[2 * row + 1] * slope[1];
            h * linear + h * h * rate * (second[2 * row] * self.b[0] + second[2 * row + 1] * self.b[1])
        };
        self.x = [x + of(0), y + of(1)];
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x = 1 + t` and `y = 2 - t` solve `x' = -r x + r u` with `u = 1 + t + 1/r`, and `y' = x - y + b u` with the rest of `u`;
    /// whatever the step.
    #[test]
    fn a_step_is_exact_for_linear_inputs() {
        for rate in [0.1, 3.0, 1e5] {
            for h in [1e-3, 0.5, 4.0] {
                let u = Input::with_derivatives(1.0 + 1.0 / rate, [1.0, 0.0, 0.0]);
                let mut plant = Ramped { u, a: [-rate, 0.0, 0.0, -2.0], b: [rate, 2.0], x: [1.0, 0.5 + 1.0 / rate] };
                plant.do_step(&Step { t: 0.0, h, tolerance: None }).unwrap();
                let expected = [1.0 + h, 0.5 + 1.0 / rate + h];
                assert!((0..2).all(|i| (plant.x[i] / expected[i] - 1.0).abs() < 1e-12), "{rate} {h}: {:?} {expected:?}", plant.x);
            }
        }
    }
}
