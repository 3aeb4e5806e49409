//! Nested systems become instances and connections between them.
//!
//! A value goes from an output through connectors of systems to an input; each connection on its way may change it. [`Flattener::connections`]
//! follows these ways back from every input. Values of bindings go down the same ways.

use std::{path::PathBuf, sync::Arc};

use fmi2::description::Causality;
use fmu::Folder;

use super::{
    location::Location,
    read::Found,
    structure::{Component, Connection, Connector, Element, End, Structure, SubSystem},
    transformation::Transformation,
};
use crate::{
    Code,
    system::{
        InstanceSettings, Located, SourceFile, SystemDescription, UnitSettings,
        problem::{Findings, nearest},
    },
};

/// Systems are not nested deeper than this: one that contains itself has no end.
const DEEPEST: usize = 64;

/// A system without levels.
pub(super) struct Flat {
    pub(super) description: SystemDescription,
    pub(super) findings: Findings,
    pub(super) folders: Vec<Arc<Folder>>,
}

pub(super) fn flatten(structure: Structure, found: Found, findings: Findings) -> Flat {
    let description = SystemDescription { file: Some(found.file.clone()), ..SystemDescription::default() };
    let mut flattener = Flattener {
        description,
        findings,
        folders: found.folder.into_iter().collect(),
        instances: Vec::new(),
        scopes: Vec::new(),
        ways: Vec::new(),
    };
    let Structure { system, units, start, stop, hints } = structure;
    flattener.define(units);
    let context =
        Context { file: found.file, location: found.location, path: String::new(), depth: 0, root: Arc::new(system.clone()) };
    flattener.system(system, &context);
    flattener.connections();
    flattener.experiment(start, stop, hints, &context.file);
    Flat { description: flattener.description, findings: flattener.findings, folders: flattener.folders }
}

/// Where an element stands.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) file: SourceFile,
    pub(super) location: Location,
    /// Names of the systems around it, each followed by a slash.
    pub(super) path: String,
    depth: usize,
    /// The topmost system of the file.
    root: Arc<SubSystem>,
}

/// Who has a connector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Instance(usize),
    Scope(usize),
    /// Signals that are defined elsewhere.
    Dictionary,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Port {
    pub(super) owner: Owner,
    pub(super) connector: String,
}

/// A connection with its direction.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub(super) from: Port,
    pub(super) to: Port,
    /// The end that the value comes from, and the one it goes to, as they are written.
    pub(super) names: [Located<String>; 2],
    pub(super) transformation: Transformation,
    pub(super) keeps_units: bool,
}

/// A system while it is flattened.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) connectors: Vec<Connector>,
    pub(super) elements: Vec<(String, Owner)>,
}

pub(super) struct Flattener {
    pub(super) description: SystemDescription,
    pub(super) findings: Findings,
    pub(super) folders: Vec<Arc<Folder>>,
    /// Per instance: the connectors that the description names.
    pub(super) instances: Vec<Vec<Connector>>,
    pub(super) scopes: Vec<Scope>,
    pub(super) ways: Vec<Way>,
}

impl Flattener {
    /// A system with everything in it.
    fn system(&mut self, system: SubSystem, context: &Context) -> usize {
        let scope = self.scopes.len();
        self.scopes.push(Scope { connectors: system.connectors, elements: Vec::new() });
        for element in system.elements {
            let (name, owner) = match element {
                Element::System(inner) => {
                    let name = inner.name.clone();
                    let owner = self.nested(inner, context);
                    (name, owner)
                }
                Element::Component(component) => {
                    let name = component.name.value.clone();
                    let owner = self.component(component, context);
                    (name, owner)
                }
                Element::Dictionary(name) => (name, Some(Owner::Dictionary)),
            };
            let Some(owner) = owner else { continue };
            if self.scopes[scope].elements.iter().any(|(known, _)| *known == name) {
                self.findings.error(
                    Code::NameTaken,
                    &None,
                    format!("there are two elements named `{}{name}`", context.path),
                    "rename one of them".to_owned(),
                );
            }
            self.scopes[scope].elements.push((name, owner));
        }
        for connection in &system.connections {
            self.way(scope, connection, context);
        }
        self.bind(Owner::Scope(scope), &system.bindings, None, context);
        scope
    }

    fn nested(&mut self, system: SubSystem, context: &Context) -> Option<Owner> {
        if context.depth >= DEEPEST {
            let top: Vec<_> = context.path.split('/').take(3).collect();
            let message =
                format!("systems are nested more than {DEEPEST} deep at `{}/…`: does one contain itself?", top.join("/"));
            self.findings.error(Code::NestedTooDeep, &None, message, None);
            return None;
        }
        let path = format!("{}{}/", context.path, plain(&system.name));
        let inner = Context { path, depth: context.depth + 1, ..context.clone() };
        Some(Owner::Scope(self.system(system, &inner)))
    }

    fn component(&mut self, component: Component, context: &Context) -> Option<Owner> {
        let shown = format!("{}{}", context.path, component.name.value);
        let Some(source) = &component.source else {
            let help = "name its FMU as `source`".to_owned();
            self.findings.error(
                Code::SspReference,
                &component.name.span,
                format!("the component `{shown}` has no implementation"),
                help,
            );
            return None;
        };
        if let Some(id) = source.value.strip_prefix('#') {
            let Some(system) = context.root.with_id(id).cloned() else {
                self.findings.error(
                    Code::SspReference,
                    &source.span,
                    format!("no system has the id `{id}`"),
                    "give the system this id, or name the file of an FMU".to_owned(),
                );
                return None;
            };
            return self.stand_in(system, component, context);
        }
        let target = match context.location.resolve(&source.value) {
            Ok(target) => target,
            Err(reason) => {
                let help = "use a path relative to the description".to_owned();
                self.findings.error(
                    Code::SspReference,
                    &source.span,
                    format!("`{}` cannot be the source of `{shown}`: {reason}", source.value),
                    help,
                );
                return None;
            }
        };
        let is_named = |extension: &str| target.path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
        let kind = component.kind.as_deref().unwrap_or_default();
        match kind {
            "application/x-ssp-definition" | "application/x-ssp-package" => self.file(component, &target, context),
            _ if kind.is_empty() && (is_named("ssp") || is_named("ssd")) => self.file(component, &target, context),
            "" | "application/x-fmu-sharedlibrary" => self.instance(component, target.path, context),
            other => {
                let help = "components are FMUs, or systems of SSP".to_owned();
                self.findings.error(
                    Code::SspUnsupported,
                    &component.name.span,
                    format!("the component `{shown}` is of the type `{other}`"),
                    help,
                );
                None
            }
        }
    }

    /// A system in the place of a component.
    fn stand_in(&mut self, mut system: SubSystem, component: Component, context: &Context) -> Option<Owner> {
        system.name = component.name.value;
        system.bindings.extend(component.bindings);
        self.nested(system, context)
    }

    /// A system in a file of its own.
    fn file(&mut self, component: Component, target: &super::location::Target, context: &Context) -> Option<Owner> {
        let path = match &target.fragment {
            Some(variant) => PathBuf::from(format!("{}#{variant}", target.path.display())),
            None => target.path.clone(),
        };
        let span = component.name.span.clone();
        let (structure, found) = match super::read::structure(&path) {
            Ok((structure, found, findings)) => {
                self.findings.add_of(&found.file, findings);
                (structure, found)
            }
            Err(error) => {
                self.findings.error(
                    Code::SspReference,
                    &span,
                    format!("the component `{}{}`: {error}", context.path, component.name.value),
                    None,
                );
                return None;
            }
        };
        self.define(structure.units);
        let is_packed = found.location.is_packed || context.location.is_packed;
        let location = Location { is_packed, ..found.location };
        self.folders.extend(found.folder);
        let root = Arc::new(structure.system.clone());
        let inner = Context { file: found.file, location, root, ..context.clone() };
        self.stand_in(structure.system, component, &inner)
    }

    fn instance(&mut self, component: Component, path: PathBuf, context: &Context) -> Option<Owner> {
        let Component { name, implementation, connectors, bindings, .. } = component;
        if implementation.as_deref().is_some_and(|wanted| !matches!(wanted, "any" | "CoSimulation")) {
            let message =
                format!("the component `{}{}` asks for {}", context.path, name.value, implementation.unwrap_or_default());
            self.findings.error(Code::SspUnsupported, &name.span, message, "export its FMU for co-simulation".to_owned());
        }
        let own = self.name_of(&format!("{}{}", context.path, plain(&name.value)));
        let base = self
            .folders
            .first()
            .map(|folder| folder.path().to_owned())
            .or_else(|| self.description.file.as_ref().and_then(|file| file.path.parent()).map(std::path::Path::to_owned));
        let relative =
            base.and_then(|base| path.strip_prefix(base).ok().map(std::path::Path::to_owned)).unwrap_or_else(|| path.clone());
        let settings = InstanceSettings::new(Located { value: own, span: name.span }, relative.into());
        let owner = Owner::Instance(self.instances.len());
        self.description.instances.push(settings);
        self.instances.push(connectors);
        self.bind(owner, &bindings, Some(&path), context);
        Some(owner)
    }

    /// A name that no other instance has.
    fn name_of(&self, wanted: &str) -> String {
        let is_free = |name: &String| self.description.instances.iter().all(|instance| instance.name.value != *name);
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        std::iter::once(wanted.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
    }

    /// Units of a file, if they are new.
    pub(super) fn define(&mut self, units: Vec<UnitSettings>) {
        for unit in units {
            match self.description.units.iter().find(|known| known.name.value == unit.name.value) {
                Some(known) if (known.exponents, known.factor, known.offset) != (unit.exponents, unit.factor, unit.offset) => {
                    let message =
                        format!("the unit `{}` is defined twice, in different ways: the first one counts", unit.name.value);
                    self.findings.warning(Code::UnitConflict, &None, message, "rename one of them".to_owned());
                }
                Some(_) => {}
                None => self.description.units.push(unit),
            }
        }
    }

    /// A connection with its direction.
    fn way(&mut self, scope: usize, connection: &Connection, context: &Context) {
        let ends = (self.end(scope, &connection.start, context), self.end(scope, &connection.end, context));
        let (Some((start, start_gives)), Some((end, end_gives))) = ends else { return };
        let names = [name(&connection.start), name(&connection.end)];
        let is_forward = match (start_gives, end_gives) {
            (Some(true), Some(true)) | (Some(false), Some(false)) => {
                let what = if start_gives == Some(true) { "give values" } else { "take values" };
                let message = format!("`{}` and `{}` are connected, but both {what}", names[0].value, names[1].value);
                self.findings.error(Code::WrongCausality, &names[0].span, message, "see the kinds of the connectors".to_owned());
                return;
            }
            (Some(false), _) | (_, Some(true)) => false,
            _ => true,
        };
        let [first, second] = names;
        let (from, to, names) = if is_forward { (start, end, [first, second]) } else { (end, start, [second, first]) };
        if self.ways.iter().any(|known| known.to == to) {
            let message = format!("`{}{}` is connected to two sources", context.path, names[1].value);
            self.findings.error(Code::TwoSources, &names[1].span, message, "remove one of the connections".to_owned());
            return;
        }
        let (transformation, keeps_units) = (connection.transformation.clone(), connection.keeps_units);
        self.ways.push(Way { from, to, names, transformation, keeps_units });
    }

    /// The connector at one end, and whether it gives values, if that is known.
    fn end(&mut self, scope: usize, end: &End, context: &Context) -> Option<(Port, Option<bool>)> {
        let connector = end.connector.value.clone();
        let (owner, is_inside) = match &end.element {
            None => (Owner::Scope(scope), true),
            Some(element) => {
                let known = self.scopes[scope].elements.iter();
                let Some((_, owner)) = known.clone().find(|(name, _)| name == element) else {
                    let place = match context.path.trim_end_matches('/') {
                        "" => "the system".to_owned(),
                        inner => format!("the system `{inner}`"),
                    };
                    let message = format!("there is no element `{element}` in {place}");
                    let help = nearest(element, known.map(|(name, _)| name.as_str()));
                    self.findings.error(Code::SspReference, &end.connector.span, message, help);
                    return None;
                };
                (*owner, false)
            }
        };
        if owner == Owner::Dictionary {
            let message = format!("`{}` belongs to a signal dictionary, which is not supported", name(end).value);
            self.findings.error(
                Code::SspUnsupported,
                &end.connector.span,
                message,
                "connect the components with each other".to_owned(),
            );
            return None;
        }
        let port = Port { owner, connector };
        let declared = self.connector(&port);
        if let Some(obstacle) = declared.and_then(|connector| connector.obstacle) {
            self.findings.error(
                Code::SspUnsupported,
                &end.connector.span,
                format!("`{}` cannot be connected: {obstacle}", name(end).value),
                "remove the connection".to_owned(),
            );
            return None;
        }
        let takes = declared.and_then(|connector| connector.causality).map(takes);
        Some((port, takes.map(|takes| takes == is_inside)))
    }

    /// What the description says of a connector.
    pub(super) fn connector(&self, port: &Port) -> Option<&Connector> {
        let connectors = match port.owner {
            Owner::Instance(instance) => &self.instances[instance],
            Owner::Scope(scope) => &self.scopes[scope].connectors,
            Owner::Dictionary => return None,
        };
        connectors.iter().find(|connector| connector.name == port.connector)
    }
}

fn takes(causality: Causality) -> bool {
    matches!(causality, Causality::Input | Causality::Parameter)
}

/// A name without dots, which stand between instances and variables.
fn plain(name: &str) -> String {
    name.replace('.', "_")
}

fn name(end: &End) -> Located<String> {
    let element = end.element.as_ref().map(|element| format!("{element}.")).unwrap_or_default();
    Located { value: format!("{element}{}", end.connector.value), span: end.connector.span.clone() }
}
