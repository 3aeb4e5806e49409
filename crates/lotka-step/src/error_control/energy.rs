//! Energy: the residual power of all power bonds, which is 0 by conservation of energy (Sadjina, Kyllingstad, Skjong, Pedersen
//! 2017, doi 10.1007/s00366-016-0492-8).
//!
//! The estimate is the WRMS norm of the mean residual power of the step. Its unit is `relative · P + absolute · 1 W`, where P is
//! the largest mean power of a step so far. The residual energy of the run is then at most the tolerance times the energy that
//! this power could have transferred. No instance steps twice. With inputs of degree k the residual power behaves as `h^(k+1)`.
//!
//! With the formulas of libcosim, the estimate is the WRMS norm of the residual power at the end of the step times its size. Its
//! unit is `relative · E + absolute · 1 J`, where E is the largest of these energies of all bonds.
//!
//! Values exchanged outside the bonds are not considered.

use super::{Estimates, Estimator, EstimatorSettings, Tolerances};
use crate::{
    algorithm::{Attempt, Coupled, Level, Method, PowerBonds, Step},
    checkpoint::Persistent,
    error_control::Compatibility,
};

pub(crate) struct Energy {
    tolerances: Tolerances,
    degree: u32,
    is_libcosim: bool,
    /// Residual and reference per bond: mean and largest power \[W\], with libcosim's formulas energies \[J\].
    residuals: Vec<(f64, f64)>,
}

impl Energy {
    pub(crate) fn new(EstimatorSettings { tolerances, compatibility, .. }: EstimatorSettings, coupled: &Coupled) -> Self {
        let bonds = coupled.bonds.as_deref();
        let degrees = coupled.inputs.as_ref().map_or_else(Vec::new, |inputs| inputs.signal_degrees(&coupled.plan));
        let lowest =
            bonds.into_iter().flat_map(PowerBonds::signals).map(|signal| degrees.get(signal).copied().unwrap_or(0)).min();
        Self {
            tolerances,
            degree: lowest.unwrap_or(0) as u32,
            is_libcosim: compatibility == Some(Compatibility::Libcosim),
            residuals: vec![(0.0, 0.0); bonds.map_or(0, PowerBonds::count)],
        }
    }

    fn compare(&mut self, bonds: &PowerBonds, h: f64) {
        if self.is_libcosim {
            let energies = || bonds.end_powers().map(|power| h * power);
            let largest = energies().fold(0.0, |largest: f64, energy| largest.max(energy.abs()));
            self.residuals.iter_mut().zip(energies()).for_each(|(kept, energy)| *kept = (energy, largest));
        } else {
            self.residuals.iter_mut().zip(bonds.mean_powers(h)).for_each(|(kept, powers)| *kept = powers);
        }
    }
}

impl Persistent for Energy {}

impl Estimator for Energy {
    fn attempt(&mut self, method: &mut Method, coupled: &mut Coupled, t: f64, h: f64) -> Attempt<Estimates> {
        method.advance(coupled, Step { t, h }, true, Level::Communication)?;
        if let Some(bonds) = &coupled.bonds {
            self.compare(bonds, h);
        }
        Attempt::Continue(Estimates::of_difference(self.tolerances.norm(self.residuals.iter().copied())))
    }

    fn order(&self) -> u32 {
        self.degree
    }

    fn worst(&self, coupled: &Coupled, _: Estimates) -> Option<usize> {
        let worst = self.tolerances.worst(self.residuals.iter().copied())?;
        coupled.bonds.as_ref().and_then(|bonds| bonds.effort(worst))
    }
}
