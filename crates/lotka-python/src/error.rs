//! Errors of the library become exceptions of the package.

use std::any::Any;

use lotka::{Code, Coded, Error, Problems, ResultsError, RunError, RunFailure, printable};
use pyo3::{prelude::*, types::PyModule};
use serde_json::{Map, Value};

/// Makes the exception `lotka.KIND`, whose text a terminal does not obey; the classes are in `python/lotka/_errors.py`.
pub(crate) fn exception(py: Python<'_>, kind: &str, message: &str, code: Code, problems: &[Value]) -> PyErr {
    let problems = Value::from(problems).to_string();
    let made = PyModule::import(py, "lotka._errors")
        .and_then(|module| module.getattr("from_native"))
        .and_then(|make| make.call1((kind, &*printable(message), code.as_str(), problems)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// The exception for an error of the library.
pub(crate) fn of(py: Python<'_>, error: &Error) -> PyErr {
    let kind = match error {
        Error::System(_) => "DescriptionError",
        Error::Read(_) => "ReadError",
        Error::Save { .. } => "SaveError",
        Error::Load(_) => "LoadError",
        Error::Fmu(_) => "FmuError",
        Error::Checkpoint(_) => "CheckpointError",
        Error::Run(_) => "RunFailure",
        Error::RunFailed(failure) => return of_run(py, failure),
        _ => "Error",
    };
    let problems = if let Error::System(problems) = error { list(problems) } else { Vec::new() };
    exception(py, kind, &error.to_string(), error.code(), &problems)
}

/// The exception for a failed run. The package adds rows and report.
pub(crate) fn of_run(py: Python<'_>, failure: &RunFailure) -> PyErr {
    let is_missed = matches!(failure.error, RunError::ToleranceNotReached(_));
    let kind = if is_missed { "ToleranceNotReached" } else { "RunFailure" };
    exception(py, kind, &failure.to_string(), failure.code(), &[])
}

/// The exception for results that cannot be read.
pub(crate) fn of_results(py: Python<'_>, error: &ResultsError) -> PyErr {
    exception(py, "ResultsError", &error.to_string(), error.code(), &[])
}

/// The exception for a mistake of the caller.
pub(crate) fn usage(py: Python<'_>, kind: &str, message: &str) -> PyErr {
    exception(py, kind, message, Code::WrongUsage, &[])
}

/// The exception for a bug of Lotka: a panic.
pub(crate) fn internal(py: Python<'_>, panic: &(dyn Any + Send)) -> PyErr {
    let message = format!("internal error: {}; please report it", text(panic));
    exception(py, "InternalError", &message, Code::InternalError, &[])
}

/// The text of a panic.
pub(crate) fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown".to_owned())
}

/// All problems of a description.
pub(crate) fn list(problems: &Problems) -> Vec<Value> {
    problems.list.iter().map(|problem| harmless(lotka_report::problem(problems, problem))).collect()
}

/// The same entries with printable texts.
fn harmless(mut problem: Value) -> Value {
    for value in problem.as_object_mut().into_iter().flat_map(Map::values_mut) {
        if let Value::String(text) = value {
            *text = printable(text).into_owned();
        }
    }
    problem
}
