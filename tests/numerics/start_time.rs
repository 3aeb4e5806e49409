//! When a run begins is no matter where nothing depends on the time: results are the same, only later.

use lotka::{Direction, End, Memory, System};
use models::BouncingBall;
use tempfile::TempDir;
use tests::{
    joined, predator_prey,
    quirks::Quirk,
    run,
    systems::{power_bond, switched_heating, two_mass},
};

/// Starts \[s\]; all but the last one are exact in few bits.
const STARTS: [f64; 3] = [64.0, -64.0, 100.1];

fn at(system: &System, start: f64) -> System {
    let stop = system.description().experiment.stop.as_ref().map_or(1.0, |stop| stop.value);
    system.clone().start(start).stop(start + stop)
}

/// The same rows, later by `start`, with values that differ by `error` of the largest at most.
#[track_caller]
fn assert_same(rows: &Memory, wanted: &Memory, start: f64, error: f64, what: &str) {
    let moved: Vec<f64> = rows.time().iter().map(|time| time - start).collect();
    assert_eq!(moved.len(), wanted.time().len(), "{what}, from {start} s: {moved:?} instead of {:?}", wanted.time());
    let apart = moved.iter().zip(wanted.time()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart <= 1e-9 + error, "{what}, from {start} s: times differ by {apart:e}");
    assert_eq!(
        rows.events().iter().map(|event| event.row).collect::<Vec<_>>(),
        wanted.events().iter().map(|event| event.row).collect::<Vec<_>>()
    );
    for column in wanted.columns() {
        let (Some(values), Some(wanted)) = (rows.real(&column.name), wanted.real(&column.name)) else { continue };
        let largest = wanted.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        for (row, (value, wanted)) in values.iter().zip(wanted).enumerate() {
            let is_same = (value - wanted).abs() <= error * largest;
            assert!(is_same, "{what}, from {start} s: {} in row {row} is {value} instead of {wanted}", column.name);
        }
    }
}

/// Runs a system at other times. A few steps more or fewer come of rounding, where steps follow an error or end at events.
fn assert_no_matter(system: &System, error: f64, what: &str) {
    let (wanted, wanted_rows) = run(&at(system, 0.0));
    for start in STARTS {
        let (report, rows) = run(&at(system, start));
        assert_same(&rows, &wanted_rows, start, error, what);
        assert_eq!(report.end, wanted.end, "{what}");
        assert!((report.time - start - wanted.time).abs() < 1e-9, "{what}: {} instead of {}", report.time, wanted.time);
        let [steps, expected] = [&report, &wanted].map(|report| report.counters.n_steps);
        assert!(steps.abs_diff(expected) <= 1 + expected / 100, "{what}, from {start} s: {steps} steps instead of {expected}");
        let [own, other] = [&report, &wanted].map(|report| report.global_error.as_ref());
        assert_eq!(own.map(|own| (own.reached, &own.steps)), other.map(|other| (other.reached, &other.steps)), "{what}");
        for (own, other) in report.power_bonds.iter().zip(&wanted.power_bonds) {
            let scale = other.absolute_residual_energy;
            assert!((own.residual_energy - other.residual_energy).abs() <= 1e-6 * scale, "{what}, from {start} s");
        }
    }
}

#[test]
fn of_smooth_systems_with_every_kind_of_step() {
    for (name, system) in [("prey and predator", predator_prey().stop(10.0)), ("two masses", two_mass().stop(10.0))] {
        for sweep in ["gauss-seidel", "jacobi", "symmetric"] {
            assert_no_matter(&system.clone().sweep(sweep).step(0.1), 1e-9, &format!("{name}, {sweep}"));
        }
        assert_no_matter(&system.clone().step(0.1).output_interval(0.7), 1e-9, &format!("{name}, rows between steps"));
        for estimator in ["step-doubling", "predictor-corrector", "embedded"] {
            let system = system.clone().input_degree(1).estimator(estimator).local_tolerance(1e-4);
            assert_no_matter(&system, 1e-5, &format!("{name}, {estimator}"));
        }
        assert_no_matter(&system.clone().output_interval(1.0).tolerance(1e-6), 1e-9, &format!("{name}, tolerance"));
    }
    assert_no_matter(&power_bond().sweep("jacobi").estimator("energy").local_tolerance(1e-3), 1e-6, "power bond");
}

#[test]
fn of_events() {
    let ball = System::new().instance_of("ball", &joined::<BouncingBall>()).stop(2.1).event("ball.h", 0.0, Direction::Down);
    for interval in [0.1, 1.05] {
        let ball = ball.clone().output_interval(interval);
        assert_no_matter(&ball.clone().step(0.05), 1e-8, "ball");
        assert_no_matter(
            &ball.clone().start_value("ball.impacts", "discard").event_by_discard("ball").step(0.05),
            1e-8,
            "ball that discards",
        );
        assert_no_matter(&ball.tolerance(1e-6), 1e-8, "ball with a tolerance");
    }
    let heating = switched_heating().stop(10.0).sweep("gauss-seidel");
    let heating = heating.event("room.temperature", 21.0, Direction::Up).event("room.temperature", 19.0, Direction::Down);
    assert_no_matter(&heating.clone().step(0.1), 1e-8, "heating");
    assert_no_matter(&heating.output_interval(1.0).tolerance(1e-4), 1e-8, "heating with a tolerance");
}

/// Events at the times of rows: no row comes three times, and all are where they belong.
#[test]
fn of_events_in_rows() {
    let folder = TempDir::new().unwrap();
    let thermostat = Quirk::new("thermostat").described_by("lag").edit_xml(|xml| {
        *xml = xml.replace("causality=\"output\" variability=\"continuous\"", "causality=\"output\" variability=\"discrete\"");
        *xml = xml.replacen("<Real start=\"1\"/>", "<Real start=\"19.5\"/>", 1).replacen(
            "<Real start=\"1\"/>",
            "<Real start=\"20\"/>",
            1,
        );
    });
    thermostat.build(folder.path());
    Quirk::new("integral").named("room").described_by("lag").build(folder.path());
    let path = folder.path().join("system.toml");
    let system = "[instances]\nroom = { fmu = \"room.fmu\", start = { k = 1.0, x0 = 19.0 } }\nthermostat = \"thermostat.fmu\"\n\n\
                  [connections]\n\"room.u\" = \"thermostat.y\"\n\"thermostat.u\" = \"room.y\"\n\n\
                  [events]\n\"room.y\" = [{ level = 20.0, direction = \"up\" }, { level = 19.5, direction = \"down\" }]\n";
    for steps in [
        "step = 0.1",
        "tolerance = 1e-4\noutput-interval = 0.1",
        "tolerance = 1e-2\noutput-interval = 0.1\nevent-tolerance = 1e-3",
    ] {
        for start in [0.0, 64.0, -64.0] {
            std::fs::write(&path, format!("[experiment]\nstart = {start:?}\nstop = {:?}\n{steps}\n{system}", start + 2.3))
                .unwrap();
            let (_, rows) = run(&System::from_file(&path).unwrap());
            let what = || format!("{steps}, from {start} s: {:?}", rows.time());
            assert!(!rows.time().windows(3).any(|three| three[0] == three[2]), "{}", what());
            let events = rows.events();
            assert_eq!(events.len(), 3, "{}", what());
            for (event, time) in events.iter().zip([1.0, 1.5, 2.0]) {
                assert!((event.time - start - time).abs() < 5e-3, "{}", what());
                assert_eq!([rows.time()[event.row], rows.time()[event.row + 1]], [event.time; 2], "{}", what());
            }
            for grid in 0..=23 {
                let time = start + 0.1 * f64::from(grid);
                assert!(rows.time().iter().any(|row| (row - time).abs() < 1e-9), "no row at {time}: {}", what());
            }
            assert!((rows.real("room.y").unwrap().last().unwrap() - 19.7).abs() < 1e-2, "{}", what());
        }
    }
}

/// An FMU that ends the run inside a step.
#[test]
fn of_the_end_that_an_fmu_asks_for() {
    let ends = |start: f64, steps: &str| {
        let folder = TempDir::new().unwrap();
        Quirk::new("ends_inside").described_by("lag").named("a").define(&format!("END={:?}", start + 0.537)).build(folder.path());
        Quirk::new("lost_start").described_by("lag").named("b").build(folder.path());
        let path = folder.path().join("system.toml");
        let system = "[instances]\na = { fmu = 'a.fmu', start = { x0 = 3 } }\nb = { fmu = 'b.fmu', start = { x0 = 1 } }\n\n\
                      [connections]\n'a.u' = 'b.y'\n'b.u' = 'a.y'\n";
        std::fs::write(&path, format!("[experiment]\nstart = {start:?}\nstop = {:?}\n{steps}\n{system}", start + 1.0)).unwrap();
        run(&System::from_file(&path).unwrap())
    };
    for steps in ["step = 0.1", "local-tolerance = 1e-6", "tolerance = 1e-6\noutput-interval = 0.1"] {
        let (wanted, expected) = ends(0.0, steps);
        assert!(matches!(wanted.end, End::TerminatedByInstance { .. }), "{steps}: {:?}", wanted.end);
        assert!((wanted.time - 0.537).abs() < 1e-9, "{steps}: {}", wanted.time);
        for start in [64.0, -64.0] {
            let (report, rows) = ends(start, steps);
            assert_eq!(report.end.name(), wanted.end.name(), "{steps}, from {start} s");
            assert_same(&rows, &expected, start, 1e-5, steps);
            assert!((rows.time().last().unwrap() - start - 0.537).abs() < 1e-9, "{steps}, from {start} s: {:?}", rows.time());
        }
    }
}
