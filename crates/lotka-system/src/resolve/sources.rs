//! Sources: the times at which they are not smooth, and whether every FMU can step there.

use crate::SystemDescription;
use lotka_engine::resolved::KnownTimes;
use lotka_engine::resolved::SLACK;
use lotka_engine::resolved::{Interface, Overrides, ResolvedExperiment, Stepping};
use lotka_engine::source::{TimeEvent, merged};
use lotka_message::{Code, Findings};

pub fn resolve(
    system: &SystemDescription,
    interfaces: &[Interface<'_>],
    experiment: &ResolvedExperiment,
    overrides: &Overrides,
    (actors, samples): (Vec<usize>, Vec<TimeEvent>),
    findings: &mut Findings,
) -> KnownTimes {
    let (start, stop) = (experiment.start, experiment.stop);
    let slack = SLACK * start.abs().max(stop.abs());
    let all = interfaces.iter().filter_map(|interface| interface.source).flat_map(|source| source.time_events());
    let set = overrides.actions.iter().map(|action| TimeEvent::new(action.time, true));
    let list = merged(all.chain(set).chain(samples).collect(), (start, stop), slack);
    let points = match &experiment.stepping {
        Stepping::Fixed(h) => Some(Points { start, distance: *h, key: "step", has_kinks: false }),
        Stepping::Verified(verified) => {
            Some(Points { start, distance: verified.output_interval, key: "output-interval", has_kinks: true })
        }
        Stepping::Controlled(_) => None,
    };
    let same = interfaces.iter().position(|interface| !interface.capabilities.variable_step);
    if let (Some(points), Some(same)) = (points, same) {
        check_grid(system, interfaces, same, points, findings);
        check_rows(system, same, points, stop, findings);
    }
    let periods = interfaces.iter().filter_map(|interface| interface.source).filter_map(|source| source.shortest_period());
    KnownTimes { list: list.into(), slack, shortest_period: periods.reduce(f64::min), actors }
}

/// The times at which steps of one size can end.
#[derive(Debug, Clone, Copy)]
struct Points {
    start: f64,
    distance: f64,
    key: &'static str,
    /// Whether steps end at kinks, too.
    has_kinks: bool,
}

impl Points {
    fn include(self, time: f64) -> bool {
        let steps = (time - self.start) / self.distance;
        (steps - steps.round()).abs() <= 1e-6
    }
}

/// With equidistant rows until the stop time, all steps of a run can be equal.
fn check_rows(system: &SystemDescription, same: usize, points: Points, stop: f64, findings: &mut Findings) {
    if points.has_kinks && !points.include(stop) {
        let message = format!(
            "the last interval between rows is shorter than output-interval = {}, but instance `{}` supports one step size only",
            points.distance,
            system.name_of(same)
        );
        let span = system.experiment.output_interval.as_ref().and_then(|interval| interval.span.clone());
        findings.error(
            Code::IntervalNotMultiple,
            &span,
            message,
            "choose an output-interval that divides the duration".to_owned(),
        );
    }
}

/// An FMU that takes steps of one size only cannot stop at a jump in between.
fn check_grid(system: &SystemDescription, interfaces: &[Interface<'_>], same: usize, points: Points, findings: &mut Findings) {
    let stop = system.experiment.stop.as_ref().map_or(f64::INFINITY, |stop| stop.value);
    let Points { start, distance, key, has_kinks } = points;
    let is_off = |time_event: &TimeEvent| {
        (time_event.jumps() || has_kinks) && time_event.time > start && time_event.time < stop && !points.include(time_event.time)
    };
    let help = format!("move it to a multiple of {key} = {distance}, or choose a {key} that divides its time");
    let same = system.name_of(same);
    for entry in &system.scenario {
        for time in std::iter::once(&entry.at).chain(&entry.until).filter(|time| is_off(&TimeEvent::new(time.value, true))) {
            let message = format!(
                "the scenario changes values at {} s, between two steps, but instance `{same}` supports one step size only",
                time.value
            );
            findings.error(Code::JumpOffGrid, &time.span, message, help.clone());
        }
    }
    for (index, interface) in interfaces.iter().enumerate().filter(|(_, interface)| interface.source.is_some()) {
        let time_events = interface.source.map(|source| source.time_events()).unwrap_or_default();
        let Some(first) = time_events.iter().find(|time_event| is_off(time_event)) else { continue };
        let settings = system.sources.get(index.wrapping_sub(system.instances.len()));
        let message = format!(
            "source `{}` {} at {} s, between two steps, but instance `{same}` supports one step size only",
            system.name_of(index),
            if first.jumps() { "jumps" } else { "has a kink" },
            first.time
        );
        findings.error(Code::JumpOffGrid, &settings.and_then(|settings| settings.name.span.clone()), message, help.clone());
    }
}
