//! A thermostat that switches strictly past its levels, and one that does so on them: at an event both have switched.

use lotka::{Memory, System};
use tempfile::TempDir;
use tests::quirks::Quirk;

use super::case::{Case, Verdict, Way};

const EVENTS: &str = "[events]\n\"room.y\" = [{ level = 20.0, direction = \"up\" }, { level = 19.5, direction = \"down\" }]\n";

fn thermostat() -> Quirk {
    let discrete = |xml: &mut String| {
        *xml = xml.replace("causality=\"output\" variability=\"continuous\"", "causality=\"output\" variability=\"discrete\"")
    };
    Quirk::new("thermostat").described_by("lag").edit_xml(discrete).edit_xml(starts)
}

fn continuous() -> Quirk {
    Quirk::new("thermostat").described_by("lag").edit_xml(starts)
}

/// `k` and `x0` have start values of the FMU's own.
fn starts(xml: &mut String) {
    *xml = xml.replacen("<Real start=\"1\"/>", "<Real start=\"19.5\"/>", 1).replacen(
        "<Real start=\"1\"/>",
        "<Real start=\"20\"/>",
        1,
    );
}

fn room() -> Quirk {
    Quirk::new("integral").named("room").described_by("lag")
}

/// The room warms up by 1 in `1 / slope`, and cools down as fast.
fn system(slope: f64) -> String {
    format!(
        "[instances]\nroom = {{ fmu = \"room.fmu\", start = {{ k = {slope:?}, x0 = 19.0 }} }}\nthermostat = \"thermostat.fmu\"\n\n\
         [connections]\n\"room.u\" = \"thermostat.y\"\n\"thermostat.u\" = \"room.y\"\n\n{EVENTS}"
    )
}

fn case(name: &'static str, thermostat: Quirk, slope: f64) -> Case {
    // At 1, 1.5, 2, 2.5 ... times 1 / slope.
    let case = Case::new(name, [thermostat, room()], &system(slope)).times(2.3 / slope, 0.125 / slope);
    case.expect("room.y", 19.7).expect("thermostat.y", -1.0)
}

pub fn cases() -> Vec<Case> {
    let refused = |case: Case| case.on(Way::Iterated, Verdict::code(10).says("cannot iterate"));
    vec![
        refused(case("thermostat, strictly past its levels", thermostat(), 1.0)),
        refused(case("the same, in a room that warms up slowly", thermostat(), 1e-4)),
        refused(case("thermostat that switches on its levels", thermostat().define("ON_LEVEL"), 1.0)),
        // Its equation has no solution where it switches.
        case("thermostat whose output is declared continuous", continuous(), 1.0)
            .on(Way::Iterated, Verdict::code(13).says("did not converge")),
    ]
}

/// Time, temperature and switch before and after each event.
fn events(rows: &Memory) -> Vec<(f64, [f64; 2], [f64; 2])> {
    let (y, on) = (rows.real("room.y").unwrap(), rows.real("thermostat.y").unwrap());
    rows.events().iter().map(|event| (event.time, [y[event.row], y[event.row + 1]], [on[event.row], on[event.row + 1]])).collect()
}

#[test]
fn both_rows_of_an_event_are_right_in_every_way_to_run() {
    let on_level = || thermostat().define("ON_LEVEL");
    for (thermostat, least) in [(thermostat(), 0.0), (on_level(), -f64::MIN_POSITIVE), (continuous(), -1e-6)] {
        let folder = TempDir::new().unwrap();
        thermostat.build(folder.path());
        room().build(folder.path());
        for slope in [1.0, 0.3, 1e-4] {
            let experiments = [
                ("step = ", 0.125 / slope),
                ("step = ", 0.11 / slope),
                ("local-tolerance = ", 1e-6),
                ("local-tolerance = ", 1e-3),
                ("tolerance = ", 1e-6),
            ];
            for (key, value) in experiments {
                let path = folder.path().join("system.toml");
                std::fs::write(&path, format!("[experiment]\nstop = {:?}\n{key}{value:?}\n{}", 2.3 / slope, system(slope)))
                    .unwrap();
                let mut rows = Memory::new();
                System::from_file(&path).unwrap().build().unwrap().run(&mut [&mut rows]).unwrap();
                let events = events(&rows);
                let what = || format!("{key}{value}, slope {slope}, past the level by {least}: {events:?}");
                assert_eq!(events.len(), 3, "{}", what());
                for (n, (time, y, on)) in events.iter().enumerate() {
                    let (level, sign) = if n % 2 == 0 { (20.0, 1.0) } else { (19.5, -1.0) };
                    assert!((time * slope - (1.0 + 0.5 * n as f64)).abs() < 1e-9, "{}", what());
                    assert_eq!(*on, [sign, -sign], "{}", what());
                    let past = sign * (y[1] - level);
                    // Extrapolated values have their rounding.
                    let slack = if key == "tolerance = " { 1e-12 } else { 0.0 };
                    assert!(sign * (y[0] - level) <= slack && past > least - slack, "{}", what());
                    assert!((y[0] - level).abs() < 1e-6 && (y[1] - level).abs() < 1e-6, "{}", what());
                }
            }
        }
    }
}

/// A level that is reached exactly by the first step that is tried is no reaction: the search goes on to where it is passed.
#[test]
fn the_switch_is_late_by_the_tolerance_of_events_only() {
    let folder = TempDir::new().unwrap();
    thermostat().build(folder.path());
    room().build(folder.path());
    let path = folder.path().join("system.toml");
    for tolerance in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8] {
        for step in [0.1, 0.1 / 3.0, 0.125, 0.25, 0.01] {
            let experiment = format!("[experiment]\nstop = 2.3\nstep = {step:?}\nevent-tolerance = {tolerance:?}\n");
            std::fs::write(&path, format!("{experiment}{}", system(1.0))).unwrap();
            let mut rows = Memory::new();
            System::from_file(&path).unwrap().build().unwrap().run(&mut [&mut rows]).unwrap();
            let events = events(&rows);
            let error = (rows.real("room.y").unwrap().last().unwrap() - 19.7).abs();
            // Each event is late by the tolerance, and so are those that follow from it.
            assert!(error <= 10.0 * tolerance, "steps of {step}, tolerance {tolerance:e}: {error:e}, {events:?}");
            assert_eq!(events.len(), 3, "steps of {step}, tolerance {tolerance:e}: {events:?}");
            for (time, y, on) in &events {
                let level = if on[0] > 0.0 { 20.0 } else { 19.5 };
                assert!(
                    on[0] * (y[1] - level) > 0.0 && on[1] == -on[0],
                    "at {time}, steps of {step}, tolerance {tolerance:e}: {events:?}"
                );
            }
        }
    }
}

#[test]
fn the_lateness_of_events_is_part_of_the_estimate() {
    let folder = TempDir::new().unwrap();
    thermostat().build(folder.path());
    room().build(folder.path());
    let path = folder.path().join("system.toml");
    let experiment = "[experiment]\nstop = 2.3\ntolerance = 1e-2\noutput-interval = 0.1\nevent-tolerance = 1e-3\n";
    std::fs::write(&path, format!("{experiment}{}", system(1.0))).unwrap();
    let mut rows = Memory::new();
    let report = System::from_file(&path).unwrap().build().unwrap().run(&mut [&mut rows]).unwrap();
    let error = (rows.real("room.y").unwrap().last().unwrap() - 19.7).abs();
    let found = report.global_error.unwrap();
    assert!(found.reached, "what a run with a tenth of the tolerance shows is little: {}", found.reason);
    let outputs = found.outputs;
    let estimate = |name: &str| outputs.iter().find(|output| output.name == name).unwrap().absolute;
    assert!(estimate("room.y") >= 0.5 * error && error > 1e-9, "{} {error}", estimate("room.y"));
    assert!(estimate("time of events") >= 1e-3, "{}", estimate("time of events"));
}
