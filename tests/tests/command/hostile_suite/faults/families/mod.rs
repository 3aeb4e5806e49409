//! FMUs of FMI 3.0 by family of faults. `tests/hostile/families.c` has all of them in one library and names them.

pub mod arrays;
pub mod callbacks;
pub mod clocks;
pub mod early_returns;
pub mod event_times;
pub mod initialization;
pub mod lifetimes;
pub mod saved_states;
pub mod structural_parameters;
pub mod terminations;
pub mod types;

use super::{super::case::Case, Group, edited};
use tests::hostile::Hostile;

/// The FMU `a` with this fault, in mid-run where it can be, and as in `families.c` otherwise.
fn case(name: &str, fault: &str) -> Case {
    Case::new(name, Hostile::family("a", fault))
}

/// The same with event mode.
fn eventful(name: &str, fault: &str) -> Case {
    const EVENTFUL: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n\
        b = { fmu = '../fmus/b.fmu', start = { x0 = 3 } }\n[connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n[events]\na = 'event-mode'\n";
    Case::new(name, Hostile::family("a", fault).capability("hasEventMode", true)).system(EVENTFUL)
}

/// An FMU that does nothing wrong, but has something else in its description.
fn described(name: &str, old: &'static str, new: &'static str) -> Case {
    Case::new(name, edited(Hostile::family("a", ""), old, new))
}

/// All cases with the same verdict: how the run ends, and what it says.
fn all<const N: usize>(cases: [(&str, &str); N], judged: impl Fn(Case) -> Case) -> impl Iterator<Item = Case> {
    cases.map(|(name, fault)| judged(case(name, fault))).into_iter()
}
