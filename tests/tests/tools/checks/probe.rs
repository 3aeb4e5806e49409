//! What the probe answers: nothing but good of sound FMUs, and the right question fails for each fault.

use std::path::Path;
use std::time::Duration;

use lotka::{ProbeOptions, ProbeReport, ProbeVerdict, Soundness, probe_fmu};
use tests::{
    hostile::{ABORT, CRASH, EXIT, HANG, Hostile},
    patience::PATIENCE,
};

/// FMI statuses.
const DISCARD: i32 = 2;
const ERROR: i32 = 3;

fn probe(path: &Path, time_limit: Duration) -> ProbeReport {
    probe_fmu(path, &ProbeOptions { time_limit, host_program: Some(tests::host_program()), ..ProbeOptions::default() })
}

fn probed(fmu: Hostile) -> ProbeReport {
    let folder = tempfile::tempdir().unwrap();
    probe(&fmu.build(folder.path()), PATIENCE)
}

fn with(fault: &str) -> Hostile {
    Hostile::new("probed").define(fault)
}

fn items(report: &ProbeReport, verdict: ProbeVerdict) -> Vec<&'static str> {
    report.items.iter().filter(|item| item.verdict == verdict).map(|item| item.name).collect()
}

fn explanation<'r>(report: &'r ProbeReport, name: &str) -> &'r str {
    &report.items.iter().find(|item| item.name == name).unwrap().explanation
}

/// Exactly these questions fail, and the first of them with this text in its explanation.
#[track_caller]
fn assert_fails(fmu: Hostile, names: &[&str], text: &str) {
    let report = probed(fmu);
    assert_eq!(items(&report, ProbeVerdict::Fail), names, "{report:#?}");
    assert!(explanation(&report, names[0]).contains(text), "{report:#?}");
}

#[test]
fn sound_fmus_pass() {
    for name in ["prey", "predator_prey", "bouncing_ball", "two_state_plant", "circle"] {
        let report = probe(&tests::packed(name), PATIENCE);
        assert_eq!(items(&report, ProbeVerdict::Fail), [""; 0], "{name}: {report:#?}");
        assert_eq!(items(&report, ProbeVerdict::NotSupported), [""; 0], "{name}: {report:#?}");
        assert!(items(&report, ProbeVerdict::Skipped).iter().all(|skipped| *skipped == "discard"), "{name}: {report:#?}");
    }
    assert_eq!(items(&probed(Hostile::new("sound")), ProbeVerdict::Fail), [""; 0]);
}

#[test]
fn what_an_fmu_does_not_claim_is_not_asked() {
    let modest = Hostile::new("modest")
        .capability("canGetAndSetFMUstate", false)
        .capability("canSerializeFMUstate", false)
        .capability("canHandleVariableCommunicationStepSize", false)
        .capability("canBeInstantiatedOnlyOncePerProcess", true);
    let report = probed(modest);
    assert_eq!(items(&report, ProbeVerdict::Fail), [""; 0], "{report:#?}");
    let wanted = ["rollback", "serialization", "two-instances", "variable-steps", "internal-steps", "last-step", "discard"];
    assert_eq!(items(&report, ProbeVerdict::NotSupported), wanted);
}

#[test]
fn a_life_cycle_that_fails_leaves_nothing_to_ask() {
    for (reply, text, process_ended) in [
        (ERROR, "fmi2DoStep at t = 0 s returned fmi2Error", false),
        (ABORT, "SIGABRT", true),
        (CRASH, "SIGSEGV", true),
        (EXIT, "exit code 0", true),
    ] {
        let report = probed(Hostile::new("probed").reply("fmi2DoStep", reply));
        assert!(report.soundness() == Soundness::Unusable && report.items[0].explanation.contains(text), "{report:#?}");
        assert_eq!(report.items[0].process_ended, process_ended);
        assert_eq!(report.count(ProbeVerdict::Skipped), report.items.len() - 1);
    }
    let folder = tempfile::tempdir().unwrap();
    let hanging = Hostile::new("probed").reply("fmi2DoStep", HANG).build(folder.path());
    let report = probe(&hanging, Duration::from_secs(5));
    assert!(report.items[0].explanation.contains("no answer within 5 s") && report.items[0].process_ended, "{report:#?}");
}

#[test]
fn an_fmu_that_cannot_be_loaded_leaves_nothing_to_ask() {
    let report = probed(Hostile::new("probed").reply("constructor", ABORT));
    assert!(report.soundness() == Soundness::Unusable && report.items[0].process_ended, "{report:#?}");
    assert!(report.items[0].explanation.contains("loading the library did not return"), "{report:#?}");
}

#[test]
fn a_crash_at_the_end_is_the_answer_to_one_question() {
    let fails = ["terminate", "free", "call-order", "last-step"];
    assert_fails(Hostile::new("probed").reply("fmi2Terminate", CRASH), &fails, "SIGSEGV");
}

#[test]
fn reset_fails() {
    assert_fails(Hostile::new("probed").reply("fmi2Reset", ERROR), &["reset", "call-order"], "fmi2Reset at t = ");
}

#[test]
fn outputs_that_depend_on_other_things_are_seen() {
    assert_fails(with("DIFFERENT_EACH_TIME"), &["repeatability"], "after step 1, y is ");
    assert_fails(with("SHARED_STATE"), &["two-instances"], "after step 1, y is ");
    assert_fails(with("ONCE_PER_PROCESS"), &["two-instances"], "there is an instance already");
    assert_fails(with("NAN_AT=0.55"), &["values"], "y is NaN at t = ");
}

#[test]
fn where_there_is_nothing_to_compare_nothing_is_found_equal() {
    let mute = Hostile::new("probed").edit_xml(|xml| {
        *xml = xml.replace(r#"causality="output""#, r#"causality="local""#);
        let (start, end) = (xml.find("<Outputs>").unwrap(), xml.find("</Outputs>").unwrap() + "</Outputs>".len());
        xml.replace_range(start..end, "");
    });
    let report = probed(mute);
    for item in ["terminate", "reset", "repeatability", "rollback", "serialization", "two-instances"] {
        assert!(items(&report, ProbeVerdict::Skipped).contains(&item), "{item}: {report:#?}");
        assert!(explanation(&report, item).contains("outputs to compare"), "{item}: {report:#?}");
    }
}

#[test]
fn rollback_says_how_far_off_it_is() {
    assert_fails(with("ROLLBACK_NOISE=1e-9"), &["rollback", "serialization"], "a relative difference of 1.0e-9");
    assert_fails(with("FORGETFUL_STATE"), &["rollback", "serialization"], "y is ");
}

#[test]
fn strictness_about_times_is_seen() {
    assert_fails(with("STRICT_TIME"), &["time-rounding"], "off by its last bit: fmi2DoStep at t = ");
    assert_fails(with("STRICT_STEP"), &["step-rounding", "variable-steps", "last-step"], "off by its last bit");
    assert_fails(with("NEEDS_STOP"), &["no-stop-time"], "a stop time is needed");
    assert_fails(with("NEEDS_TOLERANCE"), &["no-tolerance"], "a tolerance is needed");
}

/// What nearly all FMUs do is no restriction.
#[test]
fn a_step_beyond_the_stop_time_is_a_note() {
    let report = probed(with("NO_STOP"));
    assert_eq!(items(&report, ProbeVerdict::Note), ["beyond-stop"], "{report:#?}");
    assert!(explanation(&report, "beyond-stop").contains("the standard requires an error"), "{report:#?}");
    assert_eq!((items(&report, ProbeVerdict::Fail), report.soundness()), (vec![], Soundness::Sound), "{report:#?}");
}

/// Without a default step size, those inside the FMU decide, not a part of the duration.
#[test]
fn steps_are_multiples_of_those_inside_the_fmu() {
    for (inside, step) in [("0.1", "0.1"), ("0.004", "0.02")] {
        let edit = move |xml: &mut String| {
            let start = xml.find("<DefaultExperiment").unwrap();
            let end = start + xml[start..].find("/>").unwrap();
            xml.replace_range(start..end, "<DefaultExperiment startTime=\"0\" stopTime=\"2\"");
            *xml = xml.replacen("canHandleVariable", &format!("fixedInternalStepSize=\"{inside}\" canHandleVariable"), 1);
        };
        let report = probed(Hostile::fmi3("probed").edit_xml(edit));
        assert!(explanation(&report, "life-cycle").contains(&format!(" steps of {step} s")), "{report:#?}");
    }
}

#[test]
fn a_discarded_step_must_say_how_far_it_came() {
    let picky = || Hostile::new("probed").reply("fmi2DoStep", DISCARD).define("FAULT_ABOVE=0.2");
    let report = probed(picky());
    assert_eq!(items(&report, ProbeVerdict::Fail), [""; 0], "{report:#?}");
    assert!(explanation(&report, "discard").contains("reached 0.5 s"), "{report:#?}");
    assert_fails(picky().define("LAST_SUCCESSFUL_TIME=NAN"), &["discard"], "does not report the time it reached");
    let stuck = picky().capability("canGetAndSetFMUstate", false).capability("canSerializeFMUstate", false);
    assert_fails(stuck, &["discard"], "cannot be rolled back");
}

/// Nothing fails, and the answer to this question is so explained.
#[track_caller]
fn assert_sound(fmu: Hostile, name: &str, text: &str) {
    let report = probed(fmu);
    assert_eq!((items(&report, ProbeVerdict::Fail), report.soundness()), (vec![], Soundness::Sound), "{report:#?}");
    assert!(explanation(&report, name).contains(text), "{report:#?}");
}

#[test]
fn what_the_standard_allows_is_no_failure() {
    assert_sound(with("STRICT_STOP"), "stop-rounding", "the step is refused");
    assert_sound(with("STRICT_LOG"), "logging", "categories that are not listed are refused");
}

#[test]
fn a_discard_in_the_life_cycle_is_shown_and_leaves_the_rest_to_ask() {
    let picky = Hostile::new("probed").reply("fmi2DoStep", DISCARD).define("FAULT_ABOVE=0.03");
    let discarded = "9 steps of 0.025 s, to t = 0.22";
    let report = probed(picky);
    assert_eq!(items(&report, ProbeVerdict::Fail), [""; 0], "{report:#?}");
    assert!(explanation(&report, "life-cycle").contains(discarded), "{report:#?}");
    assert!(explanation(&report, "life-cycle").ends_with("it logged: a step of 0.1 s at 0 s is too large"), "{report:#?}");
    assert!(explanation(&report, "discard").contains("the usual step works afterwards"), "{report:#?}");

    let never = probed(Hostile::new("probed").reply("fmi2DoStep", DISCARD));
    assert_eq!(never.soundness(), Soundness::Unusable, "{never:#?}");
    assert!(explanation(&never, "life-cycle").contains("was discarded"), "{never:#?}");
    assert_eq!(never.items.iter().filter(|item| item.explanation == "the life cycle fails").count(), 0, "{never:#?}");
    assert!(items(&never, ProbeVerdict::Pass).contains(&"locale") || items(&never, ProbeVerdict::Fail).contains(&"locale"));
}

#[test]
fn an_fmu_that_stands_still_while_a_rollback_may_follow_is_seen() {
    let frozen = || with("NEEDS_COMMIT").capability("canGetAndSetFMUstate", false).capability("canSerializeFMUstate", false);
    let report = probed(frozen());
    assert_eq!((items(&report, ProbeVerdict::Fail), report.soundness()), (vec!["commit"], Soundness::Usable), "{report:#?}");
    assert!(
        explanation(&report, "commit")
            .contains("with noSetFMUStatePriorToCurrentPoint = false, after step 1, y is 1 instead of 0.9")
    );
    // It rests at the start: only inputs that change show it.
    let resting = || {
        frozen().edit_xml(|xml| *xml = xml.replace("initial=\"exact\"><Real start=\"1\"", "initial=\"exact\"><Real start=\"0\""))
    };
    assert_fails(resting(), &["commit"], "with noSetFMUStatePriorToCurrentPoint = false");
}

#[test]
fn the_answers_add_up_to_a_verdict() {
    let soundness = |fmu: Hostile| probed(fmu).soundness();
    assert_eq!(soundness(Hostile::new("probed")), Soundness::Sound);
    assert_eq!(soundness(with("FORGETFUL_STATE")), Soundness::Usable);
    assert_eq!(soundness(Hostile::new("probed").reply("fmi2Reset", CRASH)), Soundness::Usable);
    for function in ["fmi2FreeInstance", "fmi2Terminate", "fmi2EnterInitializationMode"] {
        for reply in [CRASH, EXIT] {
            assert_eq!(soundness(Hostile::new("probed").reply(function, reply)), Soundness::Unusable, "{function} {reply}");
        }
    }
    let avoided: Vec<_> = probed(with("FORGETFUL_STATE")).failures().map(|item| (item.name, item.avoid.unwrap())).collect();
    assert!(avoided[0].0 == "rollback" && avoided[0].1.contains("`iterations`"), "{avoided:?}");
}

#[test]
fn odd_log_categories_are_seen() {
    assert_fails(with("BAD_LOG"), &["logging"], "it logs in the category \"");
}

#[test]
fn traces_are_seen() {
    assert_fails(with("LEAVE_THREAD"), &["threads"], "1 threads remain");
    assert_fails(with("CHANGE_DIRECTORY"), &["working-directory"], "Lotka restores it");
    assert_fails(
        with("CHANGE_DIRECTORY").define("MISBEHAVE_IN_STEP"),
        &["working-directory"],
        "it changes the working directory",
    );
    assert_fails(with("CHANGE_LOCALE"), &["locale"], "it changes the locale");
    assert_fails(with("CHANGE_ROUNDING"), &["floating-point"], "Lotka restores them");
    assert_fails(with("FLUSH_TO_ZERO").define("MISBEHAVE_IN_STEP"), &["floating-point"], "it changes rounding");
    assert_fails(with("CHANGE_SIGNALS"), &["signal-handlers"], "signal 11");
    assert_fails(with("CLOSE_STDOUT"), &["streams-and-files"], "standard output");
    assert_fails(with("PRINT_LINES=1"), &["streams-and-files"], "printed by the FMU");
    assert_fails(with("LEAVE_FILE"), &["streams-and-files"], "left_behind.txt");
    assert_fails(with("LEAVE_FILE_OPEN"), &["streams-and-files"], "/dev/null is still open");
}
