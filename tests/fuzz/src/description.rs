//! `modelDescription.xml`: what can be read is written so that it reads back the same. The version of the file chooses the
//! reader.

use std::fmt::Debug;

use fmi_xml::{Description, Strictness, version};

pub(super) fn run(bytes: &[u8]) {
    match version(bytes) {
        Some(version) if version.starts_with("3.") => read(bytes, fmi3::ModelDescription::to_xml),
        _ => read(bytes, fmi2::ModelDescription::to_xml),
    }
}

fn read<D: Description + Debug>(bytes: &[u8], to_xml: fn(&D) -> String) {
    if let Err(problems) = D::read_file(bytes, Strictness::Strict) {
        assert!(!problems.to_string().is_empty());
    }
    let Ok(reading) = D::read_file(bytes, Strictness::default()) else { return };
    let first = reading.description;
    let xml = to_xml(&first);
    let second = D::read_file(xml.as_bytes(), Strictness::default())
        .unwrap_or_else(|problems| panic!("what was written is refused: {problems}\n{xml}"))
        .description;
    // As text, where not a number is the same as not a number.
    assert_eq!(format!("{first:?}"), format!("{second:?}"), "{xml}");
    assert_eq!(xml, to_xml(&second));
}
