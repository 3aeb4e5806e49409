//! Runs with `tolerance`: what is promised, shown and written, and what is refused.

use super::support::{Case, LOOP};
use tests::{hostile::Hostile, systems::Table};

#[test]
fn the_tolerance_is_kept_and_the_estimate_shown_per_variable() {
    let case = Case::predator_prey("tolerance = 1e-6\noutput-interval = 1.0");
    let ended = case.run(&["--error-bars"]);
    ended.assert(0, &["stop time 100 s reached\ntolerance 1e-6 kept by the coupling; estimated largest error ", "doStep calls"]);
    ended.assert(
        0,
        &["\n  prey.x      absolute ", "\n  predator.y  absolute ", "\nextrapolated from runs with 100, 200, 300, 400 steps\n"],
    );
    ended.assert(
        0,
        &[", error inside the FMUs unknown:\n", "\n2 runs on other meshes agree; features shorter than 0.25 s may be missed\n"],
    );
    assert!(case.read("out.csv").starts_with("time,prey.x,predator.y,prey.x (error),predator.y (error)\n"));
    let reference = Table::predator_prey();
    let rows = case.rows();
    assert_eq!(rows.len(), 101);
    for row in rows {
        let numbers: Vec<f64> = row.iter().map(|field| field.parse().unwrap()).collect();
        let exact = reference.at(numbers[0]);
        for k in 0..2 {
            let error = (numbers[1 + k] - exact[k]).abs();
            assert!(error <= 1e-6 * exact[k] && numbers[3 + k] <= 1e-6 * exact[k], "{row:?}");
            assert!(numbers[3 + k] >= 0.5 * error, "{row:?}: {exact:?}");
        }
    }
}

#[test]
fn rows_without_error_bars_go_to_stdout() {
    let ended = Case::predator_prey("tolerance = 1e-3\noutput-interval = 10.0").lotka(&["run", "system.toml", "-q"]);
    assert_eq!((ended.code, ended.stderr.as_str(), ended.stdout.lines().count()), (0, "", 12));
    assert!(ended.stdout.starts_with("time,prey.x,predator.y\n0.0,10.0,10.0\n10.0,"), "{}", ended.stdout);
}

#[test]
fn json_has_the_estimates_and_whether_they_are_small_enough() {
    let case = Case::predator_prey("tolerance = 1e-6\noutput-interval = 1.0");
    let json = case.lotka(&["run", "system.toml", "--json"]).assert(0, &[]).json();
    let estimate = &json["global_error_estimate"];
    let largest = estimate["largest"].as_f64().unwrap();
    let relative = ["prey.x", "predator.y"].map(|name| estimate[name]["relative"].as_f64().unwrap());
    assert!(largest <= 1e-6 && largest == relative[0].max(relative[1]), "{json}");
    assert!(
        estimate["prey.x"]["absolute"].as_f64().unwrap() > 0.0 && estimate["prey.x"]["scale"].as_f64().unwrap() > 0.0,
        "{json}"
    );
    assert_eq!((&json["reached"], &json["own_error_estimate"], &json["reason"]), (&true.into(), &().into(), &().into()));
    assert_eq!(json["runs"], serde_json::json!([100, 200, 300, 400]));
    let calls = |instance: &str| json["instances"][instance]["do_step"].as_u64().unwrap();
    assert_eq!(json["statistics"]["n_do_step_calls"], calls("prey") + calls("predator"));
    let fixed = case.lotka(&["run", "system.toml", "--json", "--step-size", "0.5"]).assert(0, &[]).json();
    for key in ["global_error_estimate", "reached", "own_error_estimate", "runs"] {
        assert!(fixed.as_object().unwrap()[key].is_null(), "{fixed}");
    }
}

#[test]
fn a_tolerance_that_is_not_reached_has_its_own_code_and_the_best_rows() {
    let case = Case::predator_prey("tolerance = 1e-11\noutput-interval = 1.0");
    case.write("system.toml", &format!("{}[algorithm]\nsweep = 'jacobi'\ninput-degree = 0\n", case.read("system.toml")));
    let ended = case.run(&["--json", "--error-bars"]);
    ended.assert(
        15,
        &[
            "tolerance 1e-11 not reached; the error of `predator.y` is estimated at ",
            "the finest mesh had 512 steps per base step",
        ],
    );
    ended.assert(15, &["; the error of the best result is estimated at ", " [tolerance-not-reached]\n"]);
    let json = ended.json();
    assert_eq!((json["end"].as_str(), json["reached"].as_bool()), (Some("tolerance-not-reached"), Some(false)));
    assert!(ended.stdout.starts_with("{\n  \"verdict\": \"tolerance 1e-11 not reached; "), "{json}");
    assert!(ended.stderr.starts_with("tolerance 1e-11 not reached; ") && !ended.stderr.contains("stop time"), "{}", ended.stderr);
    assert!(json["reason"].as_str().unwrap().contains("finest mesh"), "{json}");
    assert!(json["global_error_estimate"]["largest"].as_f64().unwrap() > 1e-11, "{json}");
    assert_eq!(case.rows().len(), 101);
    case.run(&["--tolerance", "1e-3"]).assert(0, &["tolerance 1e-3 kept by the coupling"]);
}

#[test]
fn a_refusal_is_an_error_for_quiet_runs_too() {
    let case = Case::predator_prey("tolerance = 1e-6\nmax-calls = 10\noutput-interval = 1.0");
    let ended = case.run(&["-q"]);
    ended.assert(15, &["error: tolerance 1e-6 not reached; ", " step calls (limit: 10), too few for an estimate"]);
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    case.run(&[]).assert(15, &["increase `max-calls`", "\nnot extrapolated: rows of the run with 100 steps\n"]);
    assert_eq!(case.rows().len(), 101);
    let case = Case::predator_prey("tolerance = 1e-9\nmax-calls = 1000\noutput-interval = 1.0");
    case.run(&[]).assert(
        15,
        &["(limit: 1000); the estimate is ", "; at this rate `max-calls = ", "` suffices, or less if the runs show their order"],
    );
}

/// A mass that begins with a speed, and a force of its position or speed in a formula.
fn mass_with(settings: &str, speed: f64, output: &str, formula: &str) -> Case {
    let [mass, force] = ["mass", "expression"].map(tests::packed);
    let text = format!(
        "[experiment]\nstop = 10\noutput-interval = 0.1\n{settings}\n[instances]\nmass = {{ fmu = '{}', start = {{ x = 1, v = {speed} }} }}\n\
         force = {{ fmu = '{}', start = {{ formula = '{formula}' }} }}\n\
         [connections]\n'force.u1' = 'mass.{output}'\n'mass.f' = 'force.y'\n",
        mass.display(),
        force.display()
    );
    Case::new(&text, [])
}

/// Trials see no direct feedthrough at first, and all calls are spent when the runs begin anew: what the ones before them found
/// is better.
#[test]
fn the_best_result_is_that_of_all_methods() {
    let case = mass_with("tolerance = 1e-6\nmax-calls = 2000", 0.5, "v", "-0.3*u1/abs(u1)");
    let ended = case.run(&["--json", "-v"]);
    ended.assert(15, &["Lotka restarts", "`force.y` jumps, or changes faster than the steps near t = ", "(limit: 2000)"]);
    let json = ended.json();
    assert!(json["global_error_estimate"]["mass.x"]["absolute"].as_f64().unwrap() < 0.1, "{json}");
    assert!(json["runs"].as_array().unwrap().len() >= 3, "{json}");
}

/// A contact that is open leaves a force of some 1e-14, which comes and goes as differences of large numbers do.
#[test]
fn rounding_is_no_step_of_an_fmu() {
    let case = mass_with("tolerance = 1e-6\nmax-calls = 3000", 0.0, "x", "-200*(abs(u1-0.3)+u1-0.3)/2");
    let ended = case.run(&["--json"]);
    ended.assert(15, &["(limit: 3000)"]);
    assert_eq!(ended.json()["internal_steps"], serde_json::json!([]));
}

/// The ball reads nothing, so that the search follows no signal and knows no obstacle: the first row above the tolerance is
/// named.
#[test]
fn a_refusal_names_the_first_place() {
    let ball = tests::packed("bouncing_ball").display().to_string();
    let text = format!("[experiment]\nstop = 1\noutput-interval = 0.05\ntolerance = 1e-6\n[instances]\nball = '{ball}'\n");
    let case = Case::new(&text, []);
    case.run(&[]).assert(15, &["` is above the tolerance from t = 0.", "; for signals that jump, add [events] entries instead"]);
    case.write("system.toml", &format!("{text}[events]\n'ball.h' = 'down'\n"));
    case.run(&[]).assert(0, &["tolerance 1e-6 kept"]);
}

#[test]
fn verbose_tells_the_choice_with_its_reason_and_every_run() {
    let case = Case::predator_prey("tolerance = 1e-6\noutput-interval = 1.0");
    let reason =
        "all FMUs support variable step sizes, so the error of the symmetric sweep has only even powers of the step size.\n";
    let verbose = case.run(&["-v"]);
    verbose.assert(
        0,
        &[
            "algorithm: symmetric sweep in the order prey, predator, held inputs, no iteration, runs on successively finer",
            reason,
        ],
    );
    verbose.assert(0, &["run with 100 steps: no estimate yet\n", "run with 300 steps: estimate "]);
    assert!(!case.run(&[]).stderr.contains("run with"));
    let feedthrough = Case::two_mass("tolerance = 1e-3");
    let reason = "Outputs in a loop have direct feedthrough";
    feedthrough
        .run(&["-v"])
        .assert(0, &["algorithm: jacobi sweep in the order left, right, linear inputs", reason, "order 2.\n"]);
    let stale =
        format!("{}[algorithm]\nfeedthrough-outputs = 'stale'\ninput-delivery = 'mean'\n", feedthrough.read("system.toml"));
    feedthrough.write("stale.toml", &stale);
    let warning = "warning: instance `right`: its outputs have direct feedthrough, or its model description does not rule it \
                   out, and `feedthrough-outputs = \"stale\"` does not refresh them: they are stale after each step; expect \
                   order 1 [stale-outputs]\n";
    for steps in [&[][..], &["--step-size", "0.01"]] {
        feedthrough.lotka(&[&["run", "stale.toml"], steps].concat()).assert(0, &[warning]);
    }
    let given = format!("{}[algorithm]\nsweep = 'jacobi'\n", feedthrough.read("system.toml"));
    feedthrough.write("system.toml", &given);
    assert!(!feedthrough.run(&["-v"]).assert(0, &["algorithm: jacobi sweep"]).stderr.contains(reason));
    let alone = Case::new("[experiment]\nstop = 1\ntolerance = 1e-3\n[instances]\na = 'a.fmu'\n", [Hostile::new("a")]);
    alone.run(&["-v"]).assert(0, &["No instances form a loop, so each one steps after its sources"]);
}

#[test]
fn a_source_of_another_degree_is_reported_and_rules_out_the_symmetric_sweep() {
    let case = Case::predator_prey("tolerance = 1e-3\noutput-interval = 1.0");
    let with = |degree: &str| {
        let text = case.read("system.toml");
        let source = format!("{{ from = 'predator.y', degree = {degree} }}");
        Case::new(&text.replace("'prey.y' = 'predator.y'", &format!("'prey.y' = {source}")), [])
    };
    let reason = ". A connection sets a `degree` above 0 for its source, which the symmetric sweep does not support.\n";
    let order = "algorithm: gauss-seidel sweep in the order prey, predator";
    let quadratic = format!("{order}, linear inputs (`prey.y` from `predator.y` quadratic), no iteration");
    with("2").run(&["-v"]).assert(0, &[&quadratic, reason]);
    with("1").run(&["-v"]).assert(0, &[&format!("{order}, linear inputs, no iteration"), reason]);
    with("0").run(&["-v"]).assert(0, &["algorithm: symmetric sweep in the order prey, predator, held inputs, no iteration"]);
    let held = format!("{order}, linear inputs (`prey.y` from `predator.y` held), no iteration");
    with("0").run(&["-v", "--step-size", "0.5"]).assert(0, &[&held]);
}

#[test]
fn flags_override_the_way_steps_are_made() {
    let case = Case::predator_prey("local-tolerance = 1e-3\noutput-interval = 1.0");
    case.run(&["--tolerance", "1e-4"]).assert(0, &["tolerance 1e-4 kept"]);
    let case = Case::predator_prey("step = 0.5\noutput-interval = 1.0");
    case.run(&["--tolerance", "1e-4"]).assert(0, &["tolerance 1e-4 kept"]);
    let case = Case::predator_prey("tolerance = 1e-4\noutput-interval = 1.0");
    case.run(&["--tolerance", "1e-5"]).assert(0, &["tolerance 1e-5 kept"]);
    assert!(!case.run(&["--step-size", "0.5"]).assert(0, &["200 steps"]).stderr.contains("tolerance"));
    case.run(&["--local-tolerance", "1e-3"]).assert(0, &["largest local error estimate"]);
    case.run(&["--tolerance", "1e-5", "--step-size", "0.5"]).assert(2, &["cannot be used with"]);
}

#[test]
fn error_bars_without_estimates_or_rows_are_refused() {
    let case = Case::predator_prey("step = 0.5\noutput-interval = 1.0");
    case.write("out.csv", "an earlier run");
    case.run(&["--error-bars"]).assert(2, &["--error-bars", "`tolerance`", "--tolerance"]);
    assert_eq!(case.read("out.csv"), "an earlier run");
    case.run(&["--error-bars", "--tolerance", "1e-3"]).assert(0, &[]);
    case.lotka(&["run", "system.toml", "--json", "--error-bars", "--tolerance", "1e-3"]).assert(2, &["--json", "--output-file"]);
}

#[test]
fn tolerances_below_rounding_are_refused() {
    let case = Case::predator_prey("tolerance = 1e-13");
    case.run(&[]).assert(10, &["system.toml:3:13: `tolerance` 1e-13 is below the rounding error of a run", "use 1e-12 or more"]);
}

#[test]
fn a_purely_relative_tolerance_needs_variables_that_keep_their_sign() {
    let case = Case::two_mass("tolerance = 1e-3\nabsolute-tolerance = 0\noutput-interval = 0.5");
    case.run(&[]).assert(10, &["output `left.x` changes sign", "set `absolute-tolerance` above 0", "or remove it"]);
    let positive = Case::predator_prey("tolerance = 1e-6\nabsolute-tolerance = 0\noutput-interval = 1.0");
    positive.run(&[]).assert(0, &["tolerance 1e-6 kept"]);
}

#[test]
fn a_tolerance_does_not_go_with_steps_of_another_kind() {
    let case = Case::predator_prey("tolerance = 1e-6\nstep = 0.1");
    case.run(&[]).assert(10, &["system.toml:4:8: `tolerance` and `step` exclude each other", "keep `tolerance`"]);
    let case = Case::predator_prey("tolerance = 1e-6\nlocal-tolerance = 1e-3\nmin-step = 1e-3");
    let ended = case.run(&[]);
    ended.assert(10, &["`tolerance` and `local-tolerance` exclude each other", "`min-step` has no effect with `tolerance`"]);
}

#[test]
fn an_fmu_that_only_takes_steps_of_one_size_has_a_size_of_its_own_in_each_run() {
    let system = format!("[experiment]\nstop = 1\ntolerance = 1e-4\n{LOOP}");
    let fmu = Hostile::new("a").capability("canHandleVariableCommunicationStepSize", false).define("STRICT_STEP");
    let case = Case::new(&system, [fmu, Hostile::new("b")]);
    case.run(&[]).assert(0, &["tolerance 1e-4 kept", "from runs with 100, 200"]);
}

#[test]
fn runs_that_fail_on_every_mesh_tell_why() {
    let system = format!("[experiment]\nstop = 1\ntolerance = 1e-4\noutput-interval = 0.1\n{LOOP}");
    let case = Case::new(&system, [Hostile::new("a").reply("fmi2DoStep", 3).define("FAULT_AT=0.45"), Hostile::new("b")]);
    let ended = case.run(&["--json"]);
    let json = ended
        .assert(13, &["failed without a result\n", "error: instance `a`: fmi2DoStep at t = 0.45", "returned fmi2Error"])
        .json();
    assert_eq!((json["end"].as_str(), json["reached"].is_null()), (Some("failed"), true));
    assert!(!ended.stderr.contains("rows so far"), "{}", ended.stderr);
}
