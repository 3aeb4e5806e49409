//! cargo-zigbuild with zig, which build libraries for systems with an old C library.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::install::pip;
use super::with_first;

/// What is installed, and how cargo finds it.
#[derive(Debug, Clone)]
pub struct Zig {
    requirements: PathBuf,
    folder: PathBuf,
}

impl Zig {
    /// Installs the pinned versions into `target/zig` if they are not there. Needs Python 3 with pip, and then the registry.
    ///
    /// # Errors
    /// The step that failed with what it printed.
    pub fn prepare(root: &Path) -> Result<Self, String> {
        let zig = Self::of(root);
        if !zig.is_current() {
            let failed = |error| format!("{}: {error}", zig.folder.display());
            if zig.folder.exists() {
                fs::remove_dir_all(&zig.folder).map_err(failed)?;
            }
            pip("--target", &zig.packages(), &zig.requirements)?;
            fs::copy(&zig.requirements, zig.stamp()).map_err(failed)?;
        }
        Ok(zig)
    }

    /// What [`Zig::prepare`] installed.
    ///
    /// # Errors
    /// A sentence when it is missing or older than the pinned versions.
    pub fn find(root: &Path) -> Result<Self, String> {
        let zig = Self::of(root);
        if zig.is_current() {
            return Ok(zig);
        }
        Err(format!("zig is not installed in {}: run `cargo xtask test`, which installs it", zig.folder.display()))
    }

    /// Environment variables with which cargo finds it. What zig compiles for itself stays in its folder, too.
    pub fn variables(&self) -> [(&'static str, OsString); 4] {
        let cache = self.folder.join("cache");
        [
            ("PATH", with_first(&self.packages().join("bin"), "PATH")),
            ("PYTHONPATH", self.packages().into()),
            ("CARGO_ZIGBUILD_CACHE_DIR", cache.clone().into()),
            ("ZIG_GLOBAL_CACHE_DIR", cache.into()),
        ]
    }

    fn of(root: &Path) -> Self {
        // Linkers are called from other folders.
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        Self { requirements: root.join("tests/interop/zig.txt"), folder: root.join("target/zig") }
    }

    fn packages(&self) -> PathBuf {
        self.folder.join("python")
    }

    fn stamp(&self) -> PathBuf {
        self.folder.join("installed.txt")
    }

    fn is_current(&self) -> bool {
        matches!((fs::read(self.stamp()), fs::read(&self.requirements)), (Ok(installed), Ok(wanted)) if installed == wanted)
    }
}
