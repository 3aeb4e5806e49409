//! Archives and descriptions.

use border::hostile::{BadArchive, Entry, Hostile};
use fmi2::description::Strictness;
use fmu::{Archive, ArchiveProblem, ElfProblem, Error, Fmu, Limits, OpenOptions};
use tempfile::TempDir;

use super::{open, open_with};

#[test]
fn bad_archives_are_refused_and_nothing_escapes() {
    use BadArchive as Bad;
    for bad in Bad::ALL {
        let around = TempDir::new().unwrap();
        let dir = around.path().join("inner");
        std::fs::create_dir(&dir).unwrap();
        let result = Fmu::open(bad.build(&dir));
        assert!(!dir.join("escaped.txt").exists() && !around.path().join("escaped.txt").exists(), "{bad:?}");
        let problem = match result {
            Ok(fmu) => {
                assert!(matches!(bad, Bad::Misnamed | Bad::DotSlash | Bad::Backslash | Bad::Repeated), "{bad:?} was accepted");
                assert!(!fmu.warnings().is_empty(), "{bad:?}");
                continue;
            }
            Err(error) => error,
        };
        assert!(problem.to_string().contains("bad.fmu"), "{problem}");
        let as_expected = match bad {
            Bad::Empty | Bad::NotAZip | Bad::Truncated => matches!(problem, Error::NotAnArchive { .. }),
            Bad::ParentPath | Bad::HiddenParentPath | Bad::AbsolutePath | Bad::DrivePath | Bad::BackslashParent => {
                matches!(problem, Error::ArchiveRefused { problem: ArchiveProblem::Outside { .. }, .. })
            }
            Bad::Link | Bad::LinkToDirectory => {
                matches!(problem, Error::ArchiveRefused { problem: ArchiveProblem::Link { .. }, .. })
            }
            Bad::Duplicate => matches!(problem, Error::ArchiveRefused { problem: ArchiveProblem::DuplicateNames, .. }),
            Bad::DuplicateNormalized | Bad::FileAndDirectory => {
                matches!(problem, Error::ArchiveRefused { problem: ArchiveProblem::Duplicate { .. }, .. })
            }
            Bad::Encrypted => matches!(problem, Error::ArchiveRefused { problem: ArchiveProblem::Encrypted { .. }, .. }),
            Bad::ForeignMethod => matches!(problem, Error::ArchiveRefused { problem: ArchiveProblem::Method { .. }, .. }),
            Bad::Bomb => matches!(problem, Error::ArchiveRefused { problem: ArchiveProblem::TooDense { .. }, .. }),
            Bad::BadChecksum | Bad::WrongSize => matches!(problem, Error::DamagedEntry { .. }),
            Bad::NoDescription => matches!(problem, Error::NoModelDescription { .. }),
            Bad::NoBinary => matches!(&problem, Error::NoBinary { present, .. } if present.is_empty()),
            Bad::ForeignPlatform => matches!(&problem, Error::NoBinary { present, .. } if present == &["darwin64", "win64"]),
            Bad::TwoMisnamed => matches!(&problem, Error::AmbiguousLibrary { found, .. } if found == &["another.so", "other.so"]),
            Bad::EmptyLibrary | Bad::TextLibrary => is_elf_problem(&problem, |problem| *problem == ElfProblem::NotElf),
            Bad::TruncatedLibrary => is_elf_problem(&problem, |problem| *problem == ElfProblem::Truncated),
            Bad::ForeignMachine => is_elf_problem(&problem, |problem| *problem == ElfProblem::OtherMachine { machine: 183 }),
            Bad::ForeignClass => is_elf_problem(&problem, |problem| *problem == ElfProblem::OtherClass),
            Bad::NotALibrary => is_elf_problem(&problem, |problem| *problem == ElfProblem::NotShared { kind: 1 }),
            Bad::Misnamed | Bad::DotSlash | Bad::Backslash | Bad::Repeated => false,
        };
        assert!(as_expected, "{bad:?}: {problem:?}");
    }
}

fn is_elf_problem(error: &Error, matches: impl Fn(&ElfProblem) -> bool) -> bool {
    matches!(error, Error::BadLibrary { problem, .. } if matches(problem))
}

#[test]
fn limits_are_kept() {
    let problem_with = |limits: Limits| match open_with(Hostile::new("limits"), &OpenOptions { limits, ..OpenOptions::default() })
    {
        Err(Error::ArchiveRefused { problem, .. }) => problem,
        other => panic!("{other:?}"),
    };
    let limits = Limits::default();
    assert_eq!(problem_with(Limits { entries: 1, ..limits }), ArchiveProblem::TooManyEntries { entries: 2, limit: 1 });
    assert_eq!(problem_with(Limits { total_size: 1000, ..limits }), ArchiveProblem::TooLarge { limit: 1000 });
    assert_eq!(problem_with(Limits { description_size: 10, ..limits }), ArchiveProblem::TooLarge { limit: 10 });
}

#[test]
fn entries_that_differ_in_case_only_and_common_top_folders_are_refused() {
    let case = Hostile::new("case").edit_archive(|entries| entries.push(Entry::stored("MODELDESCRIPTION.XML", "x")));
    let error = open(case).unwrap_err();
    assert!(matches!(error, Error::ArchiveRefused { problem: ArchiveProblem::Duplicate { .. }, .. }), "{error}");
    let top = Hostile::new("top").edit_archive(|entries| entries.iter_mut().for_each(|entry| entry.name.insert_str(0, "top/")));
    let error = open(top).unwrap_err();
    assert!(error.to_string().contains("`top/modelDescription.xml`"), "{error}");
}

#[test]
fn an_archive_is_read_without_being_unpacked() {
    let dir = TempDir::new().unwrap();
    let path = Hostile::new("archive").build(dir.path());
    let mut archive = Archive::open(&path, &OpenOptions { strictness: Strictness::Strict, ..OpenOptions::default() }).unwrap();
    assert_eq!((archive.path(), archive.platforms(), archive.warnings().len()), (path.as_path(), vec!["linux64".to_owned()], 0));
    assert_eq!(archive.description().model_name(), "archive");
    let target = dir.path().join("unpacked");
    archive.unpack(&target).unwrap();
    assert!(target.join("resources").is_dir() && target.join("binaries/linux64/archive.so").is_file());
    assert!(matches!(archive.unpack(&target), Err(Error::Unpack { .. })), "existing files are not overwritten");
}

#[test]
fn descriptions_that_cannot_be_used_are_refused() {
    let error = open(Hostile::new("xml").edit_xml(|xml| xml.truncate(300))).unwrap_err();
    assert!(matches!(error, Error::Description { .. }), "{error}");
    let error = open(Hostile::new("me").edit_xml(|xml| *xml = xml.replace("<CoSimulation", "<ModelExchange"))).unwrap_err();
    assert!(matches!(error, Error::NoCoSimulation { .. } | Error::Description { .. }), "{error}");
    let error = open(Hostile::new("id").edit_xml(|xml| *xml = xml.replace("Identifier=\"id", "Identifier=\"../id"))).unwrap_err();
    assert!(matches!(error, Error::BadModelIdentifier { .. } | Error::Description { .. }), "{error}");
    assert!(matches!(Fmu::open("/does/not/exist.fmu"), Err(Error::Io { .. })));
}
