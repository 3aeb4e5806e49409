//! The choice of the coupling scheme and the degree of inputs, if the user specifies none.

use lotka_plan::{
    graph::{self, Declarations},
    link::{Link, PerModel, SignalType},
};

use super::{
    algorithm::{Algorithm, Inputs},
    interface::Interface,
    steps::{ResolvedExperiment, Stepping},
};
use crate::{algorithm::SweepMethod, error_control::Compatibility};

/// The properties of a system on which a choice depends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traits {
    /// Whether instances depend on each other.
    pub has_loop: bool,
    /// Whether an output follows a connected Real input without delay, or the model description does not exclude it.
    pub has_feedthrough: bool,
    /// Whether Real outputs depend on each other around a loop of direct feedthrough that the model descriptions declare.
    pub has_algebraic_loop: bool,
    /// Whether all FMUs accept variable steps.
    pub variable_step: bool,
    /// Whether a source has a degree above 0 of its own.
    pub has_source_degree: bool,
    /// Whether steps end at events.
    pub has_events: bool,
    /// Whether sources jump.
    pub has_jumps: bool,
}

impl Traits {
    /// Determines the traits of a system.
    #[must_use]
    pub fn new(links: &[Link], interfaces: &[Interface<'_>], has_events: bool, has_jumps: bool) -> Self {
        let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
        let declarations = PerModel::new(&descriptions, Declarations::new);
        let mut sources = links.iter().flat_map(|link| &link.sources);
        let mut reals = links.iter().filter(|link| link.signal == SignalType::Real);
        Self {
            has_loop: graph::in_loop(interfaces.len(), links).contains(&true),
            has_feedthrough: reals.any(|link| declarations[link.instance].has_feedthrough(link.variable)),
            has_algebraic_loop: graph::has_algebraic_loop(&declarations, links),
            variable_step: interfaces.iter().all(|interface| interface.capabilities.variable_step),
            has_source_degree: sources.any(|source| source.degree.is_some_and(|degree| degree > 0)),
            has_events,
            has_jumps,
        }
    }
}

/// A coupling scheme, the degree of inputs, and the reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The coupling scheme.
    pub sweep: SweepMethod,
    /// Degree of the polynomials.
    pub degree: usize,
    /// The reason, unless the user specified the choice.
    pub reason: Option<&'static str>,
}

/// Whether loops are iterated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Iterates {
    /// They are not.
    No,
    /// The user requests it.
    AsGiven,
    /// A loop of direct feedthrough needs it.
    ByDefault,
}

impl Algorithm {
    /// Returns the algorithm that would be chosen for other traits of the system, as far as the choice is free.
    #[must_use]
    pub fn suited_to(&self, traits: &Traits, experiment: &ResolvedExperiment) -> Self {
        let iteration = self.iteration.clone().filter(|_| traits.has_algebraic_loop);
        let iterates = if iteration.is_some() { Iterates::ByDefault } else { Iterates::No };
        let choice = choose(None, None, iterates, None, experiment, traits);
        let inputs = Inputs { degree: choice.degree, ..self.inputs };
        Self { sweep: choice.sweep, reason: choice.reason, inputs, iteration, ..self.clone() }
    }
}

/// Chooses an algorithm. Specified parts are kept; the rest suits the graph and the FMUs.
#[must_use]
pub fn choose(
    sweep: Option<SweepMethod>,
    degree: Option<usize>,
    iterates: Iterates,
    compatibility: Option<Compatibility>,
    experiment: &ResolvedExperiment,
    traits: &Traits,
) -> Choice {
    let verified = matches!(experiment.stepping, Stepping::Verified(_));
    if let Some(sweep) = sweep {
        let default = usize::from((verified || iterates == Iterates::ByDefault) && !sweep.make().is_symmetric());
        return Choice { sweep, degree: degree.unwrap_or(default), reason: None };
    }
    if compatibility == Some(Compatibility::Libcosim) {
        return Choice { sweep: SweepMethod::Jacobi, degree: degree.unwrap_or(0), reason: None };
    }
    if iterates == Iterates::AsGiven || compatibility.is_some() {
        let reason = "Lotka holds inputs at the newest values; the iteration turns them into the values at the end of the step.";
        let reason = (iterates == Iterates::AsGiven).then_some(reason);
        return Choice { sweep: SweepMethod::GaussSeidel, degree: degree.unwrap_or(0), reason };
    }
    if iterates == Iterates::ByDefault {
        let reason = "Direct feedthrough forms an algebraic loop, so Lotka iterates every step until its values agree.";
        // An instance must step after those to whose events it reacts.
        let sweep = if traits.has_events { SweepMethod::GaussSeidel } else { SweepMethod::Jacobi };
        return Choice { sweep, degree: degree.unwrap_or(1), reason: Some(reason) };
    }
    if traits.has_events {
        let reason = "An instance that reacts to an event must step after the instance that causes it; linear inputs give order \
                      2 without extra calls.";
        return Choice { sweep: SweepMethod::GaussSeidel, degree: degree.unwrap_or(1), reason: Some(reason) };
    }
    if !traits.has_loop {
        let reason = "No instances form a loop, so each one steps after its sources, with inputs linear between known values.";
        return Choice { sweep: SweepMethod::GaussSeidel, degree: degree.unwrap_or(1), reason: Some(reason) };
    }
    if traits.has_feedthrough {
        let reason = "Outputs in a loop have direct feedthrough, or their model descriptions do not rule it out, so all \
                      instances step in parallel with linear inputs: order 2.";
        return Choice { sweep: SweepMethod::Jacobi, degree: degree.unwrap_or(1), reason: Some(reason) };
    }
    without_feedthrough(degree, verified && traits.variable_step && degree.unwrap_or(0) == 0, traits.has_source_degree)
}

/// Chooses for a loop without feedthrough; the symmetric scheme is best if the run and the FMUs suit it.
fn without_feedthrough(degree: Option<usize>, suits_symmetric: bool, has_source_degree: bool) -> Choice {
    if suits_symmetric && has_source_degree {
        let reason = "A connection sets a `degree` above 0 for its source, which the symmetric sweep does not support.";
        return Choice { sweep: SweepMethod::GaussSeidel, degree: degree.unwrap_or(1), reason: Some(reason) };
    }
    if suits_symmetric {
        let reason = "No output in a loop has direct feedthrough and all FMUs support variable step sizes, so the error of the \
                      symmetric sweep has only even powers of the step size.";
        return Choice { sweep: SweepMethod::Symmetric, degree: 0, reason: Some(reason) };
    }
    let reason = "No output in a loop has direct feedthrough, so linear inputs give order 2 without extra calls.";
    Choice { sweep: SweepMethod::GaussSeidel, degree: degree.unwrap_or(1), reason: Some(reason) }
}
