//! The requirements of an analysis.

use lotka_message::{Code, Findings};
use lotka_step::{model::Model, resolved::Stepping};

use crate::Error;

/// Steps per row, if the experiment has an output interval but no step size.
const STEPS_PER_ROW: f64 = 10.0;
/// Steps of the experiment, if it has neither.
const STEPS: f64 = 1000.0;

/// The default step to analyze: the one that the experiment is likely to use \[s\].
pub(super) fn default_step(stepping: &Stepping, output_interval: Option<f64>, (start, stop): (f64, f64)) -> f64 {
    let row = match stepping {
        Stepping::Fixed(h) => return *h,
        Stepping::Verified(verified) => Some(verified.output_interval),
        Stepping::Controlled(_) => output_interval,
    };
    row.map_or((stop - start) / STEPS, |row| row / STEPS_PER_ROW).min(stop - start)
}

/// Checks that the FMUs can be rolled back and take steps of any size, and that the step is one.
///
/// # Errors
/// [`Error::Unfit`] with all that is missing.
pub(super) fn check(names: &[String], fmus: &[Model], h: f64, span: (f64, f64)) -> Result<(), Error> {
    let mut findings = Findings::default();
    let longest = span.1 - span.0;
    if !(h > 0.0 && h <= longest) {
        let message = format!("the coupling cannot be analyzed with a step of {h} s");
        findings.error(
            Code::OutOfRange,
            &None,
            message,
            format!("choose a step greater than 0 and at most {longest} s, the length of the experiment"),
        );
    }
    for (name, fmu) in names.iter().zip(fmus) {
        let can = fmu.capabilities();
        let lacking = [
            (can.save_state, "rollback", "canGetAndSetFMUstate"),
            (can.variable_step, "variable step sizes", "canHandleVariableCommunicationStepSize"),
        ];
        for (_, needs, flag) in lacking.into_iter().filter(|(can, _, _)| !can) {
            let message = format!(
                "the analysis of the coupling needs {needs}, which the FMU {} of instance `{name}` does not support ({flag} is \
                 not true)",
                fmu.origin().display()
            );
            findings.error(
                Code::MissingCapability,
                &None,
                message,
                "use an FMU of the same model with this capability".to_owned(),
            );
        }
    }
    findings.finish((), None).map(|_| ()).map_err(Error::Unfit)
}
