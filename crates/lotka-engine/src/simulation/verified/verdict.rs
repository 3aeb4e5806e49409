//! Whether a tolerance was kept, in a sentence.

use super::GlobalError;

/// Maximum number of variables in a sentence.
const NAMES: usize = 6;

impl GlobalError {
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
    pub(super) fn doubt(&mut self, reason: String) {
        (self.reached, self.reason, self.largest) = (false, reason, f64::INFINITY);
        for output in &mut self.outputs {
            (output.absolute, output.relative, output.kept_until) = (f64::INFINITY, f64::INFINITY, None);
        }
    }

    /// The error of a search that ended without a result.
    pub(super) fn without_result(tolerance: f64) -> Self {
        let reason = "no run came to a result".to_owned();
        Self { tolerance, reason, largest: f64::INFINITY, ..Self::default() }
    }
}
