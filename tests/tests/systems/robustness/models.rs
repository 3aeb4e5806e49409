//! Small models, each with one thing to look at.

use fmu_sdk::{Declaration, Experiment, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// `y = k u + d` at every time: direct feedthrough, no memory.
#[derive(Clone, Serialize, Deserialize)]
pub struct Gain {
    k: f64,
    d: f64,
    u: f64,
}

impl Default for Gain {
    fn default() -> Self {
        Self { k: 1.0, d: 0.0, u: 0.0 }
    }
}

impl Model for Gain {
    const NAME: &'static str = "gain";
    const DESCRIPTION: &'static str = "y = k u + d";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("k", |m| &mut m.k);
        v.parameter("d", |m| &mut m.d);
        v.input("u", |m| &mut m.u);
        v.computed_output("y", |m| m.k * m.u + m.d).depends_on(["u", "k", "d"]);
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}

/// A variable of every type, each output made from the inputs of that step. `total' = u` while `on`.
#[derive(Clone, Serialize, Deserialize)]
pub struct Assorted {
    u: f64,
    n: i32,
    on: bool,
    label: String,
    total: f64,
    count: i32,
    odd: bool,
    text: String,
}

impl Default for Assorted {
    fn default() -> Self {
        let (label, text) = ("start".to_owned(), "none".to_owned());
        Self { u: 1.0, n: 1, on: true, label, total: 0.0, count: 0, odd: false, text }
    }
}

impl Model for Assorted {
    const NAME: &'static str = "assorted";
    const DESCRIPTION: &'static str = "Variables of all types";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u);
        v.input("n", |m| &mut m.n);
        v.input("on", |m| &mut m.on);
        v.input("label", |m| &mut m.label);
        v.output("total", |m| &mut m.total).depends_on([]);
        v.output("count", |m| &mut m.count).depends_on([]);
        v.output("odd", |m| &mut m.odd).depends_on([]);
        v.output("text", |m| &mut m.text).depends_on([]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.total += if self.on { self.u * step.h } else { 0.0 };
        self.count += self.n;
        self.odd = self.count % 2 != 0;
        self.text = format!("{} {}", self.label, self.count);
        Ok(())
    }
}

/// `x' = -x` with exact steps, from 1; steps above `largest` are discarded, at `end` it asks for the end.
#[derive(Clone, Serialize, Deserialize)]
pub struct Decay {
    largest: f64,
    end: f64,
    x: f64,
}

impl Default for Decay {
    fn default() -> Self {
        Self { largest: 1e9, end: 1e9, x: 1.0 }
    }
}

impl Model for Decay {
    const NAME: &'static str = "decay";
    const DESCRIPTION: &'static str = "Decay that does not like large steps";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("largest", |m| &mut m.largest).unit("s");
        v.parameter("end", |m| &mut m.end).unit("s");
        v.output("x", |m| &mut m.x).depends_on([]);
    }

    fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
        self.x = 1.0;
        Ok(())
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        if step.t + step.h > self.end {
            self.x *= (step.t - self.end).exp();
            return Err(Refusal::terminate(self.end, "this is the end"));
        }
        if step.h > self.largest {
            return Err(Refusal::discard("too large a step"));
        }
        self.x *= (-step.h).exp();
        Ok(())
    }
}

/// `x' = u - x`, held input, from the input at the start: its output follows the input in initialization mode, later it does not.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Lag {
    u: f64,
    x: f64,
}

impl Model for Lag {
    const NAME: &'static str = "lag";
    const DESCRIPTION: &'static str = "First-order lag that starts in equilibrium";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u);
        v.output("x", |m| &mut m.x).depends_on(["u"]);
        v.computed("der(x)", |m| m.u - m.x).derivative_of("x").depends_on(["u", "x"]);
    }

    fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
        self.x = self.u;
        Ok(())
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.x += (self.u - self.x) * -(-step.h).exp_m1();
        Ok(())
    }
}

/// `m = min(n + 1, 3)` after each step: two of them in a loop agree on 3.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Ladder {
    n: i32,
    m: i32,
}

impl Model for Ladder {
    const NAME: &'static str = "ladder";
    const DESCRIPTION: &'static str = "One more than the input, at most 3";

    fn declare(v: &mut Declaration<Self>) {
        v.input("n", |m| &mut m.n);
        v.output("m", |m| &mut m.m).depends_on([]);
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        self.m = (self.n + 1).min(3);
        Ok(())
    }
}
