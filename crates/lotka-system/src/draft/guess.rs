//! Guesses which output feeds which input, by names and descriptions; types and units must match.

use std::fmt;

use lotka_instance::description::{Causality, Variable, VariableKind};
use lotka_plan::link::VariableIndex;

use super::{
    DraftInstance,
    descriptions::{DescriptionIndex, DescriptionMatch, telling},
    names::{NameIndex, NameMatch, words},
};
use crate::units::{self, Doubt, Units};

/// An input and its possible sources.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Guess {
    pub(super) input: VariableIndex,
    /// The connected output.
    pub(super) source: Option<Candidate>,
    /// Candidates if it is not connected, the most likely one first.
    pub(super) candidates: Vec<Candidate>,
    /// Outputs with a matching name that cannot feed the input, with the reasons.
    pub(super) refused: Vec<(VariableIndex, String)>,
}

/// An output that can feed an input, with the reasons for it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub(super) output: VariableIndex,
    pub(super) why: Option<Why>,
    pub(super) unit: UnitFit,
}

/// Why an output is the source of an input, apart from types and units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// The user wants it.
    Given,
    Name(NameMatch),
    Description(DescriptionMatch),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given => f.write_str("given"),
            Self::Name(name) => name.fmt(f),
            Self::Description(description) => description.fmt(f),
        }
    }
}

/// How the unit of an output matches that of an input, best match first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum UnitFit {
    Same(String),
    Converts(String, String),
    /// The type has no units, or neither side has one.
    NoUnits,
    /// Only one side has a unit, which is this one.
    OneSide(String),
    /// Two unit names that the descriptions do not define.
    Unclear(String, String),
    /// The reason why the output does not fit.
    Unfit(String),
}

impl Candidate {
    /// A connection requires a matching name without unclear units, or a matching description with units on both sides.
    fn is_convincing(&self) -> bool {
        match self.why {
            None => false,
            Some(Why::Given) => true,
            Some(Why::Name(_)) => !matches!(self.unit, UnitFit::Unclear(..)),
            Some(Why::Description(_)) => matches!(self.unit, UnitFit::Same(_) | UnitFit::Converts(..)),
        }
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(why) = self.why {
            write!(f, "{why}, ")?;
        }
        match &self.unit {
            UnitFit::Same(unit) => write!(f, "same unit ({unit})"),
            UnitFit::Converts(from, to) => write!(f, "{from} is converted to {to}"),
            UnitFit::NoUnits => f.write_str("same type"),
            UnitFit::OneSide(unit) => write!(f, "same type, but only one side has a unit ({unit})"),
            UnitFit::Unclear(from, to) => write!(f, "but it is unknown whether {from} is {to}"),
            UnitFit::Unfit(reason) => write!(f, "but {reason}"),
        }
    }
}

/// A guess for every input without a given source.
pub(super) fn guesses(instances: &[DraftInstance], given: &[(VariableIndex, VariableIndex)]) -> Vec<Guess> {
    let system = Outputs::new(instances);
    let guess = |input| match given.iter().rev().find(|(target, _)| *target == input) {
        Some(&(_, output)) => system.given(input, output),
        None => system.guess(input),
    };
    places(instances, Causality::Input).into_iter().map(guess).collect()
}

/// All variables of this causality.
fn places(instances: &[DraftInstance], causality: Causality) -> Vec<VariableIndex> {
    let of = |(index, instance): (usize, &DraftInstance)| {
        let variables = instance.description.variables.iter().enumerate();
        let members: Vec<VariableIndex> =
            variables.filter(|(_, variable)| variable.causality == causality).map(|(variable, _)| (index, variable)).collect();
        members
    };
    instances.iter().enumerate().flat_map(of).collect()
}

struct Outputs<'a> {
    instances: &'a [DraftInstance],
    places: Vec<VariableIndex>,
    names: NameIndex,
    descriptions: DescriptionIndex,
}

impl<'a> Outputs<'a> {
    fn new(instances: &'a [DraftInstance]) -> Self {
        let places = places(instances, Causality::Output);
        let mut count = vec![0; instances.len()];
        places.iter().for_each(|place| count[place.0] += 1);
        let (mut names, mut descriptions) = (NameIndex::default(), DescriptionIndex::default());
        for (number, place) in places.iter().enumerate() {
            let (instance, variable) = (&instances[place.0], &instances[place.0].description.variables[place.1]);
            names.add(number, &instance.name, &variable.name, count[place.0] == 1);
            descriptions.add(number, &instance.name, &variable.name, variable.description.as_deref());
        }
        Self { instances, places, names, descriptions }
    }

    fn variable(&self, place: VariableIndex) -> &'a Variable {
        &self.instances[place.0].description.variables[place.1]
    }

    fn guess(&self, input: VariableIndex) -> Guess {
        let (mut named, mut refused) = (Vec::new(), Vec::new());
        for (number, name) in self.names.find(&self.variable(input).name) {
            let output = self.places[number];
            if output.0 == input.0 {
                continue;
            }
            match self.fit(output, input) {
                Ok(unit) => named.push(Candidate { output, why: Some(Why::Name(name)), unit }),
                Err(reason) => refused.push((output, format!("{name}, but {reason}"))),
            }
        }
        if let [only] = named.as_slice()
            && only.is_convincing()
            && !(only.why == Some(Why::Name(NameMatch::Similar)) && self.passes_on(input))
        {
            return Guess { input, source: named.pop(), candidates: Vec::new(), refused: Vec::new() };
        }
        let mut described = if named.is_empty() { self.described(input) } else { Vec::new() };
        if let [only] = described.as_slice()
            && only.is_convincing()
            && !self.repeats_description(input)
        {
            return Guess { input, source: described.pop(), candidates: Vec::new(), refused };
        }
        let candidates = if named.is_empty() { self.fitting(input, described) } else { named };
        Guess { input, source: None, candidates, refused }
    }

    fn given(&self, input: VariableIndex, output: VariableIndex) -> Guess {
        let unit = self.fit(output, input).unwrap_or_else(UnitFit::Unfit);
        let source = Some(Candidate { output, why: Some(Why::Given), unit });
        Guess { input, source, candidates: Vec::new(), refused: Vec::new() }
    }

    /// Outputs of other instances that match by their description and can feed an input.
    fn described(&self, input: VariableIndex) -> Vec<Candidate> {
        let variable = self.variable(input);
        let found = self.descriptions.find(&variable.name, variable.description.as_deref()).into_iter();
        let others = found.map(|(number, how)| (self.places[number], how)).filter(|(output, _)| output.0 != input.0);
        others
            .filter_map(|(output, how)| {
                let unit = self.fit(output, input).ok()?;
                Some(Candidate { output, why: Some(Why::Description(how)), unit })
            })
            .collect()
    }

    /// Whether the FMU of an input describes another input or an output in the same words: which of them is meant is then
    /// unknown.
    fn repeats_description(&self, input: VariableIndex) -> bool {
        let words = |variable: &Variable| variable.description.as_deref().and_then(telling);
        let Some(own) = words(self.variable(input)) else { return false };
        let ends = [Causality::Input, Causality::Output];
        let variables = self.instances[input.0].description.variables.iter().enumerate();
        let mut others = variables.filter(|(index, variable)| *index != input.1 && ends.contains(&variable.causality));
        others.any(|(_, variable)| words(variable).is_some_and(|words| words == own))
    }

    /// Whether the FMU of an input has an output of a similar name, such as a pipe with `T_in` and `T_out`: the order of such
    /// instances is then unknown.
    fn passes_on(&self, input: VariableIndex) -> bool {
        let name = words(&self.variable(input).name);
        let variables = &self.instances[input.0].description.variables;
        variables.iter().any(|variable| variable.causality == Causality::Output && words(&variable.name) == name)
    }

    /// Outputs of other instances that can feed an input, whatever their names: those with a matching description first, then
    /// those with the same unit.
    fn fitting(&self, input: VariableIndex, mut described: Vec<Candidate>) -> Vec<Candidate> {
        let is_new = |output: &&VariableIndex| described.iter().all(|candidate| candidate.output != **output);
        let others = self.places.iter().filter(|output| output.0 != input.0).filter(is_new);
        let mut candidates: Vec<_> = others
            .filter_map(|&output| Some(Candidate { output, why: None, unit: self.fit(output, input).ok()? }))
            .filter(|candidate| !matches!(candidate.unit, UnitFit::OneSide(_) | UnitFit::Unclear(..)))
            .collect();
        candidates.sort_by(|a, b| a.unit.cmp(&b.unit));
        described.append(&mut candidates);
        described
    }

    /// How type and unit of an output match those of an input, or the reason why they do not.
    fn fit(&self, output: VariableIndex, input: VariableIndex) -> Result<UnitFit, String> {
        let end = |place: VariableIndex| (&self.instances[place.0].description, self.variable(place));
        let ((source, from), (target, to)) = (end(output), end(input));
        let (has, wants) = (from.kind.type_name(), to.kind.type_name());
        if has != wants {
            return Err(format!("it is {has}, not {wants}"));
        }
        if let (VariableKind::Enumeration(a), VariableKind::Enumeration(b)) = (&from.kind, &to.kind) {
            let items = |description: &'a lotka_instance::ModelDescription, name: &str| description.items(name);
            if items(source, &a.declared_type) != items(target, &b.declared_type) {
                return Err("its enumeration has different items".to_owned());
            }
        }
        let units = Units::new(&[]);
        let (a, b) = (units.of(source, from), units.of(target, to));
        let doubt = units::conversion(a, b).err();
        if let Some(Doubt::Incompatible(reason)) = doubt {
            return Err(format!("the unit {reason}"));
        }
        Ok(match (a, b) {
            (Some(a), Some(b)) if a.name == b.name => UnitFit::Same(a.name.to_owned()),
            (Some(a), Some(b)) if doubt.is_some() => UnitFit::Unclear(a.name.to_owned(), b.name.to_owned()),
            (Some(a), Some(b)) => UnitFit::Converts(a.name.to_owned(), b.name.to_owned()),
            (Some(unit), None) | (None, Some(unit)) => UnitFit::OneSide(unit.name.to_owned()),
            (None, None) => UnitFit::NoUnits,
        })
    }
}

#[cfg(test)]
mod tests;
