//! The archive: a compressed tar file whose bytes depend on its files alone.

use std::{env, io::Write};

use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

use crate::{TaskResult, files::Files};

/// The environment variable with the time of all files, in seconds since 1970. maturin reads it, too.
const EPOCH: &str = "SOURCE_DATE_EPOCH";

/// The time of all files without that variable: 1980-01-01, as in wheels and FMUs.
const FIRST: u64 = 315_532_800;

/// Returns the time of all files.
///
/// # Errors
/// The variable is no number.
pub fn epoch() -> TaskResult<u64> {
    let Some(text) = env::var_os(EPOCH) else { return Ok(FIRST) };
    let number = text.to_str().and_then(|text| text.parse().ok());
    Ok(number.ok_or_else(|| format!("expected seconds since 1970 in {EPOCH}, found {text:?}"))?)
}

/// Returns the archive of these files, all of which are in one folder: sorted, owned by nobody in particular, of one time.
///
/// # Errors
/// A path is too long.
pub fn tar_gz(folder: &str, files: &Files, time: u64) -> TaskResult<Vec<u8>> {
    let zip = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    let mut archive = Builder::new(zip);
    for (path, file) in files.iter() {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(file.mode());
        header.set_mtime(time);
        header.set_uid(0);
        header.set_gid(0);
        header.set_size(file.bytes.len() as u64);
        archive.append_data(&mut header, format!("{folder}/{path}"), &*file.bytes)?;
    }
    let mut zip = archive.into_inner()?;
    zip.flush()?;
    Ok(zip.finish()?)
}

#[cfg(test)]
mod tests {
    use std::{fs, process::Command};

    use super::*;

    fn files(order: [&str; 3]) -> Files {
        let mut files = Files::default();
        for path in order {
            if path.starts_with("bin/") { files.add_program(path, b"program".to_vec()) } else { files.add(path, path.repeat(99)) }
        }
        files
    }

    #[test]
    fn bytes_depend_on_the_files_alone() {
        let order = ["README.md", "bin/lotka", "share/man/man1/lotka.1"];
        let first = tar_gz("lotka-1.2.3", &files(order), FIRST).unwrap();
        let [a, b, c] = order;
        assert_eq!(first, tar_gz("lotka-1.2.3", &files([c, a, b]), FIRST).unwrap());
        assert_ne!(first, tar_gz("lotka-1.2.3", &files(order), FIRST + 1).unwrap());
    }

    #[test]
    fn tar_lists_sorted_files_of_one_time_and_of_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tar.gz");
        fs::write(&path, tar_gz("top", &files(["b", "bin/lotka", "a"]), FIRST).unwrap()).unwrap();
        let listed = Command::new("tar").args(["--utc", "--numeric-owner", "-tvzf"]).arg(&path).output().unwrap();
        let text = String::from_utf8(listed.stdout).unwrap();
        let words: Vec<Vec<_>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        let line = |mode, size, name| vec![mode, "0/0", size, "1980-01-01", "00:00", name];
        let expected =
            [line("-rw-r--r--", "99", "top/a"), line("-rw-r--r--", "99", "top/b"), line("-rwxr-xr-x", "7", "top/bin/lotka")];
        assert_eq!(words, expected, "{}", String::from_utf8_lossy(&listed.stderr));
    }
}
