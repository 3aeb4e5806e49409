//! The cache of contents: whatever happens to its files, an FMU is opened as without it.

use std::{
    collections::BTreeMap,
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, SystemTime},
};

use border::hostile::{Entry, Hostile};
use fmu::{Error, Fmu, OpenOptions, Unpacked};
use lotka_host::{HostOptions, HostedFmu};
use tempfile::TempDir;

/// An FMU with a deep folder, an empty file, and files beside its library.
struct Case {
    dir: TempDir,
    fmu: PathBuf,
    expected: Tree,
}

/// The files and folders below a folder: what they hold, and their mode.
type Tree = BTreeMap<PathBuf, (Option<Vec<u8>>, u32)>;

fn tree(folder: &Path) -> Tree {
    let mut found = Tree::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        let data = fs::metadata(&path).unwrap();
        let content = data.is_file().then(|| fs::read(&path).unwrap());
        if data.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        found.insert(path.strip_prefix(folder).unwrap().to_owned(), (content, data.mode()));
    }
    found
}

fn fmu(page: &'static str) -> Hostile {
    Hostile::new("kept").edit_archive(move |entries| {
        let table: Vec<u8> = (0..200_000_u64).map(|n| (n * n % 251) as u8).collect();
        entries.push(Entry::deflated("resources/deep/table.bin", &table));
        entries.push(Entry::stored("resources/empty", ""));
        entries.push(Entry::stored("documentation/index.html", page));
    })
}

impl Case {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let fmu = fmu("<p>hello</p>").build(dir.path());
        let expected = tree(Unpacked::open(&fmu, &OpenOptions::default()).unwrap().folder());
        Self { dir, fmu, expected }
    }

    fn cache(&self) -> PathBuf {
        self.dir.path().join("cache")
    }

    fn options(&self) -> OpenOptions {
        OpenOptions { cache: Some(self.cache()), ..OpenOptions::default() }
    }

    /// Opens with the cache, and compares with an opening without it.
    fn assert_opens(&self) {
        let unpacked = Unpacked::open(&self.fmu, &self.options()).unwrap();
        assert!(tree(unpacked.folder()) == self.expected, "the files differ");
    }

    /// Opens, and returns the only file in the cache afterwards.
    fn kept(&self) -> PathBuf {
        self.assert_opens();
        let files = self.contents();
        assert_eq!(files.len(), 1, "{files:?}");
        files.into_iter().next().unwrap()
    }

    /// The files in the cache, without the notes which archive they are from.
    fn contents(&self) -> Vec<PathBuf> {
        contents(&self.cache())
    }
}

fn contents(cache: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("of-"))).collect()
}

fn rewrite(path: &Path, content: &[u8]) {
    fs::remove_file(path).unwrap();
    fs::write(path, content).unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o400)).unwrap();
}

#[test]
fn contents_are_kept_once_and_used_from_then_on() {
    let case = Case::new();
    let kept = case.kept();
    let (written, content) = (fs::metadata(&kept).unwrap(), fs::read(&kept).unwrap());
    assert_eq!(written.mode() & 0o7777, 0o400);
    assert_eq!(fs::metadata(case.cache()).unwrap().mode() & 0o7777, 0o700);
    case.assert_opens();
    assert_eq!(fs::metadata(case.kept()).unwrap().ino(), written.ino(), "it was written again");
    assert!(content.windows(4).any(|bytes| bytes == b"\x7fELF") && content.windows(12).any(|bytes| bytes == b"<p>hello</p>"));
    let fmu = Fmu::open_with(&case.fmu, &case.options()).unwrap();
    assert_eq!(fmu.warnings(), Fmu::open(&case.fmu).unwrap().warnings());
    assert_eq!(fmu.path(), case.fmu);
}

#[test]
fn a_use_is_noted_so_that_it_is_removed_last() {
    let case = Case::new();
    let kept = case.kept();
    let long_ago = SystemTime::now() - Duration::from_secs(30 * 24 * 3600);
    fs::File::open(&kept).unwrap().set_modified(long_ago).unwrap();
    case.assert_opens();
    assert!(fs::metadata(&kept).unwrap().modified().unwrap() > long_ago + Duration::from_secs(3600));
}

#[test]
fn files_that_are_changed_truncated_exchanged_or_removed_are_replaced() {
    let case = Case::new();
    let kept = case.kept();
    let content = fs::read(&kept).unwrap();
    let end = content.len() - 1;
    for position in [0, 1, end / 2, end - 40, end - 32, end - 31, end] {
        let mut changed = content.clone();
        changed[position] ^= 1;
        rewrite(&kept, &changed);
        assert_eq!(fs::read(case.kept()).unwrap(), content, "a bit of byte {position}");
    }
    for length in [0, 1, 32, end / 2, end] {
        rewrite(&kept, &content[..length]);
        assert_eq!(fs::read(case.kept()).unwrap(), content, "{length} bytes");
    }
    rewrite(&kept, &[&content[..], b"!"].concat());
    assert_eq!(fs::read(case.kept()).unwrap(), content, "a byte more");
    fs::remove_file(&kept).unwrap();
    assert_eq!(fs::read(case.kept()).unwrap(), content, "removed");
    fs::remove_file(&kept).unwrap();
    symlink("/dev/zero", &kept).unwrap();
    assert_eq!(fs::read(case.kept()).unwrap(), content, "a link to a device");
    fs::remove_dir_all(case.cache()).unwrap();
    assert_eq!(fs::read(case.kept()).unwrap(), content, "all removed");
}

#[test]
fn contents_of_another_archive_are_not_taken_even_if_they_are_whole() {
    let case = Case::new();
    let dir = TempDir::new().unwrap();
    // The same sizes, and one other byte.
    let other = fmu("<p>hallo</p>");
    let others = dir.path().join("cache");
    let options = OpenOptions { cache: Some(others.clone()), ..OpenOptions::default() };
    Unpacked::open(&other.build(dir.path()), &options).unwrap();
    let foreign = contents(&others).remove(0);
    let kept = case.kept();
    assert_eq!(fs::metadata(&foreign).unwrap().len(), fs::metadata(&kept).unwrap().len());
    assert_ne!(foreign.file_name(), kept.file_name());
    rewrite(&kept, &fs::read(&foreign).unwrap());
    case.assert_opens();
}

#[test]
fn a_folder_that_others_can_use_is_not_used() {
    let case = Case::new();
    fs::create_dir(case.cache()).unwrap();
    for mode in [0o755, 0o770, 0o701, 0o777] {
        fs::set_permissions(case.cache(), Permissions::from_mode(mode)).unwrap();
        case.assert_opens();
        assert_eq!(fs::read_dir(case.cache()).unwrap().count(), 0, "{mode:o}");
    }
    fs::set_permissions(case.cache(), Permissions::from_mode(0o700)).unwrap();
    let kept = case.kept();
    // Nor is a file that others can change.
    fs::set_permissions(&kept, Permissions::from_mode(0o422)).unwrap();
    case.assert_opens();
    assert_eq!(fs::metadata(&kept).unwrap().mode() & 0o7777, 0o400);
    // A file in the place of the folder.
    fs::remove_dir_all(case.cache()).unwrap();
    fs::write(case.cache(), "").unwrap();
    case.assert_opens();
}

#[test]
fn a_damaged_archive_fails_as_without_the_cache_and_leaves_nothing() {
    let dir = TempDir::new().unwrap();
    let path = border::hostile::BadArchive::BadChecksum.build(dir.path());
    let cache = dir.path().join("cache");
    let options = OpenOptions { cache: Some(cache.clone()), ..OpenOptions::default() };
    let (with, without) = (Fmu::open_with(&path, &options).unwrap_err(), Fmu::open(&path).unwrap_err());
    assert!(matches!(with, Error::DamagedEntry { .. }));
    assert_eq!(with.to_string(), without.to_string());
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 0);
}

#[test]
fn an_fmu_that_writes_into_its_folder_writes_into_its_own() {
    let case = Case::new();
    let kept = case.kept();
    let content = fs::read(&kept).unwrap();
    let unpacked = Unpacked::open(&case.fmu, &case.options()).unwrap();
    let resources = unpacked.folder().join("resources");
    fs::write(resources.join("deep/table.bin"), "overwritten").unwrap();
    fs::write(resources.join("new"), "").unwrap();
    fs::remove_file(unpacked.folder().join("modelDescription.xml")).unwrap();
    case.assert_opens();
    assert_eq!(fs::read(&kept).unwrap(), content);
    drop(unpacked);
}

#[test]
fn files_that_nobody_uses_or_finished_are_removed() {
    let case = Case::new();
    let kept = case.kept();
    let days = |count: u64| SystemTime::now() - Duration::from_secs(count * 24 * 3600);
    let [old, young] = ["01", "23"].map(|digits| digits.repeat(32));
    let others = [
        ("part-abandoned", days(2)),
        ("part-growing", days(0)),
        (&*old, days(91)),
        (&*young, days(89)),
        ("of the user", days(999)),
    ];
    for (name, modified) in others {
        let path = case.cache().join(name);
        fs::write(&path, "").unwrap();
        fs::File::open(&path).unwrap().set_modified(modified).unwrap();
    }
    // Cleaning is part of keeping.
    fs::remove_file(&kept).unwrap();
    case.assert_opens();
    let mut names: Vec<_> = case.contents().iter().map(|path| path.file_name().unwrap().to_owned()).collect();
    names.sort();
    let mut expected = vec![kept.file_name().unwrap().to_owned(), young.into(), "of the user".into(), "part-growing".into()];
    expected.sort();
    assert_eq!(names, expected);
}

#[test]
fn hosted_fmus_are_opened_from_the_cache_too() {
    let case = Case::new();
    let hosts = || HostOptions { program: Some(border::host_program()), ..HostOptions::default() };
    let hosted = || HostedFmu::open(&case.fmu, HostOptions { cache: Some(case.cache()), ..hosts() }).unwrap();
    let kept = || case.contents().iter().map(|path| fs::metadata(path).unwrap().ino()).collect::<Vec<_>>();
    assert!(tree(hosted().folder()) == case.expected);
    let first = kept();
    assert_eq!(first.len(), 1);
    assert!(tree(hosted().folder()) == case.expected);
    assert_eq!(kept(), first);
}

#[test]
fn threads_that_open_keep_change_and_remove_at_once_get_the_same_files() {
    let case = Case::new();
    let kept = case.kept();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0.. {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                let content = fs::read(&kept).unwrap_or_default();
                // It can be gone at any of these calls, or be a new one.
                let _ = match round % 3 {
                    0 => fs::remove_file(&kept),
                    1 => fs::set_permissions(&kept, Permissions::from_mode(0o600))
                        .and_then(|()| fs::write(&kept, &content[content.len() / 2..])),
                    _ => {
                        (0..1000).for_each(|_| thread::yield_now());
                        Ok(())
                    }
                };
            }
        });
        let opening: Vec<_> = (0..2).map(|_| scope.spawn(|| (0..40).for_each(|_| case.assert_opens()))).collect();
        let ended: Vec<_> = opening.into_iter().map(thread::ScopedJoinHandle::join).collect();
        is_over.store(true, Ordering::Relaxed);
        assert!(ended.iter().all(Result::is_ok));
    });
}
