//! Names of libraries.

use std::env::consts::DLL_EXTENSION;
use std::path::Path;

/// `name.so`, or `name.so.1.2`; `name.dll`, `name.dylib`.
pub(crate) fn is_library_name(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension == Some(DLL_EXTENSION) || (cfg!(target_os = "linux") && name.contains(".so."))
}

pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether a library may have this name: it must not lead to another folder.
pub(crate) fn is_file_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(['/', '\\']) && !text.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_libraries_stay_in_their_folder() {
        for text in ["prey", "9a", "a b", "a.b", "Lag-2 (é)", ".."] {
            assert!(is_file_name(text), "{text}");
        }
        for text in ["", "../x", "/x", "a\\b", "a\0b", "a\nb"] {
            assert!(!is_file_name(text), "{text}");
        }
    }
}
