//! Start values arrive, whenever the FMU takes them.

use tests::quirks::Quirk;

use super::case::{Case, Verdict};

/// `x0` is a local variable whose start value the FMU may change.
fn approximate(xml: &mut String) {
    let parameter = "name=\"x0\" valueReference=\"3\" causality=\"parameter\" variability=\"fixed\" initial=\"exact\"";
    let local = "name=\"x0\" valueReference=\"3\" causality=\"local\" variability=\"continuous\" initial=\"approx\"";
    *xml = xml.replace(parameter, local);
}

fn unreadable() -> Quirk {
    Quirk::new("unreadable").described_by("lag").named("a").define("REFERENCE=X0")
}

pub fn cases() -> Vec<Case> {
    let other = "[instances]\na = { fmu = 'a.fmu', start = { x0 = 3, u = 2 } }\n";
    let lost = Quirk::new("lost_start").described_by("lag");
    let system = "[instances]\na = { fmu = 'lost_start.fmu', start = { x0 = 3, k = 0.5, u = 2 } }\n";
    vec![
        Case::new("fmi2SetupExperiment sets all parameters back", [lost], system)
            .expect("a.y", 2.0 + (3.0 - 2.0) * (-0.5_f64).exp())
            .otherwise(Verdict::within(1e-9).says_not("start-value-lost")),
        Case::new("a parameter keeps its value, whatever is set", [unreadable().define("KEPT")], other)
            .expect("a.y", 2.0 - (-1.0_f64).exp())
            .otherwise(Verdict::within(1e-9).says("`a.x0` was set to 3 but is 1 after initialization")),
        Case::new("so does a start value that may be changed", [unreadable().define("KEPT").edit_xml(approximate)], other)
            .expect("a.y", 2.0 - (-1.0_f64).exp())
            .otherwise(Verdict::within(1e-9).says_not("x0")),
        Case::new("a parameter that is set cannot be read", [unreadable()], other)
            .expect("a.y", 2.0 + (-1.0_f64).exp())
            .otherwise(Verdict::within(1e-9).says_not("x0")),
    ]
}
