//! The FMUs that become instances of a draft, and their names.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use lotka_instance::ModelDescription;

/// FMU that becomes an instance of a draft.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftInstance {
    /// Name, without dots.
    pub name: String,
    /// Path to write to the file, relative to the folder of the file.
    pub path: PathBuf,
    /// Interface that the FMU declares.
    pub description: ModelDescription,
}

/// Returns a name for an instance of the FMU in this file that differs from those in `taken`: the file name, with underscores
/// instead of characters that system files would have to quote.
#[must_use]
pub fn instance_name(file: &Path, taken: &HashSet<String>) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let keep = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let stem: String = stem.chars().map(keep).collect();
    let stem = if stem.is_empty() { "fmu".to_owned() } else { stem };
    let numbered = (2..).map(|n| format!("{stem}_{n}"));
    std::iter::once(stem.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_instances_are_bare_keys_and_different() {
        let mut taken = HashSet::new();
        for (file, name) in [
            ("dir/prey.fmu", "prey"),
            ("other/prey.fmu", "prey_2"),
            ("prey.fmu", "prey_3"),
            ("Modelica.Blocks 4.0.fmu", "Modelica_Blocks_4_0"),
            ("größe.fmu", "gr__e"),
            ("", "fmu"),
        ] {
            let found = instance_name(Path::new(file), &taken);
            assert_eq!(found, name, "{file}");
            taken.insert(found);
        }
    }
}
