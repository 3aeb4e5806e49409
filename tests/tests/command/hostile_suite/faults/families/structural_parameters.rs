use super::{Group, case, described};
use crate::hostile_suite::case::Case;
use tests::hostile::{CRASH, Hostile};

pub const GROUP: Group = Group { title: "FMI 3.0: structural parameters", faults };

/// With an array of five.
const STRUCTURED: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = { fmu = '../fmus/a.fmu', start = { n = 5 }@ }\n\
    b = { fmu = '../fmus/b.fmu', start = { x0 = 3 } }\n[connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n";

/// The start value of `n`, its causality, and its type.
const START: &str = " start=\"3\"/>";
const CAUSALITY: &str = "causality=\"structuralParameter\"";
const TYPE: &str = "<UInt64 name=\"n\"";
const VECTOR: &str = "<Dimension valueReference=\"20\"/></Float64>";

fn faults() -> Vec<Case> {
    configured().into_iter().chain(sizes()).chain(references()).collect()
}

/// Faults of configuration mode.
fn configured() -> Vec<Case> {
    let structured = |name: &str, fault: &str| case(name, fault).system(STRUCTURED);
    let mut cases = vec![
        structured("structural parameter, no fault", "").ends(0, &[]).rows(11),
        structured("error from fmi3SetUInt64 in configuration mode", "configure-refuse")
            .ends(11, &["fmi3SetUInt64 of `n`", "fmi3Error"]),
        structured("hang in fmi3EnterConfigurationMode", "configure-hang").hangs_early(&["no answer within 5 s"]),
    ];
    let forgets = [
        ("structural parameter that is forgotten", "configure-forget"),
        ("array that is larger than its structural parameter", "configure-grow"),
        ("array without elements, whatever its structural parameter", "configure-null"),
    ];
    cases.extend(forgets.map(|(name, fault)| structured(name, fault).ends(12, &["fmi3GetFloat64", "`vector[1]`", "fmi3Error"])));
    let statuses: [(&str, i32, &[&'static str]); 4] = [
        ("Discard", 2, &["fmi3Discard"]),
        ("Error", 3, &["fmi3Error"]),
        ("Fatal", 4, &["fmi3Fatal"]),
        ("status 5", 5, &["returned 5"]),
    ];
    for function in ["fmi3EnterConfigurationMode", "fmi3ExitConfigurationMode"] {
        let replying = |name: &str, status| {
            Case::new(format!("{name} from {function}"), Hostile::family("a", "").reply(function, status)).system(STRUCTURED)
        };
        cases.extend(statuses.map(|(name, status, texts)| replying(name, status).ends(11, &[&[function], texts].concat())));
        cases.push(replying("Warning", 1).ends(0, &[]).rows(11));
        // The master only knows that the instance was being made.
        cases.push(
            replying("crash", CRASH).ends(17, &[function, "SIGSEGV"]).isolated(17, &["fmi3InstantiateCoSimulation", "SIGSEGV"]),
        );
    }
    cases
}

/// Sizes in the description.
fn sizes() -> Vec<Case> {
    let start = |name: &str, new| described(name, START, new);
    vec![
        start("size that starts with 0", " start=\"0\"/>").refused(&["the size of \"n\", which starts with 0"]),
        start("size of -1", " start=\"-1\"/>").refused(&["start=\"-1\"", "expected a whole number"]),
        start("size of 2^64", " start=\"18446744073709551616\"/>").refused(&["expected a whole number"]),
        start("size of 2^64 - 1", " start=\"18446744073709551615\"/>")
            .refused(&["the arrays have 18446744073709551615 elements"]),
        start("size of 2^63, twice", " start=\"9223372036854775808\"/>")
            .refused(&["the arrays have 18446744073709551615 elements"]),
        start("size of 1.5", " start=\"1.5\"/>").refused(&["start=\"1.5\"", "expected a whole number"]),
        start("size without a start value", "/>").refused(&["which has no start value"]),
        start("size with two start values", " start=\"3 4\"/>").refused(&["\"n\" has 2 start values"]),
        described("size of another type", TYPE, "<Int32 name=\"n\"").refused(&["the size of \"n\", which is Int32"]),
        described("size of a parameter that is not structural", CAUSALITY, "causality=\"parameter\"")
            .refused(&["the size of \"n\", which is a fixed parameter"]),
        start("size that is smaller than that of the library", " start=\"2\"/>")
            .ends(12, &["fmi3GetFloat64", "values are too few"]),
        start("size that is larger than that of the library", " start=\"4\"/>")
            .ends(12, &["fmi3GetFloat64", "values instead of"]),
    ]
}

/// What a dimension refers to.
fn references() -> Vec<Case> {
    let dimension = |name: &str, new| described(name, VECTOR, new);
    vec![
        dimension("size of a variable that does not exist", "<Dimension valueReference=\"99\"/></Float64>")
            .refused(&["the size of variable 99, which does not exist"]),
        dimension("size of the array itself", "<Dimension valueReference=\"21\"/></Float64>")
            .refused(&["the size of \"vector\""]),
        dimension("size of a Float64", "<Dimension valueReference=\"3\"/></Float64>")
            .refused(&["the size of \"k\", which is Float64"]),
        dimension("size with a number and a variable", "<Dimension valueReference=\"20\" start=\"3\"/></Float64>")
            .refused(&["has both start and valueReference"]),
        dimension("size with neither", "<Dimension/></Float64>").refused(&["has neither start nor valueReference"]),
    ]
}
