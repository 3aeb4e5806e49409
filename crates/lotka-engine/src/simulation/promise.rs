//! Whether instances need a promise that not every run can give: that no state from before a step will be restored.
//!
//! The argument of fmi2DoStep that gives it took the place of `newStep` of FMI 1.0, and FMUs exist that still take it for that: without the
//! promise they begin a step where the last one with it began. They are right as long as no step is made that may be rolled back to a
//! point before its beginning.

use lotka_instance::{CallResult, Slot, StepOutcome};

use super::probe::changed;
use crate::{Error, algorithm::Coupled};

/// Results that differ by this share of what the steps change are not the same.
const DIFFERENT: f64 = 0.25;

/// An instance that needs the promise, found by trials over `h` from `t`: parts of a step without it against a whole step, with the inputs that
/// it has and, where these leave its outputs as they are, with others. Steps are not counted as steps of the run; afterwards all instances
/// are where they were.
///
/// # Errors
/// A call fails. A step that is discarded shows nothing.
pub fn needing(coupled: &mut Coupled, t: f64, h: f64) -> Result<Option<usize>, Box<Error>> {
    for index in 0..coupled.members.len() {
        let can = coupled.members[index].instance.capabilities().save_state;
        if can && !coupled.plan.units[index].outputs.is_empty() {
            let needs = needs(coupled, index, t, h).map_err(|error| Box::new(Error::Call(error)))?;
            if needs {
                return Ok(Some(index));
            }
        }
    }
    Ok(None)
}

fn needs(coupled: &mut Coupled, index: usize, t: f64, h: f64) -> CallResult<bool> {
    let inputs = coupled.inputs_of(index);
    coupled.set_discrete_inputs(index, false)?;
    let slot = coupled.members[index].instance.new_slot()?;
    coupled.members[index].instance.save(slot)?;
    let mut trial = Trial { coupled, index, slot, t, h };
    let shown = match trial.shows(&inputs)? {
        // Others may be outside of their domain: what is refused shows nothing.
        None if !inputs.is_empty() => trial.shows(&changed(&inputs, DIFFERENT)).unwrap_or(None),
        shown => shown,
    };
    let instance = &mut coupled.members[index].instance;
    instance.restore(slot)?;
    instance.free_slot(slot)?;
    Ok(shown.unwrap_or(false))
}

struct Trial<'a> {
    coupled: &'a mut Coupled,
    index: usize,
    slot: Slot,
    t: f64,
    h: f64,
}

impl Trial<'_> {
    /// Whether the instance needs the promise; `None` if its outputs stay as they are, or a step is discarded.
    fn shows(&mut self, inputs: &[f64]) -> CallResult<Option<bool>> {
        let parts = |promises: [bool; 2]| [true, promises[0], promises[1]];
        let Some((first, without)) = self.steps(inputs, 1.0 / 3.0, &parts([false; 2]))? else { return Ok(None) };
        let Some((_, whole)) = self.steps(inputs, 1.0, &[true])? else { return Ok(None) };
        if first.iter().zip(&whole).all(|(first, whole)| first == whole) {
            return Ok(None);
        }
        if !differs(&first, &without, &whole) {
            return Ok(Some(false));
        }
        // Steps that do not add up have other reasons, too: only here it is tried with a promise that is then broken.
        let with = self.steps(inputs, 1.0 / 3.0, &parts([true; 2]))?;
        Ok(with.map(|(_, with)| differs(&first, &without, &with)))
    }

    /// Outputs after the first and after the last of some steps from the saved state, each `share` of the trial and with a promise or without;
    /// `None` if one is discarded.
    fn steps(&mut self, inputs: &[f64], share: f64, promises: &[bool]) -> CallResult<Option<(Vec<f64>, Vec<f64>)>> {
        let instance = &mut self.coupled.members[self.index].instance;
        instance.restore(self.slot)?;
        let mut outputs = vec![0.0; self.coupled.plan.units[self.index].outputs.len()];
        let mut first = None;
        for (number, promise) in promises.iter().enumerate() {
            let [begin, end] = [number, number + 1].map(|number| self.t + number as f64 * share * self.h);
            if instance.step(inputs, begin, end - begin, *promise, &mut outputs)? != StepOutcome::Complete {
                return Ok(None);
            }
            first.get_or_insert_with(|| outputs.clone());
        }
        Ok(first.map(|first| (first, outputs)))
    }
}

/// Whether one result is another than the wanted one, by a share of what became of the first value.
fn differs(first: &[f64], one: &[f64], wanted: &[f64]) -> bool {
    let mut triples = first.iter().zip(one).zip(wanted);
    triples.any(|((first, one), wanted)| (one - wanted).abs() > DIFFERENT * (wanted - first).abs())
}
