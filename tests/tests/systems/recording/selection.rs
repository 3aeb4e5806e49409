//! Names, patterns and kinds of variables; variables that are no outputs.

use lotka::{Column, Direction, Error, System, ValueType};
use models::BouncingBall;
use tests::{
    joined, predator_prey, run,
    systems::{
        machine::{Machine, PROBES},
        machines,
    },
};

fn names(patterns: &[&str]) -> Vec<String> {
    let simulation = machines().step(0.1).record(patterns).build().unwrap();
    simulation.columns().iter().map(|column| column.name.clone()).collect()
}

#[test]
fn without_a_choice_all_outputs_are_recorded() {
    let of = |name: &str| ["speed", "parts", "on", "mode", "label"].map(|variable| format!("{name}.{variable}"));
    let expected = [of("first"), of("second")].concat();
    let simulation = machines().step(0.1).build().unwrap();
    assert_eq!(simulation.columns().iter().map(|column| column.name.as_str()).collect::<Vec<_>>(), expected);
    assert_eq!(names(&["outputs"]), expected);
}

#[test]
fn patterns_choose_and_the_last_one_that_matches_decides() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["second.speed", "first.speed"], &["first.speed", "second.speed"]),
        (&["*.speed"], &["first.speed", "second.speed"]),
        (&["first.*", "!first.*", "first.on"], &["first.on"]),
        (&["*.debug.*", "!*.even", "!*.pairs"], &["first.debug.power", "second.debug.power"]),
        (&["!*.label", "!*.parts", "!second.*"], &["first.speed", "first.on", "first.mode"]),
        (&["first.?n"], &["first.on"]),
        (&["parameters"], &["first.gain", "first.owner", "second.gain", "second.owner"]),
        (&["inputs", "!*.title", "!first.*"], &["second.command", "second.demand", "second.enabled"]),
        (&["locals", "!second.*", "!*.debug.*"], &["first.w[1,2]", "first.der(speed)", "first.probe"]),
        // Brackets and dots mean themselves.
        (&["first.w[1,2]"], &["first.w[1,2]"]),
        (&["*.der(*)"], &["first.der(speed)", "second.der(speed)"]),
        (&["*.w[1,*]"], &["first.w[1,2]", "second.w[1,2]"]),
    ];
    for (patterns, expected) in cases {
        assert_eq!(names(patterns), *expected, "{patterns:?}");
    }
}

#[test]
fn a_name_is_no_pattern_even_with_wildcards_in_it() {
    // An instance may have any name without dots.
    let machine = joined::<Machine>();
    let system = System::new().instance_of("*", &machine).instance_of("x", &machine).stop(1.0).step(0.1);
    let columns = |pattern| system.clone().record(&[pattern]).build().unwrap().columns().len();
    assert_eq!((columns("*.speed"), columns("?.speed"), columns("x.speed")), (1, 2, 1));
}

#[test]
fn what_matches_nothing_is_reported_with_the_nearest_name() {
    let cases: &[(&[&str], &str)] = &[
        (&["first.sped"], "instance `first` has no variable `sped`; did you mean `speed`?"),
        (&["frist.speed"], "unknown instance `frist`; did you mean `first`?"),
        (&["frist.*"], "no variable matches `frist.*`; did you mean `first.*`?"),
        (&["first.spe?d*x"], "no variable matches `first.spe?d*x`; did you mean `first.speed`?"),
        (&["first.w[1-3,*"], "no variable matches `first.w[1-3,*`; did you mean `first.w[1,2]`?"),
        (&["first"], "`first` is an instance, not a variable; write `first.*` for all of its variables"),
        (&["output"], "expected a variable, a pattern or a kind of variables, found `output`; did you mean `outputs`?"),
        (&[], "no variable is recorded"),
        (&["!*"], "no variable is recorded; list variables, or remove `variables` to record all outputs"),
    ];
    for (patterns, expected) in cases {
        match machines().step(0.1).record(patterns).build() {
            Err(Error::System(problems)) => assert!(problems.to_string().contains(expected), "{expected}: {problems}"),
            other => panic!("{expected}: {:?}", other.map(|_| ())),
        }
    }
    let simulation = machines().step(0.1).record(&["!*.nothing"]).build().unwrap();
    let warnings: Vec<_> = simulation.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["`!*.nothing` excludes nothing: no variable matches it; remove it, or correct the name"]);
}

#[test]
fn columns_tell_what_they_are() {
    let simulation = machines().step(0.1).record(&["first.gain", "first.speed", "first.mode"]).build().unwrap();
    let [gain, speed, mode]: &[Column; 3] = simulation.columns().try_into().unwrap();
    assert_eq!((gain.is_constant, speed.is_constant, gain.value_type), (true, false, ValueType::Real));
    assert_eq!((speed.unit.as_deref(), speed.description.as_deref()), (Some("rad/s"), Some("angular velocity")));
    let items: Vec<_> = mode.items.iter().map(|item| (item.value, item.name.as_str())).collect();
    assert_eq!((mode.value_type, items, mode.fmu.as_str()), (ValueType::Integer, vec![(1, "idle"), (2, "running")], "machine"));
}

#[test]
fn locals_parameters_and_inputs_have_their_values_in_every_row() {
    for sweep in ["gauss-seidel", "jacobi", "symmetric"] {
        let (_, rows) = run(&machines().step(0.1).sweep(sweep).record(&["*"]));
        let real = |name: &str| rows.real(name).unwrap();
        for row in 0..rows.time().len() {
            let (t, speeds) = (rows.time()[row], [real("first.speed")[row], real("second.speed")[row]]);
            assert_eq!(speeds, [t, 3.0 * t], "{sweep}");
            assert_eq!([real("first.w[1,2]")[row], real("second.w[1,2]")[row]], speeds.map(|speed| 2.0 * speed));
            assert_eq!([real("first.gain")[row], real("second.gain")[row], real("second.der(speed)")[row]], [1.0, 3.0, 3.0]);
            // Connected inputs are what their sources give at this time, others what they were set to.
            assert_eq!(real("second.command")[row], 2.0 * speeds[0] + 0.5 * speeds[1]);
            assert_eq!((real("first.command")[row], real("first.demand")[row]), (0.0, 0.0));
            assert_eq!(real("second.demand")[row], real("first.parts")[row]);
            assert_eq!((real("second.enabled")[row], real("first.enabled")[row]), (real("first.on")[row], 0.0));
            assert_eq!(rows.text("second.title").unwrap()[row], rows.text("first.label").unwrap()[row]);
            assert_eq!(real("second.debug.even")[row], f64::from(u8::from(real("second.parts")[row] as i32 % 2 == 0)));
            assert_eq!(real("first.debug.pairs")[row], (real("first.parts")[row] / 2.0).floor());
            assert_eq!(rows.text("first.owner").unwrap()[row], "mill, \"north\"");
        }
        assert_eq!((real("first.parts")[10], real("first.mode")[10], real("first.on")[10]), (10.0, 2.0, 1.0));
    }
}

/// What is set at known times shows in inputs and parameters, which are no constants then.
#[test]
fn what_is_set_during_the_run_is_recorded_as_it_is_set() {
    let system = machines().step(0.1).set_at(0.5, "second.command", 7.5).set_at(0.5, "second.demand", 42);
    let system = system.set_at(0.5, "second.title", "other").set_at(0.5, "second.gain", 5.0);
    let simulation = system.clone().record(&["*.gain"]).build().unwrap();
    assert_eq!(simulation.columns().iter().map(|column| column.is_constant).collect::<Vec<_>>(), [true, false]);
    let (_, rows) = run(&system.record(&["*"]));
    let real = |name: &str| rows.real(name).unwrap();
    let after = 1 + rows.time().iter().position(|time| *time == 0.5).unwrap();
    assert_eq!(rows.time()[after], 0.5);
    for row in 0..rows.time().len() {
        let found = (real("second.command")[row], real("second.demand")[row], real("second.gain")[row]);
        let title = rows.text("second.title").unwrap()[row].as_str();
        if row < after {
            let sum = 2.0 * real("first.speed")[row] + 0.5 * real("second.speed")[row];
            assert_eq!((found, title), ((sum, real("first.parts")[row], 3.0), rows.text("first.label").unwrap()[row].as_str()));
        } else {
            assert_eq!((found, title), ((7.5, 42.0, 5.0), "other"), "t = {}", rows.time()[row]);
        }
    }
}

#[test]
fn what_is_no_output_is_read_for_rows_only() {
    let before = PROBES.get();
    let (report, rows) = run(&machines().step(0.01).output_interval(0.25).record(&["first.probe"]));
    assert_eq!((report.counters.n_steps, rows.time().len(), PROBES.get() - before), (100, 5, 5));
    run(&machines().step(0.01));
    assert_eq!(PROBES.get() - before, 5);
}

#[test]
fn what_is_recorded_does_not_change_the_run() {
    let systems: [fn() -> System; 4] = [
        || predator_prey().step(0.1),
        || predator_prey().step(0.1).sweep("jacobi").iterations(20, None),
        || predator_prey().local_tolerance(1e-4),
        || machines().step(0.1),
    ];
    for system in systems {
        let (plain, few) = run(&system());
        let (report, many) = run(&system().record(&["*"]));
        assert_eq!(plain.counters, report.counters);
        assert_eq!(few.time(), many.time());
        for column in few.columns() {
            assert_eq!(few.real(&column.name), many.real(&column.name), "{}", column.name);
            assert_eq!(few.text(&column.name), many.text(&column.name), "{}", column.name);
        }
        assert!(many.columns().len() > few.columns().len() + 3);
    }
}

/// The rows before events are made of trial steps that are rolled back.
#[test]
fn locals_fit_to_outputs_in_the_rows_of_events() {
    for (impacts, interval) in [("step_end", 0.1), ("step_end", 1.05), ("discard", 0.1), ("discard", 1.05)] {
        let ball = System::new().instance_of("ball", &joined::<BouncingBall>()).stop(2.1).start_value("ball.impacts", impacts);
        let ball = ball.step(0.05).output_interval(interval).event("ball.h", 0.0, Direction::Down);
        let ball = if impacts == "discard" { ball.event_by_discard("ball") } else { ball };
        let (plain, _) = run(&ball);
        let (report, rows) = run(&ball.record(&["ball.*"]));
        assert_eq!(rows.real("ball.der(h)"), rows.real("ball.v"), "{impacts}");
        assert_eq!((rows.events().len(), report.counters), (5, plain.counters), "{impacts}");
        let n_impacts = rows.real("ball.n_impacts").unwrap();
        for (number, event) in rows.events().iter().enumerate() {
            let number = number as f64;
            assert_eq!([n_impacts[event.row], n_impacts[event.row + 1]], [number, number + 1.0], "{impacts} every {interval} s");
        }
    }
}

#[test]
fn a_tolerance_holds_for_locals_and_inputs_and_leaves_constants_alone() {
    let patterns = ["prey.x", "prey.der(x)", "prey.y", "prey.a", "predator.y"];
    let (report, rows) = run(&predator_prey().tolerance(1e-6).record(&patterns));
    let error = report.global_error.unwrap();
    assert!(error.reached, "{}", error.reason);
    let estimated: Vec<_> = error.outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!(estimated, ["prey.y", "prey.x", "prey.der(x)", "predator.y"]);
    let real = |name: &str| rows.real(name).unwrap();
    assert!(real("prey.a").iter().all(|a| a.to_bits() == 0.1_f64.to_bits()));
    assert_eq!(real("prey.y"), real("predator.y"));
    let largest = real("prey.der(x)").iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    for row in 0..rows.time().len() {
        let exact = real("prey.x")[row] * (0.1 - 0.02 * real("prey.y")[row]);
        let scale = exact.abs().max(1e-3 * largest);
        assert!((real("prey.der(x)")[row] - exact).abs() < 1e-5 * scale, "t = {}", rows.time()[row]);
    }
}

#[test]
fn a_tolerance_needs_something_that_can_have_an_error() {
    match predator_prey().tolerance(1e-6).record(&["parameters"]).build() {
        Err(Error::System(problems)) => {
            let text = problems.to_string();
            assert!(text.contains("none is recorded; record one, or use `local-tolerance` or `step`"), "{text}");
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
}
