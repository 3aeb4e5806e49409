//! A scratch folder like that of a reader of the guide: a clone of the project with packed FMUs, and a first system.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use crate::packed;

/// A temporary folder, removed on drop. It contains `examples/` and `target/fmus/` as in a clone with packed FMUs, and every FMU
/// once more at the top level. Its `system.toml` couples predator and prey.
pub struct Scratch {
    dir: TempDir,
}

impl Scratch {
    /// # Errors
    /// A file cannot be written.
    ///
    /// # Panics
    /// Panics if there are no packed FMUs.
    pub fn new() -> io::Result<Self> {
        let scratch = Self { dir: TempDir::new()? };
        let fmus = packed("prey").parent().map(Path::to_owned).unwrap_or_default();
        fs::create_dir(scratch.path().join("target"))?;
        std::os::unix::fs::symlink(&fmus, scratch.path().join("target/fmus"))?;
        for entry in fs::read_dir(&fmus)? {
            let entry = entry?;
            std::os::unix::fs::symlink(entry.path(), scratch.path().join(entry.file_name()))?;
        }
        copy_systems(&root().join("examples"), &scratch.path().join("examples"))?;
        let system = fs::read_to_string(scratch.path().join("examples/predator-prey/system.toml"))?;
        fs::write(scratch.path().join("system.toml"), system.replace("../../target/fmus/", ""))?;
        Ok(scratch)
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// Makes a new [`Scratch`] the working directory of this process.
///
/// # Errors
/// Those of [`Scratch::new`].
///
/// # Panics
/// As [`Scratch::new`] does.
pub fn enter_scratch_folder() -> io::Result<Scratch> {
    let scratch = Scratch::new()?;
    env::set_current_dir(scratch.path())?;
    Ok(scratch)
}

/// Returns the folder of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap_or_default()
}

/// Copies system files and the tables that they read, with their folders.
fn copy_systems(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_systems(&path, &target)?;
        } else if path.extension().is_some_and(|extension| extension == "toml" || extension == "csv") {
            fs::copy(&path, target)?;
        }
    }
    Ok(())
}
