//! Where the rows go.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use lotka::{CancelToken, Csv, Event, Observer};

use crate::{failure::Failure, pace::Pace};

/// Writes rows as CSV to a file or to stdout. A run whose rows cannot be written is canceled: nobody would get its results.
pub(crate) struct Output {
    csv: Csv<Box<dyn Write>>,
    path: Option<PathBuf>,
    cancel: CancelToken,
    pace: Pace,
}

impl Output {
    /// Creates or empties the file; without a path, rows go to stdout. Error bars are columns of their own.
    ///
    /// # Errors
    /// The file cannot be created.
    pub(crate) fn open(path: Option<&Path>, error_bars: bool, cancel: CancelToken) -> Result<Self, Failure> {
        let path = path.map(Path::to_owned);
        let writer: Box<dyn Write> = match &path {
            Some(name) => match File::create(name) {
                Ok(file) => Box::new(file),
                Err(source) => return Err(Failure::Output { path, source }),
            },
            None => Box::new(io::stdout()),
        };
        let csv = if error_bars { Csv::with_error_bars(writer) } else { Csv::new(writer) };
        Ok(Self { csv, path, cancel, pace: Pace::new() })
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// The first write error of the run.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let path = self.path;
        self.csv.finish().map_err(|source| Failure::Output { path, source })
    }
}

impl Observer for Output {
    fn wants_steps(&self) -> bool {
        false
    }

    fn observe(&mut self, event: &Event<'_>) {
        self.csv.observe(event);
        if matches!(event, Event::Row(_)) && self.pace.is_time() {
            self.csv.flush();
        }
        if self.csv.error().is_some() {
            self.cancel.cancel();
        }
    }
}
