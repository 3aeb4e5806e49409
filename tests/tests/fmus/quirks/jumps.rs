//! FMUs whose output follows an input that jumps: their state cannot be saved, or they do not permit to be read before the next
//! step.

use tests::quirks::Quirk;

use super::case::{Case, Verdict, Way};

/// `a.y` follows `a.u`, which is 1 and 7 from t = 0.5 s on; `b` integrates it.
const JUMP: &str = "[instances]\na = { fmu = 'a.fmu', start = { u = 1.0 } }\nb = { fmu = 'b.fmu', start = { x0 = 0.0 } }\n[connections]\n'b.u' = 'a.y'\n[[scenario]]\nat = 0.5\nset = { 'a.u' = 7.0 }\n";

/// A ramp `10 t` that `a` follows, which is integrated.
const RAMP: &str = "[instances]\na = 'a.fmu'\nb = { fmu = 'b.fmu', start = { x0 = 0.0 } }\n[sources]\nramp = { signal = 'ramp', time = 0.0, duration = 1.0, to = 10.0 }\n[connections]\n'a.u' = 'ramp.y'\n'b.u' = 'a.y'\n";

/// `x' = u`, `u = -x`.
const LOOP: &str = "[instances]\na = 'a.fmu'\nb = 'b.fmu'\n[connections]\n'a.u' = 'b.y'\n'b.u' = 'a.y'\n";

fn follower() -> Quirk {
    Quirk::new("follower").described_by("blind_gain").named("a")
}

fn without_rollback(quirk: Quirk) -> Quirk {
    quirk.attribute("canGetAndSetFMUstate", "false").attribute("canSerializeFMUstate", "false")
}

fn once(quirk: Quirk) -> Quirk {
    quirk.attribute("canBeInstantiatedOnlyOncePerProcess", "true")
}

fn integral() -> Quirk {
    Quirk::new("integral").described_by("lag").named("b")
}

/// A case whose follower cannot save its state.
fn case(name: &'static str, follower: Quirk, system: &str) -> Case {
    Case::new(name, [without_rollback(follower), integral()], system)
        .on(Way::LocalTolerance, Verdict::code(10).says("needs rollback"))
        // There is no state to go on from.
        .not(Way::Resumed)
}

pub fn cases() -> Vec<Case> {
    let late = |case: Case, text: &'static str| {
        let says = |verdict: Verdict| verdict.says("its outputs keep their values until its next step").says(text);
        // Only runs with a tolerance see that outputs jump late, and divide the mesh there.
        case.otherwise(says(Verdict::within(0.1))).on(Way::Tolerance, says(Verdict::within(1e-4)))
    };
    let sound = |name, follower: Quirk| Case::new(name, [follower, integral()], JUMP).expect("b.y", 4.0);
    let jump = |name, follower: Quirk| case(name, follower, JUMP).expect("b.y", 4.0);
    // Iterated steps hold the values at their ends.
    let ramp = |name, follower: Quirk| {
        case(name, follower, RAMP).expect("a.y", 10.0).expect("b.y", 5.0).on(Way::Iterated, Verdict::within(0.11))
    };
    vec![
        sound("an input that nobody feeds jumps", follower()),
        sound("the same, and outputs are computed in steps only", follower().define("IN_STEPS")),
        sound("the same, and outputs cannot be read before the next step", follower().define("STRICT")),
        jump("an input jumps, and the state cannot be saved", follower()),
        jump("the same, with memory that all instances share", follower().define("STATIC")),
        late(
            jump("the same, and outputs are computed in steps only", follower().define("IN_STEPS")),
            "does not compute them when inputs are set",
        ),
        late(
            jump("the same, and outputs cannot be read before the next step", follower().define("STRICT")),
            "does not compute them when inputs are set",
        ),
        late(
            jump("an input jumps, and there can be one instance only", once(follower())),
            "cannot test whether it recomputes them",
        )
        // Each process may have one.
        .not(Way::Isolated),
        ramp("a ramp is followed, and the state cannot be saved", follower()),
        ramp("the same, and outputs cannot be read before the next step", follower().define("STRICT")),
        ramp("the same, with memory that all instances share", follower().define("STATIC")),
        case("a loop with a state, and the follower cannot save its own", follower().define("GAIN=-1"), LOOP)
            .expect("a.y", -(-1.0_f64).exp())
            .expect("b.y", (-1.0_f64).exp())
            .otherwise(Verdict::within(5e-3))
            .on(Way::Tolerance, Verdict::within(1e-4))
            .on(Way::Iterated, Verdict::code(10)),
    ]
}
