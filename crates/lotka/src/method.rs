//! Methods of your own: coupling schemes, estimators of the local error, step-size controllers, accelerations of the iteration.
//!
//! A method implements one of four traits and gets a name in a [`MethodRegistry`](crate::MethodRegistry), which
//! [`System::methods`](crate::System::methods) takes; then system files name it like those of Lotka.
//!
//! | trait | decides | tried by |
//! |---|---|---|
//! | [`Sweep`] | in which order instances step, and which values their inputs hold | [`observed_order`](crate::observed_order) |
//! | [`Estimator`] | how large the local error of a step is | the slope of estimate and error over the step |
//! | [`Controller`] | by which factor the next step differs | errors of 1 must leave the step as it is |
//! | [`Acceleration`] | what goes into the next pass of an iteration | the number of passes |
//!
//! A method only *tries*: it returns an [`Attempt`], in which a refused step is a value ([`Refusal`]) and an error ends the run.
//! Lotka owns time, accepts and rejects. What a method carries from step to step is listed in its [`Persistent::transfer`], so
//! that checkpoints continue with bitwise the same rows.
//!
//! A scheme that steps the instances forth in one step and back in the next one. One step is of order 1 with held inputs, as
//! [`Sweep::order`] says; two of them are symmetric in time, so that fixed steps have order 2:
//!
//! ```
//! use lotka::{
//!     Memory, MethodRegistry, System,
//!     method::{Attempt, Coupled, Persistent, Step, Sweep, Transfer, Transferred},
//! };
//!
//! #[derive(Default)]
//! struct Alternating {
//!     /// Where the last step began [s].
//!     last: Option<f64>,
//!     is_back: bool,
//! }
//!
//! impl Persistent for Alternating {
//!     fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
//!         transfer.value(&mut self.last)?;
//!         transfer.value(&mut self.is_back)
//!     }
//! }
//!
//! impl Sweep for Alternating {
//!     fn pass(&mut self, coupled: &mut Coupled, instances: &[usize], Step { t, h }: Step, _due: bool) -> Attempt<()> {
//!         // A repeated step keeps its direction.
//!         if self.last.is_none_or(|last| t > last) {
//!             self.is_back = !self.is_back;
//!             self.last = Some(t);
//!         }
//!         for position in 0..instances.len() {
//!             let position = if self.is_back { instances.len() - 1 - position } else { position };
//!             coupled.step_with_newest(instances[position], t, h)?;
//!         }
//!         coupled.refresh(instances)
//!     }
//!
//!     fn order(&self, degree: u32) -> u32 {
//!         degree + 1
//!     }
//! }
//!
//! # let prey = lotka::Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
//! # let predator = lotka::Fmu::from_functions(fmu_sdk::description::<models::Predator>(), fmu_sdk::functions::<models::Predator>());
//! let system = System::new()
//!     .instance_of("prey", &prey)
//!     .instance_of("predator", &predator)
//!     .connect("prey.y", "predator.y")
//!     .connect("predator.x", "prey.x")
//!     .methods(MethodRegistry::new().with_sweep("alternating", || Box::new(Alternating::default()))?)
//!     .sweep("alternating")
//!     .input_degree(0)
//!     .stop(10.0)
//!     .step(0.01);
//! let mut rows = Memory::new();
//! system.build()?.run(&mut [&mut rows])?;
//! # assert_eq!(rows.time().len(), 1001);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
pub use lotka_step::{
    algorithm::{
        Acceleration, Attempt, Coupled, Level, Method, Mismatch, Persistent, Refusal, Signals, Step, Stop, Sweep, Transfer,
        Transferred, proceed,
    },
    error_control::{Controller, Estimates, Estimator, EstimatorSettings, Tolerances},
};
