//! States of the systems at known times.

use std::path::Path;

use lotka::Results;

/// States known to 15 digits. For linear systems they are matrix exponentials, for van der Pol a Taylor series of order 40
/// with steps of 1/40, both in 40-digit arithmetic. The first thirteen digits agree with published ones, where available.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Known<const N: usize> {
    /// Outputs, as `instance.variable`.
    pub variables: [&'static str; N],
    /// Times \[s\] with the values of `variables`.
    pub states: &'static [(f64, [f64; N])],
}

/// States of [`super::two_mass`].
pub const TWO_MASS: Known<4> = Known {
    variables: ["left.x", "left.v", "right.x", "right.v"],
    states: &[
        (1.0, [-0.2759829401796897, 0.2876059108210479, 0.08350277970344779, 0.7119398376262637]),
        (10.0, [0.05104081405655167, 0.08512645920918694, 0.03164133837319717, 0.04580488460986305]),
    ],
};

/// States of [`super::stiff_pair`].
pub const STIFF_PAIR: Known<4> = Known {
    variables: ["left.x", "left.v", "right.x", "right.v"],
    states: &[
        (0.01, [0.001409396220193195, 0.2136751205698655, 0.4985711179267795, -0.21722668425242]),
        (1.0, [0.1092401004870562, 0.01140292888617955, 0.2938133868594116, -0.173230244937121]),
        (10.0, [6.918817560205834e-5, 7.778942149356544e-5, 9.064928060404241e-5, 5.59366722030358e-5]),
    ],
};

/// States of [`super::quarter_car_force`] and [`super::quarter_car_displacement`]. The system is that of T. Schierz, M. Arnold,
/// C. Clauß, Co-simulation with Communication Step Size Control in an FMI Compatible Master Algorithm, 2012, doi
/// 10.3384/ecp12076205.
pub const QUARTER_CAR: Known<4> = Known {
    variables: ["chassis.x", "chassis.v", "wheel.x", "wheel.v"],
    states: &[
        (0.5, [0.1614685880015086, -0.03940686590327884, 0.105327423320002, -0.01664930695196813]),
        (1.0, [0.0652894398482173, -0.03060214566515168, 0.09660650512983273, 0.00429470275273016]),
        (4.0, [0.100406579102538, -0.009384444309093513, 0.09998461972937782, -0.0008392502822363902]),
    ],
};

/// States of [`super::van_der_pol`].
pub const VAN_DER_POL: Known<2> = Known {
    variables: ["position.x", "velocity.v"],
    states: &[
        (1.0, [1.508144236975609, -0.780218074629695]),
        (10.0, [-2.008340782579712, 0.03290706586332406]),
        (20.0, [2.008149762174949, -0.04250887527320215]),
    ],
};

/// The outputs of [`super::three_species`] in the order of [`Table::three_species`].
pub const THREE_SPECIES: [&str; 3] = ["rabbits.x", "foxes.x", "wolves.x"];

/// The outputs of [`super::three_species_components`] in the order of [`Table::three_species`].
pub const THREE_SPECIES_COMPONENTS: [&str; 3] = ["rabbits.population", "foxes.population", "wolves.population"];

/// A table of `tests/reference`; the README there describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Table<const N: usize> {
    /// Times \[s\].
    pub time: Vec<f64>,
    /// Values at these times.
    pub values: Vec<[f64; N]>,
}

impl Table<2> {
    /// Reads prey and predators from t = 0 to 100 s, a row every 0.1 s.
    pub fn predator_prey() -> Self {
        Self::read("lotka_volterra.csv")
    }
}

impl Table<3> {
    /// Reads rabbits, foxes and wolves from t = 0 to 100 s, a row every 0.1 s.
    pub fn three_species() -> Self {
        Self::read("three_species.csv")
    }
}

impl<const N: usize> Table<N> {
    /// Returns the values in the row with the nearest time.
    pub fn at(&self, time: f64) -> [f64; N] {
        let distance = |row: &usize| (self.time[*row] - time).abs();
        let row = (0..self.time.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        row.map_or([f64::NAN; N], |row| self.values[row])
    }

    /// Returns the values at the time of a row.
    ///
    /// # Panics
    /// Panics if there is no row at this time.
    pub fn exactly_at(&self, time: f64) -> [f64; N] {
        let row = self.time.iter().position(|known| (known - time).abs() < 1e-9);
        row.map_or_else(|| panic!("the table has no row at t = {time} s"), |row| self.values[row])
    }

    /// # Panics
    /// Panics if the file does not exist, or does not have `N + 1` columns of numbers.
    fn read(file: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reference").join(file);
        let results = Results::open(&path).unwrap_or_else(|error| panic!("{error}"));
        let row = |row: usize| {
            let values: Option<Vec<f64>> = results.columns().iter().map(|column| column.values.number(row)).collect();
            values.and_then(|values| values.try_into().ok()).unwrap_or_else(|| panic!("{}: not {N} numbers", path.display()))
        };
        Self { time: results.time().to_vec(), values: (0..results.time().len()).map(row).collect() }
    }
}
