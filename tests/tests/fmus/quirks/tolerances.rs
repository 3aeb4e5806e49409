//! FMUs get the tolerance of their default experiment, or the one that is given.

use tests::quirks::Quirk;

use super::case::{Case, Verdict, Way};

const ALONE: &str = "[instances]\na = { fmu = 'a.fmu', start = { x0 = 3, u = 2 } }\n";
const OWN: &str = "[instances]\na = { fmu = 'a.fmu', start = { x0 = 3, u = 2 }, fmu-tolerance = 1e-3 }\n";

fn lazy() -> Quirk {
    Quirk::new("lazy").described_by("lag").named("a")
}

fn by_default(tolerance: &'static str) -> Quirk {
    lazy().edit_xml(move |xml| *xml = xml.replace("stepSize=", &format!("tolerance=\"{tolerance}\" stepSize=")))
}

/// What comes of a tolerance that the FMU is asked for.
fn value(tolerance: f64) -> f64 {
    2.0 + (-1.0 - tolerance).exp()
}

pub fn cases() -> Vec<Case> {
    let case = |name, fmu: Quirk, system, tolerance| Case::new(name, [fmu], system).expect("a.y", value(tolerance));
    vec![
        case("the default experiment has a tolerance", by_default("1e-2"), ALONE, 1e-2)
            // Asked for 1e-6.
            .on(Way::Tolerance, Verdict::within(1e-2)),
        case("one is given", by_default("1e-2"), ALONE, 1e-4)
            .experiment("fmu-tolerance = 1e-4")
            .on(Way::Tolerance, Verdict::within(1e-9).says(" inside the FMUs")),
        case("one is given for the instance", by_default("1e-2"), OWN, 1e-3)
            .experiment("fmu-tolerance = 1e-4")
            // A tenth of it gives other values, by more than 1e-4.
            .on(
                Way::Tolerance,
                Verdict { error: Some(1e-9), ..Verdict::code(15).says("the error inside the FMUs is estimated at") },
            ),
        case("that of the default experiment is 0, as if there were none", by_default("0"), ALONE, 1e-6)
            .otherwise(Verdict::code(12).says("fmi2SetupExperiment"))
            .on(Way::Tolerance, Verdict::within(1e-9)),
        case("there is none, and the FMU needs one", lazy(), ALONE, 1e-6)
            .otherwise(Verdict::code(12).says("fmi2SetupExperiment"))
            .on(Way::Tolerance, Verdict::within(1e-9)),
    ]
}
