//! Smooth systems.

use std::f64::consts::TAU;

use campaign_models::{Lorenz, Plant};
use lotka::System;

use super::{
    super::{fast, random::Random, reference::Equations},
    Case, Value, of, plant, slope, starts, state,
};
use crate::joined;

#[derive(Default, Clone, Copy)]
pub(super) struct Variant {
    pub(super) stiff: bool,
    pub(super) direct: bool,
    pub(super) euler: bool,
    pub(super) noise: bool,
    pub(super) offset: bool,
    pub(super) scaled: bool,
    pub(super) own: Own,
}

/// How the FMUs integrate.
#[derive(Default, Clone, Copy, PartialEq)]
pub(super) enum Own {
    #[default]
    Exactly,
    /// With tolerances of their own, whatever is requested.
    Unasked,
    /// With multiples of the requested tolerance.
    Loosely,
}

pub(super) fn linear(seed: u64, variant: Variant) -> Case {
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
        match variant.own {
            Own::Exactly => {}
            Own::Unasked => values.push(("rtol", random.log((1e-10, 1e-3)))),
            Own::Loosely => values.push(("looseness", random.log((1.0, 30.0)))),
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
    // y of the first plant depends on its own input, which is the output of the last one.
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

/// Returns a coupled pair, one part of which decays fast.
pub(super) fn transient(seed: u64) -> Case {
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

pub(super) fn lorenz(seed: u64) -> Case {
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

/// Returns a ring of plants, one of which adds a ripple to its input and its output whose frequency is a multiple of that of the
/// rows, or nearly so.
pub(super) fn rippled(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let count = 1 + random.below(2);
    let (row, rows) = (random.log((0.05, 2.0)), 10 + random.below(10));
    let periods = match random.below(4) {
        0 => 48.0,
        1 => 180.0,
        2 => 12.0 * (1 + random.below(40)) as f64,
        _ => random.within(15.0, 300.0),
    };
    let (frequency, ripple) = (periods / row, random.log((1e-4, 1.0)));
    let shown = if random.below(2) == 0 { 0.0 } else { random.log((1e-3, 1.0)) };
    let stop = row * rows as f64;
    let plants: Vec<[(&'static str, f64); 8]> = (0..=count)
        .map(|_| {
            plant(&mut random, (1.0, 8.0), (0.5, 3.0))
                .map(|(name, value)| (name, if name.starts_with('x') { value } else { value / stop }))
        })
        .collect();
    let model = joined::<Plant<false>>();
    let mut system = System::new();
    for (number, values) in plants.iter().enumerate() {
        let name = format!("p{number}");
        system = starts(system.instance_of(&name, &model), &name, *values);
    }
    system = starts(system, "p0", [("ripple", ripple), ("frequency", frequency), ("shown", shown)]);
    for number in 0..=count {
        system = system.connect_sum(&format!("p{number}.u"), &[(&format!("p{}.y", (number + count) % (count + 1)), 0.5)]);
    }
    // The states of the plants, and the cosine and sine of the wave, and 1.
    let start = plants.iter().flat_map(|values| [of(values, "x0"), of(values, "x1")]).chain([1.0, 0.0, 1.0]).collect();
    let (wave, states, w) = (2 * count + 2, 2 * count + 5, TAU * frequency);
    let added = move |x: &[f64]| ripple * (x[wave + 2] + x[wave]);
    let y = move |x: &[f64], number: usize| x[2 * number] + if number == 0 { shown * added(x) } else { 0.0 };
    let derivative = move |x: &[f64]| {
        let input = |number: usize| 0.5 * y(x, (number + count) % (count + 1)) + if number == 0 { added(x) } else { 0.0 };
        let slopes = (0..=count).flat_map(|number| slope(&plants[number], &x[2 * number..2 * number + 2], input(number)));
        slopes.chain([-w * x[wave + 1], w * x[wave], 0.0]).collect()
    };
    let equations = Equations::exact(start, fast::flow(states, &[wave, wave + 1], derivative));
    let outputs = (0..=count).flat_map(|number| {
        let y: Value = Box::new(move |_, x| y(x, number));
        [(format!("p{number}.y"), y), state(&format!("p{number}.v"), 2 * number + 1)]
    });
    Case { system: system.stop(stop).output_interval(row), equations, outputs: outputs.collect() }
}
