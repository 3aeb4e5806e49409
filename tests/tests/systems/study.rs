//! The studies. Predator and prey: known numbers, published errors, the committed table, the same files every time. Accuracy: the
//! committed table, tolerances that are kept, verified runs against fixed steps. ARGESIM C5: the committed table, located events
//! against steps.

use std::{fs, path::Path, sync::LazyLock};

use accuracy::{Case, Method, Setting};
use lotka::{Memory, System};
use study::{Fmus, KNOWN, Reference, SERIES, Study, Trajectory};
use tests::{joined, systems};

static STUDY: LazyLock<Study> = LazyLock::new(|| Study::run(&fmus()).unwrap_or_else(|error| panic!("{error}")));

fn fmus() -> Fmus {
    Fmus {
        prey: joined::<models::Prey>(),
        predator: joined::<models::Predator>(),
        predator_prey: joined::<models::PredatorPrey>(),
    }
}

fn committed(file: &str) -> String {
    example("predator-prey", file)
}

fn example(folder: &str, file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(folder).join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn known_numbers_are_met() {
    for known in KNOWN {
        let here = known.quantity.of(STUDY.outcome(known.experiment));
        assert!((here / known.value - 1.0).abs() <= known.tolerance, "{here} is not {known:?}");
    }
}

#[test]
fn published_errors_are_met() {
    let pairs = STUDY.largest_errors().into_iter().zip(STUDY.published.maxima());
    for (series, (here, published)) in SERIES.into_iter().zip(pairs) {
        assert!((here / published - 1.0).abs() <= 0.03, "{series}: {here}, published: {published}");
    }
}

#[test]
fn the_committed_table_is_what_the_study_finds() {
    assert_eq!(STUDY.table(), committed("results.md"), "run `cargo xtask study predator-prey` and look at the difference");
}

#[test]
fn a_second_run_gives_the_same_files() {
    let again = Study::run(&fmus()).unwrap();
    assert_eq!(again.table(), STUDY.table());
    let figures = STUDY.figures().unwrap();
    assert!(again.figures().unwrap() == figures, "a figure changed");
    for figure in figures {
        assert!(figure.svg.len() < 300_000, "{} has {} bytes", figure.name, figure.svg.len());
        assert!(committed("README.md").contains(&figure.name), "README.md does not show {}", figure.name);
        assert!(committed(&figure.name).starts_with("<svg"), "{}", figure.name);
    }
}

/// Between the rows of the table the exact solution is interpolated; the FMU integrates there itself.
#[test]
fn the_reference_is_exact_between_its_rows() {
    let system = System::new().instance_of("both", &fmus().predator_prey).stop(100.0).step(0.03);
    let mut results = Memory::new();
    system.build().unwrap().run(&mut [&mut results]).unwrap();
    let trajectory = Trajectory::from_results(&results, ["both.x", "both.y"]).unwrap();
    let deviation = study::largest(&Reference::read().unwrap().relative_deviations(&trajectory));
    assert!(deviation < 1e-11, "{deviation:e}");
}

/// Short enough for tests; the committed table goes further.
static ACCURACY: LazyLock<accuracy::Study> =
    LazyLock::new(|| accuracy::Study::run(|case| Ok(joined_case(case)), 8_000).unwrap_or_else(|error| panic!("{error}")));

fn joined_case(case: Case) -> System {
    match case {
        Case::PredatorPrey => tests::predator_prey(),
        Case::TwoMass => systems::two_mass(),
        Case::QuarterCarForce => systems::quarter_car_force(),
        Case::QuarterCarDisplacement => systems::quarter_car_displacement(),
        Case::VanDerPol => systems::van_der_pol(),
        Case::ThreeSpecies => systems::three_species(),
        Case::ThreeSpeciesComponents => systems::three_species_components(),
    }
}

/// Packed and joined FMUs take the same steps; digits of errors that are nearly rounding may differ.
#[test]
fn the_committed_runs_are_what_the_study_finds() {
    let table = example("accuracy", "results.md");
    for results in &ACCURACY.results {
        let section = table.split(&format!("## {}\n", results.case.title())).nth(1).unwrap();
        let section = section.split("\n## ").next().unwrap();
        for (line, run) in results.lines.iter().flat_map(|line| line.measurements.iter().map(move |run| (line, run))) {
            let start = format!("| {} | {} | {} | ", line.method.name(), run.setting, run.calls);
            let committed = section.lines().find_map(|row| row.strip_prefix(&start)).and_then(|rest| rest.split(" | ").next());
            let committed =
                committed.unwrap_or_else(|| panic!("{}: no {start}; run `cargo xtask study accuracy`", results.case.title()));
            match (run.error.filter(|error| error.is_finite()), committed.parse::<f64>()) {
                (Some(error), Ok(committed)) if error > 1e-11 => {
                    assert!((error / committed - 1.0).abs() < 0.06, "{start}{error:e}")
                }
                (Some(error), _) => assert!(error <= 1e-11, "{start}{committed}, not {error:e}"),
                (None, committed) => assert!(committed.is_err(), "{start}"),
            }
        }
    }
}

#[test]
fn tolerances_are_kept_or_said_not_to_be_reached() {
    let mut kept = 0;
    for results in &ACCURACY.results {
        for run in &results.line(Method::Verified).unwrap().measurements {
            let (Setting::Tolerance(tolerance), Some(error), Some((estimate, reached))) = (run.setting, run.error, run.estimate)
            else {
                panic!("{}: {run:?}", results.case.title())
            };
            assert!(error <= f64::max(2.0 * estimate, 1e-12), "{}: {run:?}", results.case.title());
            assert_eq!(reached, estimate <= tolerance, "{}: {run:?}", results.case.title());
            kept += usize::from(reached);
        }
    }
    assert!(kept >= 8, "{kept}");
}

#[test]
fn verified_runs_beat_fixed_steps_of_low_order() {
    for results in &ACCURACY.results {
        let exceptions = results.exceptions();
        assert!(exceptions.is_empty(), "{}: {exceptions:?}", results.case.title());
    }
    assert!(example("accuracy", "results.md").contains("No such run."), "longer runs differ: say so in the README");
}

#[test]
fn estimates_lie_above_true_errors_and_both_below_the_tolerance() {
    let band = &ACCURACY.band;
    assert_eq!(band.time.len(), 101);
    let (estimated, real) = (band.largest(|errors| &errors.estimated), band.largest(|errors| &errors.real));
    assert!(0.0 < real && real <= estimated && estimated <= band.tolerance, "{real:e} {estimated:e}");
    for errors in &band.species {
        for (estimated, real) in errors.estimated.iter().zip(&errors.real) {
            assert!(*real <= estimated + 1e-13, "{real:e} {estimated:e}");
        }
    }
}

#[test]
fn every_figure_of_the_accuracy_study_is_shown() {
    for figure in ACCURACY.figures().unwrap() {
        assert!(figure.svg.len() < 300_000, "{} has {} bytes", figure.name, figure.svg.len());
        assert!(example("accuracy", "README.md").contains(&figure.name), "README.md does not show {}", figure.name);
        assert!(example("accuracy", &figure.name).starts_with("<svg"), "{}", figure.name);
    }
}

static SWITCHING: LazyLock<switching::Study> = LazyLock::new(|| {
    let fmus = switching::Fmus {
        exact: joined::<models::TwoStatePlant>(),
        integrated: joined::<models::TwoStateOde>(),
        switch: joined::<models::TwoStateSwitch>(),
    };
    switching::Study::run(&fmus).unwrap_or_else(|error| panic!("{error}"))
});

#[test]
fn the_committed_table_of_switching_times_is_what_the_study_finds() {
    let committed = example("argesim-c5", "results.md");
    assert_eq!(SWITCHING.table(), committed, "run `cargo xtask study argesim-c5` and look at the difference");
}

#[test]
fn located_switches_are_exact_and_cost_little() {
    let located = |tolerance: f64| {
        let setting = switching::Setting::Located(tolerance);
        SWITCHING.measurements.iter().find(|m| m.setting == setting && m.plant == switching::Plant::Exact).unwrap().tasks
    };
    for task in located(1e-12) {
        assert!(task.count[0] == task.count[1] && task.error < 1e-9 && task.calls <= 755, "{task:?}");
    }
    // Nine digits more cost less than twice the calls.
    for (fine, coarse) in located(1e-12).iter().zip(located(1e-3)) {
        assert!(fine.calls < 2 * coarse.calls, "{} {}", fine.calls, coarse.calls);
    }
    let steps = SWITCHING.measurements.iter().filter(|m| matches!(m.setting, switching::Setting::Steps(_)));
    for m in steps {
        assert!(m.tasks[0].error > 1e-6, "without events half a million calls give five digits: {m:?}");
    }
    let desire: Vec<f64> = switching::Task::A.reference().iter().zip(switching::DESIRE).map(|(a, b)| (a - b).abs()).collect();
    assert!(desire.iter().all(|error| (2e-5..1e-4).contains(error)), "{desire:?}");
}
