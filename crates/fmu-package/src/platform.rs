//! What packing needs of the operating system.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

/// Rights of a new file that everybody may have, as far as the settings of the process permit.
pub(crate) fn for_everybody() -> Permissions {
    Permissions::from_mode(0o666)
}
