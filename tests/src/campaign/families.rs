//! Families of random systems with known solutions.

use lotka::{Direction, System};

use super::{
    models::{Lorenz, Plant, Relay, Sampler, Shape, Signal},
    random::Random,
    reference::Equations,
};
use crate::joined;

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

#[derive(Default, Clone, Copy)]
struct Variant {
    stiff: bool,
    direct: bool,
    euler: bool,
    noise: bool,
    offset: bool,
    scaled: bool,
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

fn linear(seed: u64, variant: Variant) -> Case {
    let mut random = Random::new(seed);
    let count = 2 + random.below(3);
    let time = if variant.scaled { random.log((1e-9, 1e9)) } else { 1.0 };
    let mut plants = Vec::new();
    let (direct, offset, factor) = (random.within(0.1, 0.4), random.log((1e3, 1e6)), random.within(0.3, 1.0));
    for number in 0..count {
        let fast = if variant.stiff && number == 0 { random.log((30.0, 1000.0)) } else { 1.0 };
        let mut values = plant(&mut random, (0.2, 3.0), (0.1, 1.0))
            .map(|(name, value)| (name, if name.starts_with('x') { value } else { value * fast / time }))
            .to_vec();
        if variant.offset {
            values.extend([("offset", offset), ("shift", factor * offset)]);
        }
        if variant.noise {
            values.push(("noise", random.log((1e-13, 1e-9))));
        }
        plants.push(values);
    }
    let (direct_plant, other) = (joined::<Plant<true>>(), joined::<Plant<false>>());
    let is_direct = move |number: usize| variant.direct && number == 0;
    let mut system = System::new();
    for (number, values) in plants.iter().enumerate() {
        let name = format!("p{number}");
        system = system.instance_of(&name, if is_direct(number) { &direct_plant } else { &other });
        system = starts(system, &name, values.iter().copied());
        if is_direct(number) {
            system = system.start_value("p0.d", direct);
        }
        if variant.euler {
            system = system.start_value(&format!("{name}.euler"), true);
        }
    }
    for number in 0..count {
        let from = (number + count - 1) % count;
        system = system.connect_sum(&format!("p{number}.u"), &[(&format!("p{from}.y"), factor)]);
    }
    let rows = 20 + random.below(40);
    let stop = random.within(5.0, 15.0) * time;
    let start: Vec<f64> = plants.iter().flat_map(|values| [of(values, "x0"), of(values, "x1")]).collect();
    let d = if variant.direct { direct } else { 0.0 };
    // y of the first one needs its own input, which is that of the last one.
    let input = move |x: &[f64], number: usize| {
        let first = |x: &[f64]| x[0] + d * factor * x[2 * (count - 1)];
        let y = |from: usize| if from == 0 { first(x) } else { x[2 * from] };
        factor * y((number + count - 1) % count)
    };
    let outputs = (0..count).map(|number| {
        let shift = of(&plants[number], "offset");
        let y = move |_: f64, x: &[f64]| shift + if number == 0 { x[0] + d * input(x, 0) } else { x[2 * number] };
        (format!("p{number}.y"), Box::new(y) as Value)
    });
    let outputs = outputs.collect();
    let equations = Equations::smooth(start, move |_, x| {
        (0..count).flat_map(|number| slope(&plants[number], &x[2 * number..2 * number + 2], input(x, number))).collect()
    });
    Case { system: system.stop(stop).output_interval(stop / rows as f64), equations, outputs }
}

/// An output that is a state.
fn state(name: &str, index: usize) -> (String, Value) {
    (name.to_owned(), Box::new(move |_, x| x[index]))
}

/// A coupled pair, one part of which decays fast.
fn transient(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let row = random.within(0.1, 1.0);
    let rate = random.log((10.0, 1000.0)) / row;
    let slow = plant(&mut random, (0.2, 1.0), (0.1, 0.5));
    let gain = random.within(0.2, 0.8);
    let fast = [("a0", -rate), ("a3", -1.0), ("b0", gain * rate), ("x0", random.within(-2.0, 2.0))];
    let model = joined::<Plant<false>>();
    let system = System::new().instance_of("slow", &model).instance_of("fast", &model);
    let system = starts(starts(system, "slow", slow), "fast", fast).connect("slow.u", "fast.y").connect("fast.u", "slow.y");
    let equations = Equations::smooth(vec![of(&slow, "x0"), of(&slow, "x1"), of(&fast, "x0")], move |_, x| {
        let [a, b] = slope(&slow, &x[..2], x[2]);
        vec![a, b, -rate * x[2] + gain * rate * x[0]]
    });
    let outputs = vec![state("slow.y", 0), state("slow.v", 1), state("fast.y", 2)];
    Case { system: system.stop(20.0 * row).output_interval(row), equations, outputs }
}

/// Where a switch is.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Behind an oscillator that nothing drives.
    Driven,
    /// Behind two that drive each other.
    Behind,
    /// In a loop with them.
    Loop,
}

/// What a switch is like.
#[derive(Clone, Copy)]
struct Switch {
    place: Place,
    /// When it acts is declared.
    is_declared: bool,
    /// It switches at another level on the way back.
    has_band: bool,
    /// Its level moves.
    drifts: bool,
    /// What it switches acts at once, and not through a lag.
    jumps: bool,
}

/// In a loop, at one level that nobody declares.
const HIDDEN: Switch = Switch { place: Place::Loop, is_declared: false, has_band: false, drifts: false, jumps: false };

/// Two oscillators, one of which drives the other and switches a lag; the lag drives the second, or the first one in a loop.
fn relay(seed: u64, switch: Switch) -> Case {
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
    // What it is before the first step.
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

/// A plant under a controller that samples.
fn sampled(seed: u64, is_declared: bool) -> Case {
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
        mode: None,
        knots,
        jump: Some(Box::new(move |_, x| x[2] = -gain * x[0])),
    };
    let system = system.stop(span.0).output_interval(span.0 / span.1 as f64);
    Case { system, equations, outputs: vec![state("plant.y", 0), state("plant.v", 1)] }
}

/// A signal that drives a plant.
fn driven(random: &mut Random, shape: Shape, p: [f64; 4], (stop, rows): (f64, usize), knots: Vec<f64>) -> Case {
    let values = plant(random, (0.2, 2.0), (0.1, 1.0));
    let system = System::new().instance_of("signal", &joined::<Signal>()).instance_of("plant", &joined::<Plant<false>>());
    let names = ["p0", "p1", "p2", "p3"].into_iter().zip(p);
    let system = starts(starts(system, "plant", values), "signal", names.chain([("shape", shape.number())]));
    let equations = Equations {
        start: vec![of(&values, "x0"), of(&values, "x1")],
        derivative: Box::new(move |t, x, _| {
            // Right before a knot it is what it was.
            slope(&values, x, shape.value(t, p)).to_vec()
        }),
        mode: None,
        knots,
        jump: None,
    };
    let system = system.connect("plant.u", "signal.y").stop(stop).output_interval(stop / rows as f64);
    Case { system, equations, outputs: vec![state("plant.y", 0), state("plant.v", 1)] }
}

fn span(random: &mut Random) -> (f64, usize) {
    (random.within(5.0, 15.0), 20 + random.below(40))
}

fn jump(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let time = random.within(0.05, 0.95) * span.0;
    let (height, offset) = (random.log((1e-4, 10.0)), if random.below(2) == 0 { 0.0 } else { random.log((1.0, 1e5)) });
    stepwise(&mut random, Shape::Jump, [time, offset, height, 0.0], span, vec![time])
}

fn kink(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let time = random.within(0.05, 0.95) * span.0;
    let p = [time, random.within(-1.0, 1.0), random.within(-1.0, 1.0), 0.0];
    driven(&mut random, Shape::Kink, p, span, vec![time])
}

/// As [`driven`], where the value before a jump belongs to what comes before it.
fn stepwise(random: &mut Random, shape: Shape, p: [f64; 4], span: (f64, usize), knots: Vec<f64>) -> Case {
    let mut case = driven(random, shape, p, span, knots.clone());
    let inner = std::mem::replace(&mut case.equations.derivative, Box::new(|_, _, _| Vec::new()));
    // A counter of the knots passed is a state: between them the signal is smooth up to its ends.
    case.equations.start.push(0.0);
    let count = case.equations.start.len() - 1;
    case.equations.derivative = Box::new(move |t, x, mode| {
        let passed = x[count] as usize;
        let (low, high) = (passed.checked_sub(1).map(|last| knots[last]), knots.get(passed));
        let inside = high.map_or(t, |high| t.min(high - 1e-12 * high.abs()));
        let inside = low.map_or(inside, |low| inside.max(low));
        let mut slopes = inner(inside, &x[..count], mode);
        slopes.push(0.0);
        slopes
    });
    case.equations.jump = Some(Box::new(move |_, x| x[count] += 1.0));
    case
}

fn ripple(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let (frequency, row) = match seed % 4 {
        0 => (60.0, [1.0, 0.5, 0.2, 0.1][(seed / 4 % 4) as usize]),
        1 => (50.0, [1.2, 0.12][(seed / 4 % 2) as usize]),
        _ => (random.within(5.0, 80.0), random.log((0.1, 1.2))),
    };
    let p = [1.0, random.within(0.1, 1.0), frequency, random.within(0.0, 6.3)];
    driven(&mut random, Shape::Sine, p, (20.0 * row, 20), Vec::new())
}

fn sine(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let row = random.within(0.2, 2.0);
    let p = [0.0, 1.0, 0.5 * (1 + random.below(2)) as f64 / row, 0.0];
    driven(&mut random, Shape::Sine, p, (30.0 * row, 30), Vec::new())
}

fn pulse(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let row = span.0 / span.1 as f64;
    let width = row * random.log((0.02, 3.0));
    let begin = random.within(0.05, 0.85) * span.0;
    let p = [begin, begin + width, random.within(0.3, 3.0), random.within(0.0, 1.0)];
    stepwise(&mut random, Shape::Pulse, p, span, vec![begin, begin + width])
}

fn lorenz(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let start: Vec<f64> = [10.0, 10.0, 25.0].map(|size| size * random.within(0.5, 1.5)).to_vec();
    let (model, mut system) = (joined::<Lorenz>(), System::new());
    for (which, x0) in start.iter().enumerate() {
        let name = format!("s{which}");
        system = starts(system.instance_of(&name, &model), &name, [("which", which as f64), ("x0", *x0)]);
    }
    for (which, others) in Lorenz::INPUTS.iter().enumerate() {
        for (input, other) in ["u", "v"].into_iter().zip(others) {
            system = system.connect(&format!("s{which}.{input}"), &format!("s{other}.x"));
        }
    }
    let equations = Equations::smooth(start, |_, x| {
        let slope = |which: usize| {
            let (rate, gain) = Lorenz::slope(which, Lorenz::INPUTS[which].map(|other| x[other]));
            gain - rate * x[which]
        };
        (0..3).map(slope).collect()
    });
    let (stop, rows) = (random.within(1.0, 4.0), 20 + random.below(40));
    let outputs = (0..3).map(|which| state(&format!("s{which}.x"), which)).collect();
    Case { system: system.stop(stop).output_interval(stop / rows as f64), equations, outputs }
}

fn late(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let span = span(&mut random);
    let p = [random.within(0.6, 0.9) * span.0, random.within(0.03, 0.1) * span.0, random.within(0.5, 2.0), 0.0];
    let mut case = driven(&mut random, Shape::Bump, p, span, Vec::new());
    case.system = case.system.start_value("plant.x0", 0.0).start_value("plant.x1", 0.0);
    case.equations.start = vec![0.0, 0.0];
    case
}
