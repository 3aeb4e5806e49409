//! The two-mass oscillator without dampers, split such that only force and velocity are exchanged: a power bond.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use lotka::System;
use models::Mass;
use serde::{Deserialize, Serialize};

use crate::joined;

/// Returns two masses of 1 kg between walls until t = 10 s, without dampers: `left` on a spring of 10 N/m, `right` on one of
/// 20 N/m, and a third one of 10 N/m between both. The middle spring is part of `right`, which reads the velocity of its other
/// end. Neither output has direct feedthrough. `right` starts at 0.5 m, and the middle spring is stretched by the same amount.
/// The power bond is `joint`.
pub fn power_bond() -> System {
    System::new()
        .instance_of("left", &joined::<Mass>())
        .instance_of("right", &joined::<PulledMass>())
        .start_value("left.d", 0.0)
        .connect("left.f", "right.f")
        .connect("right.v_other", "left.v")
        .power_bond("joint", "right.f", "left.v")
        .stop(10.0)
}

/// Returns the energy of [`power_bond`] in both masses and all springs \[J\], from the outputs `left.x`, `left.v`, `right.x`,
/// `right.v`, `right.f`.
pub fn energy_of_power_bond([x1, v1, x2, v2, f]: [f64; 5]) -> f64 {
    0.5 * (v1 * v1 + 10.0 * x1 * x1 + v2 * v2 + WALL * x2 * x2 + f * f / SPRING)
}

/// Stiffness of the spring to the wall and of the spring to the neighbor \[N/m\].
const WALL: f64 = 20.0;
const SPRING: f64 = 10.0;

/// Longest internal integration step \[s\].
const INNER_STEP: f64 = 2e-3;

/// `dx/dt = v`, `dv/dt = -20 x - f`, `f = 10 s`, `ds/dt = v - v_other`, by the classical Runge-Kutta method.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PulledMass {
    x: f64,
    v: f64,
    stretch: f64,
    v_other: Input,
}

impl Default for PulledMass {
    fn default() -> Self {
        Self { x: 0.5, v: 0.0, stretch: 0.5, v_other: Input::new(0.0) }
    }
}

impl PulledMass {
    fn rates([x, v, stretch]: [f64; 3], v_other: f64) -> [f64; 3] {
        [v, -WALL * x - SPRING * stretch, v - v_other]
    }
}

impl Model for PulledMass {
    const NAME: &'static str = "pulled_mass";
    const DESCRIPTION: &'static str = "Mass on a spring whose other end moves as it is told";

    fn declare(v: &mut Declaration<Self>) {
        v.input("v_other", |m| &mut m.v_other).unit("m/s").description("velocity of the other end");
        v.output("x", |m| &mut m.x).unit("m").exact().depends_on([]).description("position");
        v.output("v", |m| &mut m.v).unit("m/s").exact().depends_on([]).description("velocity");
        v.computed_output("f", |m| SPRING * m.stretch)
            .unit("N")
            .depends_on([])
            .description("force on the other end")
            .derivatives([|m| SPRING * (m.v - m.v_other.value(0.0))]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let count = (step.h / INNER_STEP).ceil().max(1.0);
        let h = step.h / count;
        let mut y = [self.x, self.v, self.stretch];
        for n in 0..count as u32 {
            let t = f64::from(n) * h;
            let moved = |rate: [f64; 3], by: f64| std::array::from_fn(|i| y[i] + by * rate[i]);
            let [begin, middle, end] = [0.0, 0.5, 1.0].map(|part| self.v_other.value(t + part * h));
            let k1 = Self::rates(y, begin);
            let k2 = Self::rates(moved(k1, 0.5 * h), middle);
            let k3 = Self::rates(moved(k2, 0.5 * h), middle);
            let k4 = Self::rates(moved(k3, h), end);
            y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        }
        [self.x, self.v, self.stretch] = y;
        Ok(())
    }
}
