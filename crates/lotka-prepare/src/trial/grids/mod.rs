//! What instances do by themselves whatever the communication steps: internal steps of fixed size, and waves that are faster than
//! any mesh.
//!
//! An FMU with internal steps of fixed size advances from one point of its internal time grid to the next. Steps below that grid
//! only change the times at which it is called: runs with such steps agree, and reveal nothing about their error. [`measure`]
//! finds grids by trial steps before the first run (`detect` has the method); [`Pauses`](lotka_step::algorithm::Pauses) finds
//! those that appear in a run. It finds waves, too (`ripple`).

mod alone;
mod detect;
mod ripple;
mod times;

pub use alone::{StepAlone, find_own_steps};

use detect::Walk;
use lotka_instance::Slot;
use lotka_message::{Code, Warning};
use lotka_step::algorithm::{Change, Coupled, Grid, watched};
use times::{Actor, Times};

use super::saved::save;

/// Relative change of inputs if an instance does not react to its present ones; zeros are replaced by the share itself.
const SHARE: f64 = 0.25;

/// Maximum share of the time left in which waves are sought.
const LAST: f64 = 0.25;

/// Where to look for what instances do by themselves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// The distance of rows \[s\].
    pub row: f64,
    /// Grids are sought up to this share of the span.
    pub share: f64,
    /// The size of base steps \[s\]: waves are faster.
    pub step: f64,
    /// Smaller waves are ignored, relative to the largest value.
    pub tolerance: f64,
}

/// A signal that moves by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ripple {
    /// The signal.
    pub signal: usize,
    /// The period \[s\].
    pub period: f64,
    /// Its range, relative to its largest value.
    pub size: f64,
}

/// What instances do by themselves.
#[derive(Debug, Default)]
pub struct Motions {
    /// Instances with internal steps of fixed size.
    pub grids: Vec<Grid>,
    /// The fastest wave of each instance without such steps, if it has one.
    pub ripples: Vec<Ripple>,
}

/// Tries all instances that read Real inputs and accept variable steps, from the start on, and never past the stop time.
/// Afterwards the instances must be initialized again. A refusal of an instance yields no result.
pub fn measure(coupled: &mut Coupled, span: (f64, f64), look: Look) -> Motions {
    let mut motions = Motions::default();
    for (index, signals) in watched(&coupled.plan) {
        if coupled.instances[index].inner.capabilities().variable_step && coupled.set_discrete_inputs(index, false).is_ok() {
            let mut alone = Alone::new(coupled, index, &signals, span);
            match detect::grid(&mut alone, look.row, look.share) {
                Some((low, high)) => motions.grids.push(Grid { instance: index, low, high }),
                None => {
                    let step = look.step.min(LAST * (span.1 - alone.t));
                    let wave = ripple::fastest(&mut alone, step, look.tolerance);
                    let ripple =
                        |wave: ripple::Wave| Ripple { signal: signals[wave.output], period: wave.period, size: wave.size };
                    motions.ripples.extend(wave.map(ripple));
                }
            }
        }
    }
    motions
}

/// The warning of internal steps that communication steps do not keep to. Their sizes are in \[s\]; communication steps of no
/// fixed size vary.
#[must_use]
pub fn warning(instance: &str, size: &str, fixed: Option<f64>) -> Warning {
    let how = match fixed {
        Some(step) => format!("the communication step size {step} s is not a multiple of it; choose a multiple"),
        None => {
            "shorter communication steps do not show the error; set `step` to a multiple of it, or use `tolerance`".to_owned()
        }
    };
    Warning::new(Code::InternalSteps, format!("instance `{instance}` advances in internal steps of {size} s: {how}"))
}

/// Times at which an instance acts: `offset` and all times whole periods before and after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Acts {
    /// The instance.
    pub instance: usize,
    /// The period \[s\].
    pub every: f64,
    /// One of these times \[s\].
    pub offset: f64,
    /// Whether repeating the same inputs yields other outputs: the instance may integrate, with an internal error.
    pub has_memory: bool,
}

/// Finds when an instance with internal steps of fixed size acts, if its state can be saved and the times are equidistant.
/// Afterwards all instances must be initialized again.
pub fn acts(coupled: &mut Coupled, grid: &Grid, span: (f64, f64)) -> Option<Acts> {
    let instance = grid.instance;
    let (_, signals) = watched(&coupled.plan).into_iter().find(|(index, _)| *index == instance)?;
    let capabilities = coupled.instances[instance].inner.capabilities();
    if !(capabilities.save_state && capabilities.variable_step) {
        return None;
    }
    let slot = save(coupled, instance).ok()?;
    let mut alone = Alone::new(coupled, instance, &signals, span);
    alone.marked = Some(Marked { slot, time: span.0, outputs: alone.outputs.clone() });
    let found = times::times(&mut alone, 0.5 * (grid.low + grid.high));
    let _ = coupled.instances[instance].inner.free_slot(slot);
    found.map(|Times { every, offset, has_memory }| Acts { instance, every, offset, has_memory })
}

/// Whether an instance that paused in a run also pauses in short steps with different inputs in each of them. Some instances
/// merely stayed at a value, such as a converter between two of its values or a mass that sticks. They then change nothing at
/// all, or change in many steps. A trial that is not possible counts as a pause. Afterwards all instances must be initialized
/// again.
pub fn pauses(coupled: &mut Coupled, grid: &Grid, span: (f64, f64)) -> bool {
    let instance = grid.instance;
    let Some((_, signals)) = watched(&coupled.plan).into_iter().find(|(index, _)| *index == instance) else { return true };
    if !coupled.instances[instance].inner.capabilities().variable_step || span.0 + PERIODS * grid.high > span.1 {
        return true;
    }
    let mut alone = Alone::new(coupled, instance, &signals, span);
    let (own, others) = (alone.inputs.clone(), alone.others.clone());
    let mut changes = 0;
    for step in 1..=(PERIODS * STEPS_PER_PERIOD) as u32 {
        let share = (GOLDEN * f64::from(step)).fract();
        for (input, (own, other)) in alone.inputs.iter_mut().zip(own.iter().zip(&others)) {
            *input = own + share * (other - own);
        }
        match alone.step(grid.high / STEPS_PER_PERIOD) {
            Some(Change::None) => {}
            Some(_) => changes += 1,
            None => return true,
        }
    }
    CHANGES.contains(&changes)
}

/// Number of grid sizes over which a trial runs, number of steps into which each is divided, and number of steps with a change.
/// There are three changes if the size is right, and more if the actual size is a fraction of it. An instance that follows its
/// inputs stepwise changes in about half of the steps or more.
const PERIODS: f64 = 3.0;
const STEPS_PER_PERIOD: f64 = 32.0;
const CHANGES: std::ops::RangeInclusive<u32> = 2..=32;

/// Its multiples are evenly spread, and all different.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// One instance that steps alone, with constant inputs.
struct Alone<'a> {
    coupled: &'a mut Coupled,
    index: usize,
    /// The outputs that count.
    watched: Vec<usize>,
    inputs: Vec<f64>,
    /// Alternative inputs.
    others: Vec<f64>,
    before: Vec<f64>,
    outputs: Vec<f64>,
    t: f64,
    stop: f64,
    marked: Option<Marked>,
}

/// A state to which an instance can return.
struct Marked {
    slot: Slot,
    /// Time of the state \[s\].
    time: f64,
    outputs: Vec<f64>,
}

impl<'a> Alone<'a> {
    fn new(coupled: &'a mut Coupled, index: usize, signals: &[usize], (t, stop): (f64, f64)) -> Self {
        let inputs = coupled.inputs_of(index);
        let instance_plan = &coupled.plan.instances[index];
        let watched = signals.iter().map(|signal| signal - instance_plan.outputs.start).collect();
        let outputs = coupled.newest.reals[instance_plan.outputs.clone()].to_vec();
        let stirred = |input: &f64| if *input == 0.0 { SHARE } else { *input * (1.0 + SHARE) };
        let others = inputs.iter().map(stirred).collect();
        Self { coupled, index, watched, inputs, others, before: outputs.clone(), outputs, t, stop, marked: None }
    }
}

impl Actor for Alone<'_> {
    fn mark(&mut self) -> Option<()> {
        let marked = self.marked.as_mut()?;
        marked.time = self.t;
        marked.outputs.copy_from_slice(&self.outputs);
        self.coupled.instances[self.index].inner.save(marked.slot).ok()
    }

    fn go_back(&mut self) -> Option<()> {
        let marked = self.marked.as_ref()?;
        self.t = marked.time;
        self.before.copy_from_slice(&marked.outputs);
        self.outputs.copy_from_slice(&marked.outputs);
        self.coupled.instances[self.index].inner.restore(marked.slot).ok()
    }
}

impl Walk for Alone<'_> {
    fn now(&self) -> f64 {
        self.t
    }

    fn stop(&self) -> f64 {
        self.stop
    }

    fn step(&mut self, h: f64) -> Option<Change> {
        if h <= 0.0 || self.t + h <= self.t || self.t + h > self.stop {
            return None;
        }
        let instance = &mut self.coupled.instances[self.index];
        instance.calls.steps += 1;
        let outcome = instance.inner.step(&self.inputs, self.t, h, true, &mut self.outputs);
        if !matches!(outcome, Ok(lotka_instance::StepOutcome::Complete)) {
            return None;
        }
        self.t += h;
        let change = Change::of(self.watched.iter().map(|&output| (self.before[output], self.outputs[output])));
        self.before.copy_from_slice(&self.outputs);
        Some(change)
    }

    fn stir(&mut self) {
        std::mem::swap(&mut self.inputs, &mut self.others);
    }

    fn values(&self) -> Vec<f64> {
        self.watched.iter().map(|&output| self.outputs[output]).collect()
    }
}
