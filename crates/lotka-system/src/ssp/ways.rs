//! Connections as directed edges from one connector to another.

use lotka_instance::description::Causality;

use super::{
    flatten::{Context, Flattener, Owner, Port, Way},
    structure::{Connection, Connector, End},
};
use crate::Located;
use lotka_message::{Code, nearest};

impl Flattener {
    /// A connection with its direction.
    pub(super) fn way(&mut self, scope: usize, connection: &Connection, context: &Context) {
        let ends = (self.end(scope, &connection.start, context), self.end(scope, &connection.end, context));
        let (Some((start, start_gives)), Some((end, end_gives))) = ends else { return };
        let names = [name(&connection.start), name(&connection.end)];
        let is_forward = match (start_gives, end_gives) {
            (Some(true), Some(true)) | (Some(false), Some(false)) => {
                let what = if start_gives == Some(true) { "provide values" } else { "receive values" };
                let message = format!("`{}` and `{}` are connected, but both {what}", names[0].value, names[1].value);
                self.findings.error(
                    Code::WrongCausality,
                    &names[0].span,
                    message,
                    "check the kinds of the connectors".to_owned(),
                );
                return;
            }
            (Some(false), _) | (_, Some(true)) => false,
            _ => true,
        };
        let [first, second] = names;
        let (from, to, names) = if is_forward { (start, end, [first, second]) } else { (end, start, [second, first]) };
        if !self.fed.insert(to.clone()) {
            let message = format!("`{}{}` is connected to two sources", context.path, names[1].value);
            self.findings.error(Code::TwoSources, &names[1].span, message, "remove one of the connections".to_owned());
            return;
        }
        let (transformation, keeps_units) = (connection.transformation.clone(), connection.keeps_units);
        self.ways.push(Way { from, to, names, transformation, keeps_units });
    }

    /// The connector at one end, and whether it is a source, if known.
    fn end(&mut self, scope: usize, end: &End, context: &Context) -> Option<(Port, Option<bool>)> {
        let connector = end.connector.value.clone();
        let (owner, is_inside) = match &end.element {
            None => (Owner::Scope(scope), true),
            Some(element) => {
                let known = self.scopes[scope].elements.iter();
                let Some((_, owner)) = known.clone().find(|(name, _)| name == element) else {
                    let place = match context.path.trim_end_matches('/') {
                        "" => "the system".to_owned(),
                        inner => format!("the system `{inner}`"),
                    };
                    let message = format!("unknown element `{element}` in {place}");
                    let help = nearest(element, known.map(|(name, _)| name.as_str()));
                    self.findings.error(Code::SspReference, &end.connector.span, message, help);
                    return None;
                };
                (*owner, false)
            }
        };
        if owner == Owner::Dictionary {
            let message = format!("`{}` belongs to a signal dictionary, which is not supported", name(end).value);
            self.findings.error(
                Code::SspUnsupported,
                &end.connector.span,
                message,
                "connect the components with each other".to_owned(),
            );
            return None;
        }
        let port = Port { owner, connector };
        let declared = self.connector(&port);
        if let Some(obstacle) = declared.and_then(|connector| connector.obstacle) {
            self.findings.error(
                Code::SspUnsupported,
                &end.connector.span,
                format!("`{}` cannot be connected: {obstacle}", name(end).value),
                "remove the connection".to_owned(),
            );
            return None;
        }
        let takes = declared.and_then(|connector| connector.causality).map(takes);
        Some((port, takes.map(|takes| takes == is_inside)))
    }

    /// The connector in the description.
    pub(super) fn connector(&self, port: &Port) -> Option<&Connector> {
        let connectors = match port.owner {
            Owner::Instance(instance) => &self.instances[instance],
            Owner::Scope(scope) => &self.scopes[scope].connectors,
            Owner::Dictionary => return None,
        };
        connectors.iter().find(|connector| connector.name == port.connector)
    }
}

fn takes(causality: Causality) -> bool {
    matches!(causality, Causality::Input | Causality::Parameter)
}

fn name(end: &End) -> Located<String> {
    let element = end.element.as_ref().map(|element| format!("{element}.")).unwrap_or_default();
    Located { value: format!("{element}{}", end.connector.value), span: end.connector.span.clone() }
}
