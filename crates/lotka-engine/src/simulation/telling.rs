//! What the loop tells the observers: rows, steps, log lines and warnings.

use lotka_instance::Status;

use super::{
    driver::Driver,
    scenario::line_warning,
    stepping::{Proposal, Stepping},
};
use crate::{
    Error,
    error_control::Estimates,
    graph::ColumnSource,
    record::{Event, Row},
};
use lotka_message::{Code, Warning};

/// Log lines of warning status that a report keeps.
const KEPT_WARNINGS: usize = 100;

/// Log lines remembered for errors that come from a discarded step.
const KEPT_LINES: usize = 8;

impl Driver<'_, '_> {
    /// Sends a row to the observers. Integers, booleans and strings that nobody is connected to are read only now.
    #[inline(always)]
    pub(super) fn row(&mut self, time: f64) -> Result<(), Box<Error>> {
        self.coupled.read_for_row()?;
        self.tell_row(time);
        Ok(())
    }

    /// Sends the newest values to the observers as a row.
    #[inline(always)]
    pub(super) fn tell_row(&mut self, time: f64) {
        self.watch.iter_mut().for_each(|watch| watch.pass_row(time));
        self.n_rows += 1;
        let row =
            Event::Row(Row { time, signals: &self.coupled.newest, sources: &self.coupled.plan.column_sources, estimates: &[] });
        for observer in &mut *self.observers {
            observer.observe(&row);
        }
        self.check_row(time);
    }

    /// Warns once of each recorded Real that is not finite.
    #[inline(always)]
    fn check_row(&mut self, time: f64) {
        let (plan, signals) = (&self.coupled.plan, &self.coupled.newest);
        let is_odd = |source: &ColumnSource| signals.real(*source).is_some_and(|value| !value.is_finite());
        if plan.column_sources.iter().any(is_odd) {
            self.warn_of_row(time);
        }
    }

    #[cold]
    fn warn_of_row(&mut self, time: f64) {
        for column in 0..self.coupled.plan.columns.len() {
            let value = self.coupled.newest.real(self.coupled.plan.column_sources[column]);
            let Some(value) = value.filter(|value| !value.is_finite() && !self.odd_columns.contains(&column)) else { continue };
            self.odd_columns.push(column);
            let name = &self.coupled.plan.columns[column].name;
            let text = format!("`{name}` is {value} at t = {time} s; do not trust values computed from it");
            self.warn(Warning::new(Code::NotFiniteRecorded, text));
        }
    }

    /// Tells all observers.
    pub(crate) fn emit(&mut self, event: &Event<'_>) {
        for observer in &mut *self.observers {
            observer.observe(event);
        }
    }

    /// Hands the waiting log lines to the observers.
    #[cold]
    pub(crate) fn drain_log(&mut self) {
        let (lines, lost) = self.log.take();
        for line in lines {
            self.emit(&Event::Log(&line));
            if line.status == Some(Status::Warning) && self.warnings.len() < KEPT_WARNINGS {
                self.warnings.push(line_warning(&line));
            }
            if self.last_lines.len() == KEPT_LINES {
                self.last_lines.pop_front();
            }
            self.last_lines.push_back(line);
        }
        if lost > 0 {
            self.warn(Warning::new(
                Code::LogLinesLost,
                format!("{lost} log lines were lost: the FMUs logged too many lines within one step"),
            ));
        }
    }

    pub(crate) fn warn(&mut self, warning: Warning) {
        self.emit(&Event::Warning(&warning));
        self.warnings.push(warning);
    }

    /// Tells of derivatives that are not used.
    #[cold]
    pub(super) fn tell_slope_faults(&mut self) {
        for signal in self.coupled.slope_faults.take() {
            let name = &self.coupled.plan.signal_names[signal];
            let text = format!(
                "the FMU returned a derivative of `{name}` that is not finite at t = {} s; Lotka stops using this derivative",
                self.time
            );
            self.warn(Warning::new(Code::DerivativeNotFinite, text));
        }
    }

    /// Tells the observers of an accepted step.
    pub(super) fn tell_step<S: Stepping>(&mut self, stepping: &S, proposal: &Proposal, estimates: Option<Estimates>) {
        let signal = stepping.limiting(self.coupled, estimates);
        let variable = signal.map(|signal| self.coupled.plan.signal_names[signal].as_str());
        let event = Event::StepAccepted { time: proposal.end, step: proposal.h, estimates, variable };
        self.observers.iter_mut().for_each(|observer| observer.observe(&event));
    }
}
