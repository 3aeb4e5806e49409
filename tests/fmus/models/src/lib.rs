//! Models for the campaign that tests the promise of `tolerance`, and one that reads a resource file.
//!
//! Like most FMUs, they make decisions once per step, with the inputs of that step. Each is also an FMU:
//! `cargo xtask package-fmus --tests`.

mod characteristic;
mod chart;
mod converter;
mod joint;
mod nonlinear;
mod ramped;
mod regulator;
mod servo;
mod signal;
mod slider;
mod vessel;

use std::f64::consts::TAU;

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

pub use characteristic::Characteristic;
pub use chart::Chart;
pub use converter::Converter;
pub use joint::Joint;
pub use nonlinear::{HalfVanDerPol, Rival};
pub use ramped::Ramped;
pub use regulator::Regulator;
pub use servo::Servo;
pub use signal::{Shape, Signal};
pub use slider::Slider;
pub use vessel::Vessel;

/// A plant with two states: `x' = A x + b u`; `y = offset + x_1`, `v = x_2`. With `DIRECT`, `y` has a direct term `d u` of the
/// held input. The plant is exact for held inputs, or makes one explicit Euler step per step, or integrates with an own
/// tolerance. Where it is exact, `ripple (1 + cos(2 pi frequency t))` may be added to the input, and `shown` times the same wave
/// to `y`.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
pub struct Plant<const DIRECT: bool> {
    u: f64,
    a: [f64; 4],
    b: [f64; 2],
    x: [f64; 2],
    d: f64,
    offset: f64,
    shift: f64,
    noise: f64,
    euler: bool,
    rtol: f64,
    looseness: f64,
    internal: f64,
    ripple: f64,
    shown: f64,
    frequency: f64,
    t: f64,
}

impl<const DIRECT: bool> Model for Plant<DIRECT> {
    const NAME: &'static str = if DIRECT { "direct_plant" } else { "plant" };
    const DESCRIPTION: &'static str = "Two states, exact for held inputs";

    fn declare(v: &mut Declaration<Self>) {
        for place in 0..4 {
            v.parameter(&format!("a{place}"), move |m| &mut m.a[place]).description("of the matrix");
        }
        for place in 0..2 {
            v.parameter(&format!("b{place}"), move |m| &mut m.b[place]).description("effect of the input");
            v.parameter(&format!("x{place}"), move |m| &mut m.x[place]).description("state at the start");
        }
        v.parameter("d", |m| &mut m.d).description("direct effect of the input");
        v.parameter("offset", |m| &mut m.offset).description("added to y");
        v.parameter("shift", |m| &mut m.shift).description("taken from the input");
        v.parameter("noise", |m| &mut m.noise).description("relative noise of y");
        v.parameter("euler", |m| &mut m.euler).description("steps by Euler's rule");
        v.parameter("rtol", |m| &mut m.rtol).description("integrates with this tolerance, if it is not 0");
        v.parameter("looseness", |m| &mut m.looseness)
            .description("integrates with this multiple of the requested tolerance, if it is not 0");
        v.parameter("ripple", |m| &mut m.ripple).description("of the input");
        v.parameter("shown", |m| &mut m.shown).description("share of the ripple in y");
        v.parameter("frequency", |m| &mut m.frequency).unit("Hz").description("of the ripple");
        v.input("u", |m| &mut m.u).description("the input");
        let y = v.computed_output("y", Self::y).description("first state");
        if DIRECT {
            y.depends_on(["u"]);
        } else {
            y.depends_on([]);
        }
        v.computed_output("v", |m| m.x[1]).depends_on([]).description("second state");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let [a, b, c, d] = self.a;
        let ([x, y], u) = (self.x, self.u - self.shift);
        let slope = [a * x + b * y + self.b[0] * u, c * x + d * y + self.b[1] * u];
        let rtol = if self.looseness > 0.0 { self.looseness * step.tolerance.unwrap_or(1e-4) } else { self.rtol };
        if rtol > 0.0 {
            self.integrate(step.h, u, rtol);
        } else if self.euler {
            self.x = [x + step.h * slope[0], y + step.h * slope[1]];
        } else {
            self.t = step.t;
            let forced = self.forced(step.t);
            let (x, y, u) = (x - forced[0], y - forced[1], u + self.ripple);
            let slope = [a * x + b * y + self.b[0] * u, c * x + d * y + self.b[1] * u];
            let [phi, _] = phi([a * step.h, b * step.h, c * step.h, d * step.h]);
            self.x = [x + step.h * (phi[0] * slope[0] + phi[1] * slope[1]), y + step.h * (phi[2] * slope[0] + phi[3] * slope[1])];
            self.t = step.t + step.h;
            let forced = self.forced(self.t);
            self.x = [0, 1].map(|i| self.x[i] + forced[i]);
        }
        Ok(())
    }
}

impl<const DIRECT: bool> Plant<DIRECT> {
    /// Integrates over `h` with a tolerance per internal step, whose size carries over to the next call (P. Bogacki, L. F.
    /// Shampine 1989, doi 10.1016/0893-9659(89)90079-7).
    fn integrate(&mut self, h: f64, u: f64, rtol: f64) {
        let [a, b, c, d] = self.a;
        let slope = |[x, y]: [f64; 2]| [a * x + b * y + self.b[0] * u, c * x + d * y + self.b[1] * u];
        let along = |x: [f64; 2], h: f64, k: [f64; 2]| [x[0] + h * k[0], x[1] + h * k[1]];
        let (mut x, mut t, mut size) = (self.x, 0.0, if self.internal > 0.0 { self.internal } else { 0.01 * h });
        while t < h {
            let part = size.min(h - t);
            let k1 = slope(x);
            let k2 = slope(along(x, 0.5 * part, k1));
            let k3 = slope(along(x, 0.75 * part, k2));
            let mean = [0, 1].map(|i| (2.0 * k1[i] + 3.0 * k2[i] + 4.0 * k3[i]) / 9.0);
            let next = along(x, part, mean);
            let k4 = slope(next);
            let off = |i: usize| part * (-5.0 * k1[i] + 6.0 * k2[i] + 8.0 * k3[i] - 9.0 * k4[i]) / 72.0;
            let scale = rtol * (1e-3 + x[0].abs().max(x[1].abs()));
            let error = (off(0).abs().max(off(1).abs()) / scale).max(1e-3);
            if error <= 1.0 {
                (x, t) = (next, t + part);
            }
            if error > 1.0 || part == size {
                size = part * (0.9 * error.powf(-1.0 / 3.0)).clamp(0.2, 5.0);
            }
        }
        (self.x, self.internal) = (x, size);
    }

    /// The periodic solution that the wave alone forces: `Re((i w - A)^-1 b r exp(i w t))`.
    fn forced(&self, t: f64) -> [f64; 2] {
        if self.ripple == 0.0 {
            return [0.0; 2];
        }
        let ([a, b, c, d], w) = (self.a, TAU * self.frequency);
        // Complex numbers as (real, imaginary).
        let determinant = (a * d - b * c - w * w, -w * (a + d));
        let adjoint = [(b * self.b[1] - d * self.b[0], w * self.b[0]), (c * self.b[0] - a * self.b[1], w * self.b[1])];
        let size = determinant.0 * determinant.0 + determinant.1 * determinant.1;
        let (sin, cos) = (w * t).sin_cos();
        adjoint.map(|(re, im)| {
            let quotient = (re * determinant.0 + im * determinant.1, im * determinant.0 - re * determinant.1);
            self.ripple * (quotient.0 * cos - quotient.1 * sin) / size
        })
    }

    fn y(&self) -> f64 {
        let wave =
            if self.ripple == 0.0 { 0.0 } else { self.shown * self.ripple * (1.0 + (TAU * self.frequency * self.t).cos()) };
        let y = self.offset + self.x[0] + self.d * self.u + wave;
        // Derived from the bits of the value, so that the same state has the same noise.
        let hash = y.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        y * (1.0 + self.noise * (hash as f64 / 2.0_f64.powi(23) - 1.0))
    }
}

/// Returns `phi_1 = (exp(M) - 1) / M` and `phi_2 = (phi_1 - 1) / M` of a 2x2 matrix by series and doubling.
fn phi(m: [f64; 4]) -> [[f64; 4]; 2] {
    let size = m.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let halvings = if size > 0.1 { (size / 0.1).log2().ceil() as i32 } else { 0 };
    let small = m.map(|value| value * 0.5_f64.powi(halvings));
    let (mut sum, mut term) = ([1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]);
    let mut second = [0.0; 4];
    for n in 2..16 {
        second = [0, 1, 2, 3].map(|place| second[place] + term[place] / f64::from(n));
        term = product(term, small).map(|value| value / f64::from(n));
        sum = [0, 1, 2, 3].map(|place| sum[place] + term[place]);
    }
    let mut matrix = small;
    for _ in 0..halvings {
        // phi_2(2 M) = (phi_1(M)^2 + 2 phi_2(M)) / 4, phi_1(2 M) = phi_1(M) (1 + M phi_1(M) / 2).
        let square = product(sum, sum);
        second = [0, 1, 2, 3].map(|place| 0.25 * square[place] + 0.5 * second[place]);
        let half = product(matrix, sum).map(|value| 0.5 * value);
        sum = product(sum, [1.0 + half[0], half[1], half[2], 1.0 + half[3]]);
        matrix = matrix.map(|value| 2.0 * value);
    }
    [sum, second]
}

fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]]
}

/// `x' = -rate x + y` with `y = ±force`. `y` becomes positive when the input rises to a level, and negative when it falls below
/// it. The two levels may differ and may move. With `SHOWN`, `y` is an output.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
pub struct Relay<const SHOWN: bool> {
    u: f64,
    level: f64,
    band: f64,
    drift: f64,
    rate: f64,
    force: f64,
    x: f64,
    y: f64,
}

impl<const SHOWN: bool> Relay<SHOWN> {
    /// Returns whether `y` is positive for an input at a time, given whether it was.
    #[must_use]
    pub fn is_on(was_on: bool, u: f64, level: f64, band: f64) -> bool {
        u >= if was_on { level - band } else { level + band }
    }
}

impl<const SHOWN: bool> Model for Relay<SHOWN> {
    const NAME: &'static str = if SHOWN { "shown_relay" } else { "relay" };
    const DESCRIPTION: &'static str = "A first-order lag behind a hidden switch";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("level", |m| &mut m.level).description("where it switches");
        v.parameter("band", |m| &mut m.band).description("how far above it on the way up, and below it on the way down");
        v.parameter("drift", |m| &mut m.drift).description("change of the level per second");
        v.parameter("rate", |m| &mut m.rate).description("of the lag");
        v.parameter("force", |m| &mut m.force).description("above the level");
        v.parameter("x0", |m| &mut m.x).description("state at the start");
        v.parameter("y0", |m| &mut m.y).description("y at the start");
        v.input("u", |m| &mut m.u).description("what switches");
        v.computed_output("x", |m| m.x).depends_on([]).description("the state");
        if SHOWN {
            v.computed_output("y", |m| m.y).depends_on([]).description("what it switches");
        }
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let is_on = Self::is_on(self.y > 0.0, self.u, self.level + self.drift * step.t, self.band);
        self.y = if is_on { self.force } else { -self.force };
        let end = self.y / self.rate;
        self.x = end + (self.x - end) * (-self.rate * step.h).exp();
        Ok(())
    }
}

/// `y = -gain u`, sampled with a period: at the start of a step that starts at a sampling time, or at the end of a step that ends
/// there.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
pub struct Sampler {
    u: f64,
    gain: f64,
    period: f64,
    offset: f64,
    at_end: bool,
    count: f64,
    y: f64,
}

impl Model for Sampler {
    const NAME: &'static str = "sampler";
    const DESCRIPTION: &'static str = "A sampled controller";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("gain", |m| &mut m.gain).description("of the controller");
        v.parameter("period", |m| &mut m.period).unit("s").description("between samples");
        v.parameter("offset", |m| &mut m.offset).unit("s").description("the first sample");
        v.parameter("at_end", |m| &mut m.at_end).description("acts at the end of a step");
        v.input("u", |m| &mut m.u).description("what is measured");
        v.computed_output("y", |m| m.y).depends_on([]).description("what is held");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let time = if self.at_end { step.t + step.h } else { step.t };
        while time >= self.offset + self.count * self.period - 1e-9 * self.period {
            self.y = -self.gain * self.u;
            self.count += 1.0;
        }
        Ok(())
    }
}

/// A state of the Lorenz system (E. N. Lorenz 1963, doi 10.1175/1520-0469(1963)020<0130:DNF>2.0.CO;2), exact for held inputs.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
pub struct Lorenz {
    state: f64,
    which: f64,
    u: [f64; 2],
}

impl Lorenz {
    /// The two other states that act on each state, in input order.
    pub const INPUTS: [[usize; 2]; 3] = [[1, 2], [0, 2], [0, 1]];

    /// Returns the decay rate of a state, and that rate times the value to which the state decays.
    #[must_use]
    pub fn slope(which: usize, [u, v]: [f64; 2]) -> (f64, f64) {
        match which {
            0 => (10.0, 10.0 * u),
            1 => (1.0, u * (28.0 - v)),
            _ => (8.0 / 3.0, u * v),
        }
    }
}

impl Model for Lorenz {
    const NAME: &'static str = "lorenz";
    const DESCRIPTION: &'static str = "One state of the Lorenz system";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("which", |m| &mut m.which).description("0, 1 or 2");
        v.parameter("x0", |m| &mut m.state).description("state at the start");
        v.input("u", |m| &mut m.u[0]).description("another state");
        v.input("v", |m| &mut m.u[1]).description("the third state");
        v.computed_output("x", |m| m.state).depends_on([]).description("the state");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let (rate, gain) = Self::slope(self.which as usize, self.u);
        let end = gain / rate;
        self.state = end + (self.state - end) * (-rate * step.h).exp();
        Ok(())
    }
}
