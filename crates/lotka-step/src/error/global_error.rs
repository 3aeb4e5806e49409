//! The error of verified results, and whether a tolerance was kept, in a sentence.

use std::fmt;

use crate::algorithm::size_text;

/// Maximum number of variables in a sentence.
const NAMES: usize = 6;

/// The error of the results of a run with `tolerance`.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct GlobalError {
    /// The requested relative tolerance.
    pub tolerance: f64,
    /// Whether every recorded value is within the tolerance, according to all evidence.
    pub reached: bool,
    /// The reason why the tolerance is not reached; empty otherwise.
    pub reason: String,
    /// Largest of all estimates, relative to `max(|y|, s)`, where `s` is the scale of the variable. Compare it with the
    /// tolerance.
    pub largest: f64,
    /// The estimates per recorded Real variable, in the order of the columns.
    pub outputs: Vec<OutputError>,
    /// The part of `largest` that is due to the internal error of the FMUs, found by runs with a tenth of their tolerance, and
    /// with steps in two parts. `None`: neither changes anything, and the internal error is unknown.
    pub internal_error: Option<f64>,
    /// Whether FMUs follow the requested tolerance. If none does, their error may be larger than `internal_error`: an integration
    /// with steps of its own is hardly changed by a division of steps.
    pub follows_tolerance: bool,
    /// Instances whose steps depend on how they are divided, so that they integrate with an error of their own.
    pub inexact: Vec<String>,
    /// Communication steps of each run that contributes to the results.
    pub steps: Vec<u64>,
    /// First power of the step size in the error, as the method promises it.
    pub expected_order: f64,
    /// The same as observed, if the runs show it.
    pub observed_order: Option<f64>,
    /// Whether the runs converge as expected. If not, fewer extrapolations were made and the estimates are wider.
    pub converges_as_expected: bool,
    /// Number of runs on meshes with other points that agree with the results. 0: the FMUs accept no such meshes, or the
    /// tolerance is not met.
    pub n_checks: usize,
    /// Approximate longest distance between points of all runs together \[s\]: shorter phenomena may have been missed.
    pub resolution: f64,
    /// Jumps and kinks of signals, at which the mesh was refined.
    pub discontinuities: Vec<Discontinuity>,
    /// Instances with internal steps of fixed size, whose error is unknown.
    pub internal_steps: Vec<InternalSteps>,
    /// Levels at which instances switch, found by trial steps; steps ended there.
    pub switches: Vec<FoundSwitch>,
    /// Times at which instances act, found by trial steps; steps ended there.
    pub times: Vec<FoundTimes>,
    /// Lines for `[events]`: signals that seem to cross a level at which instances switch, and instances that seem to act at
    /// known times. Levels and times must be exact; they are left for the user to fill in.
    pub suggested_events: Vec<String>,
}

/// A level of an output at which an instance that reads it switches.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct FoundSwitch {
    /// The name of the instance.
    pub instance: String,
    /// The output, as `instance.variable`.
    pub variable: String,
    /// The level, in the unit of the output.
    pub level: f64,
}

impl FoundSwitch {
    /// An instance switches where a variable crosses a level.
    #[must_use]
    pub fn new(instance: &str, variable: &str, level: f64) -> Self {
        Self { instance: instance.to_owned(), variable: variable.to_owned(), level }
    }
}

/// Times at which an instance acts.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct FoundTimes {
    /// The name of the instance.
    pub instance: String,
    /// Their period \[s\].
    pub every: f64,
    /// One of them \[s\].
    pub offset: f64,
}

impl FoundTimes {
    /// An instance acts at the multiples of `every` from `offset` on \[s\].
    #[must_use]
    pub fn new(instance: &str, every: f64, offset: f64) -> Self {
        Self { instance: instance.to_owned(), every, offset }
    }
}

/// An instance with internal steps of fixed size.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct InternalSteps {
    /// Its name.
    pub instance: String,
    /// The approximate size of its steps \[s\].
    pub size: f64,
}

impl InternalSteps {
    /// An instance advances in steps of this size \[s\].
    #[must_use]
    pub fn new(instance: &str, size: f64) -> Self {
        Self { instance: instance.to_owned(), size }
    }

    /// Returns the size as text \[s\].
    #[must_use]
    pub fn size_text(&self) -> String {
        size_text(self.size)
    }
}

impl fmt::Display for InternalSteps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` advances in internal steps of {} s", self.instance, self.size_text())
    }
}

/// A jump or a kink of a signal.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Discontinuity {
    /// When \[s\].
    pub time: f64,
    /// `instance.variable`.
    pub variable: String,
    /// Index of the instance.
    pub instance: usize,
    /// Whether the signal apparently jumps; otherwise it has a kink: its slope jumps.
    pub jumps: bool,
}

impl Discontinuity {
    /// A variable of an instance, given by its index, jumps at a time \[s\], or has a kink there.
    #[must_use]
    pub fn new(time: f64, (instance, variable): (usize, String), jumps: bool) -> Self {
        Self { time, variable, instance, jumps }
    }
}

/// Largest error estimates of one variable over all rows.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct OutputError {
    /// `instance.variable`.
    pub name: String,
    /// In units of the variable. Not a number, like `relative`, if the variable has values that are not finite: it then has no
    /// error bound.
    pub absolute: f64,
    /// Relative to `max(|y|, s)`.
    pub relative: f64,
    /// `s`, in units of the variable. Values below it are judged absolutely.
    pub scale: f64,
    /// The last row up to which all estimates are within the tolerance \[s\]: the stop time if all of them are. `None` if not
    /// even the first one is, or if no run on another mesh was compared with the results.
    pub kept_until: Option<f64>,
}

impl OutputError {
    /// The largest absolute and relative estimates of a variable, its scale, and the last row within the tolerance.
    #[must_use]
    pub fn new(name: String, (absolute, relative): (f64, f64), scale: f64, kept_until: Option<f64>) -> Self {
        Self { name, absolute, relative, scale, kept_until }
    }
}

impl GlobalError {
    /// A tolerance, and the largest estimate; nothing else is known.
    #[must_use]
    pub fn new(tolerance: f64, largest: f64) -> Self {
        Self { tolerance, largest, ..Self::default() }
    }

    /// Says in a sentence whether the tolerance was kept, the error of the results, and, if it was not kept, where and why.
    #[must_use]
    pub fn verdict(&self) -> String {
        let (tolerance, largest, inside) = (self.tolerance, self.largest, self.inside());
        if self.reached {
            let by = if self.follows_tolerance && self.internal_steps.is_empty() { "" } else { " by the coupling" };
            let unchecked = if self.n_checks == 0 { ", not checked on another mesh" } else { "" };
            return format!("tolerance {tolerance:e} kept{by}{unchecked}; estimated largest error {largest:.1e}, {inside}");
        }
        let known = self.outputs.iter().filter(|output| !output.relative.is_nan());
        let worst = known.max_by(|a, b| a.relative.total_cmp(&b.relative));
        let place = worst.map(|worst| format!(" of `{}`", worst.name)).unwrap_or_default();
        let estimate = match largest.is_finite() {
            true => format!("the error{place} is estimated at {largest:.1e}"),
            false => format!("the error{place} is unknown"),
        };
        let reason = if self.reason.is_empty() { String::new() } else { format!(": {}", self.reason) };
        format!("tolerance {tolerance:e} not reached; {estimate}, {inside}{reason}{}", self.kept())
    }

    /// Says which variables are within the tolerance nevertheless, and until when, if runs on other meshes confirm that.
    fn kept(&self) -> String {
        if self.internal_error.is_some_and(|own| own > self.tolerance) {
            return String::new();
        }
        let known = self.outputs.iter().filter_map(|output| Some((output, output.kept_until?)));
        let (whole, begun): (Vec<_>, Vec<_>) = known.partition(|(output, _)| output.relative <= self.tolerance);
        let names = whole.iter().map(|(output, _)| format!("`{}`", output.name));
        let names = names.chain(begun.iter().map(|(output, until)| format!("`{}` up to t = {until:.6} s", output.name)));
        let mut names: Vec<_> = names.take(NAMES + 1).collect();
        if names.is_empty() {
            return String::new();
        }
        if names.len() > NAMES {
            names[NAMES] = "…".to_owned();
        }
        format!("; kept nevertheless: {}", names.join(", "))
    }

    /// Describes the error inside the FMUs, which the coupling does not show.
    fn inside(&self) -> String {
        let steps: Vec<_> = self.internal_steps.iter().map(ToString::to_string).collect();
        let unknown = if steps.is_empty() { String::new() } else { format!(" ({})", steps.join(", ")) };
        match self.internal_error {
            Some(own) if !self.follows_tolerance => format!("error inside the FMUs at least {own:.1e}{unknown}"),
            Some(own) if steps.is_empty() => format!("including {own:.1e} inside the FMUs"),
            Some(own) => format!("including {own:.1e} inside the FMUs; error inside the others unknown{unknown}"),
            None => format!("error inside the FMUs unknown{unknown}"),
        }
    }

    /// Marks the result as invalid for this reason: its error is unknown.
    pub fn doubt(&mut self, reason: String) {
        (self.reached, self.reason, self.largest) = (false, reason, f64::INFINITY);
        for output in &mut self.outputs {
            (output.absolute, output.relative, output.kept_until) = (f64::INFINITY, f64::INFINITY, None);
        }
    }

    /// The error of a search that ended without a result.
    #[must_use]
    pub fn without_result(tolerance: f64) -> Self {
        let reason = "no run came to a result".to_owned();
        Self { reason, ..Self::new(tolerance, f64::INFINITY) }
    }
}
