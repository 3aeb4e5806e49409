//! Loops with a mode that is over within any step.

use fmu_sdk::Model;
use lotka::{SourceSignal, System};

use super::{
    super::{fast::flow, random::Random, reference::Equations},
    Case, of, slope, starts, state,
};
use crate::joined;

/// What moves the fast mode.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Moved {
    /// It begins out of balance.
    AtStart,
    /// A source jumps.
    BySource,
    /// Only the slow ones do.
    BySlow,
}

/// What the fast FMU shows.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Fast {
    /// `y' = rate (r + k z - y)`; `y` is the output.
    Lag,
    /// `y'' = rate^2 (r + k z - y) - 2 d rate y'`; `y'` is the output, with the area `r`.
    Velocity,
}

/// Returns a ring of a fast FMU and one or two slow ones, in any order.
pub(super) fn fast<M: Model>(seed: u64, shown: Fast, moved: Moved) -> Case {
    let mut random = Random::new(seed);
    let (row, rows) = (random.log((0.03, 3.0)), 20 + random.below(40));
    let stop = row * rows as f64;
    let rate = random.log((3.0, if shown == Fast::Lag { 1e6 } else { 1e8 })) / row;
    let feedback = match random.below(3) {
        0 => 0.0,
        1 => random.log((1e-8, 1e-3)),
        _ => random.log((1e-3, 0.9)),
    };
    let k = if random.below(2) == 0 { feedback } else { -feedback };
    let count = 1 + random.below(2);
    let slow: Vec<[(&'static str, f64); 8]> = (0..count)
        .map(|_| {
            super::plant(&mut random, (1.0, 8.0), (0.5, 3.0))
                .map(|(name, value)| (name, if name.starts_with('x') { value } else { value / stop }))
        })
        .collect();
    let (before, after) = (random.within(-2.0, 2.0), random.within(-2.0, 2.0));
    let time = match random.below(3) {
        0 => row * (1 + random.below(rows as u64 - 1)) as f64,
        1 => stop * random.within(0.05, 0.95),
        _ => stop - row * random.within(0.1, 2.5),
    };
    let damping = if shown == Fast::Lag { 1.0 } else { random.within(0.5, 1.5) };
    let last = 2 * count - 2;
    let z0 = of(&slow[count - 1], "x0");
    let y0 = if moved == Moved::AtStart { random.within(-2.0, 2.0) } else { before + k * z0 };
    let quick = match shown {
        Fast::Lag => [("a0", -rate), ("a1", 0.0), ("a2", 0.0), ("a3", -1.0), ("b0", rate), ("b1", 0.0), ("x0", y0), ("x1", 0.0)],
        Fast::Velocity => [
            ("a0", 0.0),
            ("a1", rate),
            ("a2", -rate),
            ("a3", -2.0 * damping * rate),
            ("b0", 0.0),
            ("b1", rate),
            ("x0", y0),
            ("x1", 0.0),
        ],
    };
    let (output, factor) = match shown {
        Fast::Lag => ("fast.y", 1.0),
        Fast::Velocity => ("fast.v", stop.recip().max(0.3) * rate),
    };
    let model = joined::<M>();
    let mut names: Vec<String> = (0..count).map(|number| format!("slow{number}")).chain(["fast".to_owned()]).collect();
    names.rotate_left(random.below(3));
    let system = names.iter().fold(System::new(), |system, name| system.instance_of(name, &model));
    let mut system =
        (0..count).fold(starts(system, "fast", quick), |system, number| starts(system, &format!("slow{number}"), slow[number]));
    system = system.connect_sum("slow0.u", &[(output, factor)]);
    if count > 1 {
        system = system.connect("slow1.u", "slow0.y");
    }
    let z = format!("slow{}.y", count - 1);
    let step = SourceSignal::Step { time, from: before.into(), to: if moved == Moved::BySource { after } else { before }.into() };
    system = system.source("r", step);
    let inputs: &[(&str, f64)] = if k == 0.0 { &[("r.y", 1.0)] } else { &[("r.y", 1.0), (&z, k)] };
    system = system.connect_sum("fast.u", inputs);
    // The states of the slow ones, of the fast one, and the source.
    let start = slow.iter().flat_map(|values| [of(values, "x0"), of(values, "x1")]).chain([y0, 0.0, before]).collect();
    let (place, states) = (2 * count, 2 * count + 3);
    let derivative = move |x: &[f64]| {
        let shown = if shown == Fast::Lag { x[place] } else { x[place + 1] };
        let mut slopes = slope(&slow[0], &x[..2], factor * shown).to_vec();
        if count > 1 {
            slopes.extend(slope(&slow[1], &x[2..4], x[0]));
        }
        slopes.extend(slope(&quick, &x[place..place + 2], x[place + 2] + k * x[last]));
        slopes.push(0.0);
        slopes
    };
    let is_fast = if shown == Fast::Lag { vec![place] } else { vec![place, place + 1] };
    let mut equations = Equations::exact(start, flow(states, &is_fast, derivative));
    if moved == Moved::BySource {
        equations.knots = vec![time];
        equations.jump = Some(Box::new(move |_, x| x[place + 2] = after));
    }
    let mut outputs: Vec<_> = (0..count)
        .flat_map(|number| [state(&format!("slow{number}.y"), 2 * number), state(&format!("slow{number}.v"), 2 * number + 1)])
        .collect();
    outputs.push(state("fast.y", place));
    Case { system: system.stop(stop).output_interval(row), equations, outputs }
}
