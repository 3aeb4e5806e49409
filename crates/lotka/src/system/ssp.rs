//! Writes systems as structure descriptions and packages of the standard SSP.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write},
    path::Path,
};

use lotka_message::Warning;
use lotka_system::Document;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::{System, save::distinct};
use crate::{Error, replace::replace_file};

impl System {
    /// The text of a system structure description with files at these paths.
    pub(super) fn structure(&self, path: &Path, paths: &[std::path::PathBuf]) -> Result<(Vec<u8>, Vec<Warning>), Error> {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let sources: Vec<_> = paths.iter().map(|source| source.to_string_lossy().into_owned()).collect();
        let mut moved = self.clone();
        moved.move_files(paths);
        let written = self.survey(|resolved, descriptions, mut notes| {
            // SSP has no sources.
            let fmus = &descriptions[..self.description.instances.len()];
            let (text, warnings) = Document::new(&name, &moved.description, &resolved, fmus, &sources).write()?;
            notes.extend(warnings);
            Ok((text, notes))
        })?;
        written.map_err(|reason| Error::Save { path: path.to_owned(), reason })
    }

    /// A package with a description, the FMUs and the tables.
    pub(super) fn package(&self, path: &Path) -> Result<Vec<Warning>, Error> {
        let files = self.parts();
        let names = distinct(&files);
        let sources: Vec<_> = names.iter().map(|name| Path::new("resources").join(name)).collect();
        let (text, warnings) = self.structure(path, &sources)?;
        let write = || -> io::Result<()> {
            let mut archive = ZipWriter::new(io::Cursor::new(Vec::new()));
            archive.start_file("SystemStructure.ssd", SimpleFileOptions::default())?;
            archive.write_all(&text)?;
            // FMUs are already compressed.
            let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
            let mut written = BTreeSet::new();
            for (file, name) in files.iter().zip(&names).filter(|(_, name)| written.insert(*name)) {
                archive.start_file(format!("resources/{name}"), stored)?;
                archive.write_all(&fs::read(file)?)?;
            }
            replace_file(path, archive.finish()?.get_ref())
        };
        write().map_err(|reason| Error::Save { path: path.to_owned(), reason })?;
        Ok(warnings)
    }
}
