//! The method of Runge, Kutta and Fehlberg.

use super::{Embedded, Rejection};
use crate::{
    EvaluationError, Problem,
    fixed::{Stages, Tableau},
};

/// Order 5 with step control: the difference from an embedded result of order 4 estimates the error of a step, and the better
/// result is kept.
///
/// Source: E. Fehlberg, Klassische Runge-Kutta-Formeln vierter und niedrigerer Ordnung mit Schrittweiten-Kontrolle und ihre
/// Anwendung auf Wärmeleitungsprobleme, Computing 6 (1970), doi 10.1007/BF02241732.
pub(crate) struct Rkf45 {
    stages: Stages<'static>,
    /// Room for the derivatives at the start of the next step, then for the error.
    work: Vec<f64>,
}

/// The six stages with the weights of order 5.
pub(crate) static FIFTH: Tableau = Tableau {
    a: &[
        &[],
        &[1.0 / 4.0],
        &[3.0 / 32.0, 9.0 / 32.0],
        &[1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0],
        &[439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0],
        &[-8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0],
    ],
    b: &[16.0 / 135.0, 0.0, 6656.0 / 12825.0, 28561.0 / 56430.0, -9.0 / 50.0, 2.0 / 55.0],
    c: &[0.0, 1.0 / 4.0, 3.0 / 8.0, 12.0 / 13.0, 1.0, 1.0 / 2.0],
};

/// The weights of order 4.
pub(crate) const FOURTH: [f64; 6] = [25.0 / 216.0, 0.0, 1408.0 / 2565.0, 2197.0 / 4104.0, -1.0 / 5.0, 0.0];

impl Rkf45 {
    pub fn new(n_states: usize) -> Self {
        Self { stages: Stages::new(&FIFTH, n_states), work: vec![0.0; n_states] }
    }
}

impl Embedded for Rkf45 {
    fn order(&self) -> u32 {
        4
    }

    fn start(&mut self, problem: &mut Problem, x: &[f64]) -> Result<(), EvaluationError> {
        problem.derivatives(0.0, x, self.stages.stage_mut(0))
    }

    fn slope(&self) -> &[f64] {
        self.stages.stage(0)
    }

    fn attempt(&mut self, problem: &mut Problem, tau: f64, h: f64, x: &[f64], next: &mut [f64]) -> Result<f64, Rejection> {
        let difference: [f64; 6] = std::array::from_fn(|i| FIFTH.b[i] - FOURTH[i]);
        self.stages.evaluate_rest(problem, tau, h, x)?;
        next.copy_from_slice(x);
        self.stages.add(FIFTH.b, h, next);
        self.work.fill(0.0);
        self.stages.add(&difference, h, &mut self.work);
        Ok(problem.settings.norm(&self.work, x, next))
    }

    fn proceed(&mut self, problem: &mut Problem, tau: f64, x: &[f64]) -> Result<(), EvaluationError> {
        problem.derivatives(tau, x, &mut self.work)?;
        self.stages.stage_mut(0).copy_from_slice(&self.work);
        Ok(())
    }
}
