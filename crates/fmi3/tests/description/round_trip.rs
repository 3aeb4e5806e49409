//! Every description reads back exactly as it was written.

use crate::arbitrary::description;
use fmi3::description::VariableKind;
use fmi3::{ModelDescription, Strictness};
use proptest::prelude::*;

proptest! {
    #[test]
    fn what_is_written_reads_back(description in description()) {
        let xml = description.to_xml();
        let strictness = if description.check().is_empty() { Strictness::Strict } else { Strictness::Lenient };
        let reading = ModelDescription::read(xml.as_bytes(), strictness)
            .map_err(|problems| TestCaseError::fail(format!("{problems}\n{xml}")))?;
        prop_assert_eq!(&reading.description, &description);
        prop_assert_eq!(reading.description.to_xml(), xml);
        // The check in memory and the reader report the same problems.
        let mut in_memory: Vec<_> = description.check().into_iter().map(|problem| problem.message).collect();
        let mut read: Vec<_> = reading.warnings.into_iter().map(|problem| problem.message).collect();
        in_memory.sort();
        read.sort();
        prop_assert_eq!(in_memory, read);
    }

    #[test]
    fn every_finite_real_reads_back_bit_by_bit(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        prop_assume!(value.is_finite());
        let rich = ModelDescription::read(crate::rich::RICH.as_bytes(), Strictness::Strict).unwrap().description;
        let start = |description: &ModelDescription| match &description.variables[2].kind {
            VariableKind::Float64(float) => float.start.as_ref().map(|start| start[0].to_bits()),
            _ => None,
        };
        let mut written = rich;
        if let VariableKind::Float64(float) = &mut written.variables[2].kind {
            float.start = Some(vec![value]);
        }
        let read = ModelDescription::read(written.to_xml().as_bytes(), Strictness::Strict).unwrap();
        prop_assert_eq!(start(&read.description), Some(bits));
    }

    #[test]
    fn every_finite_number_of_32_bits_reads_back(bits in any::<u32>()) {
        let value = f32::from_bits(bits);
        prop_assume!(value.is_finite());
        let mut written = crate::rich::rich();
        if let VariableKind::Float32(float) = &mut written.variables[7].kind {
            (float.start, float.min) = (Some(vec![f64::from(value)]), None);
        }
        let read = ModelDescription::read(written.to_xml().as_bytes(), Strictness::Lenient).unwrap().description;
        prop_assert_eq!(read, written);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = ModelDescription::read(&bytes, Strictness::Lenient);
    }

    #[test]
    fn no_change_of_a_byte_makes_the_reader_panic(at in 0..crate::rich::RICH.len(), byte in any::<u8>(), cut in 0..20_usize) {
        let mut bytes = crate::rich::RICH.as_bytes().to_vec();
        bytes[at] = byte;
        bytes.drain(at..(at + cut).min(bytes.len()));
        if let Ok(reading) = ModelDescription::read(&bytes, Strictness::Lenient) {
            let again = ModelDescription::read(reading.description.to_xml().as_bytes(), Strictness::Lenient);
            prop_assert_eq!(again.map(|reading| reading.description), Ok(reading.description));
        }
    }
}

/// The kit derives instantiation tokens from this text.
#[test]
fn the_debug_output_of_a_number_keeps_its_order() {
    let text = format!("{:?}", fmi3::description::FloatVariable::default());
    assert!(text.starts_with("FloatVariable { declared_type: None, quantity: None, unit: None, display_unit: None"), "{text}");
    assert!(text.ends_with("min: None, max: None, nominal: None, start: None, derivative: None, reinit: None }"), "{text}");
}
