//! Building a system in Rust.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use fmu::{Fmu, Folder};
use lotka_engine::{algorithm::MethodRegistry, resolved::Direction};
use lotka_instance::InstanceFactory;
use lotka_message::Findings;
use lotka_system::{
    Connection, CsvSettings, IndicatorSettings, InstanceSettings, Interpolation, Level, Located, Outside, Override,
    PowerBondSettings, Read, SolvedStart, Source, SourceSettings, SourceSignal, StartSetting, StartValue, SystemDescription,
    TimeEvents, Times,
};

use crate::Error;

/// How a simulation is made and watched; nothing of it shows in the results.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Watch {
    /// The time spent in each instance is measured.
    pub(super) profile: bool,
    /// The FMUs are asked to log what they do.
    pub(super) debug_logging: bool,
    /// Runs are made at the same time on so many threads at most.
    pub(super) threads: Option<usize>,
}

/// A system to be simulated: from a file, or put together here. Nothing is checked or loaded before [`System::build`], which reports
/// all problems at once.
///
/// ```no_run
/// # fn main() -> Result<(), lotka::Error> {
/// let mut simulation = lotka::System::from_file("examples/predator-prey/system.toml")?.stop(50.0).build()?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Default)]
pub struct System {
    pub(super) description: SystemDescription,
    /// What is wrong with the text of the file.
    pub(super) findings: Findings,
    pub(super) base: PathBuf,
    /// What makes the instances that are not files.
    pub(super) fmus: HashMap<String, Arc<dyn InstanceFactory>>,
    /// The methods that the description may name.
    pub(super) methods: MethodRegistry,
    pub(super) host_program: Option<PathBuf>,
    pub(super) watch: Watch,
    /// Where packages of FMUs are unpacked as long as this system is in use.
    pub(super) folders: Vec<Arc<Folder>>,
}

impl System {
    /// An empty system. Paths of FMUs are relative to the working directory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a system file: TOML, a system structure description (`.ssd`) or package (`.ssp`) of the standard SSP, a project of
    /// MasterSim (`.msim`), an `OspSystemStructure.xml`, or a multi-model of INTO-CPS (`mm.json`). Paths of FMUs in it are relative to the file. One of several descriptions in a package is named behind a `#`: `plant.ssp#Winter.ssd`.
    ///
    /// # Errors
    /// The file cannot be read, or [`Error::System`] if its text is no TOML or its instances cannot be told. All other problems are
    /// reported by [`System::build`], together with those that it finds.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, Error> {
        let Read { description, findings, base, folders } = lotka_system::read(path.as_ref())?;
        Ok(Self { description, findings, base, folders, ..Self::default() })
    }

    /// The system as plain data.
    #[must_use]
    pub fn description(&self) -> &SystemDescription {
        &self.description
    }

    /// The system as plain data, to be changed.
    pub fn description_mut(&mut self) -> &mut SystemDescription {
        &mut self.description
    }

    /// Adds an instance of the FMU in a file.
    #[must_use]
    pub fn instance(mut self, name: &str, fmu: impl Into<PathBuf>) -> Self {
        self.description.instances.push(InstanceSettings::new(name.to_owned().into(), fmu.into().into()));
        self
    }

    /// Adds an instance of an FMU that is loaded already; many instances can share it.
    #[must_use]
    pub fn instance_of(self, name: &str, fmu: &Fmu) -> Self {
        self.instance_from(name, Arc::new(fmu.clone()))
    }

    /// Adds an instance that this model makes: a Rust struct, an object of another language, anything that implements
    /// [`Instance`](crate::Instance). FMUs come through the same door.
    #[must_use]
    pub fn instance_from(mut self, name: &str, factory: Arc<dyn InstanceFactory>) -> Self {
        let path = factory.path().to_owned();
        self.fmus.insert(name.to_owned(), factory);
        self.instance(name, path)
    }

    /// Adds a source of signals that are known before the run: a table in a file, whose columns are its outputs, or a formula, whose output is
    /// `y`. Steps end where it jumps.
    ///
    /// ```
    /// use lotka::{SourceSignal, StartValue, System};
    ///
    /// let step = SourceSignal::Step { time: 1.0, from: StartValue::Real(0.0), to: StartValue::Real(5.0) };
    /// let system = System::new().instance("motor", "motor.fmu").source("voltage", step).connect("motor.u", "voltage.y");
    /// assert_eq!(system.description().sources[0].name.value, "voltage");
    /// ```
    #[must_use]
    pub fn source(mut self, name: &str, signal: SourceSignal) -> Self {
        self.description.sources.push(SourceSettings { name: name.to_owned().into(), signal, units: Vec::new() });
        self
    }

    /// Adds the columns of a CSV file as a source, linear between rows; rows of the same time are a jump.
    #[must_use]
    pub fn source_csv(self, name: &str, path: impl Into<PathBuf>) -> Self {
        let path = path.into().into();
        let csv = CsvSettings { path, interpolation: Interpolation::Linear, outside: Outside::Error };
        self.source(name, SourceSignal::Csv(csv))
    }

    /// Sets an input or a tunable parameter from a time \[s\] on, in place of what feeds it. The text is read as the type of the variable.
    #[must_use]
    pub fn set_at(self, time: f64, variable: &str, value: impl ToString) -> Self {
        let set = vec![StartSetting::new(variable.to_owned(), StartValue::Unparsed(value.to_string()))];
        self.scenario(Override { at: time.into(), until: None, set, add: Vec::new() })
    }

    /// Sets inputs and tunable parameters for a while, or adds to what feeds them.
    #[must_use]
    pub fn scenario(mut self, entry: Override) -> Self {
        self.description.scenario.push(entry);
        self
    }

    /// Connects an input to an output, both as `instance.variable`.
    #[must_use]
    pub fn connect(self, input: &str, output: &str) -> Self {
        self.connect_sum(input, &[(output, 1.0)])
    }

    /// Connects an input to a sum of outputs, each with a factor.
    #[must_use]
    pub fn connect_sum(mut self, input: &str, outputs: &[(&str, f64)]) -> Self {
        let source = |&(from, factor): &(&str, f64)| Source { factor, ..Source::new(from.to_owned()) };
        let sources = outputs.iter().map(source).collect();
        self.description.connections.push(Connection { input: input.to_owned().into(), sources });
        self
    }

    /// Looks at the energy that passes between two instances, one of which gives an effort and the other one a flow (both outputs, as
    /// `instance.variable`) whose product is a power, and read them from each other.
    #[must_use]
    pub fn power_bond(mut self, name: &str, effort: &str, flow: &str) -> Self {
        let [name, effort, flow] = [name, effort, flow].map(|text| text.to_owned().into());
        self.description.power_bonds.push(PowerBondSettings { name, effort, flow });
        self
    }

    /// Sets a start value, `instance.variable`, over what the file says. The text is read as the type of the variable.
    #[must_use]
    pub fn start_value(mut self, variable: &str, value: impl ToString) -> Self {
        let value = StartValue::Unparsed(value.to_string());
        self.description.start_values.push(StartSetting::new(variable.to_owned(), value));
        self
    }

    /// Start time \[s\], default 0.
    #[must_use]
    pub fn start(mut self, time: f64) -> Self {
        self.description.experiment.start = Some(time.into());
        self
    }

    /// Stop time \[s\].
    #[must_use]
    pub fn stop(mut self, time: f64) -> Self {
        self.description.experiment.stop = Some(time.into());
        self
    }

    /// Solves for a start value, both as `instance.variable`: all unknowns are changed together until all residuals (outputs, or what goes
    /// into connected inputs) are 0 right after initialization. The start value given is the guess.
    #[must_use]
    pub fn solve_start(mut self, unknown: &str, residual: &str) -> Self {
        let (unknown, residual) = (unknown.to_owned().into(), residual.to_owned().into());
        self.description.initialization.push(SolvedStart { unknown, residual, target: 0.0 });
        self
    }

    /// Values of a loop of direct feedthrough may miss its equations by this share of their terms at the start, where none fit better: for FMUs
    /// whose outputs are noisy.
    #[must_use]
    pub fn loop_tolerance(mut self, tolerance: f64) -> Self {
        self.description.loop_tolerance = Some(tolerance.into());
        self
    }

    /// Values below this are judged absolutely; 0 asks for a purely relative `tolerance`.
    #[must_use]
    pub fn absolute_tolerance(mut self, tolerance: f64) -> Self {
        self.description.experiment.absolute_tolerance = Some(tolerance.into());
        self
    }

    /// The tolerance that FMUs are asked for: instead of the one of their default experiment, or with `tolerance` of a hundredth of that.
    #[must_use]
    pub fn fmu_tolerance(mut self, tolerance: f64) -> Self {
        self.description.experiment.fmu_tolerance = Some(tolerance.into());
        self
    }

    /// A step ends where this output crosses `level`, a number or another output; all instances are rolled back to find the place.
    #[must_use]
    pub fn event(mut self, output: &str, level: impl Into<Level>, direction: Direction) -> Self {
        let output = output.to_owned().into();
        self.description.events.indicators.push(IndicatorSettings { output, level: level.into(), direction });
        self
    }

    /// A step ends where this instance says that it must, by discarding a longer one with a last successful time.
    #[must_use]
    pub fn event_by_discard(mut self, instance: &str) -> Self {
        self.description.events.discards.push(instance.to_owned().into());
        self
    }

    /// doStep calls after which a `tolerance` is given up, default 300 000 or a hundred times those of the first run.
    #[must_use]
    pub fn max_calls(mut self, calls: f64) -> Self {
        self.description.experiment.max_calls = Some(calls.into());
        self
    }

    /// This instance acts at `offset` and whole periods before and after it \[s\]: a sampled controller. Steps end there, and just after it.
    #[must_use]
    pub fn event_every(mut self, instance: &str, every: f64, offset: f64) -> Self {
        let times = Times::Every { every: every.into(), offset: Some(offset.into()) };
        self.description.events.times.push(TimeEvents { instance: instance.to_owned().into(), times });
        self
    }

    /// This instance acts at these times \[s\]. Steps end there, and just after them.
    #[must_use]
    pub fn event_at(mut self, instance: &str, times: impl IntoIterator<Item = f64>) -> Self {
        let times = Times::At(times.into_iter().map(Into::into).collect());
        self.description.events.times.push(TimeEvents { instance: instance.to_owned().into(), times });
        self
    }

    /// How exactly events are located \[s\], default `max(1e-12, 4 ulp(t))`.
    #[must_use]
    pub fn event_tolerance(mut self, tolerance: f64) -> Self {
        self.description.experiment.event_tolerance = Some(tolerance.into());
        self
    }

    /// Rows are recorded at this distance \[s\] instead of at every step.
    #[must_use]
    pub fn output_interval(mut self, interval: f64) -> Self {
        self.description.experiment.output_interval = Some(interval.into());
        self.description.experiment.min_output_interval = None;
        self
    }

    /// Rows are recorded at the first steps that are not before multiples of this distance \[s\]; no step ends for them.
    #[must_use]
    pub fn min_output_interval(mut self, interval: f64) -> Self {
        self.description.experiment.min_output_interval = Some(interval.into());
        self.description.experiment.output_interval = None;
        self
    }

    /// Records these variables instead of all outputs. Each is a name, `instance.variable`; a pattern, in which `*` stands for any characters and
    /// `?` for one, all others for themselves; or one of the words `outputs`, `inputs`, `locals` and `parameters`. With `!` in front it leaves
    /// out what it matches. The last one that matches a variable decides, and where the first one leaves something out, it does so from the
    /// outputs. What is the name of a variable is no pattern. Columns come in the order of the instances and of their variables.
    ///
    /// ```
    /// # let prey = lotka::Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
    /// let system = lotka::System::new().instance_of("prey", &prey).stop(1.0).step(0.1);
    /// let simulation = system.record(&["prey.*", "!inputs", "!prey.b"]).build()?;
    /// let names: Vec<_> = simulation.columns().iter().map(|column| column.name.as_str()).collect();
    /// assert_eq!(names, ["prey.a", "prey.x", "prey.der(x)"]);
    /// # Ok::<(), lotka::Error>(())
    /// ```
    #[must_use]
    pub fn record(mut self, patterns: &[&str]) -> Self {
        let patterns: Vec<Located<String>> = patterns.iter().map(|&pattern| pattern.to_owned().into()).collect();
        self.description.results.variables = Some(patterns.into());
        self
    }
}
