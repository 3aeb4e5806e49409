//! `[experiment]`

use super::{
    Section,
    form::Form,
    isolation,
    keys::{Key, Keys},
};
use crate::{ExperimentSettings, IsolationSettings};
use lotka_message::Findings;

pub(super) const TABLE: Keys = &[&KEYS, &isolation::KEYS];

static KEYS: [Key; 14] = [
    Key::new("start", Form::Number, "Start time [s].").or("0"),
    Key::new("stop", Form::Number, "Stop time [s]; the last row lies exactly there. Required, here or as --stop-time."),
    Key::new("step", Form::Number, "Fixed communication step size [s]; the error of the results is unknown."),
    Key::new(
        "local-tolerance",
        Form::Number,
        "Bound of the local error of each step, relative and absolute, 1e-14 or more; the error of the results is larger, and unknown.",
    ),
    Key::new("tolerance", Form::Number, "Bound of the global error of every recorded Real value, 1e-12 or more."),
    Key::new(
        "absolute-tolerance",
        Form::Number,
        "With local-tolerance: its absolute part. With tolerance: values below absolute-tolerance / tolerance have an absolute error bound.",
    )
    .or_else("local-tolerance; with tolerance, the scale of each variable"),
    Key::new("output-interval", Form::Number, "Distance between recorded rows [s]; steps end there.")
        .or_else("every step; with tolerance a hundredth of the duration"),
    Key::new(
        "min-output-interval",
        Form::Number,
        "Smallest distance between recorded rows [s]; no step ends because of a row. Not with tolerance.",
    ),
    Key::new("first-step", Form::Number, "First step under error control [s].").or_else("1e-4 times the duration"),
    Key::new("min-step", Form::Number, "Smallest step under error control [s].").or_else("1e-12 times the duration"),
    Key::new("max-step", Form::Number, "Largest step size [s]; with tolerance, that of the coarsest run.")
        .or_else("the duration"),
    Key::new("max-calls", Form::Number, "With tolerance: the number of doStep calls of all runs after which Lotka gives up.")
        .or_else("300 000, or a hundred times those of the first run"),
    Key::new("event-tolerance", Form::Number, "Accuracy of event localization [s].")
        .or_else("1e-12, but at least 4 units in the last digit of the time"),
    Key::new("fmu-tolerance", Form::Number, "Relative tolerance that Lotka requests from the FMUs; that of an instance takes precedence.")
        .or_else("that of the FMU's default experiment; with tolerance a hundredth of it"),
];

/// The experiment, and the settings of all instances.
pub(super) fn read(section: Section<'_>, findings: &mut Findings) -> (ExperimentSettings, IsolationSettings) {
    let experiment = ExperimentSettings {
        start: section.number("start", findings),
        stop: section.number("stop", findings),
        step: section.number("step", findings),
        local_tolerance: section.number("local-tolerance", findings),
        tolerance: section.number("tolerance", findings),
        absolute_tolerance: section.number("absolute-tolerance", findings),
        output_interval: section.number("output-interval", findings),
        min_output_interval: section.number("min-output-interval", findings),
        first_step: section.number("first-step", findings),
        min_step: section.number("min-step", findings),
        max_step: section.number("max-step", findings),
        max_calls: section.number("max-calls", findings),
        event_tolerance: section.number("event-tolerance", findings),
        fmu_tolerance: section.number("fmu-tolerance", findings),
    };
    let isolation = isolation::read(&section, findings);
    section.finish(findings);
    (experiment, isolation)
}
