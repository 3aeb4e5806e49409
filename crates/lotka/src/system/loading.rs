//! Loads the FMUs of a system, and starts hosts for isolated ones.

use std::{collections::HashMap, path::Path, ptr, rc::Rc, sync::Arc, thread};

use fmu::{Archive, Fmu, OpenOptions, Unpacked};
use lotka_instance::{
    BehaviorRecord, HostOptions, InstanceFactory, InstantiationError, ModelDescription, Structure, StructureError,
};
use lotka_message::{Findings, Warning};
use lotka_plan::{graph::Graph, link::UnitConversion};
use lotka_run::{ConcurrentModel, Setup};
use lotka_step::{
    model::Model,
    resolved::{Interface, Resolved},
};
use lotka_system::{Guard, Isolation, check_own_grid, experiments, find_stop, resolve, sources};

use super::{System, declared::Declared, hosts, opening::Outcome};
use crate::{
    Error, Simulation,
    profile::{Profiled, Stopwatch},
    sampled::Sampled,
    workers::{Candidates, Workers},
};

/// An opened FMU, or a substitute.
#[derive(Clone)]
pub(super) struct Opened {
    pub(super) factory: Arc<dyn InstanceFactory>,
    /// Its instances run in this process and come from a file, so that they can also be created in a separate process.
    pub(super) is_here: bool,
    /// The values of structural parameters that the system gives.
    structure: Structure,
}

impl Opened {
    pub(super) fn new(factory: Arc<dyn InstanceFactory>, is_here: bool) -> Self {
        Self { factory, is_here, structure: Structure::default() }
    }

    fn interface(&self) -> Interface<'_> {
        let (description, capabilities) = (self.factory.description(), *self.factory.capabilities());
        Interface { path: self.factory.origin(), description, capabilities, source: None }
    }

    fn with_structure(&self, structure: &Structure) -> Result<Self, StructureError> {
        Ok(Self { factory: self.factory.with_structure(structure)?, is_here: self.is_here, structure: structure.clone() })
    }
}

/// An FMU before its library is loaded into this process. Until then, none of its code runs here, so several files can be opened
/// at the same time.
pub(super) enum Ready {
    Unpacked(Box<Unpacked>, OpenOptions),
    /// In a host.
    Hosted(Opened),
}

impl Ready {
    fn new(path: &Path, guard: &Guard) -> Result<Self, Box<dyn InstantiationError>> {
        let HostOptions { preload_global, cache, .. } = guard.options.clone();
        Ok(match guard.place {
            Isolation::Process => Self::Hosted(Opened::new(hosts::open(path, &guard.options)?, false)),
            Isolation::None => {
                let options = OpenOptions { preload_global, cache, ..OpenOptions::default() };
                Self::Unpacked(Box::new(Unpacked::open(path, &options)?), options)
            }
        })
    }

    fn load(self) -> Result<Opened, Box<dyn InstantiationError>> {
        Ok(match self {
            Self::Unpacked(unpacked, options) => Opened::new(Arc::new(Fmu::load(*unpacked, &options)?), true),
            Self::Hosted(opened) => opened,
        })
    }
}

/// Facts about a system that need no library.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Analysis {
    /// Loops and evaluation order.
    pub graph: Graph,
    /// Connections whose values are converted from one unit to another.
    pub conversions: Vec<UnitConversion>,
    /// Oddities that do not affect a run.
    pub warnings: Vec<Warning>,
}

impl System {
    /// Loads the FMUs, checks the system and instantiates.
    ///
    /// # Errors
    /// [`Error::Load`] with all FMUs that cannot be loaded, or [`Error::System`] with all problems of the description.
    pub fn build(&self) -> Result<Simulation, Error> {
        self.build_for(true)
    }

    /// Does what [`System::build`] does, but accepts a system without a stop time, for those who examine it and run nothing: a
    /// run would end 1 s after the start.
    ///
    /// # Errors
    /// As [`System::build`].
    pub fn build_to_examine(&self) -> Result<Simulation, Error> {
        self.build_for(false)
    }

    fn build_for(&self, is_run: bool) -> Result<Simulation, Error> {
        let mut findings = self.findings.clone();
        find_stop(&self.description.experiment, is_run, &mut findings);
        let guards = self.guards(&mut findings);
        let known = self.fmus.iter().map(|(name, fmu)| (name.clone(), Opened::new(fmu.clone(), true)));
        let mut parted = Vec::new();
        let settle = |files: &[Option<(&Path, &Guard)>], opened: &mut [Option<Outcome<Ready>>]| {
            self.part_clashing(files, opened, &mut parted)
        };
        let mut opened = self.for_each_instance(&guards, &findings, Ready::new, settle, Ready::load, &known.collect())?;
        let mut records = self.records(&opened);
        self.part_singles(&mut opened, &guards, &records, &mut parted)?;
        // What else is measured concerns communication steps, which a sampled instance does not have.
        for (_, record) in records.iter_mut().enumerate().filter(|(index, _)| self.sample_times(*index).is_some()) {
            *record = record.take().map(|measured| {
                let mut kept = BehaviorRecord::new();
                kept.repetition.clone_from(&measured.repetition);
                Arc::new(kept)
            });
        }
        let opened = self.with_structures(opened, &findings, Opened::interface, Opened::with_structure)?;
        let hosted: Vec<_> = opened.iter().filter(|opened| !opened.is_here).map(|opened| opened.factory.clone()).collect();
        let stopwatches: Vec<_> = opened.iter().filter(|_| self.execution.profile).map(|_| Stopwatch::default()).collect();
        let concurrent = self.concurrent(&opened, guards, &stopwatches);
        let workers = self.workers(&opened);
        let model = |(index, opened): (usize, Opened)| {
            check_own_grid(&self.description.instances[index], opened.factory.description(), &mut findings);
            let times = self.sample_times(index);
            let factory = match &workers {
                Some(workers) if self.may_share_threads(index, &opened) && times.is_none() => {
                    Candidates::wrap(opened.factory, workers)
                }
                _ => Profiled::wrap(opened.factory, stopwatches.get(index)),
            };
            Model::Factory(Sampled::wrap(factory, times))
        };
        let mut models: Vec<_> = opened.into_iter().enumerate().map(model).collect();
        let descriptions: Vec<_> = models.iter().map(Model::description).collect();
        let sources = sources::models(&self.description, &self.base, &descriptions, &mut findings);
        models.extend(sources.into_iter().map(Model::Source));
        let interfaces: Vec<_> = models.iter().map(Interface::of).collect();
        let (resolved, mut warnings) = resolve(&self.description, findings, &interfaces, &self.methods).map_err(Error::System)?;
        warnings.extend(parted);
        let descriptions: Vec<_> = models.iter().map(Model::description).collect();
        self.prepare_instances(&hosted);
        let engine = lotka_run::Simulation::new(Setup {
            names: self.description.names().into_iter().map(str::to_owned).collect(),
            experiments: experiments(&self.description, &resolved, &descriptions),
            resolved,
            models: models.clone(),
            concurrent,
            records,
            warnings,
            debug_logging: self.execution.debug_logging,
            // A profile measures one run at a time, and only runs whose results are used.
            threads: if self.execution.profile { Some(1) } else { self.execution.threads },
            series: lotka_tolerance::run,
        })?;
        let (description, findings, methods) = (self.description.clone(), self.findings.clone(), self.methods.clone());
        Ok(Simulation { engine, description, findings, methods, models, stopwatches })
    }

    /// Whether the model of the instance of this name is part of this program: it has no file.
    pub(super) fn is_linked(&self, name: &str) -> bool {
        self.fmus.get(name).is_some_and(|factory| factory.file().is_none())
    }

    /// The FMUs of a concurrent run, for those that neither their descriptions nor the user declares thread-safe.
    fn concurrent(
        &self,
        opened: &[Opened],
        guards: Vec<Guard>,
        stopwatches: &[Stopwatch],
    ) -> Vec<Option<Arc<dyn ConcurrentModel>>> {
        let guarded = opened.iter().zip(guards).enumerate();
        guarded
            .map(|(index, (opened, guard))| {
                let beside = || {
                    let (origin, structure) = (opened.factory.origin(), opened.structure.clone());
                    hosts::concurrent_model(origin, guard.options, structure, (stopwatches.get(index), self.sample_times(index)))
                };
                (opened.is_here && !self.may_share_threads(index, opened)).then(beside)
            })
            .collect()
    }

    /// The behavior record of every instance, each file read once.
    fn records(&self, opened: &[Opened]) -> Vec<Option<Arc<BehaviorRecord>>> {
        let mut read = HashMap::new();
        let mut record = |fmu: &Opened| {
            let file = fmu.factory.file()?;
            read.entry(file.to_owned()).or_insert_with(|| self.record_of(file).map(Arc::new)).clone()
        };
        opened.iter().map(&mut record).collect()
    }

    /// Whether an instance in this process may be used at the same time as others: the user or its FMU says so.
    fn may_share_threads(&self, index: usize, opened: &Opened) -> bool {
        opened.is_here && self.is_thread_safe(index, opened.factory.description())
    }

    /// Whether the FMU of an instance may be used by several threads: the user or the FMU says so.
    fn is_thread_safe(&self, index: usize, description: &ModelDescription) -> bool {
        let all = self.description.isolation.thread_safe.as_ref();
        let said = self.description.instances[index].isolation.thread_safe.as_ref().or(all).map(|said| said.value);
        said.unwrap_or(description.is_thread_safe)
    }

    /// Whether an FMU runs in a process of its own.
    pub(crate) fn has_hosts(&self) -> bool {
        self.guards(&mut Findings::default()).iter().any(|guard| guard.place == Isolation::Process)
    }

    /// The system for simulations on other threads than this one: FMUs in this process that are not known to be thread-safe, or
    /// permit one instance per process, get processes of their own. `None` if one of them is part of this program.
    pub(crate) fn for_another_thread(&self, models: &[Model]) -> Option<Self> {
        let mut parted = self.clone();
        let guards = self.guards(&mut Findings::default());
        for (index, (guard, model)) in guards.iter().zip(models).enumerate() {
            let may_share = self.is_thread_safe(index, model.description()) && !model.capabilities().only_once_per_process;
            if guard.place == Isolation::Process || may_share {
                continue;
            }
            let instance = &mut parted.description.instances[index];
            if self.is_linked(&instance.name.value) || cfg!(not(feature = "isolation")) {
                return None;
            }
            instance.isolation.isolation = Some(Isolation::Process.into());
        }
        Some(parted)
    }

    /// Maximum number of threads.
    pub(super) fn n_threads(&self) -> usize {
        self.execution.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
    }

    /// Threads for the steps of a single run. The runs of a series are made at the same time instead, and a profile needs steps
    /// one after the other.
    fn workers(&self, opened: &[Opened]) -> Option<Arc<Workers>> {
        let is_series = self.description.experiment.tolerance.is_some();
        let threads = self.n_threads();
        let is_of_use = threads > 1 && opened.len() > 1 && !is_series && !self.execution.profile;
        is_of_use.then(|| Workers::new(threads))
    }

    /// Analyzes the system from the model descriptions alone, without loading a library.
    ///
    /// # Errors
    /// As [`System::build`].
    pub fn analyze(&self) -> Result<Analysis, Error> {
        self.survey(|resolved, descriptions, warnings| {
            let sources = resolved.links.iter().flat_map(|link| &link.sources);
            let conversions = sources.filter_map(|source| source.conversion.clone()).collect();
            Analysis { graph: resolved.graph(descriptions), conversions, warnings }
        })
    }

    /// Checks the description against the model descriptions, without loading a library.
    pub(super) fn survey<T>(&self, then: impl FnOnce(Resolved, &[&ModelDescription], Vec<Warning>) -> T) -> Result<T, Error> {
        let mut findings = self.findings.clone();
        find_stop(&self.description.experiment, false, &mut findings);
        let guards = self.guards(&mut findings);
        let open = |path: &Path, _: &Guard| Ok(Declared::of(Archive::open(path, &OpenOptions::default())?));
        // One for each model, which many instances may share.
        let mut models = HashMap::new();
        let mut declared = |factory: &Arc<dyn InstanceFactory>| {
            let model = (ptr::from_ref(factory.description()), factory.origin().to_owned());
            models.entry(model).or_insert_with(|| Rc::new(Declared::by(factory.clone()))).clone()
        };
        let known = self.fmus.iter().map(|(name, factory)| (name.clone(), declared(factory))).collect();
        let declared =
            self.for_each_instance(&guards, &findings, open, |_, _| Ok(()), |declared| Ok(Rc::new(declared)), &known)?;
        let declared = self.with_structures(declared, &findings, |declared| declared.interface(), Declared::shared_with)?;
        let settings = self.description.instances.iter();
        let declared: Vec<_> = declared.iter().zip(settings).map(|(fmu, settings)| fmu.used(settings, &mut findings)).collect();
        let mut interfaces: Vec<_> = declared.iter().map(|declared| declared.interface()).collect();
        let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
        let sources = sources::models(&self.description, &self.base, &descriptions, &mut findings);
        interfaces.extend(sources.iter().map(|source| sources::interface(source)));
        let (resolved, warnings) = resolve(&self.description, findings, &interfaces, &self.methods).map_err(Error::System)?;
        let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
        Ok(then(resolved, &descriptions, warnings))
    }
}
