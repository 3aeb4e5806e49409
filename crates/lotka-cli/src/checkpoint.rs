//! Checkpoints of a run in a file: when they are made, and what `lotka resume` finds in them beside the run itself.

use std::{path::PathBuf, time::Duration};

use lotka::{Checkpoint, CheckpointFile, CheckpointToken, Code, Coded, Warning};
use serde::{Deserialize, Serialize};

use crate::{console::Console, console_flags::Verbosity, failure::Failure, request::Arguments, timer::Timer};

/// Asks for checkpoints: at once, so that what prevents them shows early; then every so many seconds as long as the timer lives, or with 0
/// after every step.
pub(crate) fn ask(token: CheckpointToken, every: f64) -> Option<Timer> {
    token.request();
    if every == 0.0 {
        token.request_all();
        return None;
    }
    let every = Duration::try_from_secs_f64(every).unwrap_or(Duration::MAX);
    Some(Timer::start(every, move || token.request()))
}

/// What the command knows of a run and its checkpoint does not.
#[derive(Serialize, Deserialize)]
pub(crate) struct Note {
    /// The folder that paths of the command line start from.
    pub(crate) folder: PathBuf,
    pub(crate) arguments: Arguments,
    /// Length of the output file with the rows before the checkpoint \[byte\].
    pub(crate) position: u64,
}

impl Note {
    /// The note of a checkpoint that the command made.
    pub(crate) fn of(file: &CheckpointFile) -> Result<Self, Failure> {
        postcard::from_bytes(&file.note).map_err(|_| Failure::Usage {
            code: Code::NotACheckpoint,
            reason: "expected a checkpoint of `lotka run`, found one of another program; resume it with that program".to_owned(),
        })
    }
}

/// Writes checkpoints to the file.
pub(crate) struct CheckpointWriter<'a> {
    path: PathBuf,
    folder: PathBuf,
    arguments: &'a Arguments,
    console: Console,
    has_failed: bool,
}

impl<'a> CheckpointWriter<'a> {
    /// `None` if no checkpoints are asked for.
    pub(crate) fn new(arguments: &'a Arguments, console: &Console) -> Option<Self> {
        let path = arguments.checkpoint_path()?;
        let folder = std::env::current_dir().unwrap_or_default();
        Some(Self { path, folder, arguments, console: console.clone(), has_failed: false })
    }

    /// Replaces the last checkpoint; `position` is the length of the output file, which is on disk up to there. A run need not end because
    /// this fails: the last checkpoint is still there.
    pub(crate) fn keep(&mut self, checkpoint: &Checkpoint, position: u64) {
        // Borrowed, it has the same bytes as a note that owns what it says.
        let note = postcard::to_stdvec(&(&self.folder, self.arguments, position)).unwrap_or_default();
        match CheckpointFile::write(&self.path, checkpoint, &note) {
            Ok(()) => {
                let text = format!("checkpoint at t = {} s", checkpoint.time());
                self.console.say(Verbosity::Detailed, &text);
            }
            Err(error) => self.fail(error.code(), error),
        }
    }

    /// Tells once that there are no checkpoints.
    pub(crate) fn fail(&mut self, code: Code, error: impl std::fmt::Display) {
        if !self.has_failed {
            let text = format!("{error}; the run continues without checkpoints until Lotka can write them again");
            self.console.warn(&Warning::new(code, text));
        }
        self.has_failed = true;
    }
}
