//! Columns of records, on their way to Python and back.

use lotka::{Column, ResultColumn, SweepRecords, TypedValue, ValueType, Values, instance::description::IntegerType};
use pyo3::{exceptions::PyValueError, prelude::*, pybacked::PyBackedBytes, types::PyBytes};
use serde_json::{Map, Value, json};

/// A column: name, unit, description, type of numpy or `str`, and its numbers as bytes or its texts.
pub(crate) type Found = (String, Option<String>, Option<String>, &'static str, Py<PyAny>);

/// Converts a column for Python.
pub(crate) fn found(py: Python<'_>, column: Column, values: Vec<TypedValue>) -> PyResult<Found> {
    let numbers = |size: usize, bytes: &dyn Fn(&TypedValue) -> Vec<u8>| -> Py<PyAny> {
        let mut all = Vec::with_capacity(size * values.len());
        values.iter().for_each(|value| all.extend(bytes(value)));
        PyBytes::new(py, &all).into_any().unbind()
    };
    let (kind, data) = match column.value_type {
        ValueType::Real => ("<f8", numbers(8, &|value| value.as_f64().unwrap_or(f64::NAN).to_le_bytes().to_vec())),
        ValueType::Integer => {
            let whole = |value: &TypedValue| if let TypedValue::Integer(value) = value { *value } else { 0 };
            match wide(column.integers) {
                Some(kind) => (kind, numbers(8, &|value| (whole(value) as u64).to_le_bytes().to_vec())),
                None => ("<i4", numbers(4, &|value| (whole(value) as i32).to_le_bytes().to_vec())),
            }
        }
        ValueType::Boolean => ("|b1", numbers(1, &|value| vec![u8::from(value.as_f64().unwrap_or(0.0) != 0.0)])),
        ValueType::Text | ValueType::Binary => {
            let text = |value: &TypedValue| match value {
                TypedValue::Text(text) => text.clone(),
                TypedValue::Binary(bytes) => lotka::hash_of(bytes),
                _ => String::new(),
            };
            let texts: Vec<_> = values.iter().map(text).collect();
            ("str", texts.into_pyobject(py)?.into_any().unbind())
        }
    };
    Ok((column.name, column.unit, column.description, kind, data))
}

/// The type of numpy for integers that need more than 32 bits; `None` for others.
pub(crate) fn wide(integers: IntegerType) -> Option<&'static str> {
    match integers {
        IntegerType::UInt64 => Some("<u8"),
        IntegerType::UInt32 | IntegerType::Int64 => Some("<i8"),
        _ => None,
    }
}

/// A column as Python has it.
pub(crate) type Given = (String, Option<String>, Option<String>, String, Data);

/// Numbers as bytes, or texts.
#[derive(FromPyObject)]
pub(crate) enum Data {
    Bytes(PyBackedBytes),
    Texts(Vec<String>),
}

fn values(kind: &str, data: Data) -> PyResult<Values> {
    Ok(match (kind, data) {
        ("<f8", Data::Bytes(bytes)) => Values::Real(bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()),
        ("<i4", Data::Bytes(bytes)) => {
            Values::Integer(bytes.as_chunks().0.iter().map(|bytes| i32::from_le_bytes(*bytes).into()).collect())
        }
        ("<i8", Data::Bytes(bytes)) => {
            Values::Integer(bytes.as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect())
        }
        ("<u8", Data::Bytes(bytes)) => {
            let numbers: Vec<_> = bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
            let integers: Result<_, _> = numbers.iter().map(|number| i64::try_from(*number)).collect();
            // A page draws larger numbers with the digits that its plots have.
            integers.map_or_else(|_| Values::Real(numbers.iter().map(|number| *number as f64).collect()), Values::Integer)
        }
        ("|b1", Data::Bytes(bytes)) => Values::Boolean(bytes.iter().map(|byte| *byte != 0).collect()),
        ("str", Data::Texts(texts)) => Values::Text(texts),
        (kind, _) => return Err(PyValueError::new_err(format!("no column has the type {kind}"))),
    })
}

/// Makes the page with the plots of the records of a study, and with these notes.
#[pyfunction]
pub(crate) fn study_html(py: Python<'_>, name: String, columns: Vec<Given>, notes: Vec<String>) -> PyResult<String> {
    let mut about = Map::new();
    let mut column = |(name, unit, description, kind, data): Given| {
        about.insert(name.clone(), json!({ "unit": unit, "description": description }));
        Ok(ResultColumn::new(name, values(&kind, data)?))
    };
    let columns = columns.into_iter().map(&mut column).collect::<PyResult<_>>()?;
    let records = SweepRecords::new(columns, Some(json!({ "columns": Value::from(about) }).to_string()));
    Ok(py.detach(|| lotka_report::study_html(&name, &records, &notes)))
}
