//! Couples a Rust struct with an FMU, with a bounded error: the prey is a struct, the predator an FMU.
//!
//! ```text
//! cargo xtask package-fmus
//! cargo run --release -p custom-instance -- target/fmus/predator.fmu
//! ```
#![forbid(unsafe_code)]

use std::{error::Error, process::ExitCode, sync::Arc};

use lotka::{
    Memory, System,
    instance::{
        LocalFactory, LocalModel, ModelDescription, RealRef, StepOutcome,
        description::{Causality, RealKind, Unknown, Variable, VariableKind},
    },
};

/// Rate at which the prey reproduces \[1/s\].
const A: f64 = 0.1;
/// Rate at which one predator catches prey \[1/s\].
const B: f64 = 0.02;

/// `dx/dt = x (A - B y)`: prey `x`, predators `y`. A step is exact if the input is constant.
#[derive(Clone)]
struct Prey {
    y: f64,
    x: f64,
}

const Y: RealRef = RealRef(0);
const X: RealRef = RealRef(1);

impl LocalModel for Prey {
    fn real(&self, reference: RealRef) -> Option<f64> {
        match reference {
            Y => Some(self.y),
            X => Some(self.x),
            _ => None,
        }
    }

    fn set_real(&mut self, reference: RealRef, value: f64) -> bool {
        if reference == Y {
            self.y = value;
        }
        reference == Y
    }

    fn do_step(&mut self, _: f64, h: f64) -> Result<StepOutcome, String> {
        self.x *= ((A - B * self.y) * h).exp();
        Ok(StepOutcome::Complete)
    }
}

/// Returns the factory of the prey, with the description that the master needs.
fn prey() -> LocalFactory<Prey> {
    let real = |start| VariableKind::Real(RealKind { start, ..RealKind::default() });
    let mut description = ModelDescription { model_name: "prey".to_owned(), ..ModelDescription::default() };
    description.variables.push(Variable::new("y", Y.0, Causality::Input, real(Some(10.0))));
    description.variables.push(Variable::new("x", X.0, Causality::Output, real(None)));
    // The output has no direct feedthrough.
    description.outputs.push(Unknown { index: 1, dependencies: Some(Vec::new()) });
    LocalFactory::new(description, || Prey { y: 10.0, x: 10.0 })
}

/// Connects the instances; until t = 100 s with an error of at most 1e-6.
fn couple(system: System) -> System {
    system
        .instance_from("prey", Arc::new(prey()))
        .connect("prey.y", "predator.y")
        .connect("predator.x", "prey.x")
        .stop(100.0)
        .output_interval(1.0)
        .tolerance(1e-6)
}

/// Returns the last value of the prey, and the estimate of its largest error.
fn run(system: &System) -> Result<(f64, f64), Box<dyn Error>> {
    let mut rows = Memory::new();
    let report = system.build()?.run(&mut [&mut rows])?;
    let error = report.global_error.ok_or("the run has no tolerance")?;
    let last = rows.real("prey.x").and_then(|prey| prey.last().copied()).ok_or("there are no rows")?;
    Ok((last, error.largest))
}

fn main() -> ExitCode {
    let Some(predator) = std::env::args().nth(1) else {
        eprintln!("usage: custom-instance PREDATOR.fmu");
        return ExitCode::from(2);
    };
    match run(&couple(System::new().instance("predator", predator))) {
        Ok((prey, error)) => {
            println!("prey at t = 100 s: {prey} (largest relative error: {error:.1e})");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use lotka::Fmu;

    use super::*;

    /// The expected value is that of the documented test case, with both models as FMUs.
    #[test]
    fn a_rust_struct_keeps_a_tolerance_together_with_an_fmu() {
        let predator = Fmu::from_functions(fmu_sdk::description::<models::Predator>(), fmu_sdk::functions::<models::Predator>());
        let (prey, error) = run(&couple(System::new().instance_of("predator", &predator))).unwrap();
        assert!((prey - 25.681746).abs() < 1e-4, "{prey}");
        assert!(error < 1e-6, "{error:e}");
    }
}
