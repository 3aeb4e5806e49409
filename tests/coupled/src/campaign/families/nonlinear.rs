//! Smooth nonlinear systems.

use campaign_models::{HalfVanDerPol, Rival};
use lotka::System;

use super::{
    super::{random::Random, reference::Equations},
    Case, starts, state,
};
use crate::joined;

/// Returns three or four species in a ring, each of which eats one neighbor and is eaten by the other.
pub(super) fn species(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let count = 3 + random.below(2);
    let effects: Vec<f64> = (0..count).map(|_| random.log((0.2, 1.5))).collect();
    let start: Vec<f64> = (0..count).map(|_| random.log((0.3, 3.0))).collect();
    let (model, mut system) = (joined::<Rival>(), System::new());
    // Each species gains from the previous one and loses to the next one. All populations equal to 1 is an equilibrium.
    let both = move |number: usize| (effects[(number + count - 1) % count], -effects[number]);
    for (number, x0) in start.iter().enumerate() {
        let (name, (a, b)) = (format!("s{number}"), both(number));
        system = starts(system.instance_of(&name, &model), &name, [("growth", -a - b), ("a", a), ("b", b), ("x0", *x0)]);
    }
    for number in 0..count {
        for (input, other) in [("u", (number + count - 1) % count), ("v", (number + 1) % count)] {
            system = system.connect(&format!("s{number}.{input}"), &format!("s{other}.x"));
        }
    }
    let equations = Equations::smooth(start, move |_, x| {
        let slope = |number: usize| {
            let (a, b) = both(number);
            x[number] * (a * (x[(number + count - 1) % count] - 1.0) + b * (x[(number + 1) % count] - 1.0))
        };
        (0..count).map(slope).collect()
    });
    let (stop, rows) = (random.within(5.0, 20.0), 20 + random.below(40));
    let outputs = (0..count).map(|number| state(&format!("s{number}.x"), number)).collect();
    Case { system: system.stop(stop).output_interval(stop / rows as f64), equations, outputs }
}

/// Returns the van der Pol oscillator as two FMUs.
pub(super) fn van_der_pol(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let mu = random.log((0.3, 8.0));
    let start = vec![random.within(0.5, 2.0), random.within(-1.0, 1.0)];
    let model = joined::<HalfVanDerPol>();
    let system = System::new().instance_of("x", &model).instance_of("v", &model).start_value("v.is_velocity", true);
    let system = starts(starts(system, "x", [("x0", start[0])]), "v", [("mu", mu), ("x0", start[1])]);
    let system = system.connect("x.u", "v.x").connect("v.u", "x.x");
    let equations = Equations::smooth(start, move |_, x| vec![x[1], mu * (1.0 - x[0] * x[0]) * x[1] - x[0]]);
    let (stop, rows) = (random.within(8.0, 20.0), 40 + random.below(80));
    let outputs = vec![state("x.x", 0), state("v.x", 1)];
    Case { system: system.stop(stop).output_interval(stop / rows as f64), equations, outputs }
}
