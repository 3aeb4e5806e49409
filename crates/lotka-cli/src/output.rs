//! Where the rows go.

use std::{
    fs::File,
    io::Write,
    path::{Path, PathBuf},
};

use lotka::{
    CancelToken, Csv, Event, Observer,
    supervisor::{KeptRows, Supervised},
};

use crate::{data, failure::Failure, pace::Pace, supervise};

/// Writes rows as CSV to a file or to stdout. A run whose rows cannot be written is canceled: nobody would get its results.
pub(crate) struct Output {
    csv: Csv<Box<dyn Write>>,
    path: Option<PathBuf>,
    cancel: CancelToken,
    pace: Pace,
    /// Outlives this process, if it is a child.
    kept: Option<KeptRows>,
    has_rows: bool,
}

impl Output {
    /// Creates or empties the file; without a path, rows go to stdout. Error bars are columns of their own.
    ///
    /// # Errors
    /// The file cannot be created.
    pub(crate) fn open(path: Option<&Path>, error_bars: bool, cancel: CancelToken) -> Result<Self, Failure> {
        let path = path.map(Path::to_owned);
        let writer = match &path {
            Some(name) => File::create(name).map(|file| Box::new(file) as Box<dyn Write>),
            None => data::stdout(),
        };
        let writer = match writer {
            Ok(writer) => writer,
            Err(source) => return Err(Failure::Output { path, source }),
        };
        let csv = if error_bars { Csv::with_error_bars(writer) } else { Csv::new(writer) };
        let kept = supervise::child().map(Supervised::rows);
        Ok(Self { csv, path, cancel, pace: Pace::new(), kept, has_rows: false })
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// The first write error of the run.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.csv.flush();
        self.keep();
        let path = self.path;
        self.csv.finish().map_err(|source| Failure::Output { path, source })
    }

    /// Keeps what is not written yet.
    fn keep(&mut self) {
        if let Some(kept) = &mut self.kept {
            let (start, pending) = self.csv.pending();
            kept.keep(start, pending, self.has_rows);
        }
    }
}

impl Observer for Output {
    fn wants_steps(&self) -> bool {
        false
    }

    fn observe(&mut self, event: &Event<'_>) {
        self.csv.observe(event);
        let is_row = matches!(event, Event::Row(_));
        if is_row && self.pace.is_time() {
            self.csv.flush();
        }
        self.has_rows |= is_row;
        self.keep();
        if self.csv.error().is_some() {
            self.cancel.cancel();
        }
    }
}
