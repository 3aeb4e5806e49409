//! The linear part of Newton's method for the exchanged values.

use std::{cmp::Reverse, ops::Range};

use lotka_plan::linear::{Factors, SparseMatrix};

use crate::checkpoint::{Persistent, Transfer, Transferred};

/// Newton's correction `dx = (I - M)^-1 (G(x) - x)`, with `M = dG/dx` the derivative of the Jacobi pass.
///
/// Convergence is quadratic with the derivative at `x`, linear with an old one; one correction solves a linear `G`. A
/// Gauss–Seidel pass yields another residual for the same values. With `L` the blocks of `M` through which an instance reads from
/// instances that stepped before it in the pass, `f_gs = (I - L)^-1 f`, thus `dx = (I - M)^-1 (I - L) f_gs`.
///
/// Failure: if `I - M` is singular to rounding (the loop has no unique solution) or not finite, [`InterfaceNewton::factor`]
/// returns false. All solutions before the next success also return false, and leave the residual unchanged.
///
/// References: Kelley, *Solving Nonlinear Equations with Newton's Method*, 2003, doi 10.1137/1.9780898718898; Sicklinger et al.
/// 2014, *Interface Jacobian-based co-simulation*, doi 10.1002/nme.4637.
pub(crate) struct InterfaceNewton {
    derivative: SparseMatrix,
    /// `I - M`.
    system: SparseMatrix,
    /// Factors of `I - M`, if they are usable.
    factors: Option<Factors>,
    /// Entries of the derivative through which an instance reads from one that steps before it in a Gauss–Seidel pass, as row,
    /// column and index: the rows of later instances first, the columns in the order of the pass.
    earlier: Vec<(usize, usize, usize)>,
}

impl InterfaceNewton {
    /// Creates the method for values with this derivative. `blocks` are the output values of each instance, disjoint, in the
    /// order of the Gauss–Seidel pass.
    pub(crate) fn new(derivative: SparseMatrix, blocks: &[Range<usize>]) -> Self {
        let n = derivative.size();
        let diagonal = (0..n).map(|place| (place, place));
        let system = SparseMatrix::new(n, derivative.iter().map(|(row, column, _)| (row, column)).chain(diagonal));
        let mut position = vec![0; n];
        for (number, block) in blocks.iter().enumerate() {
            position[block.clone()].fill(number);
        }
        let places = derivative.iter().enumerate().map(|(index, (row, column, _))| (row, column, index));
        let mut earlier: Vec<_> = places.filter(|&(row, column, _)| position[column] < position[row]).collect();
        earlier.sort_by_key(|&(row, column, _)| (Reverse(position[row]), row, position[column], column));
        Self { derivative, system, factors: None, earlier }
    }

    /// Sets a new derivative `M`, whose entries are at the same places. Returns false if `I - M` is unusable. Allocates.
    pub(crate) fn factor(&mut self, derivative: &SparseMatrix) -> bool {
        self.derivative.values_mut().copy_from_slice(derivative.values());
        self.factors = self.factorize();
        self.factors.is_some()
    }

    fn factorize(&mut self) -> Option<Factors> {
        for (row, column, value) in self.system.iter_mut() {
            *value = if row == column { 1.0 } else { 0.0 };
            if let Some(index) = self.derivative.index(row, column) {
                *value -= self.derivative.values()[index];
            }
        }
        Factors::new(&self.system)
    }

    /// Replaces the residual `G(x) - x` of a Jacobi pass by the correction `dx`.
    pub(crate) fn solve(&mut self, residual: &mut [f64]) -> bool {
        self.factors.as_mut().map(|factors| factors.solve(residual)).is_some()
    }

    /// Replaces the residual of a Gauss–Seidel pass by the correction `dx`.
    pub(crate) fn gauss_seidel_correction(&mut self, residual: &mut [f64]) -> bool {
        if self.factors.is_none() {
            return false;
        }
        for entries in self.earlier.chunk_by(|one, other| one.0 == other.0) {
            let known = entries.iter().map(|&(_, column, index)| self.derivative.values()[index] * residual[column]);
            residual[entries[0].0] -= known.sum::<f64>();
        }
        self.solve(residual)
    }
}

/// The same derivative yields the same factors, bit for bit.
impl Persistent for InterfaceNewton {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        let mut is_factored = self.factors.is_some();
        transfer.value(&mut is_factored)?;
        transfer.slice(self.derivative.values_mut())?;
        if transfer.is_in() {
            self.factors = if is_factored { self.factorize() } else { None };
        }
        Ok(())
    }
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

    /// The method for values that all depend on each other, with their derivative row by row.
    fn newton(n: usize, derivative: &[f64], blocks: &[Range<usize>]) -> (InterfaceNewton, SparseMatrix) {
        let newton = InterfaceNewton::new(SparseMatrix::dense(n), blocks);
        (newton, given(n, derivative))
    }

    fn given(n: usize, derivative: &[f64]) -> SparseMatrix {
        let mut matrix = SparseMatrix::dense(n);
        matrix.iter_mut().for_each(|(row, column, value)| *value = derivative[row * n + column]);
        matrix
    }

    fn assert_solved(x: [f64; 3]) {
        let g = pass(x, None);
        for i in 0..3 {
            assert!((g[i] - x[i]).abs() < 1e-12, "{x:?} gives {g:?}");
        }
    }

    #[test]
    fn linear_maps_are_solved_by_one_correction() {
        let (mut newton, derivative) = newton(3, &M, &[0..1, 1..2, 2..3]);
        assert!(newton.factor(&derivative));
        let x = [3.0, 4.0, -5.0];
        let g = pass(x, None);
        let mut correction = std::array::from_fn::<_, 3, _>(|i| g[i] - x[i]);
        assert!(newton.solve(&mut correction));
        assert_solved(std::array::from_fn(|i| x[i] + correction[i]));
    }

    #[test]
    fn the_residual_of_a_gauss_seidel_pass_leads_to_the_same_solution() {
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let (mut newton, derivative) = newton(3, &M, &order.map(|i| i..i + 1));
            assert!(newton.factor(&derivative));
            let x = [3.0, 4.0, -5.0];
            let g = pass(x, Some(order));
            let mut correction = std::array::from_fn::<_, 3, _>(|i| g[i] - x[i]);
            assert!(newton.gauss_seidel_correction(&mut correction));
            assert_solved(std::array::from_fn(|i| x[i] + correction[i]));
        }
    }

    #[test]
    fn values_of_one_instance_do_not_see_each_other_renewed() {
        let (mut newton, derivative) = newton(3, &M, &[2..3, 0..2]);
        assert!(newton.factor(&derivative));
        let x = [3.0, 4.0, -5.0];
        let last = pass(x, None)[2];
        let rest = pass([x[0], x[1], last], None);
        let mut correction = [rest[0] - x[0], rest[1] - x[1], last - x[2]];
        assert!(newton.gauss_seidel_correction(&mut correction));
        assert_solved(std::array::from_fn(|i| x[i] + correction[i]));
    }

    #[test]
    fn singular_loops_are_refused_until_the_derivative_is_renewed() {
        let (mut newton, regular) = newton(2, &[0.0, 1e6, 1e-7, 0.0], &[0..1, 1..2]);
        let mut residual = [1.0, 2.0];
        assert!(!newton.solve(&mut residual), "no derivative yet");
        for singular in [[1.0, 0.0, 0.0, 0.5], [0.0, 0.1, 10.0, 0.0], [f64::NAN, 0.0, 0.0, 0.0], [0.0, f64::INFINITY, 0.0, 0.0]] {
            assert!(!newton.factor(&given(2, &singular)), "{singular:?}");
            assert!(!newton.solve(&mut residual) && !newton.gauss_seidel_correction(&mut residual));
            assert_eq!(residual, [1.0, 2.0]);
        }
        assert!(newton.factor(&regular), "units far apart are no singularity");
        assert!(newton.solve(&mut residual));
    }
}
