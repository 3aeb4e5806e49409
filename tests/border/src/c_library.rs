//! Shared libraries from C sources, compiled once per build folder and cached for later tests.

use std::{
    ffi::OsString,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::Command,
};

/// Libraries that C programs usually link.
pub const USUAL_LIBRARIES: [&str; 2] = ["-pthread", "-lm"];

/// Returns the cached library with this fingerprint, or compiles and caches it.
pub fn kept(fingerprint: u64, compile: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    let Some(folder) = folder_of_libraries() else { return compile() };
    let path = folder.join(format!("{fingerprint:016x}.so"));
    fs::read(&path).unwrap_or_else(|_| {
        let library = compile();
        keep(&folder, &path, &library);
        library
    })
}

/// Returns the cache folder, beside the folder of test executables, so that `cargo clean` removes it.
fn folder_of_libraries() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.ancestors().nth(2)?.join("c-libraries"))
}

/// Writes atomically, so that parallel tests never read a partial file. If caching fails, the library is just compiled again.
fn keep(folder: &Path, path: &Path, library: &[u8]) {
    let written = fs::create_dir_all(folder).and_then(|()| {
        let file = tempfile::NamedTempFile::new_in(folder)?;
        fs::write(file.path(), library)?;
        Ok(file.persist(path)?)
    });
    drop(written);
}

/// Returns a fingerprint of the C sources in these folders, the compiler's name and `what`.
pub fn fingerprint(folders: &[PathBuf], what: impl Hash) -> u64 {
    let listed = folders.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let mut files: Vec<PathBuf> = listed.map(|file| file.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c" || extension == "h"));
    files.sort();
    let mut hasher = DefaultHasher::new();
    files.iter().for_each(|file| fs::read(file).unwrap_or_default().hash(&mut hasher));
    (compiler(), include_str!("c_library.rs"), what).hash(&mut hasher);
    hasher.finish()
}

fn compiler() -> OsString {
    std::env::var_os("CC").unwrap_or_else(|| "cc".into())
}

/// Compiles and links sources into a shared library `dir/name`, and returns its bytes.
///
/// # Panics
/// Panics if the compiler fails.
pub fn link(dir: &Path, name: &str, sources: &[PathBuf], arguments: &[String], libraries: &[&str]) -> Vec<u8> {
    let output = dir.join(name);
    let compiler = compiler();
    let result = Command::new(&compiler)
        .args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O0", "-shared", "-fPIC", "-s", "-o"])
        .arg(&output)
        .args(sources)
        .args(arguments)
        .args(libraries)
        .output()
        .unwrap_or_else(|error| panic!("the C compiler {compiler:?} does not start: {error}"));
    assert!(result.status.success(), "{compiler:?} {arguments:?}:\n{}", String::from_utf8_lossy(&result.stderr));
    fs::read(&output).unwrap_or_else(|error| panic!("{}: {error}", output.display()))
}

/// Runs `work` in a temporary folder.
pub fn in_scratch_dir(work: impl FnOnce(&Path) -> Vec<u8>) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary directory: {error}"));
    work(dir.path())
}
