//! Every description reads back exactly as it was written.

use crate::arbitrary::description;
use fmi2::description::VariableKind;
use fmi2::{ModelDescription, Strictness};
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
            VariableKind::Real(real) => real.start.map(f64::to_bits),
            _ => None,
        };
        let mut written = rich;
        if let VariableKind::Real(real) = &mut written.variables[2].kind {
            real.start = Some(value);
        }
        let read = ModelDescription::read(written.to_xml().as_bytes(), Strictness::Strict).unwrap();
        prop_assert_eq!(start(&read.description), Some(bits));
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

/// The kit derives GUIDs from this text.
#[test]
fn the_debug_output_of_an_interface_keeps_its_order() {
    let text = format!("{:?}", fmi2::description::Interface::default());
    assert!(text.starts_with("Interface { model_identifier: \"\", needs_execution_tool: None, can_be_instantiated"), "{text}");
    assert!(text.ends_with("completed_integrator_step_not_needed: None, source_files: [] }"), "{text}");
}
