//! System structures of the Open Simulation Platform, as libcosim reads them: `OspSystemStructure.xml`.
//!
//! [`structure`] reads the file, [`groups`] those of `<model name>_OspModelDescription.xml` beside it or beside an FMU,
//! [`models`] the model descriptions of the FMUs, [`connect`] creates connections from both, and [`convert`] the rest. Start
//! reading at [`read`].

mod codes;
mod connect;
mod convert;
mod groups;
mod models;
mod structure;
#[cfg(test)]
mod tests;

use codes::CODES;
use lotka_message::SourceFile;
use lotka_system::{Error, Read, xml::Reader};

use crate::in_own_folder;

/// Reads the text of a file, and of the model descriptions of OSP that it leads to. Model descriptions of FMUs are read, but no
/// FMU is loaded.
pub(super) fn read(file: SourceFile) -> Result<Read, Error> {
    let mut reader = Reader::new(&file, true, CODES);
    let structure = reader.tree(structure::read).flatten();
    let mut findings = reader.findings;
    let Some(structure) = structure else { return Err(Error::System(findings.problems(Some(&file)))) };
    let description = convert::convert(structure, &file, &mut findings);
    Ok(in_own_folder(file, description, findings))
}
