//! `[experiment]`

use super::{Section, isolation};
use crate::{ExperimentSettings, IsolationSettings};
use lotka_message::Findings;

/// The experiment, and the settings of all instances.
pub(super) fn read(mut section: Section<'_>, findings: &mut Findings) -> (ExperimentSettings, IsolationSettings) {
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
    let isolation = isolation::read(&mut section, findings);
    section.finish(findings);
    (experiment, isolation)
}
