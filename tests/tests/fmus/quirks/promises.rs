//! noSetFMUStatePriorToCurrentPoint is true wherever it can be, and FMUs that need it where it cannot are refused.

use tests::quirks::Quirk;

use super::case::{Case, PAIR, Verdict, Way};

const ALONE: &str = "[instances]\na = { fmu = 'a.fmu', start = { x0 = 3, u = 2 } }\n";

fn fmu(name: &str) -> Quirk {
    Quirk::new("promise").described_by("lag").named(name)
}

fn refused() -> Verdict {
    Verdict::code(10).says("instance `a` advances only if the master promises").says("[needs-promise]")
}

pub fn cases() -> Vec<Case> {
    let alone = 2.0 + (-1.0_f64).exp();
    let pair = 2.0 + (-2.0_f64).exp();
    let coupled = |name, fmus: [Quirk; 2]| {
        Case::new(name, fmus, PAIR).times(1.0, 0.01).expect("a.y", pair).otherwise(Verdict::within(0.01))
    };
    vec![
        Case::new("without the promise a step begins where the last one began", [fmu("a")], ALONE)
            .expect("a.y", alone)
            .on(Way::LocalTolerance, refused()),
        Case::new("without the promise a step is not kept", [fmu("a").define("KEPT_AFTER")], ALONE)
            .expect("a.y", alone)
            .on(Way::LocalTolerance, refused()),
        Case::new(
            "the same, and its state cannot be saved",
            [fmu("a").define("KEPT_AFTER").attribute("canGetAndSetFMUstate", "false")],
            ALONE,
        )
        .expect("a.y", alone)
        .on(Way::LocalTolerance, Verdict::code(10).says("needs rollback"))
        // There is no state to go on from.
        .not(Way::Resumed),
        coupled("two in a loop", [fmu("a"), fmu("b")]).on(Way::LocalTolerance, refused()),
        coupled("two in a loop, with another estimator", [fmu("a"), fmu("b")])
            .algorithm("estimator = 'predictor-corrector'")
            .not(Way::Step)
            .not(Way::Tolerance)
            .not(Way::Iterated)
            .not(Way::Isolated)
            .not(Way::Resumed),
        coupled("two in a loop, symmetric", [fmu("a"), fmu("b")])
            .algorithm("sweep = 'symmetric'")
            .on(Way::LocalTolerance, refused())
            .not(Way::Iterated),
        coupled("two in a loop, symmetric, with another estimator", [fmu("a"), fmu("b")])
            .algorithm("sweep = 'symmetric'\nestimator = 'predictor-corrector'")
            .on(Way::LocalTolerance, refused().says("a symmetric sweep").says("gauss-seidel"))
            .not(Way::Step)
            .not(Way::Tolerance)
            .not(Way::Iterated)
            .not(Way::Isolated)
            .not(Way::Resumed),
        coupled("two in a loop, with inputs of degree 2", [fmu("a"), fmu("b")])
            .algorithm("input-degree = 2")
            .on(Way::LocalTolerance, refused()),
    ]
}
