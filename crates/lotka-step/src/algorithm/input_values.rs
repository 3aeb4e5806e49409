//! The values of the inputs of an instance, to see which ones jump.

use lotka_plan::graph::Plan;

use super::Signals;

/// The values of the inputs of an instance.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct InputValues {
    reals: Vec<u64>,
    whole: Vec<i128>,
    texts: Vec<String>,
    binaries: Vec<Vec<u8>>,
}

impl InputValues {
    /// Takes over the present values. Returns whether one differs.
    pub(super) fn take(&mut self, plan: &Plan, index: usize, values: &Signals) -> bool {
        let instance_plan = &plan.instances[index];
        let reals = plan.gathers[instance_plan.gathers.clone()].iter();
        let mut differs = replace(&mut self.reals, reals.map(|gather| gather.value(&plan.terms, &values.reals).to_bits()));
        if let Some(discrete) = &instance_plan.discrete {
            let integers = discrete.integer_inputs.iter().map(|(_, source)| *source);
            let booleans = discrete.boolean_inputs.iter().map(|(_, source)| *source);
            differs |= replace(&mut self.whole, integers.chain(booleans).map(|source| values.whole(source)));
            differs |= replace(&mut self.texts, discrete.text_inputs.iter().map(|(_, source)| values.texts[*source].clone()));
            let binaries = discrete.binary_inputs.iter().map(|(_, source)| values.binaries[*source].clone());
            differs |= replace(&mut self.binaries, binaries);
        }
        differs
    }
}

/// Replaces values by others; returns whether one differs.
fn replace<T: PartialEq>(known: &mut Vec<T>, values: impl Iterator<Item = T>) -> bool {
    let mut differs = false;
    for (index, value) in values.enumerate() {
        match known.get_mut(index) {
            Some(known) if *known == value => continue,
            Some(known) => *known = value,
            None => known.push(value),
        }
        differs = true;
    }
    differs
}
