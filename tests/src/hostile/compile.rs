//! The C compiler, and what it made so far.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError};

/// What distinguishes one library from another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Variant {
    pub(super) defines: Vec<String>,
    pub(super) omitted: Vec<String>,
    pub(super) needs_neighbor: bool,
}

/// Libraries are kept as bytes: nothing is left on disk when the process ends.
static LIBRARIES: LazyLock<Mutex<HashMap<Variant, Vec<u8>>>> = LazyLock::new(Mutex::default);

/// Where the C sources are.
pub fn source_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("hostile")
}

/// The library of this variant, compiled on first use.
pub(super) fn library(variant: &Variant) -> Vec<u8> {
    let mut libraries = LIBRARIES.lock().unwrap_or_else(PoisonError::into_inner);
    libraries.entry(variant.clone()).or_insert_with(|| compile(variant)).clone()
}

/// The library beside the FMU's own.
pub(super) fn neighbor() -> Vec<u8> {
    in_scratch_dir(|dir| link(dir, "libneighbor.so", &["neighbor.c"], &["-Wl,-soname=libneighbor.so".to_owned()]))
}

fn compile(variant: &Variant) -> Vec<u8> {
    in_scratch_dir(|dir| {
        let mut arguments: Vec<String> = variant.defines.iter().map(|define| format!("-D{define}")).collect();
        if !variant.omitted.is_empty() {
            let script = dir.join("symbols.map");
            write(&script, &format!("{{ global: *; local: {}; }};\n", variant.omitted.join("; ")));
            arguments.push(format!("-Wl,--version-script={}", script.display()));
        }
        if variant.needs_neighbor {
            link(dir, "libneighbor.so", &["neighbor.c"], &[]);
            arguments.extend([format!("-L{}", dir.display()), "-lneighbor".to_owned()]);
        }
        link(dir, "fmu.so", &["fmu.c", "values.c", "states.c"], &arguments)
    })
}

fn link(dir: &Path, name: &str, sources: &[&str], arguments: &[String]) -> Vec<u8> {
    let output = dir.join(name);
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let result = Command::new(&compiler)
        .args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-s", "-o"])
        .arg(&output)
        .args(sources.iter().map(|source| source_dir().join(source)))
        .args(arguments)
        .args(["-pthread", "-lm"])
        .output()
        .unwrap_or_else(|error| panic!("the C compiler {compiler:?} does not start: {error}"));
    assert!(result.status.success(), "{compiler:?} {arguments:?}:\n{}", String::from_utf8_lossy(&result.stderr));
    std::fs::read(&output).unwrap_or_else(|error| panic!("{}: {error}", output.display()))
}

fn in_scratch_dir(work: impl FnOnce(&Path) -> Vec<u8>) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary directory: {error}"));
    work(dir.path())
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
