use super::{Group, a, with_derivatives, with_feedthrough};
use crate::hostile_suite::case::{CONTROLLED, Case, SINGLE};

pub const GROUP: Group = Group { title: "Values", faults };

fn faults() -> Vec<Case> {
    vec![
        Case::new("NaN at the start, connected", a().define("NAN_AT=0"))
            .ends(12, &["the connected output `a.y`, found NaN at t = 0 s"]),
        Case::new("NaN in mid-run, connected", a().define("NAN_AT=0.45"))
            .ends(13, &["the connected output `a.y`, found NaN at t = 0.5 s"])
            .rows(5),
        Case::new("NaN in mid-run, error control", a().define("NAN_AT=0.45")).system(CONTROLLED).ends(13, &["`a.y`", "NaN"]),
        Case::new("NaN in mid-run, only recorded", a().define("NAN_AT=0.45")).system(SINGLE).ends(0, &[]).rows(11),
        Case::new("infinity", a().define("NAN_AT=0.45").define("BAD_OUTPUT=INFINITY"))
            .ends(13, &["the connected output `a.y`, found inf at t = 0.5 s"])
            .rows(5),
        Case::new("minus infinity", a().define("NAN_AT=0.45").define("BAD_OUTPUT=(-INFINITY)"))
            .ends(13, &["the connected output `a.y`, found -inf at t = 0.5 s"])
            .rows(5),
        Case::new("1e308, error control", a().define("NAN_AT=0.45").define("BAD_OUTPUT=1e308"))
            .system(CONTROLLED)
            .ends(13, &["the step size fell below the minimum"])
            .nameless(),
        Case::new("denormal numbers", a().define("NAN_AT=0.45").define("BAD_OUTPUT=5e-324")).ends(0, &[]).rows(11),
        Case::new("outputs that are never written", a().define("UNWRITTEN_OUTPUTS"))
            .ends(12, &["fmi2GetReal of", "`y`", "returned fmi2OK but wrote no value"]),
        Case::new("NULL as string", a().define("NULL_STRINGS")).runs(&[]),
        Case::new("string that is not UTF-8", a().define("BAD_UTF8")).runs(&[]),
        Case::new("one buffer for all strings", a().define("SHARED_STRING_BUFFER")).runs(&[]),
        Case::new("string of 64 KiB", a().define("HUGE_STRINGS")).runs(&[]),
        Case::new("string with quotes, line break and bell", a().define("ODD_STRINGS")).runs(&[]),
        Case::new("Boolean 2", a().define("TRUE_VALUE=2")).runs(&[]),
        Case::new("Boolean -1", a().define("TRUE_VALUE=-1")).runs(&[]),
        Case::new("NaN as directional derivative", with_feedthrough(a()).define("DERIVATIVE=NAN"))
            .ends(13, &["the connected output `a.y`, found NaN"]),
        Case::new("wrong directional derivative", with_feedthrough(a()).define("DERIVATIVE=(-7.0)")).ends(0, &[]).rows(11),
        Case::new("NaN as output derivative", with_derivatives(a()).define("SLOPE_FACTOR=NAN")).ends(0, &[]).rows(11),
        Case::new("error from fmi2GetDirectionalDerivative", with_feedthrough(a()).reply("fmi2GetDirectionalDerivative", 3))
            .ends(13, &["fmi2GetDirectionalDerivative", "fmi2Error"]),
        Case::new("error from fmi2SetRealInputDerivatives", with_derivatives(a()).reply("fmi2SetRealInputDerivatives", 3))
            .ends(13, &["fmi2SetRealInputDerivatives", "fmi2Error"]),
        Case::new("error from fmi2GetRealOutputDerivatives", with_derivatives(a()).reply("fmi2GetRealOutputDerivatives", 3))
            .ends(13, &["fmi2GetRealOutputDerivatives", "fmi2Error"]),
    ]
}
