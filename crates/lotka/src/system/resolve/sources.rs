//! Sources: where they are not smooth, and whether every FMU can step there.

use super::{Interface, Overrides, ResolvedExperiment, Stepping};
use crate::{
    Code,
    source::{Knot, is_source, merged},
    system::{SystemDescription, problem::Findings},
};

/// Times that differ by less than this share of the largest one are the same.
const SLACK: f64 = 1e-12;

/// Points of time that are known before the run.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Knots {
    /// Inside the experiment, in order.
    pub(crate) list: Vec<Knot>,
    /// Times that are not farther apart are the same \[s\].
    pub(crate) slack: f64,
}

pub(super) fn resolve(
    system: &SystemDescription,
    interfaces: &[Interface<'_>],
    experiment: &ResolvedExperiment,
    overrides: &Overrides,
    findings: &mut Findings,
) -> Knots {
    let (start, stop) = (experiment.start, experiment.stop);
    let slack = SLACK * start.abs().max(stop.abs());
    let all = interfaces.iter().filter_map(|interface| interface.source).flat_map(|source| source.knots());
    let set = overrides.actions.iter().map(|action| Knot { time: action.time, jumps: true });
    let list = merged(all.chain(set).collect(), (start, stop), slack);
    if let Stepping::Fixed(h) = experiment.stepping
        && let Some(same) = interfaces.iter().position(|interface| !interface.capabilities.variable_step)
    {
        check_grid(system, interfaces, same, (start, h), findings);
    }
    Knots { list, slack }
}

/// An FMU that takes steps of one size only cannot stop at a jump in between.
fn check_grid(
    system: &SystemDescription,
    interfaces: &[Interface<'_>],
    same: usize,
    (start, h): (f64, f64),
    findings: &mut Findings,
) {
    let stop = system.experiment.stop.as_ref().map_or(f64::INFINITY, |stop| stop.value);
    let is_off = |knot: &Knot| {
        let steps = (knot.time - start) / h;
        knot.jumps && knot.time > start && knot.time < stop && (steps - steps.round()).abs() > 1e-6
    };
    let help = format!("move it to a multiple of step = {h}, or choose a step that divides its time");
    let same = system.name_of(same);
    for entry in &system.scenario {
        for time in std::iter::once(&entry.at).chain(&entry.until).filter(|time| is_off(&Knot { time: time.value, jumps: true }))
        {
            let message = format!(
                "the scenario goes on at {} s, between two steps, but instance `{same}` takes steps of one size only",
                time.value
            );
            findings.error(Code::JumpOffGrid, &time.span, message, help.clone());
        }
    }
    for (index, interface) in interfaces.iter().enumerate().filter(|(_, interface)| is_source(interface.description)) {
        let knots = interface.source.map(|source| source.knots()).unwrap_or_default();
        let Some(first) = knots.iter().find(|knot| is_off(knot)) else { continue };
        let settings = system.sources.get(index.wrapping_sub(system.instances.len()));
        let message = format!(
            "source `{}` jumps at {} s, between two steps, but instance `{same}` takes steps of one size only",
            system.name_of(index),
            first.time
        );
        findings.error(Code::JumpOffGrid, &settings.and_then(|settings| settings.name.span.clone()), message, help.clone());
    }
}
