//! Systems with events inside an FMU, triggered by its own state or by time.

use campaign_models::{Converter, Plant, Slider, Vessel};
use lotka::System;

use super::{
    super::{random::Random, reference::Equations},
    Case, of, plant, slope, span, starts, state,
};
use crate::joined;

/// The mode in which a converter outputs 0; an offset, because mode 0 is reserved.
const MIDDLE: i32 = 1_000_000;

/// The event inside the FMU.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Inside {
    /// The vessel opens and closes at levels of its own state.
    Opens,
    /// The vessel resets at a level of its own state.
    Fires,
    /// The flow changes at a time.
    Clock,
    /// The input has limits and a dead zone.
    Limits,
}

/// Returns an oscillator and a vessel that drive each other.
pub(super) fn vessel(seed: u64, what: Inside, is_exact: bool) -> Case {
    let mut random = Random::new(seed);
    let (stop, rows) = span(&mut random);
    let a = plant(&mut random, (0.3, 2.0), (0.05, 0.3));
    let (rate, forth, back) = (random.within(0.2, 2.0), random.within(0.3, 1.0), random.within(0.1, 0.5));
    let (mut high, mut low, mut outflow, mut shift) = (1e9, -1e9, 0.0, 0.0);
    let (mut time, mut later, mut dead, mut limit) = (1e9, 0.0, 0.0, 1e9);
    let mut x0 = random.within(-0.5, 0.5);
    match what {
        Inside::Opens => {
            (high, low) = (random.within(0.1, 0.5), random.within(-0.5, -0.1));
            outflow = -random.within(0.5, 2.0);
            shift = random.within(0.2, 1.0);
        }
        Inside::Fires => {
            (high, low) = (1.0, 0.0);
            // The input keeps driving the state up.
            shift = rate + random.within(1.0, 2.0);
            x0 = random.within(0.0, 0.9);
        }
        Inside::Clock => (time, later) = (random.within(0.05, 0.95) * stop, random.within(-2.0, 2.0)),
        Inside::Limits => (dead, limit) = (random.within(0.0, 0.3), random.within(0.2, 1.0)),
    }
    let system = System::new().instance_of("a", &joined::<Plant<false>>()).instance_of("vessel", &joined::<Vessel>());
    let names = ["rate", "dead", "limit", "high", "low", "outflow", "time", "later", "x0"];
    let values = [rate, dead, limit, high, low, outflow, time, later, x0];
    let system = starts(starts(system, "a", a), "vessel", names.into_iter().zip(values));
    let system = system.start_value("vessel.resets", what == Inside::Fires).start_value("vessel.exact", is_exact);
    let mut system = system.connect_sum("vessel.u", &[("a.y", forth)]).connect_sum("a.u", &[("vessel.x", back)]);
    if let Some(connection) = system.description_mut().connections.first_mut() {
        connection.sources[0].offset = shift;
    }
    // Modes: before or after the time; the range of the input; the number of resets plus one; closed or open.
    let wraps = move |mode: i32| if what == Inside::Fires { f64::from(mode - 1) * (high - low) } else { 0.0 };
    let input = move |x: &[f64]| shift + forth * x[0];
    let equations = Equations {
        start: vec![of(&a, "x0"), of(&a, "x1"), x0],
        derivative: Box::new(move |_, x, mode| {
            let inside = x[2] - wraps(mode);
            let [p, q] = slope(&a, &x[..2], back * inside);
            let flow = match what {
                Inside::Opens if mode == 2 => outflow,
                Inside::Clock if mode == 2 => later,
                _ => 0.0,
            };
            vec![p, q, Vessel::effect(input(x), dead, limit) + flow - rate * inside]
        }),
        flow: None,
        mode: Some(Box::new(move |t, x, mode| {
            let mode = mode.max(1);
            match what {
                Inside::Fires => mode + i32::from(x[2] - wraps(mode) >= high),
                Inside::Clock => 1 + i32::from(t >= time),
                Inside::Limits => {
                    1 + [-dead - limit, -dead, dead, dead + limit].iter().filter(|bound| input(x) > **bound).count() as i32
                }
                Inside::Opens if x[2] >= high => 2,
                Inside::Opens if x[2] <= low => 1,
                Inside::Opens => mode,
            }
        })),
        knots: Vec::new(),
        jump: None,
    };
    let mut outputs = vec![state("a.y", 0), state("a.v", 1)];
    if what != Inside::Fires {
        outputs.push(state("vessel.x", 2));
    }
    Case { system: system.stop(stop).output_interval(stop / rows as f64), equations, outputs }
}

/// Returns a mass with dry friction, coupled both ways to an oscillator by a spring.
pub(super) fn friction(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let (stop, rows) = span(&mut random);
    let a = plant(&mut random, (0.3, 2.0), (0.02, 0.1));
    let (drag, friction) = (random.within(0.1, 1.0), random.within(0.1, 0.6));
    let (forth, back) = (random.within(0.5, 2.0), random.within(0.1, 0.4));
    let v0 = random.within(-1.0, 1.0);
    let system = System::new().instance_of("a", &joined::<Plant<false>>()).instance_of("slider", &joined::<Slider>());
    let system = starts(starts(system, "a", a), "slider", [("drag", drag), ("friction", friction), ("v0", v0)]);
    let system = system.connect_sum("slider.u", &[("a.y", forth)]).connect_sum("a.u", &[("slider.v", back)]);
    let equations = Equations {
        start: vec![of(&a, "x0"), of(&a, "x1"), 0.0, v0],
        derivative: Box::new(move |_, x, mode| {
            let [p, q] = slope(&a, &x[..2], back * x[3]);
            let force = forth * x[0] - drag * x[3] - friction * f64::from(mode);
            vec![p, q, if mode == 2 { 0.0 } else { x[3] }, if mode == 2 { 0.0 } else { force }]
        }),
        // Mode 2: the mass sticks.
        flow: None,
        mode: Some(Box::new(move |_, x, mode| {
            let u = forth * x[0];
            let way = match mode {
                0 => Slider::way(x[3], u, friction),
                2 => Slider::way(0.0, u, friction),
                way if x[3] * f64::from(way) > 0.0 => way,
                _ => Slider::way(0.0, u, friction),
            };
            if way == 0 { 2 } else { way }
        })),
        knots: Vec::new(),
        jump: None,
    };
    let outputs = vec![state("a.y", 0), state("slider.x", 2), state("slider.v", 3)];
    Case { system: system.stop(stop).output_interval(stop / rows as f64), equations, outputs }
}

/// Returns a lag driven by an oscillator through a converter, with feedback to the oscillator.
pub(super) fn converted(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let (stop, rows) = span(&mut random);
    let a = plant(&mut random, (0.3, 2.0), (0.05, 0.3));
    let (rate, forth, back) = (random.within(0.2, 2.0), random.within(0.3, 1.0), random.within(0.1, 0.5));
    let quantum = random.log((0.02, 0.5));
    let system = System::new().instance_of("a", &joined::<Plant<false>>()).instance_of("converter", &joined::<Converter>());
    let system = system.instance_of("lag", &joined::<Vessel>());
    let system = starts(starts(system, "a", a), "converter", [("quantum", quantum)]).start_value("lag.rate", rate);
    let system = system.connect("converter.u", "a.y");
    let system = system.connect_sum("lag.u", &[("converter.y", forth)]).connect_sum("a.u", &[("lag.x", back)]);
    let equations = Equations {
        start: vec![of(&a, "x0"), of(&a, "x1"), 0.0],
        derivative: Box::new(move |_, x, mode| {
            let [p, q] = slope(&a, &x[..2], back * x[2]);
            vec![p, q, forth * quantum * f64::from(mode - MIDDLE) - rate * x[2]]
        }),
        flow: None,
        mode: Some(Box::new(move |_, x, _| Converter::level(x[0], quantum) as i32 + MIDDLE)),
        knots: Vec::new(),
        jump: None,
    };
    let outputs = vec![state("a.y", 0), state("a.v", 1), state("lag.x", 2)];
    Case { system: system.stop(stop).output_interval(stop / rows as f64), equations, outputs }
}
