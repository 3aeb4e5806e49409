//! The Radau IIA method of order 5.

mod coefficients;
mod system;

use coefficients::{C, ERROR, collocation, value};
use system::System;

use super::{
    jacobian::Jacobian,
    newton::{ITERATIONS, Newton},
};
use crate::{
    EvaluationError, Problem,
    controlled::{AcceptedStep, Dense, Embedded, Rejection, proposal},
};

/// Order 5, implicit, L-stable, stiffly accurate: the collocation polynomial at three points, the last of which is the end of the
/// step.
///
/// - Stages: simplified Newton iterations, transformed to a real and a complex system of linear equations (`System`). They start
///   from the collocation polynomial of the last step. The Jacobian matrix is kept while they converge fast, the factorizations
///   while the step would grow by less than a fifth.
/// - Error, of order 3: `(γ / h I - J)^-1 (f(t, x) + Σ e_i z_i / h)`. If this would reject the first step, or one after a
///   rejection, the estimate is computed once more with `f(t, x + error)`: stiff components of the error then vanish as they do
///   in the solution.
/// - Step size: the smaller of `0.9 (2 m + 1) / (2 m + n) error^(-1/4)`, with the `n` of at most `m` iterations, and the
///   prediction of Gustafsson from the last two accepted steps.
/// - Dense output of order 3: the collocation polynomial.
///
/// Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 1996, IV.8 (program RADAU5), doi
/// 10.1007/978-3-642-05221-7.
pub(crate) struct Radau5 {
    slope: Vec<f64>,
    jacobian: Jacobian,
    system: System,
    /// Coefficients of the collocation polynomial of the last accepted step, and its size \[s\].
    polynomial: Vec<[f64; 3]>,
    length: Option<f64>,
    newton: Option<Newton>,
    /// Step size \[s\] and error of the last accepted step.
    last: Option<(f64, f64)>,
    was_rejected: bool,
    error: Vec<f64>,
    work: Vec<f64>,
}

impl Radau5 {
    pub fn new(n: usize) -> Self {
        Self {
            slope: vec![0.0; n],
            jacobian: Jacobian::new(n),
            system: System::new(n),
            polynomial: vec![[0.0; 3]; n],
            length: None,
            newton: None,
            last: None,
            was_rejected: false,
            error: vec![0.0; n],
            work: vec![0.0; n],
        }
    }

    /// Restarts from states with these derivatives.
    pub fn start_with(&mut self, slope: &[f64]) {
        self.slope.copy_from_slice(slope);
        (self.length, self.newton, self.last, self.was_rejected) = (None, None, None, false);
    }

    /// Returns an upper bound of the spectral radius of the last Jacobian matrix \[1/s\].
    pub fn spectral_bound(&mut self) -> f64 {
        self.jacobian.spectral_bound()
    }

    fn evaluate_jacobian(&mut self, problem: &mut Problem, tau: f64, x: &[f64]) -> Result<(), EvaluationError> {
        self.system.forget();
        self.jacobian.evaluate(problem, tau, x, &self.slope)
    }

    /// Predicts the increments of the stages with the collocation polynomial of the last step.
    fn predict(&mut self, h: f64) {
        let ratio = self.length.map(|length| h / length);
        for (z, c) in self.system.z.iter_mut().zip(C) {
            for (z, polynomial) in z.iter_mut().zip(&self.polynomial) {
                *z = ratio.map_or(0.0, |ratio| value(*polynomial, 1.0 + ratio * c) - value(*polynomial, 1.0));
            }
        }
    }

    /// Solves the equations of the stages, with a new Jacobian matrix if necessary.
    fn solve(&mut self, problem: &mut Problem, tau: f64, h: f64, x: &[f64]) -> Result<(), Rejection> {
        let needs_jacobian = self.newton.as_ref().is_none_or(|newton| !newton.was_fast() && !self.jacobian.is_current);
        if needs_jacobian {
            self.evaluate_jacobian(problem, tau, x)?;
        }
        loop {
            self.predict(h);
            let newton = self.newton.get_or_insert_with(|| Newton::new(&problem.settings));
            if self.system.factorize(problem, h, &self.jacobian.values) && self.system.solve(problem, newton, tau, h, x)? {
                return Ok(());
            }
            if self.jacobian.is_current {
                return Err(Rejection::NotConverged);
            }
            self.evaluate_jacobian(problem, tau, x)?;
        }
    }

    /// Estimates the error of a step to `next` from the derivatives in `work`. Returns its norm.
    fn estimate(&mut self, problem: &Problem, h: f64, x: &[f64], next: &[f64]) -> f64 {
        for (i, (error, slope)) in self.error.iter_mut().zip(&self.work).enumerate() {
            let sum: f64 = ERROR.iter().zip(&self.system.z).map(|(weight, z)| weight * z[i]).sum();
            *error = slope + sum / h;
        }
        self.system.real.solve(&mut self.error);
        problem.settings.norm(&self.error, x, next)
    }
}

impl Embedded for Radau5 {
    fn order(&self) -> u32 {
        3
    }

    fn start(&mut self, problem: &mut Problem, x: &[f64]) -> Result<(), EvaluationError> {
        problem.derivatives(0.0, x, &mut self.slope)
    }

    fn slope(&self) -> &[f64] {
        &self.slope
    }

    fn attempt(&mut self, problem: &mut Problem, tau: f64, h: f64, x: &[f64], next: &mut [f64]) -> Result<f64, Rejection> {
        let is_unsure = self.last.is_none() || self.was_rejected;
        self.was_rejected = true;
        self.solve(problem, tau, h, x)?;
        next.iter_mut().zip(x).zip(&self.system.z[2]).for_each(|((next, x), z)| *next = x + z);
        self.work.copy_from_slice(&self.slope);
        let error = self.estimate(problem, h, x, next);
        if error < 1.0 || !is_unsure || !error.is_finite() {
            return Ok(error);
        }
        self.error.iter_mut().zip(x).for_each(|(error, x)| *error += x);
        problem.derivatives(tau, &self.error, &mut self.work)?;
        Ok(self.estimate(problem, h, x, next))
    }

    fn proceed(&mut self, problem: &mut Problem, tau: f64, x: &[f64]) -> Result<(), EvaluationError> {
        problem.derivatives(tau, x, &mut self.work)?;
        if !self.work.iter().all(|slope| slope.is_finite()) {
            return Err(EvaluationError::Refused);
        }
        self.slope.copy_from_slice(&self.work);
        self.jacobian.is_current = false;
        let [first, second, third] = &self.system.z;
        for (i, polynomial) in self.polynomial.iter_mut().enumerate() {
            *polynomial = collocation([first[i], second[i], third[i]]);
        }
        Ok(())
    }

    fn factor(&mut self, h: f64, error: f64) -> f64 {
        let n = self.newton.as_ref().map_or(0, |newton| newton.n);
        let safety = f64::from(2 * ITERATIONS + 1) / f64::from(2 * ITERATIONS + n);
        let least = error.max(1e-10);
        let mut factor = safety * proposal(self.order(), least);
        if error <= 1.0 {
            if let Some((last_h, last_error)) = self.last {
                factor = factor.min(h / last_h * (last_error / least).powf(0.25) * safety * proposal(self.order(), least));
            }
            self.last = Some((h, error.max(1e-2)));
            self.length = Some(h);
            self.was_rejected = false;
        }
        let stays = self.newton.as_ref().is_some_and(Newton::was_fast);
        if stays && (1.0..1.2).contains(&factor) { 1.0 } else { factor }
    }
}

impl Dense for Radau5 {
    fn interpolate(&self, step: &AcceptedStep, theta: f64, x: &mut [f64]) {
        let [first, second, third] = &self.system.z;
        for (i, x) in x.iter_mut().enumerate() {
            *x = step.x[i] + value(collocation([first[i], second[i], third[i]]), theta);
        }
    }
}
