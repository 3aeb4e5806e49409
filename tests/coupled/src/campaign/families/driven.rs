//! Signals from an FMU without inputs that drive another FMU.

use campaign_models::{Plant, Shape, Signal};
use lotka::System;

use super::{
    super::{random::Random, reference::Equations},
    Case, of, plant, slope, span, starts, state,
};
use crate::joined;

/// Returns a system in which a signal drives a plant.
fn driven(random: &mut Random, shape: Shape, p: [f64; 4], (stop, rows): (f64, usize), knots: Vec<f64>) -> Case {
    let values = plant(random, (0.2, 2.0), (0.1, 1.0));
    let system = System::new().instance_of("signal", &joined::<Signal>()).instance_of("plant", &joined::<Plant<false>>());
    let names = ["p0", "p1", "p2", "p3"].into_iter().zip(p);
    let system = starts(starts(system, "plant", values), "signal", names.chain([("shape", shape.number())]));
    let equations = Equations {
        start: vec![of(&values, "x0"), of(&values, "x1")],
        derivative: Box::new(move |t, x, _| {
            // Just before a knot, the signal still has its earlier value.
            slope(&values, x, shape.value(t, p)).to_vec()
        }),
        flow: None,
        mode: None,
        knots,
        jump: None,
    };
    let system = system.connect("plant.u", "signal.y").stop(stop).output_interval(stop / rows as f64);
    Case { system, equations, outputs: vec![state("plant.y", 0), state("plant.v", 1)] }
}

pub(super) fn jump(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let time = random.within(0.05, 0.95) * span.0;
    let (height, offset) = (random.log((1e-4, 10.0)), if random.below(2) == 0 { 0.0 } else { random.log((1.0, 1e5)) });
    stepwise(&mut random, Shape::Jump, [time, offset, height, 0.0], span, vec![time])
}

pub(super) fn kink(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let time = random.within(0.05, 0.95) * span.0;
    let p = [time, random.within(-1.0, 1.0), random.within(-1.0, 1.0), 0.0];
    driven(&mut random, Shape::Kink, p, span, vec![time])
}

/// Same as [`driven`], for signals that jump: just before a jump the signal has its earlier value.
fn stepwise(random: &mut Random, shape: Shape, p: [f64; 4], span: (f64, usize), knots: Vec<f64>) -> Case {
    let mut case = driven(random, shape, p, span, knots.clone());
    let inner = std::mem::replace(&mut case.equations.derivative, Box::new(|_, _, _| Vec::new()));
    // The number of knots passed is a state. Between two knots the signal is smooth, ends included.
    case.equations.start.push(0.0);
    let count = case.equations.start.len() - 1;
    case.equations.derivative = Box::new(move |t, x, mode| {
        let passed = x[count] as usize;
        let (low, high) = (passed.checked_sub(1).map(|last| knots[last]), knots.get(passed));
        let inside = high.map_or(t, |high| t.min(high - 1e-12 * high.abs()));
        let inside = low.map_or(inside, |low| inside.max(low + 1e-12 * low.abs()));
        let mut slopes = inner(inside, &x[..count], mode);
        slopes.push(0.0);
        slopes
    });
    case.equations.jump = Some(Box::new(move |_, x| x[count] += 1.0));
    case
}

pub(super) fn ripple(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let (frequency, row) = match seed % 4 {
        0 => (60.0, [1.0, 0.5, 0.2, 0.1][(seed / 4 % 4) as usize]),
        1 => (50.0, [1.2, 0.12][(seed / 4 % 2) as usize]),
        _ => (random.within(5.0, 80.0), random.log((0.1, 1.2))),
    };
    let p = [1.0, random.within(0.1, 1.0), frequency, random.within(0.0, 6.3)];
    driven(&mut random, Shape::Sine, p, (20.0 * row, 20), Vec::new())
}

pub(super) fn sine(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let row = random.within(0.2, 2.0);
    let p = [0.0, 1.0, 0.5 * (1 + random.below(2)) as f64 / row, 0.0];
    driven(&mut random, Shape::Sine, p, (30.0 * row, 30), Vec::new())
}

pub(super) fn pulse(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let row = span.0 / span.1 as f64;
    let width = row * random.log((0.02, 3.0));
    let begin = random.within(0.05, 0.85) * span.0;
    let p = [begin, begin + width, random.within(0.3, 3.0), random.within(0.0, 1.0)];
    stepwise(&mut random, Shape::Pulse, p, span, vec![begin, begin + width])
}

pub(super) fn late(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let p = [random.within(0.6, 0.9) * span.0, random.within(0.03, 0.1) * span.0, random.within(0.5, 2.0), 0.0];
    let mut case = driven(&mut random, Shape::Bump, p, span, Vec::new());
    case.system = case.system.start_value("plant.x0", 0.0).start_value("plant.x1", 0.0);
    case.equations.start = vec![0.0, 0.0];
    case
}

pub(super) fn blip(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let p = [random.within(0.1, 0.9) * span.0, random.log((1e-4, 0.03)) * span.0, random.within(0.5, 2.0), 0.0];
    let mut case = driven(&mut random, Shape::Bump, p, span, Vec::new());
    let pair = [plant(&mut random, (0.5, 4.0), (0.05, 0.5)), plant(&mut random, (0.5, 4.0), (0.05, 0.5))];
    let system = pair
        .iter()
        .zip(["a", "b"])
        .fold(case.system, |system, (values, name)| starts(system.instance_of(name, &joined::<Plant<false>>()), name, *values));
    case.system = system.connect("a.u", "b.y").connect("b.u", "a.y");
    case.equations.start.extend(pair.iter().flat_map(|values| [of(values, "x0"), of(values, "x1")]));
    let inner = std::mem::replace(&mut case.equations.derivative, Box::new(|_, _, _| Vec::new()));
    case.equations.derivative = Box::new(move |t, x, mode| {
        let mut slopes = inner(t, &x[..2], mode);
        slopes.extend(slope(&pair[0], &x[2..4], x[4]));
        slopes.extend(slope(&pair[1], &x[4..6], x[2]));
        slopes
    });
    case.outputs.extend([state("a.y", 2), state("b.y", 4)]);
    case
}

pub(super) fn square(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let (period, share) = (random.log((0.2, 3.0)), random.within(0.1, 0.9));
    let p = [period, share, random.within(-2.0, 2.0), random.within(-1.0, 1.0)];
    let edges = (0..).flat_map(|count| [period * f64::from(count), period * (f64::from(count) + share)]).skip(1);
    stepwise(&mut random, Shape::Square, p, span, edges.take_while(|edge| *edge < span.0).collect())
}

pub(super) fn triangle(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let period = random.log((0.2, 3.0));
    let kinks = (1..).map(|count| 0.5 * period * f64::from(count)).take_while(|kink| *kink < span.0).collect();
    let height = random.within(0.2, 2.0);
    driven(&mut random, Shape::Triangle, [period, height, 0.0, 0.0], span, kinks)
}

pub(super) fn chirp(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let (slow, fast) = (random.within(0.05, 0.5), random.log((0.5, 20.0)));
    let p = [random.within(0.2, 2.0), slow, (fast - slow) / span.0, 0.0];
    driven(&mut random, Shape::Chirp, p, span, Vec::new())
}
