//! What the campaign compares with is exact, and its table says what is worse than before.

use coupled::campaign::{Equations, FAMILIES, Outcome, Score, compare, flow, table};

#[test]
fn a_decay_and_a_switch_are_exact() {
    let decay = Equations::smooth(vec![1.0], |_, x| vec![-x[0]]);
    let found = decay.solve(&[0.0, 1.0, 10.0]);
    assert!(
        (found[1][0] / (-1.0_f64).exp() - 1.0).abs() < 1e-13 && (found[2][0] / (-10.0_f64).exp() - 1.0).abs() < 1e-12,
        "{found:?}"
    );
    // An oscillation over very many steps.
    let oscillation =
        Equations { mode: Some(Box::new(|_, _, _| 0)), ..Equations::smooth(vec![1.0, 0.0], |_, x| vec![x[1], -x[0]]) };
    let times: Vec<f64> = (0..=400).map(|number| 0.05 * f64::from(number)).collect();
    let off = oscillation.solve(&times).iter().zip(&times).map(|(x, t)| (x[0] - t.cos()).abs()).fold(0.0, f64::max);
    assert!(off < 1e-14, "{off}");
    // x' = 1 until x = 0.7, then -2.
    let switch = Equations {
        mode: Some(Box::new(|_, x, mode| if mode == 1 || x[0] >= 0.7 { 1 } else { 0 })),
        derivative: Box::new(|_, _, mode| vec![if mode == 0 { 1.0 } else { -2.0 }]),
        ..Equations::smooth(vec![0.0], |_, _| vec![0.0])
    };
    assert!((switch.solve(&[0.0, 1.0])[1][0] - 0.1).abs() < 1e-13);
}

/// At rest, the velocity consists of rounding errors, for which no relative error exists.
#[test]
fn a_mass_that_begins_to_slide_loses_no_time() {
    let friction = FAMILIES.iter().find(|family| family.name == "friction").unwrap();
    let case = (friction.case)(2_100_031);
    let times = |parts: u32| (0..=parts).map(|part| 9.0 * f64::from(part) / f64::from(parts)).collect::<Vec<f64>>();
    let [few, many] = [50, 5000].map(|parts| case.equations.solve(&times(parts)).pop().unwrap());
    assert!(few.iter().zip(&many).all(|(few, many)| (few - many).abs() <= 1e-12), "{few:?} {many:?}");
}

/// A fast and two slow states with all couplings, by a method that knows nothing of fast and slow.
#[test]
fn flows_agree_with_an_integrator() {
    let derivative =
        |x: &[f64]| vec![-80.0 * x[0] + 30.0 * x[1] - 8.0 * x[2], x[0] - 0.3 * x[1] + 2.0 * x[2], 0.7 * x[0] - x[1] - 0.1 * x[2]];
    let start = vec![1.0, -0.5, 2.0];
    let exact = flow(3, &[0], derivative);
    let integrated = Equations::smooth(start.clone(), move |_, x| derivative(x));
    for h in [1e-3, 0.03, 1.0, 7.0] {
        let other = integrated.solve(&[0.0, h]).pop().unwrap();
        assert!(exact(h, &start).iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-12), "{h}: {:?} {other:?}", exact(h, &start));
    }
}

/// Two closed forms: a lag that nothing drives but a constant, and what it leaves in an integrator.
#[test]
fn rates_of_any_size_keep_all_digits() {
    let rate = 1e8;
    let exact = flow(3, &[0], move |x| vec![rate * (x[2] - x[0]), x[0], 0.0]);
    let after = exact(2.0, &[3.0, 0.0, 1.0]);
    assert!((after[0] - 1.0).abs() < 1e-15 && (after[1] - (2.0 + 2.0 / rate)).abs() < 1e-14, "{after:?}");
    let within = exact(1.0 / rate, &[3.0, 0.0, 1.0]);
    assert!((within[0] - (1.0 + 2.0 * (-1.0_f64).exp())).abs() < 1e-14, "{within:?}");
}

fn score(kept: u64, calls: u64, error: f64) -> Score {
    let outcome =
        |seed: u64| Outcome { seed, kept: seed < kept, error, estimate: 0.5, calls, reason: String::new(), failed: false };
    Score { family: "linear", tolerance: 1e-6, outcomes: (0..10).map(outcome).collect() }
}

#[test]
fn what_is_worse_than_before_is_said() {
    let before = table(&[score(10, 1000, 0.1)]);
    assert_eq!(compare(&[score(9, 1400, 0.1)], &before), [""; 0]);
    assert_eq!(
        compare(&[score(7, 1600, 2.0)], &before),
        [
            "| linear | 1e-6 | more is false",
            "| linear | 1e-6 | 70 % are kept, before 100 %",
            "| linear | 1e-6 | 1600 calls, before 1000"
        ]
    );
    assert!(
        before.contains("10 results kept, of which 0, 0 and 0 are off by more than 1, 2 and 10 tolerances. With 95 % confidence, at most 27.75 % are false."),
        "{before}"
    );
}
