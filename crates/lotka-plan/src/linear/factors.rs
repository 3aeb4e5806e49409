//! Triangular factors of a sparse matrix.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::{SparseMatrix, ordering::minimum_degree};

/// Systems of at most this size are eliminated in their own order, with the largest pivots.
const SMALL: usize = 50;

/// Share of the largest possible pivot of a column above which the pivot on the diagonal is taken in larger systems, because it
/// creates fewer new entries.
const LARGE_ENOUGH: f64 = 0.1;

/// Maximum growth of entries during the elimination with such pivots, relative to the largest entry of the matrix. With more
/// growth, rounding errors matter, and the largest pivots are taken.
const MOST_GROWTH: f64 = 1e3;

/// Factors `P A Q = L U` by Gaussian elimination with row exchanges, column by column.
///
/// Failure: there are no factors if the matrix is singular to rounding, or has entries that are not finite.
///
/// References: Gilbert and Peierls, *Sparse Partial Pivoting in Time Proportional to Arithmetic Operations*, 1988, doi
/// 10.1137/0909058; Duff, Erisman and Reid, *Direct Methods for Sparse Matrices*, 2017, doi
/// 10.1093/acprof:oso/9780198508380.001.0001.
#[derive(Debug, Clone)]
pub struct Factors {
    /// Order of the columns.
    columns: Vec<usize>,
    /// Row of the pivot of each column.
    pivot_rows: Vec<usize>,
    pivots: Vec<f64>,
    /// Per column: rows and multipliers below the pivot.
    lower: Vec<Vec<(usize, f64)>>,
    /// Per column: positions of earlier columns, ascending, and the entries in the rows of their pivots.
    upper: Vec<Vec<(usize, f64)>>,
    work: Vec<f64>,
}

impl Factors {
    /// Factors a matrix; `None` if a pivot is not above the rounding errors of its column.
    #[must_use]
    pub fn new(matrix: &SparseMatrix) -> Option<Self> {
        if matrix.values().iter().any(|value| !value.is_finite()) {
            return None;
        }
        let n = matrix.size();
        if n <= SMALL {
            return Elimination::new(n, 1.0).eliminate(matrix, (0..n).collect());
        }
        let columns = minimum_degree(matrix);
        let most = MOST_GROWTH * matrix.values().iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        let sparse = Elimination::new(n, LARGE_ENOUGH).limited(most).eliminate(matrix, columns.clone());
        sparse.or_else(|| Elimination::new(n, 1.0).eliminate(matrix, columns))
    }

    /// Replaces `b` by the solution `x` of `A x = b`.
    pub fn solve(&mut self, b: &mut [f64]) {
        for (&row, lower) in self.pivot_rows.iter().zip(&self.lower) {
            let known = b[row];
            lower.iter().for_each(|&(row, multiplier)| b[row] -= known * multiplier);
        }
        for (value, &row) in self.work.iter_mut().zip(&self.pivot_rows) {
            *value = b[row];
        }
        for position in (0..self.columns.len()).rev() {
            let x = self.work[position] / self.pivots[position];
            self.upper[position].iter().for_each(|&(earlier, entry)| self.work[earlier] -= x * entry);
            b[self.columns[position]] = x;
        }
    }
}

/// The columns that have been eliminated.
struct Elimination {
    /// Share of the largest possible pivot above which the diagonal is taken.
    large_enough: f64,
    /// Largest permitted entry.
    most: f64,
    pivot_rows: Vec<usize>,
    pivots: Vec<f64>,
    lower: Vec<Vec<(usize, f64)>>,
    upper: Vec<Vec<(usize, f64)>>,
    /// Place of each row after the exchanges so far, and the row at each place.
    places: Vec<usize>,
    rows: Vec<usize>,
    /// The column in work by row, and whether it has an entry there.
    values: Vec<f64>,
    has_entry: Vec<bool>,
}

impl Elimination {
    fn new(n: usize, large_enough: f64) -> Self {
        Self {
            large_enough,
            most: f64::INFINITY,
            pivot_rows: Vec::with_capacity(n),
            pivots: Vec::with_capacity(n),
            lower: Vec::with_capacity(n),
            upper: Vec::with_capacity(n),
            places: (0..n).collect(),
            rows: (0..n).collect(),
            values: vec![0.0; n],
            has_entry: vec![false; n],
        }
    }

    fn limited(self, most: f64) -> Self {
        Self { most, ..self }
    }

    /// The factors of a matrix with its columns in this order, if all pivots are usable.
    fn eliminate(mut self, matrix: &SparseMatrix, columns: Vec<usize>) -> Option<Factors> {
        let is_done = columns.iter().all(|&column| self.add(matrix, column));
        let Self { pivot_rows, pivots, lower, upper, values: work, .. } = self;
        is_done.then_some(Factors { columns, pivot_rows, pivots, lower, upper, work })
    }

    /// Eliminates the next column; false if it has no usable pivot.
    fn add(&mut self, matrix: &SparseMatrix, column: usize) -> bool {
        let position = self.pivots.len();
        let (mut earlier, mut remaining) = (BinaryHeap::new(), Vec::new());
        let (mut size, mut largest) = (0.0_f64, 0.0_f64);
        for (row, value) in matrix.column(column) {
            self.note(row, position, &mut earlier, &mut remaining);
            self.values[row] = value;
            size = size.max(value.abs());
        }
        let mut upper = Vec::new();
        while let Some(Reverse(at)) = earlier.pop() {
            let entry = self.take(self.pivot_rows[at]);
            upper.push((at, entry));
            largest = largest.max(entry.abs());
            let lower = std::mem::take(&mut self.lower[at]);
            for &(row, multiplier) in &lower {
                self.note(row, position, &mut earlier, &mut remaining);
                self.values[row] -= entry * multiplier;
            }
            self.lower[at] = lower;
        }
        let pivot_row = self.pivot_row(&remaining, column);
        let pivot = pivot_row.map_or(0.0, |row| self.values[row]);
        let rounding = matrix.size() as f64 * f64::EPSILON;
        let is_usable = pivot.is_finite() && pivot.abs() > rounding * size && largest.max(pivot.abs()) <= self.most;
        let (row, inverse) = (pivot_row.unwrap_or(column), 1.0 / pivot);
        let mut lower = Vec::new();
        for other in remaining {
            let value = self.take(other);
            if other != row {
                lower.push((other, value * inverse));
            }
        }
        self.exchange(row, position);
        self.pivot_rows.push(row);
        self.pivots.push(pivot);
        self.lower.push(lower);
        self.upper.push(upper);
        is_usable
    }

    /// Notes that the column has an entry in a row: at the pivot of an earlier column, or in a remaining row.
    fn note(&mut self, row: usize, position: usize, earlier: &mut BinaryHeap<Reverse<usize>>, remaining: &mut Vec<usize>) {
        if !std::mem::replace(&mut self.has_entry[row], true) {
            match self.places[row] {
                place if place < position => earlier.push(Reverse(place)),
                _ => remaining.push(row),
            }
        }
    }

    fn take(&mut self, row: usize) -> f64 {
        self.has_entry[row] = false;
        std::mem::take(&mut self.values[row])
    }

    /// The row with the largest value, of equal ones the first; the diagonal if it is large enough.
    fn pivot_row(&self, remaining: &[usize], column: usize) -> Option<usize> {
        let size = |row: usize| self.values[row].abs();
        let better = |a: &usize, b: &usize| size(*a).total_cmp(&size(*b)).then(self.places[*b].cmp(&self.places[*a]));
        let largest = remaining.iter().copied().max_by(better)?;
        let is_fair = self.large_enough < 1.0 && remaining.contains(&column);
        Some(if is_fair && size(column) >= self.large_enough * size(largest) { column } else { largest })
    }

    /// Exchanges a row with the one at the place of the next pivot.
    fn exchange(&mut self, row: usize, position: usize) {
        let (place, other) = (self.places[row], self.rows[position]);
        self.rows.swap(place, position);
        (self.places[row], self.places[other]) = (position, place);
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::*;

    /// A sequence of pseudo-random numbers from -1 to 1, always the same.
    fn numbers() -> impl FnMut() -> f64 {
        let mut state = 1_u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            2.0 * (state >> 11) as f64 / (1_u64 << 53) as f64 - 1.0
        }
    }

    /// A matrix with these places, and entries of all sizes.
    fn matrix(n: usize, places: impl Iterator<Item = (usize, usize)>) -> SparseMatrix {
        let mut next = numbers();
        let mut matrix = SparseMatrix::new(n, places);
        matrix.values_mut().iter_mut().for_each(|value| *value = next() * 10_f64.powf(3.0 * next()));
        matrix
    }

    fn dense(matrix: &SparseMatrix) -> DMatrix<f64> {
        let mut dense = DMatrix::zeros(matrix.size(), matrix.size());
        matrix.iter().for_each(|(row, column, value)| dense[(row, column)] = value);
        dense
    }

    #[test]
    fn small_systems_have_bitwise_the_solution_of_dense_elimination() {
        for n in [1, 2, 3, 7, 20, SMALL] {
            let sparse =
                (0..n).flat_map(|column| [(column, column), ((7 * column + 1) % n, column), ((3 * column + 2) % n, column)]);
            for matrix in [matrix(n, sparse), matrix(n, SparseMatrix::dense(n).iter().map(|(row, column, _)| (row, column)))] {
                let b: Vec<f64> = std::iter::repeat_with(numbers()).take(n).collect();
                let mut x = b.clone();
                let Some(mut factors) = Factors::new(&matrix) else { panic!("{n}: {matrix:?}") };
                factors.solve(&mut x);
                let expected = dense(&matrix).lu().solve(&DVector::from_vec(b)).unwrap();
                assert!(x.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()), "{n}: {x:?} {expected}");
            }
        }
    }

    #[test]
    fn large_systems_are_solved_with_few_entries() {
        let n = 2000;
        let star = (1..n).flat_map(|leaf| [(leaf, leaf), (0, leaf), (leaf, 0)]).chain([(0, 0)]);
        let ring = (0..n).flat_map(|place| [(place, place), ((place + 1) % n, place)]);
        for places in [star.collect::<Vec<_>>(), ring.collect()] {
            let mut matrix = matrix(n, places.into_iter());
            matrix.iter_mut().filter(|(row, column, _)| row == column).for_each(|(.., value)| *value = 1.0 + value.abs());
            let mut factors = Factors::new(&matrix).unwrap();
            let entries: usize = factors.lower.iter().chain(&factors.upper).map(Vec::len).sum();
            assert!(entries < 6 * n, "{entries}");
            let b: Vec<f64> = std::iter::repeat_with(numbers()).take(n).collect();
            let mut x = b.clone();
            factors.solve(&mut x);
            let (mut residual, mut terms) = (b.clone(), b);
            for (row, column, value) in matrix.iter() {
                residual[row] -= value * x[column];
                terms[row] = terms[row].abs() + (value * x[column]).abs();
            }
            let error = residual.iter().zip(&terms).map(|(residual, terms)| (residual / terms).abs()).fold(0.0, f64::max);
            assert!(error < 1e-11, "{error}");
        }
    }

    #[test]
    fn a_ring_of_large_gains_is_solved_without_overflow() {
        let n = 2000;
        let mut matrix = SparseMatrix::new(n, (0..n).flat_map(|place| [(place, place), ((place + 1) % n, place)]));
        matrix.iter_mut().for_each(|(row, column, value)| *value = if row == column { 1.0 } else { -3.0 });
        let mut x = vec![-2.0; n];
        Factors::new(&matrix).unwrap().solve(&mut x);
        assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-12));
    }

    #[test]
    fn singular_matrices_have_no_factors() {
        for values in [[1.0, 2.0, 2.0, 4.0], [0.0, 0.0, 1.0, 1.0], [f64::NAN, 0.0, 0.0, 1.0], [1.0, f64::INFINITY, 0.0, 1.0]] {
            let mut matrix = SparseMatrix::dense(2);
            matrix.values_mut().copy_from_slice(&values);
            assert!(Factors::new(&matrix).is_none(), "{values:?}");
        }
        assert!(Factors::new(&SparseMatrix::new(2, [(0, 0)])).is_none(), "an empty column");
    }
}
