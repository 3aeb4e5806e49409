//! What instances of an FMU of FMI 3.0 need of it.

use std::{collections::HashSet, ffi::CString, path::Path, sync::Arc};

use fmi3::ffi::Functions;
use lotka_instance::{
    ModelDescription, RealRef, Structure,
    description::{Variability, VariableKind},
};

use super::{
    access::{Group, Layout},
    intermediate::Intermediates,
};
use crate::{
    Description,
    binding::{Binding, Bindings},
    instance::Lane,
};

/// What instances of an FMU need of it.
pub(crate) struct Loaded {
    pub(crate) functions: Functions,
    /// The path of the folder of resources, with a separator at the end; NULL without files.
    pub(super) resources: Option<CString>,
    pub(super) layout: Layout,
    pub(super) intermediates: Intermediates,
    /// The Real variables that may change in event mode only, if it is in use.
    pub(super) discrete: HashSet<u32>,
    pub(super) bindings: Bindings<Bound>,
    pub(crate) structure: Structure,
    /// Identifies the states of its instances: the token of the FMU, and the values of structural parameters.
    pub(super) state_token: String,
}

/// The calls that set and read the variables of a step.
pub(crate) struct Bound {
    pub(super) inputs: Box<[Group]>,
    pub(super) outputs: Box<[Group]>,
    /// The references, if a single call for Float64 variables passes the values as they are; none for inputs among which are
    /// arrays, whose values are noted.
    pub(super) direct_inputs: Option<Box<[u32]>>,
    pub(super) direct_outputs: Option<Box<[u32]>>,
    /// The inputs that can be set during a step: their positions there, and in the list.
    pub(super) intermediates: Box<[(usize, usize)]>,
    /// Whether there are discrete inputs.
    pub(super) has_discrete: bool,
}

/// The references, if a single call for Float64 variables passes the values as they are.
fn direct(groups: &[Group]) -> Option<Box<[u32]>> {
    match groups {
        [only] if only.is_identity && only.is_plain() => Some(only.references.clone()),
        _ => None,
    }
}

impl Loaded {
    pub(crate) fn new(functions: Functions, description: &Description, resources: Option<&Path>) -> Self {
        let path = resources.map(|path| path.join("").into_os_string().into_encoded_bytes());
        let resources = path.and_then(|path| CString::new(path).ok());
        Self::of(functions, resources, description, Structure::default())
    }

    fn of(functions: Functions, resources: Option<CString>, description: &Description, structure: Structure) -> Self {
        let flattened = description.as_fmi3().map(|description| {
            let flattened = description.flatten(&structure.sizes());
            let discrete = discrete_reals(&flattened.interface);
            (Intermediates::of(description, &flattened), discrete, flattened)
        });
        let (intermediates, discrete, flattened) = flattened.unwrap_or_default();
        let token = flattened.interface.token.clone();
        let state_token =
            if structure.is_empty() { token } else { format!("{token} {}", structure.describe(&flattened.interface)) };
        Self {
            functions,
            resources,
            layout: Layout::new(flattened.elements),
            intermediates,
            discrete,
            bindings: Bindings::new(),
            structure,
            state_token,
        }
    }

    /// The same with these values of structural parameters.
    pub(crate) fn with_structure(&self, description: &Description, structure: Structure) -> Self {
        Self::of(self.functions, self.resources.clone(), description, structure)
    }

    pub(super) fn bind(&self, inputs: &[RealRef], outputs: &[RealRef]) -> Arc<Binding<Bound>> {
        self.bindings.bind(inputs, outputs, || {
            let groups = |list: &[RealRef]| self.layout.groups(Lane::Real, list.iter().map(|reference| reference.0));
            let positions = inputs
                .iter()
                .enumerate()
                .filter_map(|(index, reference)| self.intermediates.position(reference.0).map(|position| (position, index)));
            let (to_set, to_read) = (groups(inputs), groups(outputs));
            Bound {
                direct_inputs: direct(&to_set).filter(|_| to_set.iter().all(|group| group.arrays.is_empty())),
                direct_outputs: direct(&to_read),
                inputs: to_set,
                outputs: to_read,
                intermediates: positions.collect(),
                has_discrete: inputs.iter().any(|reference| self.discrete.contains(&reference.0)),
            }
        })
    }
}

/// The Real variables that are not continuous.
fn discrete_reals(interface: &ModelDescription) -> HashSet<u32> {
    let discrete = interface
        .variables
        .iter()
        .filter(|variable| matches!(variable.kind, VariableKind::Real(_)) && variable.variability != Variability::Continuous);
    discrete.map(|variable| variable.value_reference).collect()
}
