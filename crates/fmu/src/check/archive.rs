//! Rules of the archive and its entries.

use std::fs::File;
use std::io::{BufReader, Read};

use crate::platform::read_exact_at;
use zip::ZipArchive;
use zip::result::ZipError;

use super::finding::Findings;
use crate::archive::{DESCRIPTION, Entry, survey};
use crate::{ArchiveProblem, Limits};

/// Length of the beginning of a header in the central directory, up to the flags \[byte\].
const HEADER: usize = 10;

/// The version that requires nothing newer than folders and deflate.
const VERSION: u16 = 20;

/// General purpose flag 3: sizes and checksum follow the data.
const STREAMED: u16 = 1 << 3;

/// The compression method "stored".
const STORED: u16 = 0;

/// An archive whose entries have been checked.
pub(super) struct Contents {
    zip: ZipArchive<BufReader<File>>,
    entries: Vec<Entry>,
    limits: Limits,
}

impl Contents {
    /// Reads the central directory and checks it; `None` if it is invalid, or refused as a whole.
    pub fn open(file: File, limits: &Limits, findings: &mut Findings) -> Option<Self> {
        let surveyed = file.try_clone().map_err(ZipError::Io).and_then(|headers| {
            let mut zip = ZipArchive::new(BufReader::new(file))?;
            Ok((survey(&mut zip, &headers, limits)?, zip, headers))
        });
        let (survey, zip, headers) = surveyed
            .map_err(|reason| {
                let remedy = "make a zip archive of the files, or copy the FMU again";
                findings.error(None, "not-an-archive", format!("it is not a zip archive: {reason}"), remedy);
            })
            .ok()?;
        for name in &survey.respelled {
            let message = format!("the name of entry `{}` has backslashes, `./` or empty parts", name.escape_debug());
            findings.warning(Some(name), "entry-spelling", message, "write it with slashes, from the top of the archive on");
        }
        for name in &survey.repeated {
            let message = format!("entry `{}` is there more than once, with the same contents", name.escape_debug());
            findings.warning(Some(name), "entry-repeated", message, "pack the FMU again, each file once");
        }
        survey.problems.iter().for_each(|problem| report(problem, findings));
        let is_bounded = !survey.problems.iter().any(is_about_size);
        let mut contents = Self { zip, entries: survey.entries, limits: *limits };
        contents.headers(&headers, findings);
        is_bounded.then(|| {
            contents.checksums(findings);
            contents
        })
    }

    /// Returns the names of all entries that are files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().filter(|entry| !entry.is_folder).map(|entry| entry.path.as_str())
    }

    /// Returns the data of an entry; `None` for an unknown name, or if it is damaged, which has been reported.
    pub fn read(&mut self, name: &str, findings: &mut Findings) -> Option<Vec<u8>> {
        let entry = self.entries.iter().find(|entry| entry.path == name && !entry.is_folder)?;
        if name == DESCRIPTION && entry.size > self.limits.description_size {
            let message = format!("it unpacks to more than {} bytes", self.limits.description_size);
            findings.error(Some(name), "archive-too-large", message, "omit variables that are never connected");
            return None;
        }
        let mut data = Vec::new();
        let file = self.zip.by_index(entry.index).ok()?;
        let read = file.take(self.limits.total_size).read_to_end(&mut data);
        let is_known = findings.0.iter().any(|f| f.problem.rule == "entry-damaged" && f.file.as_deref() == Some(name));
        match read {
            Ok(_) => Some(data),
            Err(_) if is_known => None,
            Err(error) => {
                damaged(name, &error.to_string(), findings);
                None
            }
        }
    }

    /// Checks header fields that the zip crate does not expose: it computes the version, and repairs the flags.
    fn headers(&mut self, file: &File, findings: &mut Findings) {
        for index in 0..self.zip.len() {
            let Ok(entry) = self.zip.by_index_data(index) else { continue };
            let (Ok(name), mut header) = (entry.name(), [0; HEADER + 2]) else { continue };
            if read_exact_at(file, &mut header, entry.central_header_start()).is_err() {
                continue;
            }
            let word = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
            let (version, flags, method) = (word(6), word(8), word(10));
            if version & 0xff > VERSION {
                let message = format!("reading it needs zip version {}.{}", (version & 0xff) / 10, version % 10);
                findings.warning(
                    Some(&name),
                    "version-needed",
                    message,
                    "pack it with plain deflate, and use zip64 only if needed",
                );
            }
            if flags & STREAMED != 0 && method == STORED && entry.size() > 0 {
                let message = "it is stored, and its size follows the data".to_owned();
                findings.warning(Some(&name), "streaming-flag", message, "write the size in front of the data, or deflate it");
            }
            if !name.is_ascii() {
                let message = "the name is not ASCII".to_owned();
                findings.warning(Some(&name), "entry-not-ascii", message, "rename it; systems decode other names differently");
            }
        }
    }

    /// Unpacks everything without writing it.
    fn checksums(&mut self, findings: &mut Findings) {
        for entry in self.entries.iter().filter(|entry| !entry.is_folder) {
            let copied = self
                .zip
                .by_index(entry.index)
                .map_err(std::io::Error::from)
                .and_then(|file| std::io::copy(&mut file.take(entry.size.saturating_add(1)), &mut std::io::sink()));
            match copied {
                Ok(length) if length == entry.size => {}
                Ok(_) => damaged(&entry.path, "its length differs from the declared length", findings),
                Err(error) => damaged(&entry.path, &error.to_string(), findings),
            }
        }
    }
}

fn damaged(name: &str, reason: &str, findings: &mut Findings) {
    findings.error(Some(name), "entry-damaged", format!("it cannot be unpacked: {reason}"), "pack the FMU again");
}

fn is_about_size(problem: &ArchiveProblem) -> bool {
    use ArchiveProblem::{Overlap, TooDense, TooLarge, TooManyEntries};
    matches!(problem, TooManyEntries { .. } | TooLarge { .. } | TooDense { .. } | Overlap)
}

/// Reports an entry or archive that is refused.
fn report(problem: &ArchiveProblem, findings: &mut Findings) {
    use ArchiveProblem as P;
    let (entry, remedy) = match problem {
        P::Outside { entry } => (Some(entry), "use a path relative to the top of the archive, without .."),
        P::BadName { entry } => (Some(entry), "give it a name of printable characters"),
        P::Link { entry } => (Some(entry), "pack the file itself"),
        P::Duplicate { entry } => (Some(entry), "rename or remove one of them"),
        P::DuplicateNames => (None, "pack the FMU again; a file was added twice"),
        P::Overlap => (None, "pack the FMU again with another program"),
        P::Encrypted { entry } => (Some(entry), "pack it without password"),
        P::Method { entry, .. } => (Some(entry), "pack it with deflate"),
        P::TooManyEntries { .. } => (None, "combine the files that the FMU reads at run time"),
        P::TooLarge { .. } => (None, "remove files that the FMU does not need"),
        P::TooDense { entry, .. } => (Some(entry), "remove it; such a ratio is typical of zip bombs"),
    };
    findings.error(entry.map(String::as_str), problem.rule(), problem.to_string(), remedy);
}
