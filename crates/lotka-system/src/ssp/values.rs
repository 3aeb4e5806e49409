//! The values of a binding, from the file itself or from others.

use std::path::Path;

use fmu::{Limits, Package};
use lotka_message::limits::SYSTEM_BYTES;
use roxmltree::Node;

use super::{
    document::CODES,
    file::source_file,
    flatten::{Context, Flattener},
    parameters::{self, Binding, MappingEntry, Origin, Parameter},
};
use crate::{Located, StartSetting, text, xml::Reader};
use lotka_message::{Code, SourceFile};

impl Flattener {
    /// Values by their hierarchical names.
    pub(super) fn values(&mut self, binding: &Binding, component: Option<&Path>, context: &Context) -> Vec<StartSetting> {
        let Some(set) = self.content(&binding.values, component, context, parameters::parameter_set) else { return Vec::new() };
        self.define(set.units.clone());
        let given: Vec<_> = set.parameters.iter().map(|parameter| setting(parameter, &binding.prefix)).collect();
        match &binding.mapping {
            None => given,
            Some(mapping) => match self.content(mapping, component, context, parameters::mapping) {
                Some(entries) => mapped(&given, &entries),
                None => Vec::new(),
            },
        }
    }

    /// Values in the file itself or in another one.
    fn content<T: Clone>(
        &mut self,
        origin: &Origin<T>,
        component: Option<&Path>,
        context: &Context,
        read: fn(Node<'_, '_>, &mut Reader<'_>) -> T,
    ) -> Option<T> {
        let (source, is_in_component) = match origin {
            Origin::Here(content) => return Some(content.clone()),
            Origin::File { source, is_in_component } => (source, *is_in_component),
        };
        let file = if is_in_component { in_component(&source.value, component) } else { self.beside(&source.value, context) };
        let file = file.map_err(|reason| {
            self.findings.error(Code::SspReference, &source.span, format!("`{}` cannot be read: {reason}", source.value), None)
        });
        let file = file.ok()?;
        let mut reader = Reader::new(&file, false, CODES);
        let content = reader.tree(|root, reader| read(root, reader));
        self.findings.add_of(&file, reader.findings);
        content
    }

    fn beside(&mut self, source: &str, context: &Context) -> Result<SourceFile, String> {
        let target = context.location.resolve(source)?;
        let bytes = text::bytes(&target.path).map_err(|error| error.to_string())?;
        self.description.beside.push(target.path);
        let shown = context.file.path.parent().map(|folder| folder.join(source)).unwrap_or_else(|| source.into());
        source_file(shown, bytes).map_err(|error| error.to_string())
    }
}

fn in_component(source: &str, component: Option<&Path>) -> Result<SourceFile, String> {
    let component = component.ok_or("it does not belong to a component")?;
    let mut package = Package::open(component, &Limits::default()).map_err(|error| error.to_string())?;
    let bytes = package.read(source, SYSTEM_BYTES).map_err(|error| error.to_string())?;
    let bytes = bytes.ok_or_else(|| format!("{} does not contain it", component.display()))?;
    source_file(component.join(source), bytes).map_err(|error| error.to_string())
}

fn setting(parameter: &Parameter, prefix: &str) -> StartSetting {
    let variable = Located { value: format!("{prefix}{}", parameter.name.value), span: parameter.name.span.clone() };
    StartSetting {
        unit: parameter.unit.clone().map(Located::from),
        is_optional: true,
        ..StartSetting::new(variable, parameter.value.clone())
    }
}

/// The values that a mapping selects, with their new names. Other values are not used.
fn mapped(given: &[StartSetting], entries: &[MappingEntry]) -> Vec<StartSetting> {
    let mut mapped = Vec::new();
    for entry in entries {
        // An array is mapped with all of its elements.
        let index = |setting: &StartSetting| {
            let index = setting.variable.value.strip_prefix(&entry.source)?;
            (index.is_empty() || index.starts_with('[')).then(|| index.to_owned())
        };
        for (setting, index) in given.iter().filter_map(|setting| Some((setting, index(setting)?))) {
            let variable = Located { value: format!("{}{index}", entry.target), span: setting.variable.span.clone() };
            let value =
                Located { value: entry.transformation.apply(setting.value.value.clone()), span: setting.value.span.clone() };
            let unit = setting.unit.clone().filter(|_| !entry.keeps_units);
            mapped.push(StartSetting { variable, value, unit, is_optional: setting.is_optional });
        }
    }
    mapped
}
