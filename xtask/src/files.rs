//! Files that are going to be packed, in memory: what is inside decides about the bytes of a package, not what is around on disk.

use std::{
    collections::BTreeMap,
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::Path,
};

use crate::TaskResult;

/// Files by their paths, with `/` between folders.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Files(BTreeMap<String, File>);

/// A file of a package.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// Its content.
    pub bytes: Vec<u8>,
    /// Whether it can be executed.
    pub is_program: bool,
}

impl File {
    /// Returns the permissions of the file.
    pub fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

impl Files {
    /// Adds a file, or replaces it.
    pub fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.0.insert(path.into(), File { bytes: bytes.into(), is_program: false });
    }

    /// Adds a program.
    pub fn add_program(&mut self, path: impl Into<String>, bytes: Vec<u8>) {
        self.0.insert(path.into(), File { bytes, is_program: true });
    }

    /// Adds a file from disk.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn add_from(&mut self, path: impl Into<String>, source: &Path) -> TaskResult {
        self.add(path, fs::read(source).map_err(|error| format!("{}: {error}", source.display()))?);
        Ok(())
    }

    /// Adds other files below a folder.
    pub fn add_all(&mut self, folder: &str, files: Self) {
        self.0.extend(files.0.into_iter().map(|(path, file)| (format!("{folder}/{path}"), file)));
    }

    /// Returns all files, sorted by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &File)> {
        self.0.iter().map(|(path, file)| (path.as_str(), file))
    }

    /// Writes them into a folder, which then contains nothing else.
    ///
    /// # Errors
    /// The folder cannot be replaced, or a file cannot be written.
    pub fn replace(&self, folder: &Path) -> TaskResult {
        let failed = |error| format!("{}: {error}", folder.display());
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(failed)?;
        }
        for (path, file) in self.iter() {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
            let written = fs::write(&path, &file.bytes);
            let written = written.and_then(|()| fs::set_permissions(&path, Permissions::from_mode(file.mode())));
            written.map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }
}
