//! What cannot be read is not read, or named.

use tests::quirks::Quirk;

use super::case::{Case, Verdict};

const LOOP: &str = "\
[instances]
a = 'a.fmu'
b = 'b.fmu'

[connections]
'a.u' = 'b.y'
'b.u' = 'a.y'
";

const PARAMETERS: &str =
    "[instances]\na = { fmu = 'a.fmu', start = { u = 2, x0 = 3 } }\n\n[results]\nvariables = ['a.y', 'a.k', 'a.x0']\n";

fn lag(source: &str) -> Quirk {
    Quirk::new(source).described_by("lag")
}

pub fn cases() -> Vec<Case> {
    let gain = |name| Quirk::new("blind_gain").named(name);
    vec![
        Case::new("inputs of an algebraic loop cannot be read", [gain("a"), gain("b")], LOOP)
            .expect("a.y", 2.0)
            .expect("b.y", 2.0)
            .otherwise(Verdict::within(1e-6).says_not("not readable")),
        Case::new("a recorded parameter cannot be read", [lag("unreadable").named("a").define("REFERENCE=K")], PARAMETERS)
            .otherwise(Verdict::code(12).says("instance `a`: fmi2GetReal of `k` at t = 0 s returned fmi2Error")),
        Case::new(
            "the model identifier is no C identifier",
            [lag("lost_start").named("two lags-1.0")],
            "[instances]\na = { fmu = 'two lags-1.0.fmu', start = { x0 = 3, u = 2 } }\n",
        )
        .expect("a.y", 2.0 + (-1.0_f64).exp())
        .otherwise(Verdict::within(1e-9).says("the modelIdentifier \"two lags-1.0\" is not a C identifier")),
    ]
}
