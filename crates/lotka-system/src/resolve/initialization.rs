//! Unknown start values and the residuals that determine them.

use std::collections::HashSet;

use lotka_instance::{
    TypedValue,
    description::{Causality, Variable, VariableKind},
};
use lotka_message::{Code, Findings};
use lotka_plan::link::{LinkIndex, VariableIndex};
use lotka_step::resolved::Solve;

use crate::{Located, SolvedStart, SystemDescription, locate::Names};

/// Resolves `[initialization]`. The guess of an unknown becomes one of the start values if it is not given.
pub fn resolve(
    system: &SystemDescription,
    names: &Names<'_>,
    links: &LinkIndex<'_>,
    start_values: &mut [Vec<(usize, TypedValue)>],
    findings: &mut Findings,
) -> Vec<Solve> {
    let mut resolver = Resolver { names, links, findings };
    let mut solves = Vec::new();
    let (mut unknowns, mut residuals) = (HashSet::new(), HashSet::new());
    for SolvedStart { unknown, residual, target } in &system.initialization {
        let at = resolver.unknown(unknown, start_values);
        let of = resolver.residual(residual);
        let (Some(at), Some(of)) = (at, of) else { continue };
        if !unknowns.insert(at) {
            resolver.findings.error(
                Code::DuplicateEntry,
                &unknown.span,
                format!("`solve` lists the unknown `{}` twice", unknown.value),
                "remove one of the pairs".to_owned(),
            );
        }
        if !residuals.insert(of) {
            resolver.findings.error(
                Code::DuplicateEntry,
                &residual.span,
                format!("`solve` lists the residual `{}` twice", residual.value),
                "remove one of the pairs".to_owned(),
            );
        }
        solves.push(Solve { unknown: at, residual: of, target: *target });
    }
    solves
}

/// The tolerance of loops at the start; 0 by default.
pub(super) fn loop_tolerance(system: &SystemDescription, findings: &mut Findings) -> f64 {
    let Some(given) = &system.loop_tolerance else { return 0.0 };
    if given.value > 0.0 && given.value < 1.0 {
        return given.value;
    }
    let message = format!("expected a value between 0 and 1 for `loop-tolerance`, found {}", given.value);
    findings.error(
        Code::OutOfRange,
        &given.span,
        message,
        "remove it to accept only rounding errors and measured noise".to_owned(),
    );
    0.0
}

struct Resolver<'a, 'f> {
    names: &'a Names<'a>,
    links: &'a LinkIndex<'a>,
    findings: &'f mut Findings,
}

impl Resolver<'_, '_> {
    fn is_connected(&self, at: VariableIndex) -> bool {
        self.links.into_input(at).is_some()
    }

    fn unknown(&mut self, name: &Located<String>, start_values: &mut [Vec<(usize, TypedValue)>]) -> Option<VariableIndex> {
        let at = self.names.locate(name, is_settable_real, self.findings)?;
        let variable = self.names.variable(at);
        let problem = match &variable.kind {
            VariableKind::Real(_) if variable.is_structural => "it is a structural parameter",
            VariableKind::Real(_) if !variable.start_is_settable() => "its start value cannot be set",
            VariableKind::Real(_) if self.is_connected(at) => "it is a connected input",
            VariableKind::Real(_) if start_values[at.0].iter().any(|(known, _)| *known == at.1) => return Some(at),
            VariableKind::Real(real) => match real.start {
                Some(start) => {
                    start_values[at.0].push((at.1, TypedValue::Real(start)));
                    return Some(at);
                }
                None => "it has no start value for the initial guess",
            },
            _ => "it is not a Real variable",
        };
        let message = format!("`{}` cannot be an unknown of `solve`: {problem}", name.value);
        let help = self.offer(at.0, |at, variable| is_settable_real(variable) && !self.is_connected(at));
        self.findings.error(Code::UnfitForSolve, &name.span, message, help);
        None
    }

    fn residual(&mut self, name: &Located<String>) -> Option<VariableIndex> {
        let at = self.names.locate(name, is_real_port, self.findings)?;
        let variable = self.names.variable(at);
        let problem = match (&variable.kind, variable.causality) {
            (VariableKind::Real(_), Causality::Output) => return Some(at),
            (VariableKind::Real(_), Causality::Input) if self.is_connected(at) => return Some(at),
            (VariableKind::Real(_), Causality::Input) => "nothing is connected to it",
            (VariableKind::Real(_), _) => "it is neither an output nor an input",
            _ => "it is not a Real variable",
        };
        let message = format!("`{}` cannot be a residual of `solve`: {problem}", name.value);
        let is_free = |at, variable: &Variable| variable.causality == Causality::Input && !self.is_connected(at);
        let help = self.offer(at.0, |at, variable| is_real_port(variable) && !is_free(at, variable));
        self.findings.error(Code::UnfitForSolve, &name.span, message, help);
        None
    }

    fn offer(&self, instance: usize, fits: impl Fn(VariableIndex, &Variable) -> bool) -> Option<String> {
        let variables = self.names.description(instance).variables.iter().enumerate();
        let fitting = variables.filter(|(index, variable)| fits((instance, *index), variable));
        let names: Vec<_> = fitting.take(12).map(|(_, variable)| format!("`{}`", variable.name)).collect();
        (!names.is_empty()).then(|| format!("available in instance `{}`: {}", self.names.name(instance), names.join(", ")))
    }
}

fn is_settable_real(variable: &Variable) -> bool {
    matches!(variable.kind, VariableKind::Real(_)) && variable.start_is_settable() && !variable.is_structural
}

fn is_real_port(variable: &Variable) -> bool {
    let is_port = matches!(variable.causality, Causality::Input | Causality::Output);
    matches!(variable.kind, VariableKind::Real(_)) && is_port
}
