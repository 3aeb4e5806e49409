//! Summary of a run for people.

use std::fmt::Write;

use lotka::{End, InstanceReport, Report};

use crate::{accuracy, counted::counted, table};

/// Maximum number of instances that all have a line.
const MOST_INSTANCES: usize = 20;

/// Number of the most expensive instances that have a line if there are more.
const MOST_EXPENSIVE: usize = 5;

/// Formats a few lines without a final line end. `is_verified` means that the run has a `tolerance`; `has_all` gives every
/// instance a line.
pub(crate) fn of(report: &Report, is_verified: bool, has_all: bool) -> String {
    let counters = &report.counters;
    let mut text = String::new();
    // The accuracy says that the tolerance was not reached, and why.
    if report.end != End::ToleranceNotReached {
        let _ = writeln!(text, "{}", end(report, is_verified));
    }
    if let Some(error) = &report.global_error {
        text += &accuracy::of(error, has_all);
    }
    let rejected = counters.n_step_attempts - counters.n_steps;
    let _ = writeln!(
        text,
        "{}, {rejected} rejected ({} by the error test, {} not converged, {} discarded), {}, {}",
        counted(counters.n_steps, "step"),
        counters.n_error_test_failures,
        counters.n_convergence_failures,
        counters.n_discards,
        counted(counters.n_do_step_calls, "doStep call"),
        counted(counters.n_rollbacks, "rollback")
    );
    if counters.n_events > 0 {
        let _ = writeln!(text, "{}", counted(counters.n_events, "event"));
    }
    if counters.n_iterations > 0 {
        let per_step = counters.n_iterations as f64 / counters.n_step_attempts.max(1) as f64;
        let _ = writeln!(text, "{}, {per_step:.1} per step", counted(counters.n_iterations, "loop iteration"));
    }
    if let Some(error) = report.largest_error_estimate {
        let _ = writeln!(text, "largest local error estimate: {error:.3} of the tolerance");
    }
    for bond in &report.power_bonds {
        let _ = writeln!(
            text,
            "power bond {}: residual energy {:.3e} J (absolute {:.3e} J) of {:.3e} J exchanged",
            table::clean(&bond.name),
            bond.residual_energy,
            bond.absolute_residual_energy,
            bond.exchanged_energy
        );
    }
    text += &instances(&report.instances, has_all);
    text.trim_end().to_owned()
}

/// Says how a run ended.
pub(crate) fn end(report: &Report, is_verified: bool) -> String {
    let time = report.time;
    match &report.end {
        End::StopTime => format!("stop time {time} s reached"),
        End::ToleranceNotReached => "tolerance not reached".to_owned(),
        End::TerminatedByInstance { instance, .. } => {
            format!("instance `{}` requested the end of the simulation at t = {time} s", table::clean(instance))
        }
        End::Canceled if is_verified && report.global_error.is_none() => "canceled without a result".to_owned(),
        End::Canceled if is_verified => "canceled; the best result so far is kept".to_owned(),
        End::Canceled => format!("canceled at t = {time} s"),
        _ if is_verified && report.global_error.is_none() => "failed without a result".to_owned(),
        _ if is_verified => "failed; the best result so far is kept".to_owned(),
        _ => format!("failed at t = {time} s"),
    }
}

/// Formats a line for each instance or, if there are many, the totals and the most expensive ones.
fn instances(all: &[InstanceReport], has_all: bool) -> String {
    if has_all || all.len() <= MOST_INSTANCES {
        return table::columns("  ", &all.iter().map(instance).collect::<Vec<_>>());
    }
    let calls = |instance: &InstanceReport| instance.calls.iter().map(|(_, count)| count).sum::<u64>();
    let mut ranked: Vec<_> = all.iter().collect();
    ranked.sort_by_key(|instance| std::cmp::Reverse((instance.time, calls(instance))));
    let mut rows = vec![instance(&total(all))];
    rows.extend(ranked[..MOST_EXPENSIVE].iter().map(|one| instance(one)));
    format!("{}  the {MOST_EXPENSIVE} most expensive of {}; -v shows all\n", table::columns("  ", &rows), all.len())
}

/// Sums all instances into one entry.
fn total(all: &[InstanceReport]) -> InstanceReport {
    let mut total = all[0].clone();
    total.name = "all".to_owned();
    for instance in &all[1..] {
        for ((_, sum), (_, count)) in total.calls.iter_mut().zip(&instance.calls) {
            *sum += count;
        }
        total.time = total.time.zip(instance.time).map(|(sum, time)| sum + time);
    }
    total
}

fn instance(instance: &InstanceReport) -> Vec<String> {
    let mut cells = vec![instance.name.clone()];
    cells.extend(instance.calls.iter().map(|(function, count)| format!("{function} {count}")));
    cells.extend(instance.time.map(|time| format!("{:.6} s", time.as_secs_f64())));
    cells
}
