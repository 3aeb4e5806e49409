//! Van der Pol's oscillator and Robertson's reaction with exact references and with the work of other programs.
//!
//! - Restarted: each step is a communication step of co-simulation, so the method starts anew with it. The references are Taylor
//!   series of degree 24 to 30 in 34-digit arithmetic, by `crates/integrator/reference/taylor.py`. The evaluations of SciPy's
//!   `RK45` and `Radau`, with the same restarts and tolerance, are a witness of the work.
//! - At once: problems VDPOL and ROBER of the Test Set for Initial Value Problem Solvers (F. Mazzia, C. Magherini, 2008), after
//!   E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 1996, IV.10.

use super::{over, tolerance};
use crate::{AbsoluteTolerance, EvaluationError, Method, Problem, Settings, Time, Work};

pub(super) fn van_der_pol(mu: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
    (dx[0], dx[1]) = (x[1], mu * (1.0 - x[0] * x[0]) * x[1] - x[0]);
    Ok(())
}

fn van_der_pol_1(_: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
    van_der_pol(1.0, x, dx)
}

pub(super) fn van_der_pol_1e6(_: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
    (dx[0], dx[1]) = (x[1], ((1.0 - x[0] * x[0]) * x[1] - x[0]) / 1e-6);
    Ok(())
}

fn van_der_pol_100(_: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
    van_der_pol(100.0, x, dx)
}

pub(super) fn robertson(_: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
    let [slow, back, fast] = [0.04 * x[0], 1e4 * x[1] * x[2], 3e7 * x[1] * x[1]];
    (dx[0], dx[1], dx[2]) = (back - slow, slow - back - fast, fast);
    Ok(())
}

type Equations = fn(Time, &[f64], &mut [f64]) -> Result<(), EvaluationError>;

/// A problem in so many communication steps of `h` seconds, with the first state after them.
struct Restarted {
    name: &'static str,
    right_hand_side: Equations,
    start: &'static [f64],
    h: f64,
    n: u32,
    exact: f64,
}

const RESTARTED: [Restarted; 5] = [
    van_der_pol_in("van der Pol, μ = 1, to 20", van_der_pol_1, 0.1, 200, 2.008_149_762_174_948_6),
    van_der_pol_in("van der Pol, μ = 1, to 20", van_der_pol_1, 1.0, 20, 2.008_149_762_174_948_6),
    van_der_pol_in("van der Pol, μ = 100, to 50", van_der_pol_100, 0.5, 100, 1.596_824_040_977_087_8),
    van_der_pol_in("van der Pol, μ = 100, to 100", van_der_pol_100, 0.5, 200, -1.868_924_159_883_695_4),
    Restarted {
        name: "Robertson, to 40",
        right_hand_side: robertson,
        start: &[1.0, 0.0, 0.0],
        h: 0.4,
        n: 100,
        exact: 0.715_827_068_719_405,
    },
];

const fn van_der_pol_in(name: &'static str, right_hand_side: Equations, h: f64, n: u32, exact: f64) -> Restarted {
    Restarted { name, right_hand_side, start: &[2.0, 0.0], h, n, exact }
}

impl Restarted {
    /// Evaluations and error of the first state with a tolerance of 1e-6.
    fn run(&self, method: &str) -> (i32, f64) {
        let mut x = self.start.to_vec();
        let work = over(method, &mut { self.right_hand_side }, [0.0, self.h], self.n, tolerance(1e-6), &mut x).unwrap();
        (work.n_evaluations, (x[0] - self.exact).abs())
    }
}

/// The table of `docs/methods/integrators.md`, with bounds: 1.3 times the evaluations that SciPy needs, twice as many for `auto`
/// where equations are stiff, and errors of ten tolerances, where the method is not of low order.
#[test]
fn restarts_cost_what_other_programs_need_and_keep_the_tolerance() {
    let explicit = [2613.0, 1407.0, 23519.0, f64::INFINITY, 244_943.0];
    let implicit = [6469.0, 4171.0, 1945.0, f64::INFINITY, 2059.0];
    for ((problem, explicit), implicit) in RESTARTED.iter().zip(explicit).zip(implicit) {
        let mut row = format!("| {} | {} |", problem.name, problem.h);
        for (method, evaluations, largest) in [
            ("rkf45", explicit, 1e-5),
            ("tr-bdf2", f64::INFINITY, 1e-4),
            ("esdirk34", f64::INFINITY, 1e-4),
            ("dopri5", explicit, 1e-5),
            ("radau5", implicit, 1e-7),
            ("auto", explicit.min(2.0 * implicit), 1e-5),
        ] {
            let (found, error) = problem.run(method);
            row += &format!(" {found}, {error:.0e} |");
            assert!(f64::from(found) <= 1.3 * evaluations && error <= largest, "{method}: {row}");
        }
        println!("{row}");
    }
}

/// The error of `radau5` is far below the tolerance where the solution is slow.
#[test]
fn radau5_is_accurate_on_stiff_equations() {
    assert!(RESTARTED[2].run("radau5").1 <= 1e-8);
    assert!(RESTARTED[4].run("radau5").1 <= 3e-8);
}

/// Evaluations, internal steps, rejected ones, Jacobian matrices and factorizations.
fn counts(work: Work) -> [i32; 5] {
    [work.n_evaluations, work.n_internal_steps, work.n_rejected, work.n_jacobians, work.n_factorizations]
}

/// Largest relative error of the states.
fn relative(x: &[f64], exact: &[f64]) -> f64 {
    x.iter().zip(exact).map(|(x, exact)| (x / exact - 1.0).abs()).fold(0.0, f64::max)
}

/// The largest global error that each method may have at a tolerance. The local error of a method of order `p` is below the
/// tolerance, so its global error shrinks like the power `p / (p + 1)` of it. The results of `radau5` and of `dopri5` in `auto`
/// are better than their estimates.
fn bound(method: &str, tolerance: f64) -> f64 {
    match method {
        "esdirk34" => tolerance.powf(3.0 / 4.0),
        "tr-bdf2" => tolerance.powf(2.0 / 3.0),
        _ => tolerance,
    }
}

const STIFF_METHODS: [&str; 4] = ["tr-bdf2", "esdirk34", "radau5", "auto"];

/// Runs the methods for stiff equations with tolerances of 1e-4, 1e-6 and 1e-8, and returns what they cost with 1e-6.
fn keep_tolerances(run: impl Fn(&str, f64) -> (f64, Work)) -> [(&'static str, [i32; 5]); 4] {
    STIFF_METHODS.map(|name| {
        let works = [1e-4, 1e-6, 1e-8].map(|tolerance| {
            let (error, work) = run(name, tolerance);
            println!("{name} at {tolerance:.0e}: {error:.1e}, {work:?}");
            assert!(error <= bound(name, tolerance), "{name} at {tolerance:.0e}: {error:.1e}, {work:?}");
            work
        });
        (name, counts(works[1]))
    })
}

/// VDPOL with μ = 1e6 over two seconds: long arcs, where it is stiff, and fast changes between them, where it is not.
#[test]
fn the_oscillator_of_the_test_set() {
    let works = keep_tolerances(|name, relative_tolerance| {
        let mut x = [2.0, 0.0];
        let work = over(name, &mut van_der_pol_1e6, [0.0, 2.0], 1, tolerance(relative_tolerance), &mut x).unwrap();
        (relative(&x, &[1.706_167_732_170_483, -0.892_809_701_024_797_5]), work)
    });
    let expected = [
        ("tr-bdf2", [21148, 4114, 0, 434, 3480]),
        ("esdirk34", [14621, 1568, 11, 213, 1351]),
        ("radau5", [7961, 952, 2, 201, 1564]),
        ("auto", [4945, 516, 68, 174, 428]),
    ];
    assert_eq!(works, expected);
}

/// Settings for ROBER: absolute tolerances below the size that each state has at the end.
fn for_robertson(relative_tolerance: f64, absolute: &mut [f64; 3]) -> Settings<'_> {
    *absolute = [1e-7, 1e-12, 1e-3].map(|size| size * relative_tolerance);
    Settings { absolute_tolerance: AbsoluteTolerance::Each(absolute), ..tolerance(relative_tolerance) }
}

/// Error and work after Robertson's reaction between these times, with a fresh start at each.
fn react(name: &str, relative_tolerance: f64, ends: &[f64]) -> (f64, Work) {
    let (mut x, mut work, mut absolute) = ([1.0, 0.0, 0.0], Work::default(), [0.0; 3]);
    let settings = for_robertson(relative_tolerance, &mut absolute);
    let method = Method::named(name).unwrap();
    for ends in ends.windows(2) {
        let mut f = robertson;
        method.integrate(&mut Problem::new(&mut f, ends[0], ends[1] - ends[0], settings, &mut work), &mut x).unwrap();
    }
    (relative(&x, &[0.208_334_014_970_125_5e-7, 0.833_336_077_033_471_3e-13, 0.999_999_979_166_505]), work)
}

/// ROBER up to 1e11 s in one step. The first internal steps are 21 orders of magnitude shorter.
#[test]
fn the_reaction_of_the_test_set() {
    let works = keep_tolerances(|name, relative_tolerance| react(name, relative_tolerance, &[0.0, 1e11]));
    let expected = [
        ("tr-bdf2", [10346, 2027, 1, 136, 318]),
        ("esdirk34", [7193, 758, 1, 140, 272]),
        ("radau5", [4382, 517, 0, 122, 470]),
        ("auto", [4256, 503, 2, 118, 414]),
    ];
    assert_eq!(works, expected);
}

/// The same in steps that grow tenfold. Each starts in the slow solution, where `auto` begins with a method that is not made for
/// it.
#[test]
fn the_reaction_of_the_test_set_restarted() {
    let ends: Vec<_> = std::iter::once(0.0).chain((-2..12).map(|k| 10.0_f64.powi(k))).collect();
    let works = keep_tolerances(|name, relative_tolerance| react(name, relative_tolerance, &ends));
    let expected = [
        ("tr-bdf2", [10465, 2109, 1, 146, 411]),
        ("esdirk34", [7511, 840, 1, 145, 367]),
        ("radau5", [4780, 602, 0, 128, 646]),
        ("auto", [4984, 619, 34, 123, 644]),
    ];
    assert_eq!(works, expected);
}

/// At a tight tolerance, too, `auto` leaves `dopri5` as soon as longer steps of `radau5` pay.
#[test]
fn tight_tolerances_do_not_hide_that_a_reaction_is_stiff() {
    let [auto, radau5] = ["auto", "radau5"].map(|name| react(name, 1e-10, &[0.0, 1e11]));
    assert!(auto.0 < 1e-10 && radau5.0 < 1e-10, "{auto:?} {radau5:?}");
    assert!(auto.1.n_evaluations < radau5.1.n_evaluations, "{auto:?} {radau5:?}");
}
