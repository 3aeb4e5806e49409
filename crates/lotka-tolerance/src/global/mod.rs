//! Global error: results of whole runs on finer and finer meshes, extrapolated to step size 0, with an estimate per value.
//!
//! The states of FMUs are opaque, so extrapolated values cannot be put back into them. Instead, the whole simulation is repeated:
//! run n divides every step of a base mesh by n, and the *recorded outputs* are extrapolated (Gragg, Bulirsch, Stoer and
//! Deuflhard at the level of the master; Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, section II.9,
//! doi:10.1007/978-3-540-78862-1).
//!
//! This module contains mathematics only: its input is finished runs, its output the result and the estimates. It makes no runs.
//!
//! - Start reading at `Search`: it requests run after run from a `Runner` until the tolerance is met; `base` is the mesh that
//!   they divide.
//! - `run` holds the records of a run and drops runs that are too coarse; `weights` defines the error bound per value.
//! - `expansion` has the powers of the error expansion and the weights of the extrapolation table, `refinement` the meshes.
//! - `scan` finds where signals of time alone need base points, `corner` where exactly they jump or have kinks.
//! - `expected` predicts the events of a run; `rows` finds rows between the points of meshes by `interpolation`.
//! - `order` compares the powers with the observed ones; `tableau` applies the table and estimates.
//! - `integration_error` adds the internal error of the FMUs, `localization_error` that of event localization.

mod expansion;
mod expected;
mod integration_error;
mod interpolation;
mod localization_error;
mod order;
mod refinement;
mod rows;
mod run;
mod search;
mod tableau;
mod verdict;
mod weights;

pub(crate) use expansion::ErrorExpansion;
pub(crate) use expected::Expected;
pub(crate) use integration_error::{Changes, IntegrationError, join_integration_error};
pub(crate) use localization_error::join_localization_error;
pub(crate) use rows::Rows;
pub(crate) use run::{Inner, Run};
pub use search::Stop;
pub(crate) use search::{
    BUDGET, DiscontinuityBracket, End, Ending, Explained, FEWEST, Following, Found, IMPLICIT_BUDGET, Made, NonsmoothPoint,
    Obstacle, OffMeshRows, Runner, Search, Settings, longest_step,
};
pub(crate) use tableau::Extrapolation;
pub(crate) use verdict::{GiveUp, Next};
pub use weights::SignChange;
pub(crate) use weights::{ErrorBound, Weights};
