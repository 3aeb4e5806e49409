//! Embedded: makes the step with inputs one degree lower, and again with the degree of the method. The second result is kept.
//!
//! The difference is the error of the first result, as with embedded Runge–Kutta formulas (Hairer, Nørsett, Wanner, Solving ODEs
//! I, II.4). With degree k it behaves as `h^(k+1)`, one power lower than the error of the result that is kept.

use super::{Estimates, Estimator, EstimatorSettings, Tolerances};
use crate::{
    algorithm::{Attempt, Coupled, Level, Method, Step, proceed},
    checkpoint::Persistent,
};

pub(crate) struct Embedded {
    tolerances: Tolerances,
    degree: u32,
    /// Results with inputs one degree lower.
    lower: Vec<f64>,
}

impl Embedded {
    pub(crate) fn new(EstimatorSettings { tolerances, .. }: EstimatorSettings, coupled: &mut Coupled) -> Self {
        let degree = coupled.inputs.as_mut().map_or(0, |inputs| {
            inputs.allow_lower(&coupled.plan);
            let degrees = inputs.signal_degrees(&coupled.plan);
            degrees.into_iter().filter(|degree| *degree > 0).min().unwrap_or(0) as u32
        });
        Self { tolerances, degree, lower: vec![0.0; coupled.newest.reals.len()] }
    }

    /// Errors of the lower degree, each with the value that is kept. Recorded values that are not numbers are ignored.
    fn errors<'a>(&'a self, coupled: &'a Coupled) -> impl Iterator<Item = (f64, f64)> + 'a {
        let pairs = coupled.newest.reals.iter().zip(&self.lower);
        pairs.map(|(&kept, &lower)| if kept.is_finite() && lower.is_finite() { (kept - lower, kept) } else { (0.0, 1.0) })
    }
}

impl Persistent for Embedded {}

impl Estimator for Embedded {
    fn attempt(&mut self, method: &mut Method, coupled: &mut Coupled, t: f64, h: f64) -> Attempt<Estimates> {
        let step = Step { t, h };
        swap_degrees(coupled);
        let lower = method.advance(coupled, step, true, Level::Communication);
        swap_degrees(coupled);
        lower?;
        self.lower.copy_from_slice(&coupled.newest.reals);
        proceed(coupled.restore(Level::Communication))?;
        method.advance(coupled, step, true, Level::Communication)?;
        let errors =
            self.errors(coupled).enumerate().filter(|(signal, _)| !coupled.plan.is_known(*signal)).map(|(_, error)| error);
        Attempt::Continue(Estimates::of_difference(self.tolerances.norm(errors)))
    }

    fn order(&self) -> u32 {
        self.degree
    }

    fn worst(&self, coupled: &Coupled, _: Estimates) -> Option<usize> {
        self.tolerances.worst(self.errors(coupled))
    }
}

fn swap_degrees(coupled: &mut Coupled) {
    if let Some(inputs) = &mut coupled.inputs {
        inputs.swap_degrees();
    }
}
