//! Van der Pol's oscillator and Robertson's reaction with exact references and with the work of other programs.
//!
//! - Restarted: each step is a communication step of co-simulation, so the method starts anew with it. The references are Taylor series of
//!   degree 24 to 30 in 34-digit arithmetic, by `crates/integrator/reference/taylor.py`. The evaluations of SciPy's `RK45` and `Radau`, with the
//!   same restarts and tolerance, are a witness of the work.
//! - At once: problems VDPOL and ROBER of the Test Set for Initial Value Problem Solvers (F. Mazzia, C. Magherini, 2008), after E. Hairer, G.
//!   Wanner, Solving Ordinary Differential Equations II, 1996, IV.10.

use super::{difference, over, tolerance};
use crate::{AbsoluteTolerance, EvaluationError, Settings, Time};

fn van_der_pol(mu: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
    (dx[0], dx[1]) = (x[1], mu * (1.0 - x[0] * x[0]) * x[1] - x[0]);
    Ok(())
}

fn van_der_pol_1(_: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
    van_der_pol(1.0, x, dx)
}

fn van_der_pol_100(_: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
    van_der_pol(100.0, x, dx)
}

fn robertson(_: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
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

/// The table of `docs/methods/integrators.md`, with bounds: 1.3 times the evaluations that SciPy needs, twice as many for `auto` where equations
/// are stiff, and errors of ten tolerances, where the method is not of low order.
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

#[test]
fn the_oscillator_of_the_test_set() {
    let mut stiff = |_: Time, x: &[f64], dx: &mut [f64]| {
        (dx[0], dx[1]) = (x[1], ((1.0 - x[0] * x[0]) * x[1] - x[0]) / 1e-6);
        Ok(())
    };
    for (name, largest) in [("radau5", 1e-6), ("auto", 1e-5), ("esdirk34", 1e-4), ("tr-bdf2", 1e-3)] {
        let mut x = [2.0, 0.0];
        let work = over(name, &mut stiff, [0.0, 2.0], 1, tolerance(1e-6), &mut x).unwrap();
        let error = difference(&x, &[1.706_167_732_170_483, -0.892_809_701_024_797_5]);
        assert!(error < largest && work.n_evaluations < 25_000, "{name}: {error:.1e}, {work:?}");
    }
}

/// Up to 1e11 s, in steps that grow tenfold: an internal step is not smaller than 1e-12 of the whole one. For the same reason `auto`, which starts
/// with an explicit method, does not come as far.
#[test]
fn the_reaction_of_the_test_set() {
    let ends: Vec<_> = std::iter::once(0.0).chain((-2..12).map(|k| 10.0_f64.powi(k))).collect();
    let exact = [0.208_334_014_970_125_5e-7, 0.833_336_077_033_471_3e-13, 0.999_999_979_166_505];
    let absolute_tolerance = AbsoluteTolerance::Each(&[1e-13, 1e-18, 1e-9]);
    let settings = Settings { absolute_tolerance, ..tolerance(1e-6) };
    for (name, largest) in [("radau5", 1e-4), ("esdirk34", 1e-2), ("tr-bdf2", 0.1)] {
        let mut x = [1.0, 0.0, 0.0];
        let mut evaluations = 0;
        for ends in ends.windows(2) {
            let work = over(name, &mut robertson, [ends[0], ends[1] - ends[0]], 1, settings, &mut x).unwrap();
            evaluations += work.n_evaluations;
        }
        let error = x.iter().zip(&exact).map(|(x, exact)| (x / exact - 1.0).abs()).fold(0.0, f64::max);
        assert!(error < largest && evaluations < 20_000, "{name}: {error:.1e}, {evaluations} evaluations");
    }
}
