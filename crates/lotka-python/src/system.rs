//! Descriptions of systems.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use lotka::{Error, Sampling, SourceSignal, Warning, printable};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyDict, PyTuple},
};
use serde_json::{Value, json};

use crate::{
    error,
    fmus::{self, Hosting},
    model,
    session::python_value,
    setters,
    simulation::Simulation,
    sweep,
};

/// A description. The package records the settings for pickling.
#[pyclass(frozen, module = "lotka._lotka")]
pub struct System {
    system: Mutex<lotka::System>,
}

impl System {
    fn lock(&self) -> MutexGuard<'_, lotka::System> {
        self.system.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with(&self, change: impl FnOnce(lotka::System) -> PyResult<lotka::System>) -> PyResult<()> {
        let before = self.lock().clone();
        let changed = change(before)?;
        *self.lock() = changed;
        Ok(())
    }

    /// The system with FMUs where they are to run, and the names of the instances that got processes of their own because another
    /// tool made their FMUs.
    fn prepared(&self, py: Python<'_>, isolation: Option<&str>) -> PyResult<(lotka::System, Vec<String>)> {
        let place = hosting(isolation)?;
        let mut system = self.lock().clone();
        let prepare = || {
            let isolated = fmus::isolate(&mut system, place);
            (fmus::share(system), isolated)
        };
        Ok(py.detach(prepare))
    }

    fn of(system: lotka::System) -> Self {
        Self { system: Mutex::new(system) }
    }
}

/// Text and code of each warning.
fn texts(warnings: Vec<Warning>) -> Vec<(String, &'static str)> {
    warnings.into_iter().map(|warning| (warning.text, warning.code.as_str())).collect()
}

/// Where FMUs run.
fn hosting(isolation: Option<&str>) -> PyResult<Hosting> {
    match isolation {
        Some("auto") => Ok(Hosting::Auto),
        Some("process") => Ok(Hosting::Process),
        None => Ok(Hosting::Here),
        Some(other) => {
            let message = format!("expected `auto`, `process` or None as isolation, found `{other}`");
            Err(PyValueError::new_err(message))
        }
    }
}

#[pymethods]
impl System {
    /// An empty system, or that of a file.
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Self> {
        let Some(path) = path else { return Ok(Self::of(lotka::System::new())) };
        let read = py.detach(|| lotka::System::from_file(path)).map_err(|failed| error::of(py, &failed))?;
        Ok(Self::of(read))
    }

    /// The same system once more.
    fn copy(&self) -> Self {
        Self::of(self.lock().clone())
    }

    /// Applies a setting.
    #[pyo3(signature = (name, *arguments))]
    fn apply(&self, name: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.with(|system| setters::apply(system, name, arguments))
    }

    /// Adds an instance of a Python object.
    fn instance_from(&self, py: Python<'_>, name: &str, object: Py<PyAny>) -> PyResult<()> {
        let factory = model::factory(py, object)?;
        self.with(|system| Ok(system.instance_from(name, factory)))
    }

    /// The names of the instances.
    fn instances(&self) -> Vec<String> {
        self.lock().description().instances.iter().map(|instance| instance.name.value.clone()).collect()
    }

    /// Instances with the FMU in a file, and the file.
    fn fmu_files(&self) -> Vec<(String, PathBuf)> {
        self.lock().fmu_files()
    }

    /// The files that a run reads.
    fn files(&self) -> Vec<PathBuf> {
        self.lock().files()
    }

    /// Loads the FMUs: each in a process of its own, in this process, or by their makers. Returns the names of the instances that
    /// got processes of their own because another tool made their FMUs.
    fn build(&self, py: Python<'_>, isolation: Option<&str>) -> PyResult<(Simulation, Vec<String>)> {
        let (system, isolated) = self.prepared(py, isolation)?;
        Ok((Simulation::build(py, system)?, isolated))
    }

    /// Whether FMUs of other tools run in this process.
    fn has_foreign_fmus(&self, py: Python<'_>, isolation: Option<&str>) -> PyResult<bool> {
        let place = hosting(isolation)?;
        let mut system = self.lock().clone();
        Ok(py.detach(|| {
            fmus::isolate(&mut system, place);
            fmus::has_foreign(&system)
        }))
    }

    /// Makes runs with the values of the parameters: all combinations, or one run per place in the lists. Returns the records,
    /// and the names of the instances that got processes of their own because another tool made their FMUs. No `jobs` check the
    /// study only.
    #[pyo3(signature = (isolation, parameters, is_grid, kept, jobs, on_progress, is_wanted = None))]
    #[expect(clippy::too_many_arguments, reason = "a function for Python")]
    fn sweep(
        &self,
        py: Python<'_>,
        isolation: Option<&str>,
        parameters: sweep::Parameters,
        is_grid: bool,
        kept: sweep::Kept,
        jobs: sweep::Jobs,
        on_progress: Option<Py<PyAny>>,
        is_wanted: Option<Py<PyAny>>,
    ) -> PyResult<(sweep::Outcome, Vec<String>)> {
        let (system, isolated) = self.prepared(py, isolation)?;
        let sampling = if is_grid { Sampling::Grid } else { Sampling::List };
        let callbacks = sweep::Callbacks { on_progress, is_wanted };
        let outcome = sweep::run(py, move || sweep::study(system, sampling, parameters, kept), jobs, None, callbacks)?;
        Ok((outcome, isolated))
    }

    /// The problems, or the warnings; JSON.
    fn check(&self, py: Python<'_>) -> PyResult<String> {
        let system = self.lock().clone();
        match py.detach(|| system.analyze()) {
            Ok(analysis) => {
                let warning = |warning: &Warning| json!({ "code": warning.code.as_str(), "severity": "warning", "message": printable(&warning.text) });
                Ok(analysis.warnings.iter().map(warning).collect::<Value>().to_string())
            }
            Err(Error::System(problems)) => Ok(Value::from(error::list(&problems)).to_string()),
            Err(failed) => Err(error::of(py, &failed)),
        }
    }

    /// The order of evaluation, the loops, a picture and a text for Graphviz.
    fn graph<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let system = self.lock().clone();
        let analysis = py.detach(|| system.analyze()).map_err(|failed| error::of(py, &failed))?;
        let (description, graph) = (system.description(), &analysis.graph);
        let name = |index: usize| description.instances.get(index).map(|instance| instance.name.value.as_str());
        let names = |indices: &[usize]| indices.iter().filter_map(|&index| name(index)).collect::<Vec<_>>();
        let loops: Vec<_> = graph.components.iter().filter(|found| found.is_loop).map(|found| names(&found.members)).collect();
        let algebraic: Vec<_> = graph.algebraic_loops().map(|found| names(&found.members())).collect();
        let unconnected = PyDict::new(py);
        for input in &graph.unconnected {
            let name = format!("{}.{}", description.name_of(input.port.instance), input.port.variable);
            unconnected.set_item(name, input.value.clone().map(|value| python_value(py, value)).transpose()?)?;
        }
        let found = PyDict::new(py);
        found.set_item("unconnected", unconnected)?;
        found.set_item("order", names(&graph.order))?;
        found.set_item("loops", loops)?;
        found.set_item("algebraic_loops", algebraic)?;
        found.set_item("svg", lotka_report::svg(description, graph))?;
        found.set_item("dot", lotka_report::dot(description, graph))?;
        Ok(found)
    }

    /// Files and settings; JSON.
    fn manifest(&self, py: Python<'_>) -> String {
        let system = self.lock().clone();
        py.detach(|| serde_json::to_value(system.manifest()).unwrap_or_default().to_string())
    }

    /// Writes the system. `tables` has the files of sources that came from arrays, and the files beside the system to which they
    /// go.
    fn save(&self, py: Python<'_>, path: PathBuf, tables: Vec<(PathBuf, PathBuf)>) -> PyResult<Vec<(String, &'static str)>> {
        let mut system = self.lock().clone();
        for source in &mut system.description_mut().sources {
            if let SourceSignal::Csv(csv) = &mut source.signal {
                let moved = tables.iter().find(|(from, _)| *from == csv.path.value);
                moved.into_iter().for_each(|(_, to)| csv.path.value.clone_from(to));
            }
        }
        let saved = py.detach(|| system.save(Path::new(&path)));
        saved.map(texts).map_err(|failed| error::of(py, &failed))
    }
}
