//! Rough error of a run, estimated from a second run with smaller steps.

use crate::table;

/// Error estimate from two runs.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct RoughError {
    /// Largest error of each Real variable: its name, the error in its unit, and the error relative to its value or to a
    /// thousandth of its largest value.
    pub(crate) outputs: Vec<(String, f64, f64)>,
    /// Number of doStep calls in the second run.
    pub(crate) calls: u64,
}

impl RoughError {
    /// Returns the largest relative error and the name of its variable.
    pub(crate) fn largest(&self) -> Option<(&str, f64)> {
        let all = self.outputs.iter().map(|(name, _, relative)| (name.as_str(), *relative));
        all.max_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    /// Formats a few lines without a final line end.
    pub(crate) fn text(&self) -> String {
        let Some((name, largest)) = self.largest() else { return "no error estimate: no Real variable is recorded".to_owned() };
        let rows: Vec<_> = self
            .outputs
            .iter()
            .map(|(name, absolute, relative)| {
                vec![name.clone(), format!("absolute {absolute:.0e}"), format!("relative {relative:.0e}")]
            })
            .collect();
        let calls = self.calls;
        let text = format!(
            "the error is about {largest:.0e} (`{}`): an estimate from smaller steps, not a bound ({calls} more doStep calls)\n",
            table::clean(name)
        );
        (text + &table::columns("  ", &rows)).trim_end().to_owned()
    }
}
