//! FMUs that declare internal steps of fixed size: communication steps, half steps and the search for events keep to them.

use std::path::Path;

use lotka::{Direction, System};
use tests::hostile::Hostile;

use super::run;

/// Size of the internal steps \[s\].
const SIZE: f64 = 0.01;

/// `x' = u - x` from 1, `y = x`, advanced in internal steps.
fn coupled(folder: &Path) -> System {
    let stepping = |xml: &mut String| {
        *xml = xml.replacen("canHandleVariable", "fixedInternalStepSize=\"0.01\" canHandleVariable", 1);
    };
    let a = Hostile::fmi3("a").define("INNER_STEP=0.01").edit_xml(stepping).build(folder);
    let b = Hostile::new("b").build(folder);
    System::new().instance("a", a).instance("b", b).start_value("b.x0", 3.0).connect("b.u", "a.y").connect("a.u", "b.y").stop(1.0)
}

fn is_multiple(time: f64, of: f64) -> bool {
    (time / of - (time / of).round()).abs() < 1e-6
}

/// The difference of both states decays: d' = -2 d, and their sum stays.
fn exact(t: f64) -> f64 {
    2.0 - (-2.0 * t).exp()
}

#[test]
fn fixed_steps_must_be_multiples() {
    let folder = tempfile::tempdir().unwrap();
    let system = coupled(folder.path());
    let text = system.clone().step(0.004).build().unwrap_err().to_string();
    assert!(text.contains("expected a multiple of 0.01 s for `step`, found 0.004 s: `a` has internal steps of 0.01 s"), "{text}");
    assert!(text.contains("use step = 0.01"), "{text}");
    let text = system.clone().step(0.02).stop(1.005).build().unwrap_err().to_string();
    assert!(text.contains("for `stop`, found 1.005 s"), "{text}");
    let text = system.clone().step(0.01).sweep("symmetric").build().unwrap_err().to_string();
    assert!(text.contains("expected a multiple of 0.02 s for `step`") && text.contains("(steps are halved)"), "{text}");
    let (_, rows) = run(&system.step(0.01));
    let y = *rows.real("a.y").unwrap().last().unwrap();
    assert!((y - exact(1.0)).abs() < 2e-3, "{y}");
}

#[test]
fn steps_under_error_control_and_their_halves_are_multiples() {
    let folder = tempfile::tempdir().unwrap();
    for (estimator, unit) in [("step-doubling", 2.0 * SIZE), ("predictor-corrector", SIZE)] {
        let system = coupled(folder.path()).local_tolerance(1e-2).estimator(estimator);
        let (report, rows) = run(&system);
        assert!(rows.time().iter().all(|time| is_multiple(*time, unit)), "{estimator}: {:?}", rows.time());
        assert_eq!(report.counters.n_discards, 0);
        assert!(rows.time().len() > 5);
        let y = *rows.real("a.y").unwrap().last().unwrap();
        assert!((y - exact(1.0)).abs() < 5e-2, "{estimator}: {y}");
    }
    let system = coupled(folder.path()).local_tolerance(1e-2).estimator("step-doubling").output_interval(0.05);
    let text = system.build().unwrap_err().to_string();
    assert!(text.contains("expected a multiple of 0.02 s for `output-interval`, found 0.05 s"), "{text}");
}

#[test]
fn events_are_found_between_internal_steps() {
    let folder = tempfile::tempdir().unwrap();
    let system = coupled(folder.path()).step(0.1).event("a.y", 1.5, Direction::Up);
    let (report, rows) = run(&system);
    assert_eq!((report.counters.n_events, rows.events().len()), (1, 1));
    let time = rows.events()[0].time;
    // The level is passed at ln(2) / 2 s; held inputs have an error of the order of the step.
    assert!(is_multiple(time, SIZE) && (time - 0.5 * std::f64::consts::LN_2).abs() < 0.05, "{time}");
    let at: Vec<_> = (0..rows.time().len()).filter(|row| rows.time()[*row] == time).collect();
    let y = rows.real("a.y").unwrap();
    assert!(y[at[0]] < 1.5 && y[at[1]] >= 1.5, "{y:?}");
}

#[test]
fn meshes_of_a_tolerance_are_multiples_from_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let (report, rows) = run(&coupled(folder.path()).tolerance(1e-2).output_interval(0.1));
    let text = report.warnings.iter().map(ToString::to_string).collect::<String>();
    assert!(
        text.contains(
            "instance `a` advances in internal steps of 0.01 s; Lotka uses only communication step sizes that are multiples of it"
        ),
        "{text}"
    );
    let y = *rows.real("a.y").unwrap().last().unwrap();
    assert!((y - exact(1.0)).abs() <= 1e-2 * exact(1.0), "{y}");
}
