//! A model with every type, causality and variability.

use fmu_sdk::{Declaration, Enumeration, Experiment, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Gear {
    Low,
    High,
}

impl Enumeration for Gear {
    const TYPE: &'static str = "Gear";
    const ITEMS: &'static [(&'static str, Self)] = &[("low", Gear::Low), ("high", Gear::High)];
}

/// `z' = gain u`, `y = z + u + offset`, and one variable of everything else.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Everything {
    gain: f64,
    offset: f64,
    size: i32,
    enabled: bool,
    label: String,
    gear: Gear,
    u: Input,
    held: f64,
    k: i32,
    on: bool,
    text: String,
    shift: Gear,
    fault: i32,
    z: f64,
    initializations: i32,
    message: String,
}

impl Default for Everything {
    fn default() -> Self {
        Self {
            gain: 2.0,
            offset: 0.5,
            size: 3,
            enabled: true,
            label: "l".into(),
            gear: Gear::Low,
            u: Input::new(1.0),
            held: 0.0,
            k: 0,
            on: false,
            text: String::new(),
            shift: Gear::Low,
            fault: 0,
            z: 4.0,
            initializations: 0,
            message: String::new(),
        }
    }
}

/// Value references of Reals, in the order of their declaration.
pub mod real {
    pub const GAIN: u32 = 0;
    pub const OFFSET: u32 = 1;
    pub const U: u32 = 2;
    pub const HELD: u32 = 3;
    pub const Z: u32 = 4;
    pub const Y: u32 = 5;
    pub const DER_Z: u32 = 6;
    pub const DOUBLE: u32 = 7;
}

/// Value references of Integers and Enumerations.
pub mod integer {
    pub const SIZE: u32 = 0;
    pub const GEAR: u32 = 1;
    pub const K: u32 = 2;
    pub const SHIFT: u32 = 3;
    pub const FAULT: u32 = 4;
    pub const SUM: u32 = 5;
    pub const SHIFTED: u32 = 6;
    pub const INITIALIZATIONS: u32 = 7;
}

impl Model for Everything {
    const NAME: &'static str = "everything";
    const RETURNS_EARLY: bool = true;
    const DESCRIPTION: &'static str = "Every type & \"causality\"";

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 1.0, 0.1);
        v.parameter("gain", |m| &mut m.gain).tunable().min(0.0).max(10.0).unit("1/s");
        v.parameter("offset", |m| &mut m.offset);
        v.parameter("size", |m| &mut m.size).min(1).max(9);
        v.parameter("gear", |m| &mut m.gear);
        v.parameter("enabled", |m| &mut m.enabled);
        v.parameter("label", |m| &mut m.label);
        v.input("u", |m| &mut m.u).nominal(5.0);
        v.input("held", |m| &mut m.held).discrete();
        v.input("k", |m| &mut m.k);
        v.input("shift", |m| &mut m.shift);
        v.input("fault", |m| &mut m.fault);
        v.input("on", |m| &mut m.on);
        v.input("text", |m| &mut m.text);
        v.output("z", |m| &mut m.z).exact().derivatives([|m| m.gain * m.u.value(0.0), |m| m.gain * m.u.slope(0.0)]);
        v.computed_output("y", |m| m.z + m.u.value(0.0) + m.offset).partials([
            ("z", |_| 1.0),
            ("u", |_| 1.0),
            ("offset", |_| 1.0),
        ]);
        v.computed("der(z)", |m| m.gain * m.u.value(0.0))
            .derivative_of("z")
            .partials([("u", |m| m.gain), ("gain", |m| m.u.value(0.0))]);
        v.calculated_parameter("double", |m| 2.0 * m.offset).partials([("offset", |_| 2.0)]);
        v.computed_output("sum", |m| m.k + m.size).depends_on(["k", "size"]);
        v.computed_output("shifted", |m| if m.enabled { m.shift } else { m.gear }).depends_on(["shift", "gear", "enabled"]);
        v.computed_output("off", |m| !m.on).depends_on(["on"]);
        v.output("message", |m| &mut m.message);
        v.local("initializations", |m| &mut m.initializations);
    }

    fn initialize(&mut self, experiment: &Experiment) -> Result<(), Refusal> {
        if self.offset > 100.0 {
            return Err(Refusal::discard("the offset is too large to start"));
        }
        self.initializations += 1;
        self.message = format!("start at {} with {}", experiment.start, self.label);
        Ok(())
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        match self.fault {
            1 => panic!("a fault was asked for at {}", step.t),
            2 => return Err(Refusal::discard("50 % of #1 is too much")),
            3 => return Err(Refusal::error("nothing goes any more")),
            4 => return Err(Refusal::terminate(step.t + step.h / 2.0, "the end is reached")),
            5 => return Err(Refusal::discard_at(step.t + step.h / 4.0, "something happens on the way")),
            6 => {
                self.z = f64::NAN;
                return Err(Refusal::discard("the state is lost on the way"));
            }
            _ => {}
        }
        self.z += self.gain * self.u.integral(step.h);
        self.message = format!("{}: {} at {}", self.label, self.text, step.t + step.h);
        Ok(())
    }
}
