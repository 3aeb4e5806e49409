//! Sources: the times at which they are not smooth, and whether every FMU can step there.

use lotka_message::{Code, Findings};
use lotka_plan::{
    source::{TimeEvent, merged},
    time::{Points, Resolution},
};
use lotka_step::resolved::{Interface, KnownTimes, Overrides, ResolvedExperiment, Sampling, Stepping};

use crate::SystemDescription;

/// Instances with times of their own, and the time events there.
type Timed<T> = (Vec<T>, Vec<TimeEvent>);

pub fn resolve(
    system: &SystemDescription,
    interfaces: &[Interface<'_>],
    experiment: &ResolvedExperiment,
    overrides: &Overrides,
    ((actors, acts), (sampled, samples)): (Timed<usize>, Timed<Sampling>),
    findings: &mut Findings,
) -> KnownTimes {
    let span = (experiment.start, experiment.stop);
    let resolution = Resolution::of(span);
    let slack = match &experiment.stepping {
        Stepping::Fixed(h) => resolution.slack_with_steps(*h),
        _ => resolution.slack(),
    };
    let all = interfaces.iter().filter_map(|interface| interface.source).flat_map(|source| source.time_events());
    let set = overrides.actions.iter().map(|action| TimeEvent::new(action.time, true));
    let list = merged(all.chain(set).chain(acts).chain(samples).collect(), span, slack);
    let grid = match &experiment.stepping {
        Stepping::Fixed(h) => Some(Grid::new(span, *h, "step", false)),
        Stepping::Verified(verified) => Some(Grid::new(span, verified.output_interval, "output-interval", true)),
        Stepping::Controlled(_) => None,
    };
    let same = interfaces.iter().position(|interface| !interface.capabilities.variable_step);
    if let (Some(grid), Some(same)) = (grid, same) {
        check_grid(system, interfaces, same, grid, findings);
        check_rows(system, same, grid, findings);
    }
    let periods = interfaces.iter().filter_map(|interface| interface.source).filter_map(|source| source.shortest_period());
    KnownTimes { list: list.into(), slack, shortest_period: periods.reduce(f64::min), actors, sampled }
}

/// The times at which steps of one size can end.
#[derive(Debug, Clone, Copy)]
struct Grid {
    points: Points,
    /// A time this close to a point is one \[s\].
    slack: f64,
    key: &'static str,
    /// Whether steps end at kinks, too.
    has_kinks: bool,
}

impl Grid {
    fn new(span: (f64, f64), distance: f64, key: &'static str, has_kinks: bool) -> Self {
        let slack = (ROUNDING * distance).max(Resolution::of(span).slack_with_steps(distance));
        Self { points: Points::new(span, distance), slack, key, has_kinks }
    }

    fn includes(&self, time: f64) -> bool {
        self.points.include(time, self.slack)
    }
}

/// A time this close to a point, as a share of the distance, is one.
const ROUNDING: f64 = 1e-6;

/// With equidistant rows until the stop time, all steps of a run can be equal.
fn check_rows(system: &SystemDescription, same: usize, grid: Grid, findings: &mut Findings) {
    if grid.has_kinks && !grid.points.is_even() {
        let message = format!(
            "the last interval between rows is shorter than output-interval = {}, but instance `{}` supports one step size only",
            grid.points.distance(),
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
fn check_grid(system: &SystemDescription, interfaces: &[Interface<'_>], same: usize, grid: Grid, findings: &mut Findings) {
    let stop = system.experiment.stop.as_ref().map_or(f64::INFINITY, |stop| stop.value);
    let Grid { points, key, has_kinks, .. } = grid;
    let is_off = |time_event: &TimeEvent| {
        (time_event.jumps() || has_kinks)
            && time_event.time > points.start()
            && time_event.time < stop
            && !grid.includes(time_event.time)
    };
    let help = format!("move it to a multiple of {key} = {}, or choose a {key} that divides its time", points.distance());
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
    for settings in &system.instances {
        let Some(every) = settings.sample_time.as_ref().filter(|every| every.value > 0.0) else { continue };
        // Where the first one is at a point, all are.
        let first = points.start() + every.value;
        if is_off(&TimeEvent::new(first, true)) {
            let message = format!(
                "instance `{}` is sampled at {first} s, between two steps, but instance `{same}` supports one step size only",
                settings.name.value
            );
            let help = format!("use a `sample-time` that is a multiple of {key} = {}", points.distance());
            findings.error(Code::JumpOffGrid, &every.span, message, help);
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
