//! FMUs that advance in steps of their own: no mesh below these is used, and what they do not allow is not promised.

use tests::quirks::Quirk;

use super::case::{Case, Verdict, Way};

/// x' = v - x / 5 and v' = -x - v / 5 from (1, 0) on: `a` has x and `b` has v.
fn exact(t: f64) -> [f64; 2] {
    [t.cos() * (-0.2 * t).exp(), -t.sin() * (-0.2 * t).exp()]
}

const SYSTEM: &str = "[instances]\na = { fmu = 'first.fmu', start = { x0 = 1, k = 1 } }\nb = { fmu = 'second.fmu', start = { x0 = 0, k = -1 } }\n\
     [connections]\n'a.u' = 'b.y'\n'b.u' = 'a.y'\n";

fn fmu(name: &str, defines: &[&str]) -> Quirk {
    let quirk = Quirk::new("inner_steps").described_by("lag").named(name);
    defines.iter().fold(quirk, |quirk, define| quirk.define(define))
}

/// An FMU without steps of its own, and one with.
fn case(name: &'static str, defines: &[&str], stop: f64, step: f64) -> Case {
    both(name, &[], defines, stop, step)
}

fn both(name: &'static str, first: &[&str], second: &[&str], stop: f64, step: f64) -> Case {
    let [x, v] = exact(stop);
    Case::new(name, [fmu("first", first), fmu("second", second)], SYSTEM)
        .times(stop, step)
        .expect("a.y", x)
        .expect("b.y", v)
        // Fixed steps have whatever error they have.
        .otherwise(Verdict::code(0).says_not("advances in internal steps"))
        // Steps of any size are tried, most of which say nothing.
        .not(Way::LocalTolerance)
}

/// Two FMUs that refuse a step that is not as long as the one before.
fn one_size(name: &'static str, more: &str, stop: f64) -> Case {
    let strict = |name| fmu(name, &["ONE_SIZE"]).attribute("canHandleVariableCommunicationStepSize", "false");
    let [x, v] = exact(stop);
    Case::new(name, [strict("first"), strict("second")], &format!("{SYSTEM}{more}"))
        .times(stop, 0.1)
        .expect("a.y", x)
        .expect("b.y", v)
        .otherwise(Verdict::code(0))
        .on(Way::LocalTolerance, Verdict::code(10).says("variable step sizes"))
}

/// `a` drives `b`, and both rest at 0 until an input of 1 comes at t = 2 s.
const AT_REST: &str = "[instances]\na = { fmu = 'first.fmu', start = { x0 = 0 } }\nb = { fmu = 'second.fmu', start = { x0 = 0 } }\n\
     [connections]\n'b.u' = 'a.y'\n[[scenario]]\nat = 2\nset = { a.u = 1 }\n";

/// Only what `a.y` has above 1 counts for `b`, which it has from `begin` on.
fn at_rest(name: &'static str, defines: &[&str], level: f64) -> Case {
    // a = 5 - 5 exp(-s / 5) is `level` at s = t - 2 = -5 ln(1 - level / 5).
    let begin = 2.0 - 5.0 * (1.0 - level / 5.0).ln();
    let (s, rest) = ((10.0 - begin) / 5.0, 5.0 - level);
    Case::new(name, [fmu("first", &[]), fmu("second", defines)], AT_REST)
        .times(10.0, 0.1)
        .expect("a.y", 5.0 * (1.0 - (-1.6_f64).exp()))
        .expect("b.y", 5.0 * rest * (1.0 - (-s).exp() * (1.0 + s)))
        .otherwise(Verdict::code(0).says_not("advances in internal steps"))
        .not(Way::LocalTolerance)
}

fn with_event(mut case: Case) -> Case {
    case.system += "[events]\n'a.y' = { level = 0.5 }\n";
    case
}

const KEPT: &str = "tolerance 1e-4 kept";

fn kept() -> Verdict {
    Verdict::within(1e-4).says(KEPT)
}

fn not_kept(says: &'static str) -> Verdict {
    Verdict::code(15).says(says).says_not(KEPT)
}

pub fn cases() -> Vec<Case> {
    let says = "`b` advances in internal steps of 0.01 s";
    vec![
        case("steps of 0.01 s inside", &["GRID=0.01"], 10.0, 0.1).on(Way::Tolerance, kept().says(says)),
        case("steps of 0.01 s inside, to the next point past the target", &["GRID=0.01", "PAST"], 10.0, 0.1)
            .on(Way::Tolerance, kept().says(says)),
        case("steps of 0.01 s inside, rows every 0.01 s", &["GRID=0.01"], 1.0, 0.01)
            .on(Way::Tolerance, not_kept("the error of the best result is unknown").says(says)),
        case("steps of 0.03 s inside, rows every 0.1 s", &["GRID=0.03"], 3.0, 0.1).on(
            Way::Tolerance,
            not_kept("the error of the best result is unknown")
                .says("`b` advances in internal steps of 0.03 s")
                .says("\"b\" = { every = 0.03, offset = "),
        ),
        case("steps of a third of a second inside", &["GRID=(1.0/3)"], 12.0, 2.0)
            // Steps of 2 s are too large for the iteration.
            .not(Way::Iterated)
            .on(
                Way::Tolerance,
                not_kept("the error of the best result is estimated at").says("`b` advances in internal steps of 0.3333 s"),
            ),
        case("steps of 1 ms inside, with an offset", &["GRID=0.001", "OFFSET=0.0004"], 10.0, 0.1)
            .on(Way::Tolerance, kept().says("`b` advances in internal steps of 0.001 s")),
        case("steps of 0.05 s inside from 5 s on", &["GRID=0.05", "FROM=5.0"], 10.0, 0.1)
            .on(Way::Tolerance, not_kept("advances in internal steps of 0.05 s")),
        case("steps of 0.05 s inside, communication steps of 0.02 s", &["GRID=0.05"], 4.0, 0.02)
            .otherwise(Verdict::code(0).says(
                "`b` advances in internal steps of about 0.05 s: the communication step size 0.02 s is not a multiple of it",
            ))
            .on(
                Way::Tolerance,
                not_kept("the error of the best result is unknown").says("`b` advances in internal steps of 0.05 s"),
            ),
        one_size("steps of one size only", "", 10.0).on(Way::Tolerance, kept()),
        one_size("steps of one size only, and a jump between rows", "[[scenario]]\nat = 0.25\nset = { a.u = 1 }\n", 10.0)
            .otherwise(Verdict::code(10).says("between two steps")),
        one_size("steps of one size only, and the stop time between two rows", "", 9.95)
            .otherwise(Verdict::code(13).says("this step is not as long as the one before"))
            .not(Way::Resumed)
            .on(Way::Tolerance, Verdict::code(10).says("supports one step size only; choose an output-interval")),
        with_event(case("steps of 0.01 s inside, and an event", &["GRID=0.01"], 10.0, 0.1))
            .on(Way::Tolerance, not_kept("steps end at events")),
        both("steps of 0.02 s inside, of which half a step is no multiple", &["GRID=0.02"], &[], 10.0, 0.1)
            .on(Way::Tolerance, not_kept("with these rows no mesh has suitable steps")),
        both("steps of 0.01 s and of 0.02 s inside", &["GRID=0.01"], &["GRID=0.02"], 10.0, 0.4).on(
            Way::Tolerance,
            kept().says("`a` advances in internal steps of 0.01 s").says("`b` advances in internal steps of 0.02 s"),
        ),
        at_rest("at rest until an input comes", &[], 0.0).on(Way::Tolerance, kept().says_not("advances in internal steps")),
        at_rest("the same, with steps of 0.01 s inside", &["GRID=0.01"], 0.0).on(Way::Tolerance, kept().says(says)),
        at_rest("at rest until an input is above a level", &["LEVEL=1.0"], 1.0)
            .on(Way::Tolerance, kept().says_not("advances in internal steps")),
        at_rest("the same, with steps of 0.05 s inside", &["LEVEL=1.0", "GRID=0.05"], 1.0)
            .on(Way::Tolerance, not_kept("advances in internal steps of 0.05 s")),
        case("one step of the Euler method in each communication step", &["EULER"], 10.0, 0.1)
            .on(Way::Tolerance, kept().says_not("advances in internal steps")),
    ]
}
