//! Structural parameters: arrays have the sizes that a system gives.

mod arrays;
mod continuation;
mod refusals;
mod sizes;
mod sums;

use std::{fs, path::PathBuf};

use lotka::System;
use tempfile::TempDir;
use tests::{host_program, packed};

/// A system file with a rod of so many nodes.
fn rod(nodes: u64, rest: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("system.toml");
    let text = format!(
        "[experiment]\nstop = 1.0\nstep = 0.25\nfmu-tolerance = 1e-10\n[instances]\nrod = {{ fmu = '{}', start = {{ n = {nodes} }} }}\n{rest}",
        packed("fmi3/heat_rod").display()
    );
    fs::write(&path, text).unwrap();
    (folder, path)
}

fn system(nodes: u64) -> System {
    let (_folder, path) = rod(nodes, "");
    System::from_file(path).unwrap()
}

/// A change of a system.
type Change = fn(System) -> System;

/// Ways to run it.
const WAYS: [(&str, Change); 3] = [
    ("in this process", |system| system),
    ("in a process of its own", |system| system.host_program(host_program()).isolate(true)),
    ("measured", |system| system.profile(true)),
];
