//! Inputs between communication points: while an FMU makes a step, it calls back for their values, which are polynomials of time.
//!
//! A callback is heeded only on the thread that makes the step, and only during it: the thread is compared before anything else
//! is read. Everything else is ignored, with a warning.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use fmi3::ModelDescription as Description;
use fmi3::description::{Causality, Flattened, ValueType, Variability, VariableKind};
use fmi3::ffi::{self, Boolean, InstanceEnvironment, IntermediateUpdateCallback, SetFloat64, boolean};

use crate::log::Environment;

/// Highest order of derivatives of an input.
pub(super) const HIGHEST_ORDER: usize = 3;

/// Multiplication is several times faster than division.
const SIXTH: f64 = 1.0 / 6.0;

/// The inputs whose values can be set during a step; none unless all continuous inputs are among them.
#[derive(Debug, Default)]
pub(crate) struct Intermediates {
    /// Value references of the variables of the FMU.
    pub(super) references: Box<[u32]>,
    /// References of scalars and elements, with their positions among the values; sorted.
    positions: Box<[(u32, usize)]>,
    /// Start values.
    pub(super) starts: Box<[f64]>,
}

impl Intermediates {
    /// Finds the inputs. If a continuous input is not among them, a master could not give all of them as polynomials.
    pub(super) fn of(description: &Description, flattened: &Flattened) -> Self {
        let provides = description.co_simulation.as_ref().and_then(|declared| declared.provides_intermediate_update);
        let inputs = description.variables.iter().filter(|variable| {
            variable.causality() == Causality::Input
                && variable.variability() == Variability::Continuous
                && matches!(variable.kind, VariableKind::Float64(_) | VariableKind::Float32(_))
        });
        let inputs: Vec<_> = inputs.collect();
        let fits = |input: &&fmi3::description::Variable| {
            input.intermediate_update == Some(true) && matches!(input.kind, VariableKind::Float64(_))
        };
        if provides != Some(true) || !inputs.iter().all(fits) {
            return Self::default();
        }
        let references: Box<[u32]> = inputs.iter().map(|input| input.value_reference).collect();
        let (mut positions, mut starts) = (Vec::new(), Vec::new());
        for reference in &references {
            let mut elements: Vec<_> = flattened
                .elements
                .iter()
                .filter(|(_, element)| element.value_reference == *reference && element.value_type == ValueType::Float64)
                .collect();
            elements.sort_by_key(|(_, element)| element.position);
            for (own, _) in elements {
                positions.push((*own, starts.len()));
                starts.push(start(&flattened.interface, *own));
            }
        }
        positions.sort_unstable();
        Self { references, positions: positions.into(), starts: starts.into() }
    }

    /// The position of a scalar or element among the values.
    #[inline]
    pub(super) fn position(&self, reference: u32) -> Option<usize> {
        let found = self.positions.binary_search_by_key(&reference, |(known, _)| *known);
        found.ok().map(|index| self.positions[index].1)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.references.is_empty()
    }
}

fn start(interface: &lotka_instance::ModelDescription, reference: u32) -> f64 {
    let variable = interface.variables.iter().find(|variable| variable.value_reference == reference);
    match variable.map(|variable| &variable.kind) {
        Some(lotka_instance::description::VariableKind::Real(real)) => real.start.unwrap_or(0.0),
        _ => 0.0,
    }
}

/// The polynomials of the next step: one for each value.
#[derive(Debug, Default)]
pub(super) struct Polynomials {
    /// Derivatives of order 1 to 3 at the beginning of the step.
    derivatives: Vec<[f64; HIGHEST_ORDER]>,
    values: Vec<f64>,
}

impl Polynomials {
    #[inline]
    pub(super) fn are_constant(&self) -> bool {
        self.derivatives.is_empty()
    }

    /// Sets one derivative; there are `n_values` polynomials.
    pub(super) fn set(&mut self, n_values: usize, position: usize, order: usize, value: f64) {
        self.derivatives.resize(n_values, [0.0; HIGHEST_ORDER]);
        self.derivatives[position][order - 1] = value;
    }

    pub(super) fn clear(&mut self) {
        self.derivatives.clear();
    }

    /// Computes the values at `tau` \[s\] after the beginning of the step; `bases` are those at the beginning.
    fn at(&mut self, bases: &[f64], tau: f64) -> &[f64] {
        self.values.clear();
        let value = |(base, derivatives): (&f64, &[f64; HIGHEST_ORDER])| {
            let [first, second, third] = derivatives;
            base + tau * (first + tau * (second * 0.5 + tau * (third * SIXTH)))
        };
        self.values.extend(bases.iter().zip(&self.derivatives).map(value));
        &self.values
    }
}

/// What a callback needs to know about the step in which it occurs.
pub(super) struct Stepping<'a> {
    pub(super) instance: ffi::Instance,
    pub(super) set: Option<SetFloat64>,
    pub(super) references: &'a [u32],
    pub(super) bases: &'a [f64],
    pub(super) polynomials: &'a mut Polynomials,
    /// Communication point, and communication step size \[s\].
    pub(super) t: f64,
    pub(super) h: f64,
    /// The first problem.
    pub(super) trouble: Option<Trouble>,
}

/// A problem of a callback.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Trouble {
    /// The time is not in the step.
    Outside(f64),
    /// The FMU refuses the values that it asked for, with this status.
    Refused(i32),
}

/// The step that the instance of an environment makes, and the thread that makes it.
pub(crate) struct Gate {
    /// Identifies the thread; 0 between steps.
    thread: AtomicUsize,
    stepping: AtomicPtr<Stepping<'static>>,
    has_warned: AtomicBool,
}

impl Gate {
    pub(crate) const fn new() -> Self {
        Self { thread: AtomicUsize::new(0), stepping: AtomicPtr::new(null_mut()), has_warned: AtomicBool::new(false) }
    }

    /// Makes `step`, during which callbacks on this thread are heeded. They set nothing where inputs are constant.
    pub(super) fn on_this_thread<T>(&self, step: impl FnOnce() -> T) -> T {
        self.thread.store(this_thread(), Ordering::Relaxed);
        let result = step();
        self.thread.store(0, Ordering::Relaxed);
        result
    }

    /// Makes `step`, during which callbacks on this thread use `stepping`.
    pub(super) fn during<T>(&self, stepping: &mut Stepping<'_>, step: impl FnOnce() -> T) -> T {
        let pointer: *mut Stepping<'_> = stepping;
        self.stepping.store(pointer.cast(), Ordering::Relaxed);
        let result = self.on_this_thread(step);
        self.stepping.store(null_mut(), Ordering::Relaxed);
        result
    }
}

/// A number that no other thread has at the same time.
fn this_thread() -> usize {
    thread_local!(static PLACE: u8 = const { 0 });
    PLACE.with(|place| std::ptr::from_ref(place) as usize)
}

/// The callback for FMUs.
pub(super) const CALLBACK: IntermediateUpdateCallback = intermediate_update;

unsafe extern "C" fn intermediate_update(
    environment: InstanceEnvironment,
    time: f64,
    set_requested: Boolean,
    _get_allowed: Boolean,
    _step_finished: Boolean,
    _can_return_early: Boolean,
    early_return_requested: *mut Boolean,
    _early_return_time: *mut f64,
) {
    if !early_return_requested.is_null() {
        // SAFETY: FMI requires a pointer to one value.
        unsafe { early_return_requested.write(ffi::FALSE) };
    }
    // SAFETY: FMI requires the environment that was passed at instantiation.
    let Some(environment) = (unsafe { Environment::behind(environment) }) else { return };
    let gate = environment.gate();
    if gate.thread.load(Ordering::Relaxed) != this_thread() {
        if !gate.has_warned.swap(true, Ordering::Relaxed) {
            let text = "the FMU called intermediateUpdate outside of a step, or on another thread; the call was ignored";
            environment.journal().warn(text.to_owned());
        }
        return;
    }
    // During a step with constant inputs there is nothing, nor for a call within a call. No other thread is here: nothing is
    // exchanged at once.
    let pointer = gate.stepping.load(Ordering::Relaxed);
    if pointer.is_null() {
        return;
    }
    gate.stepping.store(null_mut(), Ordering::Relaxed);
    // SAFETY: this thread makes the step, so that the data of the step are below on its stack; nothing else uses them until the
    // FMU returns.
    let stepping = unsafe { &mut *pointer };
    if boolean(set_requested) {
        stepping.update(time);
    }
    gate.stepping.store(pointer, Ordering::Relaxed);
}

impl Stepping<'_> {
    /// Sets the inputs at this time.
    fn update(&mut self, time: f64) {
        let (tau, slack) = (time - self.t, lotka_instance::time_rounding(self.t, self.h));
        if !(-slack..=self.h + slack).contains(&tau) {
            self.trouble.get_or_insert(Trouble::Outside(time));
            return;
        }
        let Some(set) = self.set else { return };
        let values = self.polynomials.at(self.bases, tau.clamp(0.0, self.h));
        // SAFETY: the instance is in a step, in which it permits this call; both arrays have the lengths that are passed.
        let status =
            unsafe { set(self.instance, self.references.as_ptr(), self.references.len(), values.as_ptr(), values.len()) };
        if !matches!(status, 0 | 1) {
            self.trouble.get_or_insert(Trouble::Refused(status));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_those_of_their_derivatives() {
        let mut polynomials = Polynomials::default();
        assert!(polynomials.are_constant());
        // 1 + 2 t + 3 t² + 4 t³, and a constant.
        for (order, value) in [(1, 2.0), (2, 6.0), (3, 24.0)] {
            polynomials.set(2, 0, order, value);
        }
        assert_eq!(polynomials.at(&[1.0, 7.0], 0.5), [1.0 + 1.0 + 0.75 + 0.5, 7.0]);
        polynomials.clear();
        assert!(polynomials.are_constant());
    }

    #[test]
    fn threads_have_different_numbers() {
        let other = std::thread::spawn(this_thread).join().unwrap();
        assert_eq!(this_thread(), this_thread());
        assert_ne!(this_thread(), 0);
        // The other thread has ended, so its number may come again; two that live differ.
        let (sender, receiver) = std::sync::mpsc::channel();
        let living = std::thread::spawn(move || {
            sender.send(this_thread()).unwrap();
            std::thread::park_timeout(std::time::Duration::from_secs(5));
        });
        assert_ne!(receiver.recv().unwrap(), this_thread());
        living.thread().unpark();
        living.join().unwrap();
        let _ = other;
    }
}
