//! Families of random systems with known solutions.

mod driven;
mod inside;
mod nonlinear;
mod smooth;
mod switched;

use lotka::System;

use super::{random::Random, reference::Equations};
use driven::{chirp, jump, kink, late, pulse, ripple, sine, square, triangle};
use inside::{Inside, converted, friction, vessel};
use nonlinear::{species, van_der_pol};
use smooth::{Variant, linear, lorenz, transient};
use switched::{HIDDEN, Place, Switch, relay, sampled};

/// A value in a state at a time.
pub type Value = Box<dyn Fn(f64, &[f64]) -> f64 + Send + Sync>;

/// A system, and what it must show.
pub struct Case {
    /// Stop time and distance of rows are set, the tolerance is not.
    pub system: System,
    /// Its equations.
    pub equations: Equations,
    /// Outputs that are judged, each with its value in a state at a time.
    pub outputs: Vec<(String, Value)>,
}

/// A family: its name, what it is, and its systems by seed.
pub struct Family {
    /// As in the table.
    pub name: &'static str,
    /// In a few words.
    pub what: &'static str,
    /// A system.
    pub case: fn(u64) -> Case,
}

/// All families.
pub const FAMILIES: &[Family] = &[
    Family { name: "linear", what: "two to four linear FMUs in a ring", case: |seed| linear(seed, Variant::default()) },
    Family {
        name: "stiff",
        what: "the same, with modes up to 1000 times as fast",
        case: |seed| linear(seed, Variant { stiff: true, ..Variant::default() }),
    },
    Family {
        name: "stale",
        what: "the same, with an output that follows its input at once",
        case: |seed| linear(seed, Variant { direct: true, ..Variant::default() }),
    },
    Family {
        name: "euler",
        what: "the same, with one step of Euler's rule per step",
        case: |seed| linear(seed, Variant { euler: true, ..Variant::default() }),
    },
    Family {
        name: "noise",
        what: "the same, with noise of 1e-13 to 1e-9 on the outputs",
        case: |seed| linear(seed, Variant { noise: true, ..Variant::default() }),
    },
    Family {
        name: "offset",
        what: "the same, with offsets of 1e3 to 1e6 on the outputs",
        case: |seed| linear(seed, Variant { offset: true, ..Variant::default() }),
    },
    Family {
        name: "scales",
        what: "the same, with times from 1e-9 s to 1e9 s",
        case: |seed| linear(seed, Variant { scaled: true, ..Variant::default() }),
    },
    Family { name: "transient", what: "fast transients at the start", case: transient },
    Family {
        name: "relay-open",
        what: "a hidden switch that an oscillator drives",
        case: |seed| relay(seed, Switch { place: Place::Driven, ..HIDDEN }),
    },
    Family {
        name: "relay-pair",
        what: "the same, with two oscillators that drive each other",
        case: |seed| relay(seed, Switch { place: Place::Behind, ..HIDDEN }),
    },
    Family { name: "relay-loop", what: "the same, where the switch drives them", case: |seed| relay(seed, HIDDEN) },
    Family {
        name: "relay-open-event",
        what: "relay-open, with the event declared",
        case: |seed| relay(seed, Switch { place: Place::Driven, is_declared: true, ..HIDDEN }),
    },
    Family {
        name: "relay-pair-event",
        what: "relay-pair likewise",
        case: |seed| relay(seed, Switch { place: Place::Behind, is_declared: true, ..HIDDEN }),
    },
    Family {
        name: "relay-loop-event",
        what: "relay-loop likewise",
        case: |seed| relay(seed, Switch { is_declared: true, ..HIDDEN }),
    },
    Family {
        name: "hysteresis",
        what: "relay-loop, with two levels",
        case: |seed| relay(seed, Switch { has_band: true, ..HIDDEN }),
    },
    Family {
        name: "drift",
        what: "relay-loop, with a level that moves",
        case: |seed| relay(seed, Switch { drifts: true, ..HIDDEN }),
    },
    Family {
        name: "thermostat",
        what: "hysteresis, where what jumps acts at once",
        case: |seed| relay(seed, Switch { has_band: true, jumps: true, ..HIDDEN }),
    },
    Family { name: "sampled", what: "a sampled controller whose times are declared", case: |seed| sampled(seed, true) },
    Family { name: "sampled-hidden", what: "the same, where nothing is declared", case: |seed| sampled(seed, false) },
    Family { name: "jump", what: "an FMU without inputs that jumps by 1e-4 to 10, with offsets up to 1e5", case: jump },
    Family { name: "kink", what: "the same with a kink", case: kink },
    Family { name: "ripple", what: "ripple of 5 to 80 Hz on a constant, rows every 0.1 s to 1.2 s", case: ripple },
    Family { name: "sine", what: "a sine whose zeros are at the rows", case: sine },
    Family { name: "pulse", what: "a pulse of 3 to 0.02 distances of rows", case: pulse },
    Family { name: "lorenz", what: "the Lorenz system from three FMUs, for 1 s to 4 s", case: lorenz },
    Family { name: "late", what: "nothing moves until late", case: late },
    Family { name: "square", what: "an FMU without inputs that jumps up and down, 1 to 150 times", case: square },
    Family { name: "triangle", what: "the same with kinks", case: triangle },
    Family { name: "chirp", what: "an FMU without inputs that gets up to 100 times as fast", case: chirp },
    Family { name: "species", what: "three or four species in a ring", case: species },
    Family { name: "van-der-pol", what: "the van der Pol oscillator from two FMUs", case: van_der_pol },
    Family {
        name: "state-switch",
        what: "an FMU in a loop that switches at two levels of its own state",
        case: |seed| vessel(seed, Inside::Opens, false),
    },
    Family {
        name: "fires",
        what: "the same, where its state begins anew at a level",
        case: |seed| vessel(seed, Inside::Fires, false),
    },
    Family { name: "clock", what: "the same, where it switches at a time", case: |seed| vessel(seed, Inside::Clock, false) },
    Family {
        name: "state-switch-exact",
        what: "state-switch, where it switches within steps",
        case: |seed| vessel(seed, Inside::Opens, true),
    },
    Family { name: "fires-exact", what: "fires likewise", case: |seed| vessel(seed, Inside::Fires, true) },
    Family { name: "clock-exact", what: "clock likewise", case: |seed| vessel(seed, Inside::Clock, true) },
    Family {
        name: "limits",
        what: "an FMU in a loop whose input has limits and a dead zone",
        case: |seed| vessel(seed, Inside::Limits, true),
    },
    Family { name: "friction", what: "a mass in a loop with dry friction", case: friction },
    Family { name: "converter", what: "an FMU in a loop that hands on a signal in steps", case: converted },
    Family { name: "linear-dense", what: "linear, with rows 5 to 40 times as dense", case: |seed| dense("linear", seed) },
    Family { name: "stiff-dense", what: "stiff likewise", case: |seed| dense("stiff", seed) },
    Family { name: "stale-dense", what: "stale likewise", case: |seed| dense("stale", seed) },
    Family { name: "euler-dense", what: "euler likewise", case: |seed| dense("euler", seed) },
    Family { name: "noise-dense", what: "noise likewise", case: |seed| dense("noise", seed) },
    Family { name: "offset-dense", what: "offset likewise", case: |seed| dense("offset", seed) },
    Family { name: "transient-dense", what: "transient likewise", case: |seed| dense("transient", seed) },
    Family { name: "relay-open-dense", what: "relay-open likewise", case: |seed| dense("relay-open", seed) },
    Family { name: "jump-dense", what: "jump likewise", case: |seed| dense("jump", seed) },
    Family { name: "kink-dense", what: "kink likewise", case: |seed| dense("kink", seed) },
    Family { name: "sine-dense", what: "sine likewise", case: |seed| dense("sine", seed) },
    Family { name: "lorenz-dense", what: "lorenz likewise", case: |seed| dense("lorenz", seed) },
    Family { name: "late-dense", what: "late likewise", case: |seed| dense("late", seed) },
];

/// A system of another family, with more rows.
fn dense(family: &str, seed: u64) -> Case {
    let family = FAMILIES.iter().find(|other| other.name == family).unwrap();
    let mut case = (family.case)(seed);
    if let Some(interval) = &mut case.system.description_mut().experiment.output_interval {
        interval.value /= Random::new(seed.wrapping_mul(31)).log((5.0, 40.0));
    }
    case
}

/// Sets the start values of an instance.
fn starts<'a>(system: System, name: &str, values: impl IntoIterator<Item = (&'a str, f64)>) -> System {
    values.into_iter().fold(system, |system, (variable, value)| system.start_value(&format!("{name}.{variable}"), value))
}

/// A damped oscillation: frequency and damping per second, start values of size 1.
fn plant(random: &mut Random, frequency: (f64, f64), damping: (f64, f64)) -> [(&'static str, f64); 8] {
    let (w, d) = (random.log(frequency), random.log(damping));
    [
        ("a0", -d),
        ("a1", w),
        ("a2", -w),
        ("a3", -d),
        ("b0", random.within(-1.0, 1.0)),
        ("b1", random.within(-1.0, 1.0)),
        ("x0", random.within(-2.0, 2.0)),
        ("x1", random.within(-2.0, 2.0)),
    ]
}

fn of(values: &[(&'static str, f64)], name: &str) -> f64 {
    values.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, value)| *value)
}

fn slope(values: &[(&'static str, f64)], x: &[f64], u: f64) -> [f64; 2] {
    let of = |name| of(values, name);
    [of("a0") * x[0] + of("a1") * x[1] + of("b0") * u, of("a2") * x[0] + of("a3") * x[1] + of("b1") * u]
}

/// An output that is a state.
fn state(name: &str, index: usize) -> (String, Value) {
    (name.to_owned(), Box::new(move |_, x| x[index]))
}

fn span(random: &mut Random) -> (f64, usize) {
    (random.within(5.0, 15.0), 20 + random.below(40))
}
