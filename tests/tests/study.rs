//! The study of the predator–prey system: known numbers, published errors, the committed table, the same files every time.

use std::{fs, path::Path, sync::LazyLock};

use lotka::{Memory, System};
use study::{Fmus, KNOWN, Reference, SERIES, Study, Trajectory};
use tests::joined;

static STUDY: LazyLock<Study> = LazyLock::new(|| Study::run(&fmus()).unwrap_or_else(|error| panic!("{error}")));

fn fmus() -> Fmus {
    Fmus {
        prey: joined::<models::Prey>(),
        predator: joined::<models::Predator>(),
        predator_prey: joined::<models::PredatorPrey>(),
    }
}

fn committed(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/predator-prey").join(file);
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
