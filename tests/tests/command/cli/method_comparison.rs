//! `lotka run --try`: work against error.

use super::support::{Case, Ended};

/// The table: per line the cells before the reason.
fn table(ended: &Ended) -> Vec<Vec<String>> {
    let lines = ended.stdout.lines().skip_while(|line| !line.starts_with("method "));
    lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

#[test]
fn methods_are_compared_by_work_error_and_order() {
    let case = Case::predator_prey("tolerance = 1e-6\noutput-interval = 1.0");
    let ended = case.lotka(&["run", "system.toml", "--try", "jacobi,jacobi:1,gauss-seidel,symmetric"]);
    ended.assert(0, &[]);
    assert!(ended.stdout.starts_with("reference: tolerance 1e-6 kept with "), "{}", ended.stdout);
    let derived = "fixed steps of 0.1 s (a tenth of the distance of the rows: only `tolerance` is given), rows every 1 s";
    assert!(ended.stdout.contains(derived), "{}", ended.stdout);
    let expected = [
        ["method", "doStep", "calls", "steps", "error", "order"].as_slice(),
        &["jacobi", "2000", "1000", "6.0e-1", "0.8"],
        &["jacobi:1", "2002", "1000", "2.8e-3", "2.0"],
        &["gauss-seidel", "2000", "1000", "3.7e-2", "1.0"],
        &["symmetric", "2100", "1000", "3.2e-4", "2.0"],
    ];
    assert_eq!(table(&ended), expected);
}

#[test]
fn a_method_that_fails_does_not_stop_the_others() {
    let case = Case::predator_prey("step = 0.5");
    let ended = case.lotka(&["run", "system.toml", "--try", "symetric,jacobi:4,jacobi+andersen,jacobi", "--json"]);
    let json = ended.assert(0, &[]).json();
    let failure = |index: usize| json["methods"][index]["failure"].as_str().unwrap();
    assert!(failure(0).contains("unknown sweep `symetric`; did you mean `symmetric`?"), "{json}");
    assert!(failure(1).contains("expected 0 (hold) to 3"), "{json}");
    assert!(failure(2).contains("unknown acceleration `andersen`; did you mean `anderson`?"), "{json}");
    assert_eq!(
        (json["methods"][3]["method"].as_str(), json["methods"][3]["n_do_step_calls"].as_u64()),
        (Some("jacobi"), Some(400))
    );
    assert!((json["methods"][3]["largest_error"].as_f64().unwrap() / 3.8 - 1.0).abs() < 0.05, "{json}");
    assert_eq!((json["step"].as_f64(), json["reference"]["tolerance"].as_f64()), (Some(0.5), Some(1e-8)));
    let table = table(&case.lotka(&["run", "system.toml", "--try", "symetric,jacobi"]));
    assert_eq!(table[1][..6], ["symetric", "-", "-", "-", "-", "unknown"]);
    assert_eq!(table[2][..3], ["jacobi", "400", "200"]);
    case.lotka(&["run", "system.toml", "--try", "symetric"]).assert(10, &[]);
}

#[test]
fn errors_below_that_of_the_reference_are_not_told_apart() {
    let case = Case::predator_prey("tolerance = 1e-3\noutput-interval = 1.0");
    let ended = case.lotka(&["run", "system.toml", "--try", "gauss-seidel:3+none"]);
    let json = case.lotka(&["run", "system.toml", "--try", "gauss-seidel:3+none", "--json"]).json();
    let own = json["reference"]["largest"].as_f64().unwrap();
    assert_eq!(table(&ended)[1][3..], ["<".to_owned(), format!("{own:.1e}"), "-".to_owned()]);
    assert!(json["methods"][0]["order"].is_null(), "{json}");
}

#[test]
fn the_local_tolerance_and_the_step_of_the_command_line_hold_for_all_methods() {
    let case = Case::predator_prey("tolerance = 1e-6\noutput-interval = 1.0");
    let run = |flags: &[&str]| case.lotka(&[&["run", "system.toml", "--try", "jacobi:1,gauss-seidel:1"], flags].concat());
    let local = run(&["--local-tolerance", "1e-4"]);
    local.assert(0, &[]);
    assert!(local.stdout.contains("methods: local tolerance 1e-4, rows every 1 s"), "{}", local.stdout);
    assert_eq!(table(&local)[1][4], "-");
    let fixed = run(&["--step-size", "0.25"]);
    assert!(fixed.stdout.contains("reference: tolerance 1e-6 kept"), "{}", fixed.stdout);
    assert_eq!(table(&fixed)[1][..3], ["jacobi:1", "802", "400"]);
    run(&["-v"]).assert(0, &["reference: symmetric sweep", "gauss-seidel:1: gauss-seidel sweep in the order prey, predator"]);
}

#[test]
fn rows_are_not_written_and_names_are_checked() {
    let case = Case::predator_prey("step = 0.5");
    for (arguments, text) in [
        (&["--try", "jacobi", "--output-file", "out.csv"] as &[&str], "cannot be used with"),
        (&["--try", "jacobi:x"], "expected a whole number as degree, found `x`"),
        (&["--try", ""], "write a sweep"),
    ] {
        case.lotka(&[&["run", "system.toml"], arguments].concat()).assert(2, &[text]);
    }
}
