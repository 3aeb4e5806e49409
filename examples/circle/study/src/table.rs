//! The numbers of the study as Markdown.

use crate::{Measurement, Study};

pub(crate) fn markdown(study: &Study) -> String {
    let [stop, step] = study.case.experiment();
    let mut lines = vec![
        format!("# Integrators on the system `{}`: results", study.case.name()),
        String::new(),
        format!(
            "Made by `cargo xtask study {}`; [README.md](README.md) says what it means. {stop} s in communication steps of {step} s.",
            study.case.name()
        ),
        String::new(),
        "| integrator | setting | largest error | evaluations | internal steps | refused | Jacobians | factorizations |"
            .to_owned(),
        "|---|---|--:|--:|--:|--:|--:|--:|".to_owned(),
    ];
    lines.extend(study.measurements.iter().map(|measurement| line(measurement, stop)));
    lines.join("\n") + "\n"
}

fn line(measurement: &Measurement, stop: f64) -> String {
    let Measurement { integrator, setting, reached, error, work } = measurement;
    let error = if *reached < stop { format!("refuses the step from {reached} s") } else { format!("{error:.1e}") };
    let counts = [work.n_evaluations, work.n_internal_steps, work.n_rejected, work.n_jacobians, work.n_factorizations];
    format!("| `{integrator}` | {setting} | {error} | {} |", counts.map(|count| count.to_string()).join(" | "))
}
