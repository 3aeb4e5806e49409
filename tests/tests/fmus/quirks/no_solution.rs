//! A loop that has no solution where a relay switches: an error, or the values of the last iteration where the user wants them.

use std::{fs, path::Path};

use lotka::{Code, End, Memory, NoConvergence, Rejection, Report, RunError, StepSizes, System};
use tempfile::TempDir;
use tests::quirks::Quirk;

const STEP: f64 = 0.01;
const STOP: f64 = 1.0;
const ITERATIONS: u32 = 2;

/// A relay that switches an integrator off where it comes to 2.5.
fn relay_and_integral(folder: &Path) {
    let feedthrough = |xml: &mut String| {
        *xml = xml.replacen("<Unknown index=\"2\" dependencies=\"\"/>", "<Unknown index=\"2\" dependencies=\"1\"/>", 1)
    };
    drop(Quirk::new("relay").described_by("lag").edit_xml(feedthrough).build(folder));
    drop(Quirk::new("integral").described_by("lag").build(folder));
}

fn system(folder: &Path) -> System {
    relay_and_integral(folder);
    let system = System::new().instance("relay", folder.join("relay.fmu")).instance("integral", folder.join("integral.fmu"));
    let system = system.start_value("relay.k", 2.5).start_value("integral.k", 2).start_value("integral.x0", 0);
    let system = system.connect("integral.u", "relay.y").connect("relay.u", "integral.y");
    system
        .stop(STOP)
        .step(STEP)
        .sweep("gauss-seidel")
        .order(&["relay", "integral"])
        .input_degree(0)
        .iterations(ITERATIONS, Some(1e-5))
}

/// What iterations without a test of convergence give: `integral.y` at the communication points.
fn iterated() -> Vec<f64> {
    let relay = |u: f64| if u < 2.5 { 3.0 } else { 0.0 };
    let mut rows = vec![0.0];
    for _ in 0..(STOP / STEP).round() as usize {
        let begin: f64 = *rows.last().unwrap();
        rows.push((0..ITERATIONS).fold(begin, |end, _| begin + 2.0 * STEP * relay(end)));
    }
    rows
}

fn assert_iterated(rows: &[f64]) {
    let expected = iterated();
    assert_eq!(rows.len(), expected.len());
    assert!(rows.iter().zip(&expected).all(|(value, expected)| (value - expected).abs() < 1e-12), "{rows:?}\n{expected:?}");
}

fn kept(report: &Report) -> Vec<&str> {
    report.warnings.iter().filter(|warning| warning.code == Code::LastIterateKept).map(|warning| warning.text.as_str()).collect()
}

#[test]
fn the_last_iterate_is_kept_where_the_user_wants_it_and_told_once_with_a_count() {
    let folder = TempDir::new().unwrap();
    let system = system(folder.path()).on_no_convergence(NoConvergence::LastIterate);
    let mut rows = Memory::new();
    let report = system.build().unwrap().run(&mut [&mut rows]).unwrap();
    assert_iterated(rows.real("integral.y").unwrap());
    let kept = kept(&report);
    assert_eq!(kept.len(), 2, "{kept:?}");
    let first = "the loop relay -> integral did not converge within 2 iterations at t = 0.41";
    let residuals = " s, and Lotka keeps the last iterate: `relay.y` has residual -3.000e0, `integral.y` has \
                 residual -6.000e-2";
    assert!(kept[0].starts_with(first) && kept[0].contains(" s with h = 0.00999") && kept[0].contains(residuals), "{}", kept[0]);
    assert!(kept[1].contains(" of 100 steps"), "{}", kept[1]);
}

/// A loop that is twice as large beside it, which comes to its level in the same step: Lotka reports the one that changes more,
/// wherever it stands.
#[test]
fn the_loop_that_is_farther_from_a_solution_is_reported() {
    let folder = TempDir::new().unwrap();
    let small = |system: System| {
        let system =
            system.instance("relay", folder.path().join("relay.fmu")).instance("integral", folder.path().join("integral.fmu"));
        let system = system.start_value("relay.k", 2.5).start_value("integral.k", 2).start_value("integral.x0", 0);
        system.connect("integral.u", "relay.y").connect("relay.u", "integral.y")
    };
    let large = |system: System| {
        let system =
            system.instance("switch", folder.path().join("relay.fmu")).instance("sum", folder.path().join("integral.fmu"));
        let system = system.start_value("switch.k", 5.0).start_value("sum.k", 4).start_value("sum.x0", 0);
        system.connect("sum.u", "switch.y").connect("switch.u", "sum.y")
    };
    relay_and_integral(folder.path());
    for system in [large(small(System::new())), small(large(System::new()))] {
        let system = system.stop(STOP).step(STEP).input_degree(0).iterations(ITERATIONS, Some(1e-5));
        let report = system.on_no_convergence(NoConvergence::LastIterate).build().unwrap().run(&mut []).unwrap();
        let kept = kept(&report);
        assert!(kept[0].contains("`switch.y` has residual"), "{}", kept[0]);
    }
}

#[test]
fn it_is_an_error_otherwise() {
    let folder = TempDir::new().unwrap();
    let error = system(folder.path()).build().unwrap().run(&mut []).unwrap_err();
    assert!(matches!(&error.error, RunError::NotConverged { time, .. } if (time - 0.41).abs() < 1e-12), "{error}");
}

#[test]
fn the_key_is_refused_with_a_tolerance_and_dropped_where_one_is_asked_for_later() {
    let folder = TempDir::new().unwrap();
    let system = system(folder.path());
    for tolerance in [System::tolerance, System::local_tolerance] {
        let error = tolerance(system.clone(), 1e-4).on_no_convergence(NoConvergence::LastIterate).build().err().unwrap();
        assert!(error.to_string().contains("needs fixed steps"), "{error}");
        let later = tolerance(system.clone().on_no_convergence(NoConvergence::LastIterate), 1e-4);
        assert!(later.build().is_ok());
    }
}

#[test]
fn steps_below_a_size_are_those_of_a_method_without_iteration() {
    let folder = TempDir::new().unwrap();
    let system = system(folder.path());
    let run = |system: System| {
        let mut rows = Memory::new();
        let report = system.build().unwrap().run(&mut [&mut rows]).unwrap();
        assert_eq!(report.end, End::StopTime);
        rows.real("integral.y").unwrap().to_vec()
    };
    let plain = run(system.clone().iterations(1, None));
    assert_eq!(run(system.clone().min_iterated_step(1.1 * STEP)), plain);
    let iterated = system.clone().on_no_convergence(NoConvergence::LastIterate);
    assert_eq!(run(iterated.clone().min_iterated_step(0.9 * STEP)), run(iterated));
    let refused = system.tolerance(1e-4).min_iterated_step(1e-3).build().err().unwrap();
    assert!(refused.to_string().contains("`tolerance` does not support `min-iterated-step`"), "{refused}");
}

#[test]
fn a_run_that_goes_on_counts_on() {
    let folder = TempDir::new().unwrap();
    let system = system(folder.path()).on_no_convergence(NoConvergence::LastIterate);
    let whole = system.clone().build().unwrap().run(&mut []).unwrap();
    let mut checkpoints = super::runner::Checkpoints::default();
    let mut simulation = system.clone().build().unwrap();
    simulation.checkpoint_token().unwrap().request_all();
    simulation.run(&mut [&mut checkpoints]).unwrap();
    let middle = &checkpoints.0[60];
    let resumed = system.build().unwrap().resume(middle, &mut []).unwrap();
    assert_eq!(kept(&resumed), kept(&whole));
}

/// Steps of at most this size, smaller ones where the loop does not converge, and one pass in those below a thousandth of a
/// second.
fn adaptive(folder: &Path, largest: f64) -> System {
    let mut system = system(folder).step(largest).on_no_convergence(NoConvergence::SmallerSteps).min_iterated_step(1e-3);
    system.description_mut().experiment.first_step = Some(STEP.into());
    system
}

#[test]
fn steps_get_smaller_where_the_loop_does_not_converge_and_larger_again() {
    let folder = TempDir::new().unwrap();
    let (mut rows, mut steps) = (Memory::new(), StepSizes::new());
    let report = adaptive(folder.path(), 0.04).build().unwrap().run(&mut [&mut rows, &mut steps]).unwrap();
    // The integral goes up by 6/s until the relay switches, in a step below a thousandth of a second.
    let y = rows.real("integral.y").unwrap();
    assert!((2.5..2.5 + 6e-3).contains(y.last().unwrap()), "{y:?}");
    for (t, y) in rows.time().iter().zip(y) {
        assert!((y - (6.0 * t).min(*rows.real("integral.y").unwrap().last().unwrap())).abs() < 1e-12, "{t}: {y}");
    }
    assert_eq!((steps.step[0], steps.step[1], steps.step[2]), (STEP, 2.0 * STEP, 4.0 * STEP));
    let rejected = &steps.rejected;
    assert!(
        rejected.len() >= 3 && rejected.iter().all(|step| matches!(step.reason, Rejection::NotConverged { .. })),
        "{rejected:?}"
    );
    let mut all: Vec<(f64, f64, bool)> = steps.time.iter().zip(&steps.step).map(|(t, h)| (t - h, *h, true)).collect();
    all.extend(rejected.iter().map(|step| (step.time, step.step, false)));
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    for pair in all[..all.len() - 1].windows(2) {
        let [(_, last, made), (_, next, _)] = pair else { continue };
        let expected = if *made { (2.0 * last).min(0.04) } else { last / 5.0 };
        assert!((next - expected).abs() < 1e-12, "{pair:?}");
    }
    assert!(report.largest_error_estimate.is_none() && report.warnings.is_empty(), "{:?}", report.warnings);
    assert_eq!(report.counters.n_convergence_failures, rejected.len() as u64);
}

#[test]
fn the_smallest_step_ends_the_run_and_what_does_not_go_with_smaller_steps_is_refused() {
    let folder = TempDir::new().unwrap();
    let mut system = adaptive(folder.path(), 0.04);
    system.description_mut().algorithm.min_iterated_step = None;
    system.description_mut().experiment.min_step = Some(1e-4.into());
    let error = system.build().unwrap().run(&mut []).unwrap_err().to_string();
    assert!(error.contains("relay -> integral did not converge") && error.contains("h = 0.0001 s"), "{error}");
    assert!(error.contains("at the smallest allowed step size") && error.contains("a smaller `min-step`"), "{error}");
    let refused = |system: System| system.build().err().unwrap().to_string();
    let text = refused(adaptive(folder.path(), 0.04).iterations(1, None));
    assert!(text.contains("`on-no-convergence` has no effect without iteration"), "{text}");
    for tolerance in [System::tolerance, System::local_tolerance] {
        let text = refused(tolerance(adaptive(folder.path(), 0.04), 1e-4).on_no_convergence(NoConvergence::SmallerSteps));
        assert!(text.contains("`on-no-convergence = \"smaller-steps\"` needs `step`"), "{text}");
    }
    let mut system = adaptive(folder.path(), 0.04);
    system.description_mut().experiment.min_step = Some(1.0.into());
    assert!(refused(system).contains("`min-step` 1 s is larger than `step` 0.04 s"));
    for (attribute, needs) in
        [("canGetAndSetFMUstate", "rollback"), ("canHandleVariableCommunicationStepSize", "variable step sizes")]
    {
        let folder = TempDir::new().unwrap();
        let system = adaptive(folder.path(), 0.04);
        drop(Quirk::new("integral").described_by("lag").attribute(attribute, "false").build(folder.path()));
        let text = refused(system);
        assert!(text.contains("`on-no-convergence = \"smaller-steps\"` needs") && text.contains(needs), "{text}");
    }
}

#[test]
fn a_run_with_smaller_steps_goes_on_from_a_checkpoint() {
    let folder = TempDir::new().unwrap();
    let system = adaptive(folder.path(), 0.04);
    let mut checkpoints = super::runner::Checkpoints::default();
    let mut rows = Memory::new();
    let mut simulation = system.build().unwrap();
    simulation.checkpoint_token().unwrap().request_all();
    simulation.run(&mut [&mut rows, &mut checkpoints]).unwrap();
    for checkpoint in &checkpoints.0 {
        let mut rest = Memory::new();
        system.build().unwrap().resume(checkpoint, &mut [&mut rest]).unwrap();
        let whole = rows.real("integral.y").unwrap();
        assert!(whole.ends_with(rest.real("integral.y").unwrap()) && rows.time().ends_with(rest.time()));
    }
}

#[test]
fn projects_of_mastersim_with_fixed_steps_keep_it() {
    let folder = TempDir::new().unwrap();
    relay_and_integral(folder.path());
    let project = "tStart 0 s\ntEnd 1 s\nhStart 0.01 s\nhOutputMin 0.01 s\nadjustStepSize no\nabsTol 1e-6\nrelTol 1e-5\nMasterMode GAUSS_SEIDEL\n\
                   ErrorControlMode NONE\nmaxIterations 2\nsimulator 0 1 relay #ff0000 \"relay.fmu\"\nsimulator 1 1 integral #00ff00 \"integral.fmu\"\n\
                   graph relay.y integral.u\ngraph integral.y relay.u\nparameter relay.k 2.5\nparameter integral.k 2\nparameter integral.x0 0\n";
    fs::write(folder.path().join("system.msim"), project).unwrap();
    let mut rows = Memory::new();
    let simulation = System::from_file(folder.path().join("system.msim")).unwrap();
    let report = simulation.build().unwrap().run(&mut [&mut rows]).unwrap();
    assert_iterated(rows.real("integral.y").unwrap());
    assert_eq!(kept(&report).len(), 2);
}

#[test]
fn projects_of_mastersim_with_error_control_pass_it_in_short_steps() {
    let folder = TempDir::new().unwrap();
    relay_and_integral(folder.path());
    let project = "tStart 0 s\ntEnd 1 s\nhStart 0.1 s\nhMax 0.1 s\nhMin 1e-5 s\nhFallBackLimit 1e-4 s\nhOutputMin 1e-5 s\nadjustStepSize yes\n\
                   absTol 1e-5\nrelTol 1e-4\nMasterMode GAUSS_SEIDEL\nErrorControlMode ADAPT_STEP\nmaxIterations 2\n\
                   simulator 0 1 relay #ff0000 \"relay.fmu\"\nsimulator 1 1 integral #00ff00 \"integral.fmu\"\n\
                   graph relay.y integral.u\ngraph integral.y relay.u\nparameter relay.k 2.5\nparameter integral.k 2\nparameter integral.x0 0\n";
    fs::write(folder.path().join("system.msim"), project).unwrap();
    let mut rows = Memory::new();
    let report = System::from_file(folder.path().join("system.msim")).unwrap().build().unwrap().run(&mut [&mut rows]).unwrap();
    let y = *rows.real("integral.y").unwrap().last().unwrap();
    assert!(report.end == End::StopTime && (y - 2.5).abs() < 6e-4, "{y}");
    let kept = report.warnings.iter().find(|warning| warning.code == Code::ErrorTestFailed).unwrap();
    assert!(kept.text.contains("they have the minimum size"), "{}", kept.text);
}
