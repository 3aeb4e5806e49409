//! Algorithms by the names of the system file. Adding one is a line here.

use super::{
    Coupled, Sweep,
    acceleration::{Aitken, Anderson, FixedPoint, Relaxation},
    iteration::{Correction, Newton},
    sweep::{GaussSeidel, Jacobi, Symmetric},
};
use crate::Error;
use crate::error_control::{
    Controller, Embedded, Energy, Estimator, EstimatorSettings, Filter, Integral, ParallelEmbedded, PredictorCorrector,
    ProportionalIntegral, ProportionalIntegralDerivative, StepDoubling,
};

type Entry<T> = (&'static str, fn() -> Box<T>);

/// The first is used where none is named.
const SWEEPS: &[Entry<dyn Sweep>] = &[
    ("gauss-seidel", || Box::new(GaussSeidel)),
    ("jacobi", || Box::new(Jacobi)),
    ("symmetric", || Box::new(Symmetric::default())),
];

const CONTROLLERS: &[Entry<dyn Controller>] = &[
    ("pi", || Box::<ProportionalIntegral>::default()),
    ("i", || Box::new(Integral)),
    ("pid", || Box::<ProportionalIntegralDerivative>::default()),
    ("h211", || Box::<Filter>::default()),
];

/// Factor of the constant relaxation, and of the first correction of Aitken's.
const RELAXATION: f64 = 0.5;

/// Columns of the least squares of Anderson's method, and steps whose columns are used again.
const COLUMNS: (usize, usize) = (20, 3);

/// Makes a correction for the loop of some instances, given by the indices of its members.
type CorrectionEntry = (&'static str, fn(&Coupled, &[usize]) -> Box<dyn Correction>);

const ACCELERATIONS: &[CorrectionEntry] = &[
    ("none", |_, _| Box::new(FixedPoint)),
    ("relaxation", |_, _| Box::new(Relaxation::new(RELAXATION))),
    ("aitken", |coupled, members| Box::new(Aitken::new(values(coupled, members), RELAXATION))),
    ("anderson", |coupled, members| Box::new(Anderson::new(values(coupled, members), COLUMNS.0, COLUMNS.1))),
    (NEWTON, |coupled, members| Box::new(Newton::new(coupled, members))),
];

/// The acceleration where loops of direct feedthrough are iterated by default.
pub const NEWTON: &str = "newton";

/// The acceleration where none is asked for.
pub const NO_ACCELERATION: &str = ACCELERATIONS[0].0;

/// Number of values exchanged in a loop.
fn values(coupled: &Coupled, members: &[usize]) -> usize {
    members.iter().map(|&member| coupled.plan.units[member].n_connected).sum()
}

/// The registered name of an acceleration; `None` for an unknown name.
pub fn acceleration_name(name: &str) -> Option<&'static str> {
    find(ACCELERATIONS, name).map(|(name, _)| *name)
}

/// Names of all accelerations.
pub fn acceleration_names() -> impl Iterator<Item = &'static str> + Clone {
    ACCELERATIONS.iter().map(|(name, _)| *name)
}

pub(crate) fn make_correction(name: &str, coupled: &Coupled, members: &[usize]) -> Made<dyn Correction> {
    Ok((get(ACCELERATIONS, "acceleration", name)?)(coupled, members))
}

/// An estimator, and whether each of its attempts rolls back.
type EstimatorEntry = (&'static str, (bool, fn(EstimatorSettings, &mut Coupled) -> Box<dyn Estimator>));

const ESTIMATORS: &[EstimatorEntry] = &[
    (STEP_DOUBLING, (true, |settings, coupled| Box::new(StepDoubling::new(settings, coupled)))),
    (PREDICTOR_CORRECTOR, (false, |settings, coupled| Box::new(PredictorCorrector::new(settings, coupled)))),
    (EMBEDDED, (true, |settings, coupled| Box::new(Embedded::new(settings, coupled)))),
    (PARALLEL_EMBEDDED, (false, |settings, coupled| Box::new(ParallelEmbedded::new(settings, coupled)))),
    (ENERGY, (false, |settings, coupled| Box::new(Energy::new(settings, coupled)))),
];

/// The estimator that makes each step again in two halves.
pub(crate) const STEP_DOUBLING: &str = "step-doubling";

/// The estimator that does without rollback.
pub const PREDICTOR_CORRECTOR: &str = "predictor-corrector";

/// The estimator that compares degrees of inputs.
pub const EMBEDDED: &str = "embedded";

/// The estimator that integrates derivatives of outputs.
pub const PARALLEL_EMBEDDED: &str = "parallel-embedded";

/// The estimator that looks at power bonds.
pub const ENERGY: &str = "energy";

/// The estimator where none is asked for.
pub const DEFAULT_ESTIMATOR: &str = ESTIMATORS[0].0;

/// What a name stands for; the names of a system are checked when it is resolved.
type Made<T> = Result<Box<T>, Box<Error>>;

fn get<E>(entries: &'static [(&'static str, E)], kind: &'static str, name: &str) -> Result<&'static E, Box<Error>> {
    let unknown = || Box::new(Error::UnknownMethod { kind, name: name.to_owned() });
    find(entries, name).map(|(_, entry)| entry).ok_or_else(unknown)
}

fn find<E>(entries: &'static [(&'static str, E)], name: &str) -> Option<&'static (&'static str, E)> {
    entries.iter().find(|(known, _)| *known == name)
}

/// The registered name of an estimator; `None` for an unknown name.
pub fn estimator_name(name: &str) -> Option<&'static str> {
    find(ESTIMATORS, name).map(|(name, _)| *name)
}

/// Names of all estimators of the local error.
pub fn estimator_names() -> impl Iterator<Item = &'static str> + Clone {
    ESTIMATORS.iter().map(|(name, _)| *name)
}

/// Whether each attempt of an estimator rolls back.
pub fn estimator_rolls_back(name: &str) -> bool {
    find(ESTIMATORS, name).is_some_and(|(_, (rolls_back, _))| *rolls_back)
}

pub(crate) fn make_estimator(name: &str, settings: EstimatorSettings, coupled: &mut Coupled) -> Made<dyn Estimator> {
    Ok((get(ESTIMATORS, "estimator", name)?.1)(settings, coupled))
}

/// The names of all methods, each with the key of a system file that takes it: `("sweep", "jacobi")`.
pub fn methods() -> impl Iterator<Item = (&'static str, &'static str)> {
    let sweeps = sweep_names().map(|name| ("sweep", name));
    let accelerations = acceleration_names().map(|name| ("acceleration", name));
    let estimators = estimator_names().map(|name| ("estimator", name));
    let controllers = controller_names().map(|name| ("controller", name));
    sweeps.chain(accelerations).chain(estimators).chain(controllers)
}

/// The registered name of a coupling scheme; `None` for an unknown name.
pub fn sweep_name(name: &str) -> Option<&'static str> {
    find(SWEEPS, name).map(|(name, _)| *name)
}

/// Names of all coupling schemes.
pub fn sweep_names() -> impl Iterator<Item = &'static str> + Clone {
    SWEEPS.iter().map(|(name, _)| *name)
}

/// Makes a coupling scheme.
///
/// # Errors
/// The name is unknown.
pub fn make_sweep(name: &str) -> Made<dyn Sweep> {
    Ok((get(SWEEPS, "sweep", name)?)())
}

/// The registered name of a step-size controller; `None` for an unknown name.
pub fn controller_name(name: &str) -> Option<&'static str> {
    find(CONTROLLERS, name).map(|(name, _)| *name)
}

/// Names of all step-size controllers.
pub fn controller_names() -> impl Iterator<Item = &'static str> + Clone {
    CONTROLLERS.iter().map(|(name, _)| *name)
}

pub(crate) fn make_controller(name: &str) -> Made<dyn Controller> {
    Ok((get(CONTROLLERS, "controller", name)?)())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_not_registered_is_an_error() {
        for (key, name) in methods() {
            match key {
                "sweep" => assert!(make_sweep(name).is_ok()),
                "controller" => assert!(make_controller(name).is_ok()),
                _ => {}
            }
        }
        let told = |error: Box<Error>| error.to_string();
        assert_eq!(make_sweep("jacoby").err().map(told).as_deref(), Some("no sweep `jacoby` is registered"));
        assert_eq!(make_controller("").err().map(told).as_deref(), Some("no controller `` is registered"));
        assert!(!estimator_rolls_back("step-doublin"));
    }
}
