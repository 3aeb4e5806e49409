//! Recorded responses: their linear part, scaled, and the linear system that explains them.

use std::ops::Range;

use nalgebra::{DMatrix, DVector, SVD};

/// Number of steps that count, no matter how large the response is.
pub(super) const FIRST_STEPS: usize = 4;
/// In a response that passed its limit, modes below this part of the largest may be the beginning of what is not linear.
const NONLINEAR: f64 = 1e-3;
/// Modes above this share of the largest one count, no matter how much responses vary with time.
const LARGEST_VARIATION: f64 = 0.03;
/// Rows and columns of the largest Hankel matrix; more signals mean fewer delays.
const LARGEST_HANKEL: usize = 120;
/// Maximum number of delays: more of them cost time and change little.
const MOST_DELAYS: usize = 20;
/// A mode counts if its singular value exceeds that of the noise by this factor.
const OUT_OF_NOISE: f64 = 10.0;
/// A drop between neighboring singular values that ends the response ...
const GAP: f64 = 1e3;
/// ... if what follows is below this part of the largest one.
const SMALL: f64 = 1e-8;
/// QR sweeps per row before a decomposition counts as failed.
const SWEEPS_PER_ROW: usize = 60;

/// A recorded signal, in its own unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Signal {
    /// What a perturbation of this signal would measure: the part of its nominal value by which inputs are perturbed.
    pub(super) perturbation: f64,
    /// Largest error of a recorded difference: what two runs from the same saved states differ by, at least the rounding error of
    /// the signal itself.
    pub(super) noise: f64,
    /// Largest difference that counts as a linear response, such as a tenth of the nominal value; may be infinite.
    pub(super) limit: f64,
}

/// Differences to the unperturbed run by experiment, step and signal, up to the step where they leave the linear range. Step k is
/// divided by `2^(k doublings)`, which keeps growing responses, and decompositions of them, in the range of numbers.
pub(super) struct Response<'a> {
    signals: &'a [Signal],
    experiments: &'a [Vec<f64>],
    recorded: usize,
    /// Those in the linear range.
    steps: usize,
    doublings: i32,
    /// Largest difference of each signal.
    sizes: Vec<f64>,
}

impl<'a> Response<'a> {
    pub(super) fn new(signals: &'a [Signal], experiments: &'a [Vec<f64>]) -> Self {
        let recorded = experiments.iter().map(|record| record.len() / signals.len().max(1)).min().unwrap_or(0);
        let mut response = Self { signals, experiments, recorded, steps: 0, doublings: 0, sizes: Vec::new() };
        response.steps = (0..recorded).take_while(|step| response.is_linear(*step)).count();
        response.doublings = response.doublings_per_step();
        response.sizes = (0..signals.len()).map(|signal| response.largest(signal, 0..response.steps)).collect();
        response
    }

    /// Whether nothing was perturbed or nothing recorded.
    pub(super) fn is_empty(&self) -> bool {
        self.signals.is_empty() || self.experiments.is_empty()
    }

    /// Steps recorded, linear or not.
    pub(super) fn recorded(&self) -> usize {
        self.recorded
    }

    /// Whether the first steps already have values that are not finite.
    pub(super) fn overflows(&self) -> bool {
        self.steps < FIRST_STEPS.min(self.recorded)
    }

    /// Noise of the worst signal relative to its response or to a perturbation of it, whichever is larger.
    pub(super) fn noise(&self) -> f64 {
        let relative = |(signal, size): (&Signal, &f64)| signal.noise / size.max(signal.perturbation.abs());
        self.signals.iter().zip(&self.sizes).filter(|(signal, _)| signal.noise != 0.0).map(relative).fold(0.0, f64::max)
    }

    fn is_linear(&self, step: usize) -> bool {
        self.signals.iter().enumerate().all(|(index, signal)| {
            let limit = if step < FIRST_STEPS { f64::MAX } else { signal.limit.min(f64::MAX) };
            (0..self.experiments.len()).all(|experiment| self.value(experiment, step, index).abs() <= limit)
        })
    }

    /// That of the signal that grows fastest; 0 if none grows.
    fn doublings_per_step(&self) -> i32 {
        let last = self.steps.saturating_sub(1);
        let growth = |signal| {
            let first = self.largest(signal, 0..self.steps.min(FIRST_STEPS));
            if first > 0.0 { self.largest(signal, last..self.steps).log2() - first.log2() } else { 0.0 }
        };
        let doublings = (0..self.signals.len()).map(growth).fold(0.0, f64::max);
        (doublings / last.max(1) as f64).round() as i32
    }

    fn largest(&self, signal: usize, steps: Range<usize>) -> f64 {
        let values = steps.flat_map(|step| (0..self.experiments.len()).map(move |experiment| (experiment, step)));
        values.map(|(experiment, step)| self.value(experiment, step, signal).abs()).fold(0.0, f64::max)
    }

    fn value(&self, experiment: usize, step: usize, signal: usize) -> f64 {
        let exponent = self.doublings * step as i32;
        let (half, rest) = (exponent / 2, exponent - exponent / 2);
        self.experiments[experiment][step * self.signals.len() + signal] * 2.0_f64.powi(-half) * 2.0_f64.powi(-rest)
    }

    /// State matrix of the linear system of least order that explains the response, 0 × 0 without states. Signals are scaled to
    /// 1, but not so far that their noise exceeds `largest_noise`; modes below `variation` times the largest are left out. `None`
    /// if the decomposition does not converge.
    pub(super) fn realization(&self, largest_noise: f64, variation: f64) -> Option<DMatrix<f64>> {
        let scale = |(signal, size): (&Signal, &f64)| size.max(signal.noise / largest_noise);
        let scales: Vec<f64> = self.signals.iter().zip(&self.sizes).map(scale).collect();
        let noise = self.signals.iter().zip(&scales).map(|(signal, scale)| signal.noise / scale).fold(0.0, f64::max);
        let shifts = self.steps - 2;
        let rows = delays(shifts / 2, self.signals.len());
        let columns = delays(shifts - shifts / 2, self.experiments.len());
        let hankel = |shift: usize| {
            DMatrix::from_fn(rows.len() * self.signals.len(), columns.len() * self.experiments.len(), |row, column| {
                let signal = row % self.signals.len();
                let step = rows[row / self.signals.len()] + columns[column / self.experiments.len()] + shift;
                let value = self.value(column % self.experiments.len(), step, signal);
                if scales[signal] > 0.0 { value / scales[signal] } else { 0.0 }
            })
        };
        let nonlinear = if self.steps < self.recorded { NONLINEAR } else { 0.0 };
        let smallest = variation.min(LARGEST_VARIATION).max(nonlinear);
        Some(realize(hankel(0), &hankel(1), noise, smallest)? * 2.0_f64.powi(self.doublings))
    }
}

/// Delays from 0 to `last`: all of them, or, if there are too many, adjacent ones first and then ever sparser ones (equally
/// spaced delays would confuse oscillations of different frequencies).
fn delays(last: usize, width: usize) -> Vec<usize> {
    let count = (LARGEST_HANKEL / width.max(1)).clamp(2, MOST_DELAYS).min(last + 1);
    (0..count).map(|k| k.max(last * k * k / ((count - 1) * (count - 1)))).collect()
}

/// `A = S^-1/2 U' H_1 V S^-1/2` of the significant part of `H_0 = U S V'`: entries are uncertain by `noise`, modes below
/// `smallest` times the largest are left out.
fn realize(hankel: DMatrix<f64>, shifted: &DMatrix<f64>, noise: f64, smallest: f64) -> Option<DMatrix<f64>> {
    let (rows, columns) = hankel.shape();
    let mut parts = SVD::try_new(hankel, true, true, f64::EPSILON, SWEEPS_PER_ROW * rows.max(columns))?;
    parts.sort_by_singular_values();
    let norm = noise * ((rows as f64).sqrt() + (columns as f64).sqrt());
    let relative = smallest.max(OUT_OF_NOISE * f64::EPSILON * rows.max(columns) as f64);
    let order = significant(&parts.singular_values, OUT_OF_NOISE * norm, relative);
    let (u, v_t) = (parts.u?, parts.v_t?);
    let weights = DMatrix::from_diagonal(&parts.singular_values.rows(0, order).map(|value| value.sqrt().recip()));
    Some(&weights * u.columns(0, order).transpose() * shifted * v_t.rows(0, order).transpose() * &weights)
}

/// Number of singular values (largest first) above an absolute and a relative bound and before a gap.
fn significant(values: &DVector<f64>, absolute: f64, relative: f64) -> usize {
    let Some(largest) = values.get(0) else { return 0 };
    let above = values.iter().take_while(|value| **value > absolute.max(relative * largest)).count();
    let gap = (1..above).find(|&k| values[k] < SMALL * largest && values[k] * GAP < values[k - 1]);
    gap.unwrap_or(above)
}
