//! The file of a description: a single one, or one in a package.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    document::CODES,
    structure::{self, Structure},
};
use crate::{Error, is_archive, location::Location, text, xml::Reader};
use fmu::{Folder, Limits, Package};
use lotka_message::limits::SYSTEM_BYTES;
use lotka_message::{Code, Findings, SourceFile};

/// The main description of a package.
const DEFAULT: &str = "SystemStructure.ssd";

/// A description: a single file, or one in an unpacked package.
pub(super) struct Found {
    pub(super) file: SourceFile,
    pub(super) location: Location,
    pub(super) folder: Option<Arc<Folder>>,
    /// Warnings about the package.
    pub(super) notes: Vec<String>,
}

/// The tree of a description, and its problems.
pub(super) fn structure(path: &Path) -> Result<(Structure, Found, Findings), Error> {
    let found = find(path)?;
    let mut reader = Reader::new(&found.file, true, CODES);
    let structure = reader.tree(structure::read).flatten();
    let mut findings = reader.findings;
    found.notes.iter().for_each(|note| findings.warning(Code::SspNoDescription, &None, note.clone(), None));
    match structure {
        Some(structure) => Ok((structure, found, findings)),
        None => Err(Error::System(findings.problems(Some(&found.file)))),
    }
}

/// The file itself, or the description in a package.
fn find(path: &Path) -> Result<Found, Error> {
    let (path, variant) = match path.to_str().and_then(|text| text.rsplit_once('#')) {
        Some((file, variant)) if !path.exists() => (PathBuf::from(file), Some(variant.to_owned())),
        _ => (path.to_owned(), None),
    };
    if is_package(&path) { in_package(&path, variant) } else { alone(&path) }
}

fn is_package(path: &Path) -> bool {
    is_archive(path) || path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ssp"))
}

fn alone(path: &Path) -> Result<Found, Error> {
    let location = Location { folder: path.parent().map(Path::to_owned).unwrap_or_default(), is_packed: false };
    Ok(Found { file: text::read(path)?, location, folder: None, notes: Vec::new() })
}

fn in_package(path: &Path, variant: Option<String>) -> Result<Found, Error> {
    let mut package = Package::open(path, &Limits::default()).map_err(Error::Package)?;
    let descriptions: Vec<_> =
        package.names().filter(|name| name.ends_with(".ssd") && !name.contains('/')).map(str::to_owned).collect();
    let mut notes = Vec::new();
    let wanted = variant.unwrap_or_else(|| DEFAULT.to_owned());
    let name = match &descriptions[..] {
        _ if descriptions.contains(&wanted) => wanted,
        [only] if wanted == DEFAULT => {
            notes.push(format!("the package has no {DEFAULT}; Lotka reads {only}"));
            only.clone()
        }
        _ => return Err(Error::NoDescription { path: path.to_owned(), wanted, present: descriptions }),
    };
    let bytes = package.read(&name, SYSTEM_BYTES).map_err(Error::Package)?.unwrap_or_default();
    let folder = Arc::new(package.unpack_for_now().map_err(Error::Package)?);
    let location = Location { folder: folder.path().to_owned(), is_packed: true };
    Ok(Found { file: source_file(path.join(name), bytes)?, location, folder: Some(folder), notes })
}

/// The text of a file, which SSP writes in UTF-8.
pub(super) fn source_file(path: PathBuf, bytes: Vec<u8>) -> Result<SourceFile, Error> {
    match text::decoded(bytes) {
        Ok(text) => Ok(SourceFile { path, text: text.into() }),
        Err(reason) => Err(Error::Read { path, reason }),
    }
}
