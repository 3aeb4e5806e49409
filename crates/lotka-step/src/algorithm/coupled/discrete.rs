//! Exchange of integers, booleans, strings and binaries, one at a time: few systems exchange many of them.

use lotka_instance::CallResult;

use super::Coupled;

impl Coupled {
    /// Sets the integer, boolean, string and binary inputs of one instance from the newest (or held) values.
    ///
    /// # Errors
    /// The instance refuses.
    pub fn set_discrete_inputs(&mut self, index: usize, held: bool) -> CallResult<()> {
        let Some(discrete) = &self.plan.instances[index].discrete else { return Ok(()) };
        let instance = &mut self.instances[index].inner;
        let values = if held { &self.held } else { &self.newest };
        for &(reference, source) in &discrete.integer_inputs {
            instance.set_integer(&[reference], &[values.whole(source)])?;
        }
        for &(reference, source) in &discrete.boolean_inputs {
            instance.set_boolean(&[reference], &[values.whole(source) != 0])?;
        }
        for &(reference, source) in &discrete.text_inputs {
            instance.set_string(&[reference], &[&values.texts[source]])?;
        }
        for &(reference, source) in &discrete.binary_inputs {
            instance.set_binary(&[reference], &[&values.binaries[source]])?;
        }
        Ok(())
    }

    /// Reads the integers, booleans, strings and binaries of one instance into the newest values.
    pub(crate) fn read_discrete(&mut self, index: usize) -> CallResult<()> {
        let Some(discrete) = &self.plan.instances[index].discrete else { return Ok(()) };
        let (instance, newest) = (&mut self.instances[index].inner, &mut self.newest);
        let (references, range) = &discrete.integer_outputs;
        if !references.is_empty() {
            instance.get_integer(references, &mut newest.integers[range.clone()])?;
        }
        let (references, range) = &discrete.boolean_outputs;
        if !references.is_empty() {
            instance.get_boolean(references, &mut newest.booleans[range.clone()])?;
        }
        let (references, range) = &discrete.text_outputs;
        if !references.is_empty() {
            instance.get_string(references, &mut newest.texts[range.clone()])?;
        }
        let (references, range) = &discrete.binary_outputs;
        if !references.is_empty() {
            instance.get_binary(references, &mut newest.binaries[range.clone()])?;
        }
        for mapped in &discrete.mapped {
            newest.integers[mapped.integer] = mapped.value(newest.whole(mapped.of));
        }
        for &(signal, source) in &discrete.converted {
            newest.reals[signal] = newest.whole(source) as f64;
        }
        Ok(())
    }
}
