//! Small dense systems of linear equations.

use std::ops::{Div, Mul, Sub};

use super::complex::Complex;

/// The elements of a matrix.
pub(super) trait Scalar: Copy + Default + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> {
    /// Returns a size that is 0 for 0 only; it selects the pivot.
    fn size(self) -> f64;
}

impl Scalar for f64 {
    fn size(self) -> f64 {
        self.abs()
    }
}

impl Scalar for Complex {
    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }
}

/// A factorization `P A = L U` of a square matrix by Gaussian elimination with row pivots.
///
/// Source: G. H. Golub, C. F. Van Loan, Matrix Computations, 4th edition, Johns Hopkins University Press 2013, section 3.4.
pub(super) struct Lu<T> {
    n: usize,
    /// Row by row: `U` with its diagonal, `L` below.
    values: Vec<T>,
    /// The row with which each row was exchanged.
    pivots: Vec<usize>,
}

impl<T: Scalar> Lu<T> {
    /// Allocates a matrix with `n` rows.
    pub fn new(n: usize) -> Self {
        Self { n, values: vec![T::default(); n * n], pivots: vec![0; n] }
    }

    /// Factorizes the matrix with these elements. Returns `false` if it is singular, or if an element is not finite.
    pub fn factorize(&mut self, element: impl Fn(usize, usize) -> T) -> bool {
        let n = self.n;
        self.values.iter_mut().enumerate().for_each(|(at, value)| *value = element(at / n, at % n));
        (0..n).all(|k| self.eliminate(k))
    }

    /// Eliminates column `k` below the diagonal.
    fn eliminate(&mut self, k: usize) -> bool {
        let n = self.n;
        let pivot = (k..n).max_by(|a, b| self.values[a * n + k].size().total_cmp(&self.values[b * n + k].size())).unwrap_or(k);
        let size = self.values[pivot * n + k].size();
        if size == 0.0 || !size.is_finite() {
            return false;
        }
        self.pivots[k] = pivot;
        if pivot != k {
            (0..n).for_each(|j| self.values.swap(k * n + j, pivot * n + j));
        }
        let (upper, lower) = self.values.split_at_mut((k + 1) * n);
        let row = &upper[k * n..];
        for below in lower.chunks_exact_mut(n) {
            let factor = below[k] / row[k];
            below[k] = factor;
            below[k + 1..].iter_mut().zip(&row[k + 1..]).for_each(|(value, above)| *value = *value - factor * *above);
        }
        true
    }

    /// Replaces the right-hand side `b` with the solution.
    pub fn solve(&self, b: &mut [T]) {
        let n = self.n;
        self.pivots.iter().enumerate().for_each(|(k, pivot)| b.swap(k, *pivot));
        for i in 0..n {
            let row = &self.values[i * n..][..i];
            b[i] = row.iter().zip(&b[..i]).fold(b[i], |sum, (l, b)| sum - *l * *b);
        }
        for i in (0..n).rev() {
            let row = &self.values[i * n..][..n];
            let sum = row[i + 1..].iter().zip(&b[i + 1..]).fold(b[i], |sum, (u, b)| sum - *u * *b);
            b[i] = sum / row[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number within -1 and 1 that depends on the place only.
    fn noise(i: usize, j: usize) -> f64 {
        2.0 * (43758.5453 * (12.9898 * (i + 1) as f64 + 78.233 * (j + 1) as f64).sin()).rem_euclid(1.0) - 1.0
    }

    #[test]
    fn real_systems_are_solved() {
        for n in [1, 2, 3, 7, 20] {
            let element = |i, j| if i == j && i % 2 == 0 { 0.0 } else { noise(i, j) } + if (i + 1) % n == j { 2.0 } else { 0.0 };
            let exact: Vec<f64> = (0..n).map(|i| noise(i, 99)).collect();
            let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| element(i, j) * exact[j]).sum()).collect();
            let mut lu = Lu::new(n);
            assert!(lu.factorize(element), "{n}");
            lu.solve(&mut b);
            b.iter().zip(&exact).for_each(|(x, exact)| assert!((x - exact).abs() < 1e-11, "{n}: {x} {exact}"));
        }
    }

    #[test]
    fn complex_systems_are_solved() {
        let n = 6;
        let element = |i, j| Complex { re: noise(i, j), im: noise(j, i + 40) };
        let exact: Vec<_> = (0..n).map(|i| Complex { re: noise(i, 50), im: noise(i, 60) }).collect();
        let sum = |i| (0..n).map(|j| element(i, j) * exact[j]).fold(Complex::default(), |sum, x| sum - Complex::default() - x);
        let mut b: Vec<_> = (0..n).map(|i| Complex::default() - sum(i)).collect();
        let mut lu = Lu::new(n);
        assert!(lu.factorize(element));
        lu.solve(&mut b);
        b.iter().zip(&exact).for_each(|(x, exact)| assert!((*x - *exact).size() < 1e-12, "{x:?} {exact:?}"));
    }

    #[test]
    fn singular_matrices_and_such_that_are_not_finite_are_refused() {
        assert!(!Lu::new(2).factorize(|i, _| [1.0, 2.0][i]));
        assert!(!Lu::new(2).factorize(|_, _| 0.0));
        assert!(!Lu::new(2).factorize(|i, j| if i == j { 1.0 } else { f64::NAN } / 0.0));
        assert!(Lu::<f64>::new(0).factorize(|_, _| 0.0));
    }
}
