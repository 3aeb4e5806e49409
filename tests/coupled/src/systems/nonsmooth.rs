//! Systems with jumps and kinks, whose errors have no expansion in powers of the step size.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use lotka::System;
use models::Mass;
use serde::{Deserialize, Serialize};

use crate::joined;

/// Returns a room until t = 20 s whose heating switches off at 21 °C and on at 19 °C: the heating jumps every second or two.
pub fn switched_heating() -> System {
    System::new()
        .instance_of("room", &joined::<Room>())
        .instance_of("thermostat", &joined::<Thermostat>())
        .connect("room.heating", "thermostat.heating")
        .connect("thermostat.temperature", "room.temperature")
        .stop(20.0)
}

/// Returns a mass of 1 kg until t = 10 s, which a force pulls back from x = 2 m. The force grows by 1 N/m up to a maximum of
/// 1 N, so it has kinks.
pub fn clamped_spring() -> System {
    let system = System::new()
        .instance_of("mass", &joined::<Mass>())
        .instance_of("spring", &joined::<Clamped>())
        .connect("mass.f", "spring.f")
        .connect("spring.x", "mass.x");
    [("k", 0.0), ("d", 0.0), ("x", 2.0)]
        .into_iter()
        .fold(system, |system, (variable, value)| system.start_value(&format!("mass.{variable}"), value))
        .stop(10.0)
}

/// Returns a room until t = 10 s whose heating is switched on once, at `time` \[s\]. The switch drives it by `variable`:
/// `level` (Real), `count` (Integer) or `is_on` (Boolean).
pub fn switched_once(time: f64, variable: &str) -> System {
    System::new()
        .instance_of("switch", &joined::<Switch>())
        .instance_of("room", &joined::<Room>())
        .connect("room.heating", &format!("switch.{variable}"))
        .start_value("switch.time", time)
        .stop(10.0)
}

/// Returns a 60 Hz wave that drives a room until t = 10 s. With rows every second, it looks constant in runs with 1 to 6 steps
/// per row.
pub fn fast_wave() -> System {
    System::new()
        .instance_of("wave", &joined::<Wave>())
        .instance_of("room", &joined::<Room>())
        .connect("room.heating", "wave.y")
        .stop(10.0)
}

/// A switch that turns on once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Switch {
    time: f64,
    is_on: bool,
}

impl Default for Switch {
    fn default() -> Self {
        Self { time: 5.0, is_on: false }
    }
}

impl Model for Switch {
    const NAME: &'static str = "switch";
    const DESCRIPTION: &'static str = "A switch that is turned on once";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("time", |m| &mut m.time).unit("s").description("when it is turned on");
        v.computed_output("level", |m| f64::from(u8::from(m.is_on))).depends_on([]).description("1 if it is on");
        v.computed_output("count", |m| i32::from(m.is_on)).depends_on([]).description("1 if it is on");
        v.computed_output("is_on", |m| m.is_on).depends_on([]).description("whether it is on");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.is_on = step.t + step.h >= self.time;
        Ok(())
    }
}

/// `y = 1 + cos(2 pi 60 t)`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Wave {
    time: f64,
}

impl Model for Wave {
    const NAME: &'static str = "wave";
    const DESCRIPTION: &'static str = "A wave of 60 Hz";

    fn declare(v: &mut Declaration<Self>) {
        let wave = |m: &Self| 1.0 + (std::f64::consts::TAU * 60.0 * m.time).cos();
        v.computed_output("y", wave).depends_on([]).description("the wave");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.time = step.t + step.h;
        Ok(())
    }
}

/// `dT/dt = heating - T / tau`, exact for constant heating.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Room {
    heating: Input,
    temperature: f64,
}

/// Time constant of [`Room`] \[s\].
pub(super) const TAU: f64 = 10.0;

impl Default for Room {
    fn default() -> Self {
        Self { heating: Input::new(0.0), temperature: 20.0 }
    }
}

impl Model for Room {
    const NAME: &'static str = "room";
    const DESCRIPTION: &'static str = "A room that loses heat";

    fn declare(v: &mut Declaration<Self>) {
        v.input("heating", |m| &mut m.heating).unit("K/s").description("rate of heating");
        v.output("temperature", |m| &mut m.temperature).exact().depends_on([]).unit("degC").description("temperature");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let limit = TAU * self.heating.mean(step.h);
        self.temperature = limit + (self.temperature - limit) * (-step.h / TAU).exp();
        Ok(())
    }
}

/// A thermostat with hysteresis.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Thermostat {
    temperature: Input,
    is_on: bool,
}

/// Heating rate of [`Thermostat`] \[K/s\], and the temperatures at which it turns on and off \[°C\].
pub(super) const HEATING: f64 = 3.0;
pub(super) const RANGE: [f64; 2] = [19.0, 21.0];

impl Default for Thermostat {
    fn default() -> Self {
        Self { temperature: Input::new(20.0), is_on: true }
    }
}

impl Model for Thermostat {
    const NAME: &'static str = "thermostat";
    const DESCRIPTION: &'static str = "Switches the heating on and off";

    fn declare(v: &mut Declaration<Self>) {
        v.input("temperature", |m| &mut m.temperature).unit("degC").description("temperature");
        let heating = v.computed_output("heating", |m| if m.is_on { HEATING } else { 0.0 });
        heating.depends_on([]).unit("K/s").description("rate of heating");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let temperature = self.temperature.value(step.h);
        self.is_on = if self.is_on { temperature < RANGE[1] } else { temperature <= RANGE[0] };
        Ok(())
    }
}

/// A memoryless spring whose force is bounded.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Clamped {
    x: Input,
}

impl Default for Clamped {
    fn default() -> Self {
        Self { x: Input::new(2.0) }
    }
}

impl Model for Clamped {
    const NAME: &'static str = "clamped";
    const DESCRIPTION: &'static str = "A spring whose force is bounded";

    fn declare(v: &mut Declaration<Self>) {
        v.input("x", |m| &mut m.x).unit("m").description("deflection");
        v.computed_output("f", |m| -m.x.value(0.0).clamp(-1.0, 1.0)).depends_on(["x"]).unit("N").description("force");
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}
