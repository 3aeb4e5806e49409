//! The system as all runs of a simulation share it.

use std::{collections::HashSet, sync::Arc};

use lotka_instance::RoundedSizes;
use lotka_plan::graph::Graph;
use lotka_prepare::{
    initialize::{self, SteadyState},
    mesh::Scan,
    trial::{
        ResolvedInputs, Trials,
        grids::Acts,
        noise::{self, Noise},
        switches::{Bend, Switch},
    },
};
use lotka_step::{
    Error,
    algorithm::{Coupled, Method},
    renewal::SetUp,
    resolved::Resolved,
};

use super::{CancelToken, ProgressToken};

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
    pub steady_state: SteadyState,
    /// Whether an FMU takes steps of one size only.
    pub same_size: bool,
    /// The sizes off by the rounding of times that instances are known to refuse in runs with fixed steps, by index.
    pub refused_sizes: Vec<RoundedSizes>,
    /// The sizes of internal steps that test runs have shown \[s\], by index.
    pub own_steps: Vec<Option<f64>>,
    /// Whether to search for levels at which instances switch.
    pub seeks_switches: bool,
    /// Levels found by trial steps, at which steps end.
    pub switches: Vec<Switch>,
    /// Responses of instances that mark kinks, at which steps end.
    pub bends: Vec<Bend>,
    /// Times at which instances act, found by trial steps, in addition to all time events.
    pub acts: Vec<Acts>,
    /// Results of the scan of the signals of instances without inputs.
    pub scan: Option<Arc<Scan>>,
    /// Ends runs.
    pub cancel: CancelToken,
    /// Shows their progress.
    pub progress: ProgressToken,
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

    /// Resolves the inputs; trial steps have the size `h` \[s\]. `set_up` is that of the initialized instances; `is_session`
    /// states that variables may change at any time.
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn settle(
        &self,
        coupled: &mut Coupled,
        set_up: &[SetUp],
        h: f64,
        is_session: bool,
    ) -> Result<ResolvedInputs, Box<Error>> {
        let algorithm = &self.resolved.algorithm;
        let mut settled = lotka_prepare::trial::settle(coupled, algorithm, &self.trials(set_up, h, is_session))?;
        // A step then is the same forward and backward in time: exact, with inputs on the line between the values at both ends.
        settled.even_powers |= settled.is_linear(&coupled.plan) && (self.steps_after_sources() || self.knows_ends());
        Ok(settled)
    }

    /// Whether loops are solved for the values at the end of each step, as exactly as possible.
    fn knows_ends(&self) -> bool {
        self.resolved.algorithm.iteration.as_ref().is_some_and(|iteration| iteration.is_tight)
    }

    /// Whether every instance steps after all sources of its inputs.
    fn steps_after_sources(&self) -> bool {
        let mut place = vec![None; self.set_up.len()];
        self.graph.order.iter().enumerate().for_each(|(position, &instance)| place[instance] = Some(position));
        let mut ends =
            self.resolved.links.iter().flat_map(|link| link.sources.iter().map(|source| (source.instance, link.instance)));
        !self.resolved.algorithm.sweep.make().is_simultaneous() && ends.all(|(source, target)| place[source] < place[target])
    }

    /// Measures how inexact the rollback of the instances is, as far as this run rolls back: all of them with `all`, otherwise
    /// those in iterated loops. Trial steps have the size `h` \[s\]; instances that they disturb are initialized again.
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

    /// Refuses an iteration tolerance that is too small for the noise of the instances in iterated loops.
    ///
    /// # Errors
    /// [`Error::BelowNoise`] with the output that needs the largest tolerance.
    pub fn check_noise_of_loops(&self, coupled: &Coupled, found: &[Noise]) -> Result<(), Box<Error>> {
        let Some(iteration) = &self.resolved.algorithm.iteration else { return Ok(()) };
        let looping = self.looping();
        let found: Vec<_> = found.iter().filter(|noise| looping.contains(&noise.instance)).copied().collect();
        noise::check(coupled, &found, "iteration-tolerance", iteration.tolerances)
    }

    /// Measures how the outputs of instances in iterated loops scatter while their inputs change smoothly; otherwise like
    /// [`SharedSystem::measure_noise`].
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn measure_output_noise(&self, coupled: &mut Coupled, set_up: &[SetUp], h: f64) -> Result<Vec<Noise>, Box<Error>> {
        let looping = self.looping();
        let found = noise::of_outputs(coupled, |index| looping.contains(&index), self.resolved.experiment.start, h)?;
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

    /// Resolves held inputs, with outputs as fresh as the FMUs allow, whatever the algorithm; trial steps have the size `h`
    /// \[s\].
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn settle_fresh(&self, coupled: &mut Coupled, h: f64) -> Result<ResolvedInputs, Box<Error>> {
        lotka_prepare::trial::settle_fresh(coupled, &self.resolved.algorithm, &self.trials(&self.set_up, h, false))
    }

    /// Trials with steps of `h` \[s\], or half of what is left.
    fn trials<'a>(&self, set_up: &'a [SetUp], h: f64, is_session: bool) -> Trials<'a> {
        let (start, stop) = self.span();
        let h = if self.same_size { h } else { h.min(0.5 * (stop - start)) };
        Trials { set_up, t: start, h, jumps: is_session || self.resolved.algorithm.reads_again() }
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
