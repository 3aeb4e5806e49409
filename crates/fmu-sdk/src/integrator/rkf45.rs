//! The method of Runge, Kutta and Fehlberg.

use super::{
    failure::Failure,
    method::Method,
    problem::Problem,
    runge_kutta::{Stages, Tableau},
    step_control::{StepControl, norm},
};

/// Order 5 with step control: the difference from an embedded result of order 4 estimates the error of a step, and the better result is
/// kept.
///
/// Source: E. Fehlberg, Klassische Runge-Kutta-Formeln vierter und niedrigerer Ordnung mit Schrittweiten-Kontrolle und ihre Anwendung auf
/// Wärmeleitungsprobleme, Computing 6 (1970), doi 10.1007/BF02241732.
pub(super) struct Rkf45;

/// The six stages with the weights of order 5.
pub(super) const FIFTH: Tableau = Tableau {
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
pub(super) const FOURTH: [f64; 6] = [25.0 / 216.0, 0.0, 1408.0 / 2565.0, 2197.0 / 4104.0, -1.0 / 5.0, 0.0];

/// Order of the result that is judged.
const ORDER: u32 = 4;

impl Method for Rkf45 {
    fn integrate(&self, problem: &mut Problem, x: &mut [f64]) -> Result<(), Failure> {
        let difference: [f64; 6] = std::array::from_fn(|i| FIFTH.b[i] - FOURTH[i]);
        let mut stages = Stages::new(&FIFTH, x.len());
        stages.evaluate_first(problem, 0.0, x);
        let mut control = StepControl::new(problem, ORDER, x, stages.first());
        let (mut next, mut error) = (x.to_vec(), x.to_vec());
        while !control.is_done() {
            let (tau, h) = (control.tau, control.h);
            stages.evaluate_rest(problem, tau, h, x);
            next.copy_from_slice(x);
            stages.add(FIFTH.b, h, &mut next);
            error.fill(0.0);
            stages.add(&difference, h, &mut error);
            if control.accepts(problem, norm(&problem.settings, &error, x, &next))? {
                x.copy_from_slice(&next);
                problem.took_step(tau, x)?;
                if !control.is_done() {
                    stages.evaluate_first(problem, control.tau, x);
                }
            }
        }
        Ok(())
    }
}
