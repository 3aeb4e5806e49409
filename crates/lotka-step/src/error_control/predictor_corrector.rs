//! Predictor-corrector: compares extrapolations with results (Milne's device; Hairer, Nørsett, Wanner, Solving ODEs I, III.1).
//!
//! No instance steps twice, and no step is rolled back unless it fails the test. The difference at the end of a step is the error
//! of the extrapolation of degree k and behaves as `h^(k+1)`. Polynomials through other points have errors of the same
//! derivative. Therefore the mean error of the inputs over the step is the difference times a factor that follows from the points
//! alone, for any step sizes. At equal steps it is ½ for held inputs, 5/12 for linear extrapolation, and 1/12 for linear inputs
//! whose end was iterated. If the polynomials have different degrees (an iterated first step), the factor is 1.
//!
//! The test bounds the error of the exchanged values. A step adds `h df/du` times this error to the states of a receiver, so the
//! global error is proportional to the tolerance.

use lotka_plan::graph::InstancePlan;

use super::{Estimates, Estimator, EstimatorSettings, Tolerances};
use crate::{
    algorithm::{Attempt, Coupled, Level, Method, Step},
    checkpoint::Persistent,
};

/// Factor for held inputs: their mean error over a step.
const HOLD: f64 = 0.5;

pub(crate) struct PredictorCorrector {
    tolerances: Tolerances,
    degree: u32,
    /// The connected Real signals that are not held, with the degrees of their polynomials, and their errors.
    signals: Vec<(usize, usize)>,
    errors: Vec<f64>,
}

impl PredictorCorrector {
    pub(crate) fn new(EstimatorSettings { tolerances, .. }: EstimatorSettings, coupled: &Coupled) -> Self {
        let plan = &coupled.plan;
        let degrees = coupled.inputs.as_ref().map_or_else(Vec::new, |inputs| inputs.signal_degrees(plan));
        let connected = plan.instances.iter().flat_map(InstancePlan::connected).filter(|&signal| !plan.is_held[signal]);
        let signals: Vec<_> = connected.map(|signal| (signal, degrees.get(signal).copied().unwrap_or(0))).collect();
        let degree = signals.iter().map(|(_, degree)| *degree as u32).min().unwrap_or(0);
        Self { tolerances, degree, errors: vec![0.0; signals.len()], signals }
    }

    /// Stores the values at the beginning of the step.
    fn remember(&mut self, coupled: &Coupled) {
        for (error, &(signal, _)) in self.errors.iter_mut().zip(&self.signals) {
            *error = coupled.newest.reals[signal];
        }
    }

    fn compare(&mut self, coupled: &Coupled, is_iterated: bool) {
        for (error, &(signal, degree)) in self.errors.iter_mut().zip(&self.signals) {
            let came = coupled.newest.reals[signal];
            let (extrapolated, factor) = match &coupled.inputs {
                Some(inputs) => {
                    (inputs.extrapolate(signal, degree, &coupled.newest), inputs.mean_error(signal, degree, is_iterated))
                }
                None => (*error, HOLD),
            };
            *error = factor * (came - extrapolated);
        }
    }

    fn errors<'a>(&'a self, coupled: &'a Coupled) -> impl Iterator<Item = (f64, f64)> + 'a {
        self.errors.iter().zip(&self.signals).map(|(&error, &(signal, _))| (error, coupled.newest.reals[signal]))
    }
}

impl Persistent for PredictorCorrector {}

impl Estimator for PredictorCorrector {
    fn attempt(&mut self, method: &mut Method, coupled: &mut Coupled, t: f64, h: f64) -> Attempt<Estimates> {
        self.remember(coupled);
        method.advance(coupled, Step { t, h }, true, Level::Communication)?;
        self.compare(coupled, method.needs_rollback());
        Attempt::Continue(Estimates::of_difference(self.tolerances.norm(self.errors(coupled))))
    }

    fn order(&self) -> u32 {
        self.degree
    }

    fn worst(&self, coupled: &Coupled, _: Estimates) -> Option<usize> {
        self.tolerances.worst(self.errors(coupled)).map(|position| self.signals[position].0)
    }
}
