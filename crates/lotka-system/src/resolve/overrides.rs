//! Overrides: the changes of each variable over time.

use std::collections::HashMap;

use lotka_instance::{
    ModelDescription, TypedValue,
    description::{Causality, Variability, Variable, VariableKind},
};
use lotka_message::{Code, Findings, Problems};
use lotka_plan::link::{Link, LinkIndex, VariableIndex, signal_type};
use lotka_step::resolved::{Action, Interface, Overrides, Target};

use super::start::{convert, in_unit_of, nearest_item};
use crate::{Located, Override, StartSetting, StartValue, SystemDescription, locate::Names, units::Units};

pub fn resolve(
    system: &SystemDescription,
    names: &Names<'_>,
    links: &LinkIndex<'_>,
    start_values: &[Vec<(usize, TypedValue)>],
    findings: &mut Findings,
) -> Overrides {
    let units = Units::new(&system.units);
    let (overridden, known) = (Vec::new(), HashMap::new());
    let mut resolver = Resolver { names, links, start_values, units, findings, overridden, known };
    for entry in &system.scenario {
        resolver.entry(entry);
    }
    let mut overrides = Overrides::default();
    for (target, of_variable) in resolver.overridden.into_iter().enumerate() {
        overrides.actions.extend(of_variable.actions(target));
        overrides.targets.push(of_variable.target);
    }
    overrides.actions.sort_by(|a, b| a.time.total_cmp(&b.time));
    overrides
}

/// All overrides of one variable.
struct OverriddenVariable {
    target: Target,
    /// Its value without an override, if it is not connected.
    initial: Option<TypedValue>,
    changes: Vec<Change>,
}

struct Change {
    from: f64,
    until: f64,
    what: What,
}

enum What {
    Set(TypedValue),
    Add(f64),
}

impl OverriddenVariable {
    /// Of several set values, the most recent one counts; added values add up.
    fn actions(&self, target: usize) -> Vec<Action> {
        let mut times: Vec<_> =
            self.changes.iter().flat_map(|change| [change.from, change.until]).filter(|t| t.is_finite()).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let action = |time: f64| {
            let active = || self.changes.iter().filter(move |change| change.from <= time && time < change.until);
            let set = active().filter_map(|change| match &change.what {
                What::Set(value) => Some((change.from, value)),
                What::Add(_) => None,
            });
            let value = set.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, value)| value.clone()).or_else(|| self.initial.clone());
            let added = active().map(|change| if let What::Add(value) = change.what { value } else { 0.0 });
            Action { time, target, value, bias: added.sum() }
        };
        times.into_iter().map(action).collect()
    }
}

struct Resolver<'a, 'f> {
    names: &'a Names<'a>,
    links: &'a LinkIndex<'a>,
    start_values: &'a [Vec<(usize, TypedValue)>],
    units: Units<'a>,
    findings: &'f mut Findings,
    overridden: Vec<OverriddenVariable>,
    /// Their numbers.
    known: HashMap<VariableIndex, usize>,
}

impl Resolver<'_, '_> {
    fn entry(&mut self, entry: &Override) {
        let (from, until) = (entry.at.value, entry.until.as_ref().map_or(f64::INFINITY, |until| until.value));
        if let Some(span) = entry.until.as_ref().map(|until| &until.span).filter(|_| until <= from) {
            self.findings.error(
                Code::UntilBeforeAt,
                span,
                format!("expected `until` after `at` = {from}, found {until}"),
                "increase it, or remove it to keep the value until the end".to_owned(),
            );
        }
        for setting in &entry.set {
            let name = &setting.variable;
            let Some((of_variable, typed)) = self.of_variable(setting) else { continue };
            let of_variable = &mut self.overridden[of_variable];
            if of_variable.changes.iter().any(|other| other.from == from && matches!(other.what, What::Set(_))) {
                self.findings.error(
                    Code::DuplicateEntry,
                    &name.span,
                    format!("`{}` is set twice at {from} s", name.value),
                    "keep one of the values".to_owned(),
                );
            }
            of_variable.changes.push(Change { from, until, what: What::Set(typed) });
        }
        for setting in &entry.add {
            let name = &setting.variable;
            // The offset of a unit does not apply to a difference.
            let zero = StartSetting { value: StartValue::Real(0.0).into(), ..setting.clone() };
            match self.of_variable(setting) {
                Some((of_variable, TypedValue::Real(added))) => {
                    let zero = self
                        .of_variable(&zero)
                        .map_or(0.0, |(_, zero)| if let TypedValue::Real(zero) = zero { zero } else { 0.0 });
                    self.overridden[of_variable].changes.push(Change { from, until, what: What::Add(added - zero) });
                }
                Some(_) => {
                    let message = format!("`{}` is not a Real variable, so `add` cannot change it", name.value);
                    self.findings.error(Code::RealOnly, &name.span, message, "use `set`".to_owned());
                }
                None => {}
            }
        }
    }

    /// The overrides of a variable, and a value in its type.
    fn of_variable(&mut self, setting: &StartSetting) -> Option<(usize, TypedValue)> {
        let name = &setting.variable;
        let place = locate(self.names, name, self.findings)?;
        let (description, variable) = (self.names.description(place.0), self.names.variable(place));
        let typed = typed(description, variable, setting, self.findings)?;
        let typed = in_unit_of((description, variable), typed, setting, self.units, self.findings)?;
        if let Some(known) = self.known.get(&place) {
            return Some((*known, typed));
        }
        let is_connected = self.links.into_input(place).is_some();
        let given = self.start_values[place.0].iter().find(|(known, _)| *known == place.1).map(|(_, value)| value.clone());
        let initial =
            if is_connected { None } else { Some(given.or_else(|| variable.kind.start()).unwrap_or_else(|| zero(variable))) };
        let target = target(place, variable, is_connected);
        let number = self.overridden.len();
        self.known.insert(place, number);
        self.overridden.push(OverriddenVariable { target, initial, changes: Vec::new() });
        Some((number, typed))
    }
}

/// The place of a variable that can be changed during a run.
///
/// # Errors
/// There is no such variable, or it cannot be changed.
pub fn resolve_changeable(
    system: &SystemDescription,
    interfaces: &[Interface<'_>],
    links: &[Link],
    name: &str,
) -> Result<(VariableIndex, Target), Problems> {
    let mut findings = Findings::default();
    let names = Names::of(system.names(), interfaces);
    let place = locate(&names, &name.to_owned().into(), &mut findings);
    let found = place.map(|place| {
        let is_connected = LinkIndex::new(links).into_input(place).is_some();
        (place, target(place, names.variable(place), is_connected))
    });
    found.ok_or_else(|| findings.problems(None))
}

/// A value for a variable, in its type and unit.
///
/// # Errors
/// It does not suit the variable.
pub fn resolve_change(
    name: &str,
    (description, variable): (&ModelDescription, usize),
    value: StartValue,
) -> Result<TypedValue, Problems> {
    let mut findings = Findings::default();
    let typed = typed(description, &description.variables[variable], &StartSetting::new(name.to_owned(), value), &mut findings);
    typed.ok_or_else(|| findings.problems(None))
}

/// The place of any variable.
///
/// # Errors
/// There is no such variable.
pub fn resolve_variable(system: &SystemDescription, interfaces: &[Interface<'_>], name: &str) -> Result<VariableIndex, Problems> {
    let mut findings = Findings::default();
    let place = Names::of(system.names(), interfaces).locate(&name.to_owned().into(), |_| true, &mut findings);
    place.ok_or_else(|| findings.problems(None))
}

fn locate(names: &Names<'_>, name: &Located<String>, findings: &mut Findings) -> Option<VariableIndex> {
    let place = names.locate(name, may_change, findings)?;
    let variable = names.variable(place);
    if may_change(variable) {
        return Some(place);
    }
    let (reason, help) = why_not(variable);
    let message = format!("`{}` cannot be changed during a run: it is {reason}", name.value);
    findings.error(Code::CannotChange, &name.span, message, help);
    None
}

fn typed(
    description: &ModelDescription,
    variable: &Variable,
    setting: &StartSetting,
    findings: &mut Findings,
) -> Option<TypedValue> {
    let (name, value) = (&setting.variable, &setting.value);
    let typed = convert(description, variable, &value.value);
    if typed.is_none() {
        let kind = variable.kind.type_name();
        let message = format!("the value of `{}` has the wrong type: expected {kind}, found {}", name.value, value.value);
        findings.error(Code::ValueType, &value.span, message, nearest_item(description, variable, &value.value));
    }
    typed
}

fn target((instance, _): VariableIndex, variable: &Variable, is_connected: bool) -> Target {
    Target { instance, reference: variable.value_reference, signal: signal_type(variable), is_connected }
}

/// Inputs and tunable parameters. Arrays have the sizes that structural parameters had before the run.
fn may_change(variable: &Variable) -> bool {
    let is_tunable = variable.variability == Variability::Tunable && !variable.is_structural;
    variable.causality == Causality::Input || variable.causality == Causality::Parameter && is_tunable
}

fn why_not(variable: &Variable) -> (&'static str, Option<String>) {
    match variable.causality {
        _ if variable.is_structural => ("a structural parameter", Some("set it in `start` of its instance".to_owned())),
        Causality::Parameter => ("a parameter that is not tunable", Some("set it in `start` of its instance".to_owned())),
        Causality::Output => ("an output", Some("set the inputs that read it".to_owned())),
        _ => ("neither an input nor a parameter", None),
    }
}

/// The initial value of a variable without a start value.
fn zero(variable: &Variable) -> TypedValue {
    match variable.kind {
        VariableKind::Real(_) => TypedValue::Real(0.0),
        VariableKind::Integer(_) | VariableKind::Enumeration(_) => TypedValue::Integer(0),
        VariableKind::Boolean(_) => TypedValue::Boolean(false),
        VariableKind::String(_) => TypedValue::Text(String::new()),
        VariableKind::Binary(_) => TypedValue::Binary(Vec::new()),
    }
}
