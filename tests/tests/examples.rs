//! Every system file of the examples runs with packed FMUs, ends where the exact solution ends, and its README says where that is.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use lotka::{End, Memory, Report, System};
use tests::{
    packed,
    systems::{Known, Table, known},
};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// All files below the examples that end in `.toml`, but for the crates among them: `folder/file.toml`.
fn system_files() -> Vec<String> {
    let names = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let folders = names(&examples()).filter(|folder| examples().join(folder).is_dir());
    let files = folders.flat_map(|folder| names(&examples().join(&folder)).map(move |file| format!("{folder}/{file}")));
    let mut files: Vec<_> = files.filter(|file| file.ends_with(".toml") && !file.ends_with("/Cargo.toml")).collect();
    files.sort();
    files
}

/// The example with packed FMUs.
fn system(file: &str) -> System {
    accuracy::system_file(&examples().join(file), packed("prey").parent().unwrap()).unwrap()
}

/// The exact values at the stop time.
fn exact_end(file: &str) -> Vec<(&'static str, f64)> {
    fn last<const N: usize>(known: Known<N>) -> Vec<(&'static str, f64)> {
        known.variables.into_iter().zip(known.states.last().unwrap().1).collect()
    }
    let species = Table::three_species().at(100.0);
    match file {
        "three-species/components.toml" => known::THREE_SPECIES_COMPONENTS.into_iter().zip(species).collect(),
        "three-species/species.toml" => known::THREE_SPECIES.into_iter().zip(species).collect(),
        file => match file.split('/').next().unwrap() {
            "predator-prey" => ["prey.x", "predator.y"].into_iter().zip(Table::predator_prey().at(100.0)).collect(),
            "two-mass-oscillator" => last(known::TWO_MASS),
            "quarter-car" => last(known::QUARTER_CAR),
            "van-der-pol" => last(known::VAN_DER_POL),
            _ => panic!("say where {file} ends"),
        },
    }
}

/// Largest relative deviation at the end of runs that promise none: what their method is known to have.
fn deviation(file: &str) -> f64 {
    match file {
        "predator-prey/gauss-seidel.toml" => 0.04,
        "predator-prey/jacobi.toml" => 0.7,
        "predator-prey/iterated.toml" => 0.6,
        "predator-prey/mastersim.toml" | "predator-prey/system.toml" => 4e-3,
        _ => panic!("say how accurate {file} is, or set `tolerance` in it"),
    }
}

/// The tolerance, and below which size values are judged absolutely.
fn promise(file: &str, variable: &str, report: &Report) -> (f64, f64) {
    let Some(error) = &report.global_error else { return (deviation(file), 0.0) };
    let output = error.outputs.iter().find(|output| output.name == variable).unwrap();
    (error.tolerance, output.scale)
}

#[test]
fn every_system_file_ends_where_the_exact_solution_ends() {
    let files = system_files();
    assert!(files.len() >= 11, "{files:?}");
    for file in files {
        let mut results = Memory::new();
        let report = system(&file).build().unwrap().run(&mut [&mut results]).unwrap();
        assert_eq!(report.end, End::StopTime, "{file}: {:?}", report.global_error);
        for (variable, exact) in exact_end(&file) {
            let got = *results.real(variable).unwrap().last().unwrap();
            let (tolerance, scale) = promise(&file, variable, &report);
            let error = (got - exact).abs() / exact.abs().max(scale);
            assert!(error <= tolerance, "{file}: {variable} = {got}, exactly {exact}: {error:e} > {tolerance:e}");
        }
    }
}

#[test]
fn every_readme_names_its_files_and_the_exact_end() {
    for file in system_files() {
        let (folder, name) = file.split_once('/').unwrap();
        let readme = fs::read_to_string(examples().join(folder).join("README.md")).unwrap();
        assert!(readme.contains(&format!("[{name}]({name})")), "{folder}/README.md does not link {name}");
        for (variable, exact) in exact_end(&file) {
            assert!(readme.contains(&format!("{exact:.6}")), "{folder}/README.md does not have {variable} = {exact:.6}");
        }
    }
}
