//! Examples for people without a clone: system files with prebuilt FMUs beside them.

use std::{fs, path::Path};

use ::gallery::{Example, packed_name};
use lotka::System;

use crate::{TaskResult, examples, files::Files};

/// The folder of FMUs as system files of the project name it, and as packed ones do.
const FMUS: [&str; 2] = ["../../target/fmus/", "../fmus/"];

/// Begin of the sentence that says how to build the FMUs, and its last command, which ends with the line.
const BUILD: [&str; 2] = ["Build the FMU", "package-fmus"];

/// Returns the system files of the named examples, or of all of them, with the tables they read, and their FMUs in the folder
/// `fmus`.
///
/// # Errors
/// A file cannot be read.
pub fn packed(names: Option<&[&str]>, fmus: &Path) -> TaskResult<Files> {
    let mut files = Files::default();
    for example in Example::all(&examples())? {
        if names.is_some_and(|names| !names.contains(&example.name.as_str())) {
            continue;
        }
        for system in &example.systems {
            let path = example.path(system);
            for (_, fmu) in System::from_file(&path)?.fmu_files() {
                let name = packed_name(&fmu).unwrap_or_default();
                files.add_from(format!("fmus/{}", name.display()), &fmus.join(&name))?;
            }
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            files.add(format!("{}/{system}", example.name), of_package(&text));
        }
        for table in fs::read_dir(example.path(""))?.flatten().map(|entry| entry.path()) {
            if table.extension().is_some_and(|extension| extension == "csv") {
                files.add_from(format!("{}/{}", example.name, table.file_name().unwrap_or_default().display()), &table)?;
            }
        }
    }
    Ok(files)
}

/// Returns the text of a packed system file: its FMUs are beside it, and there is nothing to build.
fn of_package(text: &str) -> String {
    let sentence = text.split_once(BUILD[0]).and_then(|(before, rest)| {
        let arguments = rest.split_once(BUILD[1])?.1;
        Some((before, &arguments[arguments.find('\n')?..]))
    });
    let text =
        sentence.map_or_else(|| text.to_owned(), |(before, after)| before.trim_end_matches([' ', '#', '\n']).to_owned() + after);
    text.replace(FMUS[0], FMUS[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_systems_name_their_fmus_and_nothing_to_build() {
        let text = "# A room.\n# It cools. Build the FMUs first: cargo xtask\n# package-fmus\n\n[instances]\na = \"../../target/fmus/a.fmu\"\n";
        assert_eq!(of_package(text), "# A room.\n# It cools.\n\n[instances]\na = \"../fmus/a.fmu\"\n");
        assert_eq!(of_package("# A.\n# Build the FMU first: cargo xtask package-fmus\n\nb"), "# A.\n\nb");
        assert_eq!(of_package("# A.\n\nb"), "# A.\n\nb");
        assert_eq!(of_package("# A. Build the FMU first: cargo xtask package-fmus --fmi 3.0\n\nb"), "# A.\n\nb");
        let elsewhere = tempfile::tempdir().unwrap();
        for example in Example::all(&examples()).unwrap() {
            for system in &example.systems {
                let text = of_package(&fs::read_to_string(example.path(system)).unwrap());
                assert!(!text.contains("target/") && !text.contains("xtask"), "{}/{system}: {text}", example.name);
            }
        }
        let missing = packed(Some(&["driven-mass"]), elsewhere.path()).unwrap_err().to_string();
        assert!(missing.contains("mass.fmu"), "{missing}");
    }
}
