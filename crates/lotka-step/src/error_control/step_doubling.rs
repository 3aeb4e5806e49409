//! Step doubling: compares one step of `h` with two of `h/2`; the result of the half steps is kept.
//!
//! `difference = |y_2 - y_1| / (2^p - 1)` (Richardson; Hairer, Nørsett, Wanner, Solving ODEs I, II.4) and, for methods of order
//! 1, the slope norm of the co-simulation test case of Nicolai (2018), equation (5). The larger is decisive.

use super::{Estimates, Estimator, EstimatorSettings, Tolerances};
use crate::{
    algorithm::{Attempt, Coupled, Level, Method, Step, proceed},
    checkpoint::Persistent,
    error_control::Compatibility,
};

pub(crate) struct StepDoubling {
    tolerances: Tolerances,
    /// Whether slopes are compared as in MasterSim.
    is_master_sim: bool,
    order: u32,
    /// `2^p - 1`
    divisor: f64,
    /// Number of signals that may have errors.
    count: f64,
    whole: Vec<f64>,
    middle: Vec<f64>,
}

impl StepDoubling {
    pub(crate) fn new(EstimatorSettings { tolerances, compatibility, order }: EstimatorSettings, coupled: &Coupled) -> Self {
        let signals = coupled.newest.reals.len();
        let divisor = 2.0_f64.powi(order as i32) - 1.0;
        let known = coupled.plan.instances[coupled.plan.n_stepping..]
            .iter()
            .map(|instance_plan| instance_plan.outputs.len())
            .sum::<usize>();
        let count = (signals - known).max(1) as f64;
        let is_master_sim = compatibility == Some(Compatibility::MasterSim);
        Self { tolerances, is_master_sim, order, divisor, count, whole: vec![0.0; signals], middle: vec![0.0; signals] }
    }

    /// WRMS norms of both estimates, without the divisor of the order.
    #[inline]
    fn norms(&self, start: &[f64], end: &[f64]) -> Estimates {
        let norms = self.norms_where(start, end, |_| true);
        if norms.difference.is_nan() || norms.slope.is_nan() { self.norms_of_finite(start, end) } else { norms }
    }

    /// Connected outputs are finite here; a recorded value that is not must not stop the run.
    #[cold]
    fn norms_of_finite(&self, start: &[f64], end: &[f64]) -> Estimates {
        self.norms_where(start, end, |values| values.iter().all(|value| value.is_finite()))
    }

    #[inline]
    fn norms_where(&self, start: &[f64], end: &[f64], counts: impl Fn([f64; 4]) -> bool) -> Estimates {
        let (mut difference, mut slope) = (0.0, 0.0);
        for (((&y0, &y1), &ym), &y2) in start.iter().zip(&self.whole).zip(&self.middle).zip(end) {
            if !counts([y0, y1, ym, y2]) {
                continue;
            }
            let weight = self.tolerances.weight(y2);
            difference += ((y2 - y1) * weight).powi(2);
            slope += (self.slopes_differ([y0, y1, ym, y2]) * weight).powi(2);
        }
        Estimates { difference: (difference / self.count).sqrt(), slope: (slope / self.count).sqrt() }
    }

    /// The difference of slopes: `h ((y_1 - y_0)/h - (y_2 - y_m)/(h/2))`, whole step against second half step; in MasterSim 0.9
    /// `(h/2) ((y_1 - y_0)/h - (y_1 - y_m)/(h/2))`.
    #[inline]
    fn slopes_differ(&self, [y0, y1, ym, y2]: [f64; 4]) -> f64 {
        if self.is_master_sim { 0.5 * (y1 - y0) - (y1 - ym) } else { (y1 - y0) - 2.0 * (y2 - ym) }
    }
}

impl Persistent for StepDoubling {}

impl Estimator for StepDoubling {
    fn attempt(&mut self, method: &mut Method, coupled: &mut Coupled, t: f64, h: f64) -> Attempt<Estimates> {
        method.advance(coupled, Step { t, h }, true, Level::Communication)?;
        // The rollback overwrites all newest values, so a swap replaces the copy.
        std::mem::swap(&mut self.whole, &mut coupled.newest.reals);
        proceed(coupled.restore(Level::Communication))?;
        let half = 0.5 * h;
        method.advance(coupled, Step { t, h: half }, true, Level::Communication)?;
        self.middle.copy_from_slice(&coupled.newest.reals);
        let middle = t + half;
        if method.needs_rollback() {
            proceed(coupled.save(Level::Middle, middle))?;
        }
        // The distance between the points, so that the half steps end bitwise where the whole step does.
        method.advance(coupled, Step { t: middle, h: (t + h) - middle }, true, Level::Middle)?;
        let norms = self.norms(coupled.saved_reals(Level::Communication), &coupled.newest.reals);
        // The difference of slopes falls with h^2 only. Above order 1 it would keep the steps of a better method small.
        let slope = if self.order == 1 { norms.slope / self.divisor } else { 0.0 };
        Attempt::Continue(Estimates { difference: norms.difference / self.divisor, slope })
    }

    fn order(&self) -> u32 {
        self.order
    }

    fn worst(&self, coupled: &Coupled, estimates: Estimates) -> Option<usize> {
        let (start, end) = (coupled.saved_reals(Level::Communication), &coupled.newest.reals);
        let is_difference = estimates.deciding() == "difference";
        let errors = start.iter().zip(&self.whole).zip(&self.middle).zip(end).map(|(((&y0, &y1), &ym), &y2)| {
            let error = if is_difference { y2 - y1 } else { self.slopes_differ([y0, y1, ym, y2]) };
            // A recorded value that is not a number is ignored.
            (if error.is_finite() { error } else { 0.0 }, y2)
        });
        self.tolerances.worst(errors)
    }
}
