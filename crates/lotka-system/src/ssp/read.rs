//! From a file to a description.

use std::path::Path;

use super::{file::structure, flatten};
use crate::{Error, Read};

/// Reads `.ssd` and `.ssp` files. A `#` may be followed by the name of one of several descriptions in a package.
pub(crate) fn read(path: &Path) -> Result<Read, Error> {
    let (structure, found, findings) = structure(path)?;
    let base = found.location.folder.clone();
    let flat = flatten::flatten(structure, found, findings);
    Ok(Read { description: flat.description, findings: flat.findings, base, folders: flat.folders })
}
