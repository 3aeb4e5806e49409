//! Power bonds: both ends must be outputs, each instance must read the output of the other one, and effort times flow must be a power.

use lotka_engine::resolved::PowerBond;
use lotka_instance::description::Causality;

use crate::{
    Located, PowerBondSettings, SystemDescription, locate,
    units::{self, Product, Units},
};
use lotka_engine::resolved::{Interface, Link, SignalType, signal_type};
use lotka_message::{Code, Findings};

/// A variable by its instance and its index.
type Place = (usize, usize);

pub fn resolve(
    system: &SystemDescription,
    links: &[Link],
    interfaces: &[Interface<'_>],
    names: &[&str],
    findings: &mut Findings,
) -> Vec<PowerBond> {
    let mut bonds = Vec::new();
    for (number, bond) in system.power_bonds.iter().enumerate() {
        if system.power_bonds[..number].iter().any(|earlier| earlier.name.value == bond.name.value) {
            findings.error(
                Code::NameTaken,
                &bond.name.span,
                format!("there are two power bonds named `{}`", bond.name.value),
                "rename one of them".to_owned(),
            );
        }
        let units = Units::new(&system.units);
        bonds.extend(Resolver { links, interfaces, names, units, findings }.bond(bond));
    }
    if let (Some(first), Some(_)) = (system.power_bonds.first(), &system.experiment.tolerance) {
        let message = "Lotka ignores power bonds with `tolerance`: extrapolated rows belong to no single run";
        findings.warning(
            Code::PowerBondsUnused,
            &first.name.span,
            message,
            "use `local-tolerance` or `step` to measure their energies".to_owned(),
        );
    }
    bonds
}

struct Resolver<'a, 'f> {
    links: &'a [Link],
    interfaces: &'a [Interface<'a>],
    names: &'a [&'a str],
    units: Units<'a>,
    findings: &'f mut Findings,
}

impl Resolver<'_, '_> {
    fn bond(&mut self, bond: &PowerBondSettings) -> Option<PowerBond> {
        let (effort, flow) = (self.output(&bond.effort), self.output(&bond.flow));
        let (effort, flow) = (effort?, flow?);
        if effort.0 == flow.0 {
            let message =
                format!("effort and flow of the power bond `{}` are both outputs of `{}`", bond.name.value, self.names[flow.0]);
            let help = "name one output of each of two instances that read each other's outputs".to_owned();
            self.findings.error(Code::NotAPowerBond, &bond.flow.span, message, help);
            return None;
        }
        let (reads_effort, reads_flow) = (self.reader(&bond.effort, effort, flow.0), self.reader(&bond.flow, flow, effort.0));
        let (reads_effort, _) = (reads_effort?, reads_flow?);
        let watts = self.watts(bond, (flow.0, reads_effort), flow)?;
        Some(PowerBond { name: bond.name.value.clone(), effort: bond.effort.value.clone(), flow: bond.flow.value.clone(), watts })
    }

    /// Finds a Real output.
    fn output(&mut self, name: &Located<String>) -> Option<Place> {
        let descriptions: Vec<_> = self.interfaces.iter().map(|interface| interface.description).collect();
        let offer: locate::Offer =
            |variable| variable.causality == Causality::Output && signal_type(variable) == SignalType::Real;
        let place = locate::variable(name, self.names, &descriptions, offer, self.findings)?;
        if offer(&descriptions[place.0].variables[place.1]) {
            return Some(place);
        }
        let help = "name the output; the connections define its reader".to_owned();
        self.findings.error(
            Code::NotAPowerBond,
            &name.span,
            format!("`{}` is not a Real output, so it cannot belong to a power bond", name.value),
            help,
        );
        None
    }

    /// The one input of an instance that reads this output.
    fn reader(&mut self, name: &Located<String>, output: Place, instance: usize) -> Option<usize> {
        let links = self.links.iter().filter(|link| link.instance == instance);
        let summands = links.flat_map(|link| link.sources.iter().map(|source| (link.variable, source)));
        let reading = summands.filter(|(_, source)| (source.instance, source.variable) == output);
        let inputs: Vec<_> = reading.map(|(input, _)| input).collect();
        if let [input] = inputs[..] {
            return Some(input);
        }
        let reader = self.names[instance];
        let (message, help) = if inputs.is_empty() {
            let message = format!("`{reader}` does not read `{}`: a power bond needs connections in both directions", name.value);
            (message, format!("connect an input of `{reader}` to it, or name the variables that are exchanged"))
        } else {
            let message =
                format!("`{reader}` reads `{}` {} times, so the power of the bond is ambiguous", name.value, inputs.len());
            (message, "remove the bond".to_owned())
        };
        self.findings.error(Code::NotAPowerBond, &name.span, message, help);
        None
    }

    /// The power that is 1 in the units of these two variables \[W\].
    fn watts(&mut self, bond: &PowerBondSettings, input: Place, flow: Place) -> Option<f64> {
        let end = |(instance, variable): Place| {
            let description = self.interfaces[instance].description;
            self.units.of(description, &description.variables[variable])
        };
        match units::product_in_watts(end(input), end(flow)) {
            Product::Watts(watts) => Some(watts),
            Product::Unknown => Some(1.0),
            Product::NoPower(units) => {
                let message = format!("the product of `{}` and `{}` is not a power: {units}", bond.effort.value, bond.flow.value);
                let help = "name a pair such as force and velocity, torque and angular velocity, voltage and current".to_owned();
                self.findings.error(Code::NotAPowerBond, &bond.name.span, message, help);
                None
            }
        }
    }
}
