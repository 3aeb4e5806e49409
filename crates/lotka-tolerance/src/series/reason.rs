//! Why a tolerance is not met, in words.

use lotka_plan::graph::Plan;
use lotka_prepare::trial::stiffness::Locked;
use lotka_step::{Error, algorithm::followed, resolved::LARGEST_REFINEMENT};

use crate::global::{Extrapolation, FEWEST, Found, GiveUp, Obstacle};

/// Name of the times of events among the outputs whose errors are estimated.
pub(super) const TIME_OF_EVENTS: &str = "time of events";

/// Smallest order from which the number of required calls can be estimated.
const LEAST_ORDER: f64 = 0.5;

/// Maximum number of calls worth reporting.
const FORESEEABLE: f64 = 1e12;

/// Describes why the tolerance is not met.
pub(super) fn text(
    reason: GiveUp,
    obstacle: Option<Obstacle>,
    (found, tolerance): (&Found, f64),
    plan: &Plan,
    (limits, last_error): (&str, Option<&Error>),
) -> String {
    let place = || obstacle.map_or_else(|| from_when(found, tolerance, plan), |obstacle| Some(of_obstacle(obstacle, plan)));
    let why = place().map_or_else(String::new, |place| format!("{place}; "));
    match reason {
        GiveUp::Budget { calls, limit } => {
            let made = format!("{why}the runs made {calls} step calls (limit: {limit})");
            let best = &found.result;
            if !best.largest.is_finite() {
                return format!("{made}, too few for an estimate; increase `max-calls`");
            }
            let order = best
                .orders
                .observed
                .map_or_else(String::new, |order| format!(" and decreases with power {order:.1} of the step size"));
            let enough = calls_needed(calls, best, tolerance).map_or_else(String::new, |enough| {
                format!("; at this rate `max-calls = {enough:.0e}` suffices, or less if the runs show their order")
            });
            format!("{made}; the estimate is {:.1e}{order}{enough}", best.largest)
        }
        GiveUp::NoOrder => "the runs do not converge with the order of the method".to_owned(),
        GiveUp::RoundingFloor { floor } => format!("rounding and noise alone may be {floor:.1e}"),
        GiveUp::LargestRefinement { subdivisions } => {
            let events = match obstacle {
                Some(Obstacle::NotSmooth(_)) => "",
                _ => "; for signals that jump, add [events] entries instead",
            };
            format!(
                "{why}the finest mesh had {subdivisions} steps per base step (limit: {LARGEST_REFINEMENT}); reduce `max-step` \
                 or `output-interval` to allow finer meshes{events}"
            )
        }
        GiveUp::NoMesh { meshes } => {
            let have = match meshes {
                0 => "no mesh has".to_owned(),
                1 => "only 1 mesh has".to_owned(),
                meshes => format!("only {meshes} meshes have"),
            };
            format!(
                "{why}{limits}: with these rows {have} suitable steps, expected at least {FEWEST}; try another `output-interval`"
            )
        }
        GiveUp::EqualRuns => {
            "runs with different steps are identical to the last bit, as if the FMUs exchanged no values between rows, so the \
                              error cannot be estimated"
                .to_owned()
        }
        GiveUp::Unresolved => place().unwrap_or_default(),
        GiveUp::OnlyFailures { runs } => {
            let last = last_error.map_or_else(String::new, |error| format!("; the last error: {error}"));
            format!("{runs} runs in a row failed, each on a finer mesh{last}")
        }
    }
}

/// The number of calls after which the estimate should be within the tolerance, according to the observed order.
fn calls_needed(calls: u64, best: &Extrapolation, tolerance: f64) -> Option<f64> {
    let order = best.orders.observed.filter(|order| *order >= LEAST_ORDER)?;
    let factor = (best.largest / tolerance).powf(1.0 / order);
    let enough = calls as f64 * factor;
    (factor > 1.0 && enough < FORESEEABLE).then_some(enough)
}

/// The first row with an estimate above the tolerance; `None` if there is no estimate at all.
fn from_when(found: &Found, tolerance: f64, plan: &Plan) -> Option<String> {
    let Found { result, weights, .. } = found;
    let columns = weights.columns();
    let is_beyond = |index: &usize| weights.relative(index % columns, result.values[*index], result.estimate[*index]) > tolerance;
    let first = (0..result.values.len()).find(is_beyond).filter(|_| result.largest.is_finite())?;
    let time = found.finest()?.times.get(first / columns)?;
    let name = plan.estimated().nth(first % columns).map_or(TIME_OF_EVENTS, |(column, _)| &column.name);
    Some(format!("the estimate of `{name}` is above the tolerance from t = {time:.6} s on"))
}

/// Describes the obstacle to the best result.
fn of_obstacle(obstacle: Obstacle, plan: &Plan) -> String {
    match obstacle {
        Obstacle::NotSmooth(discontinuity) => {
            let name = name_of(discontinuity.value, plan);
            let what = if discontinuity.jumps {
                "jumps, or changes faster than the steps"
            } else {
                "is not smooth at the scale of the steps"
            };
            format!("{name} {what} near t = {:.6} s (if a level or a time causes this, add it to [events])", discontinuity.time)
        }
        Obstacle::Grazes { signal, time } => {
            let name = &plan.signal_names[signal];
            format!("`{name}` turns at t = {time:.6} s so close to the level of an event that it may or may not cross it")
        }
        Obstacle::FollowsWithinStep { value, within, by } => {
            format!(
                "{} changes within {within:.0e} s, faster than any step; its mean effect, up to {by:.0e} of its range, is not computed: use a \
                 smaller output interval, or a larger tolerance",
                name_of(value, plan)
            )
        }
        Obstacle::Locked(Locked { signals: [one, other], within, calls }) => {
            format!(
                "`{}` and `{}` follow each other within {within:.0e} s, as the motions of two bodies do through a stiff damper: only steps that resolve \
                 this are of use, in about {calls:.0e} calls; let one side send a force (torque, flow) instead of its motion",
                plan.signal_names[one], plan.signal_names[other]
            )
        }
        Obstacle::Parts { time } => format!(
            "runs on different meshes part after t = {time:.6} s: small differences grow there without limit, as in chaotic systems, so that no later value \
             can be computed"
        ),
        Obstacle::Ripples { signal, period } => {
            format!(
                "`{}` moves by itself with a period of about {period:.0e} s, so fast that no mesh of a reasonable size resolves it: simulate a shorter \
                 time, or replace it by its mean",
                plan.signal_names[signal]
            )
        }
        Obstacle::Differs { column, time, by } => {
            let name = plan.estimated().nth(column).map_or(TIME_OF_EVENTS, |(column, _)| &column.name);
            format!("two meshes differ by {by:.1e} in `{name}` at t = {time:.6} s: something happens between their points")
        }
    }
}

/// The name of a followed value.
fn name_of(value: usize, plan: &Plan) -> String {
    let followed = followed(plan);
    let name = followed.get(value).and_then(|followed| followed.value.name(plan));
    name.map_or_else(|| "an exchanged value".to_owned(), |name| format!("`{name}`"))
}
