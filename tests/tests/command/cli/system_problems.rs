//! Systems that do not hold together.

use super::support::{Case, LOOP};
use tests::hostile::Hostile;

const EXPERIMENT: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = 'a.fmu'\nb = 'b.fmu'\n[connections]\n";

/// Ends with 10, with these lines on stderr, and leaves the results of an earlier run alone.
#[track_caller]
fn assert_refused(system: &str, fmus: [Hostile; 2], lines: &[&str]) {
    let case = Case::new(system, fmus);
    case.write("out.csv", "an earlier run");
    let ended = case.run(&[]);
    assert_eq!((ended.code, ended.stdout.as_str(), ended.stderr.lines().collect::<Vec<_>>().as_slice()), (10, "", lines));
    assert_eq!(case.read("out.csv"), "an earlier run");
    assert_eq!(case.lotka(&["check", "system.toml"]).code, 10);
}

fn sound() -> [Hostile; 2] {
    [Hostile::new("a"), Hostile::new("b")]
}

#[test]
fn the_nearest_name_is_offered_for_unknown_instances_and_variables_all_at_once() {
    assert_refused(
        &format!("{EXPERIMENT}'bb.u' = 'a.y'\n'a.u' = 'b.yy'\n'a.levle' = 'b.steps'\n"),
        sound(),
        &[
            "system.toml:8:1: unknown instance `bb`; did you mean `b`? [unknown-instance]",
            "system.toml:9:9: instance `b` has no variable `yy`; did you mean `y`? [unknown-variable]",
            "system.toml:10:1: instance `a` has no variable `levle`; did you mean `level`? [unknown-variable]",
        ],
    );
}

/// What is missing with it is no problem of its own.
#[test]
fn a_key_that_is_mistyped_is_what_is_wrong() {
    let case = Case::new(
        "[experiment]\nstop = 1\ntolerence = 1e-6\noutput-interval = 0.1\n[instances]\na = 'a.fmu'\n",
        [Hostile::new("a")],
    );
    let ended = case.run(&[]);
    ended.assert(10, &["system.toml:3:1: ", "`tolerance`", "[no-step-size]"]);
    assert!(!ended.stderr.contains("is not a multiple"), "{}", ended.stderr);
}

#[test]
fn an_input_has_one_source() {
    assert_refused(
        &format!("{EXPERIMENT}'a.u' = 'b.y'\na.u = 'a.y'\n"),
        sound(),
        &["system.toml:9:3: `a.u` has two sources; sum them in one list: \"input\" = [\"a.y\", \"b.y\"] [two-sources]"],
    );
    let twice = Case::new(&format!("{EXPERIMENT}'a.u' = 'b.y'\n'a.u' = 'a.y'\n"), sound());
    twice.run(&[]).assert(10, &["system.toml:9:1: ", "duplicate key"]);
}

#[test]
fn an_output_is_no_target_and_an_input_no_source() {
    assert_refused(
        &format!("{EXPERIMENT}'a.y' = 'b.u'\n"),
        sound(),
        &[
            "system.toml:8:1: `a.y` cannot be the target of a connection: it is an output, expected an input; write \"input\" = \
             \"output\" [wrong-causality]",
            "system.toml:8:9: `b.u` cannot be the source of a connection: it is an input, expected an output; write \"input\" = \
             \"output\" [wrong-causality]",
        ],
    );
}

#[test]
fn types_must_fit() {
    assert_refused(
        &format!("{EXPERIMENT}'a.u' = 'b.text'\n'b.level' = 'a.y'\n"),
        sound(),
        &[
            "system.toml:8:9: cannot connect `b.text` to `a.u`: a String cannot feed a Real; connect an output that is a Real \
             [incompatible-types]",
            "system.toml:9:13: cannot connect `a.y` to `b.level`: a Real cannot feed an Integer; connect an output that is an \
             Integer [incompatible-types]",
        ],
    );
}

#[test]
fn a_missing_capability_is_named_with_fmu_and_method() {
    let without = |attribute| [Hostile::new("a").capability(attribute, false), Hostile::new("b")];
    let controlled = format!("[experiment]\nstop = 1\nlocal-tolerance = 1e-4\n{LOOP}");
    let case = Case::new(&controlled, without("canGetAndSetFMUstate"));
    case.run(&[])
        .assert(10, &["system.toml:5:5: local error control", "rollback", "a.fmu", "instance `a`", "canGetAndSetFMUstate"]);
    let case = Case::new(&controlled, without("canHandleVariableCommunicationStepSize"));
    case.run(&[]).assert(10, &["local error control", "a.fmu", "canHandleVariableCommunicationStepSize", "use a fixed `step`"]);
    let iterated = format!("[experiment]\nstop = 1\nstep = 0.1\n{LOOP}[algorithm]\niterations = 5\n");
    let case = Case::new(&iterated, without("canGetAndSetFMUstate"));
    case.run(&[]).assert(
        10,
        &[
            "iteration (`iterations`)",
            "a.fmu",
            "instance `a`",
            "canGetAndSetFMUstate",
            "; use iterations = 1 [missing-capability]\n",
        ],
    );
    let symmetric = format!("[experiment]\nstop = 1\nstep = 0.1\n{LOOP}[algorithm]\nsweep = 'symmetric'\n");
    let case = Case::new(&symmetric, without("canHandleVariableCommunicationStepSize"));
    let needs =
        "system.toml:5:5: the symmetric sweep needs variable step sizes, which the FMU a.fmu of instance `a` does not support";
    let instead = "(canHandleVariableCommunicationStepSize is not true); use the sweep gauss-seidel with input-degree = 1 [missing-capability]\n";
    case.run(&[]).assert(10, &[needs, instead]);
}

#[test]
fn the_symmetric_sweep_takes_no_source_of_a_degree_above_0() {
    let system = |degree| {
        format!("{EXPERIMENT}'a.u' = {{ from = 'b.y', degree = {degree} }}\n'b.u' = 'a.y'\n[algorithm]\nsweep = 'symmetric'\n")
    };
    let refused = "system.toml:8:34: `a.u` <- `b.y`: the symmetric sweep has order 2 with held inputs, and only order 1 with a \
                   source of degree 1; remove `degree`, or use the sweep gauss-seidel or jacobi [conflicting-settings]";
    assert_refused(&system(1), sound(), &[refused]);
    Case::new(&system(0), sound()).run(&[]).assert(0, &[]);
}

#[test]
fn start_values_of_the_command_line_are_checked() {
    let case = Case::of(Hostile::new("a"));
    case.run(&["--start-value", "a.kk=2"]).assert(10, &["instance `a` has no variable `kk`; did you mean `k`?"]);
    case.run(&["--start-value", "a.k=two"]).assert(10, &["`a.k` has the wrong type: expected Real"]);
}

#[test]
fn files_that_are_no_system_are_reported_so() {
    let case = Case::of(Hostile::new("a"));
    case.lotka(&["run", "nowhere.toml"]).assert(10, &["nowhere.toml", "No such file"]);
    case.lotka(&["inspect", "nowhere.toml"]).assert(10, &["nowhere.toml", "No such file"]);
    case.write("broken.toml", "[experiment\nstop = 1\n");
    case.lotka(&["run", "broken.toml"]).assert(10, &["broken.toml:1:12: "]);
}

#[test]
fn what_does_not_matter_is_a_warning_with_its_place() {
    let case = Case::new(&format!("{EXPERIMENT}'a.u' = 'b.steps'\n"), sound());
    let warning = "`b.steps` to `a.u`: an Integer is converted to a Real";
    let ended = case.run(&["--json"]);
    ended.assert(0, &[&format!("warning: system.toml:8:9: {warning}")]);
    assert_eq!(ended.json()["warnings"][0], format!("system.toml:8:9: {warning}"));
}

#[test]
fn problems_of_the_text_do_not_hide_those_of_names_and_fmus() {
    let text = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = 'a.fmu'\nb = 'b.fmu'\n[connections]\n'a.u' = 'b.yy'\n\
                [algorithm]\ncontroler = 'pi'\nsweep = 'gauss'\n";
    let case = Case::new(text, sound());
    let mentioned = ["unknown key `controler`", "unknown sweep `gauss`", "instance `b` has no variable `yy`"];
    case.run(&[]).assert(10, &mentioned);
    std::fs::remove_file(case.path("b.fmu")).unwrap();
    case.run(&[]).assert(10, &["unknown key `controler`", "b.fmu"]);
}

#[test]
fn steps_that_never_end_and_tolerances_below_rounding_are_refused() {
    let case = Case::new(&format!("{EXPERIMENT}'a.u' = 'b.y'\n"), sound());
    case.run(&["--step-size", "1e-30"]).assert(10, &["`step`", "1e15 steps"]);
    case.run(&["--local-tolerance", "1e-300"]).assert(10, &["`local-tolerance`", "below the rounding", "use 1e-14"]);
}

#[test]
fn a_start_value_of_a_connected_input_has_no_effect_and_is_warned_of() {
    let case = Case::new(&format!("{EXPERIMENT}'a.u' = 'b.y'\n"), sound());
    case.run(&["--start-value", "a.u=5"]).assert(0, &["the start value of `a.u` has no effect"]);
}

#[test]
fn a_step_of_0_is_one_problem() {
    let ended = Case::two_mass("step = 0").run(&[]);
    let line = "system.toml:3:8: expected a value greater than 0 for `step`, found 0 [out-of-range]";
    assert_eq!((ended.code, ended.stderr.trim_end()), (10, line));
}
