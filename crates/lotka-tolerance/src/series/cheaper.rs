//! The method for the feedthrough found by trial steps, if it is cheaper than the one for the declared feedthrough.

use lotka_instance::ModelDescription;
use lotka_prepare::trial::feedthrough::{Absent, AbsentFeedthrough, absent_feedthrough, measured};
use lotka_run::{InstanceSet, InstanceSetFactory, SharedSystem, describe, lay_out};
use lotka_step::{
    Error,
    resolved::{Interface, Resolved},
};

/// A system whose steps rely on the absence of declared feedthrough that trials did not find.
pub(crate) struct Cheaper {
    pub(crate) system: SharedSystem,
    pub(crate) set_factory: InstanceSetFactory,
    pub(crate) watched: AbsentFeedthrough,
    /// The instances concerned.
    found: Vec<usize>,
}

impl Cheaper {
    /// Tries the instances with steps of `h` \[s\]. Returns `None` if the method is specified, or if the other one is neither
    /// cheaper nor better.
    ///
    /// # Errors
    /// The instances cannot be initialized, or do not support rollback.
    pub(crate) fn find(
        set_factory: &InstanceSetFactory,
        instance_set: &mut InstanceSet,
        system: &SharedSystem,
        h: f64,
    ) -> Result<Option<Self>, Box<Error>> {
        let coupled = &mut instance_set.coupled;
        let can_gain =
            system.resolved.algorithm.is_open && coupled.plan.instances.iter().any(|instance_plan| instance_plan.has_feedthrough);
        if !can_gain {
            return Ok(None);
        }
        coupled.begin();
        system.initialize(coupled, &system.set_up)?;
        let absent = absent_feedthrough(coupled, (system.span().0, h))?;
        let Some(cheaper) = (!absent.is_empty()).then(|| Self::with(set_factory, system, &absent)) else { return Ok(None) };
        let (declared, own) = (&system.resolved.algorithm, &cheaper.system.resolved.algorithm);
        let is_other = declared.sweep != own.sweep || declared.iteration.is_some() != own.iteration.is_some();
        system.initialize(coupled, &system.set_up)?;
        let stale = system.settle(coupled, &system.set_up, h, false)?.stale;
        // Outputs that stay stale reduce the order if loops are not iterated.
        let keeps_order = !stale.iter().any(|&index| cheaper.set_factory.plan.instances[index].has_feedthrough);
        Ok((keeps_order && (is_other || !stale.is_empty())).then_some(cheaper))
    }

    fn with(set_factory: &InstanceSetFactory, system: &SharedSystem, absent: &[Absent]) -> Self {
        let SharedSystem { resolved, graph: declared, .. } = system;
        let description = |index: usize| {
            let description = set_factory.fmus[index].description();
            let absent = absent.iter().find(|absent| absent.instance == index);
            absent.map_or_else(|| description.clone(), |absent| measured(description, absent, &set_factory.plan, &resolved.links))
        };
        let descriptions: Vec<ModelDescription> = (0..set_factory.fmus.len()).map(description).collect();
        let interface = |(fmu, description)| Interface { description, ..Interface::of(fmu) };
        let interfaces: Vec<_> = set_factory.fmus.iter().zip(&descriptions).map(interface).collect();
        let resolved = Resolved { algorithm: resolved.algorithm_for(&interfaces), ..resolved.clone() };
        let steps = resolved.graph(&descriptions.iter().collect::<Vec<_>>());
        let names: Vec<&str> = set_factory.names.iter().map(String::as_str).collect();
        let (plan, overrides) = lay_out(&resolved, &steps, &names, &interfaces);
        // Initialization, and the equations solved in it, are as declared.
        let graph = declared.stepped_as(steps);
        Self {
            set_factory: InstanceSetFactory { plan, overrides, ..set_factory.clone() },
            system: SharedSystem { resolved, graph, ..system.clone() },
            watched: AbsentFeedthrough::new(absent),
            found: absent.iter().map(|absent| absent.instance).collect(),
        }
    }

    /// Describes the results of the trials and the resulting method.
    pub(crate) fn describe(&self) -> String {
        let names: Vec<_> = self.found.iter().map(|&index| format!("`{}`", self.set_factory.names[index])).collect();
        format!(
            "trial steps show no direct feedthrough in {}, which the model description declares or does not rule out; algorithm: {}",
            names.join(", "),
            describe(&self.system, &self.set_factory)
        )
    }
}
