//! Algorithms by the names of the system file. Adding one is a line here.

use super::{
    Sweep,
    sweep::{GaussSeidel, Jacobi},
};
use crate::error_control::{Controller, Integral, ProportionalIntegral};

type Entry<T> = (&'static str, fn() -> Box<T>);

/// The first is used where a name is unknown; names are checked when the system is resolved.
const SWEEPS: &[Entry<dyn Sweep>] = &[("gauss-seidel", || Box::new(GaussSeidel)), ("jacobi", || Box::new(Jacobi))];

const CONTROLLERS: &[Entry<dyn Controller>] = &[("pi", || Box::new(ProportionalIntegral::new())), ("i", || Box::new(Integral))];

fn find<T: ?Sized>(entries: &'static [Entry<T>], name: &str) -> Option<&'static Entry<T>> {
    entries.iter().find(|(known, _)| *known == name)
}

pub(crate) fn sweep_name(name: &str) -> Option<&'static str> {
    find(SWEEPS, name).map(|(name, _)| *name)
}

pub(crate) fn sweep_names() -> impl Iterator<Item = &'static str> + Clone {
    SWEEPS.iter().map(|(name, _)| *name)
}

pub(crate) fn make_sweep(name: &str) -> Box<dyn Sweep> {
    (find(SWEEPS, name).unwrap_or(&SWEEPS[0]).1)()
}

pub(crate) fn controller_name(name: &str) -> Option<&'static str> {
    find(CONTROLLERS, name).map(|(name, _)| *name)
}

pub(crate) fn controller_names() -> impl Iterator<Item = &'static str> + Clone {
    CONTROLLERS.iter().map(|(name, _)| *name)
}

pub(crate) fn make_controller(name: &str) -> Box<dyn Controller> {
    (find(CONTROLLERS, name).unwrap_or(&CONTROLLERS[0]).1)()
}
