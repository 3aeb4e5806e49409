//! Advice: findings that break no rule, but help those who use the FMU or build the next one.

use fmi_xml::Place;

use super::super::Interface;
use super::Check;

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
            self.findings.note(Place::Root, "no-log-categories", message, remedy);
        }
        self.findings.advise_experiment(d.default_experiment.is_some());
    }

    fn advise_about(&mut self, interface: &Interface) {
        self.findings.advice_about_interface(interface.needs_execution_tool, interface.can_be_instantiated_only_once_per_process);
        if interface.provides_directional_derivative == Some(true) && self.description.model_exchange.is_none() {
            self.unlisted_derivatives();
        }
    }

    /// Notes derivatives that are declared but not listed, so that no directional derivatives are available for them.
    fn unlisted_derivatives(&mut self) {
        for (index, name) in self.derivatives_that_are_not_listed() {
            let message = format!("the derivative \"{name}\" is not listed in <Derivatives>");
            let remedy = format!("add <Unknown index=\"{index}\"/> there, or remove its attribute derivative");
            self.findings.note(Place::Variable(index as usize - 1), "derivatives", message, &remedy);
        }
    }
}
