//! Internal steps of fixed size.

use lotka_instance::{CallResult, Instance, InstanceFactory, OwnSteps, RealRef, Slot, StepOutcome};
use lotka_prepare::trial::{StepAlone, find_own_steps};

use super::{
    answer::{Answer, Finding},
    probe_run::ProbeRun,
    test_harness::TestHarness,
    trouble::Trouble,
};

/// Whether the FMU advances in internal steps of fixed size, and declares them.
pub(super) fn own_steps(harness: &TestHarness) -> Result<Answer, Trouble> {
    if !harness.fmu.capabilities().variable_step {
        return Ok(Answer::not_supported("canHandleVariableCommunicationStepSize is not set"));
    }
    if harness.continuous_outputs.is_empty() {
        return Ok(Answer::skipped("the FMU has no continuous outputs"));
    }
    ProbeRun::start(harness)?;
    let declared = InstanceFactory::description(&harness.fmu).fixed_internal_step;
    Ok(match (find_own_steps(|| Walker::start(harness).ok(), harness.h), declared) {
        (None, _) => Answer::pass("there is no sign of internal steps of fixed size").with(Finding::OwnSteps(OwnSteps::NotSeen)),
        (Some(size), Some(declared)) if (size / declared - 1.0).abs() < SAME => {
            Answer::pass(format!("the FMU advances in internal steps of {declared} s, as it declares"))
                .with(Finding::OwnSteps(OwnSteps::Fixed(declared)))
        }
        (Some(size), _) => {
            let text = format!("the FMU advances in internal steps of {size} s, which it does not declare");
            Answer::note(text).with(Finding::OwnSteps(OwnSteps::Fixed(size)))
        }
    })
}

/// Sizes that differ by less than this share are the same.
const SAME: f64 = 1e-6;

/// An instance that steps alone. If it cannot save its state, it is reset, and makes its steps up to the marked point again.
struct Walker<'b> {
    run: ProbeRun<'b>,
    harness: &'b TestHarness,
    references: Vec<RealRef>,
    outputs: Vec<f64>,
    is_stirred: bool,
    slot: Option<Slot>,
    marked_time: f64,
    /// All steps up to now, each with the inputs moved or not, and their number at the marked point.
    made: Vec<(bool, f64)>,
    marked: usize,
}

impl<'b> Walker<'b> {
    fn start(harness: &'b TestHarness) -> Result<Self, Trouble> {
        let mut run = ProbeRun::start(harness)?;
        let saves = harness.fmu.capabilities().save_state;
        let slot = saves.then(|| run.instance.new_slot()).transpose()?;
        let (references, t) = (harness.continuous_outputs.clone(), run.t);
        let outputs = vec![0.0; references.len()];
        let mut walker =
            Self { run, harness, references, outputs, is_stirred: false, slot, marked_time: t, made: Vec::new(), marked: 0 };
        walker.read()?;
        Ok(walker)
    }

    fn read(&mut self) -> CallResult<()> {
        self.run.instance.get_real(&self.references, &mut self.outputs)
    }

    fn make(&mut self, is_stirred: bool, h: f64) -> Option<()> {
        let set = if is_stirred { self.run.move_inputs() } else { self.run.set_inputs() };
        set.ok()?;
        let outcome = self.run.instance.do_step(self.run.t, h, self.slot.is_none());
        matches!(outcome, Ok(StepOutcome::Complete)).then_some(())?;
        self.run.t += h;
        self.made.push((is_stirred, h));
        self.read().ok()
    }

    fn repeat(&mut self) -> Option<()> {
        self.run.instance.reset().ok()?;
        self.run.initialize(&self.harness.experiment).ok()?;
        let steps: Vec<_> = self.made.drain(..).take(self.marked).collect();
        steps.into_iter().try_for_each(|(is_stirred, h)| self.make(is_stirred, h))
    }
}

impl StepAlone for Walker<'_> {
    fn now(&self) -> f64 {
        self.run.t
    }

    fn stop(&self) -> f64 {
        self.harness.experiment.stop.unwrap_or(self.harness.experiment.start)
    }

    fn step(&mut self, h: f64) -> Option<()> {
        self.make(self.is_stirred, h)
    }

    fn outputs(&self) -> &[f64] {
        &self.outputs
    }

    fn stir(&mut self) {
        self.is_stirred = !self.is_stirred;
    }

    fn mark(&mut self) -> Option<()> {
        (self.marked, self.marked_time) = (self.made.len(), self.run.t);
        self.slot.map_or(Some(()), |slot| self.run.instance.save(slot).ok())
    }

    fn go_back(&mut self) -> Option<()> {
        let Some(slot) = self.slot else { return self.repeat() };
        self.run.t = self.marked_time;
        self.made.truncate(self.marked);
        self.run.instance.restore(slot).ok()
    }
}
