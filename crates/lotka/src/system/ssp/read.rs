//! From a file to a description.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    document::Reader,
    flatten,
    location::Location,
    structure::{self, Structure},
};
use crate::{
    Code, Error,
    system::{SourceFile, SystemDescription, is_archive, problem::Findings},
};
use fmu::{Folder, Limits, Package};

/// The description that a package is meant to be run by.
const DEFAULT: &str = "SystemStructure.ssd";

/// Descriptions and parameters are not larger than this \[byte\].
pub(super) const MOST_BYTES: u64 = 512 << 20;

/// A system with what belongs to it.
pub(in crate::system) struct Read {
    pub(in crate::system) description: SystemDescription,
    /// What is wrong, without hiding the rest.
    pub(in crate::system) findings: Findings,
    /// What paths of FMUs are relative to.
    pub(in crate::system) base: PathBuf,
    /// Folders that packages were unpacked to.
    pub(in crate::system) folders: Vec<Arc<Folder>>,
}

/// A description whose file was found: alone, or in a package that is unpacked now.
pub(super) struct Found {
    pub(super) file: SourceFile,
    pub(super) location: Location,
    pub(super) folder: Option<Arc<Folder>>,
    /// What is odd about the package.
    pub(super) notes: Vec<String>,
}

/// Reads `.ssd` and `.ssp` files. Behind a `#` the name of one of several descriptions in a package can follow.
pub(in crate::system) fn read(path: &Path) -> Result<Read, Error> {
    let (structure, found, findings) = structure(path)?;
    let base = found.location.folder.clone();
    let flat = flatten::flatten(structure, found, findings);
    Ok(Read { description: flat.description, findings: flat.findings, base, folders: flat.folders })
}

/// The tree of a description, and what is wrong with it.
pub(super) fn structure(path: &Path) -> Result<(Structure, Found, Findings), Error> {
    let found = find(path)?;
    let mut reader = Reader::new(&found.file, true);
    let structure = reader.parse().and_then(|document| structure::read(document.root_element(), &mut reader));
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
    let bytes = fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let location = Location { folder: path.parent().map(Path::to_owned).unwrap_or_default(), is_packed: false };
    Ok(Found { file: source_file(path.to_owned(), bytes)?, location, folder: None, notes: Vec::new() })
}

fn in_package(path: &Path, variant: Option<String>) -> Result<Found, Error> {
    let mut package = Package::open(path, &Limits::default()).map_err(Error::Fmu)?;
    let descriptions: Vec<_> =
        package.names().filter(|name| name.ends_with(".ssd") && !name.contains('/')).map(str::to_owned).collect();
    let mut notes = Vec::new();
    let wanted = variant.unwrap_or_else(|| DEFAULT.to_owned());
    let name = match &descriptions[..] {
        _ if descriptions.contains(&wanted) => wanted,
        [only] if wanted == DEFAULT => {
            notes.push(format!("the package has no {DEFAULT}; {only} is read"));
            only.clone()
        }
        _ => return Err(Error::NoDescription { path: path.to_owned(), wanted, present: descriptions }),
    };
    let bytes = package.read(&name, MOST_BYTES).map_err(Error::Fmu)?.unwrap_or_default();
    let folder = Arc::new(package.unpack_for_now().map_err(Error::Fmu)?);
    let location = Location { folder: folder.path().to_owned(), is_packed: true };
    Ok(Found { file: source_file(path.join(name), bytes)?, location, folder: Some(folder), notes })
}

/// The text of a file, which SSP writes in UTF-8.
pub(super) fn source_file(path: PathBuf, bytes: Vec<u8>) -> Result<SourceFile, Error> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec).unwrap_or(bytes);
    let text = String::from_utf8(bytes).map_err(|error| Error::Read {
        path: path.clone(),
        source: io::Error::new(io::ErrorKind::InvalidData, format!("SSP is written in UTF-8, but {}", error.utf8_error())),
    })?;
    Ok(SourceFile { path, text: text.into() })
}
