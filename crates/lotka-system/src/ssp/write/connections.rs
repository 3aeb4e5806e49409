//! Connections with the transformations of their values.

use std::io;

use lotka_instance::description::VariableKind;

use super::{Document, Xml};
use crate::{Connection, StartValue, Summand, locate::split};

impl Document<'_> {
    /// Whether it is an output of a source.
    pub(super) fn is_known(&self, source: &Summand) -> bool {
        split(&source.from.value).is_some_and(|(name, _)| self.known.contains(name))
    }

    /// Instance and variable of both ends, for connections that SSP can express.
    pub(super) fn ends<'a>(&self, connection: &'a Connection) -> Option<Ends<'a>> {
        let [source] = &connection.sources[..] else { return None };
        if self.is_known(source) {
            return None;
        }
        let (input, output) = (split(&connection.input.value)?, split(&source.from.value)?);
        let (factor, offset) = self.numbers(&connection.input.value, source);
        Some(Ends { input, output, source, factor, offset })
    }

    /// Factor and offset. If they apply in other units, they are converted to those of the exchanged numbers.
    fn numbers(&self, input: &str, source: &Summand) -> (f64, f64) {
        let in_place = (source.factor, source.offset);
        if !acts_in_own_units(source) {
            return in_place;
        }
        let link = self.names.find_full(input).and_then(|input| self.links.into_input(input));
        link.and_then(|link| link.sources.first()).map_or(in_place, |source| (source.factor, source.offset))
    }

    pub(super) fn connection(&self, xml: &mut Xml, ends: &Ends<'_>) -> io::Result<()> {
        let Ends { input, output, source, factor, offset } = ends;
        let mut connection = xml.create_element("ssd:Connection").with_attributes([
            ("startElement", output.0),
            ("startConnector", output.1),
            ("endElement", input.0),
            ("endConnector", input.1),
        ]);
        if !source.convert_units || acts_in_own_units(source) {
            connection = connection.with_attribute(("suppressUnitConversion", "true"));
        }
        if *factor != 1.0 || *offset != 0.0 {
            let [factor, offset] = [*factor, *offset].map(|value| zmij::Buffer::new().format(value).to_owned());
            return connection
                .write_inner_content(|xml| {
                    let linear = xml.create_element("ssc:LinearTransformation");
                    linear.with_attributes([("factor", factor.as_str()), ("offset", offset.as_str())]).write_empty().map(|_| ())
                })
                .map(|_| ());
        }
        if source.map.is_empty() {
            return connection.write_empty().map(|_| ());
        }
        let name = self.map_element(output);
        connection.write_inner_content(|xml| {
            xml.create_element(name).write_inner_content(|xml| {
                for (from, to) in &source.map {
                    let [from, to] = [&from.value, &to.value].map(StartValue::plain);
                    xml.create_element("ssc:MapEntry")
                        .with_attributes([("source", from.as_str()), ("target", to.as_str())])
                        .write_empty()?;
                }
                Ok(())
            })?;
            Ok(())
        })?;
        Ok(())
    }

    /// The kind of map for an output.
    fn map_element(&self, (instance, variable): &(&str, &str)) -> &'static str {
        let find = || {
            let instance = self.names.find(instance)?;
            Some(self.names.variable((instance, self.names.find_variable(instance, variable)?)))
        };
        match find().map(|variable| &variable.kind) {
            Some(VariableKind::Boolean(_)) => "ssc:BooleanMappingTransformation",
            Some(VariableKind::Enumeration(_)) => "ssc:EnumerationMappingTransformation",
            _ => "ssc:IntegerMappingTransformation",
        }
    }
}

/// A connection that SSP can express.
pub(super) struct Ends<'a> {
    input: (&'a str, &'a str),
    output: (&'a str, &'a str),
    source: &'a Summand,
    factor: f64,
    offset: f64,
}

fn acts_in_own_units(source: &Summand) -> bool {
    source.from_unit.is_some() || source.to_unit.is_some()
}
