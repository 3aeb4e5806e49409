//! What instances of an FMU of FMI 2.0 need of it.

use std::{ffi::CString, path::Path};

use fmi2::ffi::Functions;

use crate::{binding::Bindings, uri};

/// What instances of an FMU need of it.
pub(crate) struct Loaded {
    pub(crate) functions: Functions,
    /// The URI of the folder of resources; empty without files.
    pub(super) resources: CString,
    pub(super) bindings: Bindings<()>,
    /// Identifies the states of its instances.
    pub(super) state_token: String,
}

impl Loaded {
    pub(crate) fn new(functions: Functions, resources: Option<&Path>, token: &str) -> Self {
        let resources = resources.map(uri::file_uri).unwrap_or_default();
        // The URI is escaped.
        let resources = CString::new(resources).unwrap_or_default();
        Self { functions, resources, bindings: Bindings::new(), state_token: token.to_owned() }
    }
}
