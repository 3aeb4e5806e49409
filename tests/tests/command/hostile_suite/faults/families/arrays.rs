use super::{Group, all, case, described};
use crate::hostile_suite::case::Case;

pub const GROUP: Group = Group { title: "FMI 3.0: sizes of arrays", faults };

const MATRIX: &str = "<Dimension valueReference=\"20\"/><Dimension start=\"2\"/></Float64>";

fn faults() -> Vec<Case> {
    let texts = &["fmi3GetFloat64", "`vector[1]`", "t = 0.5 s", "fmi3Error"];
    let changing = [
        ("array that grows in mid-run", "size-grows"),
        ("array that shrinks in mid-run", "size-shrinks"),
        ("array without elements in mid-run", "size-none"),
        ("array of 2^63 elements in mid-run", "size-huge"),
    ];
    let wrong = |name: &str, new| described(name, MATRIX, new);
    all(changing, |case| case.ends(13, texts).rows(5))
        .chain([
            case("arrays, no fault", "").runs(&[]),
            case("array full of NaN, one of them connected", "array-nan")
                .ends(13, &["the connected output `a.y`, found NaN at t = 0.5 s"])
                .rows(5),
            wrong("matrix of 2^32 by 2^32", "<Dimension start=\"4294967296\"/><Dimension start=\"4294967296\"/></Float64>")
                .refused(&["the arrays have 18446744073709551615 elements, and at most 1048576 are supported"]),
            wrong(
                "three dimensions whose product is too large",
                "<Dimension start=\"1024\"/><Dimension start=\"1024\"/><Dimension start=\"2\"/></Float64>",
            )
            .refused(&["the arrays have 2097157 elements"]),
            wrong("matrix with its dimensions exchanged", "<Dimension start=\"2\"/><Dimension valueReference=\"20\"/></Float64>")
                .runs(&[]),
            wrong("matrix that is a vector to the library", "<Dimension start=\"6\"/></Float64>").runs(&[]),
            wrong("matrix of six numbers that is a vector of 150 000", "<Dimension start=\"150000\"/></Float64>")
                .ends(12, &["fmi3GetFloat64 of `matrix[1]` at", "150006 values instead of 12"]),
            wrong("matrix that is a number", "</Float64>").ends(12, &["fmi3GetFloat64", "values are too few"]),
            wrong("eight dimensions of size 1", "<Dimension start=\"1\"/><Dimension start=\"1\"/><Dimension start=\"1\"/><Dimension start=\"1\"/><Dimension start=\"1\"/><Dimension start=\"1\"/><Dimension start=\"1\"/><Dimension start=\"1\"/></Float64>").ends(12, &["fmi3GetFloat64", "values are too few"]),
        ])
        .collect()
}
