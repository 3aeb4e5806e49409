//! FMUs that would get each other's libraries, interpreters or names in one process: they get processes of their own, or a word
//! says why not.

use std::path::PathBuf;

use lotka::{Code, Coded, Error, Memory, System};
use tempfile::TempDir;
use tests::quirks::Quirk;

/// Two FMUs, in folders of their own.
struct Pair {
    paths: [PathBuf; 2],
    _folders: [TempDir; 2],
}

impl Pair {
    fn new(fmus: [Quirk; 2]) -> Self {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let mut folder = folders.iter();
        Self { paths: fmus.map(|fmu| fmu.build(folder.next().unwrap().path())), _folders: folders }
    }

    fn system(&self) -> System {
        let [a, b] = &self.paths;
        System::new().instance("a", a).instance("b", b).stop(1.0).step(0.5).host_program(tests::host_program())
    }
}

fn quirk(name: &str) -> Quirk {
    Quirk::new("companion").described_by("lag").named(name)
}

/// The last values of `y`, and the messages with one of the codes for FMUs that do not get along.
fn run(system: &System) -> (Vec<f64>, Vec<(Code, String)>) {
    let mut results = Memory::new();
    let mut simulation = system.build().unwrap_or_else(|error| panic!("{error}"));
    let report = simulation.run(&mut [&mut results]).unwrap_or_else(|failure| panic!("{failure}"));
    simulation.close().unwrap_or_else(|error| panic!("{error}"));
    let last = |name| *results.real(name).unwrap().last().unwrap();
    let names = ["a.y", "b.y", "c.y"];
    let values = names.into_iter().filter(|name| results.real(name).is_some()).map(last).collect();
    let is_about = |code| matches!(code, Code::FmusParted | Code::FmusMixed);
    let warnings = report.warnings.iter().filter(|warning| is_about(warning.code));
    (values, warnings.map(|warning| (warning.code, warning.text.clone())).collect())
}

#[track_caller]
fn is_parted(pair: &Pair, why: &str) -> Vec<f64> {
    let (values, warnings) = run(&pair.system());
    let [(Code::FmusParted, text)] = &warnings[..] else { panic!("{warnings:?}") };
    let [a, b] = pair.paths.each_ref().map(|path| path.display().to_string());
    assert!(text.starts_with(&format!("{a} and {b} run in separate processes: ")) && text.contains(why), "{text}");
    values
}

#[test]
fn libraries_of_one_name_stay_with_their_fmus() {
    let pair = Pair::new([quirk("a").companion("parted", 2), quirk("b").companion("parted", 3)]);
    assert_eq!(is_parted(&pair, "both bring a library `libparted.so` with different contents"), [2.0, 3.0]);
}

#[test]
fn interpreters_and_versions_of_a_model_are_parted() {
    let python = |name: &str| quirk(name).define("CALLS=PyObject_Call");
    is_parted(&Pair::new([python("a"), python("b").companion("unlike", 2)]), "both use Python");
    let java = |name: &str| quirk(name).define("CALLS=JNI_CreateJavaVM");
    is_parted(&Pair::new([java("a"), java("b")]), "both use Java");
    let versions = Pair::new([quirk("model"), quirk("model").define("CALLS=newer")]);
    is_parted(&versions, "both have the model identifier `model` with different contents");
}

#[test]
fn what_is_the_same_or_has_other_names_stays_in_one_process() {
    for fmus in [
        [quirk("a").companion("same", 2), quirk("b").companion("same", 2)],
        [quirk("a").companion("one", 2), quirk("b").companion("other", 3)],
        [quirk("model"), quirk("model")],
        [quirk("a").define("CALLS=PyObject_Call"), quirk("b").define("CALLS=jl_call")],
    ] {
        let pair = Pair::new(fmus);
        // Without a host program nothing can be isolated.
        let (_, warnings) = run(&pair.system().host_program("/nowhere/host"));
        assert_eq!(warnings, []);
    }
}

#[test]
fn who_asks_for_one_process_gets_it_with_a_warning() {
    let pair = Pair::new([quirk("a").companion("chosen", 2), quirk("b").companion("chosen", 3)]);
    let mut system = pair.system();
    let set = |system: &mut System, index: usize| {
        system.description_mut().instances[index].isolation.isolation = Some(lotka::Isolation::None.into());
    };
    set(&mut system, 1);
    let (values, warnings) = run(&system);
    assert_eq!((values, warnings[0].0), (vec![2.0, 3.0], Code::FmusParted), "the other one gets a process");
    set(&mut system, 0);
    let (_, warnings) = run(&system);
    assert!(matches!(&warnings[..], [(Code::FmusMixed, text)] if text.contains("`libchosen.so`")), "{warnings:?}");
}

#[test]
fn without_a_host_nothing_is_loaded() {
    let pair = Pair::new([quirk("unloaded_a").companion("nohost", 2), quirk("unloaded_b").companion("nohost", 3)]);
    let error = pair.system().host_program("/nowhere/host").build().map(drop).unwrap_err();
    let text = error.to_string();
    assert!(matches!(&error, Error::Load(_)) && error.code() == Code::FmusClash, "{text}");
    for part in ["instance `b`: ", "unloaded_a.fmu and ", "unloaded_b.fmu cannot run in one process", "`lotka::serve_if_host`"] {
        assert!(text.contains(part), "{text}");
    }
    let loaded = std::fs::read_to_string("/proc/self/maps").unwrap();
    assert!(!loaded.contains("unloaded_a.so") && !loaded.contains("unloaded_b.so"));
}

#[test]
fn libraries_of_an_earlier_system_count_because_they_stay_loaded() {
    let pair = Pair::new([quirk("a").companion("earlier", 2), quirk("b").companion("earlier", 3)]);
    let alone = |path: &PathBuf| run(&System::new().instance("a", path).stop(1.0).step(0.5).host_program(tests::host_program()));
    let [first, second] = pair.paths.each_ref().map(alone);
    assert_eq!((first.0, first.1.len(), second.0, second.1[0].0), (vec![2.0], 0, vec![3.0], Code::FmusParted));
    let warnings = fmu::Fmu::open(&pair.paths[1]).unwrap().warnings().to_vec();
    assert!(warnings.iter().any(|warning| matches!(warning, fmu::Warning::Mixed { .. })), "{warnings:?}");
}
