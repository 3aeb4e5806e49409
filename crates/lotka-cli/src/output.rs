//! Output of rows to a file or to stdout.

use std::{
    fs::{self, File},
    io::{self, Read as _, Seek as _, SeekFrom, Write},
    mem,
    os::unix::fs::MetadataExt as _,
    path::{self, Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use lotka::{
    CancelToken, Checkpoint, Code, Csv, FileDigest, Format, Notification, Observer, Sink, Target, WriteOptions,
    command::RowCount,
    supervisor::{self, KeptRows, Supervised},
};

use crate::{checkpoint::CheckpointWriter, child, data, failure::Failure, timer::Timer};

/// Approximate maximum time that rows wait before they go to a file. They survive even if the command is killed during a long
/// step.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// Writes rows to a file or to stdout. If rows cannot be written, the run is canceled, because its results would be lost.
pub(crate) struct Output<'a> {
    rows: Arc<Mutex<Rows>>,
    timer: Timer,
    path: Option<PathBuf>,
    /// Digest of everything that is written, if requested.
    digest: Option<FileDigest>,
    cancel: CancelToken,
    checkpoint_writer: Option<CheckpointWriter<'a>>,
}

/// Waiting rows and their destination. The run adds rows, and the timer passes them on.
struct Rows {
    sink: Box<dyn Sink>,
    /// The file, if it can be truncated.
    file: Option<File>,
    /// Absolute path of the file, because an FMU may change the working directory; empty without a file.
    path: PathBuf,
    /// Length of the file before the rows of this process \[byte\].
    position: u64,
    error: Option<io::Error>,
    /// Copy of the waiting rows that outlives this process, if it is a child.
    kept: Option<KeptRows>,
    has_rows: bool,
    /// Whether the waiting rows are written with the next row.
    is_due: bool,
}

/// Destination and format of the rows; without a path, they go to stdout.
#[derive(Clone, Copy)]
pub(crate) struct Destination<'a> {
    pub(crate) path: Option<&'a Path>,
    pub(crate) format: &'static Format,
    pub(crate) options: WriteOptions,
    /// Whether rows without a path go nowhere.
    pub(crate) is_hidden: bool,
}

impl<'a> Output<'a> {
    /// Creates or truncates the file. `is_hashed` requests a digest; it has no effect on formats that rewrite parts of the file.
    ///
    /// # Errors
    /// The file cannot be created.
    pub(crate) fn open(to: Destination<'_>, is_hashed: bool, cancel: CancelToken) -> Result<Self, Failure> {
        let failed = |source| Failure::Output { path: to.path.map(Path::to_owned), source };
        let file = to.path.map(File::create).transpose().map_err(failed)?;
        Self::new(file, to, 0, is_hashed, cancel).map_err(failed)
    }

    /// Opens a file to continue after `position`. The run cuts off the rest when it continues.
    ///
    /// # Errors
    /// The file cannot be opened, is too short, or has no end of a row at this position.
    pub(crate) fn open_after(path: &Path, to: Destination<'_>, position: u64, cancel: CancelToken) -> Result<Self, Failure> {
        let open = || {
            let mut file = File::options().read(true).write(true).open(path)?;
            let problem = problem_at(&mut file, position, to.format)?;
            Ok((Self::new(Some(file), to, position, false, cancel)?, problem))
        };
        match open().map_err(|source| failed(path, source))? {
            (output, None) => Ok(output),
            (_, Some(reason)) => Err(Failure::Rows { path: path.to_owned(), reason }),
        }
    }

    fn new(file: Option<File>, to: Destination<'_>, position: u64, is_hashed: bool, cancel: CancelToken) -> io::Result<Self> {
        let digest = (is_hashed && to.format.is_text).then(FileDigest::default);
        let is_regular = |file: &File| file.metadata().is_ok_and(|metadata| metadata.is_file());
        let rows = Arc::new(Mutex::new(Rows {
            sink: sink(file.as_ref(), to, digest.as_ref())?,
            file: file.filter(is_regular),
            path: to.path.map(path::absolute).transpose()?.unwrap_or_default(),
            position,
            error: None,
            kept: child::this_process().filter(|_| !to.is_hidden).map(Supervised::rows),
            has_rows: false,
            is_due: false,
        }));
        let waiting = rows.clone();
        let timer = Timer::start(LONGEST_WAIT, move || lock(&waiting).hand_on());
        Ok(Self { rows, timer, path: to.path.map(Path::to_owned), digest, cancel, checkpoint_writer: None })
    }

    /// Returns size and hash of the written data, if it is hashed.
    pub(crate) fn digest(&self) -> Option<FileDigest> {
        self.digest.clone()
    }

    /// Also writes checkpoints.
    pub(crate) fn keep_checkpoints(self, checkpoint_writer: Option<CheckpointWriter<'a>>) -> Self {
        Self { checkpoint_writer, ..self }
    }

    /// Writes the remaining rows.
    ///
    /// # Errors
    /// The first write error of the run.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        drop(self.timer);
        lock(&self.rows).finish().map_err(|source| Failure::Output { path: self.path, source })
    }
}

/// Creates the writer of the rows.
fn sink(file: Option<&File>, to: Destination<'_>, digest: Option<&FileDigest>) -> io::Result<Box<dyn Sink>> {
    let target = match (file, digest) {
        (Some(file), None) => Target::File(file.try_clone()?),
        (Some(file), Some(digest)) => Target::Stream(Box::new(digest.follow(file.try_clone()?))),
        (None, digest) => {
            let stream: Box<dyn Write + Send> = if to.is_hidden { Box::new(io::sink()) } else { data::stdout()? };
            Target::Stream(match digest {
                Some(digest) => Box::new(digest.follow(stream)),
                None => stream,
            })
        }
    };
    to.format.writer(target, &to.options)
}

fn lost() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "the file was deleted or replaced during the run, and its rows are lost")
}

fn lock(rows: &Mutex<Rows>) -> MutexGuard<'_, Rows> {
    rows.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Rows {
    /// Passes on the waiting rows; the timer calls this regularly. Rows for a pipe wait for the next row of the run. If an FMU
    /// ended the process during a write to a pipe, nobody would know how much was written. For a file, that does not matter.
    fn hand_on(&mut self) {
        match self.file {
            Some(_) => {
                self.sink.flush();
                self.hand_over();
                self.error = self.error.take().or_else(|| self.is_lost().then(lost));
            }
            None => self.is_due = true,
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.sink.flush();
        self.hand_over();
        let (length, error) = (self.length(), self.error.take());
        let sink = mem::replace(&mut self.sink, Box::new(Csv::new(io::sink())));
        let result = error.map_or_else(|| sink.finish(), Err);
        if let (Err(_), Some(file)) = (&result, &self.file) {
            // A row that was only partly written must not look like a whole row. If this fails, too, nothing can be done.
            let _ = file.set_len(length);
        }
        result.and_then(|()| self.check_place())
    }

    /// Whether nobody will find the rows: the file was deleted, or another one took its place.
    fn is_lost(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.metadata().is_ok_and(|metadata| metadata.nlink() == 0))
    }

    /// Checks that the rows are where they are wanted.
    fn check_place(&self) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        if self.is_lost() {
            return Err(lost());
        }
        let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        if fs::metadata(&self.path).map(identity).ok() == file.metadata().map(identity).ok() {
            return Ok(());
        }
        Err(io::Error::new(io::ErrorKind::NotFound, "the file was moved during the run; it is complete where it is now"))
    }

    /// Returns the length of the file with all whole rows \[byte\].
    fn length(&self) -> u64 {
        self.position + self.sink.bytes()
    }

    /// Cuts off everything after the checkpoint.
    fn cut(&mut self) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.set_len(self.position)?;
        file.seek(SeekFrom::Start(self.position)).map(drop)
    }

    /// Writes a checkpoint once the rows before it are on disk.
    fn keep(&mut self, checkpoint: &Checkpoint, checkpoint_writer: &mut CheckpointWriter<'_>) {
        self.sink.flush();
        if self.sink.error().is_some() {
            return;
        }
        match self.file.as_ref().map_or(Ok(()), File::sync_data) {
            Ok(()) => checkpoint_writer.keep(checkpoint, self.length()),
            Err(error) => {
                checkpoint_writer.fail(Code::UnwritableFile, format_args!("cannot save the rows before a checkpoint: {error}"))
            }
        }
    }

    /// Shares the rows that are not written yet with the parent process. After a failed write, the parent still has the rows of
    /// that write.
    fn hand_over(&mut self) {
        if let Some(kept) = self.kept.as_mut().filter(|_| self.sink.error().is_none()) {
            let (start, pending) = (self.position + self.sink.bytes(), self.sink.pending());
            let count = |RowCount { place, begin, length }| supervisor::RowCount { place, begin, length };
            self.sink.row_count().map(count).into_iter().for_each(|count| kept.count(count));
            kept.keep(start, pending, self.has_rows && self.sink.keeps_rows());
        }
    }
}

impl Observer for Output<'_> {
    fn wants_steps(&self) -> bool {
        false
    }

    fn observe(&mut self, notification: &Notification<'_>) {
        let mut rows = lock(&self.rows);
        if let Notification::Resumed { .. } = notification {
            rows.error = rows.cut().err();
        }
        rows.sink.observe(notification);
        match notification {
            Notification::Row(_) if mem::take(&mut rows.is_due) => rows.sink.flush(),
            Notification::Checkpoint(checkpoint) => {
                self.checkpoint_writer.iter_mut().for_each(|checkpoint_writer| rows.keep(checkpoint, checkpoint_writer));
            }
            _ => {}
        }
        rows.has_rows |= matches!(notification, Notification::Row(_) | Notification::Resumed { .. });
        rows.hand_over();
        if rows.sink.error().is_some() || rows.error.is_some() {
            self.cancel.cancel();
        }
    }
}

fn failed(path: &Path, source: io::Error) -> Failure {
    Failure::Output { path: Some(path.to_owned()), source }
}

/// Returns why a run cannot continue after this position of a file. Only CSV rows have line ends to check; other formats check
/// the length when the run continues.
fn problem_at(file: &mut File, position: u64, format: &Format) -> io::Result<Option<&'static str>> {
    if file.metadata()?.len() < position {
        return Ok(Some("it has fewer rows than before the checkpoint"));
    }
    let mut last = [b'\n'];
    if position > 0 && format.is_text {
        file.seek(SeekFrom::Start(position - 1))?;
        file.read_exact(&mut last)?;
    }
    Ok((last != [b'\n']).then_some("it has no end of a row at the position of the checkpoint"))
}
