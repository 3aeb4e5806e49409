//! Checks a description against the model descriptions: names become indices, and all problems are found.
//!
//! Start reading at [`resolve`].

mod algorithm;
pub(crate) mod arrays;
mod connections;
mod estimator;
mod events;
mod experiment;
mod initialization;
mod internal_steps;
mod isolation;
mod iteration;
mod map;
mod methods;
mod overrides;
mod power_bonds;
mod resolution;
mod results;
mod sampling;
mod sources;
mod start;
mod step_sizes;
mod structure;
mod time_events;
mod tolerances;
mod unique;

use lotka_message::{Code, Findings, Problems, Warning};
use lotka_plan::{link::LinkIndex, source::Change};
use lotka_step::{
    algorithm::MethodRegistry,
    resolved::{Interface, Resolved, Traits},
};

use crate::{SystemDescription, locate::Names};

pub use experiment::find_stop;
pub use isolation::{Guard, resolve as resolve_isolation};
pub use overrides::{resolve_change, resolve_changeable, resolve_variable};
pub use results::ALL_OUTPUTS;
pub use sampling::{check_own_grid, held, held_capabilities};
pub use structure::{GivenStructure, resolve as resolve_structure};
pub use tolerances::experiments;
pub use unique::check_unique;

/// Resolves `system`, adding to what was found before; a missing stop time is what [`find_stop`] finds. `interfaces` has one
/// entry per instance and source, in the same order, and `methods` has the methods that it may name.
///
/// # Errors
/// All problems of the description.
pub fn resolve(
    system: &SystemDescription,
    mut findings: Findings,
    interfaces: &[Interface<'_>],
    methods: &MethodRegistry,
) -> Result<(Resolved, Vec<Warning>), Problems> {
    let names = Names::of(system.names(), interfaces);
    unique::check_names(system, &mut findings);
    let mut experiment = experiment::resolve(&system.experiment, &system.instances, &system.algorithm, methods, &mut findings);
    internal_steps::fit_rows(&system.experiment, interfaces, &mut experiment);
    resolution::check(system, &experiment, &mut findings);
    let links = connections::resolve(system, &names, &mut findings);
    let index = LinkIndex::new(&links);
    let mut start_values = start::resolve(system, &names, &index, &links, &mut findings);
    let solves = initialization::resolve(system, &names, &index, &mut start_values, &mut findings);
    let loop_tolerance = initialization::loop_tolerance(system, &mut findings);
    let overrides = overrides::resolve(system, &names, &index, &start_values, &mut findings);
    let acts = time_events::resolve(system, &names, &experiment, &mut findings);
    let samples = sampling::resolve(system, &experiment, &mut findings);
    let time_events = sources::resolve(system, interfaces, &experiment, &overrides, (acts, samples), &mut findings);
    let events = events::resolve(system, &names, &index, &mut findings);
    let power_bonds = power_bonds::resolve(system, &names, &index, &mut findings);
    let traits = Traits::new(
        &links,
        interfaces,
        events.is_some(),
        time_events.list.iter().any(|time_event| time_event.change > Change::Slope),
    );
    let instances = system.instances.len();
    let recorded = results::resolve(system, &names, &index, interfaces, &mut findings);
    let algorithm = algorithm::resolve(system, &experiment, &names, &traits, methods, &mut findings);
    algorithm::check_capabilities(system, &experiment, &algorithm, &links, interfaces, &mut findings);
    experiment.internal_step = internal_steps::resolve(system, &experiment, &algorithm, interfaces, &mut findings);
    if let Some(events) = &events {
        events::check(system, events, &algorithm, &links, interfaces, &mut findings);
    }
    let resolved = Resolved {
        stepwise: Vec::new(),
        experiment,
        algorithm,
        start_values,
        links,
        solves,
        loop_tolerance,
        events,
        power_bonds,
        instances,
        time_events,
        overrides,
        recorded,
    };
    findings.abridge(Code::IgnoredValue, "other values are ignored, too");
    findings.finish(resolved, system.file.as_ref())
}
