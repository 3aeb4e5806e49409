//! Rabbits, foxes that eat rabbits, wolves that eat both.

use fmu::Fmu;
use lotka::System;
use models::{Population, Predation, Reproduction, Species, Starvation};

use super::fault::{Lacking, stripped};
use crate::joined;

/// Returns three species, one exact FMU each, until t = 100 s; `rabbits`, `foxes` and `wolves` step in this order.
pub fn three_species() -> System {
    let species = joined::<Species>();
    let names = ["rabbits", "foxes", "wolves"];
    let system = names.into_iter().fold(System::new(), |system, name| system.instance_of(name, &species));
    let system = connect(
        system,
        [
            ("rabbits.u1", "foxes.x"),
            ("rabbits.u2", "wolves.x"),
            ("foxes.u1", "rabbits.x"),
            ("foxes.u2", "wolves.x"),
            ("wolves.u1", "rabbits.x"),
            ("wolves.u2", "foxes.x"),
        ],
    );
    let rows = [("rabbits", [0.1, -0.02, -0.02, 25.0]), ("foxes", [-0.4, 0.02, -0.04, 2.0]), ("wolves", [-0.4, 0.01, 0.08, 4.0])];
    let system = rows.into_iter().fold(system, |system, (name, values)| {
        let variables = ["own", "b1", "b2", "x"].into_iter().zip(values);
        variables.fold(system, |system, (variable, value)| system.start_value(&format!("{name}.{variable}"), value))
    });
    system.stop(100.0)
}

/// Returns the same three species as components, until t = 100 s: three populations, and six memoryless components that change
/// them. The rates of all components that change a population are summed.
pub fn three_species_components() -> System {
    components(joined::<Reproduction>(), joined::<Starvation>(), joined::<Predation>())
}

/// Same as [`three_species_components`], but the six components provide no derivatives of any kind.
pub fn three_species_plain_components() -> System {
    const LACKING: Lacking = Lacking::Derivatives;
    components(stripped::<Reproduction>(LACKING), stripped::<Starvation>(LACKING), stripped::<Predation>(LACKING))
}

fn components(reproduction: Fmu, starvation: Fmu, predation: Fmu) -> System {
    let system = instances(System::new(), &joined::<Population>(), &["rabbits", "foxes", "wolves"]);
    let system = instances(system, &reproduction, &["reproduction"]);
    let system = instances(system, &starvation, &["fox_starvation", "wolf_starvation"]);
    let system = instances(system, &predation, &["foxes_on_rabbits", "wolves_on_rabbits", "wolves_on_foxes"]);
    let system = connect(
        system,
        [
            ("reproduction.population", "rabbits.population"),
            ("fox_starvation.population", "foxes.population"),
            ("wolf_starvation.population", "wolves.population"),
            ("foxes_on_rabbits.prey", "rabbits.population"),
            ("foxes_on_rabbits.predator", "foxes.population"),
            ("wolves_on_rabbits.prey", "rabbits.population"),
            ("wolves_on_rabbits.predator", "wolves.population"),
            ("wolves_on_foxes.prey", "foxes.population"),
            ("wolves_on_foxes.predator", "wolves.population"),
        ],
    );
    let values = [
        ("rabbits.population", 25.0),
        ("foxes.population", 2.0),
        ("wolves.population", 4.0),
        ("wolves_on_rabbits.beta", 0.02),
        ("wolves_on_rabbits.delta", 0.01),
        ("wolves_on_foxes.beta", 0.04),
        ("wolves_on_foxes.delta", 0.08),
    ];
    let system = values.into_iter().fold(system, |system, (variable, value)| system.start_value(variable, value));
    rates(system).stop(100.0)
}

fn rates(system: System) -> System {
    system
        .connect_sum(
            "rabbits.rate",
            &[("reproduction.rate", 1.0), ("foxes_on_rabbits.prey_rate", 1.0), ("wolves_on_rabbits.prey_rate", 1.0)],
        )
        .connect_sum(
            "foxes.rate",
            &[("fox_starvation.rate", 1.0), ("foxes_on_rabbits.predator_rate", 1.0), ("wolves_on_foxes.prey_rate", 1.0)],
        )
        .connect_sum(
            "wolves.rate",
            &[("wolf_starvation.rate", 1.0), ("wolves_on_rabbits.predator_rate", 1.0), ("wolves_on_foxes.predator_rate", 1.0)],
        )
}

fn instances(system: System, fmu: &Fmu, names: &[&str]) -> System {
    names.iter().fold(system, |system, name| system.instance_of(name, fmu))
}

fn connect<const N: usize>(system: System, connections: [(&str, &str); N]) -> System {
    connections.into_iter().fold(system, |system, (input, output)| system.connect(input, output))
}
