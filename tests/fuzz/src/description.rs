//! `modelDescription.xml`: what can be read is written so that it reads back the same.

use fmi2::{ModelDescription, description::Strictness};

pub(super) fn run(bytes: &[u8]) {
    if let Err(problems) = ModelDescription::read(bytes, Strictness::Strict) {
        assert!(!problems.to_string().is_empty());
    }
    let Ok(reading) = ModelDescription::read(bytes, Strictness::default()) else { return };
    let first = reading.description;
    let xml = first.to_xml();
    let second = ModelDescription::read(xml.as_bytes(), Strictness::default())
        .unwrap_or_else(|problems| panic!("what was written is refused: {problems}\n{xml}"))
        .description;
    // As text, where not a number is the same as not a number.
    assert_eq!(format!("{first:?}"), format!("{second:?}"), "{xml}");
    assert_eq!(xml, second.to_xml());
}
