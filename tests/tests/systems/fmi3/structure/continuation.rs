//! Sizes in studies, checkpoints, saved states and packages.

use std::fs;

use lotka::{
    Error, Shard, Sweep, System,
    instance::{InstanceFactory, InstantiateOptions, Slot, Structure, TypedValue},
};
use tempfile::TempDir;
use tests::{bits, joined_fmi3};

use super::{WAYS, rod, sums::Sums, system};
use crate::{
    checkpoints::{assert_goes_on, last_checkpoint},
    fmi3::rows,
};

#[test]
fn the_runs_of_a_study_have_the_sizes_of_its_system() {
    let folder = TempDir::new().unwrap();
    let study = folder.path().join("study.toml");
    let sweep = "[sweep]\nsystem = 'system.toml'\nsampling = 'grid'\nkeep = ['final']\n[parameters]\nrod.diffusivity = [0.1, 0.2]\n'rod.T[20]' = [1, 2]\n";
    fs::write(&study, sweep).unwrap();
    let (_folder, path) = rod(20, "");
    fs::copy(path, folder.path().join("system.toml")).unwrap();
    let mut sweep = Sweep::from_file(&study).unwrap().threads(2);
    assert!(sweep.columns().iter().any(|column| column.name == "final(rod.T[20])"));
    let mut count = 0;
    let all = sweep.run(Shard::ALL, 0, |record| {
        assert_eq!(record.status, "ok");
        count += 1;
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!((all.unwrap(), count), (true, 4));
}

#[test]
fn a_checkpoint_continues_with_its_sizes_and_no_others() {
    for (way, change) in WAYS {
        let system = change(system(20)).step(0.0625);
        assert_goes_on(way, &system);
        let checkpoint = last_checkpoint(&system);
        let other = system.start_value("rod.n", 21).build().unwrap().resume(&checkpoint, &mut []).unwrap_err();
        let text = Error::from(other).to_string();
        assert!(text.contains("settings of the system differ"), "{way}: {text}");
    }
}

#[test]
fn a_saved_state_belongs_to_its_sizes() {
    let with = |rows: i128| {
        let fmu = joined_fmi3::<Sums>();
        let reference = fmu.description().as_fmi3().unwrap().variables.iter().find(|v| v.name == "rows").unwrap().value_reference;
        let mut structure = Structure::default();
        structure.set(reference, TypedValue::Integer(rows));
        InstanceFactory::instantiate(&fmu.with_structure(&structure).unwrap(), "it", &InstantiateOptions::default()).unwrap()
    };
    let mut two = with(2);
    let slot = two.new_slot().unwrap();
    two.save(slot).unwrap();
    let bytes = two.serialize(slot).unwrap();
    let deserialize = |rows: i128| {
        let mut other = with(rows);
        let slot: Slot = other.new_slot().unwrap();
        other.deserialize(slot, &bytes)
    };
    deserialize(2).unwrap();
    let error = deserialize(3).unwrap_err().to_string();
    assert!(error.contains("or with other values of its structural parameters"), "{error}");
}

#[test]
fn packages_of_ssp_set_sizes() {
    let folder = TempDir::new().unwrap();
    let system = system(15).start_value("rod.T[15]", 0.5).start_value("rod.left", 1.0);
    for name in ["rod.ssp", "rod.ssd", "rod.toml"] {
        let path = folder.path().join(name);
        system.save(&path).unwrap();
        assert_eq!(bits(&rows(&System::from_file(&path).unwrap())), bits(&rows(&system)), "{name}");
    }
}
