//! The same system with the events that trials have found.

use lotka_instance::ModelDescription;
use lotka_prepare::trial::{grids::Acts, switches::Tried};
use lotka_run::{InstanceSetFactory, SharedSystem, lay_out};
use lotka_step::{
    corner::Corner,
    resolved::{Interface, Resolved},
};

/// The same system with events where an instance switches; `None` if events are not possible there.
pub(super) fn with_switches(
    set_factory: &InstanceSetFactory,
    system: &SharedSystem,
    Tried { switches: found, stepwise, bends, .. }: Tried,
) -> Option<(InstanceSetFactory, SharedSystem)> {
    let interfaces: Vec<_> = set_factory.fmus.iter().map(Interface::of).collect();
    let system = SharedSystem { resolved: system.resolved.with_stepwise(&stepwise, &interfaces), ..system.clone() };
    let (set_factory, system) = match bends.is_empty() {
        true => (set_factory.clone(), system),
        false => amended(set_factory, &system, &[()], |resolved, (), interfaces| resolved.with_kinks(interfaces))?,
    };
    let (set_factory, mut system) = amended(&set_factory, &system, &found, |resolved, switch, interfaces| {
        resolved.with_event(switch.source, (switch.level, switch.margin()), interfaces)
    })?;
    system.switches.extend(found);
    system.bends.extend(bends);
    Some((set_factory, system))
}

/// The same system with times at which instances act; `None` if there are too many, or the tolerance is too small.
pub(super) fn with_acts(
    set_factory: &InstanceSetFactory,
    system: &SharedSystem,
    found: &[Acts],
) -> Option<(InstanceSetFactory, SharedSystem)> {
    let (set_factory, mut system) = amended(set_factory, system, found, |resolved, acts, interfaces| {
        resolved.with_times(acts.instance, (acts.every, acts.offset), interfaces)
    })?;
    system.acts.extend_from_slice(found);
    Some((set_factory, system))
}

/// The same system with steps that end at corners of signals; `None` if that is not possible.
pub(super) fn with_corners(
    set_factory: &InstanceSetFactory,
    system: &SharedSystem,
    corners: &[Corner],
) -> Option<(InstanceSetFactory, SharedSystem)> {
    amended(set_factory, system, &[corners], |resolved, corners, interfaces| Some(resolved.with_corners(corners, interfaces)))
}

/// The same instances with the settings that `add` changes for each finding.
fn amended<T>(
    set_factory: &InstanceSetFactory,
    system: &SharedSystem,
    found: &[T],
    add: impl Fn(&Resolved, &T, &[Interface<'_>]) -> Option<Resolved>,
) -> Option<(InstanceSetFactory, SharedSystem)> {
    let interfaces: Vec<_> = set_factory.fmus.iter().map(Interface::of).collect();
    let resolved = found.iter().try_fold(system.resolved.clone(), |resolved, found| add(&resolved, found, &interfaces))?;
    let descriptions: Vec<&ModelDescription> = interfaces.iter().map(|interface| interface.description).collect();
    let steps = resolved.graph(&descriptions);
    let names: Vec<&str> = set_factory.names.iter().map(String::as_str).collect();
    let (plan, overrides) = lay_out(&resolved, &steps, &names, &interfaces);
    let graph = system.graph.stepped_as(steps);
    Some((InstanceSetFactory { plan, overrides, ..set_factory.clone() }, SharedSystem { resolved, graph, ..system.clone() }))
}
