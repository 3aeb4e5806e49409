//! What an importer chooses when it creates an instance of FMI 3.0, and the inputs that it sets during a step.
//!
//! A model has its inputs as polynomials over the step ([`Input`](crate::Input)). The importer evaluates its own function of time, at the times for which it
//! is asked. So the kit asks at four points, before the step, and takes the cubic polynomials through the values.

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
}

/// Number of points at which inputs are asked for, equidistant over the step.
pub(crate) const POINTS: usize = 4;

impl IntermediateUpdate {
    /// Calls the importer, which may set inputs.
    ///
    /// # Safety
    /// The callback is one as FMI defines it, and callable with `environment`. There is no reference to the instance, because the importer uses it.
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
    }

    /// Notes the values of all polynomials at a point of the step.
    pub fn sample_inputs(&mut self, point: usize) {
        let Some(update) = &mut self.options.intermediate_update else { return };
        let samples = &mut update.samples;
        self.declared.each_polynomial(&mut self.state.model, |number, polynomial| {
            if samples.len() <= number {
                samples.push([0.0; POINTS]);
            }
            samples[number][point] = polynomial.start();
        });
    }

    /// Replaces the inputs with the polynomials through their values at the points of a step of size `h`.
    pub fn end_inputs(&mut self, h: f64) {
        let Some(update) = &self.options.intermediate_update else { return };
        let slopes = &mut self.state.run.slopes;
        self.declared.each_polynomial(&mut self.state.model, |number, polynomial| {
            let Some(samples) = update.samples.get(number) else { return };
            *polynomial = crate::Input::through(*samples, h);
            if !polynomial.is_held() {
                *slopes = Slopes::Fresh;
            }
        });
        self.state.run.phase = Phase::StepComplete;
        self.settle();
    }
}
