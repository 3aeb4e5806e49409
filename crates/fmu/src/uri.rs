//! The `file:` URI of the resources folder.

use std::fmt::Write;
use std::path::Path;

use crate::platform::path_bytes;

/// Returns the `file:///…` URI of an absolute path; every byte outside the unreserved characters of RFC 3986 is escaped.
pub(crate) fn file_uri(path: &Path) -> String {
    let mut uri = String::from("file://");
    for &byte in path_bytes(path).iter() {
        if is_plain(byte) {
            uri.push(byte.into());
        } else {
            // Writing to a String cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

/// Whether the URI of a path has escapes.
pub(crate) fn needs_escapes(path: &Path) -> bool {
    !path_bytes(path).iter().copied().all(is_plain)
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_percent_signs_and_letters_outside_ascii_are_escaped() {
        assert_eq!(file_uri(Path::new("/tmp/a b%é/resources")), "file:///tmp/a%20b%25%C3%A9/resources");
    }
}
