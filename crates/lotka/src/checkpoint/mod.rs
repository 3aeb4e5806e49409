//! Checkpoints in files: [`CheckpointFile`]; `origin` identifies the inputs of a run, `format` is the format of the file.

mod error;
mod format;
mod origin;

use std::path::Path;

use lotka_run::Checkpoint;

pub use error::CheckpointError;
pub(crate) use origin::Origin;

/// A checkpoint read from a file, with the note that was written with it (for example the place of the rows).
///
/// ```
/// use lotka::{CheckpointFile, Fmu, Memory, Notification, Observer, System};
/// # use fmu_sdk::{description, functions};
/// # let prey = Fmu::from_functions(description::<models::Prey>(), functions::<models::Prey>());
/// # let predator = Fmu::from_functions(description::<models::Predator>(), functions::<models::Predator>());
/// # let folder = std::env::temp_dir().join(format!("lotka-checkpoint-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("run.checkpoint");
///
/// /// Writes the last checkpoint to a file, with the number of rows before it.
/// struct Writer<'a>(&'a std::path::Path);
///
/// impl Observer for Writer<'_> {
///     fn observe(&mut self, notification: &Notification<'_>) {
///         if let Notification::Checkpoint(checkpoint) = notification {
///             CheckpointFile::write(self.0, checkpoint, b"a note of mine").expect("the disk has room");
///         }
///     }
/// }
///
/// let system = System::new()
///     .instance_of("prey", &prey)
///     .instance_of("predator", &predator)
///     .connect("prey.y", "predator.y")
///     .connect("predator.x", "prey.x")
///     .stop(100.0)
///     .local_tolerance(1e-4);
///
/// // Whoever has the token requests a checkpoint of the first run: a timer, a signal handler, another observer.
/// let (mut first, mut writer) = (Memory::new(), Writer(&path));
/// let mut simulation = system.build()?;
/// simulation.checkpoint_token()?.request();
/// simulation.run(&mut [&mut first, &mut writer])?;
///
/// // Another process continues from the file.
/// let CheckpointFile { checkpoint, note } = CheckpointFile::read(&path)?;
/// let mut second = Memory::new();
/// system.build()?.resume(&checkpoint, &mut [&mut second])?;
/// assert_eq!(note, b"a note of mine");
/// assert_eq!(second.real("prey.x"), first.real("prey.x").map(|x| &x[checkpoint.rows() as usize..]));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct CheckpointFile {
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// The note passed to [`CheckpointFile::write`].
    pub note: Vec<u8>,
}

impl CheckpointFile {
    /// Writes a checkpoint with a note of the caller to a file, and replaces an existing one.
    ///
    /// At any time, even after a crash or a loss of power, the file is either the old or the new one, and complete. The function
    /// writes `PATH.part` and renames it.
    ///
    /// # Errors
    /// [`CheckpointError::Write`]; the old file still exists.
    pub fn write(path: impl AsRef<Path>, checkpoint: &Checkpoint, note: &[u8]) -> Result<(), CheckpointError> {
        let path = path.as_ref();
        let failed = |reason| CheckpointError::Write { path: path.to_owned(), reason };
        let body = checkpoint.to_bytes().map_err(std::io::Error::other);
        let body = body.and_then(|bytes| postcard::to_stdvec(&(bytes, note)).map_err(std::io::Error::other)).map_err(failed)?;
        format::write(path, &body).map_err(failed)
    }

    /// Reads a file of [`CheckpointFile::write`].
    ///
    /// # Errors
    /// The file cannot be read, is not a checkpoint, is truncated or changed, or comes from another version.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, CheckpointError> {
        let path = path.as_ref();
        let body = format::read(path)?;
        let damaged = || CheckpointError::Damaged { path: path.to_owned() };
        let (bytes, note): (Vec<u8>, Vec<u8>) = postcard::from_bytes(&body).map_err(|_| damaged())?;
        Ok(Self { checkpoint: Checkpoint::from_bytes(&bytes).ok_or_else(damaged)?, note })
    }
}
