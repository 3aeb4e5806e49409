//! `cargo xtask licenses`: checks that every dependency is under a permissive license. Packages contain the licenses of what is linked
//! ([`crate::third_party`]).

use std::process::Command;

use serde_json::Value;

use crate::TaskResult;

/// Licenses compatible with MIT OR Apache-2.0.
const PERMISSIVE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Fails with the names of all packages whose license is not permissive.
pub fn run() -> TaskResult {
    let metadata = metadata()?;
    let packages = packages(&metadata)?;
    let refused: Vec<_> = packages.iter().filter(|package| !is_permissive(package["license"].as_str())).map(describe).collect();
    if !refused.is_empty() {
        return Err(format!("not permissive: {}", refused.join(", ")).into());
    }
    println!("{} packages, all under permissive licenses", packages.len());
    Ok(())
}

/// Returns what Cargo knows about the workspace and its dependencies.
///
/// # Errors
/// Cargo fails.
pub fn metadata() -> TaskResult<Value> {
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
pub fn packages(metadata: &Value) -> TaskResult<&Vec<Value>> {
    Ok(metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?)
}

/// Returns whether an SPDX expression of `AND` over `OR` (or the older `/`) can be satisfied.
fn is_permissive(license: Option<&str>) -> bool {
    let allows = |choice: &str| choice.split(" OR ").any(|name| PERMISSIVE.contains(&name.trim_matches(['(', ')', ' '])));
    license.is_some_and(|license| license.replace('/', " OR ").split(" AND ").all(allows))
}

fn describe(package: &Value) -> String {
    let text = |key: &str| package[key].as_str().unwrap_or("none").to_owned();
    format!("{} {} ({})", text("name"), text("version"), text("license"))
}

#[cfg(test)]
mod tests {
    use super::is_permissive;

    #[test]
    fn every_part_of_an_expression_must_offer_a_permissive_choice() {
        for license in ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
            assert!(is_permissive(Some(license)), "{license}");
        }
        for license in ["GPL-3.0", "MIT AND LGPL-2.1", "AGPL-3.0-only"] {
            assert!(!is_permissive(Some(license)), "{license}");
        }
        assert!(!is_permissive(None));
    }
}
