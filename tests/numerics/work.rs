//! What each method costs on predator–prey until t = 100 s. Counters do not depend on the machine: they are a method's
//! fingerprint.

use std::fmt::Write;

use lotka::{Compatibility, System};
use tests::predator_prey;

/// A line of counters.
fn count(name: &str, system: &System) -> String {
    let counters = system.build().unwrap().run(&mut []).unwrap().counters;
    let attempts = [counters.n_steps, counters.n_step_attempts, counters.n_error_test_failures, counters.n_convergence_failures];
    let work = [counters.n_iterations, counters.n_rollbacks, counters.n_discards, counters.n_events, counters.n_do_step_calls];
    attempts.iter().chain(&work).fold(format!("{name:<36}"), |mut line, counter| {
        write!(line, "{counter:>8}").unwrap();
        line
    })
}

/// Counters of several methods, under a headline.
fn table<const N: usize>(methods: [(&str, System); N]) -> String {
    let names = ["steps", "tried", "error", "conv", "iter", "back", "discard", "event", "calls"];
    let headline = names.iter().fold(format!("{:<36}", "method"), |line, name| format!("{line}{name:>8}"));
    let lines = methods.iter().map(|(name, system)| count(name, system));
    std::iter::once(headline).chain(lines).collect::<Vec<_>>().join("\n")
}

#[test]
fn fixed_steps_of_a_tenth() {
    let steps = || predator_prey().step(0.1);
    let methods = [
        ("jacobi", steps().sweep("jacobi")),
        ("gauss-seidel", steps().sweep("gauss-seidel")),
        ("gauss-seidel, predator first", steps().sweep("gauss-seidel").order(&["predator", "prey"])),
        ("jacobi, iterated", steps().sweep("jacobi").iterations(50, Some(1e-7))),
        ("gauss-seidel, iterated", steps().sweep("gauss-seidel").iterations(50, Some(1e-7))),
        ("gauss-seidel, linear inputs", steps().sweep("gauss-seidel").input_degree(1)),
        ("jacobi, cubic inputs", steps().sweep("jacobi").input_degree(3)),
        ("symmetric", steps().sweep("symmetric")),
        ("symmetric, rows each second", steps().sweep("symmetric").output_interval(1.0)),
    ];
    insta::assert_snapshot!(table(methods), @r"
    method                                 steps   tried   error    conv    iter    back discard   event   calls
    jacobi                                  1000    1000       0       0       0       0       0       0    2000
    gauss-seidel                            1000    1000       0       0       0       0       0       0    2000
    gauss-seidel, predator first            1000    1000       0       0       0       0       0       0    2000
    jacobi, iterated                        1000    1000       0       0    4280    3280       0       0    8560
    gauss-seidel, iterated                  1000    1000       0       0    3225    2225       0       0    6450
    gauss-seidel, linear inputs             1000    1000       0       0       0       1       0       0    2002
    jacobi, cubic inputs                    1000    1000       0       0       0       2       0       0    2012
    symmetric                               1000    1000       0       0       0       0       0       0    3000
    symmetric, rows each second             1000    1000       0       0       0       0       0       0    2100
    ");
}

#[test]
fn step_doubling_at_one_in_a_million() {
    let steps = || predator_prey().local_tolerance(1e-6);
    let methods = [
        ("jacobi, pi", steps().sweep("jacobi").controller("pi")),
        ("gauss-seidel, pi", steps().sweep("gauss-seidel").controller("pi")),
        ("gauss-seidel, i", steps().sweep("gauss-seidel").controller("i")),
        ("gauss-seidel, pi, iterated", steps().controller("pi").iterations(50, None)),
        ("gauss-seidel, linear inputs, pi", steps().sweep("gauss-seidel").input_degree(1)),
        ("jacobi, linear inputs, pi", steps().sweep("jacobi").input_degree(1)),
        ("symmetric, pi", steps().sweep("symmetric")),
    ];
    insta::assert_snapshot!(table(methods), @r"
    method                                 steps   tried   error    conv    iter    back discard   event   calls
    jacobi, pi                             12334   12335       1       0       0   12336       0       0   74010
    gauss-seidel, pi                       10212   10213       1       0       0   10214       0       0   61278
    gauss-seidel, i                        10212   10213       1       0       0   10214       0       0   61278
    gauss-seidel, pi, iterated              9194    9194       0       0   79615   61227       0       0  159230
    gauss-seidel, linear inputs, pi          562     565       3       0       0     568       0       0    3390
    jacobi, linear inputs, pi                624     627       3       0       0     630       0       0    3762
    symmetric, pi                            555     567      12       0       0     579       0       0    5103
    ");
}

#[test]
fn verified_results() {
    let rows = || predator_prey().output_interval(1.0);
    let methods = [
        ("tolerance 1e-3", rows().tolerance(1e-3)),
        ("tolerance 1e-6", rows().tolerance(1e-6)),
        ("tolerance 1e-9", rows().tolerance(1e-9)),
        ("tolerance 1e-6, jacobi", rows().sweep("jacobi").tolerance(1e-6)),
    ];
    insta::assert_snapshot!(table(methods), @r"
    method                                 steps   tried   error    conv    iter    back discard   event   calls
    tolerance 1e-3                           969     969       0       0       0       0       0       0    2373
    tolerance 1e-6                          1369    1369       0       0       0       0       0       0    3273
    tolerance 1e-9                          2469    2469       0       0       0       0       0       0    5673
    tolerance 1e-6, jacobi                  4569    4569       0       0       0       0       0       0    9138
    ");
}

#[test]
fn as_master_sim_does_it() {
    let steps = || predator_prey().local_tolerance(1e-6).compatibility(Compatibility::MasterSim);
    let methods = [("without iteration", steps()), ("five iterations", steps().iterations(5, None))];
    insta::assert_snapshot!(table(methods), @r"
    method                                 steps   tried   error    conv    iter    back discard   event   calls
    without iteration                       8642    8644       2       0       0    8646       0       0   51864
    five iterations                         8872    8872       0       0   57775   40031       0       0  115550
    ");
}

#[test]
fn controllers_leave_different_traces_where_steps_are_large() {
    let steps = || predator_prey().sweep("gauss-seidel").local_tolerance(1e-2);
    let methods = [("gauss-seidel, pi", steps().controller("pi")), ("gauss-seidel, i", steps().controller("i"))];
    insta::assert_snapshot!(table(methods), @r"
    method                                 steps   tried   error    conv    iter    back discard   event   calls
    gauss-seidel, pi                         116     129      13       0       0     142       0       0     774
    gauss-seidel, i                          105     122      17       0       0     139       0       0     732
    ");
}
