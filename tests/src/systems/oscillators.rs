//! Two masses between walls, a quarter of a car, the oscillator of van der Pol.

use lotka::System;
use models::{Mass, SprungMass, SprungMassForce, VanDerPolPosition, VanDerPolVelocity};

use crate::joined;

/// The two-mass oscillator until t = 10 s: `left` (driven by a force, no feedthrough) steps first, `right` gives the force, with
/// feedthrough. Masses 1 kg; springs 10, 10, 20 N/m and dampers 0.2, 0.5, 0.3 N.s/m from wall to wall; `right` starts at 0.5 m.
pub fn two_mass() -> System {
    coupled_by_force(["left", "right"]).stop(10.0)
}

/// As [`two_mass`], with a stiff coupling: springs 1, 100, 1 N/m and dampers 1, 100, 2 N.s/m.
///
/// The known critical steps of this case (Jacobi with stale and with fresh outputs, Gauss–Seidel; constant inputs) are 0.8706 s,
/// 0.01279 s and 1.670 s. These wall springs and dampers are the only ones among small round numbers that give all three.
pub fn stiff_pair() -> System {
    let system = with(coupled_by_force(["left", "right"]), "left", &[("k", 1.0), ("d", 1.0)]);
    with(system, "right", &[("k", 1.0), ("d", 2.0), ("k_other", 100.0), ("d_other", 100.0)]).stop(10.0)
}

/// A quarter of a car on a road step of 0.1 m until t = 4 s, coupled by displacement and force: `chassis` is a bare mass and steps
/// first; the spring and the damper between both belong to `wheel`, which gives their force, with feedthrough.
pub fn quarter_car_force() -> System {
    let system = coupled_by_force(["chassis", "wheel"]);
    wheel(with(system, "chassis", &[("m", 400.0), ("k", 0.0), ("d", 0.0)])).stop(4.0)
}

/// As [`quarter_car_force`], coupled by displacements: each mass has the spring and the damper between both, no output has feedthrough.
pub fn quarter_car_displacement() -> System {
    let mass = joined::<SprungMass>();
    let system = System::new().instance_of("chassis", &mass).instance_of("wheel", &mass);
    let system = ["x", "v"].into_iter().fold(system, |system, variable| {
        system
            .connect(&format!("chassis.{variable}_other"), &format!("wheel.{variable}"))
            .connect(&format!("wheel.{variable}_other"), &format!("chassis.{variable}"))
    });
    let chassis = [("m", 400.0), ("k", 0.0), ("d", 0.0), ("k_other", 15_000.0), ("d_other", 1_000.0), ("x", 0.0)];
    wheel(with(system, "chassis", &chassis)).stop(4.0)
}

/// The oscillator of van der Pol from x = 2, v = 0 until t = 20: `position` steps first.
pub fn van_der_pol() -> System {
    System::new()
        .instance_of("position", &joined::<VanDerPolPosition>())
        .instance_of("velocity", &joined::<VanDerPolVelocity>())
        .connect("position.v", "velocity.v")
        .connect("velocity.x", "position.x")
        .stop(20.0)
}

/// A mass driven by the force that the second one, which hangs on it, gives.
fn coupled_by_force([driven, hanging]: [&str; 2]) -> System {
    System::new()
        .instance_of(driven, &joined::<Mass>())
        .instance_of(hanging, &joined::<SprungMassForce>())
        .connect(&format!("{driven}.f"), &format!("{hanging}.f"))
        .connect(&format!("{hanging}.x_other"), &format!("{driven}.x"))
        .connect(&format!("{hanging}.v_other"), &format!("{driven}.v"))
}

/// The parameters of the wheel of the quarter car.
fn wheel(system: System) -> System {
    let tire = [("m", 40.0), ("k", 150_000.0), ("d", 0.0), ("z", 0.1)];
    let suspension = [("k_other", 15_000.0), ("d_other", 1_000.0), ("x", 0.0)];
    with(with(system, "wheel", &tire), "wheel", &suspension)
}

fn with(system: System, instance: &str, values: &[(&str, f64)]) -> System {
    values.iter().fold(system, |system, (variable, value)| system.start_value(&format!("{instance}.{variable}"), value))
}
