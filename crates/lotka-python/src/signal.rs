//! Signals of sources, from what the package passes.

use lotka::{SourceSignal, StartValue};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};

/// A value of any type.
pub(crate) fn value(value: &Bound<'_, PyAny>) -> PyResult<StartValue> {
    if let Ok(value) = value.extract::<bool>() {
        return Ok(StartValue::Boolean(value));
    }
    if let Ok(value) = value.extract::<i64>() {
        return Ok(StartValue::Integer(value));
    }
    match value.extract::<f64>() {
        Ok(value) => Ok(StartValue::Real(value)),
        Err(_) => Ok(StartValue::Text(value.extract()?)),
    }
}

/// The signal that a dictionary describes, with the keys of a system file.
pub(crate) fn signal(entries: &Bound<'_, PyDict>) -> PyResult<SourceSignal> {
    let entry = |key: &str| entries.get_item(key);
    let number = |key: &str, default: Option<f64>| match (entry(key)?, default) {
        (Some(value), _) => value.extract(),
        (None, Some(default)) => Ok(default),
        (None, None) => Err(PyValueError::new_err(format!("expected the key `{key}`"))),
    };
    let of_any = |key: &str, default: Option<f64>| match (entry(key)?, default) {
        (Some(given), _) => value(&given),
        (None, Some(default)) => Ok(StartValue::Real(default)),
        (None, None) => Err(PyValueError::new_err(format!("expected the key `{key}`"))),
    };
    let kind: String = entry("signal")?.map_or(Ok(String::new()), |kind| kind.extract())?;
    Ok(match kind.as_str() {
        "constant" => SourceSignal::Constant { value: of_any("value", None)? },
        "step" => SourceSignal::Step { time: number("time", None)?, from: of_any("from", Some(0.0))?, to: of_any("to", None)? },
        "ramp" => SourceSignal::Ramp {
            time: number("time", None)?,
            duration: number("duration", None)?,
            from: number("from", Some(0.0))?,
            to: number("to", None)?,
        },
        "sine" => SourceSignal::Sine {
            amplitude: number("amplitude", None)?,
            frequency: number("frequency", None)?,
            phase: number("phase", Some(0.0))?,
            offset: number("offset", Some(0.0))?,
            time: entry("time")?.map(|time| time.extract()).transpose()?,
        },
        other => {
            let message = format!("expected `signal` to be constant, step, ramp or sine, found `{other}`");
            return Err(PyValueError::new_err(message));
        }
    })
}
