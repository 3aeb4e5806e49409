//! Variants of the library, and a cache of the compiled ones.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError},
};

use crate::c_library::{USUAL_LIBRARIES, fingerprint, in_scratch_dir, kept, link};

/// Properties that distinguish one library from another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Variant {
    pub(super) version: Version,
    pub(super) defines: Vec<String>,
    pub(super) omitted: Vec<String>,
    pub(super) needs_neighbor: bool,
    pub(super) unlinked: bool,
}

/// The version of FMI that an FMU is of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) enum Version {
    #[default]
    Two,
    Three,
    /// FMI 3.0, with faults that are chosen at run time.
    Families,
}

impl Version {
    /// The sources of an FMU, compiled as one unit.
    fn sources(self) -> &'static [&'static str] {
        match self {
            Self::Two => &["fmu.c", "values.c", "states.c", "derivatives.c"],
            Self::Three => &["fmi3.c"],
            Self::Families => &["families.c"],
        }
    }

    /// The file of the model description.
    pub(super) fn description(self) -> &'static str {
        match self {
            Self::Two => "modelDescription.xml",
            Self::Three => "fmi3.xml",
            Self::Families => "families.xml",
        }
    }

    /// The name of this platform.
    pub(super) fn platform(self) -> &'static str {
        match self {
            Self::Two => "linux64",
            Self::Three | Self::Families => "x86_64-linux",
        }
    }
}

/// The text that precedes a library's space for replies, as in `faults.h`, and the size of the space, text included.
const REPLIES_MARK: &[u8] = b"hostile replies:";
const REPLIES_SPACE: usize = 512;

type Compiled = Arc<OnceLock<Vec<u8>>>;

/// Compiled libraries as bytes. Different variants are compiled in parallel.
static LIBRARIES: LazyLock<Mutex<HashMap<Variant, Compiled>>> = LazyLock::new(Mutex::default);

/// Returns the folder of the C sources.
pub fn source_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../hostile")
}

/// Returns the library of this variant, compiled on first use, with the replies of its functions filled in.
pub(super) fn library(variant: &Variant, replies: &str) -> Vec<u8> {
    let compiled = LIBRARIES.lock().unwrap_or_else(PoisonError::into_inner).entry(variant.clone()).or_default().clone();
    let mut library = compiled
        .get_or_init(|| kept(fingerprint(&[source_dir()], (include_str!("compile.rs"), variant)), || compile(variant)))
        .clone();
    let start = library.windows(REPLIES_MARK.len()).position(|window| window == REPLIES_MARK);
    let start = start.unwrap_or_else(|| panic!("{variant:?} has no room for replies")) + REPLIES_MARK.len();
    assert!(replies.len() < REPLIES_SPACE - REPLIES_MARK.len(), "too many replies: {replies}");
    library[start..start + replies.len()].copy_from_slice(replies.as_bytes());
    library
}

/// Returns the library that the FMU's own library depends on.
pub(super) fn neighbor() -> Vec<u8> {
    in_scratch_dir(|dir| link(dir, "libneighbor.so", &[source_dir().join("neighbor.c")], &soname(), &USUAL_LIBRARIES))
}

fn soname() -> [String; 1] {
    ["-Wl,-soname=libneighbor.so".to_owned()]
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
            link(dir, "libneighbor.so", &[source_dir().join("neighbor.c")], &[], &USUAL_LIBRARIES);
            arguments.extend([format!("-L{}", dir.display()), "-lneighbor".to_owned()]);
        }
        let libraries: &[&str] = if variant.unlinked { &["-nodefaultlibs", "-lc"] } else { &USUAL_LIBRARIES };
        let all = dir.join("all.c");
        write(&all, &variant.version.sources().iter().map(|source| format!("#include \"{source}\"\n")).collect::<String>());
        link(dir, "fmu.so", &[all], &arguments, libraries)
    })
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
