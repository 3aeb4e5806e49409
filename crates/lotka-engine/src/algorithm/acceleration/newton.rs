//! The linear part of Newton's method for the exchanged values.

use std::ops::Range;

use nalgebra::{DMatrix, DVectorViewMut, Dyn, LU};

use crate::checkpoint::{Persistent, Transfer, Transferred};

/// Newton's correction `dx = (I - M)^-1 (G(x) - x)`, with `M = dG/dx` the derivative of the Jacobi pass.
///
/// Convergence is quadratic with the derivative at `x`, linear with an old one; one correction solves a linear `G`. A
/// Gauss–Seidel pass yields another residual for the same values. With `L` the blocks of `M` through which an instance reads from
/// instances that stepped before it in the pass, `f_gs = (I - L)^-1 f`, thus `dx = (I - M)^-1 (I - L) f_gs`.
///
/// Failure: if `I - M` is singular to rounding (the loop has no unique solution) or not finite, [`InterfaceNewton::factor`] returns false. All
/// solutions before the next success also return false, and leave the residual unchanged.
///
/// References: Kelley, *Solving Nonlinear Equations with Newton's Method*, 2003, doi 10.1137/1.9780898718898; Sicklinger et al. 2014,
/// *Interface Jacobian-based co-simulation*, doi 10.1002/nme.4637.
pub(crate) struct InterfaceNewton {
    /// Output values of each instance, in the order in which a Gauss–Seidel pass steps the instances.
    blocks: Vec<Range<usize>>,
    derivative: DMatrix<f64>,
    /// Factors of `I - M`, if they are usable.
    factors: Option<LU<f64, Dyn, Dyn>>,
}

impl InterfaceNewton {
    /// Creates the method for `n` values. `blocks` are the output values of each instance, disjoint, in the order of the Gauss–Seidel pass.
    pub(crate) fn new(n: usize, blocks: Vec<Range<usize>>) -> Self {
        Self { blocks, derivative: DMatrix::zeros(n, n), factors: None }
    }

    /// Sets a new derivative `M`, row by row: entry `i * n + k` is the derivative of value `i` of `G` by value `k` of `x`. Returns false if
    /// `I - M` is unusable. Allocates.
    pub(crate) fn factor(&mut self, derivative: &[f64]) -> bool {
        let n = self.derivative.nrows();
        self.derivative = DMatrix::from_row_slice(n, n, derivative);
        self.factors = self.factorize();
        self.factors.is_some()
    }

    fn factorize(&self) -> Option<LU<f64, Dyn, Dyn>> {
        let n = self.derivative.nrows();
        let system = DMatrix::identity(n, n) - &self.derivative;
        let factors = system.clone().lu();
        is_regular(&system, &factors).then_some(factors)
    }

    /// Replaces the residual `G(x) - x` of a Jacobi pass by the correction `dx`.
    pub(crate) fn solve(&self, residual: &mut [f64]) -> bool {
        let n = residual.len();
        let solve = |factors: &LU<_, _, _>| n == 0 || factors.solve_mut(&mut DVectorViewMut::from_slice(residual, n));
        self.factors.as_ref().is_some_and(solve)
    }

    /// Replaces the residual of a Gauss–Seidel pass by the correction `dx`.
    pub(crate) fn gauss_seidel_correction(&self, residual: &mut [f64]) -> bool {
        if self.factors.is_none() {
            return false;
        }
        for (position, block) in self.blocks.iter().enumerate().rev() {
            for row in block.clone() {
                let earlier = self.blocks[..position].iter().flat_map(Clone::clone);
                residual[row] -= earlier.map(|column| self.derivative[(row, column)] * residual[column]).sum::<f64>();
            }
        }
        self.solve(residual)
    }
}

/// The same derivative yields the same factors, bit for bit.
impl Persistent for InterfaceNewton {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        let mut is_factored = self.factors.is_some();
        transfer.value(&mut is_factored)?;
        transfer.slice(self.derivative.as_mut_slice())?;
        if transfer.is_in() {
            self.factors = if is_factored { self.factorize() } else { None };
        }
        Ok(())
    }
}

/// Whether every pivot exceeds the rounding errors of its column.
fn is_regular(system: &DMatrix<f64>, factors: &LU<f64, Dyn, Dyn>) -> bool {
    let rounding = system.nrows() as f64 * f64::EPSILON;
    let pivots = factors.u().diagonal();
    pivots.iter().zip(system.column_iter()).all(|(pivot, column)| {
        let size = column.amax();
        size.is_finite() && pivot.is_finite() && pivot.abs() > rounding * size
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const M: [f64; 9] = [0.3, -40.0, 2.0, 5.0, 1.5, -0.7, 0.25, 30.0, -6.0];
    const OFFSET: [f64; 3] = [1.0, -2.0, 0.5];

    /// Makes one pass: Gauss–Seidel if `order` states when each value is renewed, otherwise Jacobi.
    fn pass(x: [f64; 3], order: Option<[usize; 3]>) -> [f64; 3] {
        let mut new = x;
        for i in order.unwrap_or([0, 1, 2]) {
            let source = if order.is_some() { new } else { x };
            new[i] = OFFSET[i] + (0..3).map(|k| M[3 * i + k] * source[k]).sum::<f64>();
        }
        new
    }

    fn assert_solved(x: [f64; 3]) {
        let g = pass(x, None);
        for i in 0..3 {
            assert!((g[i] - x[i]).abs() < 1e-12, "{x:?} gives {g:?}");
        }
    }

    #[test]
    fn linear_maps_are_solved_by_one_correction() {
        let mut newton = InterfaceNewton::new(3, vec![0..1, 1..2, 2..3]);
        assert!(newton.factor(&M));
        let x = [3.0, 4.0, -5.0];
        let g = pass(x, None);
        let mut correction = std::array::from_fn::<_, 3, _>(|i| g[i] - x[i]);
        assert!(newton.solve(&mut correction));
        assert_solved(std::array::from_fn(|i| x[i] + correction[i]));
    }

    #[test]
    fn the_residual_of_a_gauss_seidel_pass_leads_to_the_same_solution() {
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let mut newton = InterfaceNewton::new(3, order.map(|i| i..i + 1).to_vec());
            assert!(newton.factor(&M));
            let x = [3.0, 4.0, -5.0];
            let g = pass(x, Some(order));
            let mut correction = std::array::from_fn::<_, 3, _>(|i| g[i] - x[i]);
            assert!(newton.gauss_seidel_correction(&mut correction));
            assert_solved(std::array::from_fn(|i| x[i] + correction[i]));
        }
    }

    #[test]
    fn values_of_one_instance_do_not_see_each_other_renewed() {
        let mut newton = InterfaceNewton::new(3, vec![2..3, 0..2]);
        assert!(newton.factor(&M));
        let x = [3.0, 4.0, -5.0];
        let last = pass(x, None)[2];
        let rest = pass([x[0], x[1], last], None);
        let mut correction = [rest[0] - x[0], rest[1] - x[1], last - x[2]];
        assert!(newton.gauss_seidel_correction(&mut correction));
        assert_solved(std::array::from_fn(|i| x[i] + correction[i]));
    }

    #[test]
    fn singular_loops_are_refused_until_the_derivative_is_renewed() {
        let mut newton = InterfaceNewton::new(2, vec![0..1, 1..2]);
        let mut residual = [1.0, 2.0];
        assert!(!newton.solve(&mut residual), "no derivative yet");
        for singular in [[1.0, 0.0, 0.0, 0.5], [0.0, 0.1, 10.0, 0.0], [f64::NAN, 0.0, 0.0, 0.0], [0.0, f64::INFINITY, 0.0, 0.0]] {
            assert!(!newton.factor(&singular), "{singular:?}");
            assert!(!newton.solve(&mut residual) && !newton.gauss_seidel_correction(&mut residual));
            assert_eq!(residual, [1.0, 2.0]);
        }
        assert!(newton.factor(&[0.0, 1e6, 1e-7, 0.0]), "units far apart are no singularity");
        assert!(newton.solve(&mut residual));
    }
}
