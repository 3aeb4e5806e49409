//! The model descriptions generated from a declaration, one for each version of FMI.

mod fmi2;
mod fmi3;

use std::collections::BTreeSet;
use std::fmt::{Debug, Write};

use ::fmi3::description::Causality;
use lotka_instance::description::{DefaultExperiment, Unit};

use super::attributes::{EnumerationType, Variable};
use super::dependencies::{Dependencies, Mode};
use crate::hash::Fnv1a128;

/// Name of the kit as generating tool.
const TOOL: &str = concat!("Lotka fmu-sdk ", env!("CARGO_PKG_VERSION"));

/// Contents of a description other than the variables.
pub(super) struct Facts<'a> {
    pub name: &'static str,
    pub description: &'static str,
    pub thread_safe: bool,
    pub has_events: bool,
    pub returns_early: bool,
    /// Whether all Real inputs are polynomials.
    pub interpolates_inputs: bool,
    /// Variables of the inputs that are polynomials.
    pub interpolated: &'a [usize],
    pub max_output_derivative_order: usize,
    pub units: &'a [Unit],
    pub enumerations: &'a [EnumerationType],
    pub experiment: Option<DefaultExperiment>,
}

/// What both versions describe.
pub(super) struct Description<'a> {
    facts: Facts<'a>,
    variables: &'a [Variable],
    dependencies: &'a Dependencies,
    /// Whether the FMU provides directional derivatives.
    directional: bool,
    unknowns: Unknowns,
}

/// Variables that are unknowns of the model structure.
struct Unknowns {
    outputs: Vec<usize>,
    derivatives: Vec<usize>,
    initial: Vec<usize>,
}

impl<'a> Description<'a> {
    pub fn new(facts: Facts<'a>, variables: &'a [Variable], dependencies: &'a Dependencies) -> Self {
        let full = Unknowns::of(variables, true);
        let directional = full.are_differentiable(variables, dependencies);
        let unknowns = if directional { full } else { Unknowns::of(variables, false) };
        Self { facts, variables, dependencies, directional, unknowns }
    }
}

impl Unknowns {
    /// States and their derivatives belong to the structure only if the FMU provides directional derivatives.
    fn of(variables: &[Variable], expose_states: bool) -> Self {
        let select = |wanted: &dyn Fn(usize, &Variable) -> bool| {
            variables.iter().enumerate().filter(|(i, v)| wanted(*i, v)).map(|(i, _)| i).collect()
        };
        let states: BTreeSet<_> = variables.iter().filter_map(|v| v.derivative).collect();
        let exposed = |i: usize, v: &Variable| expose_states && (v.derivative.is_some() || states.contains(&i));
        Self {
            outputs: select(&|_, v| v.causality == Causality::Output),
            derivatives: select(&|_, v| expose_states && v.derivative.is_some()),
            initial: select(&|i, v| match v.causality {
                Causality::CalculatedParameter => true,
                Causality::Output => v.is_computed(),
                _ => exposed(i, v) && v.is_computed(),
            }),
        }
    }

    fn are_differentiable(&self, variables: &[Variable], dependencies: &Dependencies) -> bool {
        let known =
            |list: &[usize], mode| list.iter().all(|&i| !variables[i].element.is_float() || dependencies.differentiable(i, mode));
        known(&self.outputs, Mode::Steps) && known(&self.derivatives, Mode::Steps) && known(&self.initial, Mode::Start)
    }
}

/// Returns an identifier derived from the rest of the description, so that equal interfaces have equal identifiers in every
/// build.
fn identifier(description: &impl Debug) -> String {
    let mut hash = Fnv1a128::new();
    // Hashing text cannot fail.
    let _ = write!(hash, "{description:?}");
    let hex = format!("{:032x}", hash.value());
    format!("{{{}-{}-{}-{}-{}}}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
