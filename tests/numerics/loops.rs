//! Stiff loops: which accelerations converge where plain iteration does not, at what cost, and to the right values.

use std::fmt::Write;

use lotka::{Counters, Memory, Report, RunError, RunFailure, System};
use tests::systems::{exact::STIFF_PAIR, stiff_pair, three_species_components, three_species_plain_components};

const ACCELERATIONS: [&str; 5] = ["none", "relaxation", "aitken", "anderson", "newton"];

/// Far beyond the step at which each pass makes plain iteration worse \[s\].
const LARGE: f64 = 2.0;
/// Plain iteration converges \[s\].
const MODERATE: f64 = 0.05;

/// The stiff pair, iterated.
fn iterated(sweep: &str, degree: u32, acceleration: &str, h: f64) -> System {
    let system = stiff_pair().sweep(sweep).input_degree(degree).step(h).stop(if h == LARGE { 10.0 } else { 1.0 });
    system.iterations(100, Some(1e-8)).acceleration(acceleration)
}

/// All sweeps and degrees.
fn combinations() -> impl Iterator<Item = (&'static str, u32)> {
    [0, 1].into_iter().flat_map(|degree| ["jacobi", "gauss-seidel"].map(|sweep| (sweep, degree)))
}

fn iterations(system: &System) -> u64 {
    run(system).unwrap().0.counters.n_iterations
}

/// The report and the error of the states at the end, relative to them.
fn run(system: &System) -> Result<(Report, f64), Box<RunFailure>> {
    let mut results = Memory::new();
    let report = system.build().unwrap().run(&mut [&mut results])?;
    let exact = (STIFF_PAIR.at)(*results.time().last().unwrap());
    let states = STIFF_PAIR.outputs.iter().zip(exact).filter(|(output, _)| !output.ends_with(".f"));
    let (error, size) = states.fold((0.0_f64, 0.0_f64), |(error, size), (output, exact)| {
        let got = *results.real(output).unwrap().last().unwrap();
        (error.hypot(got - exact), size.hypot(exact))
    });
    Ok((report, error / size))
}

/// Iterations per step, rollbacks and calls of each acceleration, sweep and degree at one step size.
fn table(h: f64) -> String {
    let mut text = format!("{:<36}{:>10}{:>8}{:>8}", format!("h = {h} s"), "per step", "back", "calls");
    for (sweep, degree) in combinations() {
        for acceleration in ACCELERATIONS {
            write!(text, "\n{:<36}", format!("{sweep}, degree {degree}, {acceleration}")).unwrap();
            match run(&iterated(sweep, degree, acceleration, h)) {
                Ok((report, _)) => {
                    let counters = report.counters;
                    let per_step = counters.n_iterations as f64 / counters.n_steps as f64;
                    write!(text, "{per_step:>10.2}{:>8}{:>8}", counters.n_rollbacks, counters.n_do_step_calls).unwrap();
                }
                Err(_) => write!(text, "{:>10}", "-").unwrap(),
            }
        }
    }
    text
}

#[test]
fn anderson_and_newton_converge_where_plain_iteration_does_not() {
    for (sweep, degree) in combinations() {
        let failure = run(&iterated(sweep, degree, "none", LARGE)).unwrap_err();
        assert!(matches!(failure.error, RunError::NotConverged { .. }), "{sweep}, degree {degree}: {failure}");
        for acceleration in ["anderson", "newton"] {
            let (report, _) = run(&iterated(sweep, degree, acceleration, LARGE)).unwrap();
            let counters = report.counters;
            assert_eq!(counters.n_steps, 5);
            assert!(counters.n_iterations <= 5 * counters.n_steps, "{sweep}, degree {degree}, {acceleration}: {counters:?}");
        }
    }
}

#[test]
fn work_at_steps_that_are_too_large_for_plain_iteration() {
    insta::assert_snapshot!(table(LARGE), @r"
    h = 2 s                               per step    back   calls
    jacobi, degree 0, none                       -
    jacobi, degree 0, relaxation             17.00      80     170
    jacobi, degree 0, aitken                     -
    jacobi, degree 0, anderson                1.60       3      16
    jacobi, degree 0, newton                  1.40       5      17
    gauss-seidel, degree 0, none                 -
    gauss-seidel, degree 0, relaxation        7.40      32      74
    gauss-seidel, degree 0, aitken            4.00      15      40
    gauss-seidel, degree 0, anderson          1.60       3      16
    gauss-seidel, degree 0, newton            1.40       7      19
    jacobi, degree 1, none                       -
    jacobi, degree 1, relaxation                 -
    jacobi, degree 1, aitken                     -
    jacobi, degree 1, anderson                3.20      11      36
    jacobi, degree 1, newton                  3.00      13      37
    gauss-seidel, degree 1, none                 -
    gauss-seidel, degree 1, relaxation           -
    gauss-seidel, degree 1, aitken           10.60      48     110
    gauss-seidel, degree 1, anderson          3.00      10      34
    gauss-seidel, degree 1, newton            2.00      10      29
    ");
}

#[test]
fn work_at_moderate_steps() {
    insta::assert_snapshot!(table(MODERATE), @r"
    h = 0.05 s                            per step    back   calls
    jacobi, degree 0, none                   11.50     210     460
    jacobi, degree 0, relaxation             21.10     402     844
    jacobi, degree 0, aitken                 16.45     309     658
    jacobi, degree 0, anderson                2.75      35     110
    jacobi, degree 0, newton                  2.00      23      83
    gauss-seidel, degree 0, none              6.30     106     252
    gauss-seidel, degree 0, relaxation       17.65     333     706
    gauss-seidel, degree 0, aitken            5.60      92     224
    gauss-seidel, degree 0, anderson          2.70      34     108
    gauss-seidel, degree 0, newton            2.05      26      87
    jacobi, degree 1, none                       -
    jacobi, degree 1, relaxation             57.20    1124    2292
    jacobi, degree 1, aitken                     -
    jacobi, degree 1, anderson                2.80      36     116
    jacobi, degree 1, newton                  2.00      23      87
    gauss-seidel, degree 1, none                 -
    gauss-seidel, degree 1, relaxation       21.65     413     870
    gauss-seidel, degree 1, aitken            6.30     106     256
    gauss-seidel, degree 1, anderson          2.85      37     118
    gauss-seidel, degree 1, newton            2.00      25      89
    ");
}

#[test]
fn columns_of_earlier_steps_spare_iterations() {
    for (sweep, degree) in [("gauss-seidel", 0), ("gauss-seidel", 1)] {
        for h in [0.01, MODERATE, LARGE] {
            let of = |acceleration| iterations(&iterated(sweep, degree, acceleration, h));
            let (anderson, aitken) = (of("anderson"), of("aitken"));
            assert!(anderson < aitken, "{sweep}, degree {degree}, h = {h}: {anderson} iterations, Aitken {aitken}");
        }
    }
}

/// What the iteration converges to does not depend on how it gets there, and comes closer to the exact solution with the order of
/// the inputs.
#[test]
fn every_acceleration_converges_to_the_same_solution() {
    for (sweep, degree) in combinations() {
        let error = |acceleration, h| run(&iterated(sweep, degree, acceleration, h)).map(|(_, error)| error);
        let plain = [1.0 / 256.0, 1.0 / 512.0].map(|h| (h, error("none", h).unwrap()));
        let ratio = plain[0].1 / plain[1].1;
        let order = f64::from(degree) + 1.0;
        assert!((ratio.log2() - order).abs() < 0.2, "{sweep}, degree {degree}: {plain:?}");
        for acceleration in ["relaxation", "anderson", "newton"] {
            for (h, plain) in plain {
                let accelerated = error(acceleration, h).unwrap();
                assert!(
                    (accelerated / plain - 1.0).abs() < 1e-3,
                    "{sweep}, degree {degree}, {acceleration}: {accelerated}, {plain}"
                );
            }
        }
    }
}

/// Six of the nine FMUs have no memory: their directional derivatives are those of the pass.
#[test]
fn newton_asks_for_directional_derivatives_where_they_say_all() {
    for (sweep, degree) in [("jacobi", 1), ("gauss-seidel", 1), ("jacobi", 3)] {
        let run = |system: System| {
            let system = system.sweep(sweep).input_degree(degree).step(0.1).stop(5.0);
            let mut results = Memory::new();
            let system = system.iterations(50, Some(1e-10)).acceleration("newton");
            let report = system.build().unwrap().run(&mut [&mut results]).unwrap();
            (report.counters, *results.real("wolves.population").unwrap().last().unwrap())
        };
        let ((asked, wolves), (stepped, same)) = (run(three_species_components()), run(three_species_plain_components()));
        let name = format!("{sweep}, degree {degree}: {asked:?} {stepped:?}");
        assert!((wolves / same - 1.0).abs() < 1e-9, "{name}");
        // In a Gauss–Seidel pass the components are where the populations went, not where the derivative is asked for.
        assert!(asked.n_iterations.abs_diff(stepped.n_iterations) * 20 <= stepped.n_iterations, "{name}");
        // The components read nine values in all: one step each for every new derivative. After a Gauss–Seidel pass six more go
        // back to its begin.
        let again = |counters: Counters| counters.n_do_step_calls - 9 * counters.n_iterations;
        assert_eq!(again(stepped) - again(asked), if sweep == "jacobi" { 9 } else { 15 }, "{name}");
    }
}

/// All is linear and the factor a power of 2: the same run in other units.
#[test]
fn a_loop_of_small_values_is_iterated_as_far_as_one_of_large_values() {
    let counters = |factor: f64| {
        let states = [("left.x", 0.0), ("left.v", 1.0), ("right.x", 0.5), ("right.v", 0.0)];
        let system = states.into_iter().fold(stiff_pair(), |system, (state, value)| system.start_value(state, factor * value));
        let system = system.stop(0.5).output_interval(0.1).tolerance(1e-4).sweep("gauss-seidel").iterations(50, None);
        run(&system.acceleration("newton")).unwrap().0.counters
    };
    let usual = counters(1.0);
    assert!(usual.n_iterations > usual.n_steps, "{usual:?}");
    assert_eq!(counters(2.0_f64.powi(-40)), usual);
}

#[test]
fn a_loop_that_does_not_converge_is_named_with_what_helps() {
    let place = ["left -> right", "100 iterations", "t = 0 s"];
    let cases = [
        (
            "none",
            "h = 2 s: `left.x` changes most (norm of the change: ",
            "; set acceleration = \"anderson\" or \"newton\"; a smaller `step`, more `iterations` or a looser",
        ),
        (
            "aitken",
            "h = 2 s: `right.f` changes most (norm of the change: ",
            "; use a smaller `step`; another `acceleration`, more `iterations` or a looser",
        ),
    ];
    for (acceleration, variable, help) in cases {
        let failure = run(&iterated("jacobi", 0, acceleration, LARGE)).unwrap_err();
        let sentence = failure.error.to_string();
        for part in place.into_iter().chain([variable, help, "`iteration-tolerance` may also help"]) {
            assert!(sentence.contains(part), "no `{part}` in: {sentence}");
        }
        assert_eq!(failure.report.counters.n_convergence_failures, 1);
    }
}
