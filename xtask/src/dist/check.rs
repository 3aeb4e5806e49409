//! What must be true of everything that is distributed: it runs on the systems that it is for, and contains no path of this
//! machine.

use std::io::{Cursor, Read};

use fmu_package::Library;
use zip::ZipArchive;

use crate::{TaskResult, build::Build, files::Files};

/// Checks all files, also those inside FMUs: libraries and programs need no newer C library than that of the build and have no
/// table of symbols; no file contains a path of this machine.
///
/// # Errors
/// All problems, or an archive inside cannot be read.
pub fn check(files: &Files, build: &Build) -> TaskResult {
    let problems = problems(files, build)?;
    if problems.is_empty() { Ok(()) } else { Err(format!("not fit for distribution:\n  {}", problems.join("\n  ")).into()) }
}

fn problems(files: &Files, build: &Build) -> TaskResult<Vec<String>> {
    let mut problems = Vec::new();
    for (path, file) in files.iter() {
        if path.ends_with(".fmu") {
            let inside = self::problems(&unzipped(&file.bytes)?, build)?;
            problems.extend(inside.into_iter().map(|problem| format!("{path}: {problem}")));
        }
        if file.bytes.starts_with(b"\x7fELF") {
            problems.extend(of_program(&file.bytes, build).into_iter().map(|problem| format!("{path}: {problem}")));
        }
        // A folder right below the root, such as that of a container, is in many texts by chance, and names nobody.
        let private = build.private_paths.iter().filter(|path| path.matches('/').count() > 1);
        let is_inside = |text: &&String| file.bytes.windows(text.len()).any(|window| window == text.as_bytes());
        problems.extend(private.filter(is_inside).map(|text| format!("{path}: contains the path {text}")));
    }
    Ok(problems)
}

/// Returns what is wrong with a program or library.
fn of_program(bytes: &[u8], build: &Build) -> Vec<String> {
    let library = match Library::inspect(bytes) {
        Ok(library) => library,
        Err(error) => return vec![error.to_string()],
    };
    let newer =
        build.glibc.map(|oldest| (oldest, library.glibc_symbols_after(oldest))).filter(|(_, symbols)| !symbols.is_empty());
    let newer = newer.map(|(oldest, symbols)| format!("uses symbols newer than glibc {oldest}: {}", symbols.join(", ")));
    let symbols = bytes.windows(8).any(|window| window == b".symtab\0").then(|| "has a table of symbols".to_owned());
    newer.into_iter().chain(symbols).collect()
}

/// Returns the files of a zip archive: an FMU or a wheel.
///
/// # Errors
/// It cannot be read.
pub fn unzipped(bytes: &[u8]) -> TaskResult<Files> {
    let mut archive = ZipArchive::new(Cursor::new(bytes))?;
    let mut files = Files::default();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index)?;
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        files.add(entry.name()?.into_owned(), bytes);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::{env, fs, io::Write};

    use fmu_package::GlibcVersion;
    use zip::{ZipWriter, write::SimpleFileOptions};

    use super::*;

    #[test]
    fn what_is_unfit_is_named_also_inside_of_fmus() {
        // The running test: not stripped, linked with the C library of this system, and knowing where it was built.
        let own = fs::read(env::current_exe().unwrap()).unwrap();
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        zip.start_file("binaries/linux64/a.so", SimpleFileOptions::default()).unwrap();
        zip.write_all(&own).unwrap();
        let mut files = Files::default();
        files.add("examples/fmus/a.fmu", zip.finish().unwrap().into_inner());
        files.add("README.md", "all/about/nothing");
        files.add("bin/broken", b"\x7fELF".to_vec());
        files.add("path", format!("built in {}", env!("CARGO_MANIFEST_DIR")));
        let mut build = Build::here("dev").unwrap();
        build.private_paths = vec![env!("CARGO_MANIFEST_DIR").to_owned(), "/about".to_owned()];
        build.glibc = Some(GlibcVersion { major: 2, minor: 2, patch: 5 });
        let text = check(&files, &build).unwrap_err().to_string();
        let lines: Vec<_> = text.lines().skip(1).map(str::trim).collect();
        assert!(lines[0].starts_with("bin/broken: is not a readable 64-bit ELF file"), "{text}");
        assert!(
            lines[1].starts_with("examples/fmus/a.fmu: binaries/linux64/a.so: uses symbols newer than glibc 2.2.5: "),
            "{text}"
        );
        assert_eq!(lines[2], "examples/fmus/a.fmu: binaries/linux64/a.so: has a table of symbols");
        let path = format!("contains the path {}", env!("CARGO_MANIFEST_DIR"));
        assert_eq!(lines[3..], [format!("examples/fmus/a.fmu: binaries/linux64/a.so: {path}"), format!("path: {path}")]);
        let mut sound = Files::default();
        sound.add("README.md", "all/about/nothing");
        check(&sound, &build).unwrap();
    }
}
