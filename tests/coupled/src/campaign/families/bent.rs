//! Systems with kinks that depend on several signals or on states.

use campaign_models::{Chart, Joint, Plant, Regulator, Servo, Vessel};
use lotka::System;

use super::{
    super::{
        random::Random,
        reference::{Equations, Rate, Switch},
    },
    Case, of, plant, slope, span, starts, state,
};
use crate::joined;

/// Mode 0 is reserved.
const OFFSET: i32 = 1_000_000;

/// Returns the side of a gap: 1 above, -1 below, otherwise 0.
fn side(difference: f64, gap: f64) -> i32 {
    i32::from(difference > gap) - i32::from(difference < -gap)
}

/// Returns equations that depend on a mode.
fn with_modes(start: Vec<f64>, derivative: Rate, mode: impl Fn(&[f64]) -> i32 + Send + Sync + 'static) -> Equations {
    let mode: Switch = Box::new(move |_, x, _| mode(x) + OFFSET);
    Equations { derivative, mode: Some(mode), ..Equations::smooth(start, |_, _| Vec::new()) }
}

fn case(system: System, (stop, rows): (f64, usize), equations: Equations, outputs: &[(&str, usize)]) -> Case {
    let outputs = outputs.iter().map(|(name, index)| state(name, *index)).collect();
    Case { system: system.stop(stop).output_interval(stop / rows as f64), equations, outputs }
}

/// Returns two oscillators joined by a spring that has a gap, or acts on one side only with the power 1.5 of its compression.
pub(super) fn joint(seed: u64, is_contact: bool) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let (a, b) = (plant(&mut random, (0.4, 2.0), (0.03, 0.2)), plant(&mut random, (0.3, 1.0), (0.05, 0.3)));
    let (stiffness, factor) = (random.within(0.3, 1.5), random.within(0.5, 1.5) * if random.below(2) == 0 { 1.0 } else { -1.0 });
    let (gap, power) = if is_contact { (0.0, 1.5) } else { (random.within(0.1, 0.6), 1.0) };
    // A contact that pushes too hard may push bodies apart without bounds.
    let strength = if is_contact { 0.3 } else { 1.0 };
    let (on_a, on_b) = (-strength * random.within(0.2, 0.8), strength * random.within(0.2, 0.8));
    let model = joined::<Plant<false>>();
    let system = System::new().instance_of("a", &model).instance_of("b", &model).instance_of("joint", &joined::<Joint>());
    let system = starts(starts(system, "a", a), "b", b);
    let system = starts(system, "joint", [("stiffness", stiffness), ("gap", gap), ("power", power)]);
    let system = system.start_value("joint.one_sided", is_contact).connect("joint.u", "a.y");
    let system = system.connect_sum("joint.v", &[("b.y", factor)]);
    let system = system.connect_sum("a.u", &[("joint.f", on_a)]).connect_sum("b.u", &[("joint.f", on_b)]);
    let derivative: Rate = Box::new(move |_, x, mode| {
        let (difference, side) = (x[0] - factor * x[2], f64::from(mode - OFFSET));
        let beyond = if side == 0.0 || is_contact && side < 0.0 { 0.0 } else { difference - side * gap };
        let force = if is_contact { stiffness * beyond.max(0.0).powf(power) } else { stiffness * beyond };
        let ([p, q], [r, s]) = (slope(&a, &x[..2], on_a * force), slope(&b, &x[2..4], on_b * force));
        vec![p, q, r, s]
    });
    let start = vec![of(&a, "x0"), of(&a, "x1"), of(&b, "x0"), of(&b, "x1")];
    let equations = with_modes(start, derivative, move |x| side(x[0] - factor * x[2], gap));
    case(system, span, equations, &[("a.y", 0), ("a.v", 1), ("b.y", 2), ("b.v", 3)])
}

/// Returns an oscillator and a servo with play that drive each other.
pub(super) fn servo(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let a = plant(&mut random, (0.3, 2.0), (0.05, 0.3));
    let (rate, gap, x0) = (random.within(0.5, 3.0), random.within(0.1, 0.5), random.within(-0.5, 0.5));
    let (forth, back) = (random.within(0.5, 1.5), random.within(0.1, 0.5));
    let system = System::new().instance_of("a", &joined::<Plant<false>>()).instance_of("servo", &joined::<Servo>());
    let system = starts(starts(system, "a", a), "servo", [("rate", rate), ("gap", gap), ("x0", x0)]);
    let system = system.connect_sum("servo.u", &[("a.y", forth)]).connect_sum("a.u", &[("servo.x", back)]);
    let derivative: Rate = Box::new(move |_, x, mode| {
        let [p, q] = slope(&a, &x[..2], back * x[2]);
        let side = f64::from(mode - OFFSET);
        vec![p, q, if side == 0.0 { 0.0 } else { rate * (forth * x[0] - x[2] - side * gap) }]
    });
    let equations = with_modes(vec![of(&a, "x0"), of(&a, "x1"), x0], derivative, move |x| side(forth * x[0] - x[2], gap));
    case(system, span, equations, &[("a.y", 0), ("a.v", 1), ("servo.x", 2)])
}

/// Returns an oscillator under a controller whose output has limits, with anti-windup.
pub(super) fn regulator(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let a = plant(&mut random, (0.3, 2.0), (0.05, 0.3));
    let (gain, rate, unwind) = (random.within(0.3, 1.0), random.within(0.1, 0.5), random.within(0.5, 3.0));
    let (limit, target, back) = (random.within(0.3, 1.0), random.within(-0.5, 0.5), random.within(0.2, 0.8));
    let system = System::new().instance_of("a", &joined::<Plant<false>>()).instance_of("control", &joined::<Regulator>());
    let system =
        starts(starts(system, "a", a), "control", [("gain", gain), ("rate", rate), ("unwind", unwind), ("limit", limit)]);
    let mut system = system.connect_sum("control.e", &[("a.y", -1.0)]).connect_sum("a.u", &[("control.y", back)]);
    if let Some(connection) = system.description_mut().connections.first_mut() {
        connection.sources[0].offset = target;
    }
    let wanted = move |x: &[f64]| gain * (target - x[0]) + x[2];
    let derivative: Rate = Box::new(move |_, x, mode| {
        let (side, w) = (f64::from(mode - OFFSET), wanted(x));
        let y = if side == 0.0 { w } else { side * limit };
        let [p, q] = slope(&a, &x[..2], back * y);
        vec![p, q, rate * (target - x[0]) + unwind * (y - w)]
    });
    let equations = with_modes(vec![of(&a, "x0"), of(&a, "x1"), 0.0], derivative, move |x| side(wanted(x), limit));
    case(system, span, equations, &[("a.y", 0), ("a.v", 1)])
}

/// Returns a lag driven by an oscillator through a table with linear interpolation, with feedback to the oscillator.
pub(super) fn chart(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let a = plant(&mut random, (0.3, 2.0), (0.05, 0.3));
    let (rate, forth, back) = (random.within(0.2, 2.0), random.within(0.3, 1.0), random.within(0.1, 0.5));
    let of_table = [random.log((0.1, 0.8)), random.within(-1.0, 1.0), random.within(0.0, 6.0)];
    let system = System::new().instance_of("a", &joined::<Plant<false>>()).instance_of("chart", &joined::<Chart>());
    let system = system.instance_of("lag", &joined::<Vessel>());
    let system = starts(starts(system, "a", a), "chart", ["spacing", "slope", "phase"].into_iter().zip(of_table));
    let system = system.start_value("lag.rate", rate).connect("chart.u", "a.y");
    let system = system.connect_sum("lag.u", &[("chart.y", forth)]).connect_sum("a.u", &[("lag.x", back)]);
    let derivative: Rate = Box::new(move |_, x, mode| {
        let [p, q] = slope(&a, &x[..2], back * x[2]);
        vec![p, q, forth * Chart::line(x[0], f64::from(mode - OFFSET), of_table) - rate * x[2]]
    });
    let mode = move |x: &[f64]| Chart::interval(x[0], of_table[0]) as i32;
    let equations = with_modes(vec![of(&a, "x0"), of(&a, "x1"), 0.0], derivative, mode);
    case(system, span, equations, &[("a.y", 0), ("a.v", 1), ("lag.x", 2)])
}
