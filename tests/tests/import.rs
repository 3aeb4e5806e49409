//! What the importer does with archives, libraries and instances that are not as they should be.

use std::path::Path;
use std::sync::{Arc, Mutex};

use fmi2::description::Strictness;
use fmi2::{BooleanRef, StepOutcome, StringRef};
use fmi2::{CallError, Cause, Discard, Experiment, Function, Instance, IntegerRef, LogMessage, Phase, RealRef, Status};
use fmu::{Archive, ArchiveProblem, ElfProblem, Error, Fmu, FmuInstance, InstantiateOptions, Limits, OpenOptions, Warning};
use tempfile::TempDir;
use tests::hostile::{BadArchive, Entry, Hostile};

const U: RealRef = RealRef(0);
const Y: RealRef = RealRef(1);

/// Opens at once; the `.fmu` file is gone afterwards.
fn open(fmu: Hostile) -> Result<Fmu, Error> {
    open_with(fmu, &OpenOptions::default())
}

fn open_with(fmu: Hostile, options: &OpenOptions) -> Result<Fmu, Error> {
    let dir = TempDir::new().unwrap();
    Fmu::open_with(fmu.build(dir.path()), options)
}

fn instantiate(fmu: Hostile) -> FmuInstance {
    open(fmu).unwrap().instantiate("it", &InstantiateOptions::default()).unwrap()
}

fn initialize(instance: &mut FmuInstance) {
    instance.setup_experiment(&Experiment { start: 1.0, stop: None, tolerance: None }).unwrap();
    instance.enter_initialization_mode().unwrap();
    instance.exit_initialization_mode().unwrap();
}

/// An instance at t = 1 s.
fn started(fmu: Hostile) -> FmuInstance {
    let mut instance = instantiate(fmu);
    initialize(&mut instance);
    instance
}

type Lines = Arc<Mutex<Vec<LogMessage>>>;

fn listening() -> (Lines, InstantiateOptions) {
    let lines = Lines::default();
    let sink = Arc::clone(&lines);
    let log: fmi2::LogSink = Arc::new(move |line| sink.lock().unwrap().push(line));
    (lines, InstantiateOptions { log: Some(log), logging_on: true, ..InstantiateOptions::default() })
}

fn status(error: Box<CallError>, expected: Status) -> Box<CallError> {
    assert_eq!(error.cause, Cause::Status(expected), "{error}");
    error
}

#[test]
fn bad_archives_are_refused_and_nothing_escapes() {
    use BadArchive as Bad;
    for bad in Bad::ALL {
        let around = TempDir::new().unwrap();
        let dir = around.path().join("inner");
        std::fs::create_dir(&dir).unwrap();
        let result = Fmu::open(bad.build(&dir));
        assert!(!dir.join("escaped.txt").exists() && !around.path().join("escaped.txt").exists(), "{bad:?}");
        let problem = match result {
            Ok(fmu) => {
                assert!(matches!(bad, Bad::Misnamed | Bad::DotSlash | Bad::Backslash), "{bad:?} was accepted");
                assert!(!fmu.warnings().is_empty(), "{bad:?}");
                continue;
            }
            Err(error) => error,
        };
        assert!(problem.to_string().contains("bad.fmu"), "{problem}");
        let as_expected = match bad {
            Bad::Empty | Bad::NotAZip | Bad::Truncated => matches!(problem, Error::NotAnArchive { .. }),
            Bad::ParentPath | Bad::HiddenParentPath | Bad::AbsolutePath | Bad::DrivePath | Bad::BackslashParent => {
                matches!(problem, Error::ArchiveRefused { problem: ArchiveProblem::Outside { .. }, .. })
            }
            Bad::Link | Bad::LinkToDirectory => {
                matches!(problem, Error::ArchiveRefused { problem: ArchiveProblem::Link { .. }, .. })
            }
            Bad::Duplicate => matches!(problem, Error::ArchiveRefused { problem: ArchiveProblem::DuplicateNames, .. }),
            Bad::DuplicateNormalized | Bad::FileAndDirectory => {
                matches!(problem, Error::ArchiveRefused { problem: ArchiveProblem::Duplicate { .. }, .. })
            }
            Bad::Encrypted => matches!(problem, Error::ArchiveRefused { problem: ArchiveProblem::Encrypted { .. }, .. }),
            Bad::ForeignMethod => matches!(problem, Error::ArchiveRefused { problem: ArchiveProblem::Method { .. }, .. }),
            Bad::Bomb => matches!(problem, Error::ArchiveRefused { problem: ArchiveProblem::TooDense { .. }, .. }),
            Bad::BadChecksum | Bad::WrongSize => matches!(problem, Error::DamagedEntry { .. }),
            Bad::NoDescription => matches!(problem, Error::NoModelDescription { .. }),
            Bad::NoBinary => matches!(&problem, Error::NoBinary { present, .. } if present.is_empty()),
            Bad::ForeignPlatform => matches!(&problem, Error::NoBinary { present, .. } if present == &["darwin64", "win64"]),
            Bad::TwoMisnamed => matches!(&problem, Error::AmbiguousLibrary { found, .. } if found == &["another.so", "other.so"]),
            Bad::EmptyLibrary | Bad::TextLibrary => is_elf_problem(&problem, |problem| *problem == ElfProblem::NotElf),
            Bad::TruncatedLibrary => is_elf_problem(&problem, |problem| *problem == ElfProblem::Truncated),
            Bad::ForeignMachine => is_elf_problem(&problem, |problem| *problem == ElfProblem::OtherMachine { machine: 183 }),
            Bad::ForeignClass => is_elf_problem(&problem, |problem| *problem == ElfProblem::OtherClass),
            Bad::NotALibrary => is_elf_problem(&problem, |problem| *problem == ElfProblem::NotShared { kind: 1 }),
            Bad::Misnamed | Bad::DotSlash | Bad::Backslash => false,
        };
        assert!(as_expected, "{bad:?}: {problem:?}");
    }
}

fn is_elf_problem(error: &Error, matches: impl Fn(&ElfProblem) -> bool) -> bool {
    matches!(error, Error::BadLibrary { problem, .. } if matches(problem))
}

#[test]
fn limits_are_kept() {
    let problem_with = |limits: Limits| match open_with(Hostile::new("limits"), &OpenOptions { limits, ..OpenOptions::default() })
    {
        Err(Error::ArchiveRefused { problem, .. }) => problem,
        other => panic!("{other:?}"),
    };
    let limits = Limits::default();
    assert_eq!(problem_with(Limits { entries: 1, ..limits }), ArchiveProblem::TooManyEntries { entries: 2, limit: 1 });
    assert_eq!(problem_with(Limits { total_size: 1000, ..limits }), ArchiveProblem::TooLarge { limit: 1000 });
    assert_eq!(problem_with(Limits { description_size: 10, ..limits }), ArchiveProblem::TooLarge { limit: 10 });
}

#[test]
fn entries_that_differ_in_case_only_and_common_top_folders_are_refused() {
    let case = Hostile::new("case").edit_archive(|entries| entries.push(Entry::stored("MODELDESCRIPTION.XML", "x")));
    let error = open(case).unwrap_err();
    assert!(matches!(error, Error::ArchiveRefused { problem: ArchiveProblem::Duplicate { .. }, .. }), "{error}");
    let top = Hostile::new("top").edit_archive(|entries| entries.iter_mut().for_each(|entry| entry.name.insert_str(0, "top/")));
    let error = open(top).unwrap_err();
    assert!(error.to_string().contains("`top/modelDescription.xml`"), "{error}");
}

#[test]
fn an_archive_is_read_without_being_unpacked() {
    let dir = TempDir::new().unwrap();
    let path = Hostile::new("archive").build(dir.path());
    let mut archive = Archive::open(&path, &OpenOptions { strictness: Strictness::Strict, ..OpenOptions::default() }).unwrap();
    assert_eq!((archive.path(), archive.platforms(), archive.warnings().len()), (path.as_path(), vec!["linux64".to_owned()], 0));
    assert_eq!(archive.description().model_name, "archive");
    let target = dir.path().join("unpacked");
    archive.unpack(&target).unwrap();
    assert!(target.join("resources").is_dir() && target.join("binaries/linux64/archive.so").is_file());
    assert!(matches!(archive.unpack(&target), Err(Error::Io { .. })), "existing files are not overwritten");
}

#[test]
fn descriptions_that_cannot_be_used_are_refused() {
    let error = open(Hostile::new("xml").edit_xml(|xml| xml.truncate(300))).unwrap_err();
    assert!(matches!(error, Error::Description { .. }), "{error}");
    let error = open(Hostile::new("me").edit_xml(|xml| *xml = xml.replace("<CoSimulation", "<ModelExchange"))).unwrap_err();
    assert!(matches!(error, Error::NoCoSimulation { .. } | Error::Description { .. }), "{error}");
    let error = open(Hostile::new("id").edit_xml(|xml| *xml = xml.replace("Identifier=\"id", "Identifier=\"../id"))).unwrap_err();
    assert!(matches!(error, Error::BadModelIdentifier { .. } | Error::Description { .. }), "{error}");
    assert!(matches!(Fmu::open("/does/not/exist.fmu"), Err(Error::Io { .. })));
}

#[test]
fn missing_functions_are_named_or_cost_a_capability() {
    let Err(Error::MissingFunctions { names, .. }) = open(Hostile::new("m").omit("fmi2DoStep").omit("fmi2Terminate")) else {
        panic!()
    };
    assert_eq!(names, ["fmi2Terminate", "fmi2DoStep"]);
    let fmu = open(Hostile::new("few").omit("fmi2SetFMUstate").omit("fmi2Reset")).unwrap();
    assert!(!fmu.capabilities().save_state && !fmu.capabilities().serialize_state && fmu.capabilities().variable_step);
    assert!(fmu.warnings().contains(&Warning::MissingFunctions { names: vec!["fmi2Reset", "fmi2SetFMUstate"] }));
    assert!(fmu.warnings().contains(&Warning::CapabilityDropped { attribute: "canGetAndSetFMUstate" }));
    let mut instance = fmu.instantiate("few", &InstantiateOptions::default()).unwrap();
    assert_eq!(instance.reset().unwrap_err().cause, Cause::Unsupported);
    assert_eq!(instance.new_slot().unwrap_err().cause, Cause::Unsupported);
}

#[test]
fn a_neighbor_library_is_loaded_first() {
    let fmu = open(Hostile::new("near").neighbor(true)).unwrap();
    assert!(fmu.warnings().contains(&Warning::NeighborsLoaded { libraries: vec!["libneighbor.so".into()] }));
    fmu.instantiate("near", &InstantiateOptions::default()).unwrap();
}

#[test]
fn a_library_that_cannot_be_linked_is_refused_with_the_reason() {
    // The soname differs from that of the library that the other test may have loaded into this process.
    let lacking = Hostile::new("lacking").neighbor(false).edit_archive(|entries| {
        let name = b"libneighbor.so";
        let at = entries[1].data.windows(name.len()).position(|window| window == name).unwrap();
        entries[1].data[at + 3] = b'X';
        entries[1] = Entry::stored("binaries/linux64/lacking.so", std::mem::take(&mut entries[1].data));
    });
    let error = open(lacking).unwrap_err();
    assert!(matches!(error, Error::Load { .. }) && error.to_string().contains("libXeighbor.so"), "{error}");
}

#[test]
fn many_instances_share_one_unpacked_copy_that_disappears_with_the_last() {
    let dir = TempDir::new().unwrap();
    let fmu = Fmu::open(Hostile::new("shared_copy").build(dir.path())).unwrap();
    let library = mapped_library("shared_copy.so");
    assert!(Path::new(&library).is_file());
    let one = fmu.instantiate("one", &InstantiateOptions::default()).unwrap();
    let two = fmu.clone().instantiate("two", &InstantiateOptions::default()).unwrap();
    drop(fmu);
    drop(one);
    assert!(Path::new(&library).is_file());
    assert_eq!(mapped_library("shared_copy.so"), library);
    drop(two);
    assert!(!Path::new(&library).exists());
}

fn mapped_library(name: &str) -> String {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let mut found: Vec<_> =
        maps.lines().filter_map(|line| line.split_whitespace().nth(5)).filter(|path| path.ends_with(name)).collect();
    found.dedup();
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].to_owned()
}

#[test]
fn instantiation_fails_with_what_was_logged() {
    let error =
        open(Hostile::new("license").define("INSTANTIATE_FAILS")).unwrap().instantiate("it", &Default::default()).unwrap_err();
    assert!(error.to_string().contains("`it`") && error.to_string().contains("logged: no license found"), "{error}");
    let guid = Hostile::new("guid").edit_xml(|xml| *xml = xml.replace("{hostile}", "{other}"));
    let error = open(guid).unwrap().instantiate("it", &Default::default()).unwrap_err();
    assert!(error.to_string().contains("the GUID is {other}, not {hostile}"), "{error}");
    let silent = open(Hostile::new("silent").define("INSTANTIATE_FAILS_SILENTLY")).unwrap();
    let error = silent.instantiate("it", &Default::default()).unwrap_err();
    assert!(error.to_string().contains("it logged nothing"), "{error}");
    for name in ["", " ", "a\0b"] {
        assert!(matches!(silent.instantiate(name, &Default::default()), Err(Error::BadInstanceName { .. })));
    }
}

#[test]
fn an_fmu_for_one_instance_per_process_gets_one_at_a_time() {
    let fmu = open(Hostile::new("single").capability("canBeInstantiatedOnlyOncePerProcess", true)).unwrap();
    let first = fmu.instantiate("first", &Default::default()).unwrap();
    let error = fmu.instantiate("second", &Default::default()).unwrap_err();
    assert!(matches!(error, Error::OnlyOncePerProcess { .. }), "{error}");
    drop(first);
    fmu.instantiate("third", &Default::default()).unwrap();
}

#[test]
fn a_discarded_step_tells_how_far_it_came() {
    let mut instance = started(Hostile::new("discard").reply("fmi2DoStep", 2).define("FAULT_ABOVE=0.3"));
    let slot = instance.new_slot().unwrap();
    instance.save(slot).unwrap();
    let discard = Discard { last_successful_time: Some(1.25), terminate: false };
    assert_eq!(instance.do_step(1.0, 0.5, false).unwrap(), StepOutcome::Discarded(discard));
    assert_eq!(instance.phase(), Phase::StepFailed);
    let error = instance.do_step(1.0, 0.1, false).unwrap_err();
    assert_eq!(error.cause, Cause::NotAllowed(Phase::StepFailed));
    instance.restore(slot).unwrap();
    let mut outputs = [7.0];
    assert_eq!(instance.step((&[U], &[1.0]), 1.0, 0.25, (&[Y], &mut outputs)).unwrap(), StepOutcome::Complete);
    let refused = instance.step((&[U], &[1.0]), 1.25, 0.5, (&[Y], &mut outputs)).unwrap();
    assert!(matches!(refused, StepOutcome::Discarded(Discard { last_successful_time: Some(1.5), .. })));
    instance.terminate().unwrap();
}

#[test]
fn what_cannot_be_true_about_a_discarded_step_is_not_believed() {
    for (define, terminate) in
        [("LAST_SUCCESSFUL_TIME=NAN", false), ("LAST_SUCCESSFUL_TIME=99", true), ("LAST_SUCCESSFUL_TIME=-1", false)]
    {
        let fmu =
            Hostile::new("liar").reply("fmi2DoStep", 2).define(define).define(&format!("TERMINATED={}", i32::from(terminate)));
        let discard = Discard { last_successful_time: None, terminate };
        assert_eq!(started(fmu).do_step(1.0, 0.5, false).unwrap(), StepOutcome::Discarded(discard));
    }
    let mute = Hostile::new("mute").reply("fmi2DoStep", 2).omit("fmi2GetRealStatus").omit("fmi2GetBooleanStatus");
    let discard = Discard { last_successful_time: None, terminate: false };
    assert_eq!(started(mute).do_step(1.0, 0.5, false).unwrap(), StepOutcome::Discarded(discard));
}

#[test]
fn a_discarded_value_leaves_the_instance_usable() {
    let mut instance = started(Hostile::new("picky").reply("fmi2SetReal", 2).define("FAULT_TIMES=1"));
    status(instance.set_real(&[U], &[1.0]).unwrap_err(), Status::Discard);
    assert_eq!(instance.phase(), Phase::StepComplete);
    instance.set_real(&[U], &[2.0]).unwrap();
    instance.do_step(1.0, 0.5, false).unwrap();
}

#[test]
fn after_an_error_the_instance_can_be_reset_or_restored_but_not_terminated() {
    let mut instance = started(Hostile::new("erring").reply("fmi2DoStep", 3).define("FAULT_TIMES=2"));
    let slot = instance.new_slot().unwrap();
    instance.save(slot).unwrap();
    let error = status(instance.do_step(1.0, 0.5, false).unwrap_err(), Status::Error);
    assert_eq!((error.function, error.time, error.instance.as_str()), (Function::DoStep, Some(1.0), "it"));
    assert_eq!(error.log.last().unwrap(), "the step at 1 s was told to answer 3");
    assert_eq!(instance.terminate().unwrap_err().cause, Cause::NotAllowed(Phase::Error));
    instance.restore(slot).unwrap();
    assert_eq!(instance.phase(), Phase::StepComplete);
    status(instance.do_step(1.0, 0.5, false).unwrap_err(), Status::Error);
    instance.reset().unwrap();
    initialize(&mut instance);
    instance.do_step(1.0, 0.5, false).unwrap();
}

#[test]
fn after_a_fatal_error_no_instance_of_the_fmu_is_called_any_more() {
    // The library aborts the process when it is called once more.
    let fmu = open(Hostile::new("doomed").reply("fmi2DoStep", 4)).unwrap();
    let make = |name: &str| {
        let mut instance = fmu.instantiate(name, &Default::default()).unwrap();
        initialize(&mut instance);
        instance
    };
    let (mut one, mut two) = (make("one"), make("two"));
    let slot = one.new_slot().unwrap();
    one.save(slot).unwrap();
    status(one.do_step(1.0, 0.5, false).unwrap_err(), Status::Fatal);
    assert_eq!((one.phase(), two.phase()), (Phase::Fatal, Phase::Fatal));
    assert_eq!(two.do_step(1.0, 0.5, false).unwrap_err().cause, Cause::NotAllowed(Phase::Fatal));
    assert_eq!(one.reset().unwrap_err().cause, Cause::NotAllowed(Phase::Fatal));
    assert_eq!(one.restore(slot).unwrap_err().cause, Cause::NotAllowed(Phase::Fatal));
    assert!(matches!(fmu.instantiate("three", &Default::default()), Err(Error::Lost { .. })));
}

#[test]
fn integers_that_are_no_status_are_errors() {
    for number in [6, 99, -1] {
        let mut instance = started(Hostile::new("odd").reply("fmi2DoStep", number));
        assert_eq!(instance.do_step(1.0, 0.5, false).unwrap_err().cause, Cause::UnknownStatus(number));
        assert_eq!(instance.phase(), Phase::Error);
    }
    let mut instance = started(Hostile::new("pending_get").reply("fmi2GetReal", 5));
    status(instance.get_real(&[Y], &mut [0.0]).unwrap_err(), Status::Pending);
    assert_eq!(instance.phase(), Phase::Error);
}

#[test]
fn a_pending_step_is_waited_for() {
    let mut instance = started(Hostile::new("patient").reply("fmi2DoStep", 5));
    for n in 0..3 {
        let outcome = instance.do_step(1.0 + 0.5 * f64::from(n), 0.5, false).unwrap();
        assert_eq!((outcome, instance.phase()), (StepOutcome::Complete, Phase::StepComplete));
    }
}

#[test]
fn a_step_that_stays_pending_is_canceled() {
    let fmu = open(Hostile::new("sleeper").reply("fmi2DoStep", 5).define("PENDING_POLLS=-1")).unwrap();
    let options = InstantiateOptions { pending_timeout_s: 0.01, ..InstantiateOptions::default() };
    let mut instance = fmu.instantiate("it", &options).unwrap();
    initialize(&mut instance);
    assert_eq!(instance.do_step(1.0, 0.5, false).unwrap_err().cause, Cause::PendingTimeout(0.01));
    assert_eq!(instance.phase(), Phase::StepCanceled);
    instance.reset().unwrap();
}

#[test]
fn warnings_are_logged_and_the_call_succeeds() {
    let fmu = open(Hostile::new("warner").reply("fmi2DoStep", 1)).unwrap();
    let (lines, options) = listening();
    let mut instance = fmu.instantiate("it", &options).unwrap();
    initialize(&mut instance);
    assert_eq!(instance.do_step(1.0, 0.5, false).unwrap(), StepOutcome::Complete);
    let lines = lines.lock().unwrap();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_eq!((lines[0].status, lines[0].instance.as_str()), (Some(Status::Warning), "it"));
}

#[test]
fn odd_log_lines_from_any_thread_are_survived() {
    let fmu = open(Hostile::new("talker").define("BAD_LOG").define("LOG_FROM_THREAD").define("LOG_AFTER_FREE")).unwrap();
    let (lines, options) = listening();
    let mut instance = fmu.instantiate("it", &options).unwrap();
    initialize(&mut instance);
    instance.do_step(1.0, 0.5, false).unwrap();
    drop(instance);
    let count = lines.lock().unwrap().len();
    assert!(count >= 13 + 100, "{count}");
    assert!(lines.lock().unwrap().iter().all(|line| line.message.len() <= 3 * 8192 && line.instance == "it"));
    assert!(lines.lock().unwrap().iter().any(|line| line.message == "100% of %s and %d and 5 %"));
    assert_eq!(Arc::strong_count(&lines), 2, "only the options hold the listener");
}

#[test]
fn odd_values_are_put_right() {
    let fmu = Hostile::new("odd_values").define("TRUE_VALUE=2").define("NULL_STRINGS").define("UNWRITTEN_OUTPUTS");
    let mut instance = started(fmu);
    let (mut real, mut boolean, mut string) = ([7.0], [false], [String::from("old")]);
    instance.get_real(&[Y], &mut real).unwrap();
    instance.get_boolean(&[BooleanRef(1)], &mut boolean).unwrap();
    instance.get_string(&[StringRef(1)], &mut string).unwrap();
    assert_eq!((real, boolean, string[0].as_str()), ([0.0], [true], ""));
    let mut instance = started(Hostile::new("latin").define("BAD_UTF8"));
    let mut string = [String::new()];
    instance.get_string(&[StringRef(1)], &mut string).unwrap();
    assert_eq!(string[0], "caf\u{fffd} \u{fffd}");
}

#[test]
fn serialized_states_of_absurd_size_are_refused() {
    for size in ["((size_t)1 << 40)", "(size_t)-1"] {
        let mut instance = started(Hostile::new("fat").define(&format!("SERIALIZED_SIZE={size}")));
        let slot = instance.new_slot().unwrap();
        instance.save(slot).unwrap();
        let error = instance.serialize(slot).unwrap_err();
        assert!(matches!(error.cause, Cause::BadReply(_)), "{error}");
        assert_eq!(instance.phase(), Phase::StepComplete);
    }
}

#[test]
fn floating_point_control_and_working_directory_are_put_back_with_a_warning() {
    let before = (std::env::current_dir().unwrap(), f64::MIN_POSITIVE / std::hint::black_box(4.0));
    let fmu = open(Hostile::new("rude").define("CHANGE_DIRECTORY").define("FLUSH_TO_ZERO").define("CHANGE_ROUNDING")).unwrap();
    let (lines, options) = listening();
    let _instance = fmu.instantiate("it", &options).unwrap();
    assert_eq!((std::env::current_dir().unwrap(), f64::MIN_POSITIVE / std::hint::black_box(4.0)), before);
    assert_eq!(1.0 + std::hint::black_box(1e-30), 1.0, "rounding is to nearest");
    let lines = lines.lock().unwrap();
    assert!(
        lines.iter().any(|line| line.message.contains("working directory") && line.message.contains("floating-point")),
        "{lines:?}"
    );
}

#[test]
fn integers_and_texts_cross_the_border_unchanged() {
    let mut instance = instantiate(Hostile::new("texts"));
    instance.set_string(&[StringRef(0)], &["höhe 100 %"]).unwrap();
    initialize(&mut instance);
    instance.set_integer(&[IntegerRef(0)], &[i32::MIN]).unwrap();
    instance.do_step(1.0, 0.5, true).unwrap();
    let (mut integers, mut strings) = ([0; 2], [String::new(), String::new()]);
    instance.get_integer(&[IntegerRef(0), IntegerRef(1)], &mut integers).unwrap();
    instance.get_string(&[StringRef(0), StringRef(1)], &mut strings).unwrap();
    assert_eq!((integers, strings), ([i32::MIN, 1], ["höhe 100 %".to_owned(), "höhe 100 % 1".to_owned()]));
}
