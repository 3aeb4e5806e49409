//! What a second run with smaller steps shows about the error of a run.

use crate::table;

/// What the two runs say.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct RoughError {
    /// Largest of each Real variable: its name, in its unit, relative to its value or a thousandth of its largest.
    pub(crate) outputs: Vec<(String, f64, f64)>,
    /// doStep calls of the second run.
    pub(crate) calls: u64,
}

impl RoughError {
    /// The largest relative one, and whose it is.
    pub(crate) fn largest(&self) -> Option<(&str, f64)> {
        let all = self.outputs.iter().map(|(name, _, relative)| (name.as_str(), *relative));
        all.max_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    /// A few lines without a line end at the end.
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
            "the error is about {largest:.0e} (`{name}`): an estimate from smaller steps, not a bound ({calls} more doStep calls)\n"
        );
        (text + &table::columns("  ", &rows)).trim_end().to_owned()
    }
}
