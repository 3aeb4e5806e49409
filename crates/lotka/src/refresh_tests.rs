//! Outputs are refreshed once: the inputs they used are recorded.

use lotka_run::Subject;
use lotka_step::algorithm::{Attempt, Level, Step};
use models::{Mass, SprungMassForce};

use crate::{FeedthroughOutputs, Fmu, Simulation, System};

/// Two masses; the force of the second one follows both without delay.
fn masses(policy: FeedthroughOutputs) -> Simulation {
    let mass = Fmu::from_functions(fmu_sdk::description::<Mass>(), fmu_sdk::functions::<Mass>());
    let sprung = Fmu::from_functions(fmu_sdk::description::<SprungMassForce>(), fmu_sdk::functions::<SprungMassForce>());
    let system = System::new().instance_of("left", &mass).instance_of("right", &sprung);
    let system = system.connect("left.f", "right.f").connect("right.x_other", "left.x").connect("right.v_other", "left.v");
    let system = system.start_value("left.v", 1).sweep("jacobi").input_degree(1).feedthrough_outputs(policy);
    system.stop(1.0).step(0.1).build().unwrap()
}

/// The signals after one step, and after another refresh of the outputs.
fn after_a_step(policy: FeedthroughOutputs) -> [Vec<f64>; 2] {
    let signals = masses(policy).engine.analyze(|Subject { system, coupled, .. }| {
        coupled.begin();
        system.initialize(coupled, &system.set_up).unwrap();
        system.settle(coupled, &system.set_up, 0.1, false).unwrap().apply(coupled);
        let step = system.method(coupled).advance(coupled, Step { t: 0.0, h: 0.1 }, true, Level::Communication);
        assert!(matches!(step, Attempt::Continue(())));
        let once = coupled.newest.reals.clone();
        assert!(matches!(coupled.refresh(&[0, 1]), Attempt::Continue(())));
        [once, coupled.newest.reals.clone()]
    });
    signals.unwrap()
}

#[test]
fn outputs_that_are_fresh_stay_as_they_are() {
    let [stale, _] = after_a_step(FeedthroughOutputs::Stale);
    for policy in [FeedthroughOutputs::Derivative, FeedthroughOutputs::ReRead] {
        let [once, twice] = after_a_step(policy);
        assert_ne!(once, stale, "{policy:?}: the force is made fresh");
        assert_eq!(once, twice, "{policy:?}");
    }
}
