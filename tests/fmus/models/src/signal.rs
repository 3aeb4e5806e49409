//! A signal that depends on time alone.

use std::f64::consts::TAU;

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// Shape of a signal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// `p_1` before `p_0` \[s\] and `p_1 + p_2` after it.
    Jump,
    /// Slope `p_1` before `p_0` \[s\] and `p_2` after it.
    Kink,
    /// `p_0 + p_1 sin(2 pi p_2 t + p_3)`.
    Sine,
    /// `p_2` from `p_0` to `p_1` \[s\], otherwise 0; plus `p_3 sin t` at all times.
    Pulse,
    /// `p_2 exp(-((t - p_0) / p_1)^2)`.
    Bump,
    /// `p_2` in the first part `p_1` of each period `p_0` \[s\], then 0; plus `p_3` at all times.
    Square,
    /// From `-p_1` to `p_1` and back in each period `p_0` \[s\].
    Triangle,
    /// `p_0 sin(2 pi (p_1 t + p_2 t^2 / 2))`.
    Chirp,
}

impl Shape {
    const ALL: [Self; 8] =
        [Self::Jump, Self::Kink, Self::Sine, Self::Pulse, Self::Bump, Self::Square, Self::Triangle, Self::Chirp];

    /// Returns the value of the parameter `shape`.
    #[must_use]
    pub fn number(self) -> f64 {
        Self::ALL.iter().position(|shape| *shape == self).unwrap_or_default() as f64
    }

    /// Returns the value at a time \[s\].
    #[must_use]
    pub fn value(self, t: f64, [p, q, r, s]: [f64; 4]) -> f64 {
        match self {
            Self::Jump => q + if t >= p { r } else { 0.0 },
            Self::Kink => {
                if t >= p {
                    r * (t - p)
                } else {
                    q * (t - p)
                }
            }
            Self::Sine => p + q * (TAU * r * t + s).sin(),
            Self::Pulse => s * t.sin() + if t >= p && t < q { r } else { 0.0 },
            Self::Bump => r * (-((t - p) / q).powi(2)).exp(),
            Self::Square => s + if (t / p).rem_euclid(1.0) < q { r } else { 0.0 },
            Self::Triangle => q * (4.0 * ((t / p).rem_euclid(1.0) - 0.5).abs() - 1.0),
            Self::Chirp => p * (TAU * (q * t + 0.5 * r * t * t)).sin(),
        }
    }
}

/// A signal that depends on time only.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
pub struct Signal {
    shape: f64,
    p: [f64; 4],
    time: f64,
}

impl Model for Signal {
    const NAME: &'static str = "signal";
    const DESCRIPTION: &'static str = "A signal that depends on time alone";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("shape", |m| &mut m.shape).description("which shape");
        for place in 0..4 {
            v.parameter(&format!("p{place}"), move |m| &mut m.p[place]).description("of the shape");
        }
        v.computed_output("y", |m| Shape::ALL[(m.shape as usize).min(Shape::ALL.len() - 1)].value(m.time, m.p))
            .depends_on([])
            .description("the signal");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.time = step.t + step.h;
        Ok(())
    }
}
