//! Connections: sources are outputs, targets are inputs, types and units fit.

use fmi2::description::{Causality, ScalarVariable, VariableKind};

use super::Interface;
use crate::system::{
    Connection, Located, Source, SystemDescription, locate,
    problem::{Findings, nearest},
    units,
};

/// What travels over a connection; enumerations travel as integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignalType {
    Real,
    Integer,
    Boolean,
    Text,
}

/// One connected input.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Link {
    pub(crate) instance: usize,
    pub(crate) variable: usize,
    pub(crate) signal: SignalType,
    pub(crate) sources: Vec<LinkSource>,
}

/// One summand; `factor` and `offset` include the conversion of units.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LinkSource {
    pub(crate) instance: usize,
    pub(crate) variable: usize,
    pub(crate) signal: SignalType,
    pub(crate) factor: f64,
    pub(crate) offset: f64,
    /// Degree of its signal, if it is not that of the algorithm.
    pub(crate) degree: Option<usize>,
}

pub(crate) fn signal_type(variable: &ScalarVariable) -> SignalType {
    match variable.kind {
        VariableKind::Real(_) => SignalType::Real,
        VariableKind::Integer(_) | VariableKind::Enumeration(_) => SignalType::Integer,
        VariableKind::Boolean(_) => SignalType::Boolean,
        VariableKind::String(_) => SignalType::Text,
    }
}

pub(super) fn resolve(
    system: &SystemDescription,
    interfaces: &[Interface<'_>],
    names: &[&str],
    findings: &mut Findings,
) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for connection in &system.connections {
        let Some(link) = Resolver { interfaces, names, findings }.link(connection) else { continue };
        if links.iter().any(|earlier| (earlier.instance, earlier.variable) == (link.instance, link.variable)) {
            let help = "sum them in one list: \"input\" = [\"a.y\", \"b.y\"]".to_owned();
            findings.error(&connection.input.span, format!("`{}` has two sources", connection.input.value), help);
        } else {
            links.push(link);
        }
    }
    links
}

struct Resolver<'a, 'f> {
    interfaces: &'a [Interface<'a>],
    names: &'a [&'a str],
    findings: &'f mut Findings,
}

impl Resolver<'_, '_> {
    fn link(&mut self, connection: &Connection) -> Option<Link> {
        let target = self.locate(&connection.input, Causality::Input);
        let sources: Vec<_> =
            connection.sources.iter().map(|source| (source, self.locate(&source.from, Causality::Output))).collect();
        let (instance, variable) = target?;
        let signal = signal_type(self.variable((instance, variable)));
        if signal != SignalType::Real && sources.len() > 1 {
            let message = format!("`{}` is no Real, so several outputs cannot be summed into it", connection.input.value);
            self.findings.error(&connection.input.span, message, None);
        }
        let sources: Option<Vec<_>> =
            sources.into_iter().map(|(source, at)| self.source(connection, (instance, variable), source, at?)).collect();
        Some(Link { instance, variable, signal, sources: sources? })
    }

    fn variable(&self, (instance, variable): (usize, usize)) -> &ScalarVariable {
        &self.interfaces[instance].description.variables[variable]
    }

    /// Finds a variable and checks that it has the causality this end of a connection needs.
    fn locate(&mut self, name: &Located<String>, wanted: Causality) -> Option<(usize, usize)> {
        let descriptions: Vec<_> = self.interfaces.iter().map(|interface| interface.description).collect();
        let offer: locate::Offer = match wanted {
            Causality::Input => |variable| variable.causality() == Causality::Input,
            _ => |variable| variable.causality() == Causality::Output,
        };
        let at = locate::variable(name, self.names, &descriptions, offer, self.findings)?;
        let causality = self.variable(at).causality();
        if causality == wanted {
            return Some(at);
        }
        let (end, other) = if wanted == Causality::Input { ("target", "an input") } else { ("source", "an output") };
        let candidates = descriptions[at.0].variables.iter().filter(|variable| variable.causality() == wanted);
        let help = match causality {
            Causality::Input | Causality::Output => Some("write \"input\" = \"output\"".to_owned()),
            _ => nearest(&self.variable(at).name, candidates.map(|variable| variable.name.as_str())),
        };
        let message = format!("`{}` cannot be the {end} of a connection: it is {}, not {other}", name.value, role(causality));
        self.findings.error(&name.span, message, help);
        None
    }

    fn source(
        &mut self,
        connection: &Connection,
        target: (usize, usize),
        source: &Source,
        at: (usize, usize),
    ) -> Option<LinkSource> {
        let (from, to) = (signal_type(self.variable(at)), signal_type(self.variable(target)));
        self.check_types(connection, source, from, to)?;
        let degree = source.degree.as_ref().and_then(|degree| super::algorithm::degree(degree, "degree", self.findings));
        let (factor, offset) = (source.factor, source.offset);
        let mut link = LinkSource { instance: at.0, variable: at.1, signal: from, factor, offset, degree };
        if (from, to) == (SignalType::Real, SignalType::Real) {
            let end = |at: (usize, usize)| (self.interfaces[at.0].description, self.variable(at));
            match units::conversion(end(at), end(target)) {
                Ok(conversion) => {
                    link.factor *= conversion.factor;
                    link.offset += source.factor * conversion.offset;
                }
                Err(reason) => {
                    let message =
                        format!("the units of `{}` and `{}` differ: {reason}", source.from.value, connection.input.value);
                    self.findings.error(&source.from.span, message, None);
                    return None;
                }
            }
        }
        Some(link)
    }

    fn check_types(&mut self, connection: &Connection, source: &Source, from: SignalType, to: SignalType) -> Option<()> {
        use SignalType::{Boolean, Integer, Real};
        let pair = format!("`{}` to `{}`", source.from.value, connection.input.value);
        match (from, to) {
            (Integer | Boolean, Real) => {
                self.findings.warning(&source.from.span, format!("{pair}: {} is read as a Real number", article(from)));
            }
            (Boolean, Integer) => {
                self.findings.warning(&source.from.span, format!("{pair}: {} is read as 0 or 1", article(from)));
            }
            _ if from == to => {}
            _ => {
                let message = format!("{pair} does not fit: {} cannot feed {}", article(from), article(to));
                self.findings.error(&source.from.span, message, None);
                return None;
            }
        }
        if to != Real && (source.factor != 1.0 || source.offset != 0.0) {
            let message = format!("{pair}: factor and offset are for Real inputs");
            self.findings.error(&source.from.span, message, None);
            return None;
        }
        Some(())
    }
}

fn role(causality: Causality) -> &'static str {
    match causality {
        Causality::Parameter | Causality::CalculatedParameter => "a parameter",
        Causality::Input => "an input",
        Causality::Output => "an output",
        Causality::Local => "a local variable",
        Causality::Independent => "the independent variable",
    }
}

fn article(signal: SignalType) -> &'static str {
    match signal {
        SignalType::Real => "a Real",
        SignalType::Integer => "an Integer",
        SignalType::Boolean => "a Boolean",
        SignalType::Text => "a String",
    }
}
