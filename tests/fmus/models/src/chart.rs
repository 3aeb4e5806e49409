//! A table with linear interpolation.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// `y` is linear in `u` between multiples of `spacing`, where it has the values [`Chart::point`]. Without delay.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
pub struct Chart {
    u: f64,
    spacing: f64,
    slope: f64,
    phase: f64,
}

impl Chart {
    /// Returns the number of the interval of an input.
    #[must_use]
    pub fn interval(u: f64, spacing: f64) -> f64 {
        (u / spacing).floor()
    }

    /// Returns the value at a multiple of the spacing: irregular around a straight line.
    #[must_use]
    pub fn point(number: f64, spacing: f64, slope: f64, phase: f64) -> f64 {
        spacing * (slope * number + (2.4 * number + phase).sin())
    }

    /// Returns the value of the straight line of an interval.
    #[must_use]
    pub fn line(u: f64, interval: f64, [spacing, slope, phase]: [f64; 3]) -> f64 {
        let [low, high] = [0.0, 1.0].map(|end| Self::point(interval + end, spacing, slope, phase));
        low + (high - low) * (u / spacing - interval)
    }
}

impl Model for Chart {
    const NAME: &'static str = "chart";
    const DESCRIPTION: &'static str = "A table with linear interpolation";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("spacing", |m| &mut m.spacing).description("of the points");
        v.parameter("slope", |m| &mut m.slope).description("of the straight line around which the values are");
        v.parameter("phase", |m| &mut m.phase).unit("rad").description("of the irregular part");
        v.input("u", |m| &mut m.u).description("where the table is read");
        v.computed_output("y", |m| Self::line(m.u, Self::interval(m.u, m.spacing), [m.spacing, m.slope, m.phase]))
            .depends_on(["u"])
            .description("value there");
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}
