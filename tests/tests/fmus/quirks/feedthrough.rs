//! Feedthrough that is declared and is not there, or is there only now and then. With `tolerance` Lotka relies on trials as long
//! as nothing contradicts them; a result that is kept must be right.

use tests::quirks::Quirk;

use super::case::{Case, Verdict, Way};

/// Prey and their predators, each of whose outputs is said to follow its input directly.
pub fn pair() -> [Quirk; 2] {
    let numbers = |growth: &str, effect: &str| [format!("GROWTH={growth}"), format!("EFFECT={effect}")];
    let predators =
        numbers("-0.4", "0.02").iter().fold(Quirk::new("population").named("predator"), |quirk, define| quirk.define(define));
    [Quirk::new("population").named("prey"), predators]
}

pub const PAIR: &str = "[instances]\nprey = 'prey.fmu'\npredator = 'predator.fmu'\n[connections]\n'prey.u' = 'predator.y'\n'predator.u' = 'prey.y'\n";

/// Says nothing of dependencies, which means all of them.
pub fn silent(quirk: Quirk) -> Quirk {
    quirk.edit_xml(|xml| *xml = xml.replace(" dependencies=\"1\"", "").replace(" dependencies=\"1 3\"", ""))
}

/// An integrator whose output is said to follow its inputs directly.
pub fn integrator(name: &str, feedthrough: &str) -> Quirk {
    Quirk::new("hidden_feedthrough").named(name).define(&format!("FEEDTHROUGH={feedthrough}"))
}

/// `a' = b`, `b' = -(a + feedthrough)`.
pub const OSCILLATOR: &str = "[instances]\na = 'a.fmu'\nb = { fmu = 'b.fmu', start = { x0 = 0.0 } }\n[connections]\n'a.u' = 'b.y'\n'b.u' = { from = 'a.y', factor = -1.0 }\n";

/// The same with `c' = b`, which `a` follows directly.
const THREE: &str = "[instances]\na = 'a.fmu'\nb = { fmu = 'b.fmu', start = { x0 = 0.0 } }\nc = { fmu = 'c.fmu', start = { x0 = 0.5 } }\n[connections]\n'a.u' = 'b.y'\n'a.v' = 'c.y'\n'b.u' = { from = 'a.y', factor = -1.0 }\n'c.u' = 'b.y'\n";

/// Feedthrough that grows from t = 5 s on, and one above a level of the input.
pub const LATE: &str = "0.1*fmax(0,t-5)*u";
const ABOVE: &str = "0.5*fmax(0,u-0.8)";

/// Feedthrough between 6.25 s and 6.7 s, when the first eight runs make no trials.
pub const BRIEF: &str = "30*pow(fmax(0,(t-6.25)*(6.7-t)),2)*u";

/// Values of `y` at the stop time: classic Runge–Kutta steps, of which one ends at each whole second.
fn integrated<const N: usize>(slope: impl Fn(f64, [f64; N]) -> [f64; N], start: [f64; N], stop: f64) -> [f64; N] {
    let n = 2_000.0 * stop;
    let h = stop / n;
    let plus = |y: [f64; N], k: [f64; N], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
    (0..n as u32).fold(start, |y, step| {
        let t = f64::from(step) / n * stop;
        let k1 = slope(t, y);
        let k2 = slope(t + 0.5 * h, plus(y, k1, 0.5 * h));
        let k3 = slope(t + 0.5 * h, plus(y, k2, 0.5 * h));
        let k4 = slope(t + h, plus(y, k3, h));
        std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    })
}

/// `a.y` and `b.y` at the stop time, where `a.y` has this feedthrough of `t` and `b.y`.
pub fn oscillator(feedthrough: impl Fn(f64, f64) -> f64, stop: f64) -> (f64, f64) {
    let [a, b] = integrated(|t, [a, b]| [b, -(a + feedthrough(t, b))], [1.0, 0.0], stop);
    (a + feedthrough(stop, b), b)
}

pub fn late(t: f64, b: f64) -> f64 {
    0.1 * (t - 5.0_f64).max(0.0) * b
}

pub fn brief(t: f64, b: f64) -> f64 {
    30.0 * ((t - 6.25) * (6.7 - t)).max(0.0).powi(2) * b
}

/// Prey and predators at the stop time.
pub fn populations(stop: f64) -> (f64, f64) {
    let [prey, predators] = integrated(|_, [x, y]| [x * (0.1 - 0.02 * y), y * (0.02 * x - 0.4)], [10.0, 10.0], stop);
    (prey, predators)
}

/// Where steps are fixed the method is the one that suits what is declared, and errors go with the step. Iterated ones are those
/// of the implicit Euler method, which damps what should oscillate: it only ends well.
fn coarse(case: Case, error: f64) -> Case {
    let ways = [Way::Step, Way::Isolated, Way::Resumed];
    let case = ways.into_iter().fold(case, |case, way| case.on(way, Verdict::within(error)));
    case.on(Way::Iterated, Verdict::code(0)).on(Way::Tolerance, Verdict::within(1e-4))
}

pub fn cases() -> Vec<Case> {
    let (prey, predators) = populations(10.0);
    let lotka_volterra = |name, fmus: [Quirk; 2]| {
        let case = Case::new(name, fmus, PAIR).times(10.0, 0.1).expect("prey.y", prey).expect("predator.y", predators);
        coarse(case, 0.1).on(Way::LocalTolerance, Verdict::within(1e-3))
    };
    let oscillating = |name, fmus: Vec<Quirk>, system: &str, (a, b): (f64, f64)| {
        let case = Case::new(name, fmus, system).times(10.0, 0.1).expect("a.y", a).expect("b.y", b);
        coarse(case, 0.5).on(Way::LocalTolerance, Verdict::within(2e-4))
    };
    let two = |feedthrough: &str| vec![integrator("a", feedthrough), integrator("b", "0")];
    let second = |[a, b, c]: [f64; 3]| [b, -(a + 0.5 * c), b];
    let [a, b, c] = integrated(|_, y| second(y), [1.0, 0.0, 0.5], 10.0);
    let three = vec![integrator("a", "0.5*v"), integrator("b", "0"), integrator("c", "0")];
    vec![
        lotka_volterra("prey and predators that declare feedthrough and have none", pair()),
        lotka_volterra("the same, where nothing is said of dependencies", pair().map(silent)),
        oscillating("feedthrough from t = 5 s on", two(LATE), OSCILLATOR, oscillator(late, 10.0)),
        oscillating(
            "the same, where nothing is said of dependencies",
            two(LATE).into_iter().map(silent).collect(),
            OSCILLATOR,
            oscillator(late, 10.0),
        ),
        oscillating(
            "feedthrough above a level of the input",
            two(ABOVE),
            OSCILLATOR,
            oscillator(|_, b| 0.5 * (b - 0.8).max(0.0), 10.0),
        ),
        oscillating("feedthrough for less than half a second", two(BRIEF), OSCILLATOR, oscillator(brief, 10.0)),
        oscillating("feedthrough of the second input only", three, THREE, (a + 0.5 * c, b)),
        oscillating("feedthrough that is declared and there", two("0.5*u"), OSCILLATOR, oscillator(|_, b| 0.5 * b, 10.0)),
    ]
}
