//! Undeclared events: the search restarts with levels and times found by trial steps of the instances.

use lotka_prepare::trial::{
    grids::{self, Acts},
    switches::{Switch, Tried},
};
use lotka_run::{
    InstanceSet, InstanceSetFactory, Report, SharedSystem, describe,
    record::{Notification, Observer, emit},
};
use lotka_step::{
    Error,
    error::{FoundSwitch, FoundTimes},
    resolved::Verified,
};

use super::{
    amended::{with_acts, with_switches},
    implicit,
    outcome::{Outcome, Refined, or_better},
    report::{found_switch, found_times},
    runs::{Runs, Spent},
    verification::Verification,
};
use crate::global::Next;

/// Maximum number of levels: a moving level appears as several.
const MOST: usize = 6;

/// Maximum number of findings that are named.
const NAMED: usize = 4;

/// Makes the runs, repeatedly with other events, as long as trials find where an instance switches or when it acts. Returns their
/// cost and their result.
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
                    let FoundSwitch { instance, variable, .. } = found_switch(own, switch);
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
    /// Finds when instances with internal steps of fixed size act, if no result meets the tolerance. Returns the system with
    /// steps that end at these times, if all such instances only follow their samples. Others may integrate with steps that are
    /// too large, or that can become so; only the user knows.
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

/// Adds a description of the new findings and the resulting method.
fn with_description(
    (set_factory, system): (InstanceSetFactory, SharedSystem),
    before: &SharedSystem,
) -> (InstanceSetFactory, SharedSystem, String) {
    let switches = system.switches[before.switches.len()..].iter().map(|switch| found_switch(&set_factory, switch));
    let switches = switches.map(|FoundSwitch { instance, variable, level, .. }| {
        format!("trial steps show that `{instance}` switches when `{variable}` crosses {level:?}")
    });
    let acts = system.acts[before.acts.len()..].iter().map(|acts| found_times(&set_factory, acts));
    let acts = acts.map(|FoundTimes { instance, every, offset, .. }| {
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
