use super::{Group, all, case, described};
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
    all(sound, |case| case.runs(&[])).chain(marks()).chain(unwritten()).chain(start_values()).collect()
}

/// The bytes with which Lotka marks values before it reads them.
fn marks() -> impl Iterator<Item = Case> {
    all([("UInt8 that is 0xa5", "u8-mark"), ("UInt64 that is 0xa5 eight times", "u64-mark")], |case| case.runs(&[]))
}

/// Values that a call in mid-run does not write, though it returns fmi3OK.
fn unwritten() -> impl Iterator<Item = Case> {
    let getters = [
        ("fmi3GetFloat64", "`matrix[1,1]` at t = 0.5 s"),
        ("fmi3GetFloat32", "`f32` at t = 0.5 s"),
        ("fmi3GetInt8", "`i8` at t = 0.5 s"),
        ("fmi3GetUInt8", "`u8` at t = 0.5 s"),
        ("fmi3GetInt16", "`i16` at t = 0.5 s"),
        ("fmi3GetUInt16", "`u16` at t = 0.5 s"),
        ("fmi3GetInt32", "`i32` at t = 0.5 s"),
        ("fmi3GetUInt32", "`u32` at t = 0.5 s"),
        ("fmi3GetUInt64", "`steps` at t = 0.5 s"),
        ("fmi3GetBoolean", "`positive` at t = 0.5 s"),
        ("fmi3GetString", "`text` at t = 0.5 s"),
        ("fmi3GetBinary", "`blob` at t = 0.5 s"),
    ];
    getters.into_iter().map(|(getter, variable)| {
        case(&format!("nothing written by {getter}"), &format!("unwritten-{getter}"))
            .ends(13, &[getter, variable, "returned fmi3OK but wrote no value"])
            .rows(5)
    })
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
