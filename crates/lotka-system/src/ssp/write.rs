//! Writes system structure descriptions of version 1.0, which all tools read.

mod annotations;
mod connections;

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashSet, btree_map::Entry},
    io,
};

use lotka_instance::{
    ModelDescription, TypedValue,
    description::{Causality, Variable, VariableKind},
};
use lotka_message::{Code, Findings, Warning};
use lotka_plan::link::{LinkIndex, PerModel, SignalType};
use lotka_step::resolved::Resolved;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quick_xml::{
    Writer,
    events::{BytesDecl, Event},
};

use crate::{Connection, SystemDescription, UnitSettings, hex, locate::Names, resolve::arrays, toml::BASE_UNITS, units};

/// Characters of a path that are not escaped.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_').remove(b'~');

type Xml = Writer<Vec<u8>>;

/// A system with all that is known of it.
pub struct Document<'a> {
    /// Name of the system.
    name: &'a str,
    description: &'a SystemDescription,
    /// The same in indices.
    resolved: &'a Resolved,
    /// Per instance.
    fmus: &'a [&'a ModelDescription],
    /// Per instance: the path of its FMU.
    sources: &'a [String],
    /// The instances and their variables.
    names: Names<'a>,
    links: LinkIndex<'a>,
    /// Those of arrays by element, because version 1.0 has no arrays.
    connections: Vec<Connection>,
    /// The first definition of each unit.
    units: BTreeMap<&'a str, UnitSettings>,
    /// Names of the entries of `[sources]`.
    known: HashSet<&'a str>,
}

impl<'a> Document<'a> {
    /// Creates the document of a system with this name, which is described and resolved. `fmus` has the model description of each
    /// instance, and `sources` the path of its FMU, relative to the document, with slashes.
    #[must_use]
    pub fn new(
        name: &'a str,
        description: &'a SystemDescription,
        resolved: &'a Resolved,
        fmus: &'a [&'a ModelDescription],
        sources: &'a [String],
    ) -> Self {
        let instances = description.instances.iter().map(|instance| instance.name.value.as_str());
        let names = Names::new(instances.collect(), fmus.to_vec());
        let known = description.sources.iter().map(|source| source.name.value.as_str()).collect();
        let (links, units) = (LinkIndex::new(&resolved.links), all_units(description, fmus));
        // The system is resolved, so that nothing is found here.
        let elements = |connection| arrays::connections(connection, &names, &mut Findings::default());
        let connections = description.connections.iter().flat_map(elements).map(Cow::into_owned).collect();
        Self { name, description, resolved, fmus, sources, names, links, connections, units, known }
    }

    /// The text of an `.ssd` file, and what other tools will not see of the system.
    ///
    /// # Errors
    /// A text has characters that XML cannot hold.
    pub fn write(&self) -> io::Result<(Vec<u8>, Vec<Warning>)> {
        let (mut own, mut warnings) = (Vec::new(), Vec::new());
        for connection in &self.connections {
            self.special(connection, &mut own, &mut warnings);
        }
        warnings.extend(self.foreign_steps());
        let names = self.description.instances.iter().map(|instance| &instance.name.value);
        for name in names.filter(|name| **name != identifier(name)) {
            let message = format!(
                "OMSimulator refuses the instance name `{name}`: it accepts letters, digits and `_`, starting with a letter"
            );
            warnings.push(Warning::new(Code::SspExport, message));
        }
        let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
        xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        // Other tools expect these prefixes here.
        let spaces = [
            ("xmlns:ssd", "http://ssp-standard.org/SSP1/SystemStructureDescription"),
            ("xmlns:ssc", "http://ssp-standard.org/SSP1/SystemStructureCommon"),
            ("xmlns:ssv", "http://ssp-standard.org/SSP1/SystemStructureParameterValues"),
            ("xmlns:osp", "http://opensimulationplatform.com/SSP/OSPAnnotations"),
            ("xmlns:oms", "https://raw.githubusercontent.com/OpenModelica/OMSimulator/master/schema/oms.xsd"),
        ];
        let tool = concat!("lotka ", env!("CARGO_PKG_VERSION"));
        let root = xml.create_element("ssd:SystemStructureDescription").with_attributes(spaces);
        let name = identifier(self.name);
        let root = root.with_attributes([("version", "1.0"), ("name", &name), ("generationTool", tool)]);
        root.write_inner_content(|xml| {
            self.system(xml, &own)?;
            self.enumerations(xml)?;
            self.units(xml)?;
            self.experiment(xml)
        })?;
        let mut text = xml.into_inner();
        text.push(b'\n');
        Ok((text, warnings))
    }

    /// Connections that SSP cannot express completely go to the annotation; those that it cannot express at all are reported.
    fn special(&self, connection: &Connection, own: &mut Vec<Connection>, warnings: &mut Vec<Warning>) {
        let is_sum = connection.sources.len() != 1;
        let is_known = connection.sources.iter().any(|source| self.is_known(source));
        if is_sum || is_known {
            let reason = if is_sum { "is a sum" } else { "reads a signal from [sources]" };
            let message = format!("`{}` {reason}, which SSP cannot express: other tools see no source", connection.input.value);
            warnings.push(Warning::new(Code::SspExport, message));
        }
        if is_sum || is_known || connection.sources.iter().any(|source| source.degree.is_some()) {
            own.push(connection.clone());
        }
    }

    fn system(&self, xml: &mut Xml, own: &[Connection]) -> io::Result<()> {
        xml.create_element("ssd:System").with_attribute(("name", "system")).write_inner_content(|xml| {
            xml.create_element("ssd:Elements")
                .write_inner_content(|xml| (0..self.fmus.len()).try_for_each(|n| self.component(xml, n)))?;
            let plain: Vec<_> = self.connections.iter().filter_map(|connection| self.ends(connection)).collect();
            if !plain.is_empty() {
                let connections = xml.create_element("ssd:Connections");
                connections.write_inner_content(|xml| plain.iter().try_for_each(|ends| self.connection(xml, ends)))?;
            }
            self.annotations(xml, own)
        })?;
        Ok(())
    }

    fn component(&self, xml: &mut Xml, instance: usize) -> io::Result<()> {
        let settings = &self.description.instances[instance];
        let source = utf8_percent_encode(&self.sources[instance], PATH).to_string();
        let component = xml.create_element("ssd:Component").with_attributes([
            ("name", settings.name.value.as_str()),
            ("type", "application/x-fmu-sharedlibrary"),
            ("source", &source),
        ]);
        component.write_inner_content(|xml| {
            let values = &self.resolved.start_values[instance];
            let given: HashSet<_> = values.iter().map(|(variable, _)| *variable).collect();
            let variables = self.fmus[instance].variables.iter().enumerate();
            let is_shown = |(index, variable): &(usize, &Variable)| {
                matches!(variable.causality, Causality::Input | Causality::Output)
                    || (variable.causality == Causality::Parameter && given.contains(index))
            };
            let shown: Vec<_> = variables.filter(is_shown).map(|(_, variable)| variable).collect();
            if !shown.is_empty() {
                let connectors = xml.create_element("ssd:Connectors");
                connectors
                    .write_inner_content(|xml| shown.iter().try_for_each(|variable| self.connector(xml, instance, variable)))?;
            }
            self.parameters(xml, instance, values)
        })?;
        Ok(())
    }

    fn connector(&self, xml: &mut Xml, instance: usize, variable: &Variable) -> io::Result<()> {
        let kind = match variable.causality {
            Causality::Input => "input",
            Causality::Output => "output",
            _ => "parameter",
        };
        let connector = xml.create_element("ssd:Connector").with_attributes([("name", variable.name.as_str()), ("kind", kind)]);
        connector.write_inner_content(|xml| {
            let name = type_element(variable, "ssc");
            let mut of_type = xml.create_element(name.as_str());
            if let Some(unit) = self.unit(instance, variable) {
                of_type = of_type.with_attribute(("unit", unit));
            }
            if let VariableKind::Enumeration(enumeration) = &variable.kind {
                of_type = of_type.with_attribute(("name", self.enumeration(instance, &enumeration.declared_type).as_str()));
            }
            of_type.write_empty().map(|_| ())
        })?;
        Ok(())
    }

    /// The unit of a variable, if all FMUs define it equally.
    fn unit<'v>(&self, instance: usize, variable: &'v Variable) -> Option<&'v str> {
        let name = variable.unit()?;
        let own = units::definition(self.fmus[instance], name)?;
        (self.units.get(name) == Some(&own)).then_some(name)
    }

    fn parameters(&self, xml: &mut Xml, instance: usize, values: &[(usize, TypedValue)]) -> io::Result<()> {
        if values.is_empty() {
            return Ok(());
        }
        xml.create_element("ssd:ParameterBindings").write_inner_content(|xml| {
            xml.create_element("ssd:ParameterBinding").write_inner_content(|xml| {
                xml.create_element("ssd:ParameterValues").write_inner_content(|xml| {
                    let name = format!("start values of {}", self.description.instances[instance].name.value);
                    let set =
                        xml.create_element("ssv:ParameterSet").with_attributes([("version", "1.0"), ("name", name.as_str())]);
                    set.write_inner_content(|xml| {
                        let parameters = xml.create_element("ssv:Parameters");
                        parameters.write_inner_content(|xml| {
                            values.iter().try_for_each(|value| self.parameter(xml, instance, value))
                        })?;
                        Ok(())
                    })?;
                    Ok(())
                })?;
                Ok(())
            })?;
            Ok(())
        })?;
        Ok(())
    }

    fn parameter(&self, xml: &mut Xml, instance: usize, (index, value): &(usize, TypedValue)) -> io::Result<()> {
        let variable = &self.fmus[instance].variables[*index];
        let parameter = xml.create_element("ssv:Parameter").with_attribute(("name", variable.name.as_str()));
        parameter.write_inner_content(|xml| {
            let text = match value {
                TypedValue::Real(value) => zmij::Buffer::new().format(*value).to_owned(),
                TypedValue::Integer(value) => value.to_string(),
                TypedValue::Boolean(value) => value.to_string(),
                TypedValue::Text(text) => text.clone(),
                TypedValue::Binary(bytes) => hex::text(bytes),
            };
            // Values of enumerations are numbers, because OMSimulator does not support others.
            let name = match value {
                TypedValue::Integer(_) => "ssv:Integer".to_owned(),
                _ => type_element(variable, "ssv"),
            };
            xml.create_element(name.as_str()).with_attribute(("value", text.as_str())).write_empty().map(|_| ())
        })?;
        Ok(())
    }

    fn enumeration(&self, instance: usize, name: &str) -> String {
        format!("{}.{name}", self.description.instances[instance].name.value)
    }

    fn enumerations(&self, xml: &mut Xml) -> io::Result<()> {
        let types_of = |fmu: &'a ModelDescription| -> HashSet<&'a str> {
            let kinds = fmu.variables.iter().map(|variable| &variable.kind);
            kinds
                .filter_map(
                    |kind| if let VariableKind::Enumeration(kind) = kind { Some(kind.declared_type.as_str()) } else { None },
                )
                .collect()
        };
        let used = PerModel::new(self.fmus, types_of);
        let mut all = Vec::new();
        for (instance, fmu) in self.fmus.iter().enumerate() {
            let is_used = |name: &str| used[instance].contains(name);
            let types = fmu.enumerations.iter().filter(|declared| !declared.items.is_empty() && is_used(&declared.name));
            all.extend(types.map(|declared| (self.enumeration(instance, &declared.name), &declared.items)));
        }
        if all.is_empty() {
            return Ok(());
        }
        xml.create_element("ssd:Enumerations").write_inner_content(|xml| {
            for (name, items) in &all {
                let enumeration = xml.create_element("ssc:Enumeration").with_attribute(("name", name.as_str()));
                enumeration.write_inner_content(|xml| {
                    items.iter().try_for_each(|item| {
                        let value = item.value.to_string();
                        let element = xml.create_element("ssc:Item");
                        element
                            .with_attributes([("name", item.name.as_str()), ("value", value.as_str())])
                            .write_empty()
                            .map(|_| ())
                    })
                })?;
            }
            Ok(())
        })?;
        Ok(())
    }

    fn units(&self, xml: &mut Xml) -> io::Result<()> {
        if self.units.is_empty() {
            return Ok(());
        }
        xml.create_element("ssd:Units").write_inner_content(|xml| {
            for (name, unit) in &self.units {
                xml.create_element("ssc:Unit").with_attribute(("name", *name)).write_inner_content(|xml| {
                    let mut base = xml.create_element("ssc:BaseUnit");
                    for (name, exponent) in BASE_UNITS.iter().zip(unit.exponents).filter(|(_, exponent)| *exponent != 0) {
                        base = base.with_attribute((*name, exponent.to_string().as_str()));
                    }
                    for (name, value, default) in [("factor", unit.factor, 1.0), ("offset", unit.offset, 0.0)] {
                        if value != default {
                            base = base.with_attribute((name, zmij::Buffer::new().format(value)));
                        }
                    }
                    base.write_empty().map(|_| ())
                })?;
            }
            Ok(())
        })?;
        Ok(())
    }
}

/// The first definition of each unit: by the FMUs, otherwise by the system.
fn all_units<'a>(description: &'a SystemDescription, fmus: &[&'a ModelDescription]) -> BTreeMap<&'a str, UnitSettings> {
    let mut units = BTreeMap::new();
    for fmu in fmus {
        for unit in &fmu.units {
            if let Entry::Vacant(entry) = units.entry(unit.name.as_str())
                && let Some(defined) = units::definition(fmu, &unit.name)
            {
                entry.insert(defined);
            }
        }
    }
    for unit in &description.units {
        units.entry(&unit.name.value).or_insert_with(|| UnitSettings { name: unit.name.value.clone().into(), ..unit.clone() });
    }
    units
}

/// A name that OMSimulator accepts: letters, digits and `_`, a letter first.
fn identifier(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if plain.starts_with(|c: char| c.is_ascii_alphabetic()) { plain } else { format!("system_{plain}") }
}

fn type_element(variable: &Variable, prefix: &str) -> String {
    let name = match lotka_plan::link::signal_type(variable) {
        SignalType::Real => "Real",
        SignalType::Integer if matches!(variable.kind, VariableKind::Enumeration(_)) => "Enumeration",
        SignalType::Integer => "Integer",
        SignalType::Boolean => "Boolean",
        SignalType::Text => "String",
        SignalType::Binary => "Binary",
    };
    format!("{prefix}:{name}")
}
