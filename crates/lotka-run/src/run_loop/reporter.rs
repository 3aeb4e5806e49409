//! Notification of observers: rows, steps, log lines and warnings.

use std::collections::VecDeque;

use lotka_instance::{LogMessage, Status};
use lotka_message::{Code, Warning};
use lotka_plan::graph::ColumnSource;
use lotka_step::{
    algorithm::{Coupled, Signals},
    checkpoint::{Persistent, Transfer, Transferred},
    error_control::Estimates,
};

use crate::{
    instance_set::line_warning,
    log_queue::LogQueue,
    record::{Notification, Observer, Row},
    stepping::Proposal,
};

/// Maximum number of log lines with warning status in a report.
const KEPT_WARNINGS: usize = 100;

/// Number of log lines kept for errors caused by a discarded step.
const KEPT_LINES: usize = 8;

/// Record of the reports so far.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    /// Number of rows sent to the observers.
    pub(crate) n_rows: u64,
    /// Time of the last one \[s\].
    pub(crate) last_row: Option<f64>,
    /// Whether an observer stops the run.
    pub(crate) is_stopped: bool,
    pub(crate) warnings: Vec<Warning>,
    /// Recorded columns with a warning about a value that is not finite.
    odd_columns: Vec<usize>,
    pub(super) last_lines: VecDeque<LogMessage>,
}

impl Persistent for Journal {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.warnings)?;
        transfer.value(&mut self.odd_columns)?;
        transfer.value(&mut self.last_lines)
    }
}

/// Sends notifications to the observers, and keeps a journal of them.
pub(crate) struct Reporter<'a, 'o> {
    observers: &'a mut [&'o mut dyn Observer],
    /// Whether an observer requests accepted steps.
    pub(super) wants_steps: bool,
    log: &'a LogQueue,
    pub(crate) journal: &'a mut Journal,
    /// Number of notifications so far, and how many of the first the observers have received in a run that had to begin again.
    pub(crate) n_sent: u64,
    pub(crate) n_withheld: u64,
}

impl<'a, 'o> Reporter<'a, 'o> {
    pub(super) fn new(observers: &'a mut [&'o mut dyn Observer], log: &'a LogQueue, journal: &'a mut Journal) -> Self {
        let wants_steps = observers.iter().any(|observer| observer.wants_steps());
        Self { observers, wants_steps, log, journal, n_sent: 0, n_withheld: 0 }
    }

    pub(crate) fn emit(&mut self, notification: &Notification<'_>) {
        // Checkpoints come when they are requested.
        if !matches!(notification, Notification::Checkpoint(_)) && self.withholds() {
            return;
        }
        for observer in &mut *self.observers {
            observer.observe(notification);
        }
    }

    /// Counts a notification. Returns true if the observers have received it before.
    #[inline(always)]
    fn withholds(&mut self) -> bool {
        self.n_sent += 1;
        self.n_sent <= self.n_withheld
    }

    pub(crate) fn warn(&mut self, warning: Warning) {
        self.emit(&Notification::Warning(&warning));
        self.journal.warnings.push(warning);
    }

    /// Sends the newest values as a row, and warns of those that are not finite.
    pub(super) fn row(&mut self, coupled: &Coupled, time: f64) {
        self.send_row(coupled, &coupled.newest, time);
        let (plan, signals) = (&coupled.plan, &coupled.newest);
        let is_odd = |source: &ColumnSource| signals.real(*source).is_some_and(|value| !value.is_finite());
        if plan.column_sources.iter().any(is_odd) {
            self.warn_of_row(coupled, time);
        }
    }

    /// Sends these values as a row.
    #[inline(always)]
    pub(super) fn send_row(&mut self, coupled: &Coupled, signals: &Signals, time: f64) {
        self.journal.n_rows += 1;
        self.journal.last_row = Some(time);
        if self.withholds() {
            return;
        }
        for observer in &mut *self.observers {
            observer.observe(&Notification::Row(Row::new(time, signals, &coupled.plan.column_sources, &[])));
            self.journal.is_stopped |= observer.flow().is_break();
        }
    }

    /// Warns once about each recorded Real that is not finite.
    #[cold]
    fn warn_of_row(&mut self, coupled: &Coupled, time: f64) {
        for (column, source) in coupled.plan.column_sources.iter().enumerate() {
            let value = coupled.newest.real(*source).filter(|value| !value.is_finite());
            let Some(value) = value.filter(|_| !self.journal.odd_columns.contains(&column)) else { continue };
            self.journal.odd_columns.push(column);
            let name = &coupled.plan.columns[column].name;
            let text = format!("`{name}` is {value} at t = {time} s; do not trust values computed from it");
            self.warn(Warning::new(Code::NotFiniteRecorded, text));
        }
    }

    /// Whether log lines are waiting.
    #[inline]
    pub(super) fn has_lines(&self) -> bool {
        self.log.is_waiting()
    }

    /// Sends the waiting log lines to the observers.
    #[cold]
    pub(crate) fn drain_log(&mut self) {
        let (lines, lost) = self.log.take();
        for line in lines {
            self.emit(&Notification::Log(&line));
            let journal = &mut *self.journal;
            if line.status == Some(Status::Warning) && journal.warnings.len() < KEPT_WARNINGS {
                let warning = line_warning(&line);
                if !journal.warnings.contains(&warning) {
                    journal.warnings.push(warning);
                }
            }
            if journal.last_lines.len() == KEPT_LINES {
                journal.last_lines.pop_front();
            }
            journal.last_lines.push_back(line);
        }
        if lost > 0 {
            self.warn(Warning::new(
                Code::LogLinesLost,
                format!("{lost} log lines were lost: the FMUs logged too many lines within one step"),
            ));
        }
    }

    /// Drops the waiting log lines.
    pub(super) fn drop_log(&mut self) {
        self.log.take();
    }

    /// Warns about derivatives that are ignored.
    #[cold]
    pub(super) fn slope_faults(&mut self, coupled: &mut Coupled, time: f64) {
        for signal in coupled.slope_faults.take() {
            let name = coupled.signal_name(signal);
            let text = format!(
                "the FMU returned a derivative of `{name}` that is not finite at t = {time} s; Lotka stops using this derivative"
            );
            self.warn(Warning::new(Code::DerivativeNotFinite, text));
        }
    }

    /// Reports an accepted step; `signal` limits its size.
    pub(super) fn step(&mut self, coupled: &Coupled, step: &Proposal, estimates: Option<Estimates>, signal: Option<usize>) {
        let variable = signal.map(|signal| coupled.signal_name(signal));
        self.emit(&Notification::StepAccepted { time: step.end, step: step.h, estimates, variable });
    }
}
