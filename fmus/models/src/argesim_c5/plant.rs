//! The continuous half of ARGESIM comparison C5.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// A plant with two linear states whose speeds differ by a factor of a million. They follow the inputs `c2` and `c4`:
///
/// ```text
/// dy1/dt = c1 (y2 + c2 - y1),   y1(0) = y1_0
/// dy2/dt = c3 (c4 - y2),        y2(0) = y2_0
/// ```
///
/// `c1` and `c3` are rates \[1/s\]; all other quantities are dimensionless. Inputs are constant during a step of `h` seconds,
/// which is exact:
///
/// ```text
/// y1(t + h) = y1 + (c2 + c4 - y1) (1 - e^-a) + (y2 - c4) phi,   a = c1 h
/// y2(t + h) = y2 + (c4 - y2) (1 - e^-b),                        b = c3 h
/// phi       = a (e^-b - e^-a) / (a - b)
/// ```
///
/// Every factor is as precise as its arguments for all `a` and `b`, even if they are tiny, huge or equal. The error of a
/// step is therefore a few units in the last place of the largest of `y1`, `y2`, `c2` and `c4`.
///
/// Output derivatives: those of the equations.
///
/// Source: ARGESIM Comparison C5, Two State Model, Simulation News Europe; as in G. Höfinger, F. Breitenecker, A Numerical
/// Solution to ARGESIM Comparison C5 with SAMT/DESIRE, TU Vienna.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TwoStatePlant {
    c1: f64,
    c3: f64,
    y1_0: f64,
    y2_0: f64,
    pub(super) c2: f64,
    pub(super) c4: f64,
    pub(super) y1: f64,
    pub(super) y2: f64,
}

impl Default for TwoStatePlant {
    fn default() -> Self {
        Self { c1: 2.7e6, c3: 3.5651205, y1_0: 4.2, y2_0: 0.3, c2: 0.4, c4: 5.5, y1: 4.2, y2: 0.3 }
    }
}

impl Model for TwoStatePlant {
    const NAME: &'static str = "two_state_plant";
    const DESCRIPTION: &'static str = "ARGESIM C5: dy1/dt = c1 (y2 + c2 - y1), dy2/dt = c3 (c4 - y2)";
    const UNCHANGED_BY_DISCARD: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 5.0, 0.1);
        v.parameter("c1", |m| &mut m.c1).unit("1/s").min(0.0).description("rate of the fast state");
        v.parameter("c3", |m| &mut m.c3).unit("1/s").min(0.0).description("rate of the slow state");
        v.parameter("y1_0", |m| &mut m.y1_0).unit("1").description("fast state at the start");
        v.parameter("y2_0", |m| &mut m.y2_0).unit("1").description("slow state at the start");
        v.input("c2", |m| &mut m.c2).discrete().unit("1").description("by how much the fast state follows above the slow one");
        v.input("c4", |m| &mut m.c4).discrete().unit("1").description("what the slow state approaches");
        v.output("y1", |m| &mut m.y1)
            .unit("1")
            .description("fast state")
            .partials([("y1_0", |_| 1.0)])
            .derivatives([|m| m.fast_rate()]);
        v.output("y2", |m| &mut m.y2)
            .unit("1")
            .description("slow state")
            .partials([("y2_0", |_| 1.0)])
            .derivatives([|m| m.slow_rate()]);
        v.computed("der(y1)", |m| m.fast_rate()).unit("1/s").description("time derivative of y1").derivative_of("y1").partials([
            ("y1", |m| -m.c1),
            ("y2", |m| m.c1),
            ("c2", |m| m.c1),
            ("c1", |m| m.y2 + m.c2 - m.y1),
        ]);
        v.computed("der(y2)", |m| m.slow_rate()).unit("1/s").description("time derivative of y2").derivative_of("y2").partials([
            ("y2", |m| -m.c3),
            ("c4", |m| m.c3),
            ("c3", |m| m.c4 - m.y2),
        ]);
    }

    fn initialize(&mut self, _: &fmu_sdk::Experiment) -> Result<(), Refusal> {
        (self.y1, self.y2) = (self.y1_0, self.y2_0);
        Ok(())
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let (a, b) = (self.c1 * step.h, self.c3 * step.h);
        let Self { c2, c4, y1, y2, .. } = *self;
        self.y1 = y1 + (c2 + c4 - y1) * approached(a) + (y2 - c4) * lag(a, b);
        self.y2 = y2 + (c4 - y2) * approached(b);
        if self.y1.is_finite() && self.y2.is_finite() { Ok(()) } else { Err(self.not_finite()) }
    }
}

impl TwoStatePlant {
    /// dy1/dt \[1/s\].
    fn fast_rate(&self) -> f64 {
        self.c1 * (self.y2 + self.c2 - self.y1)
    }

    /// dy2/dt \[1/s\].
    fn slow_rate(&self) -> f64 {
        self.c3 * (self.c4 - self.y2)
    }

    #[cold]
    fn not_finite(&self) -> Refusal {
        let Self { c2, c4, y1, y2, .. } = self;
        Refusal::error(format!("the states must stay finite, but become y1 = {y1}, y2 = {y2} with c2 = {c2} and c4 = {c4}"))
    }
}

/// Returns the fraction of exponential decay completed after `a` time constants: `1 - e^-a`.
fn approached(a: f64) -> f64 {
    -(-a).exp_m1()
}

/// Returns the response of a lag of rate `a` driven by a decay of rate `b`, both per step: `a (e^-b - e^-a) / (a - b)`.
///
/// Computed with `d = |a - b|` as `a e^-min(a, b) (1 - e^-d) / d`, which avoids cancellation.
fn lag(a: f64, b: f64) -> f64 {
    let d = (a - b).abs();
    let mean_decay = if d == 0.0 { 1.0 } else { approached(d) / d };
    a * (-a.min(b)).exp() * mean_decay
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stepped(mut plant: TwoStatePlant, h: f64) -> [f64; 2] {
        plant.do_step(&Step { t: 0.0, h, tolerance: None }).unwrap();
        [plant.y1, plant.y2]
    }

    fn assert_near(got: [f64; 2], exact: [f64; 2], what: &str) {
        for (got, exact) in got.into_iter().zip(exact) {
            assert!((got - exact).abs() <= 2e-15, "{what}: {got} {exact}");
        }
    }

    /// The closed form, evaluated in 60-digit arithmetic (Python's `decimal`) and rounded to doubles.
    #[test]
    fn a_step_of_any_size_is_exact() {
        let from_start = [
            (1e-12, [4.199990550012758, 0.3000000000185386]),
            (1e-9, [4.190562746051, 0.30000001853862657]),
            (3e-7, [2.2570049816753808, 0.30000556158500585]),
            (1e-5, [0.7001785170457123, 0.3001853829614174]),
            (0.01, [0.8821139421361797, 0.48212056782819873]),
            (1.1, [5.796994470115718, 5.396994606125765]),
            (50.0, [5.9, 5.5]),
        ];
        for (h, exact) in from_start {
            assert_near(stepped(TwoStatePlant::default(), h), exact, &format!("first state, {h} s"));
        }
        let from_switch = [
            (1e-12, [5.7999981100025515, 5.399999999990482]),
            (3e-7, [5.4113997478522355, 5.3999971443400065]),
            (0.01, [5.006491495095462, 5.306488093057444]),
            (1.1, [2.4828893778444296, 2.7828893080085018]),
        ];
        for (h, exact) in from_switch {
            let switched = TwoStatePlant { c2: -0.3, c4: 2.73, y1: 5.8, y2: 5.4, ..TwoStatePlant::default() };
            assert_near(stepped(switched, h), exact, &format!("second state, {h} s"));
        }
    }

    #[test]
    fn rates_may_be_alike_or_zero() {
        let cases = [
            (2.0, 2.0000000001, 0.5, [3.3616318559648724, 3.5870269060041484]),
            (2.0, 2.0, 0.5, [3.361631855917048, 3.5870269059085]),
            (3.0, 7.0, 1e-6, [4.19998950007035, 0.3000363998726003]),
            (3.0, 7.0, 0.5, [4.7682408985158355, 5.342973606203944]),
            (0.0, 0.0, 1.0, [4.2, 0.3]),
        ];
        for (c1, c3, h, exact) in cases {
            assert_near(stepped(TwoStatePlant { c1, c3, ..TwoStatePlant::default() }, h), exact, &format!("{c1} {c3} {h}"));
        }
    }

    #[test]
    fn many_small_steps_are_a_large_one() {
        let mut plant = TwoStatePlant::default();
        (0..10_000).for_each(|_| plant.do_step(&Step { t: 0.0, h: 1e-4, tolerance: None }).unwrap());
        let whole = stepped(TwoStatePlant::default(), 1.0);
        assert!((plant.y1 - whole[0]).abs() < 1e-12 && (plant.y2 - whole[1]).abs() < 1e-12, "{} {}", plant.y1, plant.y2);
    }

    #[test]
    fn output_derivatives_are_those_of_the_solution() {
        let (plant, h) = (TwoStatePlant { c1: 4.0, ..TwoStatePlant::default() }, 1e-4);
        let (ahead, twice) = (stepped(plant.clone(), h), stepped(plant.clone(), 2.0 * h));
        let slope = |i: usize, now: f64| (4.0 * ahead[i] - twice[i] - 3.0 * now) / (2.0 * h);
        assert!((slope(0, 4.2) - plant.fast_rate()).abs() < 1e-5);
        assert!((slope(1, 0.3) - plant.slow_rate()).abs() < 1e-5);
    }

    #[test]
    fn an_input_that_is_not_a_number_is_an_error() {
        let mut plant = TwoStatePlant { c4: f64::NAN, ..TwoStatePlant::default() };
        assert!(plant.do_step(&Step { t: 0.0, h: 0.1, tolerance: None }).unwrap_err().to_string().contains("c4 = NaN"));
    }
}
