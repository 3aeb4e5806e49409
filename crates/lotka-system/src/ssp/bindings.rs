//! Assigns the values of bindings to their variables: by names through systems, and by connections of parameters.

use std::path::Path;

use super::{
    flatten::{Context, Flattener, Owner, Port, Way},
    parameters::Binding,
};
use crate::{Located, StartSetting, StartValue};
use lotka_message::Code;

impl Flattener {
    pub(super) fn bind(&mut self, owner: Owner, bindings: &[Binding], component: Option<&Path>, context: &Context) {
        for binding in bindings {
            let values = self.values(binding, component, context);
            self.expansion.connections += values.len();
            for given in values {
                let StartSetting { variable, .. } = &given;
                if self.assign(owner, &variable.value.clone(), &given) == 0 {
                    let message =
                        format!("no element has a parameter `{}{}`: its value is ignored", context.path, variable.value);
                    self.findings.warning(Code::IgnoredValue, &variable.span, message, None);
                }
            }
        }
    }

    /// Assigns a value to every variable of this hierarchical name; returns their number.
    fn assign(&mut self, owner: Owner, name: &str, given: &StartSetting) -> usize {
        let scope = match owner {
            Owner::Dictionary => return 0,
            Owner::Instance(_) => return self.hand_down(&Port { owner, connector: name.to_owned() }, given),
            Owner::Scope(scope) => scope,
        };
        let mut count = 0;
        if self.scopes[scope].connectors.iter().any(|connector| connector.name == name) {
            self.hand_down(&Port { owner, connector: name.to_owned() }, given);
            count += 1;
        }
        for (element, inner) in self.scopes[scope].elements.clone() {
            if let Some(rest) = name.strip_prefix(element.as_str()).and_then(|rest| rest.strip_prefix('.')) {
                count += self.assign(inner, rest, given);
            }
        }
        count
    }

    /// Assigns a value to a variable of an instance, or to all variables behind a connector of a system; returns their number.
    fn hand_down(&mut self, port: &Port, given: &StartSetting) -> usize {
        if let Owner::Instance(instance) = port.owner {
            let variable = Located { value: port.connector.clone(), span: given.variable.span.clone() };
            self.description.instances[instance].start.push(StartSetting { variable, ..given.clone() });
            return 1;
        }
        let ways: Vec<Way> = self.ways.iter().filter(|way| way.from == *port).cloned().collect();
        let mut count = 0;
        for way in ways {
            let value = way.transformation.apply(self.in_unit_of(&way, given));
            let unit = self.connector(&way.to).and_then(|connector| connector.unit.clone()).map(Located::from);
            let unit = if way.keeps_units { None } else { unit.or_else(|| given.unit.clone()) };
            let value = Located { value, span: given.value.span.clone() };
            count += self.hand_down(&way.to, &StartSetting { value, unit, ..given.clone() });
        }
        count
    }

    /// A value in the unit of its connector, if both are known.
    fn in_unit_of(&mut self, way: &Way, given: &StartSetting) -> StartValue {
        let to = self.connector(&way.to).and_then(|connector| connector.unit.clone());
        match (&given.value.value, &given.unit, to) {
            (StartValue::Real(value), Some(from), Some(to)) if !way.keeps_units => {
                let conversion = self.conversion(&from.value, &to, &way.names[1]);
                StartValue::Real(conversion.map_or(*value, |conversion| conversion.apply(*value)))
            }
            (value, ..) => value.clone(),
        }
    }
}
