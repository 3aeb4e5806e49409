//! The differences from which [`super::Anderson`] learns.

use std::cmp::Reverse;

use super::{
    qr::Qr,
    vector::{is_finite, subtract, weighted_norm},
};
use crate::checkpoint::{Mismatch, Persistent, Transfer, Transferred};

/// A residual difference is refused, or replaces the stored one it resembles most, if at most this share of it is new.
const DEPENDENT: f64 = 1e-4;

/// A residual difference below this share of the values has too few correct digits.
const ROUNDING: f64 = 1e6 * f64::EPSILON;

/// Values and residual of one evaluation of `G`.
#[derive(Clone, Copy)]
pub(super) struct Point<'a> {
    pub(super) g: &'a [f64],
    pub(super) residual: &'a [f64],
}

/// Pairs of differences `(df, dg)` of consecutive evaluations, and a QR factorization of the weighted `df`.
///
/// Of nearly dependent columns the newest is kept, because it describes `G` most accurately.
pub(super) struct Secants {
    n: usize,
    capacity: usize,
    /// In the order of the factorization.
    columns: Vec<Column>,
    free: Vec<usize>,
    delta_residual: Vec<f64>,
    delta_g: Vec<f64>,
    weights: Vec<f64>,
    factors: Qr,
    scratch: Vec<f64>,
    n_born: u64,
}

#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
struct Column {
    slot: usize,
    step: u64,
    /// Age rank.
    born: u64,
}

impl Secants {
    /// Creates storage for at most `columns` differences of `n` values; more than `n` cannot be independent.
    pub(super) fn new(n: usize, columns: usize) -> Self {
        let capacity = columns.min(n);
        let slots = capacity + 1; // the newest is stored before the oldest is removed
        Self {
            n,
            capacity,
            columns: Vec::with_capacity(slots),
            free: (0..slots).collect(),
            delta_residual: vec![0.0; n * slots],
            delta_g: vec![0.0; n * slots],
            weights: vec![1.0; n],
            factors: Qr::new(n, slots),
            scratch: vec![0.0; n],
            n_born: 0,
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// Drops the columns of steps for which `is_kept` is false.
    pub(super) fn retain(&mut self, is_kept: impl Fn(u64) -> bool) {
        for position in (0..self.columns.len()).rev() {
            if !is_kept(self.columns[position].step) {
                self.remove(position);
            }
        }
    }

    /// Refactors with other weights, newest columns first, and drops those that turn out dependent.
    pub(super) fn weigh(&mut self, weights: &[f64]) {
        self.weights.copy_from_slice(weights);
        self.factors.clear();
        self.columns.sort_unstable_by_key(|column| Reverse(column.born));
        let mut kept = 0;
        for position in 0..self.columns.len() {
            let column = self.columns[position];
            if self.factor(column.slot) {
                self.columns[kept] = column;
                kept += 1;
            } else {
                self.free.push(column.slot);
            }
        }
        self.columns.truncate(kept);
    }

    /// Stores the difference of two evaluations in `step`, unless it is rounding or not finite.
    pub(super) fn add(&mut self, step: u64, new: Point, old: Point) {
        let Some(slot) = self.free.pop() else { return };
        let range = slot * self.n..(slot + 1) * self.n;
        subtract(&mut self.delta_residual[range.clone()], new.residual, old.residual);
        subtract(&mut self.delta_g[range.clone()], new.g, old.g);
        let size = weighted_norm(&self.delta_residual[range.clone()], &self.weights);
        let is_useful = size.is_finite() && size > ROUNDING * weighted_norm(new.g, &self.weights);
        if is_useful && is_finite(&self.delta_g[range]) && self.factor_or_replace(slot) {
            self.n_born += 1;
            self.columns.push(Column { slot, step, born: self.n_born });
            self.drop_oldest_beyond_capacity();
        } else {
            self.free.push(slot);
        }
    }

    /// Sets `x = g - sum(c_j dg_j)` with `|f - sum(c_j df_j)|_w` minimal. Returns false if a value is not finite.
    pub(super) fn propose(&mut self, x: &mut [f64], at: Point) -> bool {
        for ((v, w), residual) in self.scratch.iter_mut().zip(&self.weights).zip(at.residual) {
            *v = w * residual;
        }
        let coefficients = self.factors.least_squares(&mut self.scratch);
        x.copy_from_slice(at.g);
        for (column, coefficient) in self.columns.iter().zip(coefficients) {
            let delta_g = &self.delta_g[column.slot * self.n..];
            x.iter_mut().zip(delta_g).for_each(|(x, delta)| *x -= coefficient * delta);
        }
        is_finite(x)
    }

    /// Appends a stored column to the factorization if it is independent of the columns in it.
    fn factor(&mut self, slot: usize) -> bool {
        let column = &self.delta_residual[slot * self.n..];
        for ((v, w), delta) in self.scratch.iter_mut().zip(&self.weights).zip(column) {
            *v = w * delta;
        }
        self.factors.append(&mut self.scratch, DEPENDENT)
    }

    /// Appends a stored column; removes older ones until it is independent of the rest.
    fn factor_or_replace(&mut self, slot: usize) -> bool {
        while !self.factor(slot) {
            let Some(position) = self.factors.most_like_refused() else { return false };
            self.remove(position);
        }
        true
    }

    fn drop_oldest_beyond_capacity(&mut self) {
        if self.columns.len() > self.capacity {
            let oldest = (0..self.columns.len()).min_by_key(|&position| self.columns[position].born);
            if let Some(position) = oldest {
                self.remove(position);
            }
        }
    }

    fn remove(&mut self, position: usize) {
        self.free.push(self.columns.remove(position).slot);
        self.factors.remove(position);
    }
}

/// The factors are stored unchanged: recomputed ones would differ in the last bits.
impl Persistent for Secants {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.columns)?;
        transfer.value(&mut self.free)?;
        let mut slots: Vec<_> = self.columns.iter().map(|column| column.slot).chain(self.free.iter().copied()).collect();
        slots.sort_unstable();
        if !slots.into_iter().eq(0..=self.capacity) {
            return Err(Mismatch);
        }
        transfer.slice(&mut self.delta_residual)?;
        transfer.slice(&mut self.delta_g)?;
        transfer.slice(&mut self.weights)?;
        transfer.value(&mut self.n_born)?;
        self.factors.transfer(transfer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: Point = Point { g: &[0.0; 3], residual: &[0.0; 3] };

    fn secants() -> Secants {
        let mut secants = Secants::new(3, 3);
        secants.weigh(&[1.0; 3]);
        secants
    }

    fn add(secants: &mut Secants, step: u64, residual: [f64; 3]) {
        secants.add(step, Point { g: &residual, residual: &residual }, OLD);
    }

    #[test]
    fn of_nearly_dependent_columns_the_newest_stays() {
        let mut secants = secants();
        add(&mut secants, 1, [1.0, 0.0, 0.0]);
        add(&mut secants, 2, [0.0, 1.0, 0.0]);
        add(&mut secants, 3, [1.0, 1e-9, 0.0]);
        let steps: Vec<u64> = secants.columns.iter().map(|column| column.step).collect();
        assert_eq!(steps, [2, 3]);
        add(&mut secants, 4, [1.0, 1e-3, 0.0]);
        assert_eq!(secants.len(), 2, "three columns in a plane");
        add(&mut secants, 5, [1.0, 1.0, 1e-3]);
        assert_eq!(secants.len(), 3);
    }

    #[test]
    fn other_weights_show_dependence() {
        let mut secants = secants();
        add(&mut secants, 1, [1.0, 0.0, 0.0]);
        add(&mut secants, 2, [1.0, 0.0, 1e-3]);
        assert_eq!(secants.len(), 2);
        secants.weigh(&[1.0, 1.0, 1e-5]);
        assert_eq!(secants.columns.iter().map(|column| column.step).collect::<Vec<_>>(), [2]);
        assert_eq!(secants.free.len(), 3);
    }

    #[test]
    fn the_oldest_goes_when_there_is_no_room() {
        let mut secants = Secants::new(3, 2);
        for (step, residual) in [(1, [1.0, 0.0, 0.0]), (2, [0.0, 1.0, 0.0]), (3, [0.0, 0.0, 1.0])] {
            add(&mut secants, step, residual);
        }
        assert_eq!(secants.columns.iter().map(|column| column.step).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn rounding_and_values_that_are_not_finite_are_refused() {
        let mut secants = secants();
        for residual in [[0.0; 3], [f64::NAN, 1.0, 1.0], [f64::INFINITY, 0.0, 0.0], [1e200; 3]] {
            add(&mut secants, 1, residual);
        }
        secants.add(1, Point { g: &[1e9; 3], residual: &[1e-3, 0.0, 0.0] }, OLD);
        assert_eq!((secants.len(), secants.free.len()), (0, 4));
    }
}
