//! `[experiment]` from the default experiments of the FMUs.

use lotka_instance::description::{Causality, DefaultExperiment, VariableKind};

use super::{DraftInstance, lines::Line};
use crate::internal_grid::{InternalGrid, ROWS, whole_steps};

/// Default duration, if no FMU has one \[s\].
const DURATION: f64 = 1.0;

/// Default tolerance, if no FMU has one.
const TOLERANCE: f64 = 1e-6;

/// Bounds of the tolerance.
const TOLERANCES: [f64; 2] = [1e-12, 1e-1];

/// Number of fixed steps if no FMU declares a step size.
pub const FIXED_STEPS: f64 = 1000.0;

/// The keys of the section, with comments about the origin of the values.
pub(super) fn lines(instances: &[DraftInstance]) -> Vec<Line> {
    let all = Declared(instances);
    let start = all.least(|experiment| experiment.start_time).unwrap_or(0.0);
    let declared = all.least(|experiment| experiment.stop_time).filter(|stop| *stop > start);
    let grid = InternalGrid::of(instances.iter().map(|instance| &instance.description));
    let stop = declared.unwrap_or(start + DURATION);
    let stop = grid.map_or(stop, |grid| grid.stop(start, stop));
    let mut lines = Vec::new();
    if start != 0.0 {
        lines.push(Line::new(format!("start = {start:?}"), format!("s; {}", all.origin(|experiment| experiment.start_time))));
    }
    let origin = match declared {
        Some(_) => all.origin(|experiment| experiment.stop_time),
        None => "no FMU defines a stop time".to_owned(),
    };
    let fixed: Vec<_> = instances.iter().filter(|instance| !varies_steps(instance)).map(|instance| &*instance.name).collect();
    let step = all.step().unwrap_or((stop - start) / FIXED_STEPS);
    let step = grid.map_or(step, |grid| grid.step(step));
    if fixed.is_empty() && instances.iter().any(has_real_outputs) {
        lines.push(Line::new(format!("stop = {stop:?}"), format!("s; {origin}")));
        let rows = grid.map_or((stop - start) / ROWS, |grid| grid.rows(stop - start));
        lines.extend(tolerance(&all, rows, step));
    } else {
        lines.push(Line::new(format!("stop = {:?}", whole_steps(start, stop, step)), format!("s; {origin}, in whole steps")));
        let why = match fixed.as_slice() {
            [] => "s; fixed because no output is a Real number, whose error `tolerance` could bound".to_owned(),
            names => format!("s; fixed because some FMUs support one step size only: {}", names.join(", ")),
        };
        lines.push(Line::new(format!("step = {step:?}"), why));
        lines.push(Line::suggestion(
            format!("output-interval = {:?}", 10.0 * step),
            "s; interval between rows, instead of rows at every step",
        ));
    }
    lines
}

fn tolerance(all: &Declared<'_>, rows: f64, step: f64) -> Vec<Line> {
    let declared = all.least(|experiment| experiment.tolerance.filter(|tolerance| *tolerance > 0.0));
    let tolerance = declared.unwrap_or(TOLERANCE).clamp(TOLERANCES[0], TOLERANCES[1]);
    let origin = match declared {
        Some(_) => all.origin(|experiment| experiment.tolerance),
        None => "no FMU defines one".to_owned(),
    };
    vec![
        Line::new(format!("tolerance = {tolerance:?}"), format!("error bound for every recorded value; {origin}")),
        Line::suggestion(format!("local-tolerance = {tolerance:?}"), "or: error bound for each step"),
        Line::suggestion(format!("step = {step:?}"), "or: fixed steps, s"),
        Line::suggestion(format!("output-interval = {rows:?}"), "s, from one row to the next"),
    ]
}

fn has_real_outputs(instance: &DraftInstance) -> bool {
    let is_real = |kind: &VariableKind| matches!(kind, VariableKind::Real(_));
    instance.description.variables.iter().any(|variable| variable.causality == Causality::Output && is_real(&variable.kind))
}

fn varies_steps(instance: &DraftInstance) -> bool {
    instance.description.capabilities.variable_step
}

struct Declared<'a>(&'a [DraftInstance]);

impl Declared<'_> {
    /// The values of the FMUs that have one, with their instances.
    fn values(&self, of: impl Fn(&DefaultExperiment) -> Option<f64>) -> Vec<(&str, f64)> {
        let value = |instance: &DraftInstance| instance.description.default_experiment.as_ref().and_then(&of);
        self.0.iter().filter_map(|instance| Some((instance.name.as_str(), value(instance)?))).collect()
    }

    fn least(&self, of: impl Fn(&DefaultExperiment) -> Option<f64>) -> Option<f64> {
        self.values(of).into_iter().map(|(_, value)| value).min_by(f64::total_cmp)
    }

    /// The largest step size of FMUs that cannot vary it; without such FMUs, the smallest one of all.
    fn step(&self) -> Option<f64> {
        let fixed: Vec<_> = self.0.iter().filter(|instance| !varies_steps(instance)).cloned().collect();
        let of = |experiment: &DefaultExperiment| experiment.step_size.filter(|step| *step > 0.0);
        let largest = Declared(&fixed).values(of).into_iter().map(|(_, step)| step).max_by(f64::total_cmp);
        largest.or_else(|| self.least(of))
    }

    /// The origin of the smallest value.
    fn origin(&self, of: impl Fn(&DefaultExperiment) -> Option<f64>) -> String {
        let values = self.values(of);
        match values.as_slice() {
            [first, rest @ ..] if rest.iter().any(|other| other.1 != first.1) => {
                let each: Vec<_> = values.iter().take(4).map(|(name, value)| format!("{name} {value:?}")).collect();
                let more = if values.len() > each.len() { ", …" } else { "" };
                format!("smallest value of the default experiments: {}{more}", each.join(", "))
            }
            _ => "default experiment".to_owned(),
        }
    }
}
