//! Connections: sources must be outputs, targets must be inputs, and types and units must match.

use std::collections::HashSet;

use lotka_instance::{
    ModelDescription,
    description::{Causality, Variable},
};
use lotka_message::{Code, Findings};
use lotka_plan::link::{Link, LinkSource, SignalType, UnitConversion, VariableIndex, signal_type};

use super::{arrays, map, unique::two_sources};
use crate::{
    Connection, Located, Summand, SystemDescription,
    locate::Names,
    units::{self, Conversion, Doubt, Unit, Units},
};

pub fn resolve(system: &SystemDescription, names: &Names<'_>, findings: &mut Findings) -> Vec<Link> {
    let mut links = Vec::new();
    let mut fed = HashSet::new();
    let elements: Vec<_> =
        system.connections.iter().flat_map(|connection| arrays::connections(connection, names, findings)).collect();
    for connection in elements.iter().map(AsRef::as_ref) {
        let units = Units::new(&system.units);
        let Some(link) = (Resolver { names, units, findings }).link(connection) else { continue };
        if fed.insert(link.input()) {
            links.push(link);
        } else {
            two_sources(&connection.input, findings);
        }
    }
    links
}

struct Resolver<'a, 'f> {
    names: &'a Names<'a>,
    units: Units<'a>,
    findings: &'f mut Findings,
}

impl<'a> Resolver<'a, '_> {
    fn link(&mut self, connection: &Connection) -> Option<Link> {
        let target = self.names.locate_end(&connection.input, Causality::Input, self.findings);
        let sources: Vec<_> = connection
            .sources
            .iter()
            .map(|source| (source, self.names.locate_end(&source.from, Causality::Output, self.findings)))
            .collect();
        let (instance, variable) = target?;
        let signal = signal_type(self.names.variable((instance, variable)));
        if signal != SignalType::Real && sources.len() > 1 {
            let message =
                format!("`{}` is not a Real variable, so several outputs cannot be summed into it", connection.input.value);
            self.findings.error(Code::RealOnly, &connection.input.span, message, "connect one of them".to_owned());
        }
        let sources: Option<Vec<_>> =
            sources.into_iter().map(|(source, at)| self.source(connection, (instance, variable), source, at?)).collect();
        Some(Link { instance, variable, signal, sources: sources? })
    }

    fn end(&self, at: VariableIndex) -> (&'a ModelDescription, &'a Variable) {
        (self.names.description(at.0), self.names.variable(at))
    }

    fn unit(&self, at: VariableIndex) -> Option<Unit<'a>> {
        let (description, variable) = self.end(at);
        self.units.of(description, variable)
    }

    fn source(
        &mut self,
        connection: &Connection,
        target: VariableIndex,
        source: &Summand,
        at: VariableIndex,
    ) -> Option<LinkSource> {
        let (from, to) = (signal_type(self.names.variable(at)), signal_type(self.names.variable(target)));
        self.check_types(connection, source, from, to)?;
        let degree = source.degree.as_ref().and_then(|degree| super::algorithm::degree(degree, "degree", self.findings));
        let map = map::resolve(source, self.end(at), self.end(target), self.findings)?;
        let (factor, offset) = (source.factor, source.offset);
        let mut link = LinkSource { instance: at.0, variable: at.1, signal: from, factor, offset, degree, map, conversion: None };
        if (from, to) == (SignalType::Real, SignalType::Real) {
            let whole = self.transformation(connection, source, at, target)?;
            (link.factor, link.offset) = (whole.factor, whole.offset);
            link.conversion = self.between(connection, source, at, target);
        }
        Some(link)
    }

    /// Factor and offset of a source, with the conversions of units before and after them.
    fn transformation(
        &mut self,
        connection: &Connection,
        source: &Summand,
        from: VariableIndex,
        to: VariableIndex,
    ) -> Option<Conversion> {
        let own = Conversion { factor: source.factor, offset: source.offset };
        if !source.convert_units {
            return Some(own);
        }
        let descriptions = [self.end(from).0, self.end(to).0];
        let (output, input, units) = (self.unit(from), self.unit(to), self.units);
        let before = named(units, &source.from_unit, input, &descriptions, self.findings)?;
        let after = named(units, &source.to_unit, input, &descriptions, self.findings)?;
        let steps = [units::conversion(output, before), Ok(own), units::conversion(after, input)];
        let mut whole = Conversion::IDENTITY;
        for step in steps {
            whole = whole.then(self.converted(connection, source, step)?);
        }
        Some(whole)
    }

    /// A conversion, or its problem.
    fn converted(&mut self, connection: &Connection, source: &Summand, step: Result<Conversion, Doubt>) -> Option<Conversion> {
        match step {
            Ok(step) => Some(step),
            Err(Doubt::Undefined(what)) => {
                self.findings.warning(
                    Code::UndefinedUnit,
                    &source.from.span,
                    format!("{}: {what}", pair(connection, source)),
                    "define it in [units], or set convert-units = false".to_owned(),
                );
                Some(Conversion::IDENTITY)
            }
            Err(Doubt::Incompatible(what)) => {
                let message = format!("the units of `{}` and `{}` differ: {what}", source.from.value, connection.input.value);
                let help = "connect variables of the same dimension, or set convert-units = false and a factor".to_owned();
                self.findings.error(Code::IncompatibleUnits, &source.from.span, message, help);
                None
            }
        }
    }

    /// The conversion of values from the unit of one variable to that of another; `None` if the units are equal.
    fn between(
        &self,
        connection: &Connection,
        source: &Summand,
        from: VariableIndex,
        to: VariableIndex,
    ) -> Option<UnitConversion> {
        let (from, to) = (self.unit(from)?, self.unit(to)?);
        let Conversion { factor, offset } = units::conversion(Some(from), Some(to)).ok()?;
        let (input, output) = (connection.input.value.clone(), source.from.value.clone());
        let conversion = UnitConversion { input, output, from: from.name.to_owned(), to: to.name.to_owned(), factor, offset };
        (source.convert_units && from.name != to.name).then_some(conversion)
    }

    fn check_types(&mut self, connection: &Connection, source: &Summand, from: SignalType, to: SignalType) -> Option<()> {
        use SignalType::{Boolean, Integer, Real};
        let pair = pair(connection, source);
        match (from, to) {
            (Integer | Boolean, Real) => {
                self.findings.warning(
                    Code::ReadAsNumber,
                    &source.from.span,
                    format!("{pair}: {} is converted to a Real", article(from)),
                    None,
                );
            }
            (Boolean, Integer) => {
                self.findings.warning(
                    Code::ReadAsNumber,
                    &source.from.span,
                    format!("{pair}: {} is converted to 0 or 1", article(from)),
                    None,
                );
            }
            _ if from == to => {}
            _ => {
                let message = format!("cannot connect {pair}: {} cannot feed {}", article(from), article(to));
                self.findings.error(
                    Code::IncompatibleTypes,
                    &source.from.span,
                    message,
                    format!("connect an output that is {}", article(to)),
                );
                return None;
            }
        }
        if to != Real && (source.factor != 1.0 || source.offset != 0.0) {
            let message = format!("{pair}: `factor` and `offset` need a Real input");
            self.findings.error(
                Code::RealOnly,
                &source.from.span,
                message,
                "remove them, or use `map` for integers, booleans and enumerations".to_owned(),
            );
            return None;
        }
        if from == Real || from == SignalType::Text {
            let has_map = !source.map.is_empty();
            if has_map {
                let message = format!("{pair}: `map` does not support {}", article(from));
                self.findings.error(
                    Code::NotMappable,
                    &source.from.span,
                    message,
                    "use `map` for integers, booleans and enumerations".to_owned(),
                );
            }
            return (!has_map).then_some(());
        }
        Some(())
    }
}

/// The unit with this name; without a name, that of the input.
fn named<'a>(
    units: Units<'a>,
    name: &'a Option<Located<String>>,
    input: Option<Unit<'a>>,
    descriptions: &[&'a ModelDescription],
    findings: &mut Findings,
) -> Option<Option<Unit<'a>>> {
    match name {
        Some(name) => units.named(name, descriptions, findings).map(Some),
        None => Some(input),
    }
}

fn pair(connection: &Connection, source: &Summand) -> String {
    format!("`{}` to `{}`", source.from.value, connection.input.value)
}

fn article(signal: SignalType) -> &'static str {
    match signal {
        SignalType::Real => "a Real",
        SignalType::Integer => "an Integer",
        SignalType::Boolean => "a Boolean",
        SignalType::Text => "a String",
        SignalType::Binary => "a Binary",
    }
}
