//! Families of random systems with known solutions.

mod bent;
mod driven;
mod fast;
mod inside;
mod nonlinear;
mod smooth;
mod switched;

use campaign_models::{Plant, Ramped};
use lotka::System;

use super::{random::Random, reference::Equations};
use bent::{chart, joint, regulator, servo};
use driven::{blip, chirp, jump, kink, late, pulse, ripple, sine, square, triangle};
use fast::{Fast, Moved, fast};
use inside::{Inside, converted, friction, vessel};
use nonlinear::{species, van_der_pol};
use smooth::{Own, Variant, linear, lorenz, rippled, transient};
use switched::{HIDDEN, Place, Switch, relay, sampled};

/// A value that depends on time and state.
pub type Value = Box<dyn Fn(f64, &[f64]) -> f64 + Send + Sync>;

/// A system, and the solution it must produce.
pub struct Case {
    /// The system with stop time and row spacing, without tolerance.
    pub system: System,
    /// Its equations.
    pub equations: Equations,
    /// Outputs to check, each with its exact value as a function of time and state.
    pub outputs: Vec<(String, Value)>,
}

/// A family of systems: name, description, and a system per seed.
pub struct Family {
    /// Name in the table.
    pub name: &'static str,
    /// Short description.
    pub what: &'static str,
    /// Returns the system of a seed.
    pub case: fn(u64) -> Case,
}

/// All families.
pub const FAMILIES: &[Family] = &[
    Family { name: "linear", what: "two to four linear FMUs in a ring", case: |seed| linear(seed, Variant::default()) },
    Family {
        name: "stiff",
        what: "linear, with modes up to 1000 times as fast",
        case: |seed| linear(seed, Variant { stiff: true, ..Variant::default() }),
    },
    Family {
        name: "stale",
        what: "linear, with an output that has direct feedthrough",
        case: |seed| linear(seed, Variant { direct: true, ..Variant::default() }),
    },
    Family {
        name: "euler",
        what: "linear, with one step of Euler's method per communication step",
        case: |seed| linear(seed, Variant { euler: true, ..Variant::default() }),
    },
    Family {
        name: "unasked",
        what: "linear, integrated with tolerances from 1e-10 to 1e-3 whatever is requested",
        case: |seed| linear(seed, Variant { own: Own::Unasked, ..Variant::default() }),
    },
    Family {
        name: "loose",
        what: "linear, integrated with 1 to 30 times the requested tolerance",
        case: |seed| linear(seed, Variant { own: Own::Loosely, ..Variant::default() }),
    },
    Family {
        name: "noise",
        what: "linear, with noise of 1e-13 to 1e-9 on the outputs",
        case: |seed| linear(seed, Variant { noise: true, ..Variant::default() }),
    },
    Family {
        name: "offset",
        what: "linear, with offsets of 1e3 to 1e6 on the outputs",
        case: |seed| linear(seed, Variant { offset: true, ..Variant::default() }),
    },
    Family {
        name: "scales",
        what: "linear, on time scales from 1e-9 s to 1e9 s",
        case: |seed| linear(seed, Variant { scaled: true, ..Variant::default() }),
    },
    Family { name: "transient", what: "fast transients at the start", case: transient },
    Family {
        name: "fast-start",
        what: "a loop with a lag that is over within any step, and that begins out of balance",
        case: |seed| fast::<Plant<false>>(seed, Fast::Lag, Moved::AtStart),
    },
    Family {
        name: "fast-jump",
        what: "fast-start, in balance until a source jumps",
        case: |seed| fast::<Plant<false>>(seed, Fast::Lag, Moved::BySource),
    },
    Family {
        name: "fast-slaved",
        what: "fast-start, always near its balance",
        case: |seed| fast::<Plant<false>>(seed, Fast::Lag, Moved::BySlow),
    },
    Family {
        name: "fast-pulse",
        what: "fast-start, with a pulse whose area does not depend on how fast it is",
        case: |seed| fast::<Plant<false>>(seed, Fast::Velocity, Moved::AtStart),
    },
    Family {
        name: "fast-pulse-jump",
        what: "fast-pulse, when a source jumps",
        case: |seed| fast::<Plant<false>>(seed, Fast::Velocity, Moved::BySource),
    },
    Family {
        name: "ramped-start",
        what: "fast-start, with FMUs that interpolate their inputs",
        case: |seed| fast::<Ramped>(seed, Fast::Lag, Moved::AtStart),
    },
    Family {
        name: "ramped-jump",
        what: "fast-jump, with FMUs that interpolate their inputs",
        case: |seed| fast::<Ramped>(seed, Fast::Lag, Moved::BySource),
    },
    Family {
        name: "ramped-slaved",
        what: "fast-slaved, with FMUs that interpolate their inputs",
        case: |seed| fast::<Ramped>(seed, Fast::Lag, Moved::BySlow),
    },
    Family {
        name: "ramped-pulse",
        what: "fast-pulse, with FMUs that interpolate their inputs",
        case: |seed| fast::<Ramped>(seed, Fast::Velocity, Moved::AtStart),
    },
    Family {
        name: "rippled",
        what: "a ring of FMUs, one of which adds a ripple with up to 480 periods in each row",
        case: rippled,
    },
    Family {
        name: "relay-open",
        what: "an undeclared switch that an oscillator drives",
        case: |seed| relay(seed, Switch { place: Place::Driven, ..HIDDEN }),
    },
    Family {
        name: "relay-pair",
        what: "relay-open, with two oscillators that drive each other",
        case: |seed| relay(seed, Switch { place: Place::Behind, ..HIDDEN }),
    },
    Family {
        name: "relay-loop",
        what: "relay-pair, with a switch that drives the oscillators",
        case: |seed| relay(seed, HIDDEN),
    },
    Family {
        name: "relay-open-event",
        what: "relay-open, with the event declared",
        case: |seed| relay(seed, Switch { place: Place::Driven, is_declared: true, ..HIDDEN }),
    },
    Family {
        name: "relay-pair-event",
        what: "relay-pair, with the event declared",
        case: |seed| relay(seed, Switch { place: Place::Behind, is_declared: true, ..HIDDEN }),
    },
    Family {
        name: "relay-loop-event",
        what: "relay-loop, with the event declared",
        case: |seed| relay(seed, Switch { is_declared: true, ..HIDDEN }),
    },
    Family {
        name: "hysteresis",
        what: "relay-loop, with two switching levels",
        case: |seed| relay(seed, Switch { has_band: true, ..HIDDEN }),
    },
    Family {
        name: "drift",
        what: "relay-loop, with a switching level that drifts",
        case: |seed| relay(seed, Switch { drifts: true, ..HIDDEN }),
    },
    Family {
        name: "thermostat",
        what: "hysteresis, with no lag between the switch and the oscillators",
        case: |seed| relay(seed, Switch { has_band: true, jumps: true, ..HIDDEN }),
    },
    Family { name: "sampled", what: "a sampled controller whose sample times are declared", case: |seed| sampled(seed, true) },
    Family { name: "sampled-hidden", what: "sampled, with nothing declared", case: |seed| sampled(seed, false) },
    Family { name: "jump", what: "an FMU without inputs whose output jumps by 1e-4 to 10, with offsets up to 1e5", case: jump },
    Family { name: "kink", what: "jump, with a kink instead of a jump", case: kink },
    Family {
        name: "ripple",
        what: "ripple of 5 to 80 Hz on a constant, with output intervals from 0.1 s to 1.2 s",
        case: ripple,
    },
    Family { name: "sine", what: "a sine whose zeros coincide with rows", case: sine },
    Family { name: "pulse", what: "a pulse with a width of 0.02 to 3 output intervals", case: pulse },
    Family { name: "lorenz", what: "the Lorenz system split into three FMUs, for 1 s to 4 s", case: lorenz },
    Family { name: "late", what: "signals that stay constant until late in the run", case: late },
    Family {
        name: "blip",
        what: "an FMU without inputs with a smooth pulse that is 1e-4 to 0.03 of the time long, beside a loop",
        case: blip,
    },
    Family { name: "square", what: "an FMU without inputs whose output jumps up and down, 2 to 150 times", case: square },
    Family { name: "triangle", what: "square, with kinks instead of jumps", case: triangle },
    Family {
        name: "chirp",
        what: "an FMU without inputs whose output rises in frequency, by a factor of up to 400",
        case: chirp,
    },
    Family { name: "species", what: "three or four species in a ring", case: species },
    Family { name: "van-der-pol", what: "the van der Pol oscillator split into two FMUs", case: van_der_pol },
    Family {
        name: "state-switch",
        what: "a loop with an FMU that switches at two levels of its own state",
        case: |seed| vessel(seed, Inside::Opens, false),
    },
    Family {
        name: "fires",
        what: "state-switch, with a state that is reset when it reaches a level",
        case: |seed| vessel(seed, Inside::Fires, false),
    },
    Family {
        name: "clock",
        what: "state-switch, with a switch at a fixed time",
        case: |seed| vessel(seed, Inside::Clock, false),
    },
    Family {
        name: "state-switch-exact",
        what: "state-switch, with switches within steps",
        case: |seed| vessel(seed, Inside::Opens, true),
    },
    Family { name: "fires-exact", what: "fires, with restarts within steps", case: |seed| vessel(seed, Inside::Fires, true) },
    Family { name: "clock-exact", what: "clock, with switches within steps", case: |seed| vessel(seed, Inside::Clock, true) },
    Family {
        name: "limits",
        what: "a loop with an FMU whose input has limits and a dead zone",
        case: |seed| vessel(seed, Inside::Limits, true),
    },
    Family { name: "friction", what: "a loop with a mass that has dry friction", case: friction },
    Family { name: "converter", what: "a loop with an FMU that quantizes a signal", case: converted },
    Family { name: "backlash", what: "two oscillators joined by a spring with a gap", case: |seed| joint(seed, false) },
    Family {
        name: "contact",
        what: "backlash, with a contact whose force has the power 1.5 of the compression",
        case: |seed| joint(seed, true),
    },
    Family { name: "servo", what: "a loop with a servo that has play", case: servo },
    Family { name: "windup", what: "a loop with a controller that has limits and anti-windup", case: regulator },
    Family { name: "chart", what: "a loop with a table that is linear between its points", case: chart },
    Family { name: "linear-dense", what: "linear, with rows 5 to 40 times as dense", case: |seed| dense("linear", seed) },
    Family { name: "stiff-dense", what: "stiff, with rows 5 to 40 times as dense", case: |seed| dense("stiff", seed) },
    Family { name: "stale-dense", what: "stale, with rows 5 to 40 times as dense", case: |seed| dense("stale", seed) },
    Family { name: "euler-dense", what: "euler, with rows 5 to 40 times as dense", case: |seed| dense("euler", seed) },
    Family { name: "noise-dense", what: "noise, with rows 5 to 40 times as dense", case: |seed| dense("noise", seed) },
    Family { name: "offset-dense", what: "offset, with rows 5 to 40 times as dense", case: |seed| dense("offset", seed) },
    Family {
        name: "transient-dense",
        what: "transient, with rows 5 to 40 times as dense",
        case: |seed| dense("transient", seed),
    },
    Family {
        name: "relay-open-dense",
        what: "relay-open, with rows 5 to 40 times as dense",
        case: |seed| dense("relay-open", seed),
    },
    Family { name: "jump-dense", what: "jump, with rows 5 to 40 times as dense", case: |seed| dense("jump", seed) },
    Family { name: "kink-dense", what: "kink, with rows 5 to 40 times as dense", case: |seed| dense("kink", seed) },
    Family { name: "sine-dense", what: "sine, with rows 5 to 40 times as dense", case: |seed| dense("sine", seed) },
    Family { name: "lorenz-dense", what: "lorenz, with rows 5 to 40 times as dense", case: |seed| dense("lorenz", seed) },
    Family { name: "blip-dense", what: "blip, with rows 5 to 40 times as dense", case: |seed| dense("blip", seed) },
    Family { name: "late-dense", what: "late, with rows 5 to 40 times as dense", case: |seed| dense("late", seed) },
];

/// Returns a system of another family, with more rows.
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

/// Returns start values of a damped oscillation: frequency and damping per second, initial states of size 1.
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

/// Returns the rates of the states, from start values in the order of [`plant`]: to find them by name takes longer than the rest.
fn slope(values: &[(&'static str, f64)], x: &[f64], u: f64) -> [f64; 2] {
    let [(_, a0), (_, a1), (_, a2), (_, a3), (_, b0), (_, b1), ..] = *values else { unreachable!("{values:?}") };
    [a0 * x[0] + a1 * x[1] + b0 * u, a2 * x[0] + a3 * x[1] + b1 * u]
}

/// Returns an output that is a state.
fn state(name: &str, index: usize) -> (String, Value) {
    (name.to_owned(), Box::new(move |_, x| x[index]))
}

fn span(random: &mut Random) -> (f64, usize) {
    (random.within(5.0, 15.0), 20 + random.below(40))
}
