//! Short table of the results of a run for a terminal: each variable with its values at the start and at the end, its extremes
//! and a sparkline.
//!
//! [`Overview`] gathers it while the run sends rows, in memory that does not grow with them. `layout` makes the text.

mod layout;
mod sparkline;
mod tracked;

use lotka::{Notification, Observer};

use crate::shown::Shown;
pub(crate) use layout::Look;
use tracked::Tracked;

/// Number of variables in the table, unless all are wanted.
const MOST: usize = 20;

/// Gathers the table.
#[derive(Debug, Default)]
pub(crate) struct Overview {
    has_all: bool,
    tracked: Vec<Tracked>,
    /// Number of variables that are not in the table.
    n_left_out: usize,
    start: f64,
    stop: f64,
    /// Time of the last row.
    end: f64,
}

impl Overview {
    /// Creates a table of all variables, or of the first ones.
    pub(crate) fn new(has_all: bool) -> Self {
        Self { has_all, ..Self::default() }
    }

    /// Returns the text of the table, with line ends; empty if the run had no rows.
    pub(crate) fn text(&self, look: Look) -> Shown {
        let rows: Vec<_> = self.tracked.iter().filter(|tracked| !tracked.is_empty()).collect();
        if rows.is_empty() {
            return Shown::text("");
        }
        let reached = if self.stop > self.start { (self.end - self.start) / (self.stop - self.start) } else { 1.0 };
        let mut text = layout::table(&rows, (self.start, self.end), reached, look);
        if self.n_left_out > 0 {
            text += &format!("… and {} more; -v shows all, --rows prints all values\n", self.n_left_out);
        }
        Shown::rendered(&text)
    }
}

impl Observer for Overview {
    fn wants_steps(&self) -> bool {
        false
    }

    fn observe(&mut self, notification: &Notification<'_>) {
        match notification {
            Notification::Started { columns, start, stop, .. } => {
                let most = if self.has_all { columns.len() } else { MOST.min(columns.len()) };
                self.tracked = columns[..most].iter().map(Tracked::new).collect();
                (self.n_left_out, self.start, self.stop, self.end) = (columns.len() - most, *start, *stop, *start);
            }
            Notification::Row(row) => {
                self.end = row.time;
                let duration = self.stop - self.start;
                let share = if duration > 0.0 { (row.time - self.start) / duration } else { 0.0 };
                let estimates = row.error_estimates().iter().copied().map(Some).chain(std::iter::repeat(None));
                for ((tracked, value), error) in self.tracked.iter_mut().zip(row.values()).zip(estimates) {
                    tracked.add(share, value, error);
                }
            }
            _ => {}
        }
    }
}
