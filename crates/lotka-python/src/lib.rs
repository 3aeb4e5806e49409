//! `lotka._lotka`: what the Python package `lotka` needs of the library.
//!
//! The package in `python/lotka` is what users see: names, types, texts and conversions are there. This module has plain
//! functions and these classes: [`System`] is a description to which the setters are applied by name, [`Simulation`] a built
//! system on a thread of its own, [`Session`] a run of it in pieces, [`Rows`] what a run left, [`View`] a column that numpy reads
//! in place. Start reading at [`Simulation`].
#![forbid(unsafe_code)]

mod arrow;
mod bridge;
mod column;
mod conformance;
mod document;
mod error;
mod fmus;
mod model;
mod records;
mod rows;
mod run;
mod session;
mod setters;
mod signal;
mod simulation;
mod sweep;
mod system;
mod worker;

use std::borrow::Cow;

use pyo3::prelude::*;

pub use column::View;
pub use rows::Rows;
pub use session::{SavedPoint, Session};
pub use simulation::Simulation;
pub use system::System;

/// Frees the FMUs that were loaded for later simulations, with their temporary folders.
#[pyfunction]
fn forget(py: Python<'_>) {
    py.detach(fmus::forget);
}

/// The text as a terminal may get it.
#[pyfunction]
fn printable(text: &str) -> Cow<'_, str> {
    lotka::printable(text)
}

/// The extension module.
#[pymodule(gil_used = false)]
fn _lotka(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<System>()?;
    module.add_class::<Simulation>()?;
    module.add_class::<Rows>()?;
    module.add_class::<Session>()?;
    module.add_class::<SavedPoint>()?;
    module.add_class::<View>()?;
    module.add_function(wrap_pyfunction!(forget, module)?)?;
    module.add_function(wrap_pyfunction!(printable, module)?)?;
    module.add_function(wrap_pyfunction!(rows::compare, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::sweep_file, module)?)?;
    module.add_function(wrap_pyfunction!(records::study_html, module)?)?;
    module.add_function(wrap_pyfunction!(conformance::check_instances, module)?)
}
