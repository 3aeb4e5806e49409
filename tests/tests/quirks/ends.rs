//! The last row of a run that an FMU ends inside a step.

use tests::quirks::Quirk;

use super::case::{Case, Verdict, Way};

const ALONE: &str = "[instances]\na = { fmu = 'a.fmu', start = { x0 = 3, u = 2 } }\n";
const FOLLOWED: &str = "\
[instances]
a = { fmu = 'a.fmu', start = { x0 = 3, u = 2 } }
b = { fmu = 'b.fmu', start = { x0 = 1 } }

[connections]
'b.u' = 'a.y'
";

fn ends(name: &str) -> Quirk {
    Quirk::new("ends_inside").described_by("lag").named(name)
}

pub fn cases() -> Vec<Case> {
    let last = 2.0 + (-0.537_f64).exp();
    let ended = || Verdict::within(1e-9).says("asked for the end");
    let case = |name, fmus: Vec<Quirk>, system| {
        let case = Case::new(name, fmus, system).expect("time", 0.537).expect("a.y", last).otherwise(ended());
        // The report of a resumed run has no such sentence.
        case.on(Way::Resumed, Verdict::within(1e-9))
    };
    let follower = Quirk::new("lost_start").described_by("lag").named("b");
    vec![
        case("an FMU ends the run inside a step", vec![ends("a")], ALONE),
        case("an FMU ends the run inside a step, and again", vec![ends("a").define("AGAIN")], ALONE),
        case("an FMU that others follow ends the run inside a step", vec![ends("a"), follower], FOLLOWED),
    ]
}
