//! The rows of one run.

use std::{collections::HashMap, ops::ControlFlow};

use lotka_plan::graph::ColumnSource;
use lotka_prepare::mesh::Base;
use lotka_run::record::{Notification, Observer, Row, emit};
use lotka_step::algorithm::Signals;

use crate::global::{Inner, Rows, Run};

/// Stores rows: the columns that may have an error as a matrix, the others unchanged.
#[derive(Debug, Default)]
pub(super) struct Recording {
    sources: Vec<ColumnSource>,
    /// Positions of the columns of the matrix.
    estimated: Vec<usize>,
    /// Whether there are columns that change and have no error.
    has_others: bool,
    times: Vec<f64>,
    /// Whether the time since the start is an additional column, because the times of events are estimated, too.
    has_time: bool,
    /// Values of these columns, row by row.
    reals: Vec<f64>,
    /// All signals of each row; only one if the matrix has every column that changes.
    signals: Vec<Signals>,
    /// The first of the two rows of each event, and the description of the event.
    events: Vec<(usize, String)>,
    /// Rows after the last one that all runs have.
    tail: Vec<Tail>,
    /// Rows that are not output: base points between the requested rows.
    hidden: Vec<f64>,
}

/// A row outside the error bound: its time, its values and signals.
#[derive(Debug)]
struct Tail {
    time: f64,
    reals: Vec<f64>,
    signals: Signals,
}

/// Rows between the recorded rows of a run.
#[derive(Debug, Default)]
pub(super) struct RowsBetween {
    /// Times \[s\].
    times: Vec<f64>,
    /// Values of the columns that may have an error, and their error estimates, row by row.
    values: Vec<f64>,
    pub(super) estimates: Vec<f64>,
}

impl Observer for Recording {
    fn observe(&mut self, notification: &Notification<'_>) {
        match notification {
            Notification::Started { columns, .. } => {
                self.estimated = (0..columns.len()).filter(|&column| columns[column].can_have_error()).collect();
                self.has_others = columns.iter().any(|column| !column.can_have_error() && !column.is_constant);
            }
            Notification::Row(row) => self.row(*row),
            Notification::EventLocated { what, .. } => self.events.push((self.times.len(), (*what).to_owned())),
            _ => {}
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}

impl Recording {
    pub(super) fn new(has_time: bool) -> Self {
        Self { has_time, ..Self::default() }
    }

    fn row(&mut self, row: Row<'_>) {
        if self.times.is_empty() {
            self.sources = row.sources.to_vec();
        }
        self.times.push(row.time);
        self.reals.extend(self.estimated.iter().filter_map(|&column| row.signals.real(row.sources[column])));
        if self.has_time {
            self.reals.push(row.time - self.times[0]);
        }
        if self.signals.is_empty() || self.has_others {
            self.signals.push(row.signals.clone());
        }
    }

    /// Keeps rows up to `time` as results, and later ones separately.
    pub(super) fn cut(&mut self, time: f64) {
        let (kept, columns) = (self.times.iter().take_while(|row| **row <= time).count(), self.columns());
        let signals = |row: usize| self.signals.get(row).or(self.signals.last()).cloned().unwrap_or_default();
        let tail = |row: usize| {
            let reals = self.reals[row * columns..(row + 1) * columns].to_vec();
            Tail { time: self.times[row], reals, signals: signals(row) }
        };
        self.tail = (kept..self.times.len()).map(tail).collect();
        self.times.truncate(kept);
        self.reals.truncate(kept * columns);
        self.signals.truncate(kept.max(1));
        self.events.retain(|(row, _)| *row + 1 < kept);
    }

    /// Time of the very last row \[s\].
    pub(super) fn end(&self) -> Option<f64> {
        self.tail.last().map(|tail| tail.time).or(self.times.last().copied())
    }

    /// Columns of the matrix.
    fn columns(&self) -> usize {
        self.estimated.len() + usize::from(self.has_time)
    }

    /// The first rows of the events.
    pub(super) fn events(&self) -> Vec<usize> {
        self.events.iter().map(|(row, _)| *row).collect()
    }

    /// Takes out the times of the rows and the values of the matrix. The recording of a result gets the times back.
    pub(super) fn take_reals(&mut self) -> (Vec<f64>, Vec<f64>) {
        (std::mem::take(&mut self.times), std::mem::take(&mut self.reals))
    }

    /// Takes out the rows between base points.
    pub(super) fn take_inner(&mut self, base: &Base) -> Inner {
        let mut inner = Inner { parts: 1, values: Vec::new() };
        let columns = self.columns();
        let is_base: Vec<bool> =
            self.times.iter().map(|time| base.times().binary_search_by(|point| point.total_cmp(time)).is_ok()).collect();
        for (row, _) in is_base.iter().enumerate().filter(|(_, is_base)| !**is_base) {
            inner.values.extend_from_slice(&self.reals[row * columns..(row + 1) * columns]);
        }
        inner.parts += (inner.values.len() / (columns * base.n_steps()).max(1)) as u32;
        let mut rows = is_base.iter();
        self.times.retain(|_| rows.next() == Some(&true));
        let mut places = 0..;
        self.reals.retain(|_| places.next().and_then(|place: usize| is_base.get(place / columns.max(1))) == Some(&true));
        inner
    }

    /// Rows between the recorded ones. Columns without an error bound have no values there.
    pub(super) fn between(&self, rows: Rows, mut estimates: Vec<f64>, excluded: &[usize]) -> RowsBetween {
        let (columns, mut values) = (self.columns().max(1), rows.values);
        for index in (0..values.len()).filter(|index| excluded.contains(&(index % columns))) {
            (values[index], estimates[index]) = (f64::NAN, f64::NAN);
        }
        RowsBetween { times: rows.times, values, estimates }
    }

    /// Selects only the requested rows, and those of events and jumps, for output.
    pub(super) fn show_rows_of(&mut self, base: &Base) {
        let is_hidden = |time: &f64| base.point_at(*time).is_some_and(|point| !base.is_row(point));
        let all: Vec<f64> = self.times.iter().copied().chain(self.tail.iter().map(|tail| tail.time)).collect();
        let is_alone = |place: usize| {
            let beside = [place.checked_sub(1), Some(place + 1)].into_iter().flatten();
            beside.filter_map(|other| all.get(other)).all(|other| *other != all[place])
        };
        self.hidden = (0..all.len()).filter(|&place| is_alone(place)).map(|place| all[place]).filter(is_hidden).collect();
    }

    fn is_hidden(&self, time: f64) -> bool {
        self.hidden.binary_search_by(|hidden| hidden.total_cmp(&time)).is_ok()
    }

    /// Gives back the times of the rows of its run, and assigns the values of this run, without estimates, to Real columns
    /// without an error bound.
    pub(super) fn put_back(&mut self, run: &Run, values: &mut [f64], estimates: &mut [f64], excluded: &[usize]) {
        self.times.clone_from(&run.times);
        let columns = self.columns().max(1);
        for &column in excluded {
            for (row, value) in run.recorded(column, columns).into_iter().enumerate() {
                (values[row * columns + column], estimates[row * columns + column]) = (value, f64::NAN);
            }
        }
    }

    /// Sends the rows with other values of the Real columns (and other times of events), and their error estimates. Rows of
    /// events are omitted if nobody requested them. Returns the time at which an observer stops the rows \[s\].
    pub(super) fn replay(
        mut self,
        values: &[f64],
        estimates: &[f64],
        between: &RowsBetween,
        hides_events: bool,
        observers: &mut [&mut dyn Observer],
    ) -> ControlFlow<f64> {
        let columns = self.columns();
        let mut inner = between.times.iter().zip(between.values.chunks(columns.max(1))).peekable();
        let mut inner_estimates = between.estimates.chunks(columns.max(1));
        let start = self.times.first().copied().unwrap_or_default();
        let mut bars = vec![f64::NAN; self.sources.len()];
        let events: HashMap<usize, String> = std::mem::take(&mut self.events).into_iter().collect();
        let is_at_event = |row: usize| events.contains_key(&row) || row > 0 && events.contains_key(&(row - 1));
        // After extrapolation, an event may precede a row that it follows in the runs.
        let extrapolated = |row: usize| start + values[row * columns + columns - 1];
        let times: Vec<f64> =
            (0..self.times.len()).map(|row| if is_at_event(row) { extrapolated(row) } else { self.times[row] }).collect();
        let of_events: Vec<f64> = events.keys().filter(|_| !hides_events).map(|first| times[*first]).collect();
        let mut order: Vec<usize> = (0..times.len()).collect();
        order.sort_by(|a, b| times[*a].total_cmp(&times[*b]));
        for row in order {
            let time = times[row];
            while let Some((time, values)) = inner.next_if(|(inner, _)| **inner < time) {
                let estimates = inner_estimates.next().unwrap_or_default();
                for ((value, estimate), &column) in values.iter().zip(estimates).zip(&self.estimated) {
                    set_real(&mut self.signals[0], self.sources[column], *value);
                    bars[column] = *estimate;
                }
                emit_row(observers, Row::new(*time, &self.signals[0], &self.sources, &bars))?;
            }
            let is_there_already = || of_events.contains(&time);
            if if is_at_event(row) { hides_events } else { is_there_already() || self.is_hidden(time) } {
                continue;
            }
            if let Some(what) = events.get(&row) {
                emit(observers, &Notification::EventLocated { time, what });
            }
            let position = row.min(self.signals.len() - 1);
            let signals = &mut self.signals[position];
            for (place, &column) in (row * columns..).zip(&self.estimated) {
                set_real(signals, self.sources[column], values[place]);
                bars[column] = estimates[place];
            }
            emit_row(observers, Row::new(time, signals, &self.sources, &bars))?;
        }
        bars.fill(f64::NAN);
        for Tail { time, reals, mut signals } in std::mem::take(&mut self.tail) {
            if self.is_hidden(time) {
                continue;
            }
            for (value, &column) in reals.into_iter().zip(&self.estimated) {
                set_real(&mut signals, self.sources[column], value);
            }
            emit_row(observers, Row::new(time, &signals, &self.sources, &bars))?;
        }
        ControlFlow::Continue(())
    }
}

/// Sends a row; returns its time if an observer stops there.
fn emit_row(observers: &mut [&mut dyn Observer], row: Row<'_>) -> ControlFlow<f64> {
    emit(observers, &Notification::Row(row));
    let stops = observers.iter().any(|observer| observer.flow().is_break());
    if stops { ControlFlow::Break(row.time) } else { ControlFlow::Continue(()) }
}

fn set_real(signals: &mut Signals, source: ColumnSource, value: f64) {
    match source {
        ColumnSource::Real(index) => signals.reals[index] = value,
        ColumnSource::RowReal(index) => signals.at_row.reals[index] = value,
        _ => {}
    }
}
