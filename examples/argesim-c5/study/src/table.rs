//! The numbers of the study as Markdown.

use crate::{DESIRE, Measurement, Study, Task, run::Switches};

pub(crate) fn markdown(study: &Study) -> String {
    let mut lines = vec![
        "# ARGESIM C5: switching times".to_owned(),
        String::new(),
        "Made by `cargo xtask study argesim-c5`; [README.md](README.md) says what it means. The error is the largest one of all switching times; \
         calls are doStep calls of the plant."
            .to_owned(),
        String::new(),
        "| plant | communication points | task a, b: error in s | calls | task c: error in s | calls |".to_owned(),
        "|---|---|--:|--:|--:|--:|".to_owned(),
        format!("| SAMT/DESIRE | integration stopped past the limit | {:.1e} | | about as in task a | |", desire()),
    ];
    lines.extend(study.measurements.iter().map(line));
    let head = ["", "Task a, as published for SAMT/DESIRE:", "", "| exact time in s | DESIRE | error in s |", "|--:|--:|--:|"];
    lines.extend(head.map(str::to_owned));
    let pairs = Task::A.reference().into_iter().zip(DESIRE);
    lines.extend(pairs.map(|(exact, time)| format!("| {exact:.6} | {time} | {:.1e} |", time - exact)));
    lines.join("\n") + "\n"
}

/// Returns the largest error of the published switching times \[s\].
fn desire() -> f64 {
    let pairs = DESIRE.iter().zip(Task::A.reference());
    pairs.map(|(time, exact)| (time - exact).abs()).fold(0.0, f64::max)
}

fn line(measurement: &Measurement) -> String {
    let Measurement { plant, setting, tasks } = measurement;
    let cells = |Switches { count: [found, exact], error, calls }: Switches| {
        let missing = if found == exact { String::new() } else { format!(" ({found} of {exact} switches)") };
        format!("{error:.1e}{missing} | {calls}")
    };
    format!("| {plant} | {setting} | {} | {} |", cells(tasks[0]), cells(tasks[1]))
}
