//! The common part of all masses: a body on a spring and a damper.

use fmu_sdk::{Declaration, Refusal, VariableBuilder};
use serde::{Deserialize, Serialize};

use super::propagator::Cache;
use crate::polynomial::TERMS;

/// A body connected to a foundation at position `z`, on which other forces may act.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Body {
    pub(super) m: f64,
    pub(super) k: f64,
    pub(super) d: f64,
    pub(super) z: f64,
    pub(super) x: f64,
    pub(super) v: f64,
    #[serde(skip)]
    pub(super) cache: Cache,
}

impl Body {
    /// Creates a body at rest at `x` \[m\], of mass `m` \[kg\], held by a spring `k` \[N/m\] and a damper `d` \[N.s/m\] on a
    /// foundation at 0.
    pub(super) fn new(m: f64, k: f64, d: f64, x: f64) -> Self {
        Self { m, k, d, z: 0.0, x, v: 0.0, cache: Cache::default() }
    }

    /// # Errors
    /// The mass is not positive.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        if self.m > 0.0 { Ok(()) } else { Err(Refusal::error(format!("the mass m must be positive, but is {} kg", self.m))) }
    }

    /// Steps by `h` seconds. `stiffness` \[N/m\] and `damping` \[N.s/m\] are the sums over all springs and dampers on the body.
    /// `force` \[N\] is the remaining force, as time derivatives scaled by `h`.
    ///
    /// # Errors
    /// An error if the force is not finite, a discard if the motion overflows.
    pub(super) fn step(&mut self, stiffness: f64, damping: f64, mut force: [f64; TERMS], h: f64) -> Result<(), Refusal> {
        force[0] += self.k * self.z;
        let per_mass = 1.0 / self.m;
        let propagator = self.cache.propagator(h, stiffness * per_mass, damping * per_mass);
        [self.x, self.v] = propagator.step([self.x, self.v], force.map(|f| f * per_mass));
        if self.x.is_finite() && self.v.is_finite() { Ok(()) } else { Err(self.lost(force)) }
    }

    #[cold]
    fn lost(&self, force: [f64; TERMS]) -> Refusal {
        if force.into_iter().all(f64::is_finite) {
            Refusal::discard(format!("position and velocity become {} and {} in this step; use a smaller step", self.x, self.v))
        } else {
            Refusal::error(format!("the force on the mass must be finite, but is {} N at the start of the step", force[0]))
        }
    }
}

/// A model based on a body.
pub(super) trait Moving: 'static {
    fn body(&self) -> &Body;
    fn body_mut(&mut self) -> &mut Body;
    /// Returns the total stiffness of all springs on the body \[N/m\].
    fn stiffness(&self) -> f64;
    /// Returns the total damping of all dampers on the body \[N.s/m\].
    fn damping(&self) -> f64;
    /// Returns the force other than that of the foundation \[N\].
    fn force(&self) -> f64;
    /// Returns the time derivative of that force \[N/s\].
    fn force_rate(&self) -> f64;

    /// dv/dt \[m/s²\].
    fn acceleration(&self) -> f64 {
        let Body { m, k, d, z, x, v, .. } = self.body();
        (self.force() - k * (x - z) - d * v) / m
    }

    /// d²v/dt² \[m/s³\].
    fn jerk(&self) -> f64 {
        let Body { m, k, d, v, .. } = self.body();
        (self.force_rate() - k * v - d * self.acceleration()) / m
    }
}

/// Declares mass, foundation, spring and damper.
pub(super) fn declare_parameters<M: Moving>(v: &mut Declaration<M>) {
    v.parameter("m", |m: &mut M| &mut m.body_mut().m).unit("kg").min(0.0).description("mass");
    v.parameter("k", |m: &mut M| &mut m.body_mut().k).unit("N/m").min(0.0).description("stiffness of the foundation");
    v.parameter("d", |m: &mut M| &mut m.body_mut().d).unit("N.s/m").min(0.0).description("damping of the foundation");
    v.parameter("z", |m: &mut M| &mut m.body_mut().z).unit("m").description("displacement of the foundation for t > 0");
}

/// Declares position and velocity with their derivatives. The caller adds further dependencies of the acceleration to the result.
pub(super) fn declare_motion<M: Moving>(v: &mut Declaration<M>) -> VariableBuilder<'_, M, f64> {
    v.output("x", |m: &mut M| &mut m.body_mut().x)
        .unit("m")
        .description("position")
        .exact()
        .depends_on([])
        .derivatives([|m| m.body().v, |m| m.acceleration()]);
    v.output("v", |m: &mut M| &mut m.body_mut().v)
        .unit("m/s")
        .description("velocity")
        .exact()
        .depends_on([])
        .derivatives([|m| m.acceleration(), |m| m.jerk()]);
    let velocity = v.computed("der(x)", |m: &M| m.body().v).unit("m/s").description("time derivative of x");
    velocity.derivative_of("x").partials([("v", |_| 1.0)]);
    let acceleration = v.computed("der(v)", |m: &M| m.acceleration()).unit("m/s2").description("acceleration");
    acceleration.derivative_of("v").partials([
        ("x", |m| -m.stiffness() / m.body().m),
        ("v", |m| -m.damping() / m.body().m),
        ("m", |m| -m.acceleration() / m.body().m),
        ("k", |m| (m.body().z - m.body().x) / m.body().m),
        ("d", |m| -m.body().v / m.body().m),
        ("z", |m| m.body().k / m.body().m),
    ])
}
