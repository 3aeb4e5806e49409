//! A model whose arrays have two dimensions.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use lotka::System;
use serde::{Deserialize, Serialize};
use tests::joined_fmi3;

/// A sum of rows, which echoes its inputs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Sums {
    rows: u64,
    columns: u64,
    u: Vec<Input>,
    y: Vec<f64>,
}

impl Default for Sums {
    fn default() -> Self {
        Self { rows: 1, columns: 2, u: vec![Input::new(0.0); 2], y: vec![0.0] }
    }
}

impl Model for Sums {
    const NAME: &'static str = "sums";
    const DESCRIPTION: &'static str = "Sums of the rows of a matrix";

    fn declare(v: &mut Declaration<Self>) {
        v.structural_parameter("rows", |m| &mut m.rows).max(1 << 40);
        v.structural_parameter("columns", |m| &mut m.columns).min(1);
        v.input("u", |m| &mut m.u).sized_by(["rows", "columns"]);
        v.output("y", |m| &mut m.y).sized_by(["rows"]).depends_on([]);
    }

    fn configure(&mut self) -> Result<(), Refusal> {
        if self.rows == 13 {
            return Err(Refusal::error("13 rows bring bad luck"));
        }
        self.u = vec![Input::new(0.0); (self.rows * self.columns) as usize];
        self.y = vec![0.0; self.rows as usize];
        Ok(())
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let columns = self.columns as usize;
        self.y = self.u.chunks(columns).map(|row| row.iter().map(|u| u.value(step.h)).sum()).collect();
        Ok(())
    }
}

pub fn sums() -> System {
    let sums = joined_fmi3::<Sums>();
    System::new().instance_of("a", &sums).instance_of("b", &sums).stop(2.0).step(1.0).input_degree(0)
}
