//! Write co-simulation FMUs in Rust, for FMI 2.0 and FMI 3.0.
//!
//! A model is a plain struct that implements [`Model`]. [`export!`] makes it a library that serves both versions. [`description`]
//! and [`fmi3::description`] create the `modelDescription.xml` of an FMU of one version.
//!
//! ```
//! use fmu_sdk::{Declaration, Experiment, Model, Refusal, Step};
//! use serde::{Deserialize, Serialize};
//!
//! /// Decay: dx/dt = -k x.
//! #[derive(Clone, Serialize, Deserialize)]
//! struct Decay { k: f64, x0: f64, x: f64 }
//!
//! impl Default for Decay {
//!     fn default() -> Self {
//!         Self { k: 0.5, x0: 1.0, x: 1.0 }
//!     }
//! }
//!
//! impl Model for Decay {
//!     const NAME: &'static str = "decay";
//!     const DESCRIPTION: &'static str = "Exponential decay";
//!
//!     fn declare(v: &mut Declaration<Self>) {
//!         v.parameter("k", |m| &mut m.k).unit("1/s").min(0.0).description("rate");
//!         v.parameter("x0", |m| &mut m.x0).description("value at the start");
//!         v.output("x", |m| &mut m.x).partials([("x0", |_| 1.0)]).derivatives([|m| -m.k * m.x]);
//!     }
//!
//!     fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
//!         self.x = self.x0;
//!         Ok(())
//!     }
//!
//!     fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
//!         self.x *= (-self.k * step.h).exp();
//!         Ok(())
//!     }
//! }
//!
//! let description = fmu_sdk::description::<Decay>();
//! assert_eq!(description.variables.len(), 3);
//! assert_eq!(description.guid, fmu_sdk::description::<Decay>().guid);
//! ```
//!
//! In a crate with `crate-type = ["cdylib", "rlib"]`, `fmu_sdk::export!(Decay);` exports the model. Its example
//! `examples/pack.rs`, with the crate `fmu-package` as a development dependency, packs the `.fmu`: `fn main() ->
//! std::process::ExitCode { fmu_package::main::<decay::Decay>() }`, run by `cargo run --example pack`.
//!
//! # Models given as differential equations
//!
//! A model without a closed-form solution defines its equations (trait [`Ode`]) and delegates the rest to an [`Integration`]. The
//! experiment chooses the integrator by name, as a parameter of the FMU, and the FMU counts its work. [`Integration`] lists the
//! integrators.
//!
//! ```
//! use fmu_sdk::{Declaration, Experiment, Input, Integration, Model, Ode, Refusal, Step, Time};
//! use serde::{Deserialize, Serialize};
//!
//! /// A pendulum whose support is accelerated: x'' = -sin(x) - u cos(x).
//! #[derive(Clone, Serialize, Deserialize)]
//! struct Equations { u: Input }
//!
//! impl Ode for Equations {
//!     fn derivatives(&self, time: Time, x: &[f64], dx: &mut [f64]) {
//!         dx[0] = x[1];
//!         dx[1] = -x[0].sin() - self.u.value(time.tau) * x[0].cos();
//!     }
//! }
//!
//! #[derive(Clone, Serialize, Deserialize)]
//! struct Pendulum { equations: Equations, x: [f64; 2], integration: Integration }
//!
//! impl Default for Pendulum {
//!     fn default() -> Self {
//!         let equations = Equations { u: Input::new(0.0) };
//!         Self { equations, x: [1.0, 0.0], integration: Integration::new("rkf45", 0.01) }
//!     }
//! }
//!
//! impl Model for Pendulum {
//!     const NAME: &'static str = "pendulum";
//!     const DESCRIPTION: &'static str = "Pendulum with an accelerated support";
//!
//!     fn declare(v: &mut Declaration<Self>) {
//!         Integration::declare(v, |m| &mut m.integration);
//!         v.input("u", |m| &mut m.equations.u);
//!         v.output("x", |m| &mut m.x[0]).exact().depends_on([]).derivatives([|m| m.x[1]]);
//!         v.output("v", |m| &mut m.x[1]).exact().depends_on([]);
//!     }
//!
//!     fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
//!         self.integration.start()
//!     }
//!
//!     fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
//!         self.integration.step(&self.equations, step, &mut self.x)
//!     }
//! }
//!
//! let mut pendulum = Pendulum::default();
//! pendulum.do_step(&Step { t: 0.0, h: 6.699_975_664_370_453, tolerance: Some(1e-8) })?;
//! assert!((pendulum.x[0] - 1.0).abs() < 1e-6); // the period at an amplitude of 1 rad is 4 K(sin 0.5) s, K the elliptic integral
//! assert!(pendulum.integration.work().n_evaluations < 1000);
//! # Ok::<(), Refusal>(())
//! ```
//!
//! # Features of every model
//! - **Guard**: pointers of the importer are checked, calls out of order refused, panics caught; every failure is logged with its
//!   reason, through the importer's logger. After an error only reset, restore, reading and free are possible.
//! - **Start**: until the first step, [`Model::initialize`] runs again whenever a value is read after another one was set. Inputs
//!   may be set, and values read, as soon as the instance exists.
//! - **Time**: a step starts at the given communication point if that agrees with the instance's time up to rounding (relative
//!   1e-9), and ends at point + step size. A stop time is respected with the same tolerance.
//! - **Inputs** are polynomials over one step, if the model supports it: see [`Input`].
//! - **Types** are those of both versions, and arrays: see [`Value`] and [`Shaped`].
//! - **Events** ([`Model::HAS_EVENTS`]): a step that stops at an event continues after [`Model::update_discrete_states`], which
//!   the importer causes in event mode (FMI 3.0), or the kit within the step (FMI 2.0, and importers of FMI 3.0 without event
//!   mode).
//! - **Structural parameters** ([`Declaration::structural_parameter`]) set the sizes of arrays in FMI 3.0; in FMI 2.0, sizes are
//!   those of the default model.
//! - **Discarded steps**: in FMI 3.0, the kit restores the state before the step ([`Model::UNCHANGED_BY_DISCARD`]); in FMI 2.0,
//!   the importer does.
//! - **Derivatives** are declared with [`VariableBuilder::derivatives`] and [`VariableBuilder::partials`]. Directional
//!   derivatives apply at one point in time: an output that is a state depends on no input there, but its time derivative does.
//! - **States**: the complete state, including the kit's own part, is saved, restored and serialized. Saving into an existing
//!   handle allocates nothing unless the model does. Serialized states contain version, checksum and GUID.
//! - **Resources and log**: a model that has an [`Environment`] reads the files of its FMU and logs events and warnings.
//! - **Parameters** outside minimum and maximum, or not finite, are discarded when they are set.
//! - **modelDescription.xml** follows from the declaration: exact dependencies and initial unknowns, units, types, log
//!   categories, and a GUID derived from its content. It contains no date, so builds are reproducible.
//!
//! Start reading at [`Model`].
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod component;
mod declaration;
#[doc(hidden)]
pub mod entry;
mod environment;
mod error;
mod export;
pub mod fmi3;
mod hash;
mod input;
mod log;
mod model;
mod ode;
mod refusal;

#[doc(hidden)]
pub use ::{fmi2::with_functions as with_fmi2_functions, fmi3::with_functions as with_fmi3_functions};
pub use declaration::{
    Accessor, Base, Bounded, Computation, Declaration, Element, ElementType, Enumeration, EnumerationType, RealFunction, Shaped,
    Value, VariableBuilder,
};
pub use environment::Environment;
pub use error::Error;
pub use export::{description, functions, problems};
pub use fmi2::ffi;
pub use input::Input;
pub use lotka_instance::Experiment;
pub use model::{Model, Step, Update};
pub use ode::{Integration, Ode, Time, Work};
pub use refusal::{Refusal, RefusalKind};
