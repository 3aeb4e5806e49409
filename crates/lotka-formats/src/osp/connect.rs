//! Connections of variables, of groups of them, and through functions.

use std::collections::BTreeMap;

use lotka_instance::description::Causality;
use lotka_message::{Code, Findings, nearest};
use lotka_system::{Connection, Located, PowerBondSettings, Summand};

use super::{
    groups::{self, Group},
    models::Models,
    structure::{End, Function, Link},
};

/// Connections and power bonds of a structure.
#[derive(Debug, Default)]
pub(super) struct Connected {
    pub(super) connections: Vec<Connection>,
    pub(super) power_bonds: Vec<PowerBondSettings>,
}

/// What is connected to a function.
#[derive(Debug, Clone)]
struct Used {
    /// The variables of each input.
    inputs: Vec<Option<Vec<End>>>,
    /// The variables that read it, once for each reader.
    readers: Vec<Vec<End>>,
}

pub(super) struct Connector<'a> {
    models: &'a Models,
    functions: &'a [Function],
    used: Vec<Used>,
    /// Outputs that are part of a power bond.
    bonds: BTreeMap<String, Vec<Located<String>>>,
    connected: Connected,
    findings: &'a mut Findings,
}

pub(super) fn connect(links: &[Link], functions: &[Function], models: &Models, findings: &mut Findings) -> Connected {
    let unused = |function: &Function| Used { inputs: vec![None; function.inputs], readers: Vec::new() };
    let used = functions.iter().map(unused).collect();
    let (bonds, connected) = (BTreeMap::new(), Connected::default());
    let mut connector = Connector { models, functions, used, bonds, connected, findings };
    links.iter().for_each(|link| connector.link(link));
    connector.functions();
    connector.bonds();
    connector.connected
}

impl Connector<'_> {
    fn link(&mut self, link: &Link) {
        match link {
            Link::Variables(ends, bond) => {
                let from = self.variables(ends);
                if let (Some(bond), Some(from)) = (bond, from) {
                    self.bonds.entry(bond.value.clone()).or_default().push(from);
                }
            }
            Link::Groups(ends) => self.groups(ends),
            Link::Signal { signal, variable } if self.is_known(variable) => self.signal(signal, None, vec![variable.clone()]),
            Link::SignalGroup { signal, group } => {
                if let Some(variables) = self.group(group).map(|found| ends_of(group, &found)) {
                    self.signal(signal, Some(variables.len()), variables);
                }
            }
            Link::Signal { .. } => {}
        }
    }

    /// Connects two variables, and returns the output.
    fn variables(&mut self, [a, b]: &[End; 2]) -> Option<Located<String>> {
        if !self.is_known(a) || !self.is_known(b) {
            return None;
        }
        let is = |end: &End, what: fn(Causality) -> bool| self.models.causality(end).is_some_and(what);
        // With unknown causalities, the connection keeps the order of the file.
        let is_backward = !is(a, is_output) && (is(b, is_output) || is(a, takes) && !is(b, takes));
        let (from, to) = if is_backward { (b, a) } else { (a, b) };
        self.add(to, vec![source(from, 1.0, 0.0)]);
        Some(variable(from))
    }

    fn groups(&mut self, [a, b]: &[End; 2]) {
        let (Some(one), Some(other)) = (self.group(a), self.group(b)) else { return };
        if !one.fits(&other) {
            let (first, second) = (one.all().len(), other.all().len());
            let message = format!(
                "the groups `{}.{}` ({first} variables) and `{}.{}` ({second} variables) have different shapes",
                a.owner.value, a.name.value, b.owner.value, b.name.value
            );
            self.findings.error(
                Code::OspForm,
                &a.name.span,
                message,
                "connect groups with the same number of variables".to_owned(),
            );
            return;
        }
        for (one, other) in ends_of(a, &one).into_iter().zip(ends_of(b, &other)) {
            self.variables(&[one, other]);
        }
    }

    /// The group of variables at an end.
    fn group(&mut self, end: &End) -> Option<Group> {
        if !self.is_known(end) {
            return None;
        }
        // If the FMU cannot be read, only this is reported.
        let known = &self.models.of(&end.owner).filter(|model| model.is_read())?.groups;
        let found = groups::find(known, &end.name.value).cloned();
        if found.is_none() {
            let help = nearest(&end.name.value, known.iter().map(|group| group.name.as_str()))
                .unwrap_or_else(|| "describe it in MODEL_OspModelDescription.xml beside the FMU".to_owned());
            let message = format!("simulator `{}` has no group of variables `{}`", end.owner.value, end.name.value);
            self.findings.error(Code::OspForm, &end.name.span, message, help);
        }
        found
    }

    /// Whether there is a simulator of this name.
    fn is_known(&mut self, end: &End) -> bool {
        let is_known = self.models.of(&end.owner).is_some();
        if !is_known {
            let help = nearest(&end.owner.value, self.models.list.iter().map(|model| model.name.as_str()));
            let message = format!("unknown simulator `{}`", end.owner.value);
            self.findings.error(Code::UnknownInstance, &end.owner.span, message, help);
        }
        is_known
    }

    /// Connects a signal of a function, or a group of this number of signals, to variables.
    fn signal(&mut self, signal: &End, size: Option<usize>, variables: Vec<End>) {
        let Some(index) = self.functions.iter().position(|function| function.name.value == signal.owner.value) else {
            let help = nearest(&signal.owner.value, self.functions.iter().map(|function| function.name.value.as_str()));
            let message = format!("unknown function `{}`", signal.owner.value);
            self.findings.error(Code::OspForm, &signal.owner.span, message, help);
            return;
        };
        let function = &self.functions[index];
        if function.dimension != size {
            let expected = function.dimension.map_or("single signals".to_owned(), |size| format!("groups of {size} signals"));
            let message = format!("the function `{}` connects {expected}", signal.owner.value);
            self.findings.error(Code::OspForm, &signal.name.span, message, None);
            return;
        }
        let used = &mut self.used[index];
        match position(&signal.name.value, function) {
            Some(Position::Output) => used.readers.push(variables),
            Some(Position::Input(input)) if used.inputs[input].is_none() => used.inputs[input] = Some(variables),
            Some(Position::Input(_)) => {
                let message = format!("`{}.{}` is connected to two sources", signal.owner.value, signal.name.value);
                self.findings.error(Code::TwoSources, &signal.name.span, message, "remove one of the connections".to_owned());
            }
            None => {
                let message = format!("the function `{}` has no signal `{}`", signal.owner.value, signal.name.value);
                let inputs = if size.is_none() && function.inputs == 1 { "`in`" } else { "`in[0]`, `in[1]`, …" };
                self.findings.error(Code::OspForm, &signal.name.span, message, format!("available: {inputs} and `out`"));
            }
        }
    }

    /// Connections through functions.
    fn functions(&mut self) {
        for (function, used) in self.functions.iter().zip(std::mem::take(&mut self.used)) {
            let name = &function.name;
            let open = used.inputs.iter().position(Option::is_none);
            if let Some(open) = open {
                let message = format!("input {open} of the function `{}` is not connected", name.value);
                self.findings.error(Code::OspForm, &name.span, message, "connect it to an output".to_owned());
                continue;
            }
            if used.readers.is_empty() {
                let message = format!("no input reads the function `{}`: it has no effect", name.value);
                self.findings.warning(Code::OspIgnored, &name.span, message, None);
            }
            for reader in &used.readers {
                for (nth, input) in reader.iter().enumerate() {
                    let summands = used.inputs.iter().flatten().filter_map(|variables| variables.get(nth));
                    let sources = summands.map(|output| source(output, function.factor, function.offset)).collect();
                    self.add(input, sources);
                }
            }
        }
    }

    fn add(&mut self, to: &End, sources: Vec<Summand>) {
        let input = variable(to);
        if self.connected.connections.iter().any(|known| known.input.value == input.value) {
            let message = format!("`{}` is connected to two sources", input.value);
            self.findings.error(Code::TwoSources, &input.span, message, "remove one of the connections".to_owned());
            return;
        }
        self.connected.connections.push(Connection { input, sources });
    }

    /// Power bonds have two connections, one in each direction.
    fn bonds(&mut self) {
        for (name, outputs) in std::mem::take(&mut self.bonds) {
            match <[_; 2]>::try_from(outputs) {
                Ok([effort, flow]) => self.connected.power_bonds.push(PowerBondSettings { name: name.into(), effort, flow }),
                Err(outputs) => {
                    let message =
                        format!("the power bond `{name}` has {} connections, expected two: Lotka ignores it", outputs.len());
                    self.findings.warning(Code::OspIgnored, &outputs[0].span, message, None);
                }
            }
        }
    }
}

fn is_output(causality: Causality) -> bool {
    matches!(causality, Causality::Output | Causality::CalculatedParameter)
}

fn takes(causality: Causality) -> bool {
    matches!(causality, Causality::Input | Causality::Parameter)
}

/// A signal of a function.
enum Position {
    Input(usize),
    Output,
}

/// `out`, `in`, or `in[0]`.
fn position(name: &str, function: &Function) -> Option<Position> {
    let index = |name: &str| name.strip_prefix("in[")?.strip_suffix(']')?.parse().ok();
    match name {
        "out" => Some(Position::Output),
        "in" if function.inputs == 1 && function.dimension.is_none() => Some(Position::Input(0)),
        _ => index(name).filter(|index| *index < function.inputs).map(Position::Input),
    }
}

/// The variables of a group, as ends.
fn ends_of(end: &End, group: &Group) -> Vec<End> {
    let located = |name: &str| Located { value: name.to_owned(), span: end.name.span.clone() };
    group.all().into_iter().map(|name| End { owner: end.owner.clone(), name: located(name) }).collect()
}

/// `instance.variable`.
fn variable(end: &End) -> Located<String> {
    let value = format!("{}.{}", super::convert::plain(&end.owner.value), end.name.value);
    Located { value, span: end.name.span.clone() }
}

/// An output as libcosim passes it: its number, regardless of its unit.
fn source(output: &End, factor: f64, offset: f64) -> Summand {
    Summand { factor, offset, convert_units: false, ..Summand::new(variable(output)) }
}
