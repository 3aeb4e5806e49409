//! Advice: findings that break no rule, but help those who use the FMU or build the next one.

use super::super::Interface;
use super::{Check, Place};

impl Check<'_> {
    /// Adds advice about the whole description.
    pub(super) fn advise(&mut self) {
        let d = self.description;
        if let Some(co_simulation) = &d.co_simulation {
            self.advise_about(&co_simulation.interface);
        }
        if d.log_categories.is_empty() {
            let message = "there are no <LogCategories>".to_owned();
            let remedy = "list the categories that the FMU logs; without them it must log without a category, which crashes \
                          some importers";
            self.note(Place::Root, "no-log-categories", message, remedy);
        }
        if d.default_experiment.is_none() {
            let message = "there is no <DefaultExperiment>".to_owned();
            self.note(
                Place::Root,
                "no-default-experiment",
                message,
                "add it; importers read the stop time and step size from it",
            );
        }
    }

    fn advise_about(&mut self, interface: &Interface) {
        if interface.needs_execution_tool == Some(true) {
            let message = "the FMU needs the tool that exported it".to_owned();
            self.note(
                Place::CoSimulation,
                "needs-execution-tool",
                message,
                "install the tool on the machine that runs the FMU, or export the FMU without this dependency",
            );
        }
        if interface.can_be_instantiated_only_once_per_process == Some(true) {
            let message = "the FMU can be instantiated only once per process".to_owned();
            self.note(Place::CoSimulation, "once-per-process", message, "a second instance needs a process of its own");
        }
        if interface.provides_directional_derivative == Some(true) && self.description.model_exchange.is_none() {
            self.unlisted_derivatives();
        }
    }

    /// Notes derivatives that are declared but not listed, so that no directional derivatives are available for them.
    fn unlisted_derivatives(&mut self) {
        for (index, name) in self.derivatives_that_are_not_listed() {
            let message = format!("the derivative \"{name}\" is not listed in <Derivatives>");
            let remedy = format!("add <Unknown index=\"{index}\"/> there, or remove its attribute derivative");
            self.note(Place::Variable(index as usize - 1), "derivatives", message, &remedy);
        }
    }
}
