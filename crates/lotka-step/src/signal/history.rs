//! Values at past communication points.

use std::ops::Range;

use super::polynomial::CONDITIONS;
use crate::{
    algorithm::Signals,
    checkpoint::{Mismatch, Persistent, Transfer, Transferred},
};

/// Number of stored points: four for a polynomial of degree 3, and more than the two that a rollback removes. A power of two.
const DEPTH: usize = 8;

/// Number of points that a polynomial can use.
const REACH: usize = CONDITIONS;

/// Values and slopes of all signals at the last communication points.
#[derive(Debug, Clone)]
pub(crate) struct History {
    times: [f64; DEPTH],
    /// Whether slopes are known there; they are not at the start of a run.
    has_slopes: [bool; DEPTH],
    /// The values of all signals at one point are adjacent.
    reals: Vec<f64>,
    slopes: Vec<f64>,
    newest: usize,
    len: usize,
    /// Where the values of the newest points begin, by age.
    starts: [usize; REACH],
}

impl History {
    pub(crate) fn new(signals: &Signals) -> Self {
        Self {
            times: [0.0; DEPTH],
            has_slopes: [false; DEPTH],
            reals: vec![0.0; DEPTH * signals.reals.len()],
            slopes: vec![0.0; DEPTH * signals.slopes.len()],
            newest: 0,
            len: 0,
            starts: [0; REACH],
        }
    }

    /// Number of points.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Clears the history: signals are not smooth across this point.
    pub(crate) fn restart(&mut self) {
        self.len = 0;
    }

    /// Begins a step at `t`; removes points at or after `t`, which belong to attempts that were rolled back.
    #[inline]
    pub(crate) fn begin(&mut self, t: f64, signals: &Signals) {
        while self.len > 0 && self.times[self.newest] >= t {
            self.newest = (self.newest + DEPTH - 1) % DEPTH;
            self.len -= 1;
        }
        self.newest = (self.newest + 1) % DEPTH;
        self.len = (self.len + 1).min(DEPTH);
        self.times[self.newest] = t;
        for age in 0..REACH {
            self.starts[age] = self.node(age) * signals.reals.len();
        }
        let (reals, slopes) = (self.range(0, signals.reals.len()), self.range(0, signals.slopes.len()));
        self.reals[reals].copy_from_slice(&signals.reals);
        if !slopes.is_empty() {
            self.has_slopes[self.newest] = !signals.slopes.iter().any(|slope| slope.is_nan());
            self.slopes[slopes].copy_from_slice(&signals.slopes);
        }
    }

    #[inline]
    fn node(&self, age: usize) -> usize {
        (self.newest + DEPTH - age) % DEPTH
    }

    fn range(&self, age: usize, count: usize) -> Range<usize> {
        let start = self.node(age) * count;
        start..start + count
    }

    /// Time of the point `age` points before the newest \[s\].
    #[inline]
    pub(crate) fn time(&self, age: usize) -> f64 {
        self.times[self.node(age)]
    }

    /// Value of a signal at that point.
    #[inline]
    pub(crate) fn value(&self, age: usize, signal: usize) -> f64 {
        self.reals[self.starts[age] + signal]
    }

    /// Values of all signals at that point.
    #[inline]
    pub(crate) fn values(&self, age: usize) -> &[f64] {
        &self.reals[self.starts[age]..self.starts[age] + self.reals.len() / DEPTH]
    }

    /// Whether slopes are known at that point.
    #[inline]
    pub(crate) fn has_slopes(&self, age: usize) -> bool {
        self.has_slopes[self.node(age)]
    }

    /// Slope of a signal at that point \[1/s\].
    #[inline]
    pub(crate) fn slope(&self, age: usize, slope: usize) -> f64 {
        self.slopes[self.node(age) * (self.slopes.len() / DEPTH) + slope]
    }
}

impl Persistent for History {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.slice(&mut self.times)?;
        transfer.slice(&mut self.has_slopes)?;
        transfer.slice(&mut self.reals)?;
        transfer.slice(&mut self.slopes)?;
        transfer.value(&mut self.newest)?;
        transfer.value(&mut self.len)?;
        if self.newest < DEPTH && self.len <= DEPTH { Ok(()) } else { Err(Mismatch) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals(value: f64) -> Signals {
        Signals { reals: vec![value], ..Signals::default() }
    }

    #[test]
    fn a_rollback_takes_points_back_and_old_ones_stay() {
        let mut history = History::new(&signals(0.0));
        for n in 0..10 {
            history.begin(f64::from(n), &signals(f64::from(10 * n)));
        }
        assert_eq!((history.len(), history.time(0), history.value(3, 0)), (8, 9.0, 60.0));
        history.begin(9.5, &signals(95.0));
        history.begin(9.0, &signals(91.0));
        assert_eq!((history.value(0, 0), history.value(1, 0), history.value(3, 0)), (91.0, 80.0, 60.0));
        history.restart();
        assert_eq!(history.len(), 0);
    }
}
