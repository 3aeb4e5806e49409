//! An FMU whose rollback is inexact.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use super::prey::{Fields, Hunted, declare};

/// Largest relative change of the population by one restore.
pub const NOISE: f64 = 1e-8;

/// Prey with exact steps but inexact rollback. Whenever a state is restored, the population is multiplied by `1 + NOISE r` with
/// `r` in [-1, 1]. The numbers `r` are the same for every instance, and a rollback does not rewind them.
#[derive(Debug, Serialize, Deserialize)]
pub struct NoisyPrey {
    fields: Fields,
    #[serde(skip)]
    role: Role,
}

/// The kit clones states both to save and to restore them. The role distinguishes the two.
#[derive(Debug, Default)]
enum Role {
    /// A saved or serialized state.
    #[default]
    Saved,
    /// The state of a live instance, with the number of restores so far.
    Live { restores: u64 },
}

impl Default for NoisyPrey {
    fn default() -> Self {
        Self { fields: Fields::default(), role: Role::Live { restores: 0 } }
    }
}

impl Clone for NoisyPrey {
    fn clone(&self) -> Self {
        Self { fields: self.fields.clone(), role: Role::Saved }
    }

    fn clone_from(&mut self, source: &Self) {
        self.fields.clone_from(&source.fields);
        if let Role::Live { restores } = &mut self.role {
            *restores += 1;
            self.fields.x *= 1.0 + NOISE * symmetric(*restores);
        }
    }
}

/// Returns the `n`-th number of a pseudorandom sequence in [-1, 1] (SplitMix64: G. Steele, D. Lea, C. Flood, Fast Splittable
/// Pseudorandom Number Generators, 2014, doi 10.1145/2660193.2660195).
fn symmetric(n: u64) -> f64 {
    let z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) as f64 / u64::MAX as f64 * 2.0 - 1.0
}

impl Model for NoisyPrey {
    const NAME: &'static str = "noisy_prey";
    const DESCRIPTION: &'static str = "Prey whose states are restored inexactly";

    fn declare(v: &mut Declaration<Self>) {
        declare(v);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.fields.x *= self.fields.growth(step.h);
        Ok(())
    }
}

impl Hunted for NoisyPrey {
    fn fields(&self) -> &Fields {
        &self.fields
    }

    fn fields_mut(&mut self) -> &mut Fields {
        &mut self.fields
    }
}
