//! The rows of one run.

use super::emit;
use crate::{
    algorithm::Signals,
    graph::ColumnSource,
    record::{Event, Observer, Row},
};

/// Keeps rows: Real columns as a matrix, the other columns as they are.
#[derive(Debug, Default)]
pub(super) struct Recording {
    sources: Vec<ColumnSource>,
    pub(super) times: Vec<f64>,
    /// The time since the start is a column after the Real ones: that of events is to be known, too.
    has_time: bool,
    /// Values of the Real columns, rows one after the other.
    pub(super) reals: Vec<f64>,
    /// All signals of each row; one only where every column is Real.
    signals: Vec<Signals>,
    /// The first of the two rows of each event, and what happened.
    events: Vec<(usize, String)>,
}

impl Observer for Recording {
    fn observe(&mut self, event: &Event<'_>) {
        match event {
            Event::Row(row) => self.row(*row),
            Event::EventLocated { what, .. } => self.events.push((self.times.len(), (*what).to_owned())),
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
        let reals = row.sources.iter().filter_map(|source| match source {
            ColumnSource::Real(index) => Some(row.signals.reals[*index]),
            _ => None,
        });
        self.reals.extend(reals);
        if self.has_time {
            self.reals.push(row.time - self.times[0]);
        }
        let is_real = |source: &ColumnSource| matches!(source, ColumnSource::Real(_));
        if self.signals.is_empty() || !row.sources.iter().all(is_real) {
            self.signals.push(row.signals.clone());
        }
    }

    /// Columns of the matrix.
    fn columns(&self) -> usize {
        self.sources.iter().filter(|source| matches!(source, ColumnSource::Real(_))).count() + usize::from(self.has_time)
    }

    /// The first rows of the events.
    pub(super) fn events(&self) -> Vec<usize> {
        self.events.iter().map(|(row, _)| *row).collect()
    }

    /// Real columns nothing is promised of get the values that were recorded, and no estimate.
    pub(super) fn put_back(&self, values: &mut [f64], estimates: &mut [f64], excluded: &[usize]) {
        let columns = self.columns();
        for index in (0..values.len()).filter(|index| excluded.contains(&(index % columns.max(1)))) {
            (values[index], estimates[index]) = (self.reals[index], f64::NAN);
        }
    }

    /// Sends the rows with other values of the Real columns (and other times of events), and the estimates of their errors.
    pub(super) fn replay(mut self, values: &[f64], estimates: &[f64], observers: &mut [&mut dyn Observer]) {
        let columns = self.columns();
        let start = self.times.first().copied().unwrap_or_default();
        let mut bars = vec![f64::NAN; self.sources.len()];
        let mut events = std::mem::take(&mut self.events).into_iter().peekable();
        let mut is_after = false;
        for row in 0..self.times.len() {
            let begins = events.next_if(|(first, _)| *first == row);
            let is_at_event = begins.is_some() || is_after;
            is_after = begins.is_some();
            let time = if is_at_event { start + values[row * columns + columns - 1] } else { self.times[row] };
            if let Some((_, what)) = &begins {
                emit(observers, &Event::EventLocated { time, what });
            }
            let position = row.min(self.signals.len() - 1);
            let signals = &mut self.signals[position];
            let mut place = row * columns;
            for (source, bar) in self.sources.iter().zip(&mut bars) {
                if let ColumnSource::Real(index) = source {
                    signals.reals[*index] = values[place];
                    *bar = estimates[place];
                    place += 1;
                }
            }
            emit(observers, &Event::Row(Row { time, signals, sources: &self.sources, estimates: &bars }));
        }
    }
}
