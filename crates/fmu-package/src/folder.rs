//! The folder `package/` of a crate: files that an author keeps beside the source.
//!
//! It has the layout of the archive (`model.png`, `resources/…`, `documentation/licenses/license.txt`, `extra/…`), with one
//! exception: `documentation/equations.html` is a fragment that becomes part of the generated `documentation/index.html`.
//! Hidden files are ignored.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use crate::package::read;
use crate::{Error, Package, Result};

const EQUATIONS: &str = "documentation/equations.html";
const LICENSES: &str = "documentation/licenses";

impl Package {
    /// Adds the files in the folder `package/` of the crate in `folder`. If they include no license, the `LICENSE*` files of
    /// the crate, or else those of `workspace_root`, become `documentation/licenses/license.txt`.
    ///
    /// # Errors
    /// [`Error::Read`].
    pub fn crate_files(mut self, folder: &Path, workspace_root: &Path) -> Result<Self> {
        let root = folder.join("package");
        for path in files_below(&root)? {
            let bytes = read(&path)?;
            let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy();
            self = match &*name {
                EQUATIONS => self.equations(String::from_utf8_lossy(&bytes)),
                _ => self.file(name, bytes),
            };
        }
        if self.has_files_under(LICENSES) {
            return Ok(self);
        }
        let license = match license(folder)? {
            None => license(workspace_root)?,
            own => own,
        };
        Ok(match license {
            Some(text) => self.file(format!("{LICENSES}/license.txt"), text),
            None => self,
        })
    }
}

/// Returns the `LICENSE*` files of a folder, concatenated in order of their names.
fn license(folder: &Path) -> Result<Option<Vec<u8>>> {
    let is_license = |path: &PathBuf| path.is_file() && file_name(path).starts_with("LICENSE");
    let texts = children(folder)?.into_iter().filter(is_license).map(|path| read(&path)).collect::<Result<Vec<_>>>()?;
    Ok((!texts.is_empty()).then(|| texts.join(&b"\n\n"[..])))
}

/// Returns all files below a folder; none if the folder does not exist.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.exists() {
        return Ok(vec![]);
    }
    let mut files = vec![];
    for path in children(folder)?.into_iter().filter(|path| !file_name(path).starts_with('.')) {
        if path.is_dir() { files.extend(files_below(&path)?) } else { files.push(path) }
    }
    Ok(files)
}

fn children(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |reason| Error::Read { path: folder.to_owned(), reason };
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut paths = entries.map(|entry| Ok(entry.map_err(failed)?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort_unstable();
    Ok(paths)
}

fn file_name(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}
