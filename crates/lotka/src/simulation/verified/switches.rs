//! Events that nobody declared: where signals are not smooth, the instances are tried, and the search begins anew with the levels that show.

use fmi2::ModelDescription;

use super::{
    super::{
        Report,
        build::lay_out,
        describe::describe,
        scenario::{Casting, Ensemble, Scenario},
        single::Trial,
        switches::Switch,
    },
    FoundSwitch, Outcome, Verification, emit,
    runs::{Runs, Spent},
};
use crate::{
    Error,
    algorithm::{Exchanged, Trace, followed},
    error_control::global::{Base, Place, Run},
    graph::Graph,
    record::{Event, Observer},
    system::resolve::{Interface, Resolved, Verified},
};

/// How often instances are tried in a search.
const TRIALS: u32 = 8;

/// Levels that are used at most: one that moves shows as many.
const MOST: usize = 6;

/// From how long before a place, and until how long after it, an instance is tried, in steps: it notices late.
const AROUND: (f64, f64) = (6.0, 2.5);

impl Runs<'_> {
    /// Whether nobody asked for the events that there are.
    pub(super) fn hides_events(&self) -> bool {
        let events = self.scenario.resolved.events.as_ref();
        events.is_some_and(|events| events.discards.is_empty() && events.indicators.len() == self.scenario.switches.len())
    }

    /// Tries the instances at places where their signals are not smooth. The switches of the first one of them that nobody knows of.
    ///
    /// # Errors
    /// An FMU brought its process to an end, or returned fmi2Fatal.
    pub(super) fn find_switches(
        &mut self,
        base: &Base,
        run: &Run,
        places: &[Place],
    ) -> Result<Vec<Switch>, Box<Error>> {
        let rolls_back = self.casting.fmus.iter().all(|fmu| fmu.capabilities().save_state);
        let can_have_events = rolls_back && self.scenario.resolved.algorithm.is_open;
        if !can_have_events || !self.seeks_switches || !self.grids.is_empty() || self.scenario.same_size {
            return Ok(Vec::new());
        }
        let (subdivisions, seen) = (run.subdivisions, self.seen(&run.trace));
        for place in places {
            let reads = self.casting.plan.units.get(place.instance).is_some_and(|unit| !unit.input_references.is_empty());
            if !reads || self.n_trials >= TRIALS {
                continue;
            }
            let (start, stop) = self.scenario.span();
            let begin = place.time - AROUND.0 * place.width;
            if begin <= start + base.slack() {
                continue;
            }
            self.n_trials += 1;
            let until = (place.time + AROUND.1 * place.width).min(stop);
            let (until_then, set_up) = (base.before(begin), self.scenario.set_up.clone());
            let expected = self.expected_events(subdivisions);
            let mesh = (self.divided(&until_then, subdivisions, &expected), subdivisions);
            let made = self.one(&set_up, mesh, 1.0, Some(Trial::Switch { reader: place.instance, until, seen: &seen }))?;
            self.add_trials(&made.calls);
            if let Some(error) = made.error.filter(|error| error.ended_process() || error.is_fatal()) {
                return Err(Box::new(error));
            }
            let known = self.scenario.resolved.events.as_ref();
            let unknown: Vec<_> = made.switches.into_iter().filter(|switch| !switch.is_among(known)).collect();
            if !unknown.is_empty() {
                return Ok(unknown);
            }
        }
        Ok(Vec::new())
    }

    /// The least and the largest value of each Real signal in a run; infinite where it was not followed.
    fn seen(&self, trace: &Trace) -> Vec<(f64, f64)> {
        let mut seen = vec![(f64::NEG_INFINITY, f64::INFINITY); self.casting.plan.signal_names.len()];
        for (followed, course) in followed(&self.casting.plan).iter().zip(&trace.courses) {
            if let Exchanged::Real(signal) = followed.value {
                seen[signal] = (course.low, course.high);
            }
        }
        seen
    }
}

/// Makes the runs: again and again with another event while trials show where an instance switches. What they took, and what came of them.
pub(super) fn make(
    casting: &Casting,
    ensemble: &mut Ensemble,
    scenario: &Scenario,
    verified: &Verified,
    mut spent: Option<Box<Spent>>,
    observers: &mut [&mut dyn Observer],
) -> (Report, Outcome) {
    let (mut found, mut seeks, mut n_trials) = (None::<(Casting, Scenario)>, true, 0);
    let result = loop {
        let (own, amended) = found.as_ref().map_or((casting, scenario), |(casting, scenario)| (casting, scenario));
        let mut runs = Runs::new(own, ensemble, amended, verified, None);
        spent.iter().for_each(|spent| runs.add_spent(spent));
        (runs.seeks_switches, runs.n_trials) = (seeks, n_trials);
        let made = one(&mut runs, own, verified, observers);
        let others = std::mem::take(&mut runs.other_switches);
        let next = match if others.is_empty() { made } else { Made::Switches(others) } {
            Made::Outcome(outcome) => break (runs.report(), *outcome),
            Made::Switches(switches) if amended.switches.len() + switches.len() > MOST => {
                seeks = false;
                let what = "levels at which instances switch move, or are too many; Lotka starts again without such events";
                emit(observers, &Event::MethodChanged { what });
                None
            }
            Made::Switches(switches) => {
                let count = switches.len();
                let next = with_switches(own, amended, switches);
                seeks &= next.is_some();
                if let Some((casting, scenario)) = &next {
                    emit(observers, &Event::MethodChanged { what: &describe_switches(casting, scenario, count) });
                }
                next
            }
        };
        (n_trials, spent) = (runs.n_trials, Some(Box::new(runs.spent())));
        found = next;
        found.as_ref().map_or(casting, |(casting, _)| casting).couple_again(ensemble);
    };
    casting.couple_again(ensemble);
    result
}

/// What became of the runs of a system.
enum Made {
    Outcome(Box<Outcome>),
    /// An instance shows to switch there.
    Switches(Vec<Switch>),
}

fn one<'a>(runs: &mut Runs<'a>, casting: &'a Casting, verified: &'a Verified, observers: &mut [&mut dyn Observer]) -> Made {
    let mut verification = match Verification::new(runs, casting, verified, observers) {
        Ok(verification) => verification,
        Err(error) => return Made::Outcome(Box::new(Err(error))),
    };
    let refined = verification.refine(observers);
    if !verification.switches.is_empty() {
        return Made::Switches(std::mem::take(&mut verification.switches));
    }
    Made::Outcome(Box::new(refined.and_then(|refined| verification.verdict(refined, observers))))
}

/// The same system with events where an instance switches; `None` where events cannot be.
fn with_switches(casting: &Casting, scenario: &Scenario, found: Vec<Switch>) -> Option<(Casting, Scenario)> {
    let interfaces: Vec<_> = casting.fmus.iter().map(Interface::of).collect();
    let mut resolved: Resolved = scenario.resolved.clone();
    for switch in &found {
        resolved = resolved.with_event(switch.source, switch.level, &interfaces)?;
    }
    let descriptions: Vec<&ModelDescription> = interfaces.iter().map(|interface| interface.description).collect();
    let steps = resolved.graph(&descriptions);
    let names: Vec<&str> = casting.names.iter().map(String::as_str).collect();
    let (plan, overrides) = lay_out(&resolved, &steps, &names, &interfaces);
    let graph = Graph { order: steps.order, components: steps.components, ..scenario.graph.clone() };
    let mut switches = scenario.switches.clone();
    switches.extend(found);
    let casting = Casting { plan, overrides, ..casting.clone() };
    Some((casting, Scenario { resolved, graph, switches, ..scenario.clone() }))
}

/// The last levels that were found, and the method that follows from them.
fn describe_switches(casting: &Casting, scenario: &Scenario, count: usize) -> String {
    let last = &scenario.switches[scenario.switches.len() - count..];
    let what = last.iter().map(|switch| found(casting, switch)).map(|FoundSwitch { instance, variable, level }| {
        format!("`{instance}` switches where `{variable}` passes {level:?}, as trial steps show")
    });
    let what: Vec<_> = what.collect();
    format!("{}; steps end there from now on; algorithm: {}", what.join("; "), describe(scenario, casting))
}

/// A switch in names.
pub(super) fn found(casting: &Casting, switch: &Switch) -> FoundSwitch {
    FoundSwitch {
        instance: casting.names[switch.reader].clone(),
        variable: casting.plan.signal_names[switch.signal].clone(),
        level: switch.level,
    }
}
