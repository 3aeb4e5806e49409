//! The values that instances exchange, one array per type.

use lotka_plan::graph::{ColumnSource, DiscreteSource, Plan, RowReads};

use crate::checkpoint::{Persistent, Transfer, Transferred};

/// Values of all signals of a plan at one time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Signals {
    /// Real signals.
    pub reals: Vec<f64>,
    /// First derivatives of those connected outputs that provide them \[1/s\].
    pub slopes: Vec<f64>,
    /// Integer signals.
    pub integers: Vec<i128>,
    /// Boolean signals.
    pub booleans: Vec<bool>,
    /// String signals.
    pub texts: Vec<String>,
    /// Binary signals.
    pub binaries: Vec<Vec<u8>>,
    /// Values read for rows only. They stay in place once read.
    #[doc(hidden)]
    pub at_row: RowValues,
}

/// Values that are used in rows only.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RowValues {
    pub reals: Vec<f64>,
    pub integers: Vec<i128>,
    pub booleans: Vec<bool>,
    pub texts: Vec<String>,
    pub binaries: Vec<Vec<u8>>,
}

impl RowValues {
    fn new(reads: &RowReads) -> Self {
        Self {
            reals: vec![0.0; reads.reals],
            integers: vec![0; reads.integers],
            booleans: vec![false; reads.booleans],
            texts: vec![String::new(); reads.texts],
            binaries: vec![Vec::new(); reads.binaries],
        }
    }
}

impl Signals {
    /// All values, which are not yet known.
    pub fn new(plan: &Plan) -> Self {
        Self {
            reals: vec![0.0; plan.signal_names.len()],
            slopes: vec![0.0; plan.slopes],
            integers: vec![0; plan.integers.len()],
            booleans: vec![false; plan.booleans.len()],
            texts: vec![String::new(); plan.texts.len()],
            binaries: vec![Vec::new(); plan.binaries.len()],
            at_row: plan.row_reads.as_deref().map(RowValues::new).unwrap_or_default(),
        }
    }

    /// The value of a Real column.
    #[inline]
    #[must_use]
    pub fn real(&self, source: ColumnSource) -> Option<f64> {
        match source {
            ColumnSource::Real(index) => Some(self.reals[index]),
            ColumnSource::RowReal(index) => Some(self.at_row.reals[index]),
            _ => None,
        }
    }

    /// Whether all Real signals are finite.
    #[inline]
    pub(crate) fn are_finite(&self) -> bool {
        let (fours, rest) = self.reals.as_chunks();
        rest.iter().all(|value| value.is_finite()) && (fours.is_empty() || are_all_finite(fours))
    }

    /// Copies all values without allocating (texts may grow).
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.reals.copy_from_slice(&other.reals);
        if self.has_more_than_reals() {
            self.slopes.copy_from_slice(&other.slopes);
            self.copy_discrete_from(other);
        }
    }

    /// Like [`Signals::copy_from`], including the values read for the row.
    pub fn copy_row_from(&mut self, other: &Self) {
        self.copy_from(other);
        self.at_row.reals.copy_from_slice(&other.at_row.reals);
        self.at_row.integers.copy_from_slice(&other.at_row.integers);
        self.at_row.booleans.copy_from_slice(&other.at_row.booleans);
        self.at_row.texts.clone_from(&other.at_row.texts);
        self.at_row.binaries.clone_from(&other.at_row.binaries);
    }

    /// Exchanges all values, without copying them.
    #[inline]
    pub(crate) fn swap(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.reals, &mut other.reals);
        if self.has_more_than_reals() {
            self.swap_others(other);
        }
    }

    #[inline(never)]
    fn swap_others(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.slopes, &mut other.slopes);
        std::mem::swap(&mut self.integers, &mut other.integers);
        std::mem::swap(&mut self.booleans, &mut other.booleans);
        std::mem::swap(&mut self.texts, &mut other.texts);
        std::mem::swap(&mut self.binaries, &mut other.binaries);
    }

    /// Combines the tests for everything that most systems do not exchange.
    #[inline]
    fn has_more_than_reals(&self) -> bool {
        (self.slopes.len() | self.discrete_len()) != 0
    }

    /// Zero if there are no integers, booleans, strings and binaries.
    #[inline]
    fn discrete_len(&self) -> usize {
        self.integers.len() | self.booleans.len() | self.texts.len() | self.binaries.len()
    }

    /// Whether there are integers, booleans, strings or binaries.
    #[inline]
    fn has_discrete(&self) -> bool {
        self.discrete_len() != 0
    }

    /// Copies integers, booleans, strings and binaries.
    #[inline]
    pub fn copy_discrete_from(&mut self, other: &Self) {
        if self.has_discrete() {
            self.copy_all_discrete_from(other);
        }
    }

    #[inline(never)]
    fn copy_all_discrete_from(&mut self, other: &Self) {
        self.integers.copy_from_slice(&other.integers);
        self.booleans.copy_from_slice(&other.booleans);
        self.texts.clone_from(&other.texts);
        self.binaries.clone_from(&other.binaries);
    }

    /// Whether all integers, booleans, strings and binaries are equal.
    #[inline]
    #[must_use]
    pub fn same_discrete(&self, other: &Self) -> bool {
        !self.has_discrete() || self.equal_discrete(other)
    }

    #[inline(never)]
    fn equal_discrete(&self, other: &Self) -> bool {
        self.integers == other.integers
            && self.booleans == other.booleans
            && self.texts == other.texts
            && self.binaries == other.binaries
    }

    /// Whether an integer, a boolean, a string, a binary or a discrete Real differs.
    #[must_use]
    pub fn has_other_discrete(&self, other: &Self, plan: &Plan) -> bool {
        let reals = self.reals.iter().zip(&other.reals).zip(&plan.is_held);
        !self.same_discrete(other) || reals.into_iter().any(|((value, other), is_held)| *is_held && value != other)
    }

    /// Name in the plan of the first integer, boolean, string or binary that differs.
    pub fn first_changed<'p>(&self, before: &Self, plan: &'p Plan) -> Option<&'p str> {
        let integer = self.integers.iter().zip(&before.integers).position(|(now, before)| now != before);
        let boolean = self.booleans.iter().zip(&before.booleans).position(|(now, before)| now != before);
        let text = self.texts.iter().zip(&before.texts).position(|(now, before)| now != before);
        let binary = self.binaries.iter().zip(&before.binaries).position(|(now, before)| now != before);
        let name = integer.and_then(|index| plan.integers.get(index));
        let name = name.or(boolean.and_then(|index| plan.booleans.get(index))).or(text.and_then(|index| plan.texts.get(index)));
        name.or(binary.and_then(|index| plan.binaries.get(index))).map(String::as_str)
    }

    /// Name in the plan of the first value whose bits differ; of a Real also both values.
    #[must_use]
    pub fn first_other_bits<'p>(&self, before: &Self, plan: &'p Plan) -> Option<(&'p str, Option<[f64; 2]>)> {
        let mut pairs = self.reals.iter().zip(&before.reals).zip(&plan.signal_names);
        let real = pairs.find(|((now, before), _)| now.to_bits() != before.to_bits());
        let real = real.map(|((now, before), name)| (name.as_str(), Some([*now, *before])));
        real.or_else(|| self.first_changed(before, plan).map(|name| (name, None)))
    }

    /// An integer or boolean as the number that a Real or Integer input receives.
    #[must_use]
    pub fn whole(&self, source: DiscreteSource) -> i128 {
        match source {
            DiscreteSource::Integer(index) => self.integers[index],
            DiscreteSource::Boolean(index) => i128::from(self.booleans[index]),
        }
    }
}

/// Examines several values at a time: zero times a value that is not finite is not a number.
#[inline(never)]
fn are_all_finite(fours: &[[f64; 4]]) -> bool {
    let mut sums = [0.0; 4];
    for four in fours {
        sums.iter_mut().zip(four).for_each(|(sum, value)| *sum += value * 0.0);
    }
    sums.iter().sum::<f64>() == 0.0
}

impl Persistent for Signals {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.slice(&mut self.reals)?;
        transfer.slice(&mut self.slopes)?;
        transfer.slice(&mut self.integers)?;
        transfer.slice(&mut self.booleans)?;
        transfer.slice(&mut self.texts)?;
        transfer.slice(&mut self.binaries)
    }
}
