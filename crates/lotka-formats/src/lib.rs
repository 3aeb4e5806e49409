//! Systems in the files of other masters.
//!
//! [`read`] reads them, and all that `lotka-system` reads. A new format is a module, and an arm there.
//!
//! | module | reads |
//! |---|---|
//! | `msim` | projects of MasterSim (`.msim`) |
//! | `maestro` | multi-models of INTO-CPS (`mm.json`), with the configuration of their simulation |
//! | `osp` | system structures of the Open Simulation Platform (`OspSystemStructure.xml`) |
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod maestro;
mod msim;
mod osp;

use std::path::Path;

use lotka_message::{Findings, SourceFile};
use lotka_system::{Error, Format, Read, SystemDescription, text};

/// Reads a system file: what [`lotka_system::read`] reads, a project of MasterSim (`.msim`), an `OspSystemStructure.xml`, or a
/// multi-model of INTO-CPS (`mm.json`).
///
/// # Errors
/// As for [`lotka_system::read`].
pub fn read(path: &Path) -> Result<Read, Error> {
    match Format::of(path) {
        Format::Osp => return osp::read(text::read(path)?),
        Format::MasterSim => return Ok(msim::read(text::read(path)?)),
        Format::MultiModel => return maestro::read(text::read(path)?),
        _ => {}
    }
    lotka_system::read(path)
}

/// A description whose paths are relative to the folder of its file.
fn in_own_folder(file: SourceFile, mut description: SystemDescription, findings: Findings) -> Read {
    let base = file.path.parent().map(Path::to_owned).unwrap_or_default();
    description.file = Some(file);
    Read { description, findings, base, ..Read::default() }
}
