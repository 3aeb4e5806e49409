//! The systems, and the errors of runs.

use lotka::{Memory, System};
use tests::{
    predator_prey,
    systems::{self, Exact, exact},
};

/// A system whose outputs are known.
pub struct Case {
    pub system: fn() -> System,
    exact: Exact,
    /// Stop times \[s\] of methods of order 1, of order 2, and of others: errors of low orders are small enough only over a short
    /// time.
    stop: [f64; 3],
    pub is_linear: bool,
}

pub const PREDATOR_PREY: Case =
    Case { system: predator_prey, exact: exact::PREDATOR_PREY, stop: [2.0, 20.0, 20.0], is_linear: false };
pub const VAN_DER_POL: Case =
    Case { system: systems::van_der_pol, exact: exact::VAN_DER_POL, stop: [0.25, 0.5, 2.0], is_linear: false };
pub const QUARTER_CAR_DISPLACEMENT: Case = Case {
    system: systems::quarter_car_displacement,
    exact: exact::QUARTER_CAR_DISPLACEMENT,
    stop: [0.03125, 0.5, 0.5],
    is_linear: true,
};

/// With direct feedthrough.
pub const TWO_MASS: Case = Case { system: systems::two_mass, exact: exact::TWO_MASS, stop: [0.125, 1.0, 1.0], is_linear: true };
/// With direct feedthrough.
pub const QUARTER_CAR_FORCE: Case =
    Case { system: systems::quarter_car_force, exact: exact::QUARTER_CAR_FORCE, stop: [0.03125, 0.5, 0.5], is_linear: true };

impl Case {
    /// The system with a method of this order until its stop time, and the largest step.
    pub fn start(&self, order: f64) -> (System, f64) {
        let stop = self.stop[usize::from(order > 1.0) + usize::from(order > 2.0)];
        ((self.system)().stop(stop), stop / 4.0)
    }

    /// Error of the states at the end relative to them, both as Euclidean norms; infinite if a step is too long to be made at
    /// all.
    pub fn error(&self, system: &System) -> f64 {
        let mut results = Memory::new();
        if system.build().unwrap().run(&mut [&mut results]).is_err() {
            return f64::INFINITY;
        }
        let exact = (self.exact.at)(*results.time().last().unwrap());
        let states = self.exact.outputs.iter().zip(exact).filter(|(output, _)| !output.ends_with(".f"));
        let (error, size) = states.fold((0.0_f64, 0.0_f64), |(error, size), (output, exact)| {
            let got = *results.real(output).unwrap().last().unwrap();
            (error.hypot(got - exact), size.hypot(exact))
        });
        error / size
    }
}
