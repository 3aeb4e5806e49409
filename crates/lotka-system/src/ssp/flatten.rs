//! Nested systems become instances and connections between them.
//!
//! A value passes from an output through connectors of systems to an input; each connection may transform it.
//! [`Flattener::connections`] follows these paths backward from every input. Values of bindings follow the same paths.

use std::{collections::HashSet, path::PathBuf, sync::Arc};

use fmu::Folder;
use lotka_message::limits::SYSTEM_DEPTH;

use super::{
    expansion::Expansion,
    file::{Found, structure},
    structure::{Component, Connector, Element, Structure, SubSystem},
    transformation::Transformation,
};
use crate::{InstanceSettings, Located, SystemDescription, UnitSettings, location::Location};
use lotka_message::{Code, Findings, SourceFile};

/// A system without hierarchy.
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
        names: HashSet::new(),
        fed: HashSet::new(),
        expansion: Expansion::default(),
    };
    let Structure { system, units, start, stop, hints } = structure;
    flattener.define(units);
    flattener.expansion.bytes = found.file.text.len() as u64;
    let origins = vec![whole(&found.file), (found.file.path.clone(), system.id.clone())];
    let root = Arc::new(system.clone());
    let context = Context { file: found.file, location: found.location, path: String::new(), depth: 0, root, origins };
    flattener.system(system, &context);
    flattener.connections();
    flattener.experiment(start, stop, hints, &context.file);
    Flat { description: flattener.description, findings: flattener.findings, folders: flattener.folders }
}

/// The position of an element in the hierarchy.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) file: SourceFile,
    pub(super) location: Location,
    /// Names of the enclosing systems, each followed by a slash.
    pub(super) path: String,
    depth: usize,
    /// The topmost system of the file.
    root: Arc<SubSystem>,
    /// The enclosing systems.
    pub(super) origins: Vec<Origin>,
}

/// A system by its file and its identifier; a file as a whole has none.
pub(super) type Origin = (PathBuf, Option<String>);

/// A file as a whole.
fn whole(file: &SourceFile) -> Origin {
    (file.path.canonicalize().unwrap_or_else(|_| file.path.clone()), None)
}

/// The owner of a connector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Owner {
    Instance(usize),
    Scope(usize),
    /// Signals that are defined elsewhere.
    Dictionary,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Port {
    pub(super) owner: Owner,
    pub(super) connector: String,
}

/// A connection with its direction.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub(super) from: Port,
    pub(super) to: Port,
    /// The source and the target of the value, as in the file.
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
    /// Names of instances.
    names: HashSet<String>,
    /// The inputs that are fed, at the ends of paths.
    pub(super) fed: HashSet<Port>,
    pub(super) expansion: Expansion,
}

impl Flattener {
    /// A system with everything in it.
    fn system(&mut self, system: SubSystem, context: &Context) -> usize {
        let scope = self.scopes.len();
        self.expansion.add(&system);
        self.scopes.push(Scope { connectors: system.connectors, elements: Vec::new() });
        let mut known = HashSet::new();
        for element in system.elements {
            if self.expansion.is_too_large(&context.path, &mut self.findings) {
                break;
            }
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
            if !known.insert(name.clone()) {
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
        if context.depth >= SYSTEM_DEPTH {
            let top: Vec<_> = context.path.split('/').take(3).collect();
            let message =
                format!("systems are nested more than {SYSTEM_DEPTH} deep at `{}/…`: does one contain itself?", top.join("/"));
            self.findings.error(Code::NestedTooDeep, &None, message, None);
            return None;
        }
        let path = format!("{}{}/", context.path, plain(&system.name));
        let mut inner = Context { path, depth: context.depth + 1, ..context.clone() };
        inner.origins.extend(system.id.clone().map(|id| (context.file.path.clone(), Some(id))));
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
                    "give the system this id, or refer to the file of an FMU".to_owned(),
                );
                return None;
            };
            let origin = (context.file.path.clone(), Some(id.to_owned()));
            return if self.is_inside(&origin, &component, context) { None } else { self.stand_in(system, component, context) };
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
                let help = "use an FMU or an SSP system".to_owned();
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

    /// Whether a component refers to a system of which it is a part. Reports this.
    fn is_inside(&mut self, origin: &Origin, component: &Component, context: &Context) -> bool {
        let is_inside = context.origins.contains(origin);
        if is_inside {
            let source = component.source.as_ref();
            let name = &component.name.value;
            let message = format!("the component `{}{name}` is a system that contains it", context.path);
            let help = "refer to another system, or to the file of an FMU".to_owned();
            self.findings.error(Code::NestedTooDeep, &source.and_then(|source| source.span.clone()), message, help);
        }
        is_inside
    }

    /// A system that replaces a component.
    fn stand_in(&mut self, mut system: SubSystem, component: Component, context: &Context) -> Option<Owner> {
        system.name = component.name.value;
        system.bindings.extend(component.bindings);
        self.nested(system, context)
    }

    /// A system in a file of its own.
    fn file(&mut self, component: Component, target: &crate::location::Target, context: &Context) -> Option<Owner> {
        let path = match &target.fragment {
            Some(variant) => PathBuf::from(format!("{}#{variant}", target.path.display())),
            None => target.path.clone(),
        };
        let span = component.name.span.clone();
        let (structure, found) = match structure(&path) {
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
        self.expansion.bytes += found.file.text.len() as u64;
        self.description.beside.push(found.file.path.clone());
        let origin = whole(&found.file);
        if self.is_inside(&origin, &component, context) {
            return None;
        }
        self.define(structure.units);
        let is_packed = found.location.is_packed || context.location.is_packed;
        let location = Location { is_packed, ..found.location };
        self.folders.extend(found.folder);
        let root = Arc::new(structure.system.clone());
        let mut inner = Context { file: found.file, location, root, ..context.clone() };
        inner.origins.push(origin);
        self.stand_in(structure.system, component, &inner)
    }

    fn instance(&mut self, component: Component, path: PathBuf, context: &Context) -> Option<Owner> {
        let Component { name, implementation, connectors, bindings, .. } = component;
        if implementation.as_deref().is_some_and(|wanted| !matches!(wanted, "any" | "CoSimulation")) {
            let message =
                format!("the component `{}{}` requires {}", context.path, name.value, implementation.unwrap_or_default());
            self.findings.error(Code::SspUnsupported, &name.span, message, "export its FMU for co-simulation".to_owned());
        }
        let own = self.name_of(&format!("{}{}", context.path, plain(&name.value)));
        self.names.insert(own.clone());
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

    /// A unique name of an instance.
    fn name_of(&self, wanted: &str) -> String {
        let is_free = |name: &String| !self.names.contains(name);
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        std::iter::once(wanted.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
    }

    /// Adds the units of a file that are new.
    pub(super) fn define(&mut self, units: Vec<UnitSettings>) {
        for unit in units {
            match self.description.units.iter().find(|known| known.name.value == unit.name.value) {
                Some(known) if (known.exponents, known.factor, known.offset) != (unit.exponents, unit.factor, unit.offset) => {
                    let message =
                        format!("the unit `{}` has two different definitions: Lotka uses the first one", unit.name.value);
                    self.findings.warning(Code::UnitConflict, &None, message, "rename one of them".to_owned());
                }
                Some(_) => {}
                None => self.description.units.push(unit),
            }
        }
    }
}

/// A name without dots, which stand between instances and variables.
fn plain(name: &str) -> String {
    name.replace('.', "_")
}
