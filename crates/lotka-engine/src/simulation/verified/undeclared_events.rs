//! Undeclared events: the search restarts with levels and times found by trial steps of the instances.

use lotka_instance::ModelDescription;

use super::{
    super::{
        Report,
        build::lay_out,
        describe::describe,
        grids::{self, Acts},
        instance_set::{InstanceSet, InstanceSetFactory},
        shared_system::SharedSystem,
        switches::{Switch, Tried},
    },
    FoundSwitch, FoundTimes, Outcome, Refined, Verification, emit, implicit, or_better,
    runs::{Runs, Spent},
    scan::FoundCorner,
    switches,
};
use crate::{
    Error,
    error_control::global::{Next, corner::Corner},
    graph::Graph,
    record::{Notification, Observer},
    resolved::{Interface, Resolved, Verified},
};

/// Maximum number of levels: a moving level appears as several.
const MOST: usize = 6;

/// Maximum number of findings that are named.
const NAMED: usize = 4;

/// Makes the runs, repeatedly with other events, as long as trials find where an instance switches or when it acts. Returns their cost and their
/// result.
pub(super) fn repeat_with_found_events(
    set_factory: &InstanceSetFactory,
    instance_set: &mut InstanceSet,
    system: &SharedSystem,
    verified: &Verified,
    mut spent: Box<Spent>,
    observers: &mut [&mut dyn Observer],
) -> (Report, Outcome) {
    let (mut found, mut n_trials, mut doubt) = (None::<(InstanceSetFactory, SharedSystem)>, 0, None::<String>);
    let (mut earlier_calls, mut is_tightened, mut tried_stiffness, mut best) = (0, false, false, None);
    let result = loop {
        let (own, amended) = found.as_ref().map_or((set_factory, system), |(set_factory, system)| (set_factory, system));
        let mut runs = Runs::new(own, instance_set, amended, verified, None);
        runs.add_spent(&spent);
        (runs.n_trials, runs.earlier_calls, runs.tried_stiffness) = (n_trials, earlier_calls, tried_stiffness);
        let made = one(&mut runs, own, verified, observers);
        let others = Tried { switches: std::mem::take(&mut runs.other_switches), ..Tried::default() };
        let next = match if others.changes_runs() { Made::Switches(others) } else { made } {
            Made::Outcome(outcome) if !amended.bends.is_empty() && has_chattered(&outcome) => {
                Err("kinks of outputs follow each other at once")
            }
            Made::Outcome(outcome) => match if is_tightened { None } else { runs.tightened(&outcome) } {
                Some((tightened, what)) => {
                    (earlier_calls, is_tightened) = (runs.calls(), true);
                    best = outcome.ok().and_then(|(_, verdict)| verdict).map(Box::new);
                    Ok((own.clone(), tightened, what))
                }
                None => break (runs.report(), doubted(or_better(*outcome, best), doubt)),
            },
            Made::Amended(next) => Ok(with_description(*next, amended)),
            Made::Switches(tried) if tried.suits_implicit() => {
                let before = runs.spent();
                match implicit::make(own, amended, runs.instance_set, verified, &before, observers) {
                    Ok(made) => break made,
                    Err(in_vain) => {
                        runs.set_spent(&in_vain.spent);
                        (earlier_calls, best) = (runs.calls(), in_vain.best);
                        Ok((own.clone(), amended.clone(), implicit::IN_VAIN.to_owned()))
                    }
                }
            }
            Made::Switches(tried) if n_movable(&amended.switches) + n_movable(&tried.switches) > MOST => {
                let all: Vec<_> = amended.switches.iter().chain(&tried.switches).collect();
                doubt = all.into_iter().find(|switch| switch.is_declared_elsewhere(&system.resolved)).map(|switch| {
                    let FoundSwitch { instance, variable, .. } = switches::found(own, switch);
                    format!(
                        "`{instance}` switches close to the level of `{variable}` in `[events]`, but not at it: every run \
                             may switch equally late"
                    )
                });
                Err("switching levels of instances move, or are too many")
            }
            Made::Switches(tried) => {
                let next = with_switches(own, amended, tried).ok_or("steps cannot end where instances switch");
                next.map(|next| with_description(next, amended))
            }
        };
        let next = match next {
            Ok(next) => next,
            Err(why) => {
                let what = format!("{why}; Lotka restarts without such events");
                (set_factory.clone(), SharedSystem { seeks_switches: false, ..system.clone() }, what)
            }
        };
        emit(observers, &Notification::MethodChanged { what: &next.2 });
        (n_trials, tried_stiffness, spent) = (runs.n_trials, runs.tried_stiffness, Box::new(runs.spent()));
        next.0.couple_again(instance_set);
        found = Some((next.0, next.1));
    };
    set_factory.couple_again(instance_set);
    result
}

/// Whether all runs failed because events followed each other at once.
fn has_chattered(outcome: &Outcome) -> bool {
    outcome.as_ref().is_err_and(|error| matches!(**error, Error::Chatter { .. }))
}

/// Number of levels that may move.
fn n_movable(switches: &[Switch]) -> usize {
    switches.iter().filter(|switch| !switch.is_fixed).count()
}

/// Marks a result as invalid if there is a reason.
fn doubted(mut outcome: Outcome, doubt: Option<String>) -> Outcome {
    if let (Ok((_, Some(verdict))), Some(reason)) = (&mut outcome, doubt)
        && verdict.error.reached
    {
        verdict.doubt(reason);
    }
    outcome
}

/// The result of the runs of a system.
enum Made {
    Outcome(Box<Outcome>),
    /// An instance switches there.
    Switches(Tried),
    /// Instances act at known times: the system with these times.
    Amended(Box<(InstanceSetFactory, SharedSystem)>),
}

fn one<'a>(
    runs: &mut Runs<'a>,
    set_factory: &'a InstanceSetFactory,
    verified: &'a Verified,
    observers: &mut [&mut dyn Observer],
) -> Made {
    let mut verification = match Verification::new(runs, set_factory, verified, observers) {
        Ok(verification) => verification,
        Err(error) => return Made::Outcome(Box::new(Err(error))),
    };
    let mut refined = verification.refine(observers);
    if verification.tried.changes_runs() {
        return Made::Switches(std::mem::take(&mut verification.tried));
    }
    if let Ok(Refined::Done) = refined {
        match verification.find_acts() {
            Ok(Some(next)) => return Made::Amended(Box::new(next)),
            Ok(None) => {}
            // The rows of the earlier runs are results.
            Err(error) => refined = Ok(Refined::Lost(error)),
        }
    }
    Made::Outcome(Box::new(refined.and_then(|refined| verification.verdict(refined, observers))))
}

impl Verification<'_, '_> {
    /// Finds when instances with internal steps of fixed size act, if no result meets the tolerance. Returns the system with steps that end at
    /// these times, if all such instances only follow their samples. Others may integrate with steps that are too large, or that can become so;
    /// only the user knows.
    ///
    /// # Errors
    /// An FMU ended its process, or returned fmi2Fatal.
    fn find_acts(&mut self) -> Result<Option<(InstanceSetFactory, SharedSystem)>, Box<Error>> {
        if self.next == Some(Next::Reached) || self.runs.grids.is_empty() || self.runs.system.same_size {
            return Ok(None);
        }
        self.acts = self.runs.find_acts()?;
        let is_all = self.acts.len() == self.runs.grids.len() && self.acts.iter().all(|acts| !acts.has_memory);
        Ok(if is_all { with_acts(self.set_factory, self.runs.system, &self.acts) } else { None })
    }
}

impl Runs<'_> {
    fn find_acts(&mut self) -> Result<Vec<Acts>, Box<Error>> {
        let coupled = &mut self.instance_set.coupled;
        let mut acts = Vec::new();
        for grid in &self.grids {
            coupled.begin();
            match self.system.initialize(coupled, &self.system.set_up) {
                Ok(()) => acts.extend(grids::acts(coupled, grid, self.system.span())),
                Err(error) if error.ended_process() || error.is_fatal() => return Err(error),
                Err(_) => {}
            }
            self.counters.n_trial_calls += coupled.calls().map(|calls| calls.steps).sum::<u64>();
            self.instance_set.log.take();
        }
        Ok(acts)
    }
}

/// The same system with events where an instance switches; `None` if events are not possible there.
fn with_switches(
    set_factory: &InstanceSetFactory,
    system: &SharedSystem,
    Tried { switches: found, stepwise, bends, .. }: Tried,
) -> Option<(InstanceSetFactory, SharedSystem)> {
    let interfaces: Vec<_> = set_factory.fmus.iter().map(Interface::of).collect();
    let system = SharedSystem { resolved: system.resolved.with_stepwise(&stepwise, &interfaces), ..system.clone() };
    let (set_factory, system) = match bends.is_empty() {
        true => (set_factory.clone(), system),
        false => amended(set_factory, &system, &[()], |resolved, (), interfaces| resolved.with_kinks(interfaces))?,
    };
    let (set_factory, mut system) = amended(&set_factory, &system, &found, |resolved, switch, interfaces| {
        resolved.with_event(switch.source, (switch.level, switch.margin()), interfaces)
    })?;
    system.switches.extend(found);
    system.bends.extend(bends);
    Some((set_factory, system))
}

/// The same system with times at which instances act; `None` if there are too many, or the tolerance is too small.
fn with_acts(
    set_factory: &InstanceSetFactory,
    system: &SharedSystem,
    found: &[Acts],
) -> Option<(InstanceSetFactory, SharedSystem)> {
    let (set_factory, mut system) = amended(set_factory, system, found, |resolved, acts, interfaces| {
        resolved.with_times(acts.instance, (acts.every, acts.offset), interfaces)
    })?;
    system.acts.extend_from_slice(found);
    Some((set_factory, system))
}

/// The same system with steps that end at corners of signals; `None` if that is not possible.
pub(super) fn with_corners(
    set_factory: &InstanceSetFactory,
    system: &SharedSystem,
    found: &[FoundCorner],
) -> Option<(InstanceSetFactory, SharedSystem)> {
    let corners: Vec<Corner> = found.iter().map(|found| found.corner).collect();
    amended(set_factory, system, &[corners], |resolved, corners, interfaces| Some(resolved.with_corners(corners, interfaces)))
}

/// The same instances with the settings that `add` changes for each finding.
fn amended<T>(
    set_factory: &InstanceSetFactory,
    system: &SharedSystem,
    found: &[T],
    add: impl Fn(&Resolved, &T, &[Interface<'_>]) -> Option<Resolved>,
) -> Option<(InstanceSetFactory, SharedSystem)> {
    let interfaces: Vec<_> = set_factory.fmus.iter().map(Interface::of).collect();
    let resolved = found.iter().try_fold(system.resolved.clone(), |resolved, found| add(&resolved, found, &interfaces))?;
    let descriptions: Vec<&ModelDescription> = interfaces.iter().map(|interface| interface.description).collect();
    let steps = resolved.graph(&descriptions);
    let names: Vec<&str> = set_factory.names.iter().map(String::as_str).collect();
    let (plan, overrides) = lay_out(&resolved, &steps, &names, &interfaces);
    let graph = Graph { order: steps.order, components: steps.components, ..system.graph.clone() };
    Some((InstanceSetFactory { plan, overrides, ..set_factory.clone() }, SharedSystem { resolved, graph, ..system.clone() }))
}

/// Converts the times to names.
pub(super) fn found(set_factory: &InstanceSetFactory, acts: &Acts) -> FoundTimes {
    FoundTimes { instance: set_factory.names[acts.instance].clone(), every: acts.every, offset: acts.offset }
}

/// Adds a description of the new findings and the resulting method.
fn with_description(
    (set_factory, system): (InstanceSetFactory, SharedSystem),
    before: &SharedSystem,
) -> (InstanceSetFactory, SharedSystem, String) {
    let switches = system.switches[before.switches.len()..].iter().map(|switch| switches::found(&set_factory, switch));
    let switches = switches.map(|FoundSwitch { instance, variable, level }| {
        format!("trial steps show that `{instance}` switches when `{variable}` crosses {level:?}")
    });
    let acts = system.acts[before.acts.len()..].iter().map(|acts| found(&set_factory, acts));
    let acts = acts.map(|FoundTimes { instance, every, offset }| {
        format!("trial steps show that `{instance}` acts every {every:?} s, for example at t = {offset:?} s")
    });
    let bends = system.bends[before.bends.len()..].iter().map(|bend| &set_factory.names[bend.instance]);
    let bends = bends.map(|name| format!("trial steps show that outputs of `{name}` have kinks"));
    let mut what: Vec<_> = switches.chain(bends).chain(acts).collect();
    if what.len() > NAMED {
        let more = what.len() - NAMED;
        what.truncate(NAMED);
        what.push(format!("and {more} others are found"));
    }
    what.extend((!what.is_empty()).then(|| "from now on, steps end there".to_owned()));
    let held = system.resolved.stepwise[before.resolved.stepwise.len()..].iter().map(|(instance, reference)| {
        let plan = &set_factory.plan.instances[*instance];
        let place = plan.output_references.iter().position(|other| other == reference).unwrap_or_default();
        format!("trial steps show that `{}` is constant between jumps", set_factory.plan.signal_names[plan.outputs.start + place])
    });
    what.extend(held);
    let what = format!("{}; algorithm: {}", what.join("; "), describe(&system, &set_factory));
    (set_factory, system, what)
}
