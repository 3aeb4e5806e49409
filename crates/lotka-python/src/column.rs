//! Columns for numpy.

use std::sync::Arc;

use lotka::Memory;
use pyo3::{prelude::*, types::PyDict};

/// A column of numbers, which numpy reads in place through its array interface: the array keeps this object, and so the rows,
/// alive.
#[pyclass(frozen, module = "lotka._lotka")]
pub struct View {
    memory: Arc<Memory>,
    column: ColumnSource,
}

/// Which numbers of the rows.
pub(crate) enum ColumnSource {
    /// The times.
    Time,
    /// The values of a variable.
    Values(String),
    /// The estimated errors of a variable.
    Errors(String),
}

impl View {
    /// `None` if there are no such numbers.
    pub(crate) fn new(memory: &Arc<Memory>, column: ColumnSource) -> Option<Self> {
        let view = Self { memory: memory.clone(), column };
        view.numbers().is_some().then_some(view)
    }

    fn numbers(&self) -> Option<&[f64]> {
        match &self.column {
            ColumnSource::Time => Some(self.memory.time()),
            ColumnSource::Values(name) => self.memory.real(name),
            ColumnSource::Errors(name) => self.memory.error_estimates(name),
        }
    }
}

#[pymethods]
impl View {
    /// Address, length and type of the numbers. Numpy makes a read-only array of it.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let numbers = self.numbers().unwrap_or_default();
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", if cfg!(target_endian = "little") { "<f8" } else { ">f8" })?;
        interface.set_item("shape", (numbers.len(),))?;
        interface.set_item("data", (numbers.as_ptr() as usize, true))?;
        Ok(interface)
    }
}
