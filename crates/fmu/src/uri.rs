//! The `file:` URI of the resources folder.

use std::fmt::Write;
use std::path::Path;

use crate::platform::path_bytes;

/// Returns the `file:///…` URI of an absolute path; every byte outside the unreserved characters of RFC 3986 is escaped.
pub(crate) fn file_uri(path: &Path) -> String {
    let mut uri = String::from("file://");
    for &byte in path_bytes(path).iter() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            other => {
                // Writing to a String cannot fail.
                let _ = write!(uri, "%{other:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_percent_signs_and_letters_outside_ascii_are_escaped() {
        assert_eq!(file_uri(Path::new("/tmp/a b%é/resources")), "file:///tmp/a%20b%25%C3%A9/resources");
    }
}
