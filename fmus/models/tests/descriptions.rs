//! The model descriptions of all models are correct, complete, and contain what importers rely on.

#![allow(clippy::unwrap_used, reason = "tests")]

use fmi2::ModelDescription;
use fmi2::description::{Causality, CoSimulation, Strictness, Variability, VariableKind};
use fmu_sdk::Model;
use models::{
    BouncingBall, Circle, Expression, HeatRod, Mass, Population, Predation, Predator, PredatorPrey, Prey, Reproduction, Species,
    SprungMass, SprungMassForce, Starvation, Stiff, ThreeSpecies, TwoStateOde, TwoStatePlant, TwoStateSwitch, VanDerPolPosition,
    VanDerPolVelocity,
};

fn description<M: Model>() -> ModelDescription {
    let description = fmu_sdk::description::<M>();
    assert_eq!(fmu_sdk::problems::<M>(), []);
    assert_eq!(description.check(), []);
    let reading = ModelDescription::read(description.to_xml().as_bytes(), Strictness::Strict).unwrap();
    assert_eq!(reading.description, description);
    description
}

/// Checks the description of FMI 3.0, and that both versions describe the same variables.
fn check_of_both<M: Model>() {
    let of_2 = description::<M>();
    let description = fmu_sdk::fmi3::description::<M>();
    assert_eq!(fmu_sdk::fmi3::problems::<M>(), []);
    assert_eq!(description.check(), [], "{}", M::NAME);
    let reading = fmi3::ModelDescription::read(description.to_xml().as_bytes(), Strictness::Strict).unwrap();
    assert_eq!(reading.description, description);
    let is_shown = |v: &&fmi3::description::Variable| {
        use fmi3::description::Causality::{Independent, StructuralParameter};
        v.dimensions.is_empty() && !matches!(v.causality(), Independent | StructuralParameter)
    };
    let names: Vec<_> = description.variables.iter().filter(is_shown).map(|v| v.name.as_str()).collect();
    let names_of_2: Vec<_> = of_2.variables.iter().map(|v| v.name.as_str()).filter(|name| !name.contains('[')).collect();
    assert_eq!(names, names_of_2);
}

#[test]
fn all_models_are_described_for_both_versions() {
    check_of_both::<BouncingBall>();
    check_of_both::<Circle>();
    check_of_both::<Expression>();
    check_of_both::<HeatRod>();
    check_of_both::<Mass>();
    check_of_both::<Population>();
    check_of_both::<Predation>();
    check_of_both::<Predator>();
    check_of_both::<PredatorPrey>();
    check_of_both::<Prey>();
    check_of_both::<Reproduction>();
    check_of_both::<Species>();
    check_of_both::<SprungMass>();
    check_of_both::<SprungMassForce>();
    check_of_both::<Starvation>();
    check_of_both::<Stiff>();
    check_of_both::<ThreeSpecies>();
    check_of_both::<TwoStateOde>();
    check_of_both::<TwoStatePlant>();
    check_of_both::<TwoStateSwitch>();
    check_of_both::<VanDerPolPosition>();
    check_of_both::<VanDerPolVelocity>();
}

#[test]
fn a_rod_has_as_many_temperatures_as_its_structural_parameter_says() {
    let rod = fmu_sdk::fmi3::description::<HeatRod>();
    let variable = |name: &str| rod.variables.iter().find(|v| v.name == name).unwrap();
    let n = variable("n");
    assert_eq!(n.causality(), fmi3::description::Causality::StructuralParameter);
    assert_eq!(variable("T").dimensions, [fmi3::description::Dimension::Variable(n.value_reference)]);
    let of_2 = description::<HeatRod>();
    assert!(of_2.variables.iter().any(|v| v.name == "T[10]") && of_2.variables.iter().all(|v| v.name != "n"));
}

#[test]
fn only_the_ball_has_events() {
    let has_events = |description: fmi3::ModelDescription| description.co_simulation.unwrap().has_event_mode.unwrap();
    assert!(has_events(fmu_sdk::fmi3::description::<BouncingBall>()));
    assert!(!has_events(fmu_sdk::fmi3::description::<Prey>()));
}

/// Returns the dependencies of each unknown, by name.
fn named<'a>(description: &'a ModelDescription, list: &[fmi2::description::Unknown]) -> Vec<(&'a str, Vec<&'a str>)> {
    let name = |index: &u32| description.variables[*index as usize - 1].name.as_str();
    list.iter().map(|u| (name(&u.index), u.dependencies.iter().flatten().map(name).collect())).collect()
}

#[test]
fn single_species_have_no_feedthrough_and_exact_dependencies() {
    let prey = description::<Prey>();
    let structure = &prey.model_structure;
    assert_eq!(structure.outputs[0].dependencies, Some(vec![]));
    assert_eq!(named(&prey, &structure.outputs), [("x", vec![])]);
    assert_eq!(named(&prey, &structure.derivatives), [("der(x)", vec!["y", "x"])]);
    assert_eq!(named(&prey, &structure.initial_unknowns), [("der(x)", vec!["a", "b", "y", "x"])]);
    let predator = description::<Predator>();
    assert_eq!(named(&predator, &predator.model_structure.outputs), [("y", vec![])]);
}

#[test]
fn both_species_in_one_need_no_input() {
    let both = description::<PredatorPrey>();
    assert_eq!(named(&both, &both.model_structure.outputs), [("x", vec![]), ("y", vec![])]);
    assert_eq!(both.co_simulation.unwrap().can_interpolate_inputs, Some(false));
    let three = description::<ThreeSpecies>();
    assert_eq!(named(&three, &three.model_structure.outputs), [("rabbits", vec![]), ("foxes", vec![]), ("wolves", vec![])]);
}

#[test]
fn only_the_force_of_a_sprung_mass_has_feedthrough() {
    for of in [description::<Mass>(), description::<SprungMass>()] {
        assert_eq!(named(&of, &of.model_structure.outputs), [("x", vec![]), ("v", vec![])]);
    }
    let force = description::<SprungMassForce>();
    let outputs = named(&force, &force.model_structure.outputs);
    assert_eq!(outputs, [("x", vec![]), ("v", vec![]), ("f", vec!["x_other", "v_other", "x", "v"])]);
    let mass = description::<Mass>();
    let derivatives = named(&mass, &mass.model_structure.derivatives);
    assert_eq!(derivatives, [("der(x)", vec!["v"]), ("der(v)", vec!["f", "x", "v"])]);
}

#[test]
fn split_oscillator_and_populations_have_no_feedthrough() {
    for of in [
        description::<VanDerPolPosition>(),
        description::<VanDerPolVelocity>(),
        description::<Species>(),
        description::<Population>(),
    ] {
        assert!(of.model_structure.outputs.iter().all(|output| output.dependencies == Some(vec![])), "{}", of.model_name);
    }
}

#[test]
fn what_is_held_or_switched_is_declared_discrete() {
    let (plant, switch) = (description::<TwoStatePlant>(), description::<TwoStateSwitch>());
    for (of, name) in [(&plant, "c2"), (&plant, "c4"), (&switch, "c2"), (&switch, "c4"), (&switch, "state")] {
        let variable = of.variables.iter().find(|v| v.name == name).unwrap();
        assert_eq!(variable.variability(), Variability::Discrete, "{} {name}", of.model_name);
    }
    assert_eq!(plant.co_simulation.as_ref().unwrap().can_interpolate_inputs, Some(false));
    for of in [plant, switch, description::<BouncingBall>()] {
        assert!(of.model_structure.outputs.iter().all(|output| output.dependencies == Some(vec![])), "{}", of.model_name);
        assert_eq!(of.co_simulation.unwrap().interface.provides_directional_derivative, Some(true));
    }
}

#[test]
fn models_that_are_integrated_let_the_experiment_choose_how() {
    for (of, integrator) in
        [(description::<Circle>(), "rk4"), (description::<Stiff>(), "esdirk34"), (description::<TwoStateOde>(), "esdirk34")]
    {
        let variable = |name: &str| of.variables.iter().find(|v| v.name == name).unwrap();
        assert_eq!(variable("integrator").causality(), Causality::Parameter);
        let VariableKind::String(string) = &variable("integrator").kind else { panic!("integrator is no string") };
        assert_eq!(string.start.as_deref(), Some(integrator));
        assert!(["internal_step", "relative_tolerance", "absolute_tolerance", "n_evaluations"].map(variable).len() == 4);
        assert!(of.model_structure.outputs.iter().all(|output| output.dependencies == Some(vec![])), "{}", of.model_name);
        assert_eq!(of.co_simulation.unwrap().interface.provides_directional_derivative, Some(true));
    }
}

#[test]
fn a_population_starts_where_it_is_told() {
    let population = description::<Population>();
    let starts = named(&population, &population.model_structure.initial_unknowns);
    assert_eq!(starts[0], ("population", vec!["init", "initial_population"]));
    let names: Vec<_> = population.types[0].kind.items().iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["free", "fixed_population", "steady_state"]);
}

#[test]
fn memoryless_components_are_all_feedthrough() {
    for of in [description::<Reproduction>(), description::<Starvation>()] {
        assert_eq!(named(&of, &of.model_structure.outputs), [("rate", vec!["population"])]);
    }
    let expression = description::<Expression>();
    assert_eq!(named(&expression, &expression.model_structure.outputs), [("y", vec!["u1", "u2", "u3", "u4"])]);
    let both = || vec!["prey", "predator"];
    let predation = description::<Predation>();
    assert_eq!(named(&predation, &predation.model_structure.outputs), [("prey_rate", both()), ("predator_rate", both())]);
}

#[test]
fn every_model_interpolates_and_gives_directional_derivatives() {
    for of in [
        description::<Mass>(),
        description::<SprungMass>(),
        description::<SprungMassForce>(),
        description::<VanDerPolPosition>(),
        description::<VanDerPolVelocity>(),
        description::<Species>(),
        description::<Population>(),
        description::<Reproduction>(),
        description::<Starvation>(),
        description::<Predation>(),
        description::<Expression>(),
    ] {
        let cosim = of.co_simulation.unwrap();
        let capabilities = (cosim.can_interpolate_inputs, cosim.interface.provides_directional_derivative);
        assert_eq!(capabilities, (Some(true), Some(true)), "{}", of.model_name);
    }
}

#[test]
fn capabilities_are_declared() {
    let cosim = description::<Prey>().co_simulation.unwrap();
    let expected = CoSimulation {
        interface: fmi2::description::Interface {
            model_identifier: "prey".into(),
            can_not_use_memory_management_functions: Some(true),
            can_get_and_set_fmu_state: Some(true),
            can_serialize_fmu_state: Some(true),
            provides_directional_derivative: Some(true),
            ..Default::default()
        },
        can_handle_variable_communication_step_size: Some(true),
        can_interpolate_inputs: Some(true),
        max_output_derivative_order: Some(2),
        can_run_asynchronuously: None,
    };
    assert_eq!(cosim, expected);
}

#[test]
fn guids_tell_models_apart() {
    let guids = [description::<Prey>().guid, description::<Predator>().guid, description::<PredatorPrey>().guid];
    assert!(guids[0] != guids[1] && guids[1] != guids[2] && guids[0] != guids[2]);
    assert_eq!(guids[0].len(), 38);
}
