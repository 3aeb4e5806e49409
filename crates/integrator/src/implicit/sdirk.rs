//! Singly diagonally implicit Runge–Kutta methods whose first stage is explicit.

use super::{
    jacobian::Jacobian,
    lu::Lu,
    newton::{Newton, Progress},
};
use crate::{
    EvaluationError, Problem,
    controlled::{AcceptedStep, Dense, Embedded, Rejection, hermite, proposal},
    fixed::add,
    work::count,
};

/// An implicit method by its Butcher tableau, whose diagonal is `γ` from the second stage on and whose last stage is the result:
///
/// ```text
/// x_i = x + h Σ_(j < i) a_ij k_j + h γ k_i        k_i = f(t + c_i h, x_i)
/// ```
///
/// Each stage is solved by simplified Newton iterations, `(I - h γ J) Δ = x + h Σ a_ij k_j + h γ f(x_i) - x_i`. The Jacobian
/// matrix `J` is kept while they converge fast, the factorization while the step size stays. The error is estimated by `(I - h γ
/// J)^-1 h Σ d_i k_i`: the matrix keeps the estimate of stiff components bounded (Hosea & Shampine, section 5).
///
/// Sources: those of the methods; E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 1996, IV.6 and IV.8, doi
/// 10.1007/978-3-642-05221-7.
pub(crate) struct Coefficients {
    /// Row `i` has the `i` numbers below the diagonal; the last one are the weights of the result, without `γ`.
    pub a: &'static [&'static [f64]],
    pub gamma: f64,
    pub c: &'static [f64],
    /// Weights of the error: those of the result minus those of an embedded one.
    pub d: &'static [f64],
    /// Order of the error estimate.
    pub order: u32,
}

/// These methods keep the less accurate of the two results, so nothing compensates for an estimate that is too small. Steps are
/// therefore smaller by this factor than those of methods that keep the more accurate result.
const CAUTION: f64 = 0.75;

/// A method with its stages and matrices.
pub(crate) struct Sdirk {
    coefficients: &'static Coefficients,
    /// Derivatives of the stages, one behind the other.
    k: Vec<f64>,
    /// Whether `k` belongs to an accepted step: its last derivatives are the first of the next step.
    is_accepted: bool,
    jacobian: Jacobian,
    factors: Factors,
    newton: Option<Newton>,
    /// Whether all stages of the last attempt converged fast.
    was_fast: bool,
    known: Vec<f64>,
    change: Vec<f64>,
}

/// The factors of `I - h γ J`.
struct Factors {
    lu: Lu<f64>,
    /// The step size for which they are valid \[s\].
    h: Option<f64>,
}

impl Sdirk {
    pub fn new(coefficients: &'static Coefficients, n: usize) -> Self {
        Self {
            coefficients,
            k: vec![0.0; n * coefficients.c.len()],
            is_accepted: false,
            jacobian: Jacobian::new(n),
            factors: Factors { lu: Lu::new(n), h: None },
            newton: None,
            was_fast: true,
            known: vec![0.0; n],
            change: vec![0.0; n],
        }
    }

    /// Returns the derivatives of the last stage.
    fn last(&self) -> &[f64] {
        &self.k[self.k.len() - self.known.len()..]
    }

    /// Evaluates the Jacobian matrix. Derivatives that follow from a solved stage are too inaccurate for differences, so they are
    /// computed anew.
    fn evaluate_jacobian(&mut self, problem: &mut Problem, tau: f64, x: &[f64]) -> Result<(), EvaluationError> {
        problem.derivatives(tau, x, &mut self.change)?;
        self.factors.h = None;
        self.jacobian.evaluate(problem, tau, x, &self.change)
    }

    /// Factorizes the matrix for steps of `h` seconds, unless it already is. Returns `false` if it is singular.
    fn factorize(&mut self, problem: &mut Problem, h: f64) -> bool {
        if self.factors.h == Some(h) {
            return true;
        }
        count(&mut problem.work.n_factorizations);
        let (n, scale, jacobian) = (self.known.len(), h * self.coefficients.gamma, &self.jacobian.values);
        let is_regular = self.factors.lu.factorize(|i, j| f64::from(u8::from(i == j)) - scale * jacobian[i * n + j]);
        self.factors.h = is_regular.then_some(h);
        is_regular
    }

    /// Solves all stages; `next` then has the last one. Returns `false` if an iteration did not converge.
    fn solve(&mut self, problem: &mut Problem, tau: f64, h: f64, x: &[f64], next: &mut [f64]) -> Result<bool, EvaluationError> {
        self.was_fast = true;
        for i in 1..self.coefficients.c.len() {
            self.known.copy_from_slice(x);
            add(self.coefficients.a[i], &self.k[..i * x.len()], h, &mut self.known);
            if !self.solve_stage(problem, i, tau, h, x, next)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Solves stage `i`, starting with the derivatives of the stage before.
    fn solve_stage(
        &mut self,
        problem: &mut Problem,
        i: usize,
        tau: f64,
        h: f64,
        x: &[f64],
        stage: &mut [f64],
    ) -> Result<bool, EvaluationError> {
        let (n, scale, time) = (x.len(), h * self.coefficients.gamma, tau + self.coefficients.c[i] * h);
        let newton = self.newton.get_or_insert_with(|| Newton::new(&problem.settings));
        let (before, k) = self.k.split_at_mut(i * n);
        let k = &mut k[..n];
        stage.copy_from_slice(&self.known);
        add(&[1.0], &before[(i - 1) * n..], scale, stage);
        newton.start();
        let progress = loop {
            problem.derivatives(time, stage, k)?;
            for (j, change) in self.change.iter_mut().enumerate() {
                *change = self.known[j] + scale * k[j] - stage[j];
            }
            self.factors.lu.solve(&mut self.change);
            stage.iter_mut().zip(&self.change).for_each(|(stage, change)| *stage += change);
            let progress = newton.judge(problem.settings.norm(&self.change, x, x));
            if progress != Progress::GoesOn {
                break progress;
            }
        };
        self.was_fast &= newton.was_fast();
        k.iter_mut().zip(stage).zip(&self.known).for_each(|((k, stage), known)| *k = (*stage - known) / scale);
        Ok(progress == Progress::Converged)
    }
}

impl Embedded for Sdirk {
    fn order(&self) -> u32 {
        self.coefficients.order
    }

    fn start(&mut self, problem: &mut Problem, x: &[f64]) -> Result<(), EvaluationError> {
        problem.derivatives(0.0, x, &mut self.k[..x.len()])
    }

    fn slope(&self) -> &[f64] {
        &self.k[..self.known.len()]
    }

    fn attempt(&mut self, problem: &mut Problem, tau: f64, h: f64, x: &[f64], next: &mut [f64]) -> Result<f64, Rejection> {
        let n = x.len();
        if self.is_accepted {
            let last = self.k.len() - n;
            self.k.copy_within(last.., 0);
            self.is_accepted = false;
        }
        if self.newton.is_none() {
            let (slope, _) = self.k.split_at(n);
            self.jacobian.evaluate(problem, tau, x, slope)?;
        } else if !self.was_fast && !self.jacobian.is_current {
            self.evaluate_jacobian(problem, tau, x)?;
        }
        while !(self.factorize(problem, h) && self.solve(problem, tau, h, x, next)?) {
            if self.jacobian.is_current {
                return Err(Rejection::NotConverged);
            }
            self.evaluate_jacobian(problem, tau, x)?;
        }
        self.change.fill(0.0);
        add(self.coefficients.d, &self.k, h, &mut self.change);
        self.factors.lu.solve(&mut self.change);
        Ok(problem.settings.norm(&self.change, x, next))
    }

    fn proceed(&mut self, _: &mut Problem, _: f64, _: &[f64]) -> Result<(), EvaluationError> {
        self.is_accepted = true;
        self.jacobian.is_current = false;
        Ok(())
    }

    /// Keeps a step that would grow by less than a fifth, and with it the factorization.
    fn factor(&mut self, _: f64, error: f64) -> f64 {
        let factor = CAUTION * proposal(self.order(), error);
        if (1.0..1.2).contains(&factor) { 1.0 } else { factor }
    }
}

impl Dense for Sdirk {
    fn interpolate(&self, step: &AcceptedStep, theta: f64, x: &mut [f64]) {
        hermite(step, [&self.k[..x.len()], self.last()], theta, x);
    }
}
