//! Two masses between walls, a quarter car, the van der Pol oscillator.

use lotka::System;
use models::{Mass, SprungMass, SprungMassForce, VanDerPolPosition, VanDerPolVelocity};

use crate::joined;

/// Returns the two-mass oscillator until t = 10 s. `left` (driven by a force, no direct feedthrough) steps first; `right`
/// outputs the force, with direct feedthrough. Masses 1 kg; springs 10, 10, 20 N/m and dampers 0.2, 0.5, 0.3 N.s/m from wall to
/// wall; `right` starts at 0.5 m.
pub fn two_mass() -> System {
    coupled_by_force(["left", "right"]).stop(10.0)
}

/// Same as [`two_mass`], with a stiff coupling: springs 1, 100, 1 N/m and dampers 1, 100, 2 N.s/m.
///
/// The known critical steps of this case are 0.8706 s, 0.01279 s and 1.670 s (Jacobi with stale and with fresh outputs,
/// Gauss–Seidel; constant inputs). Among small round numbers, only these wall springs and dampers yield all three.
pub fn stiff_pair() -> System {
    let system = with(coupled_by_force(["left", "right"]), "left", &[("k", 1.0), ("d", 1.0)]);
    with(system, "right", &[("k", 1.0), ("d", 2.0), ("k_other", 100.0), ("d_other", 100.0)]).stop(10.0)
}

/// Returns a quarter car on a road step of 0.1 m until t = 4 s, coupled by displacement and force. `chassis` is a bare mass and
/// steps first. The spring and the damper between both are part of `wheel`, which outputs their force, with direct feedthrough.
pub fn quarter_car_force() -> System {
    let system = coupled_by_force(["chassis", "wheel"]);
    wheel(with(system, "chassis", &[("m", 400.0), ("k", 0.0), ("d", 0.0)])).stop(4.0)
}

/// Same as [`quarter_car_force`], coupled by displacements: both masses include the spring and the damper; no output has direct
/// feedthrough.
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

/// Returns the van der Pol oscillator from x = 2, v = 0 until t = 20; `position` steps first.
pub fn van_der_pol() -> System {
    System::new()
        .instance_of("position", &joined::<VanDerPolPosition>())
        .instance_of("velocity", &joined::<VanDerPolVelocity>())
        .connect("position.v", "velocity.v")
        .connect("velocity.x", "position.x")
        .stop(20.0)
}

/// Returns a mass driven by the force of the second one, which is attached to it.
fn coupled_by_force([driven, hanging]: [&str; 2]) -> System {
    System::new()
        .instance_of(driven, &joined::<Mass>())
        .instance_of(hanging, &joined::<SprungMassForce>())
        .connect(&format!("{driven}.f"), &format!("{hanging}.f"))
        .connect(&format!("{hanging}.x_other"), &format!("{driven}.x"))
        .connect(&format!("{hanging}.v_other"), &format!("{driven}.v"))
}

/// Sets the parameters of the wheel of the quarter car.
fn wheel(system: System) -> System {
    let tire = [("m", 40.0), ("k", 150_000.0), ("d", 0.0), ("z", 0.1)];
    let suspension = [("k_other", 15_000.0), ("d_other", 1_000.0), ("x", 0.0)];
    with(with(system, "wheel", &tire), "wheel", &suspension)
}

fn with(system: System, instance: &str, values: &[(&str, f64)]) -> System {
    values.iter().fold(system, |system, (variable, value)| system.start_value(&format!("{instance}.{variable}"), value))
}
