//! Names, and the valid combinations of causality, variability, `initial` and start value (FMI 2.0.5, section 2.2.7).

use fmi_xml::{Combination, Place, legal_initials, repeated};

use super::super::{Causality as Ca, Initial, NamingConvention, ScalarVariable, Variability as Va, VariableKind};
use super::Check;

impl<'a> Check<'a> {
    /// Checks the rules of variables.
    pub(super) fn variables(&mut self) {
        let variables: &'a [ScalarVariable] = &self.description.variables;
        if variables.is_empty() {
            self.findings.warn(Place::Root, "no-variables", "the model has no variables".to_owned(), "add at least one");
        }
        self.findings.variable_names(variables.iter().enumerate().map(|(index, v)| (Place::Variable(index), v.name.as_str())));
        let independent = variables.iter().enumerate().filter(|(_, v)| v.causality() == Ca::Independent);
        for (index, _) in independent.skip(1) {
            let message = "there is a second independent variable".to_owned();
            self.findings.warn(Place::Variable(index), "independent", message, "only time is independent");
        }
        for (index, variable) in variables.iter().enumerate() {
            let place = Place::Variable(index);
            if self.types.contains_key(variable.name.as_str()) && !variable.name.is_empty() {
                self.findings.name_of_type(place, &variable.name);
            }
            self.combination(place, variable);
            self.start(place, variable);
            self.kind(place, variable);
            if self.description.variable_naming_convention == Some(NamingConvention::Structured) && !variable.name.is_empty() {
                let is_real = matches!(variable.kind, VariableKind::Real(_));
                self.findings.structured_name(place, &variable.name, "Real", is_real);
            }
            self.model_exchange_attributes(place, variable);
            for index in repeated(variable.annotations.iter().map(|annotation| &annotation.tool)) {
                let message =
                    format!("\"{}\" has two annotations of the tool \"{}\"", variable.name, variable.annotations[index].tool);
                self.findings.warn(place, "duplicate-tool", message, "join them");
            }
        }
    }

    fn combination(&mut self, place: Place, variable: &ScalarVariable) {
        let (name, causality, variability) = (&variable.name, variable.causality(), variable.variability());
        let is_real = matches!(variable.kind, VariableKind::Real(_));
        if causality == Ca::Independent && !is_real {
            self.findings.warn(place, "independent", format!("the independent variable \"{name}\" is not Real"), "make it Real");
        }
        if variability == Va::Continuous && !is_real {
            return self.findings.continuous(place, (name, variable.kind.type_name()), "Real");
        }
        let (declared_initial, legal) = (variable.declared_initial, legal_initials(causality, variability));
        self.findings
            .combination(place, &Combination { name, causality: causality.name(), variability, declared_initial, legal });
    }

    fn start(&mut self, place: Place, variable: &ScalarVariable) {
        let (name, causality, initial) = (&variable.name, variable.causality(), variable.initial());
        let required = causality == Ca::Input || matches!(initial, Some(Initial::Exact | Initial::Approx));
        self.findings.start(place, name, causality == Ca::Independent, (required, variable.kind.has_start()));
    }

    fn model_exchange_attributes(&mut self, place: Place, variable: &ScalarVariable) {
        let is_exchanged = self.description.model_exchange.is_some();
        let reinit = matches!(&variable.kind, VariableKind::Real(v) if v.reinit.is_some());
        if reinit && !(is_exchanged && self.is_state(place)) {
            let message = format!("\"{}\" has reinit, which is for continuous states of model exchange", variable.name);
            self.findings.warn(place, "model-exchange-attribute", message, "remove it");
        }
        let multiple_set = variable.can_handle_multiple_set_per_time_instant.is_some();
        if multiple_set && !(is_exchanged && variable.causality() == Ca::Input) {
            let message =
                format!("\"{}\" has canHandleMultipleSetPerTimeInstant, which is for inputs of model exchange", variable.name);
            self.findings.warn(place, "model-exchange-attribute", message, "remove it");
        }
    }

    /// Returns whether another variable is the derivative of this one.
    fn is_state(&self, place: Place) -> bool {
        let Place::Variable(index) = place else { return false };
        let is_derivative =
            |v: &ScalarVariable| matches!(&v.kind, VariableKind::Real(r) if r.derivative == u32::try_from(index + 1).ok());
        self.description.variables.iter().any(is_derivative)
    }
}
