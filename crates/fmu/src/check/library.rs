//! Rules of the libraries.

use std::collections::BTreeSet;
use std::env::consts::DLL_EXTENSION;

use super::archive::Contents;
use super::finding::Findings;
use crate::loading::{check_elf, is_file_name, is_library_name, platform};
use crate::{Description, GlibcVersion, Library, v2, v3, warning::listed};

/// Platforms of FMI 2.0, with their library extensions. The last two are those of FMI 3.0, which FMUs of FMI 2.0 use as well.
const PLATFORMS: [(&str, &str); 8] = [
    ("win32", "dll"),
    ("win64", "dll"),
    ("linux32", "so"),
    ("linux64", "so"),
    ("darwin32", "dylib"),
    ("darwin64", "dylib"),
    ("aarch64-linux", "so"),
    ("riscv64-linux", "so"),
];

/// Platforms of FMI 3.0: those that it names, of which other combinations are possible.
const PLATFORMS_OF_FMI3: [(&str, &str); 11] = [
    ("x86-windows", "dll"),
    ("x86_64-windows", "dll"),
    ("aarch64-windows", "dll"),
    ("x86-linux", "so"),
    ("x86_64-linux", "so"),
    ("aarch32-linux", "so"),
    ("aarch64-linux", "so"),
    ("riscv64-linux", "so"),
    ("x86-darwin", "dylib"),
    ("x86_64-darwin", "dylib"),
    ("aarch64-darwin", "dylib"),
];

/// Libraries of every Linux system with the GNU C library, by the beginning of the file name.
const SYSTEM: [&str; 10] = [
    "libc.so",
    "libm.so",
    "libdl.so",
    "libpthread.so",
    "librt.so",
    "libutil.so",
    "ld-linux",
    "libgcc_s.so",
    "libstdc++.so",
    "libresolv.so",
];

/// The C library of the oldest systems still in use.
const OLD_GLIBC: GlibcVersion = GlibcVersion { major: 2, minor: 17, patch: 0 };

/// Applies the rules to the names of the files in the platform folders, and to the contents of the library for this platform.
pub(super) fn check(contents: &mut Contents, description: &Description, findings: &mut Findings) {
    let Some(identifier) = description.model_identifier().filter(|identifier| is_file_name(identifier)) else { return };
    platforms(contents, description, identifier, findings);
    let Some(name) = library_name(contents, platform(description), identifier, findings) else { return };
    let Some(data) = contents.read(&name, findings) else { return };
    if let Err(problem) = check_elf(&*data) {
        findings.error(
            Some(&name),
            "library-format",
            problem.to_string(),
            "build a shared library for this platform, or pack the FMU again",
        );
    } else if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        match Library::inspect(&data) {
            Ok(library) => judge(contents, &name, (description, &library), findings),
            Err(problem) => findings.error(Some(&name), "library-format", format!("it {problem}"), "build it again"),
        }
    }
}

/// Checks that folders have standard names, and contain a library with the correct name.
fn platforms(contents: &Contents, description: &Description, identifier: &str, findings: &mut Findings) {
    let own = platform(description);
    let (known, advice): (&[_], _) = match description {
        Description::V2(_) => (&PLATFORMS, "use win32, win64, linux32, linux64, darwin32 or darwin64"),
        Description::V3(_) => {
            (&PLATFORMS_OF_FMI3, "use the names of FMI 3.0, such as x86_64-linux, x86_64-windows or aarch64-darwin")
        }
    };
    let folders: BTreeSet<_> =
        contents.names().filter_map(|name| Some(name.strip_prefix("binaries/")?.split_once('/')?.0)).collect();
    for folder in folders.iter().filter(|folder| **folder != own) {
        let place = format!("binaries/{folder}");
        match known.iter().find(|(platform, _)| platform == folder) {
            None => {
                let message = "the standard does not define this platform".to_owned();
                findings.note(Some(&place), "platform", message, advice);
            }
            Some((_, extension)) => {
                let library = format!("{place}/{identifier}.{extension}");
                if !contents.names().any(|name| name == library) {
                    let message = format!("there is no {identifier}.{extension}");
                    findings.warning(Some(&place), "library-name", message, "name the library after the modelIdentifier");
                }
            }
        }
    }
    if !folders.contains(own) {
        let present: Vec<_> = folders.into_iter().collect();
        let present = if present.is_empty() { "no library at all".to_owned() } else { present.join(", ") };
        let message = format!("there is no library for {own}; the FMU has {present}");
        findings.error(None, "no-library", message, "also export the FMU for this platform");
    }
}

/// The library that would be loaded on this platform.
fn library_name(contents: &Contents, platform: &str, identifier: &str, findings: &mut Findings) -> Option<String> {
    let folder = format!("binaries/{platform}/");
    let expected = format!("{identifier}.{DLL_EXTENSION}");
    let names: Vec<_> = contents.names().filter_map(|name| name.strip_prefix(&folder)).collect();
    if names.is_empty() || names.contains(&expected.as_str()) {
        return (!names.is_empty()).then(|| folder + &expected);
    }
    match names.iter().filter(|name| !name.contains('/') && is_library_name(name)).collect::<Vec<_>>()[..] {
        [] => {
            findings.error(Some(&folder), "no-library", format!("there is no {expected}"), "add the library");
            None
        }
        [only] => {
            let name = format!("{folder}{only}");
            findings.warning(
                Some(&name),
                "library-name",
                format!("it should be named {expected}"),
                "name it after the modelIdentifier",
            );
            Some(name)
        }
        _ => {
            let message = format!("there is no {expected}, and more than one other library");
            findings.error(Some(&folder), "library-ambiguous", message, "name the library after the modelIdentifier");
            None
        }
    }
}

/// Checks the exports and dependencies of the library.
fn judge(contents: &mut Contents, name: &str, (description, library): (&Description, &Library), findings: &mut Findings) {
    symbols(name, description, library, findings);
    let neighbors = neighbors(contents, name, findings);
    let has_neighbor = |needed: &str| neighbors.iter().any(|(file, _)| file == needed);
    let is_system = |needed: &str| SYSTEM.iter().any(|system| needed.starts_with(system));
    for needed in library.needed.iter().filter(|needed| !has_neighbor(needed) && !is_system(needed)) {
        let message = format!("it needs {needed}, which is not in the archive");
        findings.warning(Some(name), "needed-library", message, "put the library beside it, or link it statically");
    }
    run_path(name, library, library.needed.iter().any(|needed| has_neighbor(needed)), findings);
    let provided: BTreeSet<_> = neighbors.iter().flat_map(|(_, neighbor)| &neighbor.exported).collect();
    let undefined: Vec<_> = library.undefined.iter().filter(|symbol| !provided.contains(symbol)).map(String::as_str).collect();
    if !undefined.is_empty() && library.needed.iter().all(|needed| has_neighbor(needed) || is_system(needed)) {
        let message = format!("none of its dependencies defines {}", listed(&undefined));
        findings.warning(
            Some(name),
            "undefined-symbols",
            message,
            "link it with -Wl,--no-undefined, and add the missing libraries",
        );
    }
    if let Some(glibc) = library.glibc.filter(|glibc| *glibc > OLD_GLIBC) {
        let message = format!("it needs glibc {glibc} or newer");
        findings.note(Some(name), "needed-glibc", message, "build it on an older system to support more systems");
    }
}

/// Checks that it exports the functions of FMI and nothing else.
fn symbols(name: &str, description: &Description, library: &Library, findings: &mut Findings) {
    let is_there = |symbol: &&str| library.exported.iter().any(|there| there == symbol);
    let (required, optional) = match description {
        Description::V2(_) => v2::function_names(),
        Description::V3(_) => v3::function_names(),
    };
    let missing: Vec<_> = required.iter().copied().filter(|symbol| !is_there(symbol)).collect();
    if !missing.is_empty() {
        let message = format!("it does not export {}", listed(&missing));
        findings.error(Some(name), "missing-functions", message, "export it without a prefix; the FMU cannot run without it");
    }
    let missing: Vec<_> = optional.iter().copied().filter(|symbol| !is_there(symbol)).collect();
    if !missing.is_empty() {
        let message = format!("it does not export {}", listed(&missing));
        let remedy = "export it and return an error if the FMU does not support it; some importers refuse a library without it";
        findings.warning(Some(name), "missing-functions", message, remedy);
    }
    let extra: Vec<_> = library
        .exported
        .iter()
        .map(String::as_str)
        .filter(|symbol| !["fmi2", "fmi3"].iter().any(|prefix| symbol.starts_with(prefix)))
        .collect();
    if !extra.is_empty() {
        let message = format!("it exports {} symbols besides those of FMI: {}", extra.len(), listed(&extra));
        findings.note(
            Some(name),
            "extra-symbols",
            message,
            "hide them (-fvisibility=hidden): they can collide with those of other FMUs",
        );
    }
}

/// Checks where it searches for libraries.
fn run_path(name: &str, library: &Library, has_neighbors: bool, findings: &mut Findings) {
    let own = |path: &str| path.starts_with("$ORIGIN") || path.starts_with("${ORIGIN}");
    if has_neighbors && !library.run_paths.iter().any(|path| own(path)) {
        let message = "it needs libraries from its own folder but does not search there".to_owned();
        findings.warning(Some(name), "run-path", message, "link it with -Wl,-rpath,'$ORIGIN'");
    }
    for path in library.run_paths.iter().filter(|path| !own(path) && !path.is_empty()) {
        let message = format!("it searches {path} for libraries");
        findings.warning(Some(name), "run-path", message, "remove this folder from the run path; other machines do not have it");
    }
}

/// Returns the readable libraries beside this one, with their file names.
fn neighbors(contents: &mut Contents, name: &str, findings: &mut Findings) -> Vec<(String, Library)> {
    let Some((folder, own)) = name.rsplit_once('/') else { return Vec::new() };
    let in_folder =
        |there: &str| there.rsplit_once('/').filter(|(f, file)| *f == folder && *file != own).map(|(_, file)| file.to_owned());
    let files: Vec<_> = contents.names().filter_map(in_folder).filter(|file| is_library_name(file)).collect();
    let read = |file: String| {
        let data = contents.read(&format!("{folder}/{file}"), findings)?;
        Some((file, Library::inspect(&data).ok()?))
    };
    files.into_iter().filter_map(read).collect()
}
