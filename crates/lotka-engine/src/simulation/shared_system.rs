//! The system as all runs of a simulation share it.

use std::{collections::HashSet, sync::Arc};

use lotka_instance::{Instance, InstantiateOptions, LogMessage, Status};

use super::{
    CancelToken, InstanceReport, Model, ProgressToken,
    concurrent::ConcurrentModels,
    grids::Acts,
    inputs::ResolvedInputs,
    log_queue::LogQueue,
    noise::{self, Noise},
    switches::Switch,
};
use crate::{
    Error, InstantiationFailure,
    algorithm::{Calls, Coupled, Method, Overrides},
    error_control::global::scan::Scan,
    graph::{Graph, Plan},
    initialize::{self, SetUp, SteadyState},
    resolved::Resolved,
    source::Sources,
};
use lotka_message::{Code, Warning};

/// The resolved system. Runs share it and do not change it.
#[derive(Clone)]
pub struct SharedSystem {
    /// The system in indices.
    pub resolved: Resolved,
    /// Loops and evaluation order.
    pub graph: Graph,
    /// Start values and experiment per instance, set before the first step.
    pub set_up: Vec<SetUp>,
    /// Start values that are solved for before the first run.
    pub(crate) steady_state: SteadyState,
    /// Whether an FMU takes steps of one size only.
    pub(crate) same_size: bool,
    /// Whether to search for levels at which instances switch.
    pub(crate) seeks_switches: bool,
    /// Levels found by trial, at which steps end.
    pub(crate) switches: Vec<Switch>,
    /// Times at which instances act, found by trial, in addition to all time events.
    pub(crate) acts: Vec<Acts>,
    /// Results of the scan of the signals of instances without inputs.
    pub(crate) scan: Option<Arc<Scan>>,
    pub(crate) cancel: CancelToken,
    pub(crate) progress: ProgressToken,
}

impl SharedSystem {
    /// Takes the instances to their first communication point.
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn initialize(&self, coupled: &mut Coupled, set_up: &[SetUp]) -> Result<(), Box<Error>> {
        initialize::initialize(coupled, set_up, &self.graph)
    }

    /// The method of a run.
    #[must_use]
    pub fn method(&self, coupled: &Coupled) -> Method {
        Method::new(&self.resolved.algorithm, &self.graph.order, coupled)
    }

    /// Resolves the inputs; trial steps have the size `h` \[s\].
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn settle(&self, coupled: &mut Coupled, h: f64) -> Result<ResolvedInputs, Box<Error>> {
        let mut settled = super::inputs::settle(coupled, &self.resolved.algorithm, self.resolved.experiment.start, h)?;
        // A step then is the same forward and backward in time: exact, with inputs on the line between the values at both ends.
        settled.even_powers |= settled.is_linear(&coupled.plan) && self.steps_after_sources();
        Ok(settled)
    }

    /// Whether every instance steps after all sources of its inputs.
    fn steps_after_sources(&self) -> bool {
        let order = &self.graph.order;
        let place = |instance: usize| order.iter().position(|stepped| *stepped == instance);
        let mut ends =
            self.resolved.links.iter().flat_map(|link| link.sources.iter().map(|source| (source.instance, link.instance)));
        !self.resolved.algorithm.sweep.make().is_simultaneous() && ends.all(|(source, target)| place(source) < place(target))
    }

    /// Measures how inexact the rollback of the instances is, as far as this run rolls back: all of them with `all`, otherwise those in iterated
    /// loops. Trial steps have the size `h` \[s\]; instances that they disturb are initialized again.
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn measure_noise(&self, coupled: &mut Coupled, set_up: &[SetUp], all: bool, h: f64) -> Result<Vec<Noise>, Box<Error>> {
        let looping = self.looping();
        let found = noise::noise(coupled, |index| all || looping.contains(&index), self.resolved.experiment.start, h)?;
        if !found.is_empty() {
            self.initialize(coupled, set_up)?;
        }
        Ok(found)
    }

    /// Measures how the outputs of instances in iterated loops scatter while their inputs change smoothly; otherwise like
    /// [`SharedSystem::measure_noise`].
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn measure_scatter(&self, coupled: &mut Coupled, set_up: &[SetUp], h: f64) -> Result<Vec<Noise>, Box<Error>> {
        let looping = self.looping();
        let found = noise::scatter(coupled, |index| looping.contains(&index), self.resolved.experiment.start, h)?;
        if !looping.is_empty() {
            self.initialize(coupled, set_up)?;
        }
        Ok(found)
    }

    /// Instances in iterated loops.
    fn looping(&self) -> HashSet<usize> {
        let iterates = self.resolved.algorithm.iteration.is_some();
        let looping = self.graph.components.iter().filter(|component| iterates && component.is_loop);
        looping.flat_map(|component| component.members.iter().copied()).collect()
    }

    /// Resolves held inputs, with outputs as fresh as the FMUs allow, whatever the algorithm; trial steps have the size `h` \[s\].
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn settle_fresh(&self, coupled: &mut Coupled, h: f64) -> Result<ResolvedInputs, Box<Error>> {
        super::inputs::settle_fresh(coupled, &self.resolved.algorithm, self.resolved.experiment.start, h)
    }

    /// Number of parts into which the coupling scheme divides the steps of an instance.
    #[must_use]
    pub fn parts(&self, instance: usize) -> f64 {
        let is_last = self.graph.order.last() == Some(&instance);
        if self.resolved.algorithm.sweep.make().is_symmetric() && !is_last { 2.0 } else { 1.0 }
    }

    /// Start and stop time \[s\].
    #[must_use]
    pub fn span(&self) -> (f64, f64) {
        (self.resolved.experiment.start, self.resolved.experiment.stop)
    }
}

/// Coupled instances and their log.
pub struct InstanceSet {
    pub(crate) coupled: Coupled,
    pub(crate) log: LogQueue,
}

impl InstanceSet {
    /// Frees the instances. Returns the warnings that they log while they are freed.
    ///
    /// # Errors
    /// The first instance that ends its process.
    pub fn free(self) -> Result<Vec<Warning>, Box<Error>> {
        let freed: Vec<_> = self.coupled.members.into_iter().map(|member| member.instance.free()).collect();
        let lines = self.log.take().0.into_iter();
        let warnings = lines.filter(|line| line.status == Some(Status::Warning)).map(|line| line_warning(&line)).collect();
        freed.into_iter().collect::<Result<(), _>>().map_err(|error| Box::new(Error::Call(error)))?;
        Ok(warnings)
    }
}

/// Converts a logged line of an FMU to a warning.
pub fn line_warning(line: &LogMessage) -> Warning {
    Warning::new(Code::LoggedByFmu, format!("instance `{}`: {}", line.instance, line.message))
}

/// Creates instance sets: one for most runs, several for concurrent runs or after a failure.
#[derive(Clone)]
pub struct InstanceSetFactory {
    pub(super) names: Vec<String>,
    pub(super) fmus: Vec<Model>,
    pub(super) plan: Plan,
    /// Times that differ by no more than this are equal \[s\].
    pub(super) slack: f64,
    pub(super) overrides: Option<Box<Overrides>>,
    pub(super) debug_logging: bool,
    /// The models of a concurrent run.
    pub(super) concurrent: ConcurrentModels,
}

impl InstanceSetFactory {
    /// Instantiates all FMUs once more.
    ///
    /// # Errors
    /// [`Error::Instantiation`] with all instances that cannot be created.
    pub fn instance_set(&self) -> Result<InstanceSet, Box<Error>> {
        self.instance_set_of(&self.fmus)
    }

    /// Instantiates these FMUs, which differ only in the process in which they run.
    ///
    /// # Errors
    /// As for [`InstanceSetFactory::instance_set`].
    pub(super) fn instance_set_of(&self, fmus: &[Model]) -> Result<InstanceSet, Box<Error>> {
        let log = LogQueue::default();
        let options =
            InstantiateOptions { log: Some(log.sink()), logging_on: self.debug_logging, ..InstantiateOptions::default() };
        let (names, fmus) = (self.names.clone(), fmus.to_vec());
        let make = move |index: usize| fmus[index].instantiate(&names[index], &options);
        let (mut instances, mut failures) = (Vec::with_capacity(self.names.len()), Vec::new());
        for (index, name) in self.names.iter().enumerate() {
            match make(index) {
                Ok(instance) => instances.push(instance),
                Err(source) => failures.push(InstantiationFailure { instance: name.clone(), source }),
            }
        }
        if !failures.is_empty() {
            return Err(Box::new(Error::Instantiation(failures)));
        }
        // Allocated after the instances, so that the coupled data is contiguous in memory, which matters for many instances.
        let mut coupled = self.couple(instances);
        coupled.maker = Some(Box::new(move |index| make(index).ok()));
        Ok(InstanceSet { coupled, log })
    }

    /// Couples the instances of a set that was created with another plan for the same FMUs.
    pub fn couple_again(&self, instance_set: &mut InstanceSet) {
        let (members, maker) = (std::mem::take(&mut instance_set.coupled.members), instance_set.coupled.maker.take());
        instance_set.coupled = self.couple(members.into_iter().map(|member| member.instance).collect());
        instance_set.coupled.maker = maker;
    }

    fn couple(&self, instances: Vec<Box<dyn Instance>>) -> Coupled {
        let mut coupled = Coupled::new(self.plan.clone(), instances);
        let sources = self.fmus.iter().filter_map(|fmu| fmu.source().cloned()).collect();
        coupled.sources = Sources::new(&coupled.plan, sources, self.slack);
        coupled.overrides.clone_from(&self.overrides);
        coupled
    }

    /// The calls made to the instances, and their time.
    pub fn reports(&self, calls: &[Calls]) -> Vec<InstanceReport> {
        let each = self.names.iter().zip(&self.plan.units).zip(calls).take(self.plan.instances);
        each.map(|((name, unit), calls)| {
            let per_step = |is_called: bool| if is_called { calls.steps } else { 0 };
            InstanceReport {
                name: name.clone(),
                calls: vec![
                    ("set_real", per_step(!unit.input_references.is_empty())),
                    ("do_step", calls.steps),
                    ("get_real", per_step(!unit.outputs.is_empty())),
                    ("save", calls.saves),
                    ("restore", calls.restores),
                ],
                time: None,
            }
        })
        .collect()
    }

    /// Whether several instance sets can exist at a time.
    pub fn allows_several(&self) -> bool {
        self.fmus.iter().all(|fmu| !fmu.capabilities().only_once_per_process)
    }
}
