//! Prevents a run from overwriting files that it needs or writes itself.

use std::{
    fs,
    path::{Path, PathBuf},
    slice,
};

use lotka::Code;

use super::Arguments;
use crate::{failure::Failure, paths::is_same_file};

impl Arguments {
    /// Rejects an output file that the run needs as input.
    pub(super) fn check_rows(&self) -> Result<(), Failure> {
        let Some(output) = &self.output_file else { return Ok(()) };
        self.input_at(output).map_or(Ok(()), |what| Err(occupied("--output-file", output, what)))
    }

    /// Rejects a checkpoint path that would overwrite anything but a checkpoint.
    pub(crate) fn check_checkpoint(&self) -> Result<(), Failure> {
        let Some(checkpoint) = self.checkpoint_path() else { return Ok(()) };
        self.check_place("--checkpoint", &checkpoint, &[])
    }

    /// Rejects paths of the manifest and the report that the run needs or writes otherwise.
    pub(crate) fn check_written(&self) -> Result<(), Failure> {
        let checkpoint = (self.checkpoint_path(), "the checkpoints go there");
        let manifest = (self.manifest.clone(), "the manifest goes there");
        if let Some(path) = &self.manifest {
            self.check_place("--manifest", path, slice::from_ref(&checkpoint))?;
        }
        self.report.as_ref().map_or(Ok(()), |path| self.check_place("--report", path, &[checkpoint, manifest]))
    }

    fn check_place(&self, flag: &str, path: &Path, others: &[(Option<PathBuf>, &'static str)]) -> Result<(), Failure> {
        let is = |other: Option<&Path>| other.is_some_and(|other| is_same_file(other, path));
        let taken = || others.iter().find(|(other, _)| is(other.as_deref())).map(|(_, what)| *what);
        let rows = || is(self.output_file.as_deref()).then_some("the rows go there");
        self.input_at(path).or_else(rows).or_else(taken).map_or(Ok(()), |what| Err(occupied(flag, path, what)))
    }

    /// Returns what the run needs the existing file at `path` for, if it does.
    fn input_at(&self, path: &Path) -> Option<&'static str> {
        let path = fs::canonicalize(path).ok()?;
        let is = |other: &Path| fs::canonicalize(other).is_ok_and(|other| other == path);
        if is(&self.system) {
            return Some("it is the system file");
        }
        if lotka::command::is_archive(&path) {
            return Some("it is an FMU or another archive");
        }
        if self.overlay.iter().any(|overlay| is(overlay)) {
            return Some("the report reads it");
        }
        let files = self.system_of_file().map(|system| system.files()).unwrap_or_default();
        files.iter().any(|file| is(file)).then_some("the system reads it")
    }
}

fn occupied(flag: &str, path: &Path, what: &str) -> Failure {
    Failure::Usage { code: Code::WouldOverwrite, reason: format!("{flag} {}: {what}; choose another file", path.display()) }
}
