//! Outputs of the systems at any time: matrix exponentials for linear systems, Taylor series, tables.
//!
//! A test of this module compares them with [`known`](super::known), which was computed by other methods.

mod linear;
mod nonsmooth;
mod taylor;

use linear::Linear;

use super::Table;

/// The outputs of a system by name, and their values at any time.
#[derive(Debug, Clone, Copy)]
pub struct Exact {
    /// All outputs, as `instance.variable`.
    pub outputs: &'static [&'static str],
    /// Values of the outputs at a time \[s\].
    pub at: fn(f64) -> Vec<f64>,
}

/// Solution of [`super::two_mass`].
pub const TWO_MASS: Exact = Exact {
    outputs: &["left.x", "left.v", "right.x", "right.v", "right.f"],
    at: |t| Linear { m: [1.0, 1.0], k: [10.0, 10.0, 20.0], d: [0.2, 0.5, 0.3], x: [0.0, 0.5], z: 0.0 }.outputs(t).to_vec(),
};

/// Solution of [`super::stiff_pair`].
pub const STIFF_PAIR: Exact = Exact {
    outputs: TWO_MASS.outputs,
    at: |t| Linear { m: [1.0, 1.0], k: [1.0, 100.0, 1.0], d: [1.0, 100.0, 2.0], x: [0.0, 0.5], z: 0.0 }.outputs(t).to_vec(),
};

const QUARTER_CAR: Linear =
    Linear { m: [400.0, 40.0], k: [0.0, 15_000.0, 150_000.0], d: [0.0, 1_000.0, 0.0], x: [0.0, 0.0], z: 0.1 };

/// Solution of [`super::quarter_car_force`].
pub const QUARTER_CAR_FORCE: Exact =
    Exact { outputs: &["chassis.x", "chassis.v", "wheel.x", "wheel.v", "wheel.f"], at: |t| QUARTER_CAR.outputs(t).to_vec() };

/// Solution of [`super::quarter_car_displacement`].
pub const QUARTER_CAR_DISPLACEMENT: Exact =
    Exact { outputs: &["chassis.x", "chassis.v", "wheel.x", "wheel.v"], at: |t| QUARTER_CAR.outputs(t)[..4].to_vec() };

/// Solution of [`super::van_der_pol`].
pub const VAN_DER_POL: Exact = Exact { outputs: &["position.x", "velocity.v"], at: |t| taylor::van_der_pol(t).to_vec() };

/// Solution of [`super::switched_heating`].
pub const SWITCHED_HEATING: Exact =
    Exact { outputs: &["room.temperature", "thermostat.heating"], at: |t| nonsmooth::switched_heating(t).to_vec() };

/// Solution of [`super::clamped_spring`].
pub const CLAMPED_SPRING: Exact =
    Exact { outputs: &["mass.x", "mass.v", "spring.f"], at: |t| nonsmooth::clamped_spring(t).to_vec() };

/// Solution of the predator–prey system, at the times of [`Table::predator_prey`].
pub const PREDATOR_PREY: Exact =
    Exact { outputs: &["prey.x", "predator.y"], at: |t| Table::predator_prey().exactly_at(t).to_vec() };

/// Solution of [`super::three_species`], at the times of [`Table::three_species`].
pub const THREE_SPECIES: Exact =
    Exact { outputs: &super::known::THREE_SPECIES, at: |t| Table::three_species().exactly_at(t).to_vec() };

/// Solution of [`super::three_species_components`], at the times of [`Table::three_species`].
pub const THREE_SPECIES_COMPONENTS: Exact = Exact {
    outputs: &[
        "rabbits.population",
        "foxes.population",
        "wolves.population",
        "reproduction.rate",
        "fox_starvation.rate",
        "wolf_starvation.rate",
        "foxes_on_rabbits.prey_rate",
        "foxes_on_rabbits.predator_rate",
        "wolves_on_rabbits.prey_rate",
        "wolves_on_rabbits.predator_rate",
        "wolves_on_foxes.prey_rate",
        "wolves_on_foxes.predator_rate",
    ],
    at: |t| {
        let [rabbits, foxes, wolves] = Table::three_species().exactly_at(t);
        let meetings = [rabbits * foxes, rabbits * wolves, foxes * wolves];
        let starved = [0.1 * rabbits, -0.4 * foxes, -0.4 * wolves];
        let eaten = [-0.02 * meetings[0], 0.02 * meetings[0], -0.02 * meetings[1], 0.01 * meetings[1]];
        [[rabbits, foxes, wolves].as_slice(), &starved, &eaten, &[-0.04 * meetings[2], 0.08 * meetings[2]]].concat()
    },
};
