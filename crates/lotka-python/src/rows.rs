//! What a run left: rows, report, steps.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use lotka::{Code, ComparisonSettings, Format, Memory, Report, Results, StepSizes, Target, ValueType, WriteOptions};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyCapsule},
};
use serde_json::Value;

use crate::{
    arrow,
    bridge::Steps,
    column::{ColumnSource, View},
    document::About,
    error,
    records::wide,
};

/// Rows of a run with everything that is known about it.
#[pyclass(frozen, module = "lotka._lotka")]
pub struct Rows {
    memory: Arc<Memory>,
    /// Until the document is needed.
    run: Option<Run>,
    document: OnceLock<Value>,
    steps: Option<StepTable>,
}

struct Run {
    report: Report,
    history: Value,
    about: Arc<About>,
}

/// Accepted steps: time at the end, size, error estimate; rejected ones: time at the beginning, size, reason.
type StepTable = (Vec<f64>, Vec<f64>, Vec<f64>, Vec<(f64, f64, String)>);

/// What goes to another process: memory, document, steps.
type Bytes = (Memory, String, Option<StepTable>);

impl Rows {
    pub(crate) fn new(memory: Memory, report: Report, steps: Option<Steps>, about: Arc<About>) -> Self {
        let history = steps.as_ref().map(|steps| steps.history.document()).unwrap_or_default();
        let run = Some(Run { report, history, about });
        Self { memory: Arc::new(memory), run, document: OnceLock::new(), steps: steps.map(|steps| table(steps.sizes)) }
    }

    fn document(&self) -> &Value {
        let make = || self.run.as_ref().map(|run| run.about.document(&run.report, &run.history)).unwrap_or_default();
        self.document.get_or_init(make)
    }

    fn column(&self, name: &str) -> Option<&lotka::Column> {
        self.memory.columns().iter().find(|column| column.name == name)
    }
}

fn table(sizes: StepSizes) -> StepTable {
    let estimates = sizes.estimates.iter().map(|estimates| estimates.largest()).collect();
    let rejected = sizes.rejected.iter().map(|step| (step.time, step.step, step.to_string())).collect();
    (sizes.time, sizes.step, estimates, rejected)
}

#[pymethods]
impl Rows {
    /// Names of the columns, without the time.
    fn names(&self) -> Vec<&str> {
        self.memory.columns().iter().map(|column| column.name.as_str()).collect()
    }

    /// Number of rows.
    fn __len__(&self) -> usize {
        self.memory.time().len()
    }

    /// Type, unit, description, items and whether the value is constant.
    #[expect(clippy::type_complexity, reason = "a tuple for Python")]
    fn about(&self, name: &str) -> Option<(&'static str, Option<&str>, Option<&str>, Vec<(i128, &str)>, bool)> {
        let column = self.column(name)?;
        let value_type = match column.value_type {
            ValueType::Real => "float",
            ValueType::Integer => "int",
            ValueType::Boolean => "bool",
            ValueType::Text => "str",
            ValueType::Binary => "bytes",
        };
        let items = column.items.iter().map(|item| (item.value, item.name.as_str())).collect();
        Some((value_type, column.unit.as_deref(), column.description.as_deref(), items, column.is_constant))
    }

    /// The times.
    fn time(&self) -> Option<View> {
        View::new(&self.memory, ColumnSource::Time)
    }

    /// The values of a column of numbers.
    fn values(&self, name: &str) -> Option<View> {
        View::new(&self.memory, ColumnSource::Values(name.to_owned()))
    }

    /// The values of a column of integers that need more than 32 bits: the type of numpy, and their bytes; `None` for other
    /// columns.
    fn wide_integers<'py>(&self, py: Python<'py>, name: &str) -> Option<(&'static str, Bound<'py, PyBytes>)> {
        let kind = wide(self.column(name)?.integers)?;
        let values = self.memory.integer(name)?;
        let bytes: Vec<u8> = values.iter().flat_map(|value| (*value as u64).to_le_bytes()).collect();
        Some((kind, PyBytes::new(py, &bytes)))
    }

    /// The values of a column of texts.
    fn text(&self, name: &str) -> Option<&[String]> {
        self.memory.text(name)
    }

    /// The estimated errors of a column.
    fn errors(&self, name: &str) -> Option<View> {
        View::new(&self.memory, ColumnSource::Errors(name.to_owned()))
    }

    /// Time, description and row of each event.
    fn events(&self) -> Vec<(f64, &str, usize)> {
        self.memory.events().iter().map(|event| (event.time, event.what.as_str(), event.row)).collect()
    }

    /// The steps, if they were recorded.
    fn steps(&self) -> Option<StepTable> {
        self.steps.clone()
    }

    /// The document of the report; JSON.
    fn report(&self) -> String {
        self.document().to_string()
    }

    /// The page of the report.
    fn html(&self, py: Python<'_>) -> String {
        let make = || {
            let document = self.document().clone();
            let columns: serde_json::Map<_, _> = self
                .memory
                .columns()
                .iter()
                .map(|column| (column.name.clone(), serde_json::to_value(column).unwrap_or_default()))
                .collect();
            let table = lotka_report::Table::of_memory(&self.memory, &columns.into());
            lotka_report::html(&lotka_report::Subject { document, table: Some(table), notes: Vec::new() })
        };
        py.detach(make)
    }

    /// Writes the rows in the format that the extension of the file names.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let written = py.detach(|| write(&self.memory, &path));
        written.map_err(|failed| {
            let message = format!("cannot write the rows to {}: {failed}", path.display());
            let code = if failed.kind() == io::ErrorKind::InvalidInput { Code::UnknownFormat } else { Code::UnwritableFile };
            error::exception(py, "SaveError", &message, code, &[])
        })
    }

    /// The schema of the stream.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = arrow::schema(&self.memory).map_err(|failed| error::internal(py, &failed.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The rows as a stream. A requested schema is not followed, as the protocol permits.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(&self, py: Python<'py>, requested_schema: Option<Py<PyAny>>) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let stream = arrow::stream(&self.memory).map_err(|failed| error::internal(py, &failed.to_string()))?;
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// Everything but the system, for another process.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut document = self.document().clone();
        if let Some(entries) = document.as_object_mut() {
            entries.remove("picture");
        }
        let bytes: Bytes = ((*self.memory).clone(), document.to_string(), self.steps.clone());
        let bytes = postcard::to_stdvec(&bytes).map_err(|failed| error::internal(py, &failed.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The rows of `to_bytes`.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let read: Result<Bytes, _> = postcard::from_bytes(bytes);
        let unfit = |_| error::usage(py, "ResultsError", "these bytes are not results of this version of Lotka");
        let (memory, document, steps) = read.map_err(unfit)?;
        let document = OnceLock::from(serde_json::from_str(&document).unwrap_or(Value::Null));
        Ok(Self { memory: Arc::new(memory), run: None, document, steps })
    }
}

/// Writes a file with the estimated errors, as the command does with `--error-bars`.
fn write(memory: &Memory, path: &Path) -> io::Result<()> {
    let format = Format::of_path(path).filter(|_| path.extension().is_some()).ok_or_else(|| {
        let what = format!("use the extension .html, {}", Format::extensions_where(|_| true));
        io::Error::new(io::ErrorKind::InvalidInput, what)
    })?;
    let options = WriteOptions { error_bars: true, ..WriteOptions::default() };
    let mut rows = format.writer(Target::File(File::create(path)?), &options)?;
    memory.send_to(&mut *rows);
    rows.finish()
}

/// One side of a comparison.
#[derive(FromPyObject)]
pub(crate) enum Side<'py> {
    Rows(Bound<'py, Rows>),
    File(PathBuf),
}

impl Side<'_> {
    fn results(&self, py: Python<'_>) -> PyResult<Results> {
        match self {
            Self::Rows(rows) => Ok(Results::from(&*rows.get().memory)),
            Self::File(path) => py.detach(|| Results::open(path)).map_err(|failed| error::of_results(py, &failed)),
        }
    }
}

/// Compares two results; JSON.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    first: Side<'_>,
    second: Side<'_>,
    tolerance: f64,
    absolute_tolerance: Option<f64>,
    variables: Vec<String>,
) -> PyResult<String> {
    let (first, second) = (first.results(py)?, second.results(py)?);
    let settings = ComparisonSettings { relative: tolerance, absolute: absolute_tolerance, variables };
    Ok(py.detach(|| lotka_report::comparison(&lotka::compare(&first, &second, &settings)).to_string()))
}
