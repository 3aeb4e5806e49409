//! Systems in which an FMU switches.

use campaign_models::{Plant, Relay, Sampler};
use lotka::{Direction, System};

use super::{
    super::{random::Random, reference::Equations},
    Case, of, plant, slope, span, starts, state,
};
use crate::joined;

/// Position of a switch.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// Driven by an undriven oscillator.
    Driven,
    /// Driven by one of two coupled oscillators.
    Behind,
    /// In a loop with the oscillators.
    Loop,
}

/// Properties of a switch.
#[derive(Clone, Copy)]
pub(super) struct Switch {
    pub(super) place: Place,
    /// The system declares its events.
    pub(super) is_declared: bool,
    /// It switches back at another level (hysteresis).
    pub(super) has_band: bool,
    /// Its level moves.
    pub(super) drifts: bool,
    /// The switched quantity acts directly, not through a lag.
    pub(super) jumps: bool,
}

/// In a loop, with one level that is not declared.
pub(super) const HIDDEN: Switch = Switch { place: Place::Loop, is_declared: false, has_band: false, drifts: false, jumps: false };

/// Returns two oscillators. One drives the other and switches a lag; the lag drives the second one, or the first one in a loop.
pub(super) fn relay(seed: u64, switch: Switch) -> Case {
    let mut random = Random::new(seed);
    let (a, b) = (plant(&mut random, (0.5, 2.0), (0.02, 0.1)), plant(&mut random, (0.2, 1.0), (0.1, 0.5)));
    let (level, rate, force) = (random.within(-0.3, 0.3), random.within(0.3, 2.0), random.within(0.2, 1.0));
    let (stop, rows) = (random.within(8.0, 16.0), 20 + random.below(40));
    let band = if switch.has_band { random.within(0.05, 0.3) } else { 0.0 };
    let drift = if switch.drifts { random.within(-0.03, 0.03) } else { 0.0 };
    let model = joined::<Plant<false>>();
    let relay = if switch.jumps { joined::<Relay<true>>() } else { joined::<Relay<false>>() };
    let system = System::new().instance_of("a", &model).instance_of("b", &model).instance_of("relay", &relay);
    let system = starts(starts(system, "a", a), "b", b);
    // The state before the first step.
    let is_on = of(&a, "x0") >= level;
    let y0 = if is_on { force } else { -force };
    let settings =
        [("level", level), ("band", band), ("drift", drift), ("rate", rate), ("force", force), ("x0", 0.5), ("y0", y0)];
    let system = starts(system, "relay", settings);
    let (back, pair, forth) = match switch.place {
        Place::Driven => (0.0, 0.0, 0.4),
        Place::Behind => (0.0, 0.3, 0.0),
        Place::Loop => (0.3, 0.3, 0.0),
    };
    let acting = if switch.jumps { "relay.y" } else { "relay.x" };
    let system = system.connect("relay.u", "a.y");
    let system = if switch.is_declared { system.event("a.y", level, Direction::Both) } else { system };
    let system = match switch.place {
        Place::Driven => system.connect_sum("b.u", &[("a.y", 0.5), (acting, forth)]),
        Place::Behind => system.connect_sum("b.u", &[("a.y", 0.5)]).connect_sum("a.u", &[("b.y", pair)]),
        Place::Loop => system.connect_sum("b.u", &[("a.y", 0.5)]).connect_sum("a.u", &[("b.y", pair), (acting, back)]),
    };
    let start = vec![of(&a, "x0"), of(&a, "x1"), of(&b, "x0"), of(&b, "x1"), 0.5];
    let equations = Equations {
        start,
        derivative: Box::new(move |_, x, mode| {
            let y = force * f64::from(mode);
            let acting = if switch.jumps { y } else { x[4] };
            let (p, q) = (slope(&a, &x[..2], pair * x[2] + back * acting), slope(&b, &x[2..4], 0.5 * x[0] + forth * acting));
            vec![p[0], p[1], q[0], q[1], -rate * x[4] + y]
        }),
        flow: None,
        mode: Some(Box::new(move |t, x, mode| {
            let was_on = if mode == 0 { is_on } else { mode > 0 };
            if Relay::<true>::is_on(was_on, x[0], level + drift * t, band) { 1 } else { -1 }
        })),
        knots: Vec::new(),
        jump: None,
    };
    let outputs = vec![state("a.y", 0), state("b.y", 2), state("relay.x", 4)];
    Case { system: system.stop(stop).output_interval(stop / rows as f64), equations, outputs }
}

/// Returns a plant with a sampling controller.
pub(super) fn sampled(seed: u64, is_declared: bool) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let values = plant(&mut random, (0.2, 2.0), (0.1, 1.0));
    let (gain, period) = (random.within(0.2, 1.0), random.log((0.1, 1.0)));
    let (offset, at_end) = (random.within(0.0, 1.0) * period, random.below(2) == 0);
    let system = System::new().instance_of("plant", &joined::<Plant<false>>()).instance_of("control", &joined::<Sampler>());
    let system = starts(system, "plant", values);
    let system = starts(system, "control", [("gain", gain), ("period", period), ("offset", offset)]);
    let mut system = system.start_value("control.at_end", at_end).connect("plant.u", "control.y").connect("control.u", "plant.y");
    if is_declared {
        system = system.event_every("control", period, offset);
    }
    let knots = (0..).map(|count| offset + f64::from(count) * period).take_while(|time| *time < span.0).collect();
    let equations = Equations {
        start: vec![of(&values, "x0"), of(&values, "x1"), 0.0],
        derivative: Box::new(move |_, x, _| {
            let [a, b] = slope(&values, &x[..2], x[2]);
            vec![a, b, 0.0]
        }),
        flow: None,
        mode: None,
        knots,
        jump: Some(Box::new(move |_, x| x[2] = -gain * x[0])),
    };
    let system = system.stop(span.0).output_interval(span.0 / span.1 as f64);
    Case { system, equations, outputs: vec![state("plant.y", 0), state("plant.v", 1)] }
}
