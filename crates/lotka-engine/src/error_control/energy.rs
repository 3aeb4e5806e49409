//! Energy: the residual power of all power bonds, which is 0 by conservation of energy (Sadjina, Kyllingstad, Skjong, Pedersen 2017,
//! doi 10.1007/s00366-016-0492-8).
//!
//! The estimate is the WRMS norm of the mean residual power of the step. Its unit is `relative · P + absolute · 1 W`, where P is the largest mean
//! power of a step so far. The residual energy of the run is then at most the tolerance times the energy that this power could have transferred. No
//! instance steps twice. With inputs of degree k the residual power behaves as `h^(k+1)`.
//!
//! Values exchanged outside the bonds are not considered.

use super::{Estimates, Estimator, EstimatorSettings, Tolerances};
use crate::{
    algorithm::{Attempt, Coupled, Level, Method, PowerBonds, Step},
    checkpoint::Persistent,
};

pub(crate) struct Energy {
    tolerances: Tolerances,
    degree: u32,
    /// Mean residual power and largest power per bond \[W\].
    powers: Vec<(f64, f64)>,
}

impl Energy {
    pub(crate) fn new(EstimatorSettings { tolerances, .. }: EstimatorSettings, coupled: &Coupled) -> Self {
        let bonds = coupled.bonds.as_deref();
        let degrees = coupled.inputs.as_ref().map_or_else(Vec::new, |inputs| inputs.signal_degrees(&coupled.plan));
        let lowest =
            bonds.into_iter().flat_map(PowerBonds::signals).map(|signal| degrees.get(signal).copied().unwrap_or(0)).min();
        Self { tolerances, degree: lowest.unwrap_or(0) as u32, powers: vec![(0.0, 0.0); bonds.map_or(0, PowerBonds::count)] }
    }
}

impl Persistent for Energy {}

impl Estimator for Energy {
    fn attempt(&mut self, method: &mut Method, coupled: &mut Coupled, t: f64, h: f64) -> Attempt<Estimates> {
        method.advance(coupled, Step { t, h }, true, Level::Communication)?;
        if let Some(bonds) = &coupled.bonds {
            self.powers.iter_mut().zip(bonds.mean_powers(h)).for_each(|(kept, powers)| *kept = powers);
        }
        Attempt::Continue(Estimates::of_difference(self.tolerances.norm(self.powers.iter().copied())))
    }

    fn order(&self) -> u32 {
        self.degree
    }

    fn worst(&self, coupled: &Coupled, _: Estimates) -> Option<usize> {
        let worst = self.tolerances.worst(self.powers.iter().copied())?;
        coupled.bonds.as_ref().and_then(|bonds| bonds.effort(worst))
    }
}
