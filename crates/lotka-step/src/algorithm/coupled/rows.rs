//! Variables that are read only when a row is recorded: unconnected outputs that are not Real, and recorded variables that
//! are not outputs. All instances have stepped by then, so reading is allowed and changes nothing.

use lotka_instance::CallResult;
use lotka_plan::graph::{Input, InstanceReads, Plan, RowReads};

use super::Coupled;
use crate::{
    Error,
    algorithm::{Signals, attempt::call_failed},
};

impl Coupled {
    /// Reads the row-only variables into the newest values.
    ///
    /// # Errors
    /// A call to an instance fails.
    #[inline]
    pub fn read_for_row(&mut self) -> Result<(), Box<Error>> {
        for position in 0..self.read_at_rows.len() {
            self.read_discrete(self.read_at_rows[position]).map_err(call_failed)?;
        }
        if self.plan.row_reads.is_some() { self.read_recorded().map_err(call_failed) } else { Ok(()) }
    }

    /// Reads the outputs and the row-only variables of one instance into the newest values.
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn read_alone(&mut self, index: usize) -> Result<(), Box<Error>> {
        self.read_outputs(index).map_err(call_failed)?;
        let Some(reads) = &self.plan.row_reads else { return Ok(()) };
        for of in reads.instances.iter().filter(|of| of.instance == index) {
            read_instance(self.instances[index].inner.as_mut(), of, &mut self.newest).map_err(call_failed)?;
        }
        compute_inputs(reads, &self.plan, &mut self.newest);
        Ok(())
    }

    /// Whether any variable is read for rows only.
    #[must_use]
    pub fn reads_at_rows(&self) -> bool {
        !self.read_at_rows.is_empty() || self.plan.row_reads.is_some()
    }

    #[inline(never)]
    fn read_recorded(&mut self) -> CallResult<()> {
        let Some(reads) = &self.plan.row_reads else { return Ok(()) };
        for of in &reads.instances {
            read_instance(self.instances[of.instance].inner.as_mut(), of, &mut self.newest)?;
        }
        compute_inputs(reads, &self.plan, &mut self.newest);
        Ok(())
    }
}

fn read_instance(instance: &mut dyn lotka_instance::Instance, reads: &InstanceReads, newest: &mut Signals) -> CallResult<()> {
    let values = &mut newest.at_row;
    let (references, range) = &reads.reals;
    if !references.is_empty() {
        instance.get_real(references, &mut values.reals[range.clone()])?;
    }
    let (references, range) = &reads.integers;
    if !references.is_empty() {
        instance.get_integer(references, &mut values.integers[range.clone()])?;
    }
    let (references, range) = &reads.booleans;
    if !references.is_empty() {
        instance.get_boolean(references, &mut values.booleans[range.clone()])?;
    }
    let (references, range) = &reads.texts;
    if !references.is_empty() {
        instance.get_string(references, &mut values.texts[range.clone()])?;
    }
    let (references, range) = &reads.binaries;
    if !references.is_empty() {
        instance.get_binary(references, &mut values.binaries[range.clone()])?;
    }
    Ok(())
}

/// Computes the values of connected inputs at this time.
fn compute_inputs(reads: &RowReads, plan: &Plan, newest: &mut Signals) {
    for &(index, gather) in &reads.inputs {
        newest.at_row.reals[index] = plan.gathers[gather].value(&plan.terms, &newest.reals);
    }
    let discrete = |input: &Input| plan.instances[input.instance].discrete.as_deref().map(|discrete| (discrete, input.position));
    for (index, input) in &reads.integer_inputs {
        let Some((discrete, position)) = discrete(input) else { continue };
        newest.at_row.integers[*index] = newest.whole(discrete.integer_inputs[position].1);
    }
    for (index, input) in &reads.boolean_inputs {
        let Some((discrete, position)) = discrete(input) else { continue };
        newest.at_row.booleans[*index] = newest.whole(discrete.boolean_inputs[position].1) != 0;
    }
    for (index, input) in &reads.text_inputs {
        let Some((discrete, position)) = discrete(input) else { continue };
        newest.at_row.texts[*index].clone_from(&newest.texts[discrete.text_inputs[position].1]);
    }
    for (index, input) in &reads.binary_inputs {
        let Some((discrete, position)) = discrete(input) else { continue };
        newest.at_row.binaries[*index].clone_from(&newest.binaries[discrete.binary_inputs[position].1]);
    }
}
