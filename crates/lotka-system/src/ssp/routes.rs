//! The path of each value from an output to an input, and its transformations.

use super::{
    flatten::{Flattener, Owner, Way},
    transformation::Transformation,
};
use crate::{
    Connection, Located, StartValue, Summand,
    units::{self, Conversion, Doubt, Units},
};
use lotka_message::Code;

impl Flattener {
    /// The connections of all inputs that are fed by an output.
    pub(super) fn connections(&mut self) {
        for index in 0..self.ways.len() {
            let Owner::Instance(instance) = self.ways[index].to.owner else { continue };
            let Some(route) = self.route(index) else { continue };
            let last = &self.ways[index];
            let input = Located {
                value: format!("{}.{}", self.description.instances[instance].name.value, last.to.connector),
                span: last.names[1].span.clone(),
            };
            if let Some(source) = self.source(&route) {
                self.description.connections.push(Connection { input, sources: vec![source] });
            }
        }
    }

    /// The path from an output of an instance to this end; `None` if no output feeds it.
    fn route(&self, last: usize) -> Option<Vec<Way>> {
        let mut route = vec![self.ways[last].clone()];
        while let Owner::Scope(_) = route[0].from.owner {
            let before = self.ways.iter().find(|way| way.to == route[0].from)?.clone();
            route.insert(0, before);
            if route.len() > self.ways.len() {
                return None;
            }
        }
        Some(route)
    }

    /// A source of a connection, with the transformations on its route.
    fn source(&mut self, route: &[Way]) -> Option<Summand> {
        let first = route.first()?;
        let Owner::Instance(instance) = first.from.owner else { return None };
        let name = format!("{}.{}", self.description.instances[instance].name.value, first.from.connector);
        let mut source = Summand::new(Located { value: name, span: first.names[0].span.clone() });
        source.convert_units = !route.iter().any(|way| way.keeps_units);
        match self.along(route, &mut source)? {
            Transformation::None => {}
            Transformation::Linear(Conversion { factor, offset }) => (source.factor, source.offset) = (factor, offset),
            Transformation::Map(map) => {
                let place = |value: StartValue| Located { value, span: source.from.span.clone() };
                source.map = map.into_iter().map(|(from, to)| (place(from), place(to))).collect();
            }
        }
        Some(source)
    }

    /// The composition of all transformations of a route, with the units at its ends.
    fn along(&mut self, route: &[Way], source: &mut Summand) -> Option<Transformation> {
        let unit_of = |flattener: &Self, port| flattener.connector(port).and_then(|connector| connector.unit.clone());
        let mut whole = Transformation::None;
        let mut unit = route.first().and_then(|way| unit_of(self, &way.from));
        source.from_unit = unit.clone().map(Located::from);
        for (position, way) in route.iter().enumerate() {
            let is_last = position + 1 == route.len();
            let next = unit_of(self, &way.to);
            if source.convert_units {
                match (&unit, &next) {
                    (Some(from), Some(to)) if from != to => {
                        let conversion = self.conversion(from, to, &way.names[1])?;
                        whole = self.joined(whole, Transformation::Linear(conversion), way)?;
                    }
                    // No transformation yet: the unit of the output is converted to this one.
                    (None, Some(to)) if whole == Transformation::None => source.from_unit = Some(to.clone().into()),
                    // Only the FMU of the input knows its unit.
                    (_, None) if is_last && whole == Transformation::None => source.from_unit = None,
                    _ => {}
                }
            }
            whole = self.joined(whole, way.transformation.clone(), way)?;
            unit = next.or(if is_last && source.from_unit.is_none() { None } else { unit });
        }
        source.to_unit = unit.map(Located::from);
        let input = route.last().and_then(|way| unit_of(self, &way.to));
        let is_of_input = |unit: &Option<Located<String>>| unit.as_ref().is_some_and(|unit| Some(&unit.value) == input.as_ref());
        let is_plain = is_of_input(&source.from_unit) && is_of_input(&source.to_unit);
        if is_plain || whole == Transformation::None || !source.convert_units || matches!(whole, Transformation::Map(_)) {
            (source.from_unit, source.to_unit) = (None, None);
        }
        Some(whole)
    }

    fn joined(&mut self, first: Transformation, next: Transformation, way: &Way) -> Option<Transformation> {
        let joined = first.then(next);
        if joined.is_none() {
            let message = format!("the value for `{}` is both mapped and scaled, expected one of them", way.names[1].value);
            self.findings.error(Code::SspTransformation, &way.names[1].span, message, "remove one of them".to_owned());
        }
        joined
    }

    /// The conversion between two units that the description defines; identity if one is undefined.
    pub(super) fn conversion(&mut self, from: &str, to: &str, place: &Located<String>) -> Option<Conversion> {
        let own = Units::new(&self.description.units);
        match units::conversion(own.known(from), own.known(to)) {
            Ok(conversion) => Some(conversion),
            Err(Doubt::Undefined(what)) => {
                self.findings.warning(
                    Code::UndefinedUnit,
                    &place.span,
                    format!("`{}`: {what}", place.value),
                    "define it in <Units>".to_owned(),
                );
                Some(Conversion::IDENTITY)
            }
            Err(Doubt::Incompatible(what)) => {
                self.findings.error(
                    Code::IncompatibleUnits,
                    &place.span,
                    format!("the units of the connection to `{}` differ: {what}", place.value),
                    "correct a unit, or write suppressUnitConversion=\"true\"".to_owned(),
                );
                None
            }
        }
    }
}
