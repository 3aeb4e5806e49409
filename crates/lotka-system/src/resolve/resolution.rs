//! Steps against the resolution of time: far from 0, doubles are far apart.

use std::ops::Range;

use lotka_message::{Code, Findings};
use lotka_plan::time::{Resolution, Shown};
use lotka_step::resolved::{LARGEST_REFINEMENT, ResolvedExperiment, Stepping};

use super::experiment::MOST_STEPS;
use crate::{ExperimentSettings, Located, SystemDescription};

/// Steps whose sizes are off by more than this share are reported.
const UNEVEN: f64 = 0.01;

/// A size in the system file, or its default, and its place.
struct Size {
    what: String,
    /// In seconds.
    size: f64,
    span: Option<Range<usize>>,
    /// Number of steps into which Lotka may divide it.
    parts: f64,
    /// Whether there are points at all multiples of it.
    is_repeated: bool,
}

/// Refuses sizes that the times of the experiment cannot tell apart, and warns about uneven ones.
pub fn check(system: &SystemDescription, experiment: &ResolvedExperiment, findings: &mut Findings) {
    let resolution = Resolution::of((experiment.start, experiment.stop));
    let counts = |size: &Size| size.size > 0.0 && size.size.is_finite();
    for size in sizes(&system.experiment, experiment).chain(sample_times(system)).filter(counts) {
        let shortest = size.parts * resolution.shortest_step();
        let [found, unit, time] = [size.size, two_digits(resolution.unit()), resolution.farthest()].map(Shown);
        if size.size < shortest {
            let message = format!(
                "{} {found} s is too short for the resolution of time: near t = {time} s, floating-point numbers are {unit} s apart",
                size.what
            );
            let help = format!("use {} s or more, or a start time closer to 0", Shown(two_digits(shortest)));
            findings.error(Code::StepBelowResolution, &size.span, message, help);
        } else if size.is_repeated && resolution.unevenness(size.size) > UNEVEN {
            let (least, most) = resolution.sizes(size.size);
            let message = format!(
                "{} {found} s is close to the resolution of time: near t = {time} s, floating-point numbers are {unit} s apart, \
                 and the sizes lie between {} s and {} s",
                size.what,
                Shown(two_digits(least)),
                Shown(two_digits(most))
            );
            let help = format!("use {} s, or a start time closer to 0", Shown(most));
            findings.warning(Code::UnevenSteps, &size.span, message, help);
        }
    }
}

fn sizes(settings: &ExperimentSettings, experiment: &ResolvedExperiment) -> impl Iterator<Item = Size> + use<> {
    let given = |key: &str, setting: &Option<Located<f64>>, is_repeated| {
        let located = setting.as_ref()?;
        Some(Size { what: format!("`{key}`"), size: located.value, span: located.span.clone(), parts: 1.0, is_repeated })
    };
    // Of a step that is too short for the duration, this is said already.
    let is_short = |step: &Size| (experiment.stop - experiment.start) / step.size > MOST_STEPS;
    let step = given("step", &settings.step, matches!(experiment.stepping, Stepping::Fixed(_))).filter(|step| !is_short(step));
    let rows = given("output-interval", &settings.output_interval, true);
    let lengths = [given("first-step", &settings.first_step, false), given("max-step", &settings.max_step, false)];
    let all = match &experiment.stepping {
        Stepping::Verified(verified) => {
            // All runs divide the distance of rows.
            let parts = f64::from(LARGEST_REFINEMENT);
            let span = settings.stop.as_ref().and_then(|stop| stop.span.clone());
            let (what, size) = ("`output-interval`".to_owned(), verified.output_interval);
            let default = Size { what, size, span, parts, is_repeated: true };
            vec![Some(Size { parts, ..rows.unwrap_or(default) })]
        }
        _ => [step, rows].into_iter().chain(lengths).collect(),
    };
    all.into_iter().flatten()
}

fn sample_times(system: &SystemDescription) -> impl Iterator<Item = Size> {
    system.instances.iter().filter_map(|instance| {
        let Located { value: size, span } = instance.sample_time.clone()?;
        let what = format!("`sample-time` of instance `{}`,", instance.name.value);
        Some(Size { what, size, span, parts: 1.0, is_repeated: true })
    })
}

/// A number with two digits, rounded up.
fn two_digits(value: f64) -> f64 {
    let text = format!("{value:.1e}");
    let rounded: f64 = text.parse().unwrap_or(value);
    let unit = 10f64.powi(value.log10().floor() as i32 - 1);
    let next = if rounded < value { rounded + unit } else { rounded };
    format!("{next:.1e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::two_digits;

    #[test]
    fn numbers_are_rounded_up_to_two_digits() {
        for (value, rounded) in [(4.7684e-7, 4.8e-7), (1.1921e-7, 1.2e-7), (4.81e-7, 4.9e-7), (9.99, 10.0), (2.0, 2.0)] {
            assert_eq!(two_digits(value), rounded);
        }
    }
}
