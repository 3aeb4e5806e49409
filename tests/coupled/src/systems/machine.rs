//! Variables of every type and causality, some with brackets in their names.

use std::cell::Cell;

use fmu_sdk::{Declaration, Enumeration, Model, Refusal, Step};
use lotka::System;
use serde::{Deserialize, Serialize};

use crate::joined;

thread_local! {
    /// Number of reads of the local variable `probe` of any machine on this thread.
    pub static PROBES: Cell<u64> = const { Cell::new(0) };
}

/// Returns two machines until t = 1 s; `first` drives `second`. `second.command` is `2 first.speed + 0.5 second.speed`,
/// `second.demand` is `first.parts`, `second.enabled` is `first.on`, and `second.title` is `first.label`.
pub fn machines() -> System {
    let machine = joined::<Machine>();
    System::new()
        .instance_of("first", &machine)
        .instance_of("second", &machine)
        .connect_sum("second.command", &[("first.speed", 2.0), ("second.speed", 0.5)])
        .connect("second.demand", "first.parts")
        .connect("second.enabled", "first.on")
        .connect("second.title", "first.label")
        .start_value("second.gain", 3.0)
        .stop(1.0)
}

/// A machine that accelerates: `speed(t) = gain t`, a part every 0.1 s.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Machine {
    gain: f64,
    owner: String,
    command: f64,
    demand: i32,
    enabled: bool,
    title: String,
    time: f64,
    speed: f64,
    parts: i32,
    label: String,
}

/// Operating mode of a machine.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mode {
    Idle,
    Running,
}

impl Enumeration for Mode {
    const TYPE: &'static str = "Mode";
    const ITEMS: &'static [(&'static str, Self)] = &[("idle", Self::Idle), ("running", Self::Running)];
}

impl Default for Machine {
    fn default() -> Self {
        Self {
            gain: 1.0,
            owner: "mill, \"north\"".to_owned(),
            command: 0.0,
            demand: 0,
            enabled: false,
            title: String::new(),
            time: 0.0,
            speed: 0.0,
            parts: 0,
            label: "part 0".to_owned(),
        }
    }
}

impl Model for Machine {
    const NAME: &'static str = "machine";
    const DESCRIPTION: &'static str = "A machine that runs up";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("gain", |m| &mut m.gain).tunable().unit("rad/s2").description("acceleration");
        v.parameter("owner", |m| &mut m.owner).description("who it belongs to");
        v.input("command", |m| &mut m.command).unit("rad/s").description("speed that is wanted");
        v.input("demand", |m| &mut m.demand).description("parts that are wanted");
        v.input("enabled", |m| &mut m.enabled).description("it may run");
        v.input("title", |m| &mut m.title).description("what is made");
        v.output("speed", |m| &mut m.speed).unit("rad/s").description("angular velocity").depends_on([]);
        v.output("parts", |m| &mut m.parts).description("parts that were made").depends_on([]);
        v.computed_output("on", |m| m.time > 0.45).description("it is warm").depends_on([]);
        let mode = v.computed_output("mode", |m| if m.time > 0.25 { Mode::Running } else { Mode::Idle });
        mode.description("what it does").depends_on([]);
        v.output("label", |m| &mut m.label).description("the last part, °").depends_on([]);
        v.computed("w[1,2]", |m| 2.0 * m.speed).unit("rad/s").description("speed behind the gear");
        v.computed("der(speed)", |m| m.gain).unit("rad/s2").description("acceleration as it is");
        v.computed("debug.power", |m| m.speed * m.speed).unit("W").description("power");
        v.computed("debug.even", |m| m.parts % 2 == 0).description("the number of parts is even");
        v.computed("debug.pairs", |m| m.parts / 2).description("pairs of parts");
        let probe = v.computed("probe", |m| {
            PROBES.set(PROBES.get() + 1);
            m.time
        });
        probe.unit("s").description("counts how often it is read");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.time = step.t + step.h;
        self.speed = self.gain * self.time;
        self.parts = (10.0 * self.time + 1e-9) as i32;
        self.label = format!("part {}", self.parts);
        Ok(())
    }
}
