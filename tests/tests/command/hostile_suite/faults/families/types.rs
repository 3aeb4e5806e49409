use super::{Group, all, described};
use crate::hostile_suite::case::Case;

pub const GROUP: Group = Group { title: "FMI 3.0: types and Boolean bytes", faults };

fn faults() -> Vec<Case> {
    let sound = [
        ("the least Int8", "i8-least"),
        ("the greatest Int8", "i8-most"),
        ("the least UInt8", "u8-least"),
        ("the greatest UInt8", "u8-most"),
        ("the least Int16", "i16-least"),
        ("the greatest Int16", "i16-most"),
        ("the least UInt16", "u16-least"),
        ("the greatest UInt16", "u16-most"),
        ("the least Int32", "i32-least"),
        ("the greatest Int32", "i32-most"),
        ("the least UInt32", "u32-least"),
        ("the greatest UInt32", "u32-most"),
        ("the greatest UInt64", "u64-most"),
        ("the least positive Float32", "f32-least"),
        ("the greatest Float32", "f32-most"),
        ("Boolean byte 2", "boolean-2"),
        ("Boolean byte 0x80", "boolean-80"),
        ("Boolean byte 0xff", "boolean-ff"),
    ];
    all(sound, |case| case.runs(&[])).chain(start_values()).collect()
}

/// Start values in the description that their types do not have.
fn start_values() -> impl Iterator<Item = Case> {
    const INT8: &str =
        "<Int8 name=\"i8\" valueReference=\"31\" causality=\"output\" variability=\"discrete\" initial=\"calculated\"";
    const UINT32: &str =
        "<UInt32 name=\"u32\" valueReference=\"36\" causality=\"output\" variability=\"discrete\" initial=\"calculated\"";
    const FLOAT32: &str =
        "<Float32 name=\"f32\" valueReference=\"30\" causality=\"output\" variability=\"continuous\" initial=\"calculated\"";
    let wrong = |name, old, new, text| described(name, old, new).refused(&["start=", text]);
    let exact = [
        ("Int8 that starts with 300", INT8, "300", "expected a whole number from -128 to 127"),
        ("Int8 that starts with -129", INT8, "-129", "expected a whole number from -128 to 127"),
        ("Int8 that starts with 1e2", INT8, "1e2", "expected a whole number from -128 to 127"),
        ("UInt32 that starts with -1", UINT32, "-1", "expected a whole number from 0 to 4294967295"),
        ("UInt32 that starts with 2^32", UINT32, "4294967296", "expected a whole number from 0 to 4294967295"),
        ("Float32 that starts with 1e39", FLOAT32, "1e39", "that fits into 32 bits"),
        ("Float32 that starts with NaN", FLOAT32, "NaN", "expected a finite decimal number"),
        ("Float32 that starts with INF", FLOAT32, "INF", "expected a finite decimal number"),
    ];
    let of_type = exact.map(|(name, old, start, text)| {
        let fmu = tests::hostile::Hostile::family("a", "").edit_xml(move |xml| {
            assert!(xml.contains(old), "the description has no {old}");
            *xml = xml.replacen(old, &format!("{}\"exact\" start=\"{start}\"", old.trim_end_matches("\"calculated\"")), 1);
        });
        Case::new(name, fmu).refused(&["start=", text])
    });
    let boolean = wrong("Boolean that starts with 2", "start=\"true\"", "start=\"2\"", "expected true or false");
    of_type.into_iter().chain([boolean])
}
