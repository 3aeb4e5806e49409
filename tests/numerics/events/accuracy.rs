//! Coupled instances that switch: events keep the order of the method, and the promise of `tolerance`.

use lotka::{Direction, Memory, Notification, Observer, System};
use tests::{
    hostile::Hostile,
    systems::switching::{Course, tanks},
};

use super::{distance, run, times};

fn switched() -> System {
    tanks().event("lower.x", "float.limit", Direction::Both)
}

/// Largest error of both states at the end.
fn error(system: &System) -> f64 {
    let (_, rows) = run(system);
    let exact = Course::new().at(10.0);
    ["upper.x", "lower.x"]
        .iter()
        .zip(exact)
        .map(|(name, exact)| (rows.real(name).unwrap().last().unwrap() - exact).abs())
        .fold(0.0, f64::max)
}

/// Slope of the error over halved steps, by least squares.
fn slope(system: impl Fn() -> System) -> f64 {
    let points: Vec<_> = (5..10).map(|k| 0.5_f64.powi(k)).map(|h| (h.ln(), error(&system().step(h)).ln())).collect();
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / n, sum.1 + point.1 / n));
    let products =
        points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + (point.0 - x) * (point.1 - y), sum.1 + (point.0 - x).powi(2)));
    products.0 / products.1
}

#[test]
fn located_events_keep_order_2_and_missed_ones_leave_order_1() {
    let (located, missed) = (slope(switched), slope(tanks));
    assert!((located - 2.0).abs() < 0.2, "{located}");
    assert!(missed < 1.4, "{missed}");
}

#[test]
fn the_tolerance_is_kept_in_every_row_and_at_every_event() {
    let course = Course::new();
    let exact: Vec<_> = course.pieces[1..].iter().map(|piece| piece.0).collect();
    for tolerance in [1e-3, 1e-6, 1e-8] {
        let (report, rows) = run(&switched().tolerance(tolerance));
        let global = report.global_error.unwrap();
        assert!(global.reached, "{global:?}");
        let mut worst: f64 = 0.0;
        for (place, name) in ["upper.x", "lower.x"].iter().enumerate() {
            for (row, got) in rows.real(name).unwrap().iter().enumerate() {
                let at_event = rows.events().iter().position(|event| event.row == row || event.row + 1 == row);
                let exact = at_event.map_or_else(|| course.at(rows.time()[row]), |event| course.pieces[event + 1].1)[place];
                worst = worst.max((got - exact).abs() / exact.abs());
            }
        }
        let late = distance(&times(&rows), &exact);
        assert!(worst <= tolerance && late <= tolerance * 10.0, "{worst:e} {late:e}");
        assert!(global.largest >= 0.5 * worst.min(late / 10.0), "{worst:e}, {late:e}, estimate {:e}", global.largest);
    }
}

#[test]
fn error_control_makes_no_tiny_steps_about_events() {
    let (report, rows) = run(&switched().local_tolerance(1e-6));
    let exact: Vec<_> = Course::new().pieces[1..].iter().map(|piece| piece.0).collect();
    assert!(distance(&times(&rows), &exact) < 1e-3);
    assert!(report.counters.n_error_test_failures < 8 * report.counters.n_events, "{:?}", report.counters);
}

/// Counts runs that were begun, by what the FMU logs, and runs whose rows are used.
#[derive(Default)]
struct Runs {
    begun: usize,
    used: usize,
}

impl Observer for Runs {
    fn observe(&mut self, notification: &Notification<'_>) {
        match notification {
            Notification::Log(line) if line.message == "step 0 at 0" => self.begun += 1,
            Notification::RunFinished { .. } => self.used += 1,
            _ => {}
        }
    }
}

#[test]
fn the_first_run_is_made_again_with_mesh_points_where_its_events_were() {
    let folder = tempfile::TempDir::new().unwrap();
    // y = exp(-t) passes 0.5 at t = ln 2.
    let decay = Hostile::new("decay").define("LOG_EACH_STEP").build(folder.path());
    let system = System::new().instance("decay", decay).stop(1.0).output_interval(0.125).tolerance(1e-6).debug_logging(true);
    let count = |system: &System| {
        let (mut rows, mut runs) = (Memory::new(), Runs::default());
        let report = system.build().unwrap().run(&mut [&mut rows, &mut runs]).unwrap();
        assert!(report.global_error.unwrap().reached);
        (rows.events().len(), runs)
    };
    // Two more runs check the result, and one looks for the FMU's own error.
    let (events, runs) = count(&system);
    assert_eq!((events, runs.begun - runs.used), (0, 3));
    let (events, runs) = count(&system.event("decay.y", 0.5, Direction::Both));
    assert_eq!((events, runs.begun - runs.used), (1, 4), "{} runs begun, {} used", runs.begun, runs.used);
}
