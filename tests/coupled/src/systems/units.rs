//! Small models that reveal what a master does: which inputs it sets, and when.

use fmu_sdk::{Declaration, Experiment, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// `y = t²`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Square {
    time: f64,
}

impl Model for Square {
    const NAME: &'static str = "square";
    const DESCRIPTION: &'static str = "The square of the time";

    fn declare(v: &mut Declaration<Self>) {
        v.computed_output("y", |m| m.time * m.time).depends_on([]).description("time squared");
    }

    fn initialize(&mut self, experiment: &Experiment) -> Result<(), Refusal> {
        self.time = experiment.start;
        Ok(())
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.time = step.t + step.h;
        Ok(())
    }
}

/// Stores the values of its input `u` at the start and at the end of the last step. Its outputs depend on its state only (Moore).
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Listener {
    u: Input,
    begin: f64,
    end: f64,
}

impl Model for Listener {
    const NAME: &'static str = "listener";
    const DESCRIPTION: &'static str = "Keeps what it was told";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u).description("input");
        v.output("begin", |m| &mut m.begin).exact().depends_on([]).description("the input at the begin of the last step");
        v.output("end", |m| &mut m.end).exact().depends_on([]).description("the input at the end of the last step");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        (self.begin, self.end) = (self.u.value(0.0), self.u.value(step.h));
        Ok(())
    }
}

/// `y = u + n` after n steps: the output depends directly on the input and on the state (Mealy).
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Mirror {
    u: Input,
    steps: f64,
}

impl Model for Mirror {
    const NAME: &'static str = "mirror";
    const DESCRIPTION: &'static str = "Its input, and the number of its steps";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u).description("input");
        v.output("steps", |m| &mut m.steps).exact().depends_on([]).description("number of steps");
        v.computed_output("y", |m| m.u.value(0.0) + m.steps).depends_on(["u"]).description("input plus number of steps");
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        self.steps += 1.0;
        Ok(())
    }
}

/// `dx/dt = gain u`, exact for every input polynomial.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Integrator {
    gain: f64,
    u: Input,
    x: f64,
}

impl Default for Integrator {
    fn default() -> Self {
        Self { gain: 1.0, u: Input::new(0.0), x: 0.0 }
    }
}

impl Model for Integrator {
    const NAME: &'static str = "integrator";
    const DESCRIPTION: &'static str = "Integral of its input";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("gain", |m| &mut m.gain).unit("1/s").description("gain");
        v.input("u", |m| &mut m.u).description("input");
        v.output("x", |m| &mut m.x).exact().depends_on([]).description("integral");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.x += self.gain * self.u.integral(step.h);
        Ok(())
    }
}

/// `y = a u + b w + c`, at every instant.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Affine {
    a: f64,
    b: f64,
    c: f64,
    u: Input,
    w: Input,
}

impl Model for Affine {
    const NAME: &'static str = "affine";
    const DESCRIPTION: &'static str = "A linear equation";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("a", |m| &mut m.a).description("factor of u");
        v.parameter("b", |m| &mut m.b).description("factor of w");
        v.parameter("c", |m| &mut m.c).description("constant");
        v.input("u", |m| &mut m.u).description("first input");
        v.input("w", |m| &mut m.w).description("second input");
        let y = v.computed_output("y", |m| m.a * m.u.value(0.0) + m.b * m.w.value(0.0) + m.c);
        y.depends_on(["u", "w", "a", "b", "c"]).description("a u + b w + c");
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}

/// `x(t) = e^-t x(0)`; steps longer than `longest` \[s\] are discarded.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Cautious {
    longest: f64,
    x: f64,
}

impl Default for Cautious {
    fn default() -> Self {
        Self { longest: 0.01, x: 1.0 }
    }
}

impl Model for Cautious {
    const NAME: &'static str = "cautious";
    const DESCRIPTION: &'static str = "Decays, and makes no long steps";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("longest", |m| &mut m.longest).unit("s").description("longest step");
        v.output("x", |m| &mut m.x).exact().depends_on([]).description("what decays");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        if step.h > self.longest {
            return Err(Refusal::discard(format!("no step is longer than {} s", self.longest)));
        }
        self.x *= (-step.h).exp();
        Ok(())
    }
}
