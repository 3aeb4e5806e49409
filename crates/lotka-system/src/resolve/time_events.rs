//! Times at which instances act.

use lotka_message::{Code, Findings, nearest};
use lotka_plan::source::TimeEvent;
use lotka_step::resolved::{self, MOST_TIMES, ResolvedExperiment, SHARE_OF_DISTANCE, SMALLEST_TOLERANCE, Stepping};

use crate::{Located, SystemDescription, Times, locate::Names};

/// Instances that act at known times, and the time events around these.
pub fn resolve(
    system: &SystemDescription,
    names: &Names<'_>,
    experiment: &ResolvedExperiment,
    findings: &mut Findings,
) -> (Vec<usize>, Vec<TimeEvent>) {
    let (start, stop) = (experiment.start, experiment.stop);
    let instances = &names.list()[..system.instances.len()];
    if let (Stepping::Verified(verified), Some(event)) = (&experiment.stepping, system.events.times.first())
        && verified.tolerance < SMALLEST_TOLERANCE
    {
        let message = format!(
            "`tolerance` {:e} is too small for time events, which are accurate to {SHARE_OF_DISTANCE:e} of the interval between \
             them",
            verified.tolerance
        );
        let help = format!("use {SMALLEST_TOLERANCE:e} or more");
        findings.error(Code::ToleranceTooSmall, &event.instance.span, message, help);
    }
    let (mut actors, mut time_events) = (Vec::new(), Vec::new());
    for event in &system.events.times {
        let Some(actor) = names.find(&event.instance.value).filter(|index| *index < instances.len()) else {
            let help = nearest(&event.instance.value, instances.iter().copied());
            let message = format!("unknown instance `{}`", event.instance.value);
            findings.error(Code::UnknownInstance, &event.instance.span, message, help);
            continue;
        };
        if system.is_sampled(actor) {
            let message = format!("`{}` is sampled at times of its own", event.instance.value);
            let help = "remove the times, or its `sample-time`".to_owned();
            findings.error(Code::ConflictingSettings, &event.instance.span, message, help);
            continue;
        }
        actors.push(actor);
        let (times, distance) = match &event.times {
            Times::Every { every, offset } => {
                let offset = offset.as_ref().map_or(0.0, |offset| offset.value);
                (periodic(every, offset, (start, stop), findings), every.value)
            }
            Times::At(times) => (times.iter().map(|time| time.value).collect(), stop - start),
        };
        time_events.extend(resolved::time_events(times, distance, (start, stop)));
    }
    (actors, time_events)
}

/// The times `offset + k every` from the start to the stop.
fn periodic(every: &Located<f64>, offset: f64, (start, stop): (f64, f64), findings: &mut Findings) -> Vec<f64> {
    if every.value.is_nan() || every.value <= 0.0 {
        let message = format!("expected a value greater than 0 for `every`, found {}", every.value);
        findings.error(Code::OutOfRange, &every.span, message, None);
        return Vec::new();
    }
    resolved::multiples((every.value, offset), (start, stop)).unwrap_or_else(|| {
        let message = format!(
            "`every` {} s results in {:.1e} events until the stop time (limit: {MOST_TIMES:e})",
            every.value,
            (stop - start) / every.value
        );
        findings.error(Code::TooManySteps, &every.span, message, "increase `every`, or reduce `stop`".to_owned());
        Vec::new()
    })
}
