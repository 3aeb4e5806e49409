//! What an importer chooses when it creates an instance of FMI 3.0, and the inputs that it sets during a step.
//!
//! A model has its inputs as polynomials over the step ([`Input`](crate::Input)). The importer evaluates its own function of
//! time, at the times for which it is asked. So the kit asks at four points, before the step, and takes the cubic polynomials
//! through the values.

use std::ffi::c_void;
use std::ptr;

use fmi3::ffi;
use lotka_instance::Phase;

use super::{Component, Slopes};
use crate::Model;

/// The choices; those of FMI 2.0 are the default.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// Whether the importer handles events in event mode.
    pub event_mode_used: bool,
    /// Whether a step may end early.
    pub early_return_allowed: bool,
    /// Asks for inputs during a step, if the importer sets any.
    pub intermediate_update: Option<IntermediateUpdate>,
}

/// The importer's function that sets inputs during a step.
#[derive(Debug)]
pub(crate) struct IntermediateUpdate {
    pub callback: ffi::IntermediateUpdateCallback,
    pub environment: *mut c_void,
    /// For each polynomial its values at the points of the step.
    pub samples: Vec<[f64; POINTS]>,
    /// Number of points at which there are samples.
    pub n_sampled: usize,
    /// Whether the importer set an input during this step.
    pub is_set: bool,
}

/// Number of points at which inputs are asked for, equidistant over the step.
pub(crate) const POINTS: usize = 4;

impl IntermediateUpdate {
    /// Calls the importer, which may set inputs.
    ///
    /// # Safety
    /// The callback is one as FMI defines it, and callable with `environment`. There is no reference to the instance, because the
    /// importer uses it.
    pub unsafe fn call(callback: ffi::IntermediateUpdateCallback, environment: *mut c_void, time: f64) {
        let (mut is_return_requested, mut return_time) = (ffi::FALSE, 0.0);
        let (set, get, finished, can_return) = (ffi::TRUE, ffi::FALSE, ffi::FALSE, ffi::FALSE);
        let answers = (ptr::from_mut(&mut is_return_requested), ptr::from_mut(&mut return_time));
        // SAFETY: as the caller guarantees; the answers outlive the call.
        unsafe { callback(environment, time, set, get, finished, can_return, answers.0, answers.1) };
    }
}

impl<M: Model> Component<M> {
    /// Prepares for inputs that the importer sets during a step; keeps a copy of the state.
    pub fn begin_inputs(&mut self) {
        self.keep();
        if self.state.run.slopes == Slopes::Used {
            self.state.hold_inputs(self.declared);
        }
        self.state.run.phase = Phase::StepInProgress;
        self.settle();
        if let Some(update) = &mut self.options.intermediate_update {
            (update.n_sampled, update.is_set) = (0, false);
        }
    }

    /// Notes that the importer sets an input during the step.
    #[inline]
    pub fn note_input(&mut self) {
        if let Some(update) = &mut self.options.intermediate_update {
            update.is_set = true;
        }
    }

    /// Whether the importer set an input during the step.
    fn is_input_set(&self) -> bool {
        self.options.intermediate_update.as_ref().is_some_and(|update| update.is_set)
    }

    /// Notes the values of all polynomials at a point of the step, if the importer set any: an input that nobody sets keeps its
    /// value. At earlier points without samples, they were those before the step.
    #[inline]
    pub fn sample_inputs(&mut self, point: usize) {
        let Some(update) = self.options.intermediate_update.as_mut().filter(|update| update.is_set) else { return };
        if update.n_sampled < point
            && let Some(before) = &mut self.before
        {
            let samples = &mut update.samples;
            let missing = update.n_sampled..point;
            self.declared
                .each_polynomial(&mut before.model, |number, input| note(samples, number, missing.clone(), input.start()));
        }
        update.n_sampled = point + 1;
        let samples = &mut update.samples;
        self.declared
            .each_polynomial(&mut self.state.model, |number, input| note(samples, number, point..point + 1, input.start()));
    }

    /// Replaces the inputs with the polynomials through their values at the points of a step of size `h`, unless none was set.
    pub fn end_inputs(&mut self, h: f64) {
        if self.is_input_set() {
            self.interpolate_inputs(h);
        }
        self.state.run.phase = Phase::StepComplete;
        self.settle();
    }

    fn interpolate_inputs(&mut self, h: f64) {
        let Some(update) = &self.options.intermediate_update else { return };
        let slopes = &mut self.state.run.slopes;
        self.declared.each_polynomial(&mut self.state.model, |number, polynomial| {
            let Some(samples) = update.samples.get(number) else { return };
            *polynomial = crate::Input::through(*samples, h);
            if !polynomial.is_held() {
                *slopes = Slopes::Fresh;
            }
        });
    }
}

/// Notes the value of the polynomial with this number at some points.
#[inline]
fn note(samples: &mut Vec<[f64; POINTS]>, number: usize, points: std::ops::Range<usize>, value: f64) {
    if samples.len() <= number {
        samples.resize(number + 1, [0.0; POINTS]);
    }
    samples[number][points].fill(value);
}
