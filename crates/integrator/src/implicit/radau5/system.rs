//! The equations of the three stages.

use super::coefficients::{C, COMPLEX, REAL, T, T_INVERSE, times};
use crate::{
    EvaluationError, Problem,
    implicit::{
        complex::Complex,
        lu::Lu,
        newton::{Newton, Progress},
    },
    work::count,
};

/// The nonlinear equations for the increments `z_i = x_i - x` of the stages, `z = h (A ⊗ I) f(x + z)`. With `w = (T^-1 ⊗ I) z`,
/// one simplified Newton iteration splits into a real system of `n` equations and a complex one:
///
/// ```text
/// (γ / h I - J) Δw_1 = (T^-1 f)_1 - γ / h w_1
/// ((α + iβ) / h I - J) (Δw_2 + i Δw_3) = (T^-1 f)_2 + i (T^-1 f)_3 - (α + iβ) / h (w_2 + i w_3)
/// ```
pub(super) struct System {
    /// Increments of the stages, one behind the other.
    pub z: [Vec<f64>; 3],
    w: [Vec<f64>; 3],
    f: [Vec<f64>; 3],
    state: Vec<f64>,
    pub real: Lu<f64>,
    complex: Lu<Complex>,
    pair: Vec<Complex>,
    /// The step size for which the matrices are factorized \[s\].
    h: Option<f64>,
}

impl System {
    pub fn new(n: usize) -> Self {
        let room = || std::array::from_fn(|_| vec![0.0; n]);
        Self {
            z: room(),
            w: room(),
            f: room(),
            state: vec![0.0; n],
            real: Lu::new(n),
            complex: Lu::new(n),
            pair: vec![Complex::default(); n],
            h: None,
        }
    }

    /// Discards the factorizations, because the Jacobian matrix has changed.
    pub fn forget(&mut self) {
        self.h = None;
    }

    /// Factorizes both matrices for steps of `h` seconds, unless they already are. Returns `false` if one is singular.
    pub fn factorize(&mut self, problem: &mut Problem, h: f64, jacobian: &[f64]) -> bool {
        if self.h == Some(h) {
            return true;
        }
        count(&mut problem.work.n_factorizations);
        count(&mut problem.work.n_factorizations);
        let n = self.state.len();
        let real = |i, j| if i == j { REAL / h } else { 0.0 } - jacobian[i * n + j];
        let complex =
            |i, j| Complex { re: if i == j { COMPLEX.re / h } else { 0.0 }, im: if i == j { COMPLEX.im / h } else { 0.0 } };
        let complex = |i, j| complex(i, j) - Complex { re: jacobian[i * n + j], im: 0.0 };
        let is_regular = self.real.factorize(real) && self.complex.factorize(complex);
        self.h = is_regular.then_some(h);
        is_regular
    }

    /// Solves the equations, starting from the increments in `z`. Returns `false` if the iteration does not converge.
    pub fn solve(
        &mut self,
        problem: &mut Problem,
        newton: &mut Newton,
        tau: f64,
        h: f64,
        x: &[f64],
    ) -> Result<bool, EvaluationError> {
        for i in 0..x.len() {
            let w = times(&T_INVERSE, [self.z[0][i], self.z[1][i], self.z[2][i]]);
            self.w.iter_mut().zip(w).for_each(|(all, w)| all[i] = w);
        }
        newton.start();
        loop {
            for (stage, c) in C.into_iter().enumerate() {
                self.state.iter_mut().zip(x).zip(&self.z[stage]).for_each(|((state, x), z)| *state = x + z);
                problem.derivatives(tau + c * h, &self.state, &mut self.f[stage])?;
            }
            match newton.judge(self.iterate(problem, h, x)) {
                Progress::GoesOn => {}
                progress => return Ok(progress == Progress::Converged),
            }
        }
    }

    /// Makes one iteration with the derivatives in `f`. Returns the norm of its change.
    fn iterate(&mut self, problem: &Problem, h: f64, x: &[f64]) -> f64 {
        let (real, complex) = (REAL / h, Complex { re: COMPLEX.re / h, im: COMPLEX.im / h });
        for i in 0..x.len() {
            let [first, second, third] = times(&T_INVERSE, [self.f[0][i], self.f[1][i], self.f[2][i]]);
            self.state[i] = first - real * self.w[0][i];
            self.pair[i] = Complex { re: second, im: third } - complex * Complex { re: self.w[1][i], im: self.w[2][i] };
        }
        self.real.solve(&mut self.state);
        self.complex.solve(&mut self.pair);
        let [first, second, third] = &mut self.f;
        first.copy_from_slice(&self.state);
        for (i, pair) in self.pair.iter().enumerate() {
            (second[i], third[i]) = (pair.re, pair.im);
        }
        for i in 0..x.len() {
            self.w.iter_mut().zip(&self.f).for_each(|(w, change)| w[i] += change[i]);
            let z = times(&T, [self.w[0][i], self.w[1][i], self.w[2][i]]);
            self.z.iter_mut().zip(z).for_each(|(all, z)| all[i] = z);
        }
        let squares = self.f.iter().map(|change| problem.settings.norm(change, x, x).powi(2));
        (squares.sum::<f64>() / 3.0).sqrt()
    }
}
