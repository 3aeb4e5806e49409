//! Instances that are sampled and held: they step on a grid of their own, and get their inputs at its points.

mod models;
mod refusals;

use std::path::Path;

use lotka::{End, Memory, SourceSignal, StartValue, System};
use tests::{bits, host_program, hostile::Hostile, joined, joined_fmi3, run};

use crate::checkpoints::assert_goes_on;
use models::{Adder, Gain, Plant, Position, Velocity};

/// The values of an output before and after the jump at this time.
#[track_caller]
fn around(rows: &Memory, name: &str, time: f64) -> [f64; 2] {
    let at: Vec<usize> = (0..rows.time().len()).filter(|row| (rows.time()[*row] - time).abs() < 1e-9).collect();
    assert_eq!(at.len(), 2, "{time} of {:?}", rows.time());
    [0, 1].map(|number| rows.real(name).unwrap()[at[number]])
}

#[track_caller]
fn last(rows: &Memory, name: &str) -> f64 {
    *rows.real(name).unwrap().last().unwrap()
}

/// An adder, sampled, and a plant that it regulates.
fn regulated(every: f64) -> System {
    System::new()
        .instance_of("adder", &joined::<Adder>())
        .instance_of("plant", &joined_fmi3::<Plant>())
        .connect("adder.u", "plant.x")
        .connect("plant.force", "adder.y")
        .sample_time("adder", every)
}

/// The states of both at the samples: of the plant, and of the adder before and after.
fn samples(every: f64, count: u32) -> Vec<(f64, [f64; 2])> {
    let (mut x, mut y) = (0.0, 0.0);
    let sample = |_| {
        let (before, u) = (y, x);
        x = y + (x - y) * (-every).exp();
        y += 0.3 * (1.0 - u);
        (x, [before, y])
    };
    (0..count).map(sample).collect()
}

#[track_caller]
fn assert_regulated(rows: &Memory, every: f64, count: u32) {
    for (number, (x, y)) in (1..).zip(samples(every, count)) {
        let time = f64::from(number) * every;
        let differs = |a: f64, b: f64| (a - b).abs() > 1e-12;
        let (found_x, found_y) = (around(rows, "plant.x", time), around(rows, "adder.y", time));
        assert!(!differs(found_x[0], x) && !differs(found_x[1], x), "x at {time}: {found_x:?}, not {x}");
        assert!(!differs(found_y[0], y[0]) && !differs(found_y[1], y[1]), "y at {time}: {found_y:?}, not {y:?}");
    }
}

#[test]
fn outputs_jump_at_the_ends_of_own_steps() {
    for (every, step) in [(1.0, 0.1), (0.3, 0.1), (1.0, 0.3), (0.7, 2.0), (0.1, 0.1)] {
        let (report, rows) = run(&regulated(every).step(step).stop(4.05));
        assert_eq!((report.end, report.warnings), (End::StopTime, vec![]), "{every} {step}");
        let count = (4.05 / every).floor() as u32;
        assert_regulated(&rows, every, count);
        assert_eq!(rows.integer("adder.n").unwrap().last(), Some(&i128::from(count)), "no other step");
    }
    // From another start time, and side by side.
    let (_, rows) = run(&regulated(0.7).start(-3.5).stop(0.1).step(0.2).sweep("jacobi"));
    assert!((around(&rows, "plant.x", -3.5 + 1.4)[0] - samples(0.7, 2)[1].0).abs() < 1e-12);
}

#[test]
fn steps_under_error_control_end_at_samples() {
    let (report, rows) = run(&regulated(1.0).local_tolerance(1e-6).stop(4.5));
    assert_eq!(report.end, End::StopTime);
    assert_regulated(&rows, 1.0, 4);
    assert!(report.counters.n_error_test_failures < 8, "{:?}", report.counters);
}

/// An oscillator of two FMUs, whose force is sampled.
fn oscillator() -> System {
    System::new()
        .instance_of("x", &joined::<Position>())
        .instance_of("v", &joined_fmi3::<Velocity>())
        .instance_of("adder", &joined_fmi3::<Adder>())
        .connect("x.v", "v.v")
        .connect("v.x", "x.x")
        .connect("v.force", "adder.y")
        .connect("adder.u", "x.x")
        .sample_time("adder", 0.5)
        .stop(8.2)
        .output_interval(0.1)
}

/// Its state at a time: a rotation about the force from sample to sample.
fn rotated(time: f64) -> [f64; 3] {
    let turn = |[x, v, y]: [f64; 3], s: f64| [y + (x - y) * s.cos() + v * s.sin(), v * s.cos() - (x - y) * s.sin(), y];
    let (mut state, mut t) = ([0.0; 3], 0.0);
    while t + 0.5 < time - 1e-9 {
        let u = state[0];
        state = turn(state, 0.5);
        state[2] += 0.3 * (1.0 - u);
        t += 0.5;
    }
    turn(state, time - t)
}

#[test]
fn a_tolerance_holds_across_samples() {
    for (tolerance, most_calls) in [(1e-3, 7_000), (1e-6, 10_000), (1e-9, 20_000)] {
        let (report, rows) = run(&oscillator().tolerance(tolerance).absolute_tolerance(tolerance));
        assert_eq!(report.end, End::StopTime, "{:?}", report.global_error);
        let mut before = f64::NEG_INFINITY;
        for (row, &time) in rows.time().iter().enumerate() {
            // The first row of a time has the values before the jump.
            if time > before {
                let found = ["x.x", "v.v", "adder.y"].map(|name| rows.real(name).unwrap()[row]);
                let error = found.iter().zip(rotated(time)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(error <= tolerance, "{error} at {time} with {tolerance}");
            }
            before = time;
        }
        assert!(report.counters.n_do_step_calls < most_calls, "{tolerance}: {:?}", report.counters);
    }
}

#[test]
fn outputs_follow_inputs_at_samples_at_once() {
    let ramp = SourceSignal::Ramp { time: 0.0, duration: 10.0, from: 1.0, to: 11.0 };
    let gain = joined::<Gain>();
    let system = System::new()
        .instance_of("last", &gain)
        .instance_of("between", &gain)
        .instance_of("first", &gain)
        .source("ramp", ramp)
        .connect("first.u", "ramp.y")
        .connect("between.u", "first.y")
        .connect("last.u", "between.y")
        .sample_time("first", 0.5)
        .sample_time("last", 1.0)
        .stop(2.4);
    for system in [system.clone().step(0.1), system.clone().local_tolerance(1e-6), system.tolerance(1e-6).output_interval(0.1)] {
        let (report, rows) = run(&system);
        assert_eq!(report.end, End::StopTime);
        assert_eq!(["first.y", "between.y", "last.y"].map(|name| rows.real(name).unwrap()[0]), [2.0, 4.0, 8.0]);
        for (time, first, last) in
            [(0.5, [2.0, 3.0], [8.0, 8.0]), (1.0, [3.0, 4.0], [8.0, 16.0]), (1.5, [4.0, 5.0], [16.0, 16.0])]
        {
            let close = |found: [f64; 2], expected: [f64; 2]| (0..2).all(|side| (found[side] - expected[side]).abs() < 1e-9);
            assert!(close(around(&rows, "first.y", time), first), "{time}");
            assert!(close(around(&rows, "between.y", time), first.map(|y| 2.0 * y)), "{time}");
            assert!(close(around(&rows, "last.y", time), last), "{time}: {:?}", around(&rows, "last.y", time));
        }
    }
}

#[test]
fn a_value_that_is_set_waits_for_the_next_sample() {
    let system = System::new().instance_of("gain", &joined::<Gain>()).sample_time("gain", 1.0).step(0.25).stop(2.5);
    let system =
        system.start_value("gain.u", 3.0).set_at(0.5, "gain.u", 5.0).set_at(1.5, "gain.u", 7.0).set_at(1.75, "gain.u", 8.0);
    let (_, rows) = run(&system);
    assert_eq!(around(&rows, "gain.y", 0.5), [6.0, 6.0]);
    assert_eq!(around(&rows, "gain.y", 1.0), [6.0, 10.0]);
    assert_eq!(around(&rows, "gain.y", 2.0), [10.0, 16.0]);

    let mut rows = Memory::new();
    let system = System::new().instance_of("gain", &joined::<Gain>()).sample_time("gain", 1.0).step(0.25).stop(2.5);
    let mut session = system.build().unwrap().start(vec![Box::new(&mut rows)]).unwrap();
    session.advance_to(0.5);
    session.set("gain.u", 5.0).unwrap();
    session.advance_to(0.75);
    let saved = session.save().unwrap();
    session.advance_to(1.5);
    let later = session.get("gain.y").unwrap();
    session.restore(&saved).unwrap();
    session.advance_to(1.5);
    assert_eq!(session.get("gain.y").unwrap(), later);
    session.finish().1.unwrap();
    assert_eq!(last(&rows, "gain.y"), 10.0);
}

#[test]
fn runs_continue_from_checkpoints_and_begin_again() {
    let systems = [
        ("fixed", regulated(0.7).step(0.2).stop(5.0)),
        ("set", regulated(0.7).step(0.2).stop(5.0).set_at(1.1, "adder.u", 0.3)),
        ("controlled", regulated(0.7).local_tolerance(1e-4).output_interval(0.2).stop(5.0)),
        ("iterated", oscillator().step(0.1).iterations(20, None)),
    ];
    for (name, system) in systems {
        assert_goes_on(name, &system);
        let mut simulation = system.build().unwrap();
        let rows = [0, 1, 2, 3, 4, 5].map(|_| {
            let mut rows = Memory::new();
            simulation.run(&mut [&mut rows]).unwrap();
            bits(&rows)
        });
        assert!(rows.iter().all(|again| *again == rows[0]), "{name}");
    }
}

#[test]
fn the_wrapped_instance_is_replaced_where_its_reset_is_incomplete() {
    let folder = tempfile::tempdir().unwrap();
    let a = Hostile::new("a").define("FORGETFUL_RESET").build(folder.path());
    let system = System::new().instance("a", a).start_value("a.u", 2.0).sample_time("a", 0.5).step(0.1).stop(5.0);
    let mut simulation = system.build().unwrap();
    let rows = [0, 1, 2, 3, 4, 5, 6].map(|_| {
        let mut rows = Memory::new();
        simulation.run(&mut [&mut rows]).unwrap();
        bits(&rows)
    });
    assert!(rows.iter().all(|again| *again == rows[0]));
}

#[test]
fn an_fmu_of_one_step_size_gets_it_exactly() {
    for every in [1.0, 0.1] {
        let system = regulated(every).start_value("adder.size", every).step(0.1).stop(4.05);
        assert_regulated(&run(&system).1, every, (4.05 / every).floor() as u32);
    }
}

/// `x' = u - x`, sampled, and the same with steps as they come. Neither can save its state, and the first has one step size.
fn without_rollback(folder: &Path) -> System {
    let slow = Hostile::new("slow").capability("canHandleVariableCommunicationStepSize", false).define("STRICT_STEP");
    let plain = |hostile: Hostile| hostile.capability("canGetAndSetFMUstate", false).capability("canSerializeFMUstate", false);
    let (slow, fast) = (plain(slow).build(folder), plain(Hostile::new("fast")).build(folder));
    System::new()
        .instance("slow", slow)
        .instance("fast", fast)
        .start_value("fast.x0", 3.0)
        .connect("slow.u", "fast.y")
        .connect("fast.u", "slow.y")
        .sample_time("slow", 0.5)
        .stop(4.0)
}

#[test]
fn fmus_without_rollback_are_sampled_in_this_process_and_in_others() {
    let folder = tempfile::tempdir().unwrap();
    let system = without_rollback(folder.path()).step(0.1);
    let (report, rows) = run(&system);
    assert_eq!(report.warnings, []);
    let (mut slow, mut fast) = (rows.real("slow.y").unwrap()[0], 3.0);
    for number in 1..8 {
        let decay = (-0.5_f64).exp();
        (slow, fast) = (fast + (slow - fast) * decay, slow + (fast - slow) * decay);
        let [before, after] = ["slow.y", "fast.y"].map(|name| around(&rows, name, 0.5 * f64::from(number))).map(|pair| pair[1]);
        assert!((before - slow).abs() < 1e-12 && (after - fast).abs() < 1e-12, "{number}");
    }
    let isolated = run(&system.clone().host_program(host_program()).isolate(true)).1;
    assert!(bits(&isolated) == bits(&rows));
    let profiled = run(&system.profile(true)).1;
    assert!(bits(&profiled) == bits(&rows));
}

#[test]
fn runs_with_a_tolerance_are_the_same_on_several_threads() {
    let folder = tempfile::tempdir().unwrap();
    let system = |threads| {
        without_rollback(folder.path()).tolerance(1e-6).output_interval(0.1).threads(threads).host_program(host_program())
    };
    let (report, rows) = run(&system(1));
    assert_eq!(report.end, End::StopTime, "{:?}", report.global_error);
    assert!(bits(&run(&system(3)).1) == bits(&rows));
}

#[test]
fn jumps_of_every_type_wait_for_the_next_sample() {
    let folder = tempfile::tempdir().unwrap();
    let fmu = Hostile::new("a").build(folder.path());
    let jump = |time: f64, from: StartValue, to: StartValue| SourceSignal::Step { time, from, to };
    // x' = u - x while it is enabled.
    let system = System::new()
        .instance("a", fmu)
        .source("u", jump(0.7, 2.0.into(), 5.0.into()))
        .source("on", jump(1.3, true.into(), false.into()))
        .connect("a.u", "u.y")
        .connect("a.enable", "on.y")
        .sample_time("a", 0.5);
    let decay = (-0.5_f64).exp();
    for system in [system.clone().step(0.1).stop(2.2), system.tolerance(1e-6).output_interval(0.1).stop(2.2)] {
        let (report, rows) = run(&system);
        assert_eq!(report.end, End::StopTime);
        let start = rows.real("a.y").unwrap()[0];
        let half = 2.0 + (start - 2.0) * decay;
        let one = 2.0 + (half - 2.0) * decay;
        let still = 5.0 + (one - 5.0) * decay;
        for (time, [before, after]) in
            [(0.5, [start, half]), (0.7, [half, half]), (1.0, [half, one]), (1.5, [one, still]), (2.0, [still, still])]
        {
            let found = around(&rows, "a.y", time);
            assert!((found[0] - before).abs() < 1e-12 && (found[1] - after).abs() < 1e-12, "{time}: {found:?}");
        }
    }
}
