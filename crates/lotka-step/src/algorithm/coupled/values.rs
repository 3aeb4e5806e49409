//! Real inputs that are set, and outputs that are read, between steps.

use lotka_instance::CallResult;

use super::Coupled;
use crate::algorithm::gather::gather;

impl Coupled {
    /// Sets the Real inputs of one instance from the newest values (initialization mode).
    ///
    /// # Errors
    /// The instance refuses.
    pub fn set_real_inputs(&mut self, index: usize) -> CallResult<()> {
        let instance_plan = &self.plan.instances[index];
        if instance_plan.input_references.is_empty() {
            return Ok(());
        }
        let inputs = &mut self.buffers.gathered[..instance_plan.input_references.len()];
        gather(&self.plan, instance_plan, &self.newest.reals, inputs);
        self.instances[index].inner.set_real(&instance_plan.input_references, inputs)
    }

    /// Returns the Real inputs of an instance, computed from the newest values.
    #[must_use]
    pub fn inputs_of(&self, index: usize) -> Vec<f64> {
        let mut inputs = Vec::new();
        self.read_inputs_of(index, &mut inputs);
        inputs
    }

    /// Does the same into a vector, whose memory is used again.
    pub fn read_inputs_of(&self, index: usize, inputs: &mut Vec<f64>) {
        let instance_plan = &self.plan.instances[index];
        inputs.resize(instance_plan.input_references.len(), 0.0);
        gather(&self.plan, instance_plan, &self.newest.reals, inputs);
    }

    /// Reads all outputs of one instance into the newest values.
    ///
    /// # Errors
    /// The instance refuses.
    pub fn read_outputs(&mut self, index: usize) -> CallResult<()> {
        self.read_real_outputs(index)?;
        self.read_discrete(index)
    }

    /// Reads the Real outputs of one instance into the newest values.
    ///
    /// # Errors
    /// The instance refuses.
    pub fn read_real_outputs(&mut self, index: usize) -> CallResult<()> {
        let instance_plan = &self.plan.instances[index];
        if instance_plan.outputs.is_empty() {
            return Ok(());
        }
        self.instances[index]
            .inner
            .get_real(&instance_plan.output_references, &mut self.newest.reals[instance_plan.outputs.clone()])
    }
}
