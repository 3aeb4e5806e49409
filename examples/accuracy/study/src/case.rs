//! The systems.

use std::path::Path;

use ::coupled::systems::{Table, known};
use gallery::system_file;
use lotka::{AlgorithmSettings, System};

use crate::{Error, Exact};

/// A system with a known solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// Prey and predators.
    PredatorPrey,
    /// Two masses, coupled by displacement and force, with direct feedthrough.
    TwoMass,
    /// A quarter car, coupled by displacement and force, with direct feedthrough.
    QuarterCarForce,
    /// The same car, coupled by displacements.
    QuarterCarDisplacement,
    /// The van der Pol oscillator, split in two.
    VanDerPol,
    /// Three species, one FMU each.
    ThreeSpecies,
    /// The same species as components, most of them memoryless, with direct feedthrough.
    ThreeSpeciesComponents,
}

/// Properties of a case.
struct Facts {
    title: &'static str,
    slug: &'static str,
    file: &'static str,
    quantity: &'static str,
    interval: f64,
    largest_step: f64,
    has_feedthrough: bool,
}

impl Case {
    /// All cases.
    pub const ALL: [Self; 7] = [
        Self::PredatorPrey,
        Self::TwoMass,
        Self::QuarterCarForce,
        Self::QuarterCarDisplacement,
        Self::VanDerPol,
        Self::ThreeSpecies,
        Self::ThreeSpeciesComponents,
    ];

    fn facts(self) -> Facts {
        match self {
            Self::PredatorPrey => Facts {
                title: "Predator and prey",
                slug: "predator-prey",
                file: "predator-prey/system.toml",
                quantity: "population",
                interval: 1.0,
                largest_step: 1.0,
                has_feedthrough: false,
            },
            Self::TwoMass => Facts {
                title: "Two-mass oscillator",
                slug: "two-mass-oscillator",
                file: "two-mass-oscillator/system.toml",
                quantity: "position in m",
                interval: 0.1,
                largest_step: 0.1,
                has_feedthrough: true,
            },
            Self::QuarterCarForce => Facts {
                title: "Quarter car, displacement and force",
                slug: "quarter-car-force",
                file: "quarter-car/force.toml",
                quantity: "position in m",
                interval: 0.02,
                largest_step: 0.02,
                has_feedthrough: true,
            },
            Self::QuarterCarDisplacement => Facts {
                title: "Quarter car, displacement and displacement",
                slug: "quarter-car-displacement",
                file: "quarter-car/system.toml",
                has_feedthrough: false,
                ..Self::QuarterCarForce.facts()
            },
            Self::VanDerPol => Facts {
                title: "Van der Pol oscillator",
                slug: "van-der-pol",
                file: "van-der-pol/system.toml",
                quantity: "position, velocity in 1/s",
                interval: 0.1,
                largest_step: 0.1,
                has_feedthrough: false,
            },
            Self::ThreeSpecies => Facts {
                title: "Three species",
                slug: "three-species",
                file: "three-species/species.toml",
                ..Self::PredatorPrey.facts()
            },
            Self::ThreeSpeciesComponents => Facts {
                title: "Three species from components",
                slug: "three-species-components",
                file: "three-species/system.toml",
                has_feedthrough: true,
                ..Self::PredatorPrey.facts()
            },
        }
    }

    /// Returns the name for headings.
    pub fn title(self) -> &'static str {
        self.facts().title
    }

    /// Returns the name for files.
    pub fn slug(self) -> &'static str {
        self.facts().slug
    }

    /// Returns the quantity of the outputs, with its unit.
    pub(crate) fn quantity(self) -> &'static str {
        self.facts().quantity
    }

    /// Returns the spacing of the compared rows \[s\]. The steps of all methods land on them.
    pub fn interval(self) -> f64 {
        self.facts().interval
    }

    /// Returns the largest fixed step size, with which methods begin \[s\].
    pub fn largest_step(self) -> f64 {
        self.facts().largest_step
    }

    /// Returns whether the loop contains direct feedthrough.
    pub fn has_feedthrough(self) -> bool {
        self.facts().has_feedthrough
    }

    /// Returns the exact solution.
    pub fn exact(self) -> Exact {
        match self {
            Self::PredatorPrey => Exact::from_table(["prey.x", "predator.y"], Table::predator_prey()),
            Self::TwoMass => Exact::from_states(known::TWO_MASS),
            Self::QuarterCarForce | Self::QuarterCarDisplacement => Exact::from_states(known::QUARTER_CAR),
            Self::VanDerPol => Exact::from_states(known::VAN_DER_POL),
            Self::ThreeSpecies => Exact::from_table(known::THREE_SPECIES, Table::three_species()),
            Self::ThreeSpeciesComponents => Exact::from_table(known::THREE_SPECIES_COMPONENTS, Table::three_species()),
        }
    }

    /// The example in a folder of examples, with the FMUs of another folder: instances, connections and times. What it says of
    /// steps, tolerances and methods is left out.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn example(self, examples: &Path, fmus: &Path) -> Result<System, Error> {
        let mut system = system_file(&examples.join(self.facts().file), fmus)?;
        let description = system.description_mut();
        let (start, stop) = (description.experiment.start.take(), description.experiment.stop.take());
        description.experiment = lotka::ExperimentSettings::default();
        (description.experiment.start, description.experiment.stop) = (start, stop);
        description.algorithm = AlgorithmSettings::default();
        Ok(system)
    }
}
