//! `--estimate`: about the error of runs without `tolerance`.

use super::support::Case;
use tests::systems::Table;

/// Largest error of the rows, relative.
fn error(case: &Case) -> f64 {
    let reference = Table::predator_prey();
    let mut largest = 0.0_f64;
    for row in case.rows() {
        let numbers: Vec<f64> = row.iter().map(|field| field.parse().unwrap()).collect();
        let exact = reference.at(numbers[0]);
        largest = (0..2).map(|k| (numbers[1 + k] - exact[k]).abs() / exact[k].abs()).fold(largest, f64::max);
    }
    largest
}

#[test]
fn the_error_of_fixed_and_of_controlled_steps_is_known_about() {
    for (steps, factor) in [("step = 0.02\noutput-interval = 1.0", 3.0), ("local-tolerance = 1e-6\noutput-interval = 1.0", 10.0)]
    {
        let case = Case::predator_prey(steps);
        let ended = case.run(&["--json", "--estimate"]);
        ended.assert(
            0,
            &[
                "the error is about ",
                "an estimate from smaller steps, not a bound",
                "more doStep calls",
                "\n  prey.x      absolute ",
            ],
        );
        let (json, error) = (ended.json(), error(&case));
        let estimate = json["rough_error_estimate"]["largest"].as_f64().unwrap();
        assert!(estimate < factor * error && error < factor * estimate, "{steps}: {estimate:e} for {error:e}");
        assert!(json["rough_error_estimate"]["predator.y"]["relative"].as_f64().unwrap() <= estimate, "{json}");
    }
}

#[test]
fn an_estimate_needs_rows_at_equal_times_and_no_tolerance() {
    let case = Case::predator_prey("tolerance = 1e-3");
    case.run(&["--estimate"]).assert(2, &["a run with `tolerance` already estimates its error"]);
    let case = Case::predator_prey("local-tolerance = 1e-3");
    case.run(&["--estimate"]).assert(2, &["also pass --output-interval"]);
    case.run(&["--estimate", "--output-interval", "5"]).assert(0, &["the error is about "]);
    let json = case.run(&["--json"]).json();
    assert!(json.as_object().unwrap()["rough_error_estimate"].is_null(), "{json}");
}
