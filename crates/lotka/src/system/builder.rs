//! Building a system in Rust.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use fmu::{Fmu, Folder};
use lotka_instance::InstanceFactory;
use lotka_message::{Code, Findings, nearest};
use lotka_step::{algorithm::MethodRegistry, resolved::Direction};
use lotka_system::{
    Connection, CsvSettings, EventLevel, IndicatorSettings, InstanceSettings, Interpolation, Located, Outside, Override,
    PowerBondSettings, Read, SourceSettings, SourceSignal, StartSetting, StartValue, Summand, SystemDescription, TimeEvents,
    Times,
};

#[cfg(feature = "formats")]
use lotka_formats::read;
#[cfg(not(feature = "formats"))]
use lotka_system::read;

use crate::Error;

/// How a simulation is executed and observed, without influence on the results.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Execution {
    /// Whether to measure the time spent in each instance.
    pub(super) profile: bool,
    /// Whether the FMUs log their actions.
    pub(super) debug_logging: bool,
    /// Maximum number of threads for concurrent runs.
    pub(super) threads: Option<usize>,
    /// Whether behavior records are ignored.
    pub(super) ignores_records: bool,
}

/// Description of a system, read from a file or built in Rust.
///
/// Nothing is checked or loaded before [`System::build`], which reports all problems at once.
///
/// ```no_run
/// # fn main() -> Result<(), lotka::Error> {
/// let mut simulation = lotka::System::from_file("examples/predator-prey/system.toml")?.stop(50.0).build()?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Default)]
pub struct System {
    pub(super) description: SystemDescription,
    /// Problems of the text of the file.
    pub(super) findings: Findings,
    pub(super) base: PathBuf,
    /// Factories of instances that do not come from files.
    pub(super) fmus: HashMap<String, Arc<dyn InstanceFactory>>,
    /// The methods that the description may name.
    pub(super) methods: MethodRegistry,
    pub(super) host_program: Option<PathBuf>,
    /// Folder of contents of archives.
    pub(super) cache: Option<PathBuf>,
    pub(super) execution: Execution,
    /// The folder of unpacked packages, kept while this system is in use.
    pub(super) folders: Vec<Arc<Folder>>,
}

impl System {
    /// Creates an empty system. Paths of FMUs are relative to the working directory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a system file: TOML, a system structure description (`.ssd`) or package (`.ssp`) of the standard SSP, a project of
    /// MasterSim (`.msim`), an `OspSystemStructure.xml`, or a multi-model of INTO-CPS (`mm.json`).
    ///
    /// Paths of FMUs in it are relative to the file. Append `#` and a name to choose one of several descriptions in a package:
    /// `plant.ssp#Winter.ssd`.
    ///
    /// # Errors
    /// The file cannot be read, or [`Error::System`]: its text is not TOML, or its instances cannot be identified.
    /// [`System::build`] reports all other problems, together with those that it finds.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, Error> {
        let Read { description, findings, base, folders } = read(path.as_ref())?;
        Ok(Self { description, findings, base, folders, ..Self::default() })
    }

    /// Returns the system as plain data.
    #[must_use]
    pub fn description(&self) -> &SystemDescription {
        &self.description
    }

    /// Returns the system as plain data for changes.
    pub fn description_mut(&mut self) -> &mut SystemDescription {
        &mut self.description
    }

    /// Adds an instance of the FMU in a file.
    #[must_use]
    pub fn instance(mut self, name: &str, fmu: impl Into<PathBuf>) -> Self {
        self.description.instances.push(InstanceSettings::new(name.to_owned().into(), fmu.into().into()));
        self
    }

    /// Adds an instance of a loaded FMU; many instances can share it.
    #[must_use]
    pub fn instance_of(self, name: &str, fmu: &Fmu) -> Self {
        self.instance_from(name, Arc::new(fmu.clone()))
    }

    /// Adds an instance that this factory makes: a Rust struct, an object of another language, or any other
    /// [`Instance`](crate::Instance). FMUs use the same interface.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use lotka::{
    ///     Memory, System,
    ///     instance::{
    ///         LocalFactory, LocalModel, ModelDescription, RealRef, StepOutcome,
    ///         description::{Causality, RealKind, Unknown, Variable, VariableKind},
    ///     },
    /// };
    ///
    /// /// `x' = -x`.
    /// #[derive(Clone)]
    /// struct Decay(f64);
    ///
    /// impl LocalModel for Decay {
    ///     fn do_step(&mut self, _t: f64, h: f64) -> Result<StepOutcome, String> {
    ///         self.0 *= (-h).exp();
    ///         Ok(StepOutcome::Complete)
    ///     }
    ///
    ///     fn real(&self, _: RealRef) -> Option<f64> {
    ///         Some(self.0)
    ///     }
    /// }
    ///
    /// let mut description = ModelDescription { model_name: "decay".to_owned(), ..ModelDescription::default() };
    /// let real = VariableKind::Real(RealKind::default());
    /// description.variables.push(Variable::new("x", 0, Causality::Output, real));
    /// description.outputs.push(Unknown { index: 0, dependencies: Some(Vec::new()) });
    /// let factory = Arc::new(LocalFactory::new(description, || Decay(1.0)));
    ///
    /// let mut rows = Memory::new();
    /// System::new().instance_from("a", factory).stop(1.0).step(0.1).build()?.run(&mut [&mut rows])?;
    /// let last = rows.real("a.x").and_then(|x| x.last().copied()).unwrap_or_default();
    /// assert!((last - (-1.0_f64).exp()).abs() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn instance_from(mut self, name: &str, factory: Arc<dyn InstanceFactory>) -> Self {
        let path = factory.origin().to_owned();
        self.fmus.insert(name.to_owned(), factory);
        self.instance(name, path)
    }

    /// Uses a loaded FMU for the instance of this name, instead of loading its file once more: its library, and the static data
    /// that it may have, are then those of all simulations that share it. An instance in a process of its own does not use it.
    ///
    /// ```
    /// # let fmu = lotka::Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
    /// let system = lotka::System::new().instance("prey", "prey.fmu").stop(1.0).step(0.1);
    /// // `fmu`: `Fmu::open("prey.fmu")?`, once for many systems.
    /// system.opened("prey", &fmu).build()?.run(&mut [])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn opened(mut self, name: &str, fmu: &Fmu) -> Self {
        self.fmus.insert(name.to_owned(), Arc::new(fmu.clone()));
        self
    }

    /// Samples the inputs of an instance that was added at the start and at every multiple of this time after it \[s\], and holds
    /// them and its outputs in between: the instance makes steps of this size, whatever the communication steps.
    ///
    /// ```
    /// let system = lotka::System::new().instance("controller", "controller.fmu").sample_time("controller", 0.5);
    /// assert!(system.description().instances[0].sample_time.is_some());
    /// ```
    #[must_use]
    pub fn sample_time(mut self, instance: &str, seconds: f64) -> Self {
        let instances = &mut self.description.instances;
        match instances.iter_mut().find(|known| known.name.value == instance) {
            Some(known) => known.sample_time = Some(seconds.into()),
            None => {
                let help = nearest(instance, instances.iter().map(|known| known.name.value.as_str()));
                let message = format!("cannot sample an unknown instance `{instance}`");
                self.findings.error(Code::UnknownInstance, &None, message, help);
            }
        }
        self
    }

    /// Adds a source of signals that are known before the run: a table in a file, whose columns are its outputs, or a formula,
    /// whose output is `y`. Steps end at its jumps.
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

    /// Adds the columns of a CSV file as a source. Values are linear between rows; rows of the same time are a jump.
    #[must_use]
    pub fn source_csv(self, name: &str, path: impl Into<PathBuf>) -> Self {
        let path = path.into().into();
        let csv = CsvSettings { path, interpolation: Interpolation::Linear, outside: Outside::Error };
        self.source(name, SourceSignal::Csv(csv))
    }

    /// Sets an input or a tunable parameter from a time \[s\] on, instead of the value that is connected to it. The text is
    /// parsed as the type of the variable.
    #[must_use]
    pub fn set_at(self, time: f64, variable: &str, value: impl ToString) -> Self {
        let set = vec![StartSetting::new(variable.to_owned(), StartValue::Unparsed(value.to_string()))];
        self.scenario(Override { at: time.into(), until: None, set, add: Vec::new() })
    }

    /// Sets inputs and tunable parameters for a while, or adds to their connected values.
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
        let source = |&(from, factor): &(&str, f64)| Summand { factor, ..Summand::new(from.to_owned()) };
        let sources = outputs.iter().map(source).collect();
        self.description.connections.push(Connection { input: input.to_owned().into(), sources });
        self
    }

    /// Records the energy that passes between two instances.
    ///
    /// One of them has an output that is an effort, the other one an output that is a flow (both as `instance.variable`). Their
    /// product is a power, and each instance reads the output of the other.
    #[must_use]
    pub fn power_bond(mut self, name: &str, effort: &str, flow: &str) -> Self {
        let [name, effort, flow] = [name, effort, flow].map(|text| text.to_owned().into());
        self.description.power_bonds.push(PowerBondSettings { name, effort, flow });
        self
    }

    /// Sets the start time \[s\], default 0.
    #[must_use]
    pub fn start(mut self, time: f64) -> Self {
        self.description.experiment.start = Some(time.into());
        self
    }

    /// Sets the stop time \[s\].
    #[must_use]
    pub fn stop(mut self, time: f64) -> Self {
        self.description.experiment.stop = Some(time.into());
        self
    }

    /// Sets the value below which errors are judged absolutely; 0 makes `tolerance` purely relative.
    #[must_use]
    pub fn absolute_tolerance(mut self, tolerance: f64) -> Self {
        self.description.experiment.absolute_tolerance = Some(tolerance.into());
        self
    }

    /// Sets the tolerance that the FMUs receive. The default is that of their default experiment, or with `tolerance` a hundredth
    /// of it.
    #[must_use]
    pub fn fmu_tolerance(mut self, tolerance: f64) -> Self {
        self.description.experiment.fmu_tolerance = Some(tolerance.into());
        self
    }

    /// Ends a step where this output crosses `level`, a number or another output. All instances roll back to locate that time.
    ///
    /// ```
    /// use lotka::{Direction, System};
    ///
    /// let system = System::new().instance("tank", "tank.fmu").event("tank.level", 2.0, Direction::Up);
    /// assert_eq!(system.description().events.indicators[0].output.value, "tank.level");
    /// ```
    #[must_use]
    pub fn event(mut self, output: &str, level: impl Into<EventLevel>, direction: Direction) -> Self {
        let output = output.to_owned().into();
        self.description.events.indicators.push(IndicatorSettings { output, level: level.into(), direction });
        self
    }

    /// Ends a step where this instance requests it, by discarding a longer step with a last successful time.
    #[must_use]
    pub fn event_by_discard(mut self, instance: &str) -> Self {
        self.description.events.discards.push(instance.to_owned().into());
        self
    }

    /// Handles the events of this instance in event mode (FMI 3.0): a step ends at each of them. Under error control this holds
    /// for every instance that has event mode.
    #[must_use]
    pub fn event_mode(mut self, instance: &str) -> Self {
        self.description.events.event_mode.push(instance.to_owned().into());
        self
    }

    /// Sets the number of doStep calls after which a run with `tolerance` ends without reaching it. The default is 300 000 or a
    /// hundred times the calls of the first run, whichever is larger.
    #[must_use]
    pub fn max_calls(mut self, calls: u64) -> Self {
        self.description.experiment.max_calls = Some((calls as f64).into());
        self
    }

    /// Declares that this instance acts at `offset` and whole periods before and after it \[s\], like a sampled controller. Steps
    /// end there, and just after it.
    #[must_use]
    pub fn event_every(mut self, instance: &str, every: f64, offset: f64) -> Self {
        let times = Times::Every { every: every.into(), offset: Some(offset.into()) };
        self.description.events.times.push(TimeEvents { instance: instance.to_owned().into(), times });
        self
    }

    /// Declares that this instance acts at these times \[s\]. Steps end there, and just after them.
    #[must_use]
    pub fn event_at(mut self, instance: &str, times: impl IntoIterator<Item = f64>) -> Self {
        let times = Times::At(times.into_iter().map(Into::into).collect());
        self.description.events.times.push(TimeEvents { instance: instance.to_owned().into(), times });
        self
    }

    /// Sets the accuracy of event localization \[s\], default `max(1e-12, 4 ulp(t))`.
    #[must_use]
    pub fn event_tolerance(mut self, tolerance: f64) -> Self {
        self.description.experiment.event_tolerance = Some(tolerance.into());
        self
    }

    /// Records rows at this distance \[s\]. The default is every step, and with [`System::tolerance`] a hundredth of the
    /// experiment.
    #[must_use]
    pub fn output_interval(mut self, interval: f64) -> Self {
        self.description.experiment.output_interval = Some(interval.into());
        self.description.experiment.min_output_interval = None;
        self
    }

    /// Records a row at the first step at or after each multiple of this distance \[s\]. No step ends because of a row.
    #[must_use]
    pub fn min_output_interval(mut self, interval: f64) -> Self {
        self.description.experiment.min_output_interval = Some(interval.into());
        self.description.experiment.output_interval = None;
        self
    }

    /// Records these variables instead of all outputs.
    ///
    /// Each entry is one of these:
    ///
    /// - a name, `instance.variable`;
    /// - a pattern, in which `*` stands for any characters and `?` for one. The name of a variable is not a pattern;
    /// - one of the words `outputs`, `inputs`, `locals` and `parameters`.
    ///
    /// A leading `!` leaves out the matching variables. The last matching entry decides. If the first entry leaves something out,
    /// it does so from the outputs. Columns come in the order of the instances and of their variables.
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
