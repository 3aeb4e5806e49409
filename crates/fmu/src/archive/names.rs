//! Names of entries, validated before they are appended to a folder.

use crate::ArchiveProblem;

/// A relative path.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Normal {
    /// With slashes, without `.`, `..` and empty parts. Empty for the top folder itself.
    pub path: String,
    pub is_folder: bool,
    /// Whether the original name differs.
    pub was_changed: bool,
}

/// Converts backslashes to slashes and drops `.` parts; refuses every name that could lead out of the folder.
pub(super) fn normalize(name: &str) -> Result<Normal, ArchiveProblem> {
    let entry = || name.escape_debug().to_string();
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(ArchiveProblem::BadName { entry: entry() });
    }
    let slashed = name.replace('\\', "/");
    let has_drive = slashed.split('/').next().is_some_and(|first| first.contains(':'));
    if slashed.starts_with('/') || has_drive || slashed.split('/').any(|part| part == "..") {
        return Err(ArchiveProblem::Outside { entry: entry() });
    }
    let parts: Vec<_> = slashed.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let path = parts.join("/");
    let is_folder = slashed.ends_with('/') || slashed.ends_with("/.") || slashed == ".";
    let was_changed = path != name.strip_suffix('/').unwrap_or(name);
    Ok(Normal { path, is_folder, was_changed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_of_the_folder_are_refused() {
        for name in ["/etc/passwd", "../x", "a/../../x", "a/..", "..", "\\x", "C:\\x", "c:/x", "a\\..\\..\\x"] {
            assert!(matches!(normalize(name), Err(ArchiveProblem::Outside { .. })), "{name}");
        }
        for name in ["", "a\0b", "a\nb"] {
            assert!(matches!(normalize(name), Err(ArchiveProblem::BadName { .. })), "{name:?}");
        }
    }

    #[test]
    fn odd_but_harmless_names_are_put_right() {
        for (name, path, is_folder, was_changed) in [
            ("a/b.txt", "a/b.txt", false, false),
            ("a/", "a", true, false),
            ("./a/b", "a/b", false, true),
            ("a\\b", "a/b", false, true),
            ("a//b/./c", "a/b/c", false, true),
            ("./", "", true, true),
            ("..a/b..", "..a/b..", false, false),
        ] {
            assert_eq!(normalize(name).unwrap(), Normal { path: path.into(), is_folder, was_changed }, "{name}");
        }
    }
}
