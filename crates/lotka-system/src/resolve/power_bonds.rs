//! Power bonds: both ends must be outputs, each instance must read the output of the other one, and effort times flow must be a
//! power.

use std::collections::HashSet;

use lotka_instance::description::Causality;
use lotka_message::{Code, Findings};
use lotka_plan::link::{LinkIndex, SignalType, VariableIndex, signal_type};
use lotka_step::resolved::PowerBond;

use crate::{
    Located, PowerBondSettings, SystemDescription,
    locate::{Names, Offer},
    units::{self, Product, Units},
};

pub fn resolve(system: &SystemDescription, names: &Names<'_>, links: &LinkIndex<'_>, findings: &mut Findings) -> Vec<PowerBond> {
    let (mut bonds, mut taken) = (Vec::new(), HashSet::new());
    for bond in &system.power_bonds {
        if !taken.insert(&bond.name.value) {
            findings.error(
                Code::NameTaken,
                &bond.name.span,
                format!("there are two power bonds named `{}`", bond.name.value),
                "rename one of them".to_owned(),
            );
        }
        let units = Units::new(&system.units);
        bonds.extend(Resolver { links, names, units, findings }.bond(bond));
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
    links: &'a LinkIndex<'a>,
    names: &'a Names<'a>,
    units: Units<'a>,
    findings: &'f mut Findings,
}

impl Resolver<'_, '_> {
    fn bond(&mut self, bond: &PowerBondSettings) -> Option<PowerBond> {
        let (effort, flow) = (self.output(&bond.effort), self.output(&bond.flow));
        let (effort, flow) = (effort?, flow?);
        if effort.0 == flow.0 {
            let message = format!(
                "effort and flow of the power bond `{}` are both outputs of `{}`",
                bond.name.value,
                self.names.name(flow.0)
            );
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
    fn output(&mut self, name: &Located<String>) -> Option<VariableIndex> {
        let offer: Offer = |variable| variable.causality == Causality::Output && signal_type(variable) == SignalType::Real;
        let place = self.names.locate(name, offer, self.findings)?;
        if offer(self.names.variable(place)) {
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
    fn reader(&mut self, name: &Located<String>, output: VariableIndex, instance: usize) -> Option<usize> {
        let reading = self.links.from_output(output).filter(|link| link.instance == instance);
        let inputs: Vec<_> = reading.map(|link| link.variable).collect();
        if let [input] = inputs[..] {
            return Some(input);
        }
        let reader = self.names.name(instance);
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
    fn watts(&mut self, bond: &PowerBondSettings, input: VariableIndex, flow: VariableIndex) -> Option<f64> {
        let end = |at: VariableIndex| self.units.of(self.names.description(at.0), self.names.variable(at));
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
