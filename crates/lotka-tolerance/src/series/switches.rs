//! Levels at which instances switch: instances are tried where signals are not smooth.

use std::sync::Arc;

use lotka_prepare::{
    mesh::Base,
    trial::switches::{Tried, find_kinks, find_stepwise},
};
use lotka_run::{RunTrial, SharedSystem};
use lotka_step::{
    Error,
    algorithm::{Coupled, Exchanged, Trace, followed},
    resolved::{Events, Interface},
};

use super::{job::Job, runs::Runs};
use crate::global::{NonsmoothPoint, Run};

/// Maximum number of trials in a search.
const TRIALS: u32 = 8;

/// Start before a place and end after it of a trial, in steps: an instance notices a level late.
const AROUND: (f64, f64) = (6.0, 2.5);

impl Runs<'_> {
    /// Whether all events are unrequested.
    pub(super) fn hides_events(&self) -> bool {
        let events = self.system.resolved.events.as_ref();
        let is_asked = |events: &Events| !events.discards.is_empty() || !events.event_mode.is_empty();
        events.is_some_and(|events| !is_asked(events) && events.indicators.len() == self.system.switches.len())
    }

    /// Whether steps could end where instances switch.
    pub(super) fn seeks_switches(&self) -> bool {
        self.can_try() && self.system.resolved.algorithm.is_open && self.system.seeks_switches
    }

    /// Whether instances can be tried in steps of any size.
    pub(super) fn can_try(&self) -> bool {
        let rolls_back = self.set_factory.fmus.iter().all(|fmu| fmu.capabilities().save_state);
        rolls_back && self.grids.is_empty() && !self.system.same_size
    }

    /// Says of one signal after the other whether it can have an event in addition to those before.
    pub(super) fn possible_events(&self) -> impl FnMut(usize) -> bool {
        let interfaces: Vec<_> = self.set_factory.fmus.iter().map(Interface::of).collect();
        let (plan, mut resolved) = (&self.set_factory.plan, self.system.resolved.clone());
        move |signal| {
            // Steps end at the jumps and kinks of sources anyway.
            let Some(instance) = plan.owner(signal).filter(|instance| *instance < resolved.instances) else { return false };
            let instance_plan = &plan.instances[instance];
            let output = (instance, instance_plan.output_references[signal - instance_plan.outputs.start]);
            // If the user specifies the method, its order is checked when the file is read.
            let Some(next) = resolved.with_event(output, (0.0, 0.0), &interfaces) else { return true };
            let is_possible = next.events_are_in_order(&interfaces);
            if is_possible {
                resolved = next;
            }
            is_possible
        }
    }

    /// Tries the instances at places where their signals are not smooth, or all without a place. Returns the first unknown
    /// result. Without one, tries how fast instances in loops follow each other.
    ///
    /// # Errors
    /// An FMU ended its process, or returned fmi2Fatal.
    pub(super) fn explain(&mut self, base: &Base, run: &Run, places: &[NonsmoothPoint]) -> Result<Tried, Box<Error>> {
        let tried = if self.seeks_switches() { self.find_switches(base, run, places)? } else { Tried::default() };
        if tried != Tried::default() {
            return Ok(tried);
        }
        Ok(Tried { stiffness: self.find_stiffness(base)?, ..tried })
    }

    fn find_switches(&mut self, base: &Base, run: &Run, places: &[NonsmoothPoint]) -> Result<Tried, Box<Error>> {
        if places.is_empty() {
            return self.find_stepwise(0..self.set_factory.names.len(), base, run);
        }
        let (subdivisions, seen) = (run.subdivisions, self.seen(&run.trace));
        for place in places {
            let tried = self.find_stepwise([place.instance], base, run)?;
            if tried.changes_runs() {
                return Ok(tried);
            }
            let reads = self
                .set_factory
                .plan
                .instances
                .get(place.instance)
                .is_some_and(|instance_plan| !instance_plan.input_references.is_empty());
            if !reads || self.n_trials >= TRIALS {
                continue;
            }
            let (start, stop) = self.system.span();
            let begin = place.time - AROUND.0 * place.width;
            if begin <= start + base.slack() {
                continue;
            }
            self.n_trials += 1;
            let until = (place.time + AROUND.1 * place.width).min(stop);
            let job = Job::divided(&Arc::new(base.before(begin)), subdivisions, self.expected_events(subdivisions));
            let made = self.one(&job.with_trial(Some(RunTrial::Switch { reader: place.instance, until, seen: &seen })))?;
            self.add_trials(&made.calls);
            if let Some(error) = made.error.filter(|error| error.ended_process() || error.is_fatal()) {
                return Err(Box::new(error));
            }
            let known = self.system.resolved.events.as_ref();
            let mut tried = made.findings.tried;
            tried.switches.retain(|switch| !switch.is_among(known));
            tried.bends.retain(|bend| !self.has_kinks(bend.instance));
            if tried != Tried::default() {
                return Ok(tried);
            }
        }
        Ok(Tried::default())
    }

    /// Whether steps end at kinks of an instance.
    pub(super) fn has_kinks(&self, instance: usize) -> bool {
        let has_levels = self.system.switches.iter().any(|switch| switch.is_fixed && switch.reader == instance);
        has_levels || self.system.bends.iter().any(|bend| bend.instance == instance)
    }

    /// Tries, once, whether outputs of instances are constant between jumps. Returns what is new.
    ///
    /// # Errors
    /// An FMU ended its process, or returned fmi2Fatal.
    pub(super) fn find_stepwise(
        &mut self,
        instances: impl IntoIterator<Item = usize>,
        base: &Base,
        run: &Run,
    ) -> Result<Tried, Box<Error>> {
        let (seen, h) = (self.seen(&run.trace), base.longest() / f64::from(run.subdivisions));
        let mut tried = Tried::default();
        if !self.seeks_switches() {
            return Ok(tried);
        }
        for instance in instances {
            let has_kinks = self.has_kinks(instance);
            let coupled = &mut self.instance_set.coupled;
            let reads = coupled.plan.instances.get(instance).is_some_and(|plan| !plan.input_references.is_empty());
            if !reads || !self.tried_stepwise.insert(instance) {
                continue;
            }
            let step = (self.system.span().0, h);
            if !begin(self.system, coupled)? {
                continue;
            }
            let found = find_stepwise(coupled, instance, step, &seen).unwrap_or_default();
            let mut calls = steps(coupled);
            if found.outputs.is_empty() && !has_kinks && begin(self.system, coupled)? {
                let found = find_kinks(coupled, instance, step, &seen).unwrap_or_default();
                tried.switches.extend(found.switches);
                tried.bends.extend(found.bends);
                calls += steps(coupled);
            }
            self.counters.n_trial_calls += calls;
            self.instance_set.log.take();
            tried.switches.extend(found.switches);
            tried.stepwise.extend(found.outputs);
        }
        let (known, events) = (&self.system.resolved.stepwise, self.system.resolved.events.as_ref());
        tried.stepwise.retain(|output| !known.contains(output));
        tried.switches.retain(|switch| !switch.is_among(events));
        Ok(tried)
    }

    /// The least and the largest value of each Real signal in a run; infinite if it was not followed.
    fn seen(&self, trace: &Trace) -> Vec<(f64, f64)> {
        let mut seen = vec![(f64::NEG_INFINITY, f64::INFINITY); self.set_factory.plan.signal_names.len()];
        for (followed, value_trace) in followed(&self.set_factory.plan).iter().zip(&trace.value_traces) {
            if let Exchanged::Real(signal) = followed.value {
                seen[signal] = (value_trace.low, value_trace.high);
            }
        }
        seen
    }
}

/// Initializes the instances. Returns false if they refuse.
///
/// # Errors
/// An FMU ended its process, or returned fmi2Fatal.
fn begin(system: &SharedSystem, coupled: &mut Coupled) -> Result<bool, Box<Error>> {
    coupled.begin();
    match system.initialize(coupled, &system.set_up) {
        Ok(()) => Ok(true),
        Err(error) if error.ended_process() || error.is_fatal() => Err(error),
        Err(_) => Ok(false),
    }
}

/// Number of steps since the instances began.
fn steps(coupled: &Coupled) -> u64 {
    coupled.calls().map(|calls| calls.steps).sum()
}
