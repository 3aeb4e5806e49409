//! The checks that every kind of instance passes, for models in Python.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lotka::instance::{InstantiateOptions, conformance};
use pyo3::{exceptions::PyAssertionError, prelude::*};

use crate::{error, model};

/// Makes instances of a model, and checks all that the master relies on.
#[pyfunction]
pub(crate) fn check_instances(py: Python<'_>, object: Py<PyAny>) -> PyResult<()> {
    let factory = model::factory(py, object)?;
    let check = || {
        let model = conformance::ModelUnderTest::new(factory.description());
        let mut make = |name: &str| match factory.instantiate(name, &InstantiateOptions::default()) {
            Ok(instance) => instance,
            Err(error) => panic!("{error}"),
        };
        conformance::run(&mut make, &model);
    };
    let result = py.detach(|| catch_unwind(AssertUnwindSafe(check)));
    let raised = model::take_raised();
    match result {
        Ok(()) => Ok(()),
        Err(panic) => Err(raised.unwrap_or_else(|| PyAssertionError::new_err(error::text(&*panic)))),
    }
}
