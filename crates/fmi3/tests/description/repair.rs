//! What a lenient read leaves out.

use crate::lenient;
use crate::rich::RICH;
use fmi3::description::{Unknown, VariableKind};

#[test]
fn a_broken_structure_is_repaired_on_the_safe_side() {
    let text = RICH
        .replace("<ContinuousStateDerivative valueReference=\"5\"", "<ContinuousStateDerivative valueReference=\"99\"")
        .replace("dependencies=\"2 4\"", "dependencies=\"2 99\"")
        .replace("dependencies=\"1\" dependenciesKind=\"constant\"", "dependencies=\"1\" dependenciesKind=\"constant constant\"");
    let structure = lenient(&text).description.model_structure;
    assert_eq!(structure.continuous_state_derivatives, vec![]);
    assert_eq!((&structure.outputs[0].dependencies, &structure.outputs[0].dependency_kinds), (&None, &None));
    let unknown = Unknown { value_reference: 5, dependencies: Some(vec![1]), ..Unknown::default() };
    assert_eq!(structure.initial_unknowns[0], unknown);
}

#[test]
fn references_to_nothing_are_left_out() {
    let text = RICH
        .replace("derivative=\"4\"", "derivative=\"99\"")
        .replace("clocks=\"20 21\" previous=\"23\"", "clocks=\"20 99\" previous=\"99\"");
    let description = lenient(&text).description;
    let VariableKind::Float64(derivative) = &description.variables[5].kind else { panic!("der(x) is Float64") };
    assert_eq!(derivative.derivative, None);
    let k = description.variables.iter().find(|variable| variable.name == "k").unwrap();
    assert_eq!((k.clocks.as_deref(), k.previous), (Some(&[20][..]), None));
    for left_out in ["\"99\"", " 99\""] {
        assert!(!description.to_xml().contains(left_out), "{left_out}");
    }
}

#[test]
fn an_experiment_that_makes_no_sense_is_left_out() {
    let text = RICH.replace("stopTime=\"10.0\"", "stopTime=\"-1\"").replace("tolerance=\"1e-6\"", "tolerance=\"0\"");
    let experiment = lenient(&text).description.default_experiment.unwrap();
    assert_eq!((experiment.start_time, experiment.stop_time, experiment.tolerance), (None, None, None));
    assert_eq!(experiment.step_size, Some(0.1));
}

#[test]
fn an_internal_step_that_makes_no_sense_is_left_out() {
    let text = RICH.replace("fixedInternalStepSize=\"0.01\"", "fixedInternalStepSize=\"-0.01\"");
    assert_eq!(lenient(&text).description.co_simulation.unwrap().fixed_internal_step_size, None);
}
