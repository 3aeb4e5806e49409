//! Systems driven by prescribed signals, with exact solutions.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use lotka::System;
use serde::{Deserialize, Serialize};

use crate::joined;

/// `x' = u - x` from x = 0, and `z = x + 2 u`; exact for inputs that are linear over a step.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Lag {
    u: Input,
    x: f64,
}

impl Model for Lag {
    const NAME: &'static str = "lag";
    const DESCRIPTION: &'static str = "A first-order lag";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u).unit("K").description("what it follows");
        v.output("x", |m| &mut m.x).depends_on([]).unit("K").description("what follows");
        v.computed_output("z", |m| m.x + 2.0 * m.u.value(0.0)).depends_on(["u"]).unit("K").description("feedthrough");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let particular = |t: f64| self.u.value(t) - self.u.slope(t);
        self.x = particular(step.h) + (self.x - particular(0.0)) * (-step.h).exp();
        Ok(())
    }
}

/// `x' = u` and `y' = v`, exact for held inputs.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Integrals {
    u: f64,
    v: f64,
    x: f64,
    y: f64,
}

impl Model for Integrals {
    const NAME: &'static str = "integrals";
    const DESCRIPTION: &'static str = "Two integrals";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u).description("derivative of x");
        v.input("v", |m| &mut m.v).description("derivative of y");
        v.output("x", |m| &mut m.x).depends_on([]).description("integral of u");
        v.output("y", |m| &mut m.y).depends_on([]).description("integral of v");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.x += step.h * self.u;
        self.y += step.h * self.v;
        Ok(())
    }
}

/// A panel with an input and an output of every type, and a counter of its steps; `total' = gain` while it is on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Panel {
    n: i32,
    on: bool,
    label: String,
    gain: f64,
    total: f64,
    shown: String,
}

impl Default for Panel {
    fn default() -> Self {
        Self { n: 0, on: false, label: String::new(), gain: 1.0, total: 0.0, shown: String::new() }
    }
}

impl Model for Panel {
    const NAME: &'static str = "panel";
    const DESCRIPTION: &'static str = "Shows what it is told";

    fn declare(v: &mut Declaration<Self>) {
        v.input("n", |m| &mut m.n).description("a number");
        v.input("on", |m| &mut m.on).description("a switch");
        v.input("label", |m| &mut m.label).description("a text");
        v.parameter("gain", |m| &mut m.gain).tunable().description("rate while it is on");
        v.output("total", |m| &mut m.total).depends_on([]).description("integral");
        v.output("shown", |m| &mut m.shown).depends_on([]).description("all of it");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.total += if self.on { self.gain * step.h } else { 0.0 };
        self.shown = format!("{} {}", self.label, self.n);
        Ok(())
    }
}

/// Outputs of every type that follow inputs at once: `y = k u`, `twice = 2 n`, `off = !on`, `shown = label`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Follower {
    u: f64,
    k: f64,
    n: i32,
    on: bool,
    label: String,
}

impl Default for Follower {
    fn default() -> Self {
        Self { u: 1.0, k: 1.0, n: 0, on: false, label: String::new() }
    }
}

impl Model for Follower {
    const NAME: &'static str = "follower";
    const DESCRIPTION: &'static str = "Follows what it is told";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u).description("an input");
        v.input("n", |m| &mut m.n).description("a number");
        v.input("on", |m| &mut m.on).description("a switch");
        v.input("label", |m| &mut m.label).description("a text");
        v.parameter("k", |m| &mut m.k).tunable().description("gain");
        v.computed_output("y", |m| m.k * m.u).depends_on(["u"]).description("k u");
        v.computed_output("twice", |m| 2 * m.n).depends_on(["n"]).description("2 n");
        v.computed_output("off", |m| !m.on).depends_on(["on"]).description("not on");
        v.computed_output("shown", |m| m.label.clone()).depends_on(["label"]).description("the text");
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}

/// Returns a lag until t = 10 s; the test connects its input.
pub fn lag() -> System {
    System::new().instance_of("lag", &joined::<Lag>()).stop(10.0)
}

/// Returns [`Lag`]'s x at a time, for a piecewise linear input through the points `(t, u)`. Two points at the same time are a
/// jump; before the first and after the last point, the input is constant.
pub fn lag_at(points: &[(f64, f64)], time: f64) -> f64 {
    let (mut x, mut t) = (0.0, 0.0);
    let first = points.first().map_or((0.0, 0.0), |first| (0.0_f64.min(first.0), first.1));
    let last = points.last().map_or((0.0, 0.0), |last| (f64::INFINITY, last.1));
    let all: Vec<_> = std::iter::once(first).chain(points.iter().copied()).chain([last]).collect();
    for pair in all.windows(2) {
        let [(t0, u0), (t1, u1)] = [pair[0], pair[1]];
        let end = t1.min(time);
        if end <= t {
            continue;
        }
        let slope = if t1.is_finite() { (u1 - u0) / (t1 - t0) } else { 0.0 };
        let particular = |t: f64| u0 + slope * (t - t0) - slope;
        x = particular(end) + (x - particular(t)) * (t - end).exp();
        t = end;
    }
    x
}
