//! Blocks that are not run, each with the reason. A block marked `no_run` that is not listed here fails, and so does a line here
//! without its block.

use crate::guide::page;

/// Page, begin of the block, reason.
const NOT_RUN: &[(&str, &str, &str)] = &[
    (
        "README.md",
        "cargo xtask demo   #",
        "builds everything in release mode, and runs all tests: the demo is a step of CI, the tests are these",
    ),
    (
        "README.md",
        "cargo xtask dist ",
        "builds everything with full optimization; tests/tests/tools/dist installs what it makes, and runs the same",
    ),
    ("README.md", "cargo build --release", "builds everything in release mode; the programs are those that the tests run"),
    (
        "docs/examples.md",
        "cargo xtask demo --all",
        "builds everything in release mode; tests/tests/systems/examples.rs does the same",
    ),
    (
        "docs/command-line.md",
        "lotka run system.toml --output-file rows.csv --watch",
        "ends with Ctrl-C; tests/tests/command/cli/watch.rs does that",
    ),
    (
        "docs/isolation.md",
        "systemd-run",
        "needs systemd as the manager of the user; crates/lotka-host tests real cgroups where there are some",
    ),
    ("docs/coming-from.md", "from pyfmi", "PyFMI is no package of PyPI in its present version"),
    ("docs/coming-from.md", "from OMSimulator", "OMSimulator has no wheels, and builds for a long time"),
    ("docs/coupling.md", "cargo build --release", "builds everything in release mode; the programs are those that the tests run"),
    (
        "docs/first-system.md",
        "cargo build --release",
        "builds everything in release mode; the programs are those that the tests run",
    ),
    ("docs/other-tools.md", "lotka compile", "takes an FMU with sources; tests/tests/command/cli/compile.rs makes some"),
    ("docs/packaging.md", "cargo xtask package-fmus --glibc", "installs zig; tests/tests/tools/package.rs builds with it"),
    (
        "docs/packaging.md",
        "cargo xtask dist ",
        "builds everything with full optimization; tests/tests/tools/dist makes the same with the profile of the tests",
    ),
    ("docs/packaging.md", "tar -xzf", "needs what the block before makes; tests/tests/tools/dist unpacks and installs it"),
    (
        "docs/ci.md",
        "docker build",
        "needs docker; tests/tests/tools/dist/ci.rs carries out the instructions of the image without it",
    ),
    ("docs/python.md", "cargo xtask wheel", "builds everything in release mode; `cargo xtask test` makes a wheel and tests it"),
    (
        "docs/write-an-fmu.md",
        "cargo generate",
        "cargo-generate is not installed; tests/tests/tools/new_fmu.rs fills in the template as it does",
    ),
    ("docs/sweeps.md", "#!/bin/sh", "takes a cluster with SLURM; shards are run above"),
    ("docs/sweeps.md", "from dask_jobqueue", "takes a cluster with SLURM; a local cluster is run above"),
    ("docs/write-an-fmu.md", "cargo xtask new-fmu", "changes the project; tests/tests/tools/new_fmu.rs does it to a copy"),
];

#[test]
fn every_block_that_does_not_run_has_a_reason_and_every_reason_its_block() {
    let mut marked = Vec::new();
    for page in page::all() {
        let blocks = page.blocks();
        marked.extend(blocks.into_iter().filter(|block| block.is("no_run")).map(|block| (page.name.clone(), block)));
    }
    let is_of = |(page, begin, _): &(&str, &str, &str), name: &str, text: &str| *page == name && text.starts_with(begin);
    for (page, block) in &marked {
        let is_listed = NOT_RUN.iter().any(|entry| is_of(entry, page, &block.text));
        assert!(is_listed, "{page}:{}: the block does not run; say why in not_run.rs, or take `no_run` away", block.line);
    }
    for entry in NOT_RUN {
        let blocks = marked.iter().filter(|(page, block)| is_of(entry, page, &block.text)).count();
        assert_eq!(blocks, 1, "{entry:?}: there is no such block, or more than one");
    }
}
