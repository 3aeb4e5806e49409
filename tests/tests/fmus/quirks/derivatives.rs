//! Derivatives of outputs are not asked for before the first step, and not used where they are no numbers.

use tests::quirks::Quirk;

use super::case::{Case, PAIR, Verdict};

fn fmus(habit: &str) -> [Quirk; 2] {
    let fmu = |name| Quirk::new("slopes").described_by("lag").named(name).attribute("maxOutputDerivativeOrder", "1");
    ["a", "b"].map(|name| if habit.is_empty() { fmu(name) } else { fmu(name).define(habit) })
}

pub fn cases() -> Vec<Case> {
    // With inputs that are held the error is ten times larger.
    let case = |name, fmus: [Quirk; 2]| {
        let case = Case::new(name, fmus, PAIR).times(1.0, 0.01).algorithm("input-degree = 1");
        case.expect("a.y", 2.0 + (-2.0_f64).exp()).expect("b.y", 2.0 - (-2.0_f64).exp())
    };
    let silent = Verdict::within(1e-4).says_not("derivative");
    vec![
        case("derivatives are NaN before the first step", fmus("")).otherwise(silent.clone()),
        case("derivatives are infinite before the first step", fmus("ODD=-INFINITY")).otherwise(silent.clone()),
        case("derivatives are refused before the first step", fmus("REFUSED")).otherwise(silent),
        case("derivatives are never numbers", fmus("ALWAYS")).otherwise(
            Verdict::within(1e-4)
                .says("a derivative of `a.y` that is not finite")
                .says("a derivative of `b.y` that is not finite"),
        ),
    ]
}
