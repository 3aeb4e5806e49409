//! Checkpoints of a run in a file: when they are made, and what `lotka resume` reads from them besides the run itself.

use std::{path::PathBuf, time::Duration};

use lotka::{Checkpoint, CheckpointFile, CheckpointToken, Code, Coded, Warning};
use serde::{Deserialize, Serialize};

use crate::{console::Console, console_flags::Verbosity, failure::Failure, request::Arguments, timer::Timer};

/// Requests a checkpoint immediately, so that any obstacle shows early. Then requests one every `every` seconds until the timer
/// is dropped or, with 0, after every step.
pub(crate) fn ask(token: CheckpointToken, every: f64) -> Option<Timer> {
    token.request();
    if every == 0.0 {
        token.request_all();
        return None;
    }
    let every = Duration::try_from_secs_f64(every).unwrap_or(Duration::MAX);
    Some(Timer::start(every, move || token.request()))
}

/// Data that `lotka resume` needs and that the checkpoint of the library does not contain.
#[derive(Serialize, Deserialize)]
pub(crate) struct Note {
    /// Folder that the paths of the command line are relative to.
    pub(crate) folder: PathBuf,
    pub(crate) arguments: Arguments,
    /// Length of the output file up to the checkpoint \[byte\].
    pub(crate) position: u64,
}

impl Note {
    /// Reads the note from a checkpoint that `lotka run` made.
    pub(crate) fn of(file: &CheckpointFile) -> Result<Self, Failure> {
        postcard::from_bytes(&file.note).map_err(|_| Failure::Usage {
            code: Code::NotACheckpoint,
            reason: "expected a checkpoint of `lotka run`, found one of another program; resume it with that program".to_owned(),
        })
    }
}

/// Writes checkpoints to a file.
pub(crate) struct CheckpointWriter<'a> {
    path: PathBuf,
    folder: PathBuf,
    arguments: &'a Arguments,
    console: Console,
    has_failed: bool,
}

impl<'a> CheckpointWriter<'a> {
    /// Returns `None` if the arguments request no checkpoints.
    pub(crate) fn new(arguments: &'a Arguments, console: &Console) -> Option<Self> {
        let path = arguments.checkpoint_path()?;
        let folder = std::env::current_dir().unwrap_or_default();
        Some(Self { path, folder, arguments, console: console.clone(), has_failed: false })
    }

    /// Replaces the last checkpoint. The first `position` bytes of the output file are already on disk. If this fails, the run
    /// continues: the last checkpoint remains.
    pub(crate) fn keep(&mut self, checkpoint: &Checkpoint, position: u64) {
        // The borrowed values serialize to the same bytes as a `Note`.
        let note = postcard::to_stdvec(&(&self.folder, self.arguments, position)).unwrap_or_default();
        match CheckpointFile::write(&self.path, checkpoint, &note) {
            Ok(()) => {
                self.has_failed = false;
                let text = format!("checkpoint at t = {} s", checkpoint.time());
                self.console.say(Verbosity::Detailed, &text);
            }
            Err(error) => self.fail(error.code(), error),
        }
    }

    /// Warns that checkpoints cannot be written: once, until one is written again.
    pub(crate) fn fail(&mut self, code: Code, error: impl std::fmt::Display) {
        if !self.has_failed {
            let text = format!("{error}; the run continues without checkpoints until Lotka can write them again");
            self.console.warn(&Warning::new(code, text));
        }
        self.has_failed = true;
    }
}
