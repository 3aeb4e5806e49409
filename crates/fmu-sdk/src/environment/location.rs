//! The location of the resources, as importers write it.

use std::path::PathBuf;

use percent_encoding::percent_decode;

/// The path of a `file:` URI of this machine (`file:///tmp/x`, `file:/tmp/x`, `file://localhost/tmp/x`), or of a path that stands
/// for itself, as some importers pass it. `None`: neither.
pub(super) fn path(location: &[u8]) -> Option<PathBuf> {
    let Some(rest) = after_scheme(location) else {
        return Some(PathBuf::from(str::from_utf8(location).ok()?)).filter(|path| path.is_absolute());
    };
    let path = match rest.strip_prefix(b"//") {
        Some(rest) => rest.strip_prefix(b"localhost").filter(|rest| rest.starts_with(b"/")).unwrap_or(rest),
        None => rest,
    };
    let path = percent_decode(path).decode_utf8().ok()?;
    // A drive of Windows: `/C:/x` is `C:/x`.
    let path = if cfg!(windows) { path.trim_start_matches('/') } else { &path };
    Some(PathBuf::from(path)).filter(|path| path.is_absolute())
}

fn after_scheme(location: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = location.split_at_checked(5)?;
    scheme.eq_ignore_ascii_case(b"file:").then_some(rest)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn locations_of_this_machine_are_paths() {
        for (location, expected) in [
            ("file:///tmp/a%20b%25%C3%A9/resources", "/tmp/a b%é/resources"),
            ("file:/tmp/resources/", "/tmp/resources/"),
            ("FILE://localhost/tmp/resources", "/tmp/resources"),
            ("/tmp/a b/resources", "/tmp/a b/resources"),
        ] {
            assert_eq!(path(location.as_bytes()), Some(expected.into()), "{location}");
        }
    }

    #[test]
    fn others_are_not() {
        for location in
            ["", "file:", "file://", "file://elsewhere/tmp", "http://a/b", "resources", "file:resources", "file:///%ff"]
        {
            assert_eq!(path(location.as_bytes()), None, "{location}");
        }
    }
}
