//! A model that reads a resource file.

use std::fs;
use std::path::Path;

use fmu_sdk::{Declaration, Environment, Experiment, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// `y = f(u)`, where `f` is linear between the points of `characteristic.csv` in the resources. Beyond the ends `y` is constant,
/// with a warning.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Characteristic {
    environment: Environment,
    u: f64,
    points: Vec<[f64; 2]>,
    is_warned: bool,
}

impl Model for Characteristic {
    const NAME: &'static str = "characteristic";
    const DESCRIPTION: &'static str = "Values between the points of a table in the resources";

    fn declare(v: &mut Declaration<Self>) {
        v.environment(|m| &mut m.environment);
        v.input("u", |m| &mut m.u).description("where the table is read");
        v.computed_output("y", |m| m.value()).depends_on(["u"]).description("value there");
    }

    fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
        self.points = points(&self.environment.resources()?.join("characteristic.csv"))?;
        self.environment.event(format!("the table has {} points", self.points.len()));
        Ok(())
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        if !self.is_warned && (self.u < self.points[0][0] || self.u > self.points[self.points.len() - 1][0]) {
            self.is_warned = true;
            self.environment.warning(format!("u = {} is outside of the table at t = {} s", self.u, step.t));
        }
        Ok(())
    }
}

impl Characteristic {
    fn value(&self) -> f64 {
        let after = self.points.partition_point(|[u, _]| *u <= self.u);
        match (after.checked_sub(1).map(|before| self.points[before]), self.points.get(after)) {
            (Some([u0, y0]), Some([u1, y1])) => y0 + (y1 - y0) * (self.u - u0) / (u1 - u0),
            (Some([_, y]), None) | (None, Some(&[_, y])) => y,
            (None, None) => 0.0,
        }
    }
}

/// Parses the points below the header of a file.
fn points(path: &Path) -> Result<Vec<[f64; 2]>, Refusal> {
    let unfit = |what: &str| Refusal::error(format!("{}: {what}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| unfit(&error.to_string()))?;
    let point = |line: &str| {
        let (u, y) = line.split_once(',')?;
        Some([u.parse().ok()?, y.parse().ok()?])
    };
    let points = text.lines().skip(1).map(|line| point(line).ok_or_else(|| unfit("expected two numbers in each line")));
    let points = points.collect::<Result<Vec<[f64; 2]>, _>>()?;
    if points.is_empty() { Err(unfit("expected points below the header")) } else { Ok(points) }
}
