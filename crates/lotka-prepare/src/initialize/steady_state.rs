//! Start values for which rates vanish, or have given values.

use lotka_instance::TypedValue;
use lotka_plan::{graph::Graph, linear::SparseMatrix};
use lotka_step::{Error, algorithm::Coupled, renewal::SetUp};

use super::{
    initialize,
    newton::{self, Accuracy, Ended, Equations, scales},
};

/// Unknown start values, and equally many residuals that must have given values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SteadyState {
    /// Start values to be found.
    pub unknowns: Vec<Unknown>,
    /// Values that must reach their targets.
    pub residuals: Vec<Residual>,
}

/// An unknown start value.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknown {
    /// `instance.variable`.
    pub name: String,
    /// The instance.
    pub instance: usize,
    /// Index of the setting of the instance, whose value is the initial guess.
    pub setting: usize,
}

impl Unknown {
    /// Sets the start value.
    pub fn set(&self, set_up: &mut [SetUp], value: f64) {
        set_up[self.instance].settings[self.setting].value = TypedValue::Real(value);
    }
}

/// A value that must equal `target`.
#[derive(Debug, Clone, PartialEq)]
pub struct Residual {
    /// `instance.variable`.
    pub name: String,
    /// The signal.
    pub source: ResidualSource,
    /// Its value in the steady state.
    pub target: f64,
}

/// The place of its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ResidualSource {
    /// A Real signal.
    Signal(usize),
    /// The value of a connected Real input of an instance, indexed like its input references.
    Input {
        /// The instance.
        instance: usize,
        /// The input.
        position: usize,
    },
}

/// The start values found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub set_up: Vec<SetUp>,
    pub values: Vec<f64>,
    pub iterations: u32,
}

/// Finds start values for which all residuals have their target values right after initialization. Newton's method uses finite
/// differences, and each evaluation initializes all instances again. It converges when no unknown changes by more than 1e-12 of
/// its size.
///
/// # Errors
/// The instances cannot be initialized with the guesses, or [`Error::SteadyState`].
pub fn find_steady_state(
    coupled: &mut Coupled,
    set_up: &[SetUp],
    graph: &Graph,
    wanted: &SteadyState,
) -> Result<Found, Box<Error>> {
    let mut equations = Start { coupled, set_up: set_up.to_vec(), graph, wanted, refusal: None };
    let guesses = wanted.unknowns.iter().map(|unknown| guess(set_up, unknown)).collect();
    let ended = newton::solve(&mut equations, guesses, Accuracy::default())?;
    if ended.is_solution {
        equations.set(&ended.x);
        return Ok(Found { set_up: equations.set_up, values: ended.x, iterations: ended.iterations as u32 });
    }
    match equations.refusal {
        Some(refusal) if ended.iterations == 0 => Err(refusal),
        refusal => Err(not_found(wanted, &ended, refusal)),
    }
}

fn guess(set_up: &[SetUp], unknown: &Unknown) -> f64 {
    match set_up[unknown.instance].settings[unknown.setting].value {
        TypedValue::Real(value) => value,
        _ => f64::NAN,
    }
}

fn not_found(wanted: &SteadyState, ended: &Ended, refusal: Option<Box<Error>>) -> Box<Error> {
    let worst = ended.worst();
    let Residual { name, target, .. } = &wanted.residuals[worst];
    Box::new(Error::SteadyState {
        unknowns: wanted.unknowns.iter().map(|unknown| unknown.name.clone()).zip(ended.x.iter().copied()).collect(),
        residual: name.clone(),
        value: ended.residual[worst] + target,
        target: *target,
        iterations: ended.iterations as u32,
        refusal,
    })
}

/// The residuals as functions of the unknown start values.
struct Start<'a> {
    coupled: &'a mut Coupled,
    set_up: Vec<SetUp>,
    graph: &'a Graph,
    wanted: &'a SteadyState,
    /// The reason why the last values could not be initialized.
    refusal: Option<Box<Error>>,
}

impl Start<'_> {
    fn set(&mut self, x: &[f64]) {
        for (unknown, &x) in self.wanted.unknowns.iter().zip(x) {
            unknown.set(&mut self.set_up, x);
        }
    }

    fn value(&mut self, source: ResidualSource) -> f64 {
        match source {
            ResidualSource::Signal(signal) => self.coupled.newest.reals[signal],
            ResidualSource::Input { instance, position } => self.coupled.inputs_of(instance)[position],
        }
    }
}

impl Equations for Start<'_> {
    fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Result<(), Box<Error>> {
        self.set(x);
        if let Err(error) = initialize(self.coupled, &self.set_up, self.graph) {
            self.refusal = Some(error);
            r.fill(f64::NAN);
            return Ok(());
        }
        let wanted = self.wanted;
        for (r, residual) in r.iter_mut().zip(&wanted.residuals) {
            *r = self.value(residual.source) - residual.target;
        }
        Ok(())
    }

    fn places(&self) -> SparseMatrix {
        SparseMatrix::dense(self.wanted.residuals.len())
    }

    fn jacobian(&mut self, x: &[f64], r: &[f64], jacobian: &mut SparseMatrix, sizes: &mut [f64]) -> Result<(), Box<Error>> {
        let (mut there, mut moved) = (vec![0.0; r.len()], x.to_vec());
        for (column, size) in scales(x).enumerate() {
            // Downward if no value upward can be initialized.
            for direction in [1.0, -1.0] {
                moved[column] = x[column] + direction * f64::EPSILON.sqrt() * size;
                self.residual(&moved, &mut there)?;
                if there.iter().all(|r| r.is_finite()) {
                    break;
                }
            }
            for (row, (there, r)) in there.iter().zip(r).enumerate() {
                jacobian.set(row, column, (there - r) / (moved[column] - x[column]));
            }
            moved[column] = x[column];
        }
        let mut terms = vec![0.0; r.len()];
        jacobian.iter().for_each(|(row, column, entry)| terms[row] += (entry * x[column]).abs());
        for ((size, r), terms) in sizes.iter_mut().zip(r).zip(terms) {
            *size = r.abs() + terms;
        }
        Ok(())
    }
}
