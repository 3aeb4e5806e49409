//! Coupled instances and their factory.

use lotka_instance::{Instance, InstantiateOptions, InstantiationError, LogMessage, ModelDescription, Status};
use lotka_message::{Code, Warning};
use lotka_plan::graph::Plan;
use lotka_step::{
    Error, InstantiationFailure,
    algorithm::{Calls, Coupled, Overrides},
    model::Model,
    renewal::{Maker, Renewal},
    signal::Sources,
};

use super::{InstanceReport, concurrent::ConcurrentModels, log_queue::LogQueue};

/// Coupled instances and their log.
pub struct InstanceSet {
    /// The instances.
    pub coupled: Coupled,
    /// What they have logged.
    pub log: LogQueue,
}

impl InstanceSet {
    /// Frees the instances. Returns the warnings that they log while they are freed.
    ///
    /// # Errors
    /// The first instance that ends its process.
    pub fn free(self) -> Result<Vec<Warning>, Box<Error>> {
        let freed: Vec<_> = self.coupled.instances.into_iter().map(|instance| instance.inner.free()).collect();
        let lines = self.log.take().0.into_iter();
        let warnings = lines.filter(|line| line.status == Some(Status::Warning)).map(|line| line_warning(&line)).collect();
        freed.into_iter().collect::<Result<(), _>>().map_err(|error| Box::new(Error::Call(error)))?;
        Ok(warnings)
    }
}

/// Makes instances of these models; their log lines go to this queue.
struct ModelInstances {
    names: Vec<String>,
    models: Vec<Model>,
    /// Per model: whether the events of its instance are handled in event mode.
    event_mode: Vec<bool>,
    options: InstantiateOptions,
    log: LogQueue,
}

impl ModelInstances {
    fn instantiate(&self, index: usize, options: &InstantiateOptions) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>> {
        let options = InstantiateOptions { event_mode: self.event_mode[index], ..options.clone() };
        self.models[index].instantiate(&self.names[index], &options)
    }
}

impl Maker for ModelInstances {
    fn make(&self, index: usize) -> Option<Box<dyn Instance>> {
        self.instantiate(index, &self.options).ok()
    }

    fn make_for_trial(&self, index: usize) -> Option<Box<dyn Instance>> {
        self.instantiate(index, &InstantiateOptions { log: None, ..self.options.clone() }).ok()
    }

    fn description(&self, index: usize) -> &ModelDescription {
        self.models[index].description()
    }

    fn unheard(&self, act: &mut dyn FnMut()) {
        let heard = self.log.take();
        act();
        self.log.set(heard);
    }
}

/// Converts a logged line of an FMU to a warning.
pub fn line_warning(line: &LogMessage) -> Warning {
    Warning::new(Code::LoggedByFmu, format!("instance `{}`: {}", line.instance, line.message))
}

/// Creates instance sets: one for most runs, several for concurrent runs or after a failure.
#[derive(Clone)]
pub struct InstanceSetFactory {
    /// Their names.
    pub names: Vec<String>,
    /// Their models.
    pub fmus: Vec<Model>,
    /// The plan of their coupling.
    pub plan: Plan,
    /// Times that differ by no more than this are equal \[s\].
    pub slack: f64,
    /// Variables that are set during the run.
    pub overrides: Option<Box<Overrides>>,
    /// What they have logged.
    pub debug_logging: bool,
    /// Whether inputs may be polynomials of time during a step.
    pub input_polynomials: bool,
    /// Size of trial steps \[s\].
    pub trial_step: f64,
    /// The models of concurrent runs.
    pub concurrent: ConcurrentModels,
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
    pub fn instance_set_of(&self, fmus: &[Model]) -> Result<InstanceSet, Box<Error>> {
        let log = LogQueue::default();
        let options = InstantiateOptions {
            log: Some(log.sink()),
            logging_on: self.debug_logging,
            input_polynomials: self.input_polynomials,
            ..InstantiateOptions::default()
        };
        let event_mode = self.plan.instances.iter().map(|instance_plan| instance_plan.uses_event_mode).collect();
        let maker = ModelInstances { names: self.names.clone(), models: fmus.to_vec(), event_mode, options, log: log.clone() };
        let (mut instances, mut failures) = (Vec::with_capacity(self.names.len()), Vec::new());
        for (index, name) in self.names.iter().enumerate() {
            match maker.instantiate(index, &maker.options) {
                Ok(instance) => instances.push(instance),
                Err(reason) => failures.push(InstantiationFailure::new(name, reason)),
            }
        }
        if !failures.is_empty() {
            return Err(Box::new(Error::Instantiation(failures)));
        }
        // Allocated after the instances, so that the coupled data is contiguous in memory, which matters for many instances.
        let mut coupled = self.couple(instances);
        coupled.renewal = Some(Renewal::new(Box::new(maker), self.names.len(), self.trial_step));
        Ok(InstanceSet { coupled, log })
    }

    /// Couples the instances of a set that was created with another plan for the same FMUs.
    pub fn couple_again(&self, instance_set: &mut InstanceSet) {
        instance_set.coupled.free_saved();
        let (instances, renewal) = (std::mem::take(&mut instance_set.coupled.instances), instance_set.coupled.renewal.take());
        instance_set.coupled = self.couple(instances.into_iter().map(|instance| instance.inner).collect());
        instance_set.coupled.renewal = renewal;
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
        let each = self.names.iter().zip(&self.plan.instances).zip(calls).take(self.plan.n_stepping);
        each.map(|((name, instance_plan), calls)| {
            let per_step = |is_called: bool| if is_called { calls.steps } else { 0 };
            InstanceReport {
                name: name.clone(),
                calls: vec![
                    ("set_real", per_step(!instance_plan.input_references.is_empty())),
                    ("do_step", calls.steps),
                    ("get_real", per_step(!instance_plan.outputs.is_empty())),
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
