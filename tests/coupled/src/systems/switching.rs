//! Coupled systems that switch, with exact solutions between the events.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use lotka::System;
use serde::{Deserialize, Serialize};

use crate::joined;

/// Returns two connected tanks until t = 10 s. A pump fills one of them; a float in the other one switches the pump:
///
/// ```text
/// dx1/dt = x2 - x1 + pump,   dx2/dt = x1 - 2 x2,   x1(0) = 1, x2(0) = 0.5
/// pump = 2 until x2 >= 1, then 0 until x2 <= 0.6, and so on
/// ```
///
/// Each tank is exact for constant inputs.
pub fn tanks() -> System {
    let system = System::new()
        .instance_of("upper", &joined::<Tank>())
        .instance_of("lower", &joined::<Tank>())
        .instance_of("float", &joined::<Float>())
        .connect("upper.inflow", "lower.x")
        .connect("lower.inflow", "upper.x")
        .connect("upper.pump", "float.pump")
        .connect("float.level", "lower.x")
        .stop(10.0);
    let starts = [("upper.x", 1.0), ("upper.loss", 1.0), ("lower.x", 0.5), ("lower.loss", 2.0)];
    starts.into_iter().fold(system, |system, (variable, value)| system.start_value(variable, value))
}

/// The exact solution of [`tanks`].
pub struct Course {
    /// Start of each piece \[s\], the state there, and the pump rate from there on. The first is the start of the run, the others
    /// are events.
    pub pieces: Vec<(f64, [f64; 2], f64)>,
}

impl Course {
    /// Computes the pieces up to t = 10 s: the linear solution, and events by bisection.
    pub fn new() -> Self {
        let mut pieces = vec![(0.0, [1.0, 0.5], 2.0)];
        while let Some(next) = next_event(pieces[pieces.len() - 1], 10.0) {
            pieces.push(next);
        }
        Self { pieces }
    }

    /// Returns the state at any time up to 10 s.
    pub fn at(&self, t: f64) -> [f64; 2] {
        let (begin, x, pump) = *self.pieces.iter().rev().find(|(begin, ..)| *begin <= t).unwrap_or(&self.pieces[0]);
        flow(x, pump, t - begin)
    }
}

impl Default for Course {
    fn default() -> Self {
        Self::new()
    }
}

/// Solves `x' = A x + (pump, 0)` with `A = (-1, 1; 1, -2)`, whose eigenvalues are `(-3 ± sqrt 5) / 2`.
fn flow(x: [f64; 2], pump: f64, h: f64) -> [f64; 2] {
    let root = 5.0_f64.sqrt();
    // The equilibrium is x2 = pump, x1 = 2 pump.
    let d = [x[0] - 2.0 * pump, x[1] - pump];
    [0.5 * (-3.0 + root), 0.5 * (-3.0 - root)].iter().fold([2.0 * pump, pump], |sum, eigenvalue| {
        // The eigenvector is (1, 1 + eigenvalue).
        let v = 1.0 + eigenvalue;
        let share = (d[0] + d[1] * v) / (1.0 + v * v) * (eigenvalue * h).exp();
        [sum[0] + share, sum[1] + share * v]
    })
}

fn next_event((begin, x, pump): (f64, [f64; 2], f64), stop: f64) -> Option<(f64, [f64; 2], f64)> {
    let past = |h: f64| {
        let x2 = flow(x, pump, h)[1];
        if pump > 0.0 { x2 >= 1.0 } else { x2 <= 0.6 }
    };
    let mut high = (1..).map(|n| 0.01 * f64::from(n)).find(|h| past(*h) || begin + h > stop)?;
    let mut low = high - 0.01;
    if begin + high > stop && !past(stop - begin) {
        return None;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if past(middle) { high = middle } else { low = middle }
    }
    Some((begin + high, flow(x, pump, high), 2.0 - pump))
}

/// `dx/dt = inflow + pump - loss x`, exact for constant inputs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Tank {
    loss: f64,
    inflow: Input,
    pump: f64,
    x: f64,
}

impl Default for Tank {
    fn default() -> Self {
        Self { loss: 1.0, inflow: Input::new(0.0), pump: 0.0, x: 1.0 }
    }
}

impl Model for Tank {
    const NAME: &'static str = "tank";
    const DESCRIPTION: &'static str = "A tank that loses what it holds";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("loss", |m| &mut m.loss).unit("1/s").description("rate of loss");
        v.input("inflow", |m| &mut m.inflow).description("what comes in");
        v.input("pump", |m| &mut m.pump).discrete().description("what a pump adds");
        v.output("x", |m| &mut m.x).exact().depends_on([]).description("what it holds");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let rest = (self.inflow.mean(step.h) + self.pump) / self.loss;
        self.x = rest + (self.x - rest) * (-self.loss * step.h).exp();
        Ok(())
    }
}

/// A float with hysteresis that switches a pump.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Float {
    level: Input,
    high: f64,
    low: f64,
    is_on: bool,
}

impl Default for Float {
    fn default() -> Self {
        Self { level: Input::new(0.5), high: 1.0, low: 0.6, is_on: true }
    }
}

impl Model for Float {
    const NAME: &'static str = "float";
    const DESCRIPTION: &'static str = "A float that switches a pump";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("high", |m| &mut m.high).description("where the pump goes off");
        v.parameter("low", |m| &mut m.low).description("where it goes on");
        v.input("level", |m| &mut m.level).description("level that is watched");
        v.computed_output("pump", |m| if m.is_on { 2.0 } else { 0.0 })
            .discrete()
            .depends_on([])
            .description("what the pump adds");
        let limit = v.computed_output("limit", |m| if m.is_on { m.high } else { m.low });
        limit.discrete().depends_on(["high", "low"]).description("where it switches next");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let level = self.level.value(step.h);
        self.is_on = if self.is_on { level < self.high } else { level <= self.low };
        Ok(())
    }
}
