//! The licenses of the crates that are linked into what is distributed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::{
    TaskResult,
    build::{TARGET, root},
};

/// Name of the file in packages.
pub const FILE: &str = "THIRD-PARTY.txt";

/// Beginnings of the names of files with license texts and notices, or of folders that contain them.
const BEGINS: [&str; 6] = ["LICENSE", "LICENCE", "UNLICENSE", "COPYING", "COPYRIGHT", "NOTICE"];

/// Returns a text about all crates that are linked into these crates of the workspace: names, versions, licenses, and each
/// license text once.
///
/// # Errors
/// Cargo fails, a crate is unknown, or a license cannot be read.
pub fn text(crates: &[&str]) -> TaskResult<String> {
    let metadata = metadata()?;
    let linked = linked(crates, packages(&metadata)?)?;
    let mut text = String::from(HEAD);
    // By their words: some differ in line ends and spaces only.
    let mut texts: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for package in &linked {
        let name = format!("{} {}", word(package, "name"), word(package, "version"));
        text += &format!("{name:<32} {:<36} {}\n", word(package, "license"), word(package, "repository"));
        for license in license_texts(package)? {
            let words = license.split_whitespace().collect::<Vec<_>>().join(" ");
            texts.entry(words).or_insert((license, vec![])).1.push(name.clone());
        }
    }
    text += STANDARD_LIBRARY;
    let mut texts: Vec<_> = texts.into_values().collect();
    texts.sort_by(|(_, first), (_, second)| first.cmp(second));
    for (license, crates) in texts {
        text += &format!("\n{}\n{}\n\n{}\n", "=".repeat(80), wrapped(&crates), license.trim());
    }
    Ok(text)
}

const HEAD: &str = "\
The programs and libraries of this package contain Lotka, which is MIT OR Apache-2.0, and these crates.
A line has a crate, its license and its repository. The texts of the licenses follow.

";

const STANDARD_LIBRARY: &str = "
They also contain the standard library of Rust (https://www.rust-lang.org), which is MIT OR Apache-2.0.
";

/// Returns the packages of others that are linked into these crates of the workspace, sorted by name. Macros and what builds
/// crates are not.
fn linked<'a>(crates: &[&str], packages: &'a [Value]) -> TaskResult<Vec<&'a Value>> {
    let mut tree = Command::new(env!("CARGO"));
    tree.args(["tree", "--locked", "--edges", "normal,no-proc-macro", "--target", TARGET, "--prefix", "none", "--format", "{p}"]);
    tree.args(crates.iter().flat_map(|name| ["--package", name]));
    let output = tree.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let lines = String::from_utf8(output.stdout)?;
    // Such as `clap v4.6.7` and `lotka v0.1.0 (/path)`.
    let names: BTreeSet<_> = lines.lines().filter_map(|line| line.split_once(" v")).collect();
    let others = names.into_iter().filter(|(_, version)| !version.contains(" (/"));
    let package = |(name, version): (&str, &str)| {
        let version = version.split(' ').next().unwrap_or_default();
        let found = packages.iter().find(|package| word(package, "name") == name && word(package, "version") == version);
        found.ok_or_else(|| format!("cargo metadata has no {name} {version}").into())
    };
    others.map(package).collect()
}

fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// Returns what Cargo knows about the workspace and its dependencies.
///
/// # Errors
/// Cargo fails.
fn metadata() -> TaskResult<Value> {
    let output = Command::new(env!("CARGO")).args(["metadata", "--format-version", "1", "--locked"]).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Returns all packages.
///
/// # Errors
/// There are none.
fn packages(metadata: &Value) -> TaskResult<&Vec<Value>> {
    Ok(metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?)
}

/// Returns the texts beside the manifest of a package, or one of its licenses if it comes without text.
fn license_texts(package: &Value) -> TaskResult<Vec<String>> {
    let manifest = Path::new(word(package, "manifest_path"));
    let (folders, mut paths): (Vec<_>, Vec<_>) =
        files(manifest.parent().unwrap_or(manifest))?.into_iter().filter(|path| is_license(path)).partition(|path| path.is_dir());
    for folder in folders {
        paths.extend(files(&folder)?);
    }
    if paths.is_empty() {
        if !word(package, "license").contains("Apache-2.0") {
            return Err(format!("{} has no license text that could be distributed", word(package, "name")).into());
        }
        paths.push(root().join("LICENSE-APACHE"));
    }
    let read = |path: PathBuf| {
        let text = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    };
    paths.into_iter().map(read).collect()
}

fn is_license(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
    BEGINS.iter().any(|begin| name.starts_with(begin)) && !name.ends_with(".RS")
}

/// Returns all that is in a folder, sorted.
fn files(folder: &Path) -> TaskResult<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Returns names, separated by commas, in lines of up to 80 characters.
fn wrapped(names: &[String]) -> String {
    let (mut text, mut line) = (String::new(), 0);
    for (index, name) in names.iter().enumerate() {
        let end = if index + 1 < names.len() { "," } else { "" };
        let space = match line {
            0 => "",
            line if line + name.len() + end.len() < 80 => " ",
            _ => {
                line = 0;
                "\n"
            }
        };
        text += &format!("{space}{name}{end}");
        line += name.len() + end.len() + usize::from(space == " ");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linked_crates_are_listed_with_their_licenses_and_macros_are_not() {
        let text = text(&["lotka-cli", "lotka-host"]).unwrap();
        let (list, texts) = text.split_once("\n\n=").unwrap();
        let of_crates = list.lines().skip_while(|line| !line.is_empty()).skip(1).take_while(|line| !line.is_empty());
        for line in of_crates {
            let [name, version] = line.split_whitespace().take(2).collect::<Vec<_>>()[..] else { panic!("{line}") };
            assert!(texts.contains(&format!("{name} {version}")), "{name} has no license text");
        }
        let has = |name: &str| list.lines().any(|line| line.starts_with(&format!("{name} ")));
        for linked in ["clap", "landlock", "parquet", "zip"] {
            assert!(has(linked), "{linked}: {list}");
        }
        // Macros, what builds, what tests, what only the extension of Python needs, and Lotka itself.
        for other in ["serde_derive", "cc", "proptest", "pyo3", "lotka"] {
            assert!(!has(other), "{other}: {list}");
        }
        assert!(texts.contains("Permission is hereby granted, free of charge"), "{texts}");
        let parts: Vec<_> = texts.split(&"=".repeat(80)).collect();
        assert_eq!(parts.iter().filter(|part| part.contains("clap_builder 4.")).count(), 2, "{texts}");
        let mut bodies: Vec<_> = parts.iter().filter_map(|part| Some(part.split_once("\n\n")?.1)).collect();
        bodies.sort_unstable();
        assert!(bodies.windows(2).all(|pair| pair[0] != pair[1]), "{texts}");
    }

    #[test]
    fn names_are_wrapped() {
        let names = ["a 1.0", "b 2.0"].map(str::to_owned);
        assert_eq!(wrapped(&names), "a 1.0, b 2.0");
        let many = vec!["some-crate 1.2.3".to_owned(); 5];
        assert_eq!(wrapped(&many).lines().map(str::len).collect::<Vec<_>>(), [71, 16]);
    }

    #[test]
    fn a_crate_that_is_unknown_is_an_error() {
        assert!(text(&["no-such-crate"]).unwrap_err().to_string().contains("`no-such-crate`"));
    }
}
