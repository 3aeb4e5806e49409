//! The registry's crates `fmi` and `fmi-rs` as importers: they make the calls that our master makes, so that the numbers are
//! equal to the bit.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use tests::interop::run;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::{Row, STEP, STEPS, coupled_pair, interop, jacobi_of, our_jacobi, pair, pair_of_fmi3};

#[test]
fn both_crates_give_our_numbers_with_fmus_of_fmi_2() {
    for importer in ["fmi2", "fmi-rs2"] {
        assert_equal(&coupled_pair(interop().importer(importer), pair()), &our_jacobi());
    }
}

#[test]
fn fmi_rs_gives_our_numbers_with_fmus_of_fmi_3() {
    assert_equal(&coupled_pair(interop().importer("fmi-rs3"), pair_of_fmi3()), &jacobi_of(pair_of_fmi3()));
}

/// `fmi` 0.8 refuses the attribute `unit` of `<Float64>` and elements within `<Annotation>`, both of which FMI 3.0 has.
#[test]
fn fmi_gives_our_numbers_with_fmus_of_fmi_3_without_the_elements_that_it_refuses() {
    let mut whole = interop().importer("fmi3");
    let refused = run(whole.args(pair_of_fmi3()).args([STEP.to_string(), STEPS.to_string()])).unwrap_err();
    assert!(refused.contains(r#"UnknownField { name: "FmiFloat64", field: "unit" }"#), "{refused}");
    let folder = tempfile::tempdir().unwrap();
    let plain = pair_of_fmi3().map(|path| without_units_and_annotations(&path, folder.path()));
    assert_equal(&coupled_pair(interop().importer("fmi3"), plain), &jacobi_of(pair_of_fmi3()));
}

/// Compares all rows, that of the start included, bit by bit.
fn assert_equal(theirs: &[Row], ours: &[Row]) {
    assert_eq!(theirs.len(), STEPS + 1);
    assert_eq!(ours.len(), STEPS + 1);
    for (theirs, ours) in theirs.iter().zip(ours) {
        assert_eq!(theirs.map(f64::to_bits), ours.map(f64::to_bits), "{theirs:?} {ours:?}");
    }
}

/// A copy of an FMU whose description has neither units of variables nor annotations.
fn without_units_and_annotations(fmu: &Path, folder: &Path) -> PathBuf {
    let copy = folder.join(fmu.file_name().unwrap());
    let mut archive = ZipArchive::new(File::open(fmu).unwrap()).unwrap();
    let mut written = ZipWriter::new(File::create(&copy).unwrap());
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        let name = entry.name().unwrap().into_owned();
        if name == "modelDescription.xml" {
            let text = String::from_utf8(content).unwrap();
            let text = without(&without(&text, " unit=\"", "\""), "<Annotations>", "</Annotations>");
            content = text.into_bytes();
        }
        written.start_file(name, SimpleFileOptions::default()).unwrap();
        written.write_all(&content).unwrap();
    }
    written.finish().unwrap();
    copy
}

/// The text without what begins with `start` and ends with `end`.
fn without(text: &str, start: &str, end: &str) -> String {
    let mut parts = text.split(start);
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |kept, part| kept + part.split_once(end).unwrap().1)
}
