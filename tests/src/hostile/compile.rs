//! The C compiler, and what it made so far.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

/// What distinguishes one library from another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Variant {
    pub(super) defines: Vec<String>,
    pub(super) omitted: Vec<String>,
    pub(super) needs_neighbor: bool,
}

/// The sources of an FMU, compiled as one.
const SOURCES: [&str; 4] = ["fmu.c", "values.c", "states.c", "derivatives.c"];

/// The text after which a library has room for its replies, as in `faults.h`, and how much room, text included.
const REPLIES_MARK: &[u8] = b"hostile replies:";
const REPLIES_SPACE: usize = 512;

type Compiled = Arc<OnceLock<Vec<u8>>>;

/// Libraries as bytes. Different ones are compiled at the same time.
static LIBRARIES: LazyLock<Mutex<HashMap<Variant, Compiled>>> = LazyLock::new(Mutex::default);

/// Where the C sources are.
pub fn source_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("hostile")
}

/// The library of this variant, compiled on first use, with what its functions answer instead of OK.
pub(super) fn library(variant: &Variant, replies: &str) -> Vec<u8> {
    let compiled = LIBRARIES.lock().unwrap_or_else(PoisonError::into_inner).entry(variant.clone()).or_default().clone();
    let mut library = compiled.get_or_init(|| kept(variant)).clone();
    let start = library.windows(REPLIES_MARK.len()).position(|window| window == REPLIES_MARK);
    let start = start.unwrap_or_else(|| panic!("{variant:?} has no room for replies")) + REPLIES_MARK.len();
    assert!(replies.len() < REPLIES_SPACE - REPLIES_MARK.len(), "too many replies: {replies}");
    library[start..start + replies.len()].copy_from_slice(replies.as_bytes());
    library
}

/// The library beside the FMU's own.
pub(super) fn neighbor() -> Vec<u8> {
    in_scratch_dir(|dir| link(dir, "libneighbor.so", &source_dir().join("neighbor.c"), &soname()))
}

fn soname() -> [String; 1] {
    ["-Wl,-soname=libneighbor.so".to_owned()]
}

/// The library of an earlier test of the same sources, or a new one, which is kept for the next test.
fn kept(variant: &Variant) -> Vec<u8> {
    let Some(folder) = folder_of_libraries() else { return compile(variant) };
    let path = folder.join(format!("{:016x}.so", fingerprint(variant)));
    fs::read(&path).unwrap_or_else(|_| {
        let library = compile(variant);
        keep(&folder, &path, &library);
        library
    })
}

/// Beside the folder of the test executables, so that it is cleaned away with them.
fn folder_of_libraries() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.ancestors().nth(2)?.join("hostile-libraries"))
}

/// Tests that run at the same time never see half a file. A library that cannot be kept is compiled again, that is all.
fn keep(folder: &Path, path: &Path, library: &[u8]) {
    let written = fs::create_dir_all(folder).and_then(|()| {
        let file = tempfile::NamedTempFile::new_in(folder)?;
        fs::write(file.path(), library)?;
        Ok(file.persist(path)?)
    });
    drop(written);
}

/// Differs where the sources, the compiler's name or the variant differ.
fn fingerprint(variant: &Variant) -> u64 {
    let mut files: Vec<PathBuf> = fs::read_dir(source_dir()).into_iter().flatten().flatten().map(|file| file.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c" || extension == "h"));
    files.sort();
    let mut hasher = DefaultHasher::new();
    files.iter().for_each(|file| fs::read(file).unwrap_or_default().hash(&mut hasher));
    (compiler(), include_str!("compile.rs"), variant).hash(&mut hasher);
    hasher.finish()
}

fn compile(variant: &Variant) -> Vec<u8> {
    in_scratch_dir(|dir| {
        let mut arguments: Vec<String> = variant.defines.iter().map(|define| format!("-D{define}")).collect();
        arguments.push(format!("-I{}", source_dir().display()));
        if !variant.omitted.is_empty() {
            let script = dir.join("symbols.map");
            write(&script, &format!("{{ global: *; local: {}; }};\n", variant.omitted.join("; ")));
            arguments.push(format!("-Wl,--version-script={}", script.display()));
        }
        if variant.needs_neighbor {
            link(dir, "libneighbor.so", &source_dir().join("neighbor.c"), &[]);
            arguments.extend([format!("-L{}", dir.display()), "-lneighbor".to_owned()]);
        }
        let all = dir.join("all.c");
        write(&all, &SOURCES.map(|source| format!("#include \"{source}\"\n")).concat());
        link(dir, "fmu.so", &all, &arguments)
    })
}

fn compiler() -> std::ffi::OsString {
    std::env::var_os("CC").unwrap_or_else(|| "cc".into())
}

fn link(dir: &Path, name: &str, source: &Path, arguments: &[String]) -> Vec<u8> {
    let output = dir.join(name);
    let compiler = compiler();
    let result = Command::new(&compiler)
        .args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O0", "-shared", "-fPIC", "-s", "-o"])
        .arg(&output)
        .arg(source)
        .args(arguments)
        .args(["-pthread", "-lm"])
        .output()
        .unwrap_or_else(|error| panic!("the C compiler {compiler:?} does not start: {error}"));
    assert!(result.status.success(), "{compiler:?} {arguments:?}:\n{}", String::from_utf8_lossy(&result.stderr));
    fs::read(&output).unwrap_or_else(|error| panic!("{}: {error}", output.display()))
}

fn in_scratch_dir(work: impl FnOnce(&Path) -> Vec<u8>) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary directory: {error}"));
    work(dir.path())
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
