//! `cargo xtask semver`: checks that the public interface of the libraries is compatible with an earlier version.

use std::{path::Path, process::Command};

use crate::{TaskResult, cargo, tools};

/// The published libraries.
const LIBRARIES: [&str; 20] = [
    "lotka-message",
    "lotka-instance",
    "fmi-xml",
    "fmi2",
    "fmi3",
    "fmu",
    "integrator",
    "fmu-sdk",
    "fmu-package",
    "lotka-host",
    "lotka-plan",
    "lotka-step",
    "lotka-prepare",
    "lotka-run",
    "lotka-tolerance",
    "lotka-results",
    "lotka-system",
    "lotka-formats",
    "lotka-analysis",
    "lotka",
];

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Compare with this commit, branch or tag [default: the newest tag v*].
    #[arg(long, value_name = "REVISION")]
    baseline: Option<String>,
}

/// Runs cargo-semver-checks: a breaking change is an error, unless the version number announces it.
pub fn run(arguments: &Arguments) -> TaskResult {
    let Some(baseline) = arguments.baseline.clone().or_else(last_release) else {
        return Err("there is no release yet (no tag v*); name a revision with --baseline".into());
    };
    tools::require("semver", &[tools::SEMVER_CHECKS])?;
    let mut all = vec!["semver-checks", "--baseline-rev", &baseline];
    all.extend(LIBRARIES.iter().flat_map(|library| ["--package", library]));
    cargo(&all, &[])?;
    println!("nothing that {baseline} promised is broken");
    Ok(())
}

/// Returns the newest version tag.
fn last_release() -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output =
        Command::new("git").args(["describe", "--tags", "--abbrev=0", "--match", "v*"]).current_dir(root).output().ok()?;
    let tag = String::from_utf8(output.stdout).ok()?;
    Some(tag.trim().to_owned()).filter(|tag| output.status.success() && !tag.is_empty())
}
