//! Outputs that follow inputs without delay are stale after a step: they were computed with what the instance assumed of its inputs.
//!
//! FMI 2.0 allows no reading after setting without a step in between, so that making them fresh is a policy.

use super::{Attempt, Coupled, attempt::call_failed, proceed};
use crate::signal::Knowledge;

/// How the outputs of an instance are made fresh after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Refresh {
    /// They are not.
    #[default]
    Stale,
    /// The inputs at the end are set and the outputs read again: the FMU recomputes.
    ReRead,
    /// `y + D (u(t + h) - u_used)` with the FMU's directional derivatives.
    Derivative,
}

impl Coupled {
    /// Makes the outputs of the instances fresh, in the order given, with the newest values as inputs.
    #[inline]
    pub(crate) fn refresh(&mut self, members: &[usize]) -> Attempt<()> {
        if self.refreshes.is_empty() { Attempt::Continue(()) } else { self.refresh_members(members) }
    }

    fn refresh_members(&mut self, members: &[usize]) -> Attempt<()> {
        for &member in members {
            match self.refreshes[member] {
                Refresh::Stale => {}
                Refresh::ReRead => proceed(self.read_again(member).map_err(call_failed))?,
                Refresh::Derivative => proceed(self.follow_inputs(member).map_err(call_failed))?,
            }
        }
        Attempt::Continue(())
    }

    fn end_inputs(&mut self, index: usize) -> usize {
        let count = self.plan.units[index].input_references.len();
        if let Some(inputs) = &self.inputs {
            inputs.end_values(&self.plan, index, &self.newest, Knowledge::Newest, &mut self.gathered[..count]);
        }
        count
    }

    fn read_again(&mut self, index: usize) -> fmi2::CallResult<()> {
        let count = self.end_inputs(index);
        let unit = &self.plan.units[index];
        let instance = &mut self.members[index].instance;
        instance.set_real(&unit.input_references, &self.gathered[..count])?;
        instance.get_real(&unit.output_references, &mut self.newest.reals[unit.outputs.clone()])
    }

    fn follow_inputs(&mut self, index: usize) -> fmi2::CallResult<()> {
        let count = self.end_inputs(index);
        let unit = &self.plan.units[index];
        let used = &mut self.used[unit.gathers.clone()];
        for (seed, used) in self.gathered[..count].iter_mut().zip(used) {
            let end = *seed;
            *seed -= *used;
            *used = end;
        }
        let changes = &mut self.changes[..unit.output_references.len()];
        let instance = &mut self.members[index].instance;
        instance.directional_derivative(&unit.output_references, &unit.input_references, &self.gathered[..count], changes)?;
        for (value, change) in self.newest.reals[unit.outputs.clone()].iter_mut().zip(changes) {
            *value += *change;
        }
        Ok(())
    }
}
