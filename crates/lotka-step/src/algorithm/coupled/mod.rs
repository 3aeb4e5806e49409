//! The coupled instances: their signals and the step of one instance. Saved states are in `rollback.rs`.

mod discrete;
mod event_mode;
mod instance_step;
mod overrides;
mod refresh;
mod reread;
mod retained;
mod rollback;
mod rows;
mod signal_step;
mod slopes;
mod split_steps;
mod states;
mod values;

pub use event_mode::{conclude, exchange_at_once};

use std::fmt;

use lotka_instance::{Instance, RoundedSizes};
use lotka_plan::graph::{Gather, InstancePlan, Plan};

use crate::{
    algorithm::{
        Attempt, Calls, CoupledInstance, Pauses, PowerBonds, Refusal, Signals, Stop, Tracer,
        attempt::refuse,
        before_jump::BeforeJump,
        call::{Call, Route},
        event_modes::EventModes,
        overrides::Overrides,
        refresh::Refresh,
        saved_states::SavedStates,
        slope_faults::SlopeFaults,
        split_steps::SplitSteps,
    },
    renewal::Renewal,
    signal::{Delivery, InputSettings, InputSignals, Moment, Sources},
};

/// All instances with the values they exchange.
pub struct Coupled {
    /// The instances, then the sources.
    pub instances: Vec<CoupledInstance>,
    /// How instances return to their initial state, if there can be other ones.
    pub renewal: Option<Renewal>,
    /// Which input reads which signal.
    #[doc(hidden)]
    pub plan: Plan,
    /// Latest known values.
    pub newest: Signals,
    /// Values at the beginning of a pass, for coupling schemes that need them.
    pub held: Signals,
    /// The input signals of a step; `None` if all inputs are held.
    #[doc(hidden)]
    pub inputs: Option<Box<InputSignals>>,
    /// Signals that are known over each step, if there are any.
    pub sources: Option<Box<Sources>>,
    /// Variables that are set at known times, if there are any.
    pub overrides: Option<Box<Overrides>>,
    /// Instances that handle their events in event mode, if there are any.
    pub(super) event_modes: Option<Box<EventModes>>,
    /// How the outputs of each instance are refreshed; empty if none are.
    pub(super) refreshes: Vec<Refresh>,
    /// Records how values change from step to step, if a run needs it.
    pub tracer: Option<Box<Tracer>>,
    /// Records the steps in which an instance changes nothing, if a run needs it.
    pub pauses: Option<Box<Pauses>>,
    /// Slopes that instances refused to provide.
    pub slope_faults: SlopeFaults,
    /// Energy exchanged over power bonds, if there are any.
    pub bonds: Option<Box<PowerBonds>>,
    /// Whether all Real signals are finite at the end of the last pass, not only the connected ones.
    pub are_finite: bool,
    /// The size of all steps, without the rounding of times \[s\]; NaN if steps have many sizes.
    pub nominal: f64,
    /// Number of rollbacks.
    pub n_rollbacks: u64,
    /// Number of passes of all iterations.
    pub n_iterations: u64,
    pub(super) saved: SavedStates,
    pub(super) buffers: Buffers,
    pub(super) split_steps: SplitSteps,
    /// The input values that the FMUs assumed at the end of the step, indexed like [`Plan::gathers`].
    pub(super) used: Vec<f64>,
    /// Instances with unconnected integers, booleans and strings.
    pub(super) read_at_rows: Vec<usize>,
    /// What was known before the last jump; `None` if there was none.
    pub(super) before_jump: Option<Box<BeforeJump>>,
}

/// Buffers for the arguments of one call.
pub(super) struct Buffers {
    /// Inputs of an instance.
    pub(super) gathered: Vec<f64>,
    /// Changes of outputs of an instance.
    pub(super) changes: Vec<f64>,
    /// Derivative orders 1, 2, 3, one array each.
    pub(super) orders: [Vec<i32>; 3],
}

impl fmt::Debug for Coupled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.instances.iter().map(|instance| instance.inner.name()).collect();
        f.debug_struct("Coupled").field("instances", &names).field("newest", &self.newest).finish_non_exhaustive()
    }
}

impl Coupled {
    /// The instances, then the sources.
    #[must_use]
    pub fn new(plan: Plan, instances: Vec<Box<dyn Instance>>) -> Self {
        let widest = plan.instances.iter().map(|instance_plan| instance_plan.input_references.len()).max().unwrap_or(0);
        let at_rows = |instance_plan: &InstancePlan| instance_plan.discrete.as_ref().is_some_and(|discrete| !discrete.every_step);
        let mut coupled = Self {
            instances: instances
                .into_iter()
                .zip(&plan.instances)
                .map(|(instance, instance_plan)| CoupledInstance::new(instance, instance_plan))
                .collect(),
            renewal: None,
            read_at_rows: (0..plan.instances.len()).filter(|&index| at_rows(&plan.instances[index])).collect(),
            newest: Signals::new(&plan),
            held: Signals::new(&plan),
            inputs: None,
            sources: None,
            overrides: None,
            event_modes: EventModes::of(&plan),
            refreshes: Vec::new(),
            tracer: None,
            pauses: None,
            slope_faults: SlopeFaults::default(),
            bonds: None,
            are_finite: false,
            nominal: f64::NAN,
            n_rollbacks: 0,
            n_iterations: 0,
            saved: SavedStates::default(),
            buffers: Buffers {
                gathered: vec![0.0; widest],
                changes: vec![0.0; plan.instances.iter().map(|instance_plan| instance_plan.outputs.len()).max().unwrap_or(0)],
                orders: [1, 2, 3].map(|order| vec![order; plan.signal_names.len().max(widest)]),
            },
            split_steps: SplitSteps::default(),
            used: vec![0.0; plan.gathers.len()],
            before_jump: None,
            plan,
        };
        coupled.find_split_steps();
        coupled.choose_routes();
        coupled
    }

    /// Sets the input signals of a step and how outputs are refreshed.
    #[doc(hidden)]
    pub fn set_inputs(&mut self, settings: Option<InputSettings>, refreshes: Vec<Refresh>) {
        self.inputs = settings.map(|settings| Box::new(InputSignals::new(settings, &self.plan, &self.newest)));
        if let (Some(inputs), Some(sources)) = (&mut self.inputs, &self.sources) {
            inputs.know(sources, &self.plan);
        }
        let are_stale = refreshes.iter().all(|refresh| *refresh == Refresh::Stale);
        self.refreshes = if are_stale { Vec::new() } else { refreshes };
        self.choose_routes();
    }

    /// Chooses the shortest way to step each instance.
    pub(super) fn choose_routes(&mut self) {
        for (index, (instance, instance_plan)) in self.instances.iter_mut().zip(&self.plan.instances).enumerate() {
            let is_watched = self.bonds.as_ref().is_some_and(|bonds| bonds.involves(index));
            let inputs = self.inputs.as_ref();
            let takes_derivatives = inputs.is_some_and(|inputs| inputs.delivery(index) == Delivery::Derivatives);
            let sets_derivatives = takes_derivatives && inputs.is_some_and(|inputs| inputs.degree(index) > 0);
            let reads_slopes = inputs.is_some() && !instance_plan.slopes.is_empty();
            let keeps_inputs = self.refreshes.get(index) == Some(&Refresh::Derivative);
            let is_general = is_watched || sets_derivatives || reads_slopes || keeps_inputs || instance_plan.discrete.is_some();
            // Derivatives of inputs count from the beginning of a step.
            instance.in_parts &= !takes_derivatives;
            if is_general {
                instance.route = Route::General;
            } else {
                instance.choose_route(instance_plan, inputs.is_none());
            }
        }
    }

    /// Changes how a Real input is computed from now on; `input` is an index of [`Plan::gathers`].
    #[doc(hidden)]
    pub fn compute_input(&mut self, input: usize, gather: Gather) {
        if let Some(inputs) = &mut self.inputs {
            inputs.compute_input(input, &gather);
        }
        self.plan.gathers[input] = gather;
    }

    /// Whether all inputs are held during a step. They then need copying only, and no output is refreshed.
    #[inline]
    #[must_use]
    pub fn holds_inputs(&self) -> bool {
        self.inputs.is_none()
    }

    /// Whether an instance steps after its sources and reads their values at the end of the step.
    #[inline]
    #[must_use]
    pub fn is_memoryless(&self, index: usize) -> bool {
        self.inputs.as_ref().is_some_and(|inputs| inputs.delivery(index) == Delivery::End)
    }

    /// Whether the end values of all these instances are known before they step, because a loop is iterated.
    #[inline]
    #[must_use]
    pub fn knows_ends(&self, instances: &[usize]) -> bool {
        self.inputs.as_ref().is_some_and(|inputs| inputs.knows_ends(instances))
    }

    /// Begins a step at the newest values.
    #[inline]
    #[doc(hidden)]
    pub fn begin_step(&mut self, t: f64, h: f64) {
        if self.inputs.is_some() || self.bonds.is_some() || self.sources.is_some() {
            self.begin_signals(t, h);
        }
    }

    #[inline(never)]
    fn begin_signals(&mut self, t: f64, h: f64) {
        if let Some(inputs) = &mut self.inputs {
            inputs.begin_step(t, h, &self.newest);
        }
        if let Some(bonds) = &mut self.bonds {
            bonds.begin_step(&self.newest);
        }
        if let Some(sources) = &mut self.sources {
            sources.begin_step(t, h);
            sources.put(Moment::End, &mut self.newest);
            if let Some(inputs) = &mut self.inputs {
                inputs.set_pieces(sources);
            }
        }
    }

    /// Copies the source values at a moment of the present step into the newest values.
    #[inline]
    pub(crate) fn put_sources(&mut self, moment: Moment) {
        if let Some(sources) = &self.sources {
            sources.put(moment, &mut self.newest);
        }
    }

    /// Advances the sources to just after `time`.
    pub fn enter_sources(&mut self, time: f64) {
        if let Some(sources) = &self.sources {
            sources.enter(time, &mut self.newest);
        }
    }

    /// Makes the newest values the held ones; exactly `count` instances will step with them.
    #[inline]
    pub fn hold(&mut self, count: usize) {
        match &mut self.inputs {
            // Every value will be overwritten, so a swap replaces the copy.
            None if count == self.instances.len() => self.held.swap(&mut self.newest),
            None => self.held.copy_from(&self.newest),
            Some(inputs) => {
                inputs.hold();
                self.held.copy_from(&self.newest);
            }
        }
    }

    /// Clears the counts and overrides of an earlier run.
    #[doc(hidden)]
    pub fn begin(&mut self) {
        self.release_overrides();
        self.forget_saved();
        self.trust_rollback();
        self.count_first_steps();
        self.slope_faults = SlopeFaults::default();
        self.forget_events();
        self.instances.iter_mut().for_each(|instance| instance.renew());
        self.nominal = f64::NAN;
        self.end_early(false);
        self.step_in_parts(&[]);
        self.n_rollbacks = 0;
        self.n_iterations = 0;
    }

    /// The calls made to each instance since [`Coupled::begin`].
    pub fn calls(&self) -> impl Iterator<Item = Calls> {
        self.instances.iter().map(|instance| instance.calls)
    }

    /// Returns to these numbers of calls and rollbacks, after trials; returns the number of steps that these made.
    pub fn forget_calls(&mut self, calls: &[Calls], n_rollbacks: u64) -> u64 {
        self.n_rollbacks = n_rollbacks;
        let pairs = self.instances.iter_mut().zip(calls);
        pairs.map(|(instance, calls)| std::mem::replace(&mut instance.calls, *calls).steps - calls.steps).sum()
    }

    /// Name of an instance.
    #[must_use]
    pub fn name(&self, index: usize) -> &str {
        self.instances[index].inner.name()
    }

    /// Name of a Real signal, an index of `newest.reals`, as `instance.variable`.
    #[must_use]
    pub fn signal_name(&self, signal: usize) -> &str {
        &self.plan.signal_names[signal]
    }

    /// Returns a step with what it guarantees to the instance. A state from before the step may be restored
    /// unless this is the first step since a state was saved.
    #[inline]
    pub(super) fn call(&self, t: f64, h: f64) -> Call {
        Call { t, h, nominal: self.nominal, commit: t <= self.saved.restorable }
    }

    /// Expects that instances refuse these sizes, by index; those beyond the end accept all. If the run can begin again, it does
    /// so where an instance takes no step after one that it has refused.
    pub fn expect_refusals(&mut self, sizes: &[RoundedSizes], can_begin_again: bool) {
        let sizes = sizes.iter().copied().chain(std::iter::repeat(RoundedSizes::default()));
        self.instances.iter_mut().zip(sizes).for_each(|(instance, sizes)| instance.rounding.expect(sizes, can_begin_again));
    }

    /// Sets whether the steps of all instances end where one stops early.
    pub fn end_early(&mut self, ends_early: bool) {
        self.instances.iter_mut().for_each(|instance| instance.ends_early = ends_early);
    }

    /// Sets which instances make each step in two parts, by index; those beyond the end do not.
    pub fn step_in_parts(&mut self, in_parts: &[bool]) {
        let changes = |(index, instance): (usize, &mut CoupledInstance)| {
            let is_so = in_parts.get(index) == Some(&true);
            std::mem::replace(&mut instance.in_parts, is_so) != is_so
        };
        if self.instances.iter_mut().enumerate().filter_map(|each| changes(each).then_some(())).count() > 0 {
            self.choose_routes();
            self.find_split_steps();
        }
    }

    /// Marks a point where signals are not smooth: their past does not predict how they continue.
    pub fn restart_signals(&mut self, may_have_jumped: bool) {
        if let Some(inputs) = &mut self.inputs {
            inputs.restart();
        }
        self.restart_trace(true, may_have_jumped);
        if let Some(bonds) = &mut self.bonds {
            bonds.restart();
        }
    }

    /// Marks a point where signals jump or have a kink.
    pub fn restart_trace(&mut self, jumps: bool, may_have_jumped: bool) {
        if let Some(tracer) = &mut self.tracer {
            tracer.restart(&self.newest, jumps, may_have_jumped);
        }
    }

    /// Checks a pass over all instances: every connected output must be a finite number. If an instance failed
    /// because its input was not finite, the refusal names the source of that input.
    #[inline]
    #[doc(hidden)]
    pub fn check_finite(&mut self, pass: Attempt<()>) -> Attempt<()> {
        self.are_finite = self.newest.are_finite();
        if pass.is_continue() && self.are_finite { pass } else { self.refuse_not_finite(pass) }
    }

    #[cold]
    fn refuse_not_finite(&self, pass: Attempt<()>) -> Attempt<()> {
        if matches!(&pass, Attempt::Break(stop) if matches!(**stop, Stop::Refused(_))) {
            return pass;
        }
        let mut connected = self.plan.instances.iter().flat_map(InstancePlan::connected);
        match connected.find(|&signal| !self.newest.reals[signal].is_finite()) {
            Some(signal) => refuse(Refusal::NotFinite { signal, value: self.newest.reals[signal] }),
            None => pass,
        }
    }
}
