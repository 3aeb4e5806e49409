//! Python objects as instances.
//!
//! An object is a [`LocalModel`]: every copy of it is an object of its own, made by the method `_copy` of the class
//! `lotka.Model`. All calls are made on the thread of the simulation, because a factory declares that its instances share no
//! threads.

use std::{
    cell::{Cell, RefCell},
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use lotka::{
    Capabilities, Instance, InstanceFactory, InstantiateOptions, InstantiationError,
    instance::{
        BooleanRef, Experiment, IntegerRef, LocalFactory, LocalModel, ModelDescription, RealRef, StepOutcome, StringRef,
        description::{
            BooleanKind, Causality, IntegerKind, RealKind, TextKind, Unit, Unknown, Variability, Variable, VariableKind,
        },
    },
};
use pyo3::{exceptions::PyValueError, prelude::*};

thread_local! {
    /// The first exception that a model raised on this thread, with its traceback, for whoever made the run.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// The exception of a model on this thread.
pub(crate) fn take_raised() -> Option<PyErr> {
    RAISED.take()
}

/// Keeps an exception, and returns its text.
fn keep(py: Python<'_>, error: PyErr) -> String {
    let text = error.to_string();
    RAISED.with_borrow_mut(|raised| raised.get_or_insert(error.clone_ref(py)).clone_ref(py));
    text
}

/// A variable as the package describes it: name, causality, type, unit, description, and for an output the inputs on which it
/// depends at once.
type Described = (String, String, String, Option<String>, Option<String>, Option<Vec<String>>);

/// Makes a factory of an object of the class `lotka.Model`, which nobody changes later.
pub(crate) fn factory(py: Python<'_>, object: Py<PyAny>) -> PyResult<Arc<dyn InstanceFactory>> {
    let described: Vec<Described> = object.call_method0(py, "_describe")?.extract(py)?;
    let has = |hook: &str| -> PyResult<bool> { object.call_method1(py, "_overrides", (hook,))?.extract(py) };
    let class = Arc::new(Class {
        settable: described.iter().map(|variable| variable.1 != "output").collect(),
        names: described.iter().map(|variable| variable.0.clone()).collect(),
        kinds: described.iter().map(|variable| variable.2.clone()).collect(),
        has_outputs: has("outputs")?,
        has_initialize: has("initialize")?,
    });
    let name: String = object.getattr(py, "__class__")?.getattr(py, "__name__")?.extract(py)?;
    let description = describe(py, name, &object, &described)?;
    let first = Mutex::new(PyModel { object: Some(object), class, is_stale: Cell::new(true) });
    let make = move || first.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(Arc::new(Factory::new(LocalFactory::new(description, make))))
}

fn describe(py: Python<'_>, name: String, object: &Py<PyAny>, described: &[Described]) -> PyResult<ModelDescription> {
    let mut description = ModelDescription { model_name: name, ..ModelDescription::default() };
    let place = |wanted: &String| {
        let place = described.iter().position(|variable| variable.0 == *wanted && variable.1 == "input");
        place.ok_or_else(|| PyValueError::new_err(format!("expected the name of an input in `depends_on`, found `{wanted}`")))
    };
    for (index, (name, causality, kind, unit, about, depends_on)) in described.iter().enumerate() {
        let start = object.getattr(py, name.as_str())?;
        let kind = match kind.as_str() {
            "int" => VariableKind::Integer(IntegerKind { start: Some(start.extract(py)?), ..IntegerKind::default() }),
            "bool" => VariableKind::Boolean(BooleanKind { start: Some(start.extract(py)?) }),
            "str" => VariableKind::String(TextKind { start: Some(start.extract(py)?) }),
            _ => VariableKind::Real(RealKind { start: Some(start.extract(py)?), unit: unit.clone(), ..RealKind::default() }),
        };
        let is_real = matches!(kind, VariableKind::Real(_));
        let (causality, variability) = match causality.as_str() {
            "input" => (Causality::Input, None),
            "parameter" => (Causality::Parameter, Some(Variability::Fixed)),
            _ => (Causality::Output, None),
        };
        let of_kind = if is_real { Variability::Continuous } else { Variability::Discrete };
        let mut variable = Variable::new(name, index as u32, causality, kind);
        variable.variability = variability.unwrap_or(of_kind);
        variable.description.clone_from(about);
        description.variables.push(variable);
        if causality == Causality::Output {
            let dependencies = depends_on.as_ref().map(|names| names.iter().map(place).collect::<PyResult<Vec<_>>>());
            description.outputs.push(Unknown { index, dependencies: dependencies.transpose()? });
        }
        let is_known = |unit: &&String| description.units.iter().any(|known| known.name == **unit);
        if let Some(unit) = unit.as_ref().filter(|unit| !is_known(unit)) {
            description.units.push(Unit { name: unit.clone(), ..Unit::default() });
        }
    }
    Ok(description)
}

/// What all copies of an object share.
struct Class {
    /// By value reference.
    names: Vec<String>,
    kinds: Vec<String>,
    settable: Vec<bool>,
    has_outputs: bool,
    has_initialize: bool,
}

/// An object with its state.
struct PyModel {
    /// `None` if it could not be copied.
    object: Option<Py<PyAny>>,
    class: Arc<Class>,
    /// Whether its outputs have to be computed before they are read.
    is_stale: Cell<bool>,
}

impl Clone for PyModel {
    fn clone(&self) -> Self {
        let copied = Python::attach(|py| {
            let copy = self.object.as_ref()?.call_method0(py, "_copy");
            copy.map_err(|error| keep(py, error)).ok()
        });
        Self { object: copied, class: self.class.clone(), is_stale: self.is_stale.clone() }
    }
}

impl PyModel {
    /// Calls a method.
    fn call<T>(&self, run: impl FnOnce(Python<'_>, &Py<PyAny>) -> PyResult<T>) -> Result<T, String> {
        Python::attach(|py| match &self.object {
            Some(object) => run(py, object).map_err(|error| keep(py, error)),
            None => Err("the object could not be copied".to_owned()),
        })
    }

    fn name(&self, reference: u32, kind: &str) -> Option<&str> {
        let index = reference as usize;
        (self.class.kinds.get(index)? == kind).then(|| self.class.names[index].as_str())
    }

    fn get<T: for<'a, 'py> FromPyObject<'a, 'py, Error: Into<PyErr>>>(&self, reference: u32, kind: &str) -> Option<T> {
        let name = self.name(reference, kind)?;
        let is_output = !self.class.settable[reference as usize];
        let read = |py: Python<'_>, object: &Py<PyAny>| {
            if is_output && self.class.has_outputs && self.is_stale.replace(false) {
                object.call_method0(py, "outputs")?;
            }
            object.getattr(py, name)?.bind(py).extract::<T>().map_err(Into::into)
        };
        self.call(read).ok()
    }

    fn set<T: for<'py> IntoPyObject<'py>>(&mut self, reference: u32, kind: &str, value: T) -> bool {
        let Some(name) = self.name(reference, kind).filter(|_| self.class.settable[reference as usize]) else { return false };
        self.is_stale.set(true);
        self.call(|py, object| object.setattr(py, name, value)).is_ok()
    }
}

impl LocalModel for PyModel {
    fn initialize(&mut self, experiment: &Experiment) -> Result<(), String> {
        self.is_stale.set(true);
        if !self.class.has_initialize {
            return Ok(());
        }
        self.call(|py, object| object.call_method1(py, "initialize", (experiment.start,)).map(drop))
    }

    fn do_step(&mut self, t: f64, h: f64) -> Result<StepOutcome, String> {
        self.is_stale.set(true);
        let reached: Option<f64> = self.call(|py, object| object.call_method1(py, "step", (t, h))?.extract(py))?;
        Ok(reached.map_or(StepOutcome::Complete, StepOutcome::EarlyReturn))
    }

    fn real(&self, reference: RealRef) -> Option<f64> {
        self.get(reference.0, "float")
    }

    fn set_real(&mut self, reference: RealRef, value: f64) -> bool {
        self.set(reference.0, "float", value)
    }

    fn integer(&self, reference: IntegerRef) -> Option<i128> {
        self.get(reference.0, "int")
    }

    fn set_integer(&mut self, reference: IntegerRef, value: i128) -> bool {
        self.set(reference.0, "int", value)
    }

    fn boolean(&self, reference: BooleanRef) -> Option<bool> {
        self.get(reference.0, "bool")
    }

    fn set_boolean(&mut self, reference: BooleanRef, value: bool) -> bool {
        self.set(reference.0, "bool", value)
    }

    fn string(&self, reference: StringRef) -> Option<String> {
        self.get(reference.0, "str")
    }

    fn set_string(&mut self, reference: StringRef, value: &str) -> bool {
        self.set(reference.0, "str", value)
    }
}

/// Makes instances that keep to one thread.
struct Factory {
    description: ModelDescription,
    made: LocalFactory<PyModel>,
}

impl Factory {
    fn new(made: LocalFactory<PyModel>) -> Self {
        Self { description: ModelDescription { is_thread_safe: false, ..made.description().clone() }, made }
    }
}

impl fmt::Debug for Factory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.made.fmt(f)
    }
}

impl InstanceFactory for Factory {
    fn description(&self) -> &ModelDescription {
        &self.description
    }

    fn capabilities(&self) -> &Capabilities {
        &self.description.capabilities
    }

    fn instantiate(&self, name: &str, options: &InstantiateOptions) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>> {
        self.made.instantiate(name, options)
    }
}
