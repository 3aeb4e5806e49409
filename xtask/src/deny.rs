//! `cargo xtask deny`: judges all dependencies by `deny.toml`, with cargo-deny.

use std::process::Command;

use crate::{TaskResult, build::root, tools};

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Look for vulnerable, unmaintained and yanked crates instead; needs the network.
    #[arg(long)]
    advisories: bool,
}

/// Runs the checks; fails with what cargo-deny finds.
pub fn run(arguments: &Arguments) -> TaskResult {
    tools::require("deny", &[tools::CARGO_DENY])?;
    let checks: &[&str] = if arguments.advisories { &["advisories"] } else { &["bans", "licenses", "sources"] };
    let mut deny = Command::new("cargo");
    deny.args(["deny", "--locked", "check"]).args(checks).current_dir(root());
    if deny.status()?.success() { Ok(()) } else { Err("a dependency is not what deny.toml allows".into()) }
}
