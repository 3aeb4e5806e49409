//! `[initialization]`, and formulas that cannot be read.

use super::support::Case;
use tests::{hostile::Hostile, packed};

const SYSTEM: &str =
    "[experiment]\nstop = 1\nstep = 0.5\n[instances]\na = 'a.fmu'\nb = 'b.fmu'\n[connections]\n'a.u' = 'b.y'\n[initialization]\n";

fn case(solve: &str) -> Case {
    Case::new(&format!("{SYSTEM}{solve}\n"), [Hostile::new("a"), Hostile::new("b")])
}

#[track_caller]
fn assert_refused(solve: &str, lines: &[&str]) {
    let ended = case(solve).run(&[]);
    assert_eq!((ended.code, ended.stderr.lines().collect::<Vec<_>>().as_slice()), (10, lines));
}

#[test]
fn unknown_names_are_reported_with_the_nearest() {
    assert_refused(
        "solve = [{ unknown = 'a.kk', residual = 'c.y' }, { unknown = 'b.k', residual = 'b.yy' }]",
        &[
            "system.toml:10:22: instance `a` has no variable `kk`; did you mean `k`? [unknown-variable]",
            "system.toml:10:41: unknown instance `c`; available: `a`, `b` [unknown-instance]",
            "system.toml:10:80: instance `b` has no variable `yy`; did you mean `y`? [unknown-variable]",
        ],
    );
}

#[test]
fn what_cannot_be_changed_or_measured_is_refused_with_what_can() {
    let ended = case(
        "solve = [\n{ unknown = 'a.y', residual = 'a.steps' },\n{ unknown = 'a.level', residual = 'b.u' },\n{ unknown = 'a.u', residual = 'b.k' }]",
    )
    .run(&[]);
    ended.assert(
        10,
        &[
            "system.toml:11:13: `a.y` cannot be an unknown of `solve`: its start value cannot be set; available in instance `a`: ",
            "system.toml:11:31: `a.steps` cannot be a residual of `solve`: it is not a Real variable; available in instance `a`: ",
            "system.toml:12:13: `a.level` cannot be an unknown of `solve`: it is not a Real variable",
            "system.toml:12:35: `b.u` cannot be a residual of `solve`: nothing is connected to it",
            "system.toml:13:13: `a.u` cannot be an unknown of `solve`: it is a connected input",
            "system.toml:13:31: `b.k` cannot be a residual of `solve`: it is neither an output nor an input",
        ],
    );
}

#[test]
fn as_many_unknowns_as_residuals_each_once() {
    assert_refused(
        "solve = [{ unknown = 'a.k' }, { unknown = 'b.k', residual = 'b.y', residul = 1 }, 'a.k']",
        &[
            "system.toml:10:10: an entry of `solve` has no `residual`; each entry needs an unknown and a residual; write { \
             unknown = \"instance.variable\", residual = \"instance.variable\" } [missing-key]",
            "system.toml:10:68: unknown key `residul` in [solve]; did you mean `residual`? [unknown-key]",
            "system.toml:10:83: expected an unknown and a residual in `solve`, found a string; write { unknown = \
             \"instance.variable\", residual = \"instance.variable\" } [wrong-type]",
        ],
    );
    assert_refused(
        "solve = [{ unknown = 'a.k', residual = 'b.y' }, { unknown = 'a.k', residual = 'b.y' }]",
        &[
            "system.toml:10:61: `solve` lists the unknown `a.k` twice; remove one of the pairs [duplicate-entry]",
            "system.toml:10:79: `solve` lists the residual `b.y` twice; remove one of the pairs [duplicate-entry]",
        ],
    );
    assert_refused(
        "solve = 3",
        &[
            "system.toml:10:9: expected a list for `solve`, found an integer; write { unknown = \"instance.variable\", residual = \
           \"instance.variable\" } in it [wrong-type]",
        ],
    );
}

/// One `expression` with this formula, and a steady state for its input.
fn expression(formula: &str) -> Case {
    let text = format!(
        "[experiment]\nstop = 1\nstep = 0.5\n[instances]\na = {{ fmu = '{}', start = {{ formula = '{formula}', u1 = 3.0 }} }}\n\
         [initialization]\nsolve = [{{ unknown = 'a.u1', residual = 'a.y' }}]\n",
        packed("expression").display()
    );
    Case::new(&text, [])
}

#[test]
fn start_values_that_were_found_are_reported() {
    let ended = expression("u1^2 - 4").run(&["-v", "--json"]);
    ended.assert(0, &["start values found in ", " iterations: a.u1 = 2"]);
    assert_eq!(ended.json()["start"]["a.u1"], 2.0);
    assert_eq!(expression("u1 - 4").run(&["--json"]).json()["start"]["a.u1"], 4.0);
}

#[test]
fn a_steady_state_that_does_not_exist_is_an_error_of_initialization() {
    let ended = expression("u1^2 - u1 + 1").run(&[]);
    ended.assert(12, &["no steady state found", "a.u1 = 0.", "`a.y` = 0.7", ", expected 0", "other start values"]);
}

#[test]
fn a_formula_that_cannot_be_read_is_shown_with_position_and_names() {
    let ended = expression("2*u1 + sin(v)").run(&[]);
    ended.assert(12, &["`2*u1 + sin(v)`", "position 12", "there is no name `v`", "t, u1, u2, u3, u4, pi, e", "asinh"]);
}

#[test]
fn a_loop_without_solution_is_an_error_of_initialization() {
    let expression = packed("expression").display().to_string();
    let text = format!(
        "[experiment]\nstop = 1\nstep = 0.5\n[instances]\nx = {{ fmu = '{expression}', start = {{ formula = 'u1 + 16' }} }}\n\
         y = {{ fmu = '{expression}', start = {{ formula = 'u1^2 + 1' }} }}\n[connections]\n'x.u1' = 'y.y'\n'y.u1' = 'x.y'\n"
    );
    let ended = Case::new(&text, []).run(&[]);
    ended.assert(12, &["no solution found for the algebraic loop x -> y", "residual", "start values"]);
}
