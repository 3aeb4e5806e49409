//! Write FMI 2.0 co-simulation FMUs in Rust.
//!
//! A model is a plain struct that implements [`Model`]; [`export!`] makes an FMU of it, [`description`] its `modelDescription.xml`.
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
//! In a `cdylib` crate of its own, `fmu_sdk::export!(Decay);` is then all that is needed.
//!
//! # What the kit does for every model
//! - **Guard**: pointers of the importer are checked, calls out of order refused, panics caught; every failure is logged with its
//!   reason, through the importer's logger. After an error only reset, restore, reading and free remain.
//! - **Start**: until the first step, [`Model::initialize`] runs again whenever something was set and is then asked for. Inputs may be
//!   set, and values read, as soon as the instance exists.
//! - **Time**: a step starts at the given communication point if that agrees with the instance's time up to rounding (relative 1e-9),
//!   and ends at point + step size. A stop time is kept with the same slack.
//! - **Inputs** are polynomials over one step, if the model wants: see [`Input`].
//! - **Derivatives**: declared with [`VariableBuilder::derivatives`] and [`VariableBuilder::partials`]. Directional derivatives are those
//!   at one point in time: an output that is a state depends on no input there, its time derivative does.
//! - **States**: the complete state, the kit's own part included, is saved, restored and serialized. Saving into a handle that is in
//!   use allocates nothing unless the model does. Serialized states carry version, check sum and GUID.
//! - **Parameters** outside minimum and maximum, or not finite, are discarded when they are set.
//! - **modelDescription.xml** follows from the declaration: exact dependencies and initial unknowns, units, types, log categories, and a
//!   GUID made from its content. It holds no date, so builds are reproducible.
//!
//! Start reading at [`Model`]; inside, at the guard (`component/guard.rs`), through which all 34 functions (`entry/`) pass.

mod component;
mod declaration;
#[doc(hidden)]
pub mod entry;
mod error;
mod export;
mod hash;
mod input;
mod log;
mod model;

pub use declaration::{Accessor, Base, Bounded, Computation, Declaration, Enumeration, RealFunction, Value, VariableBuilder};
pub use error::Error;
pub use export::{description, functions, problems};
pub use fmi2::{Experiment, ffi};
pub use input::Input;
pub use model::{Model, Refusal, RefusalKind, Step};
