//! Packs small libraries made with the C compiler: tests what is rejected, and that the same input yields the same bytes.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fmi2::Function;
use fmi2::description::{CoSimulation, Interface, ModelDescription};
use fmu_package::{Error, GlibcVersion, Package, Problem};
use tempfile::TempDir;

/// Compiles a library with one empty function per name. `-nostdlib`: it needs nothing and exports nothing else.
fn library(folder: &Path, names: &[&str]) -> PathBuf {
    let (source, library) = (folder.join("library.c"), folder.join("library.so"));
    let functions: String = names.iter().map(|name| format!("int {name}(void) {{ return 0; }}\n")).collect();
    fs::write(&source, functions).unwrap();
    let cc = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let status = Command::new(cc).args(["-shared", "-fPIC", "-nostdlib", "-o"]).args([&library, &source]).status().unwrap();
    assert!(status.success());
    library
}

fn functions() -> Vec<&'static str> {
    Function::ALL.map(Function::symbol).to_vec()
}

fn description(identifier: &str) -> ModelDescription {
    let interface = Interface { model_identifier: identifier.into(), ..Default::default() };
    let variable = fmi2::description::ScalarVariable {
        name: "x".into(),
        value_reference: 0,
        description: None,
        declared_causality: None,
        declared_variability: None,
        declared_initial: None,
        can_handle_multiple_set_per_time_instant: None,
        kind: fmi2::description::VariableKind::Real(Default::default()),
        annotations: vec![],
    };
    ModelDescription {
        fmi_version: "2.0".into(),
        model_name: "Decay".into(),
        guid: "{1}".into(),
        co_simulation: Some(CoSimulation { interface, ..Default::default() }),
        variables: vec![variable],
        ..Default::default()
    }
}

fn problems(error: Error) -> Vec<Problem> {
    match error {
        Error::Unfit { problems, .. } => problems,
        other => panic!("{other}"),
    }
}

#[test]
fn all_problems_come_at_once_and_nothing_is_written() {
    let folder = TempDir::new().unwrap();
    let mut names = functions();
    names.retain(|name| !["fmi2DoStep", "fmi2Reset"].contains(name));
    names.push("helper");
    let package = Package::new(description("2decay"), library(folder.path(), &names))
        .file("../evil", "")
        .file("documentation/index.html", "")
        .file("model.png", "no picture");
    let output = folder.path().join("fmus");
    let problems = problems(package.write_to(&output).unwrap_err());
    let library = folder.path().join("library.so");
    let expected = [
        Problem::BadIdentifier { identifier: "2decay".into() },
        Problem::MissingSymbols { path: library.clone(), names: vec!["fmi2Reset", "fmi2DoStep"] },
        Problem::ExtraSymbols { path: library, names: vec!["helper".into()] },
        Problem::BadName { name: "../evil".into() },
        Problem::DuplicateEntry { name: "documentation/index.html".into() },
        Problem::NotAPng,
    ];
    for problem in &expected {
        assert!(problems.contains(problem), "{problem} is not among {problems:#?}");
    }
    assert!(!output.exists());
}

/// A description of FMI 3.0 with nothing but the time.
fn description3(identifier: &str) -> fmi3::ModelDescription {
    let xml = format!(
        "<fmiModelDescription fmiVersion='3.0' modelName='Decay' instantiationToken='{{1}}'><CoSimulation modelIdentifier='{identifier}'/>\
         <ModelVariables><Float64 name='time' valueReference='0' causality='independent'/></ModelVariables><ModelStructure/>\
         </fmiModelDescription>"
    );
    fmi3::ModelDescription::read(xml.as_bytes(), fmi3::Strictness::Strict).unwrap().description
}

#[test]
fn an_fmu_of_fmi_3_has_its_own_layout() {
    let folder = TempDir::new().unwrap();
    let functions = fmi3::Function::ALL.map(fmi3::Function::symbol);
    let library = library(folder.path(), &functions);
    let package = Package::new(description3("decay"), &library).file("model.png", b"\x89PNG\r\n\x1a\n").file("resources/a", "1");
    let packed = package.write_to(folder.path()).unwrap();
    assert_eq!(packed.exported_symbols, 75);
    let mut zip = zip::ZipArchive::new(fs::File::open(&packed.path).unwrap()).unwrap();
    let names: Vec<_> = (0..zip.len()).map(|i| zip.by_index(i).unwrap().name().unwrap().into_owned()).collect();
    let expected = [
        "modelDescription.xml",
        "binaries/x86_64-linux/decay.so",
        "documentation/index.html",
        "resources/a",
        "terminalsAndIcons/icon.png",
    ];
    assert_eq!(names, expected);
    let xml = std::io::read_to_string(zip.by_name("modelDescription.xml").unwrap()).unwrap();
    assert!(xml.contains("fmiVersion=\"3.0\""), "{xml}");
    let index = std::io::read_to_string(zip.by_name("documentation/index.html").unwrap()).unwrap();
    assert!(index.contains("<td>time</td><td>Float64</td><td>independent</td>") && index.contains("x86_64-linux"), "{index}");

    let of_2 = Package::new(description("decay"), &library).write_to(folder.path()).unwrap_err();
    let [Problem::MissingSymbols { names, .. }] = &problems(of_2)[..] else { panic!("a problem is missing") };
    assert_eq!(names.len(), 34);
    let no_picture = Package::new(description3("decay"), &library).file("model.png", "GIF").write_to(folder.path()).unwrap_err();
    assert_eq!(problems(no_picture), [Problem::NotAPng]);
}

#[test]
fn a_file_that_is_no_library_is_refused_with_its_name() {
    let folder = TempDir::new().unwrap();
    let text = folder.path().join("notes.txt");
    fs::write(&text, "not a library").unwrap();
    let error = Package::new(description("decay"), &text).write_to(folder.path()).unwrap_err();
    assert!(error.to_string().contains("notes.txt is not a readable 64-bit ELF file"), "{error}");
    assert!(matches!(problems(error)[..], [Problem::NotALibrary { .. }]));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    let (first, second) = (folder.path().join("1"), folder.path().join("2"));
    let library = library(folder.path(), &functions());
    let package = Package::new(description("decay"), &library).equations("<p>x' = -x</p>").file("resources/a", "1");
    let packed = package.write_to(&first).unwrap();
    let again = package.clone().write_to(&second).unwrap();
    assert_eq!(fs::read(&packed.path).unwrap(), fs::read(&again.path).unwrap());
    assert_eq!(packed.path, first.join("decay.fmu"));
    assert_eq!((packed.exported_symbols, packed.glibc), (34, None));
    assert_eq!(fs::read_dir(&first).unwrap().count(), 1, "no temporary file stays");
}

#[test]
fn a_library_beside_is_packed_and_counts_for_the_needed_c_library() {
    let folder = TempDir::new().unwrap();
    let neighbor = folder.path().join("libneighbor.so");
    fs::copy(std::env::current_exe().unwrap(), &neighbor).unwrap();
    let package = Package::new(description("decay"), library(folder.path(), &functions())).beside(&neighbor);
    let packed = package.write_to(folder.path()).unwrap();
    assert!(packed.glibc > Some(GlibcVersion { major: 2, minor: 0, patch: 0 }), "{packed}");
    let mut zip = zip::ZipArchive::new(fs::File::open(&packed.path).unwrap()).unwrap();
    assert!(zip.by_name("binaries/linux64/libneighbor.so").is_ok());
}

#[test]
fn the_folder_of_a_crate_brings_equations_files_and_license() {
    let folder = TempDir::new().unwrap();
    let package = folder.path().join("package");
    fs::create_dir_all(package.join("documentation")).unwrap();
    fs::create_dir_all(package.join("resources")).unwrap();
    fs::write(package.join("documentation/equations.html"), "<p>x' = -x</p>").unwrap();
    fs::write(package.join("resources/data.csv"), "1,2").unwrap();
    fs::write(package.join("resources/.hidden"), "").unwrap();
    let workspace = TempDir::new().unwrap();
    fs::write(workspace.path().join("LICENSE-MIT"), "permission").unwrap();
    let library = library(folder.path(), &functions());
    let package = Package::new(description("decay"), library).crate_files(folder.path(), workspace.path()).unwrap();
    let packed = package.write_to(folder.path()).unwrap();
    let mut zip = zip::ZipArchive::new(fs::File::open(&packed.path).unwrap()).unwrap();
    let names: Vec<_> = (0..zip.len()).map(|i| zip.by_index(i).unwrap().name().unwrap().into_owned()).collect();
    let expected = [
        "modelDescription.xml",
        "binaries/linux64/decay.so",
        "documentation/index.html",
        "documentation/licenses/license.txt",
        "resources/data.csv",
    ];
    assert_eq!(names, expected);
    let index = std::io::read_to_string(zip.by_name("documentation/index.html").unwrap()).unwrap();
    assert!(index.contains("<p>x' = -x</p>"));
}

#[test]
fn a_library_for_newer_systems_is_refused_with_the_symbols_that_came_later() {
    let folder = TempDir::new().unwrap();
    let (source, library) = (folder.path().join("newer.c"), folder.path().join("library.so"));
    let functions: String = functions().iter().map(|name| format!("int {name}(void) {{ return 0; }}\n")).collect();
    let used = "#include <stdlib.h>\n__attribute__((visibility(\"hidden\"))) void *use(void) { return malloc(3); }\n";
    fs::write(&source, format!("{used}{functions}")).unwrap();
    let status = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status().unwrap();
    assert!(status.success());
    let package = Package::new(description("decay"), &library);
    let version = |text: &str| text.parse::<GlibcVersion>().unwrap();
    let problems = problems(package.clone().oldest_glibc(version("2.1")).write_to(folder.path()).unwrap_err());
    let [Problem::NewerGlibc { oldest, symbols, .. }] = problems.as_slice() else { panic!("{problems:?}") };
    assert!(*oldest == version("2.1") && symbols.contains(&"malloc (2.2.5)".to_owned()), "{symbols:?}");
    assert!(problems[0].to_string().contains("library.so needs a newer glibc than 2.1: it uses "), "{}", problems[0]);
    assert!(!folder.path().join("decay.fmu").exists());
    assert!(package.oldest_glibc(version("2.17")).write_to(folder.path()).is_ok());
}
