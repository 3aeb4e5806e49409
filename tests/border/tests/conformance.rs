//! The conformance suite, run for every way to come by an instance.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use border::hostile::Hostile;
use border::{hosted, joined, joined_fmi3, packed};
use fmu::{Fmu, InstantiateOptions};
use lotka_instance::{
    Instance, InstanceFactory, LocalFactory, LocalModel, LogMessage, LogSink, ModelDescription, RealRef, Status, StepOutcome,
    conformance::{self, ModelUnderTest},
    description::{Causality, RealKind, Unknown, Variable, VariableKind},
};

/// Well-behaved FMUs pass without a warning.
fn check(fmu: &Fmu) {
    check_instances(InstanceFactory::description(fmu), |name, options| fmu.instantiate(name, options).unwrap());
}

/// The same for instances in processes of their own.
fn check_hosted(path: PathBuf) {
    let fmu = hosted(path);
    check_instances(InstanceFactory::description(&fmu), |name, options| Box::new(fmu.instantiate(name, options).unwrap()));
}

fn check_instances(description: &ModelDescription, instantiate: impl Fn(&str, &InstantiateOptions) -> Box<dyn Instance>) {
    check_model(&ModelUnderTest::new(description), instantiate);
}

fn check_model(model: &ModelUnderTest, instantiate: impl Fn(&str, &InstantiateOptions) -> Box<dyn Instance>) {
    let warnings = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&warnings);
    let log: LogSink = Arc::new(move |line: LogMessage| {
        if line.status == Some(Status::Warning) {
            sink.lock().unwrap().push(line);
        }
    });
    let options = InstantiateOptions { log: Some(log), ..InstantiateOptions::default() };
    conformance::run(&mut |name: &str| instantiate(name, &options), model);
    assert_eq!(*warnings.lock().unwrap(), []);
}

#[test]
fn prey_linked_into_this_program() {
    check(&joined::<models::Prey>());
}

#[test]
fn predator_linked_into_this_program() {
    check(&joined::<models::Predator>());
}

#[test]
fn both_species_linked_into_this_program() {
    check(&joined::<models::PredatorPrey>());
}

#[test]
fn prey_of_fmi3_linked_into_this_program() {
    check(&joined_fmi3::<models::Prey>());
}

#[test]
fn predator_of_fmi3_linked_into_this_program() {
    check(&joined_fmi3::<models::Predator>());
}

#[test]
fn both_species_of_fmi3_linked_into_this_program() {
    check(&joined_fmi3::<models::PredatorPrey>());
}

#[test]
fn prey_packed() {
    check(&Fmu::open(packed("prey")).unwrap());
}

#[test]
fn predator_packed() {
    check(&Fmu::open(packed("predator")).unwrap());
}

#[test]
fn both_species_packed() {
    check(&Fmu::open(packed("predator_prey")).unwrap());
}

#[test]
fn species_of_fmi3_packed() {
    for name in ["fmi3/prey", "fmi3/predator", "fmi3/predator_prey"] {
        check(&Fmu::open(packed(name)).unwrap());
    }
}

#[test]
fn species_of_fmi3_hosted() {
    check_hosted(packed("fmi3/prey"));
    check_hosted(packed("fmi3/predator_prey"));
}

#[test]
fn a_c_library_of_fmi3_in_this_process_and_hosted() {
    let dir = tempfile::tempdir().unwrap();
    let path = Hostile::fmi3("sound").build(dir.path());
    check(&Fmu::open(&path).unwrap());
    check_hosted(path);
}

/// A model whose steps are so short that no ball reaches the floor meanwhile.
fn short(description: &ModelDescription) -> ModelUnderTest {
    ModelUnderTest { h: 0.02, ..ModelUnderTest::new(description) }
}

fn with_event_mode(options: &InstantiateOptions) -> InstantiateOptions {
    InstantiateOptions { event_mode: true, ..options.clone() }
}

#[test]
fn instances_in_event_mode() {
    for fmu in [joined_fmi3::<models::BouncingBall>(), Fmu::open(packed("fmi3/bouncing_ball")).unwrap()] {
        let make = |name: &str, options: &InstantiateOptions| fmu.instantiate(name, &with_event_mode(options)).unwrap();
        check_model(&short(InstanceFactory::description(&fmu)), make);
    }
}

#[test]
fn instances_in_event_mode_hosted() {
    let fmu = hosted(packed("fmi3/bouncing_ball"));
    let make = |name: &str, options: &InstantiateOptions| -> Box<dyn Instance> {
        Box::new(fmu.instantiate(name, &with_event_mode(options)).unwrap())
    };
    check_model(&short(InstanceFactory::description(&fmu)), make);
}

#[test]
fn prey_hosted() {
    check_hosted(packed("prey"));
}

#[test]
fn both_species_hosted() {
    check_hosted(packed("predator_prey"));
}

#[test]
fn c_libraries_hosted() {
    let dir = tempfile::tempdir().unwrap();
    check_hosted(Hostile::new("sound").build(dir.path()));
    let strict = Hostile::new("strict").define("STRICT_TIME").define("STRICT_STEP").define("STRICT_GET").define("KEEP_CALLBACKS");
    check_hosted(strict.define("MEMORY_CALLBACKS").define("ONCE_PER_PROCESS").build(dir.path()));
}

#[test]
fn a_c_library_with_states_of_all_types() {
    let dir = tempfile::tempdir().unwrap();
    let fmu = Fmu::open(Hostile::new("sound").build(dir.path())).unwrap();
    assert_eq!(fmu.warnings(), []);
    check(&fmu);
}

#[test]
fn a_c_library_that_is_strict_about_everything() {
    let dir = tempfile::tempdir().unwrap();
    let strict = Hostile::new("strict").define("STRICT_TIME").define("STRICT_STEP").define("STRICT_GET").define("KEEP_CALLBACKS");
    check(&Fmu::open(strict.define("MEMORY_CALLBACKS").build(dir.path())).unwrap());
}

#[test]
fn a_c_library_without_saved_states() {
    let dir = tempfile::tempdir().unwrap();
    let plain = Hostile::new("plain").capability("canGetAndSetFMUstate", false).capability("canSerializeFMUstate", false);
    check(&Fmu::open(plain.build(dir.path())).unwrap());
}

/// x' = u - x, exactly for inputs that are held.
#[derive(Clone)]
struct Lag {
    u: f64,
    x: f64,
}

impl LocalModel for Lag {
    fn real(&self, reference: RealRef) -> Option<f64> {
        [self.u, self.x].get(reference.0 as usize).copied()
    }

    fn set_real(&mut self, reference: RealRef, value: f64) -> bool {
        let is_input = reference.0 == 0;
        if is_input {
            self.u = value;
        }
        is_input
    }

    fn do_step(&mut self, _: f64, h: f64) -> Result<StepOutcome, String> {
        self.x = self.u + (self.x - self.u) * (-h).exp();
        Ok(StepOutcome::Complete)
    }
}

#[test]
fn rust_values() {
    let mut description = ModelDescription { model_name: "lag".to_owned(), ..ModelDescription::default() };
    let real = || VariableKind::Real(RealKind { start: Some(0.0), ..RealKind::default() });
    description.variables.push(Variable::new("u", 0, Causality::Input, real()));
    description.variables.push(Variable::new("x", 1, Causality::Output, real()));
    description.outputs.push(Unknown { index: 1, dependencies: Some(Vec::new()) });
    let factory = LocalFactory::new(description, || Lag { u: 0.0, x: 1.0 });
    check_instances(factory.description(), |name, options| factory.instantiate(name, options).unwrap());
}
