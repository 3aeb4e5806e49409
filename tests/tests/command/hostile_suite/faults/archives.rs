use super::{Group, a};
use crate::hostile_suite::case::Case;
use tests::hostile::{BadArchive, Entry};

pub const GROUP: Group = Group { title: "Archives", faults };

/// A further entry beside those of a sound FMU.
fn with(name: &str, entry: Entry) -> Case {
    Case::new(name, a().edit_archive(|entries| entries.push(entry)))
}

fn faults() -> Vec<Case> {
    const OUTSIDE: &str = "would be written outside the folder";
    const REPEATED: &str = "is there more than once, with the same contents";
    const TWICE: &str = "exists more than once";
    let device = Entry { mode: 0o020_644, ..Entry::stored("resources/device", "") };
    let pipe = Entry { mode: 0o010_644, ..Entry::stored("resources/pipe", "") };
    let claims = Entry { size: u32::MAX, ..Entry::stored("resources/large", "x") };
    vec![
        Case::archive("empty file", BadArchive::Empty).refused(&["not a zip archive"]),
        Case::archive("web page", BadArchive::NotAZip).refused(&["not a zip archive"]),
        Case::archive("half of an archive", BadArchive::Truncated).refused(&["not a zip archive"]),
        Case::archive("entry above the folder", BadArchive::ParentPath).refused(&[OUTSIDE]),
        Case::archive("entry above the folder, by a detour", BadArchive::HiddenParentPath).refused(&[OUTSIDE]),
        Case::archive("absolute path", BadArchive::AbsolutePath).refused(&[OUTSIDE]),
        Case::archive("drive letter", BadArchive::DrivePath).refused(&[OUTSIDE]),
        Case::archive("entry above the folder, with backslashes", BadArchive::BackslashParent).refused(&[OUTSIDE]),
        Case::archive("names with ./", BadArchive::DotSlash).runs(&["should be written with slashes and without `./`"]),
        Case::archive("names with backslashes", BadArchive::Backslash).runs(&["should be written with slashes"]),
        Case::archive("symbolic link", BadArchive::Link).refused(&["is a link or a device"]),
        Case::archive("symbolic link to a folder, and an entry in it", BadArchive::LinkToDirectory)
            .refused(&["is a link or a device"]),
        with("device", device).refused(&["is a link or a device"]),
        with("named pipe", pipe).refused(&["is a link or a device"]),
        Case::archive("two entries of the same name", BadArchive::Duplicate).refused(&["two entries of the same name"]),
        Case::archive("two equal entries", BadArchive::Repeated).runs(&["modelDescription.xml", REPEATED]),
        Case::new(
            "two equal entries, once with ./",
            a().edit_archive(|entries| {
                entries.extend(["", "./"].map(|before| Entry::stored(&format!("{before}resources/a"), "x")))
            }),
        )
        .runs(&[REPEATED]),
        Case::archive("two entries of the same name, once with ./", BadArchive::DuplicateNormalized).refused(&[TWICE]),
        with("two entries of the same name, once in capitals", Entry::stored("MODELDESCRIPTION.XML", "x")).refused(&[TWICE]),
        Case::archive("a file and a folder of the same name", BadArchive::FileAndDirectory).refused(&[TWICE]),
        with("name with a control character", Entry::stored("resources/a\nb", "x")).refused(&["control characters"]),
        with("name of 5000 characters", Entry::stored(&format!("resources/{}", "x".repeat(5000)), "x"))
            .refused(&["name too long"]),
        with("3000 folders in each other", Entry::stored(&"d/".repeat(3000), "")).refused(&["name too long"]),
        Case::archive("encrypted", BadArchive::Encrypted).refused(&["is encrypted"]),
        Case::archive("compressed with bzip2", BadArchive::ForeignMethod).refused(&["only stored and deflate are allowed"]),
        Case::archive("wrong checksum", BadArchive::BadChecksum).refused(&["binaries/linux64/bad.so"]),
        Case::archive("wrong size", BadArchive::WrongSize).refused(&["modelDescription.xml"]),
        with("claims four gigabytes", claims).refused(&["resources/large"]),
        Case::archive("bomb", BadArchive::Bomb).refused(&["times its packed size"]),
        Case::new(
            "60 000 entries",
            a().edit_archive(|entries| {
                entries.extend((0..60_000).map(|index| Entry::stored(&format!("resources/{index}"), "")));
            }),
        )
        .refused(&["60002 entries, more than 50000"]),
        Case::archive("no description", BadArchive::NoDescription).refused(&["modelDescription.xml"]),
        Case::new(
            "everything in a folder of its own",
            a().edit_archive(|entries| {
                entries.iter_mut().for_each(|entry| entry.name.insert_str(0, "top/"));
            }),
        )
        .ends(11, &["`top/modelDescription.xml`", "common top folder"])
        .checked(11, &["all entries are in the folder top"]),
        Case::bytes("something before the archive", || [b"#!/bin/sh\n".to_vec(), a().bytes()].concat()).runs(&[]),
        Case::bytes("something behind the archive", || [a().bytes(), vec![0; 70_000]].concat()).refused(&["not a zip archive"]),
    ]
}
