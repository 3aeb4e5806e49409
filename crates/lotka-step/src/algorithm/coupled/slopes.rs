//! Time derivatives of outputs, for FMUs that provide them.
//!
//! They are not read before the first step, because some FMUs then return a value that is not a number. A derivative that is not
//! finite is discarded, and so are all later ones of the same output.

use lotka_instance::CallResult;

use super::Coupled;

impl Coupled {
    /// Resets the slopes at the first communication point, where derivatives are not yet known.
    pub fn forget_slopes(&mut self) {
        self.newest.slopes.fill(f64::NAN);
    }

    /// Reads the slopes of the connected outputs of one instance. Returns true if one of them is ignored from now on.
    pub(crate) fn read_slopes(&mut self, index: usize) -> CallResult<bool> {
        let instance_plan = &self.plan.instances[index];
        if instance_plan.slopes.is_empty() {
            return Ok(false);
        }
        let references = &instance_plan.slope_references;
        let slopes = &mut self.newest.slopes[instance_plan.slopes.clone()];
        self.instances[index].inner.get_output_derivatives(references, &self.buffers.orders[0][..references.len()], slopes)?;
        let mut is_new = false;
        for (slope, &signal) in slopes.iter_mut().zip(&instance_plan.slope_signals) {
            if !slope.is_finite() {
                is_new |= !self.slope_faults.has(signal);
                self.slope_faults.add(signal, self.plan.signal_names.len());
            }
            if self.slope_faults.has(signal) {
                *slope = 0.0;
            }
        }
        Ok(is_new)
    }
}
