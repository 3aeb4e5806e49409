//! Accelerations of the fixed-point problem `x = G(x)` of a loop, where `x` are the exchanged values and one evaluation of `G`
//! is one pass over the instances of the loop.
//!
//! An [`Acceleration`] receives the input and the result of an evaluation and proposes the next input. It never evaluates `G`
//! itself, never decides whether the iteration has converged, and allocates nothing after its construction. [`InterfaceNewton`]
//! is the linear part of Newton's method for a derivative of `G` that was computed elsewhere.
//!
//! Notation: residual `f = G(x) - x`, weights `w`, `|v|_w = sqrt(sum((w_k v_k)^2))`.
//!
//! Start reading at [`Aitken`] (the simplest that learns), then [`Anderson`], whose columns are in `secants.rs` and `qr.rs`.

mod aitken;
mod anderson;
mod fixed_point;
mod newton;
mod qr;
mod relaxation;
mod secants;
mod vector;

pub(crate) use aitken::Aitken;
pub(crate) use anderson::Anderson;
pub(crate) use fixed_point::FixedPoint;
pub(crate) use newton::InterfaceNewton;
pub(crate) use relaxation::Relaxation;

use crate::checkpoint::{Persistent, Transfer, Transferred};

/// Proposes the next values of a fixed-point problem `x = G(x)`.
///
/// ```
/// use lotka::{
///     MethodRegistry,
///     method::{Acceleration, Persistent},
/// };
///
/// /// Goes nine tenths of the way.
/// struct Damped;
///
/// impl Persistent for Damped {}
///
/// impl Acceleration for Damped {
///     fn begin(&mut self) {}
///
///     fn next(&mut self, x: &mut [f64], g: &[f64], _weights: &[f64]) {
///         for (x, g) in x.iter_mut().zip(g).filter(|(_, g)| g.is_finite()) {
///             *x += 0.9 * (g - *x);
///         }
///     }
///
///     fn converged(&mut self) {}
/// }
///
/// let methods = MethodRegistry::new().with_acceleration("damped", |_n| Box::new(Damped))?;
/// # let prey = lotka::Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
/// # let predator = lotka::Fmu::from_functions(fmu_sdk::description::<models::Predator>(), fmu_sdk::functions::<models::Predator>());
/// let system = lotka::System::new().instance_of("prey", &prey).instance_of("predator", &predator).methods(methods);
/// let system = system.connect("prey.y", "predator.y").connect("predator.x", "prey.x").stop(10.0).step(0.5);
/// let report = system.iterations(20, Some(1e-9)).acceleration("damped").build()?.run(&mut [])?;
/// assert!(report.counters.n_iterations > 3 * report.counters.n_steps);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Acceleration: Persistent + Send {
    /// Begins a step. Values `x` of earlier steps stay useful only as differences.
    fn begin(&mut self);

    /// Replaces `x`, for which `g = G(x)` was computed, by the next values to try. `weights` scale the components
    /// (1 / (rtol |x| + atol)) so that norms and least squares have comparable units.
    ///
    /// Finite `x` stays finite even if `g` is not, unless sums overflow.
    fn next(&mut self, x: &mut [f64], g: &[f64], weights: &[f64]);

    /// Marks the iteration of this step as converged: what was learned may be reused in the following steps.
    fn converged(&mut self);
}

impl Persistent for Box<dyn Acceleration> {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        (**self).transfer(transfer)
    }
}

impl Acceleration for Box<dyn Acceleration> {
    fn begin(&mut self) {
        (**self).begin();
    }

    fn next(&mut self, x: &mut [f64], g: &[f64], weights: &[f64]) {
        (**self).next(x, g, weights);
    }

    fn converged(&mut self) {
        (**self).converged();
    }
}

#[cfg(test)]
mod tests;
