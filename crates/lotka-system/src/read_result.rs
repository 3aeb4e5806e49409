//! What reading a system yields.

use std::{path::PathBuf, sync::Arc};

use fmu::Folder;
use lotka_message::Findings;

use crate::SystemDescription;

/// Result of reading a system.
#[derive(Debug, Clone, Default)]
pub struct Read {
    /// The description.
    pub description: SystemDescription,
    /// Problems of the text that do not hide others.
    pub findings: Findings,
    /// Folder to which paths of models are relative.
    pub base: PathBuf,
    /// Folders of unpacked packages; they are removed with the last clone.
    pub folders: Vec<Arc<Folder>>,
}
