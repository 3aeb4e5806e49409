//! The start block: the first steps of a method of degree 2 or 3, which has no history yet, or the first step of a method of
//! degree 1 whose slopes are not known yet.

use super::polynomial::{CONDITIONS, Condition, Functional, Rows, rows};
use crate::{algorithm::Signals, error_control::Tolerances};

/// Values of all signals at the first, equidistant points, and the polynomial through them.
///
/// The first `degree` steps are made together. Sweeps over the block start from constant values. Each sweep steps all instances
/// with the polynomial through the values of the previous sweep, and each raises the order by one. The last sweep is the run
/// itself.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct Block {
    start: f64,
    h: f64,
    values: Vec<Vec<f64>>,
    /// Results of the current sweep.
    next: Vec<Vec<f64>>,
    /// Weights of the current step.
    rows: Rows,
}

impl Block {
    /// Creates a block of `degree` steps of `h` from `start`, with constant values.
    #[must_use]
    pub fn new(start: f64, h: f64, degree: usize, signals: &Signals) -> Self {
        let values = vec![signals.reals.clone(); degree + 1];
        Self { start, h, next: values.clone(), values, rows: Rows::default() }
    }

    /// Whether the block has values of `signals` signals.
    pub(super) fn fits(&self, signals: usize) -> bool {
        let points = 2..=CONDITIONS;
        points.contains(&self.values.len())
            && self.next.len() == self.values.len()
            && self.values.iter().chain(&self.next).all(|values| values.len() == signals)
    }

    /// Number of steps.
    pub(crate) fn steps(&self) -> usize {
        self.values.len() - 1
    }

    /// Whether signals of this degree follow the block.
    pub(super) fn serves(&self, degree: usize) -> bool {
        degree > 1 || degree == self.steps()
    }

    /// Start and size of a step, counted from 0 \[s\].
    pub(crate) fn step(&self, number: usize) -> (f64, f64) {
        let begin = self.start + number as f64 * self.h;
        (begin, self.start + (number + 1) as f64 * self.h - begin)
    }

    /// Whether a step that begins at `t` belongs to the block.
    pub(crate) fn contains(&self, t: f64) -> bool {
        t < self.start + (self.steps() as f64 - 0.5) * self.h
    }

    /// Stores the values at the end of a step for the next sweep.
    pub(crate) fn keep(&mut self, number: usize, signals: &Signals) {
        self.next[number + 1].copy_from_slice(&signals.reals);
    }

    /// Ends a sweep: its values define the next polynomial. Returns the largest change of a value, in units of the tolerances;
    /// infinite without.
    pub(crate) fn finish_sweep(&mut self, tolerances: Option<Tolerances>) -> f64 {
        std::mem::swap(&mut self.values, &mut self.next);
        let pairs = self.values.iter().flatten().zip(self.next.iter().flatten());
        tolerances.map_or(f64::INFINITY, |tolerances| {
            pairs.fold(0.0, |largest: f64, (new, old)| largest.max((new - old).abs() * tolerances.weight(*new)))
        })
    }

    /// Computes the weights for a step of `h` from `t`.
    pub(crate) fn prepare(&mut self, t: f64, h: f64) {
        let mut conditions = [Condition::Value { s: 0.0 }; CONDITIONS];
        for (number, condition) in conditions.iter_mut().enumerate().take(self.values.len()) {
            *condition = Condition::Value { s: (self.start + number as f64 * self.h - t) / h };
        }
        self.rows = rows(&conditions[..self.values.len()]);
    }

    /// The value of a functional of one signal.
    pub(super) fn value(&self, functional: Functional, signal: usize) -> f64 {
        self.values.iter().zip(functional.weights(&self.rows)).map(|(values, weight)| weight * values[signal]).sum()
    }
}
