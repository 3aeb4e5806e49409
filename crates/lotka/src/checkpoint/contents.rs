//! What a run goes on from.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{CheckpointError, Origin, format};
use crate::simulation::{Prepared, Settled};

/// A run at one of its communication points: all that is needed to go on from there with bitwise the same rows.
///
/// ```
/// use lotka::{Checkpoint, Event, Fmu, Memory, Observer, System};
/// # use fmu_sdk::{description, functions};
/// # let prey = Fmu::from_functions(description::<models::Prey>(), functions::<models::Prey>());
/// # let predator = Fmu::from_functions(description::<models::Predator>(), functions::<models::Predator>());
/// # let folder = std::env::temp_dir().join(format!("lotka-checkpoint-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("run.checkpoint");
///
/// /// Keeps the last checkpoint in a file, with the number of rows before it.
/// struct Keeper<'a>(&'a std::path::Path);
///
/// impl Observer for Keeper<'_> {
///     fn observe(&mut self, event: &Event<'_>) {
///         if let Event::Checkpoint(checkpoint) = event {
///             checkpoint.write(self.0, b"a note of mine").expect("the disk has room");
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
/// // The first run is asked for a checkpoint by whoever has the token: a timer, a signal handler, another observer.
/// let (mut first, mut keeper) = (Memory::new(), Keeper(&path));
/// let mut simulation = system.build()?;
/// simulation.checkpoint_token()?.request();
/// simulation.run(&mut [&mut first, &mut keeper])?;
///
/// // Another process goes on from the file.
/// let checkpoint = Checkpoint::read(&path)?;
/// let mut second = Memory::new();
/// system.build()?.resume(&checkpoint, &mut [&mut second])?;
/// assert_eq!(checkpoint.note(), b"a note of mine");
/// assert_eq!(second.real("prey.x"), first.real("prey.x").map(|x| &x[checkpoint.rows() as usize..]));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Checkpoint {
    pub(crate) contents: Contents,
    note: Vec<u8>,
}

/// What is in a checkpoint.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Contents {
    /// What the run was made from.
    pub(crate) origin: Origin,
    /// The communication point \[s\].
    pub(crate) time: f64,
    /// Rows that went to the observers.
    pub(crate) rows: u64,
    /// What was found out before the first step. It is not looked for again: that it comes out the same is nothing to rely on.
    pub(crate) prepared: Prepared,
    pub(crate) settled: Settled,
    /// What the loop carries on, as a [`super::Transfer`] wrote it.
    pub(crate) state: Vec<u8>,
    /// The serialized state of each instance.
    pub(crate) instances: Vec<Vec<u8>>,
}

impl Checkpoint {
    pub(crate) fn new(contents: Contents) -> Self {
        Self { contents, note: Vec::new() }
    }

    /// The communication point \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.contents.time
    }

    /// Rows that went to the observers before it, that at this communication point included if there was one.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.contents.rows
    }

    /// What was given to [`Checkpoint::write`]; empty for a checkpoint that was not read from a file.
    #[must_use]
    pub fn note(&self) -> &[u8] {
        &self.note
    }

    /// Writes the checkpoint with a note of the caller (where the rows are, say) to a file, in place of what was there: at any time, also
    /// after a crash or a loss of power, there is the old file or the new one, whole. A file `PATH.part` is made and renamed.
    ///
    /// # Errors
    /// [`CheckpointError::Write`]; the old file is still there.
    pub fn write(&self, path: impl AsRef<Path>, note: &[u8]) -> Result<(), CheckpointError> {
        let path = path.as_ref();
        let failed = |source| CheckpointError::Write { path: path.to_owned(), source };
        let body = postcard::to_stdvec(&(&self.contents, note)).map_err(|error| failed(std::io::Error::other(error)))?;
        format::write(path, &body).map_err(failed)
    }

    /// Reads a file that [`Checkpoint::write`] made.
    ///
    /// # Errors
    /// The file cannot be read, is no checkpoint, was cut or changed, or was made by another version.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, CheckpointError> {
        let path = path.as_ref();
        let body = format::read(path)?;
        let (contents, note) = postcard::from_bytes(&body).map_err(|_| CheckpointError::Damaged { path: path.to_owned() })?;
        Ok(Self { contents, note })
    }
}
