//! Structural parameters: arrays have the sizes that a system gives.

use std::{f64::consts::PI, fs, path::PathBuf};

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use lotka::{
    Checkpoint, Ensemble, Error, Fmu, Memory, Notification, Observer, Shard, SourceSignal, StartValue, Sweep, System,
    instance::{InstanceFactory, InstantiateOptions, Slot, Structure, TypedValue},
};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use tests::{host_program, joined, joined_fmi3, packed};

/// A system file with a rod of so many nodes.
fn rod(nodes: u64, rest: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("system.toml");
    let text = format!(
        "[experiment]\nstop = 1.0\nstep = 0.25\nfmu-tolerance = 1e-10\n[instances]\nrod = {{ fmu = '{}', start = {{ n = {nodes} }} }}\n{rest}",
        packed("fmi3/heat_rod").display()
    );
    fs::write(&path, text).unwrap();
    (folder, path)
}

fn system(nodes: u64) -> System {
    let (_folder, path) = rod(nodes, "");
    System::from_file(path).unwrap()
}

/// A change of a system.
type Change = fn(System) -> System;

/// Ways to run it.
const WAYS: [(&str, Change); 3] = [
    ("in this process", |system| system),
    ("in a process of its own", |system| system.host_program(host_program()).isolate(true)),
    ("measured", |system| system.profile(true)),
];

fn rows(system: &System) -> Memory {
    let mut rows = Memory::new();
    system.build().unwrap().run(&mut [&mut rows]).unwrap();
    rows
}

/// Every bit of all temperatures.
fn bits(rows: &Memory) -> Vec<u64> {
    let columns = rows.columns().iter().filter_map(|column| rows.real(&column.name));
    columns.flatten().map(|value| value.to_bits()).collect()
}

#[track_caller]
fn problems(system: &System) -> String {
    match system.build() {
        Ok(_) => panic!("the system should be refused"),
        Err(error) => error.to_string(),
    }
}

/// The solution of the semi-discrete heat equation from half a sine wave: `sin(pi i / (n + 1)) exp(-4 a (n + 1)² sin²(pi / (2 (n + 1))) t)`, which is an
/// eigenvector of the matrix of second differences (LeVeque, Finite Difference Methods for Ordinary and Partial Differential Equations, 2007, section 2.10).
fn exact(nodes: u64, node: u64, t: f64) -> f64 {
    let intervals = (nodes + 1) as f64;
    let rate = 4.0 * 0.1 * intervals.powi(2) * (PI / (2.0 * intervals)).sin().powi(2);
    (PI * node as f64 / intervals).sin() * (-rate * t).exp()
}

#[test]
fn a_rod_has_as_many_nodes_as_the_system_file_says() {
    for nodes in [1, 3, 10, 40] {
        let mut known: Option<Vec<u64>> = None;
        for (way, change) in WAYS {
            let rows = rows(&change(system(nodes)).record(&["rod.n", "rod.T", "rod.der(T)"]));
            assert_eq!(rows.columns().len() as u64, 1 + 2 * nodes, "{way}");
            assert_eq!(rows.integer("rod.n").unwrap(), [i128::from(nodes); 5], "{way}");
            for node in 1..=nodes {
                let found = rows.real(&format!("rod.T[{node}]")).unwrap();
                for (value, t) in found.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]) {
                    let expected = exact(nodes, node, t);
                    assert!((value - expected).abs() < 1e-7, "{way}, {nodes}, T[{node}]({t}): {value} for {expected}");
                }
            }
            assert_eq!(known.get_or_insert_with(|| bits(&rows)), &bits(&rows), "{way}");
        }
    }
}

/// The heat equation itself: `T(x, t) = sin(pi x) exp(-a pi² t)` (Crank, The Mathematics of Diffusion, 1975, section 2.3).
#[test]
fn finer_rods_converge_to_the_heat_equation_with_order_2() {
    let error = |nodes: u64| {
        let rows = rows(&system(nodes));
        let middle = rows.real(&format!("rod.T[{}]", nodes.div_ceil(2))).unwrap()[4];
        (middle - (-0.1 * PI * PI).exp()).abs()
    };
    let errors = [9, 19, 39].map(error);
    assert!(errors[0] < 4e-3, "{errors:?}");
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < 0.1, "{order}: {errors:?}");
    }
}

/// Enough runs for instances that are replaced, tried and reset.
#[test]
fn instances_have_their_sizes_in_every_run() {
    for (way, change) in WAYS {
        let mut simulation = change(system(25)).build().unwrap();
        let mut run = || {
            let mut rows = Memory::new();
            simulation.run(&mut [&mut rows]).unwrap();
            bits(&rows)
        };
        let first = run();
        for number in 2..8 {
            assert_eq!(run(), first, "run {number} {way}");
        }
    }
}

#[test]
fn runs_of_a_tolerance_have_their_sizes_on_every_thread() {
    let of = |threads| rows(&rod_with_tolerance(threads));
    assert_eq!(bits(&of(1)), bits(&of(3)));
}

fn rod_with_tolerance(threads: usize) -> System {
    let system = system(12).instance("other", packed("fmi3/heat_rod")).host_program(host_program());
    system.connect("rod.left", "other.mean").connect("other.right", "rod.T[12]").tolerance(1e-5).threads(threads)
}

#[test]
fn names_of_elements_are_those_of_the_new_sizes() {
    let (_folder, path) = rod(4, "other = 'rod.fmu'\n[connections]\n'rod.left' = 'other.T[10]'\n'other.left' = 'rod.T[4]'\n");
    fs::copy(packed("fmi3/heat_rod"), path.with_file_name("rod.fmu")).unwrap();
    let system = System::from_file(&path).unwrap();
    // Without a library, too.
    assert_eq!(system.analyze().unwrap().graph.order.len(), 2);
    assert!(rows(&system).real("rod.T[4]").is_some());
    let smaller = system.clone().start_value("rod.n", 3);
    for text in [problems(&smaller), smaller.analyze().unwrap_err().to_string()] {
        assert!(text.contains("`rod` has no variable `T[4]`"), "{text}");
    }
    let settings = serde_json::to_value(system.manifest().settings).unwrap();
    assert_eq!(settings["instances"][0]["start"][0], serde_json::json!({ "variable": "n", "value": 4 }));
}

#[test]
fn a_value_that_is_the_own_one_of_the_fmu_needs_no_configuration() {
    let given = system(10);
    let mut without = given.clone();
    without.description_mut().instances[0].start.clear();
    assert_eq!(bits(&rows(&given)), bits(&rows(&without)));
    assert_eq!(bits(&rows(&given.start_value("rod.n", 4).start_value("rod.n", 10))), bits(&rows(&without)));
}

/// A sum of rows, which echoes its inputs.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Sums {
    rows: u64,
    columns: u64,
    u: Vec<Input>,
    y: Vec<f64>,
}

impl Default for Sums {
    fn default() -> Self {
        Self { rows: 1, columns: 2, u: vec![Input::new(0.0); 2], y: vec![0.0] }
    }
}

impl Model for Sums {
    const NAME: &'static str = "sums";
    const DESCRIPTION: &'static str = "Sums of the rows of a matrix";

    fn declare(v: &mut Declaration<Self>) {
        v.structural_parameter("rows", |m| &mut m.rows).max(1 << 40);
        v.structural_parameter("columns", |m| &mut m.columns).min(1);
        v.input("u", |m| &mut m.u).sized_by(["rows", "columns"]);
        v.output("y", |m| &mut m.y).sized_by(["rows"]).depends_on([]);
    }

    fn configure(&mut self) -> Result<(), Refusal> {
        if self.rows == 13 {
            return Err(Refusal::error("13 rows bring bad luck"));
        }
        self.u = vec![Input::new(0.0); (self.rows * self.columns) as usize];
        self.y = vec![0.0; self.rows as usize];
        Ok(())
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let columns = self.columns as usize;
        self.y = self.u.chunks(columns).map(|row| row.iter().map(|u| u.value(step.h)).sum()).collect();
        Ok(())
    }
}

fn sums() -> System {
    let sums = joined_fmi3::<Sums>();
    System::new().instance_of("a", &sums).instance_of("b", &sums).stop(2.0).step(1.0).input_degree(0)
}

#[test]
fn start_values_of_arrays_are_lists_by_the_new_sizes() {
    let system = sums().start_value("a.rows", 2).start_value("a.columns", 3).start_value("b.columns", 1);
    let nested = [[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]];
    for system in [
        system.clone().start_array("a.u", nested),
        system.clone().start_array("a.u", nested.concat()),
        system.clone().start_value("a.u", "[[1, 2, 3], [10, 20, 30]]"),
    ] {
        let memory = rows(&system.start_value("b.u", 7.0));
        assert_eq!(["a.y[1]", "a.y[2]", "b.y[1]"].map(|name| memory.real(name).unwrap()[2]), [6.0, 60.0, 7.0]);
    }
    let text = problems(&system.clone().start_array("a.u", [[1.0, 2.0], [3.0, 4.0]]));
    assert!(text.contains("the start value of `a.u` has the wrong size: expected 2 × 3 values, found 2 × 2"), "{text}");
    let text = problems(&system.clone().start_array("a.u", [1.0, 2.0]));
    assert!(text.contains("expected 2 × 3 values, found 2; write a list of 2 × 3 values"), "{text}");
    let text = problems(&system.start_array("a.u[1,1]", [1.0]));
    assert!(text.contains("the start value of `a.u[1,1]` has the wrong type: expected Real, found [1]"), "{text}");
}

/// The declared size is 2: more inputs than that are polynomials, too.
#[test]
fn inputs_of_any_size_are_polynomials_during_a_step() {
    let ramp = SourceSignal::Ramp { time: 0.0, duration: 2.0, from: 0.0, to: 6.0 };
    let system = System::new().instance_of("a", &joined_fmi3::<Sums>()).start_value("a.rows", 3).start_value("a.columns", 2);
    let system = system.source("ramp", ramp).connect("a.u[3,2]", "ramp.y").stop(2.0).step(0.5).input_degree(1);
    let rows = rows(&system);
    for (y, expected) in rows.real("a.y[3]").unwrap().iter().zip([0.0, 1.5, 3.0, 4.5, 6.0]) {
        assert!((y - expected).abs() < 1e-12, "{y} for {expected}");
    }
}

#[test]
fn an_array_of_size_0_vanishes() {
    let empty = sums().start_value("a.rows", 0);
    let memory = rows(&empty.clone().record(&["*.*"]));
    assert!(memory.columns().iter().all(|column| !column.name.starts_with("a.y") && !column.name.starts_with("a.u")));
    let text = problems(&empty.clone().connect("b.u[1,1]", "a.y[1]"));
    assert!(text.contains("instance `a` has no variable `y[1]`"), "{text}");
    let text = problems(&empty.clone().start_value("b.rows", 0).start_value("b.columns", 1).connect("b.u", "a.u"));
    assert!(text.contains("differ"), "{text}");
    let joined = empty.start_value("b.rows", 0).connect("b.u", "a.u");
    let text = problems(&joined);
    assert!(text.contains("`a.u` and `b.u` have no elements: a structural parameter is 0; remove the connection"), "{text}");
    let ignored = sums().start_value("a.rows", 0).start_value("a.u", 1.0).build().unwrap();
    let warnings: Vec<_> = ignored.warnings().iter().map(|warning| warning.text.as_str()).collect();
    assert!(warnings.iter().any(|text| text.contains("`a.u` has no elements")), "{warnings:?}");
}

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

/// Keeps all checkpoints.
#[derive(Default)]
struct Checkpoints(Vec<Checkpoint>);

impl Observer for Checkpoints {
    fn observe(&mut self, notification: &Notification<'_>) {
        if let Notification::Checkpoint(checkpoint) = notification {
            self.0.push((*checkpoint).clone());
        }
    }
}

#[test]
fn a_checkpoint_continues_with_its_sizes_and_no_others() {
    for (way, change) in WAYS {
        let system = change(system(20));
        let (mut all, mut checkpoints) = (Memory::new(), Checkpoints::default());
        let mut simulation = system.build().unwrap();
        simulation.checkpoint_token().unwrap().request_all();
        simulation.run(&mut [&mut all, &mut checkpoints]).unwrap();
        let checkpoint = checkpoints.0.into_iter().find(|checkpoint| checkpoint.rows() == 3).unwrap();
        let mut rest = Memory::new();
        system.build().unwrap().resume(&checkpoint, &mut [&mut rest]).unwrap();
        assert_eq!(rest.time(), [0.75, 1.0], "{way}");
        for node in 1..=20 {
            let name = format!("rod.T[{node}]");
            assert_eq!(rest.real(&name).unwrap(), &all.real(&name).unwrap()[3..], "{way}");
        }
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
