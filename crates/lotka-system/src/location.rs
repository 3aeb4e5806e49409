//! Paths of files that a description refers to by URI.

use std::path::{Component, PathBuf};

use percent_encoding::percent_decode_str;

/// The folder to which relative URIs of a file refer.
#[derive(Debug, Clone)]
pub struct Location {
    /// The folder.
    pub folder: PathBuf,
    /// Files in a package must not refer to files outside it.
    pub is_packed: bool,
}

/// A file, and the fragment of its URI.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// The file.
    pub path: PathBuf,
    /// The part of the URI after `#`.
    pub fragment: Option<String>,
}

impl Location {
    /// Returns the file of a URI.
    ///
    /// # Errors
    /// The reason why the URI is invalid.
    pub fn resolve(&self, uri: &str) -> Result<Target, &'static str> {
        let (uri, fragment) = uri.split_once('#').map_or((uri, None), |(uri, fragment)| (uri, Some(decoded(fragment))));
        let local = uri.strip_prefix("file://").map(|rest| rest.strip_prefix("localhost").unwrap_or(rest));
        let local = local.or_else(|| uri.strip_prefix("file:"));
        let has_scheme = uri.split_once(':').is_some_and(|(scheme, _)| scheme.len() > 1 && !scheme.contains('/'));
        if has_scheme && local.is_none() {
            return Err("only local files are supported");
        }
        let path = PathBuf::from(decoded(local.unwrap_or(uri)));
        let leaves = path.is_absolute() || path.components().any(|part| part == Component::ParentDir);
        if self.is_packed && leaves {
            return Err("a package cannot refer to files outside itself");
        }
        Ok(Target { path: self.folder.join(path), fragment })
    }
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(uri: &str, is_packed: bool) -> Result<String, &'static str> {
        let location = Location { folder: "/base".into(), is_packed };
        location
            .resolve(uri)
            .map(|target| format!("{}{}", target.path.display(), target.fragment.map_or(String::new(), |f| format!(" {f}"))))
    }

    #[test]
    fn uris_are_relative_to_the_folder_and_decoded() {
        assert_eq!(at("resources/a%20b.fmu", true).unwrap(), "/base/resources/a b.fmu");
        assert_eq!(at("Sub.ssp#Cold.ssd", true).unwrap(), "/base/Sub.ssp Cold.ssd");
        assert_eq!(at("file:///x/a.fmu", false).unwrap(), "/x/a.fmu");
        assert_eq!(at("file://localhost/x/a.fmu", false).unwrap(), "/x/a.fmu");
        assert_eq!(at("../a.fmu", false).unwrap(), "/base/../a.fmu");
    }

    #[test]
    fn packages_do_not_reach_out_and_the_net_is_not_asked() {
        for uri in ["../a.fmu", "/etc/passwd", "file:///etc/passwd", "a/../../b.fmu", "%2e%2e/b.fmu"] {
            assert_eq!(at(uri, true), Err("a package cannot refer to files outside itself"), "{uri}");
        }
        assert_eq!(at("https://example.org/a.fmu", false), Err("only local files are supported"));
    }
}
