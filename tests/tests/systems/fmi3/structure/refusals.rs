//! Values that an FMU cannot have, and sizes that would vary after it is loaded.

use std::fs;

use lotka::{
    Ensemble, Error, Fmu, StartValue, Sweep, System,
    instance::{Structure, TypedValue},
};
use tempfile::TempDir;
use tests::joined;

use super::{
    rod,
    sums::{Sums, sums},
};
use crate::fmi3::problems;

#[test]
fn values_that_do_not_suit_are_refused_with_a_sentence() {
    let cases = [
        ("columns", "0", "the start value of `a.columns` is 0, less than the minimum 1"),
        ("rows", "-1", "the start value of `a.rows` is -1, less than the minimum 0 of the type UInt64"),
        ("rows", "1.5", "the start value of `a.rows` has the wrong type: expected Integer, found `1.5`"),
        (
            "rows",
            "2000000",
            "instance `a` cannot have `rows` = 2000000: the arrays would have 6000000 elements, and at most 1048576",
        ),
        ("rows", "13", "fmi3ExitConfigurationMode returned fmi3Error"),
    ];
    for (name, value, expected) in cases {
        let text = problems(&sums().start_value(&format!("a.{name}"), value));
        assert!(text.contains(expected), "{value}: {text}");
    }
    let text = problems(&sums().start_value("a.rows", 13));
    assert!(text.contains("13 rows bring bad luck"), "{text}");
    assert!(text.contains("the FMU refuses the start values of its structural parameters (`rows` = 13)"), "{text}");
    // All at once.
    let text = problems(&sums().start_value("a.rows", -1).start_value("b.columns", 0));
    assert!(text.contains("`a.rows`") && text.contains("`b.columns`"), "{text}");
}

#[test]
fn a_library_without_configuration_mode_keeps_its_sizes() {
    let functions = fmi3::ffi::Functions { enter_configuration_mode: None, ..fmu_sdk::fmi3::functions::<Sums>() };
    let fmu = Fmu::from_fmi3_functions(fmu_sdk::fmi3::description::<Sums>(), functions);
    let system = System::new().instance_of("a", &fmu).stop(1.0).step(1.0);
    assert!(system.clone().start_value("a.rows", 1).build().is_ok());
    let text = problems(&system.start_value("a.rows", 2));
    assert!(text.contains("fmi3EnterConfigurationMode is not supported by this FMU"), "{text}");
    assert!(text.contains("remove their start values (`rows` = 2)"), "{text}");
}

#[test]
fn sizes_by_constants_cannot_be_changed() {
    let mut description = fmu_sdk::fmi3::description::<Sums>();
    let rows = description.variables.iter_mut().find(|variable| variable.name == "rows").unwrap();
    rows.declared_causality = Some(fmi3::description::Causality::Local);
    rows.declared_variability = Some(fmi3::description::Variability::Constant);
    let fmu = Fmu::from_fmi3_functions(description, fmu_sdk::fmi3::functions::<Sums>());
    let text = problems(&System::new().instance_of("a", &fmu).stop(1.0).step(1.0).start_value("a.rows", 2));
    assert!(text.contains("the start value of `a.rows` cannot be set: it is a constant"), "{text}");
}

#[test]
fn a_model_of_fmi2_has_no_structure() {
    let mut structure = Structure::default();
    structure.set(1, TypedValue::Integer(3));
    let error = joined::<Sums>().with_structure(&structure).unwrap_err();
    assert_eq!(error.to_string(), "the model takes no values of structural parameters");
    assert!(joined::<Sums>().with_structure(&Structure::default()).is_ok());
}

#[test]
fn what_varies_after_the_fmu_is_loaded_is_refused() {
    let text = problems(&sums().set_at(1.0, "a.rows", 2));
    assert!(text.contains("`a.rows` cannot be changed during a run: it is a structural parameter"), "{text}");
    let refused = "the structural parameter `a.rows` is 1 in this simulation and cannot become 2: arrays have their sizes";
    let text = sums().build().unwrap().set_start("a.rows", 2).unwrap_err().to_string();
    assert!(text.contains(refused), "{text}");
    sums().build().unwrap().set_start("a.rows", 1).unwrap();
    let mut ensemble = Ensemble::new(&sums()).unwrap();
    let values = |run: usize| vec![("a.rows", StartValue::Integer(run as i64))];
    let outcomes = ensemble.run(1..3, values, |member| member.outcome.as_ref().err().map(Error::to_string)).unwrap();
    assert_eq!(outcomes[0], None);
    assert!(outcomes[1].as_ref().unwrap().contains(refused), "{outcomes:?}");
    let folder = TempDir::new().unwrap();
    let study = folder.path().join("study.toml");
    fs::write(&study, "[sweep]\nsystem = 'system.toml'\nsampling = 'grid'\n[parameters]\nrod.n = [10, 20]\n").unwrap();
    let (_folder, path) = rod(10, "");
    fs::copy(path, folder.path().join("system.toml")).unwrap();
    let text = Sweep::from_file(&study).unwrap_err().to_string();
    assert!(text.contains("`rod.n` is a structural parameter: the runs of a study share the sizes of arrays"), "{text}");
}
