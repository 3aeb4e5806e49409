//! A QR factorization whose columns are added and removed.

use crate::checkpoint::{Mismatch, Persistent, Transfer, Transferred};

/// Factors `A = Q R` of a tall matrix, `Q` with orthonormal columns, `R` upper triangular.
///
/// Columns are appended by modified Gram–Schmidt, done twice (Giraud, Langou, Rozložník 2005, doi 10.1016/j.camwa.2005.08.009),
/// and removed by Givens rotations (Daniel, Gragg, Kaufman, Stewart 1976, doi 10.1090/S0025-5718-1976-0431641-8): both O(rows ×
/// columns). Memory is allocated once.
pub(super) struct Qr {
    rows: usize,
    capacity: usize,
    len: usize,
    /// Column by column.
    q: Vec<f64>,
    /// Column by column, `capacity` numbers each.
    r: Vec<f64>,
    /// Coefficients of the refused column found by [`Qr::append`].
    combination: Vec<f64>,
}

impl Qr {
    /// Creates an empty factorization of at most `capacity` columns.
    pub(super) fn new(rows: usize, capacity: usize) -> Self {
        let (q, r) = (vec![0.0; rows * capacity], vec![0.0; capacity * capacity]);
        Self { rows, capacity, len: 0, q, r, combination: vec![0.0; capacity] }
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends `column` and returns true. Returns false if the new part of it, orthogonal to the others, is at most `limit` times
    /// the whole, if there is no room, or if a value is not finite. `column` is used as scratch space.
    pub(super) fn append(&mut self, column: &mut [f64], limit: f64) -> bool {
        if self.len == self.capacity {
            return false;
        }
        let size = norm(column);
        self.project(column);
        let rest = norm(column);
        if !(rest > limit * size && rest.is_finite()) {
            return false;
        }
        let (j, m) = (self.len, self.capacity);
        self.r[j * m..j * m + j].copy_from_slice(&self.combination[..j]);
        self.r[j * m + j] = rest;
        for (q, value) in self.q[j * self.rows..].iter_mut().zip(column) {
            *q = *value / rest;
        }
        self.len += 1;
        true
    }

    /// After [`Qr::append`] refused a column: the existing column with the largest share in it.
    pub(super) fn most_like_refused(&mut self) -> Option<usize> {
        self.substitute_back();
        let m = self.capacity;
        let share = |j: usize| self.combination[j].abs() * norm(&self.r[j * m..=j * m + j]);
        (0..self.len).max_by(|&a, &b| share(a).total_cmp(&share(b)))
    }

    /// Removes column `j`; those after it move up.
    pub(super) fn remove(&mut self, j: usize) {
        let m = self.capacity;
        self.r.copy_within((j + 1) * m..self.len * m, j * m);
        self.len -= 1;
        for row in j..self.len {
            let (a, b) = (self.r[row * m + row], self.r[row * m + row + 1]);
            let size = a.hypot(b);
            if size > 0.0 {
                self.rotate(row, a / size, b / size);
            }
        }
    }

    /// Least squares: returns the coefficients `c` that minimize `|v - A c|`. `v` becomes the rest `v - A c`.
    pub(super) fn least_squares(&mut self, v: &mut [f64]) -> &[f64] {
        self.project(v);
        self.substitute_back();
        &self.combination[..self.len]
    }

    /// `combination = Q^T v`, `v <- v - Q Q^T v`.
    fn project(&mut self, v: &mut [f64]) {
        self.combination.fill(0.0);
        for _ in 0..2 {
            for j in 0..self.len {
                let q = &self.q[j * self.rows..(j + 1) * self.rows];
                let part: f64 = q.iter().zip(v.iter()).map(|(q, v)| q * v).sum();
                v.iter_mut().zip(q).for_each(|(v, q)| *v -= part * q);
                self.combination[j] += part;
            }
        }
    }

    /// `combination <- R^-1 combination`.
    fn substitute_back(&mut self) {
        let m = self.capacity;
        for j in (0..self.len).rev() {
            let (above, rest) = self.combination.split_at_mut(j);
            rest[0] /= self.r[j * m + j];
            above.iter_mut().zip(&self.r[j * m..]).for_each(|(value, r)| *value -= r * rest[0]);
        }
    }

    /// Rotates rows `row` and `row + 1` of `R` from column `row` on, and the same columns of `Q`.
    fn rotate(&mut self, row: usize, cos: f64, sin: f64) {
        let turn = |a: &mut f64, b: &mut f64| (*a, *b) = (cos * *a + sin * *b, cos * *b - sin * *a);
        for column in self.r.chunks_exact_mut(self.capacity).take(self.len).skip(row) {
            let (above, below) = column.split_at_mut(row + 1);
            turn(&mut above[row], &mut below[0]);
        }
        let (left, right) = self.q.split_at_mut((row + 1) * self.rows);
        left[row * self.rows..].iter_mut().zip(right).for_each(|(a, b)| turn(a, b));
    }
}

impl Persistent for Qr {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.len)?;
        transfer.slice(&mut self.q)?;
        transfer.slice(&mut self.r)?;
        if self.len <= self.capacity { Ok(()) } else { Err(Mismatch) }
    }
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|value| value * value).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(j: usize) -> [f64; 5] {
        std::array::from_fn(|i| ((3 * i + 7 * j * j + i * j) as f64).sin() + 0.1 * j as f64)
    }

    fn of(columns: &[usize]) -> Qr {
        let mut qr = Qr::new(5, 4);
        for &j in columns {
            assert!(qr.append(&mut column(j), 1e-8));
        }
        qr
    }

    #[test]
    fn removing_a_column_equals_never_having_it() {
        let v = [1.0, -2.0, 0.5, 3.0, 0.25];
        for removed in 0..4 {
            let mut with = of(&[0, 1, 2, 3]);
            with.remove(removed);
            let rest: Vec<usize> = (0..4).filter(|&j| j != removed).collect();
            let mut without = of(&rest);
            let (mut u, mut w) = (v, v);
            for (a, b) in with.least_squares(&mut u).iter().zip(without.least_squares(&mut w)) {
                assert!((a - b).abs() < 1e-13, "column {removed}: {a} {b}");
            }
            assert!(with.append(&mut column(removed), 1e-8));
        }
    }

    #[test]
    fn least_squares_finds_a_combination() {
        let mut qr = of(&[0, 1, 2]);
        let mut v: [f64; 5] = std::array::from_fn(|i| 2.0 * column(0)[i] - 3.0 * column(1)[i] + 0.5 * column(2)[i]);
        let found = qr.least_squares(&mut v).to_vec();
        for (found, expected) in found.iter().zip([2.0, -3.0, 0.5]) {
            assert!((found - expected).abs() < 1e-12);
        }
        assert!(norm(&v) < 1e-13);
    }

    #[test]
    fn nearly_dependent_columns_are_refused_and_their_like_is_named() {
        let mut qr = of(&[0, 1, 2]);
        let near: [f64; 5] = std::array::from_fn(|i| column(1)[i] * 5.0 + 1e-10 * column(3)[i]);
        assert!(!qr.append(&mut near.clone(), 1e-8));
        assert_eq!(qr.most_like_refused(), Some(1));
        qr.remove(1);
        assert!(qr.append(&mut near.clone(), 1e-8));
        assert!(!qr.append(&mut [f64::NAN; 5], 1e-8));
        assert!(!qr.append(&mut [0.0; 5], 1e-8));
    }
}
