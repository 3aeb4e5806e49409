//! Times at which instances act.

use super::{ResolvedExperiment, experiment::Stepping, sources::SLACK};
use crate::{
    Code,
    error_control::global::corner::{Corner, Kind},
    source::{Change, Knot},
    system::{
        Located, SystemDescription, Times,
        problem::{Findings, nearest},
    },
};

/// More times than that are no events.
const MOST: f64 = 1e6;

/// Steps around such a time are this share of the distance to the next one, but no rounding.
const STEP: f64 = 1e-9;

/// Smaller tolerances are not kept where instances act so inexactly.
pub(super) const SMALLEST_TOLERANCE: f64 = 1e-7;

/// Steps end there, in such steps from the time: an instance that acts at the end of a step does so in the first of them, with inputs that are as
/// old as that step; one that acts at the beginning, in the second. None of them is at the time itself, so that rounding is no matter.
const AROUND: [f64; 3] = [-1.0, 1.0, 2.0];

/// Steps are this multiple of what rounding of times may be at least; one that is exactly as long, divided by whole numbers, would have ends of which it is
/// not certain whether they are the same as its own.
const ABOVE_ROUNDING: f64 = 7.3;

/// The step over a jump whose time is known, likewise: the sooner it is over, the better, and the middle is known not to be its end.
const OVER_JUMP: f64 = 2.3;

/// Instances that act at known times, and the knots around these.
pub(super) fn resolve(
    system: &SystemDescription,
    names: &[&str],
    experiment: &ResolvedExperiment,
    findings: &mut Findings,
) -> (Vec<usize>, Vec<Knot>) {
    let (start, stop) = (experiment.start, experiment.stop);
    let instances = &names[..system.instances.len()];
    if let (Stepping::Verified(verified), Some(event)) = (&experiment.stepping, system.events.times.first())
        && verified.tolerance < SMALLEST_TOLERANCE
    {
        let message = format!(
            "`tolerance` {:e} is more than times of events allow: instances act within {STEP:e} of the distance to the next one",
            verified.tolerance
        );
        let help = format!("use {SMALLEST_TOLERANCE:e} or more");
        findings.error(Code::ToleranceTooSmall, &event.instance.span, message, help);
    }
    let (mut actors, mut knots) = (Vec::new(), Vec::new());
    for event in &system.events.times {
        let Some(actor) = instances.iter().position(|name| *name == event.instance.value) else {
            let help = nearest(&event.instance.value, instances.iter().copied());
            let message = format!("there is no instance `{}`", event.instance.value);
            findings.error(Code::UnknownInstance, &event.instance.span, message, help);
            continue;
        };
        actors.push(actor);
        let (times, distance) = match &event.times {
            Times::Every { every, offset } => {
                let offset = offset.as_ref().map_or(0.0, |offset| offset.value);
                (periodic(every, offset, (start, stop), findings), every.value)
            }
            Times::At(times) => (times.iter().map(|time| time.value).collect(), stop - start),
        };
        knots.extend(self::knots(times, distance, (start, stop)));
    }
    (actors, knots)
}

/// The knots around times that are so far apart \[s\].
pub(super) fn knots(times: Vec<f64>, distance: f64, (start, stop): (f64, f64)) -> impl Iterator<Item = Knot> {
    let step = (STEP * distance).max(ABOVE_ROUNDING * SLACK * start.abs().max(stop.abs()));
    let around = times.into_iter().flat_map(move |time| AROUND.map(|steps| time + steps * step));
    around.map(|time| Knot { time, change: Change::Sample })
}

/// Knots where a signal of an instance jumps or bends: a jump is a step from before it to after it, and as far from both.
pub(super) fn knots_at(corner: &Corner, (start, stop): (f64, f64)) -> impl Iterator<Item = Knot> + use<> {
    let half = 0.5 * OVER_JUMP * SLACK * start.abs().max(stop.abs());
    let times = match corner.kind {
        Kind::Jump => vec![corner.time - half, corner.time + half],
        Kind::Kink => vec![corner.time],
    };
    times.into_iter().map(|time| Knot { time, change: Change::Sample })
}

/// The times `offset + k every` from the start to the stop.
fn periodic(every: &Located<f64>, offset: f64, (start, stop): (f64, f64), findings: &mut Findings) -> Vec<f64> {
    if every.value.is_nan() || every.value <= 0.0 {
        let message = format!("`every` is {}; it must be greater than 0", every.value);
        findings.error(Code::OutOfRange, &every.span, message, None);
        return Vec::new();
    }
    multiples((every.value, offset), (start, stop)).unwrap_or_else(|| {
        let message = format!(
            "every {} s makes {:.1e} events until the stop time, {MOST:e} are the limit",
            every.value,
            (stop - start) / every.value
        );
        findings.error(Code::TooManySteps, &every.span, message, "make `every` larger, or `stop` earlier".to_owned());
        Vec::new()
    })
}

/// The times `offset + k every` from the start to the stop; `None` if there are too many.
pub(super) fn multiples((every, offset): (f64, f64), (start, stop): (f64, f64)) -> Option<Vec<f64>> {
    let (first, last) = (((start - offset) / every).ceil(), ((stop - offset) / every).floor());
    let count = (last - first).max(0.0);
    (count <= MOST).then(|| (0..=count as u32).map(|number| offset + (first + f64::from(number)) * every).collect())
}
