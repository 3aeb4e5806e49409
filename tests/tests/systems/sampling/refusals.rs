//! What cannot be sampled, and how it is said.

use std::path::Path;

use lotka::{Direction, SourceSignal, StartValue, System};
use tests::{hostile::Hostile, joined, run};

use super::{around, models::Gain, regulated};

#[track_caller]
fn problems(system: &System) -> String {
    let text = system.build().unwrap_err().to_string();
    assert_eq!(system.analyze().unwrap_err().to_string(), text, "without loading, too");
    text
}

#[test]
fn sample_times_that_are_none_are_refused() {
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let text = problems(&regulated(wrong).step(0.1).stop(4.0));
        assert!(
            text.contains(&format!("expected a number greater than 0 for `sample-time` of instance `adder`, found {wrong}")),
            "{text}"
        );
        assert!(text.contains("set the distance of its samples in seconds"), "{text}");
    }
    let text = problems(&regulated(1e-17).step(0.1).stop(4.0));
    assert!(text.contains("`sample-time` of instance `adder`, 1e-17 s is too short for the resolution of time"), "{text}");
    let text = problems(&regulated(1e-7).step(0.1).stop(4.0));
    assert!(text.contains("`sample-time` 0.0000001 s of instance `adder` results in 4.0e7 samples"), "{text}");
    let text = problems(&System::new().instance_of("gain", &joined::<Gain>()).sample_time("gian", 1.0).step(0.1).stop(1.0));
    assert!(text.contains("cannot sample an unknown instance `gian`") && text.contains("`gain`"), "{text}");
}

#[test]
fn events_of_a_sampled_instance_are_known() {
    let system = regulated(1.0).step(0.1).stop(4.0);
    let text = problems(&system.clone().event("adder.y", 0.5, Direction::Up));
    assert!(text.contains("its instance is sampled, and steps already end where it jumps"), "{text}");
    for system in [system.clone().event_mode("adder"), system.clone().event_by_discard("adder")] {
        let text = problems(&system);
        assert!(text.contains("[events] does not apply to `adder`: it is sampled"), "{text}");
    }
    let text = problems(&system.event_every("adder", 0.5, 0.0));
    assert!(text.contains("`adder` is sampled at times of its own"), "{text}");
}

/// Two FMUs with internal steps of these sizes, coupled both ways.
fn coupled(folder: &Path, sizes: [&str; 2]) -> System {
    let [a, b] = [("a", sizes[0]), ("b", sizes[1])].map(|(name, size)| {
        let attribute = format!("fixedInternalStepSize=\"{size}\" canHandleVariable");
        let declare = move |xml: &mut String| *xml = xml.replacen("canHandleVariable", &attribute, 1);
        Hostile::fmi3(name).define(&format!("INNER_STEP={size}")).edit_xml(declare).build(folder)
    });
    System::new().instance("a", a).instance("b", b).connect("a.u", "b.y").connect("b.u", "a.y").start_value("b.x0", 3.0).stop(4.0)
}

#[test]
fn grids_that_do_not_fit_name_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let system = coupled(folder.path(), ["0.7320508075688772", "0.25"]);
    let text = problems(&system.clone().step(0.25));
    assert!(text.contains("no communication step suits both"), "{text}");
    assert!(text.contains("set sample-time = 0.7320508075688772 for `a` and sample-time = 0.25 for `b`"), "{text}");
    let text = problems(&system.clone().sample_time("a", 0.7320508075688772).step(0.25));
    assert!(text.contains("found 0.7320508075688772 s: `b` has internal steps of 0.25 s"), "{text}");
    assert!(text.contains("or set sample-time = 0.25 for `b`, too"), "{text}");
    let (report, _) = run(&system.sample_time("a", 0.7320508075688772).sample_time("b", 0.25).step(0.1));
    assert_eq!(report.counters.n_discards, 0);
}

#[test]
fn the_slower_grid_is_sampled_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let system = coupled(folder.path(), ["0.5", "0.1"]);
    let text = problems(&system.clone().step(0.1));
    assert!(text.contains("use step = 0.5, or set sample-time = 0.5 for `a`, which samples and holds it"), "{text}");
    let text = problems(&system.clone().sample_time("a", 0.3).step(0.1));
    assert!(
        text.contains("expected a multiple of 0.5 s for `sample-time` of instance `a`, found 0.3 s: its FMU has internal steps"),
        "{text}"
    );
    let (report, rows) = run(&system.sample_time("a", 0.5).step(0.1));
    assert_eq!(report.counters.n_discards, 0);
    let (mut a, mut b) = (rows.real("a.y").unwrap()[0], 3.0);
    let decay = (-0.5_f64).exp();
    for number in 1..8 {
        (a, b) = (b + (a - b) * decay, a + (b - a) * decay);
        for (name, value) in [("a.y", a), ("b.y", b)] {
            let found = around(&rows, name, 0.5 * f64::from(number))[1];
            assert!((found - value).abs() < 1e-12, "{name} {number}: {found} {value}");
        }
    }
}

#[test]
fn samples_lie_on_the_steps_of_fmus_of_one_size() {
    let folder = tempfile::tempdir().unwrap();
    let fmu = |name| Hostile::new(name).capability("canHandleVariableCommunicationStepSize", false).build(folder.path());
    let constant = SourceSignal::Constant { value: StartValue::Real(1.0) };
    let system = System::new().instance("a", fmu("a")).instance("b", fmu("b")).source("c", constant).connect("a.u", "c.y");
    let system = system.connect("b.u", "a.y").step(0.1).stop(2.0);
    let text = problems(&system.clone().sample_time("a", 0.25));
    assert!(
        text.contains("instance `a` is sampled at 0.25 s, between two steps, but instance `b` supports one step size only"),
        "{text}"
    );
    run(&system.sample_time("a", 0.3));
}
