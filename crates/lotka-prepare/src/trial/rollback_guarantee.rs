//! Instances that need a guarantee which not every run can provide: that no state from before a step will be restored.
//!
//! This argument of fmi2DoStep took the place of `newStep` of FMI 1.0, and some FMUs still interpret it that way. Without the
//! guarantee they begin a step where the last step with it began. Their results are correct as long as no step is made that may
//! be rolled back to a point before its beginning.

use lotka_instance::{CallResult, Slot, StepOutcome};
use lotka_step::{Error, algorithm::Coupled};

use super::probe::changed;

/// Results that differ by this share of the change over the steps count as different.
const DIFFERENT: f64 = 0.25;

/// Finds an instance that needs the guarantee, by trials over `h` from `t`. Parts of a step without it are compared with a whole
/// step, with the present inputs and, if these leave its outputs unchanged, with others. The steps are not counted as steps of
/// the run. Afterwards all instances are in their original state.
///
/// # Errors
/// A call fails. A discarded step yields no result.
pub fn find_needing_guarantee(coupled: &mut Coupled, t: f64, h: f64) -> Result<Option<usize>, Box<Error>> {
    for index in 0..coupled.instances.len() {
        let can = coupled.instances[index].inner.capabilities().save_state;
        if can && !coupled.plan.instances[index].outputs.is_empty() {
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
    let slot = coupled.instances[index].inner.new_slot()?;
    coupled.instances[index].inner.save(slot)?;
    let mut trial = GuaranteeTrial { coupled, index, slot, t, h };
    let shown = match trial.shows(&inputs)? {
        // Other inputs may be outside their domain: a refusal yields no result.
        None if !inputs.is_empty() => trial.shows(&changed(&inputs, DIFFERENT)).unwrap_or(None),
        shown => shown,
    };
    let instance = &mut coupled.instances[index].inner;
    instance.restore(slot)?;
    instance.free_slot(slot)?;
    Ok(shown.unwrap_or(false))
}

/// GuaranteeTrial steps of an instance with and without the guarantee.
struct GuaranteeTrial<'a> {
    coupled: &'a mut Coupled,
    index: usize,
    slot: Slot,
    t: f64,
    h: f64,
}

impl GuaranteeTrial<'_> {
    /// Whether the instance needs the guarantee; `None` if its outputs do not change, or a step is discarded.
    fn shows(&mut self, inputs: &[f64]) -> CallResult<Option<bool>> {
        let parts = |commits: [bool; 2]| [true, commits[0], commits[1]];
        let Some((first, without)) = self.steps(inputs, 1.0 / 3.0, &parts([false; 2]))? else { return Ok(None) };
        let Some((_, whole)) = self.steps(inputs, 1.0, &[true])? else { return Ok(None) };
        if first.iter().zip(&whole).all(|(first, whole)| first == whole) {
            return Ok(None);
        }
        if !differs(&first, &without, &whole) {
            return Ok(Some(false));
        }
        // Steps that do not add up may have other causes. Only in this case a guarantee is tried that is broken afterwards.
        let with = self.steps(inputs, 1.0 / 3.0, &parts([true; 2]))?;
        Ok(with.map(|(_, with)| differs(&first, &without, &with)))
    }

    /// Outputs after the first and after the last of several steps from the saved state, each over `share` of the trial, with or
    /// without a guarantee. `None` if one is discarded.
    fn steps(&mut self, inputs: &[f64], share: f64, commits: &[bool]) -> CallResult<Option<(Vec<f64>, Vec<f64>)>> {
        let instance = &mut self.coupled.instances[self.index].inner;
        instance.restore(self.slot)?;
        let mut outputs = vec![0.0; self.coupled.plan.instances[self.index].outputs.len()];
        let mut first = None;
        for (number, commit) in commits.iter().enumerate() {
            let [begin, end] = [number, number + 1].map(|number| self.t + number as f64 * share * self.h);
            if instance.step(inputs, begin, end - begin, *commit, &mut outputs)? != StepOutcome::Complete {
                return Ok(None);
            }
            first.get_or_insert_with(|| outputs.clone());
        }
        Ok(first.map(|first| (first, outputs)))
    }
}

/// Whether a result differs from the expected one, by a share of the change from the first value.
fn differs(first: &[f64], one: &[f64], wanted: &[f64]) -> bool {
    let mut triples = first.iter().zip(one).zip(wanted);
    triples.any(|((first, one), wanted)| (one - wanted).abs() > DIFFERENT * (wanted - first).abs())
}
