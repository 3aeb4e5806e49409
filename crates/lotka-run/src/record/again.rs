//! Rows in memory are sent to another observer.

use lotka_plan::{column::ValueType, graph::ColumnSource};
use lotka_step::algorithm::Signals;

use super::{Memory, Notification, Observer, Row};

impl Memory {
    /// Sends the rows and events to an observer, as a run from the first to the last row does, between
    /// [`Notification::Started`] and [`Notification::Row`]: for example to write them in another format.
    ///
    /// ```
    /// # let prey = lotka::Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
    /// # let mut simulation = lotka::System::new().instance_of("prey", &prey).stop(1.0).step(0.5).build()?;
    /// let mut rows = lotka::Memory::new();
    /// simulation.run(&mut [&mut rows])?;
    /// let mut text = Vec::new();
    /// let mut csv = lotka::Csv::new(&mut text);
    /// rows.send_to(&mut csv);
    /// csv.finish()?;
    /// assert_eq!(text.iter().filter(|byte| **byte == b'\n').count(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn send_to(&self, observer: &mut dyn Observer) {
        let (start, stop) = (self.time.first().copied().unwrap_or(0.0), self.time.last().copied().unwrap_or(0.0));
        observer.observe(&Notification::Started { columns: &self.columns, start, stop });
        let mut signals = Signals::default();
        let sources: Vec<_> = self.columns.iter().map(|column| place(&mut signals, column.value_type)).collect();
        let has_errors = self.errors.iter().any(|errors| !errors.is_empty());
        let mut estimates = vec![f64::NAN; if has_errors { self.columns.len() } else { 0 }];
        let mut events = self.events.iter().peekable();
        for (row, time) in self.time.iter().enumerate() {
            while let Some(event) = events.next_if(|event| event.row <= row) {
                observer.observe(&Notification::EventLocated { time: event.time, what: &event.what });
            }
            for (column, source) in sources.iter().enumerate() {
                match *source {
                    ColumnSource::Integer(place) => signals.integers[place] = self.integers[column][row],
                    ColumnSource::Boolean(place) => signals.booleans[place] = self.numbers[column][row] != 0.0,
                    ColumnSource::Text(place) => signals.texts[place].clone_from(&self.texts[column][row]),
                    ColumnSource::Binary(place) => signals.binaries[place].clone_from(&self.binaries[column][row]),
                    ColumnSource::Real(place) => signals.reals[place] = self.numbers[column][row],
                    _ => {}
                }
            }
            for (estimate, errors) in estimates.iter_mut().zip(&self.errors) {
                *estimate = errors.get(row).copied().unwrap_or(f64::NAN);
            }
            observer.observe(&Notification::Row(Row::new(*time, &signals, &sources, &estimates)));
        }
    }
}

/// A new signal for a column.
fn place(signals: &mut Signals, value_type: ValueType) -> ColumnSource {
    match value_type {
        ValueType::Real => {
            signals.reals.push(0.0);
            ColumnSource::Real(signals.reals.len() - 1)
        }
        ValueType::Integer => {
            signals.integers.push(0);
            ColumnSource::Integer(signals.integers.len() - 1)
        }
        ValueType::Boolean => {
            signals.booleans.push(false);
            ColumnSource::Boolean(signals.booleans.len() - 1)
        }
        ValueType::Text => {
            signals.texts.push(String::new());
            ColumnSource::Text(signals.texts.len() - 1)
        }
        ValueType::Binary => {
            signals.binaries.push(Vec::new());
            ColumnSource::Binary(signals.binaries.len() - 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lotka_plan::column::Column;

    fn observe(memory: &mut Memory, with_errors: bool) {
        use ValueType::{Boolean, Integer, Real, Text};
        let columns = [("a.x", Real), ("a.n", Integer), ("a.b", Boolean), ("a.t", Text)];
        let columns: Vec<_> = columns.map(|(name, kind)| Column::new(name, kind)).into();
        let mut signals = Signals::default();
        let sources: Vec<_> = columns.iter().map(|column| place(&mut signals, column.value_type)).collect();
        memory.observe(&Notification::Started { columns: &columns, start: 0.0, stop: 1.0 });
        for row in 0_i32..3 {
            if row == 2 {
                memory.observe(&Notification::EventLocated { time: 0.5, what: "a.x crosses 0" });
            }
            signals.reals[0] = 0.1 + f64::from(row);
            (signals.integers[0], signals.booleans[0]) = ((row - 1).into(), row == 1);
            signals.texts[0] = format!("row {row}");
            let estimates = [1e-9, f64::NAN, f64::NAN, f64::NAN];
            let estimates = if with_errors { &estimates[..] } else { &[] };
            memory.observe(&Notification::Row(Row::new(0.5 * f64::from(row), &signals, &sources, estimates)));
        }
    }

    fn assert_same(one: &Memory, other: &Memory) {
        assert_eq!((one.columns(), one.time(), one.events()), (other.columns(), other.time(), other.events()));
        for name in ["a.x", "a.n", "a.b", "a.t"] {
            assert_eq!((one.real(name), one.text(name)), (other.real(name), other.text(name)), "{name}");
            assert_eq!(one.error_estimates(name), other.error_estimates(name), "{name}");
        }
    }

    #[test]
    fn an_observer_gets_what_the_run_sent() {
        for with_errors in [false, true] {
            let (mut memory, mut again) = (Memory::new(), Memory::new());
            observe(&mut memory, with_errors);
            memory.send_to(&mut again);
            assert_eq!(again.real("a.x").unwrap_or_default(), [0.1, 1.1, 2.1]);
            assert_eq!(again.error_estimates("a.x").is_some(), with_errors);
            assert_same(&memory, &again);
        }
    }

    #[test]
    fn rows_go_to_other_processes() {
        let mut memory = Memory::new();
        observe(&mut memory, true);
        let bytes = postcard::to_stdvec(&memory).unwrap_or_default();
        let again: Memory = postcard::from_bytes(&bytes).unwrap_or_default();
        assert_same(&memory, &again);
        memory.numbers[0].pop();
        let bytes = postcard::to_stdvec(&memory).unwrap_or_default();
        let damaged: Memory = postcard::from_bytes(&bytes).unwrap_or_default();
        assert_eq!((damaged.columns().len(), damaged.time().len()), (4, 0));
    }
}
