//! Flags: short forms, numbers, formats, and whose fault a problem is.

use super::support::{Case, LOOP};
use tests::hostile::Hostile;

/// Refused, with exactly this line on stderr.
#[track_caller]
fn assert_blamed(case: &Case, flags: &[&str], line: &str) {
    let ended = case.lotka(&[&["run", "system.toml"], flags].concat());
    assert_eq!((ended.code, ended.stderr.trim_end()), (10, line), "{ended:?}");
}

#[test]
fn problems_of_flags_are_reported_of_the_flag() {
    let case = Case::of(Hostile::new("a"));
    assert_blamed(
        &case,
        &["--start-value", "a.kk=2"],
        "--start-value a.kk=2: instance `a` has no variable `kk`; did you mean `k`? [unknown-variable]",
    );
    assert_blamed(
        &case,
        &["--start-time", "7"],
        "--start-time 7: the stop time 1 s is not after the start time 7 s; increase `stop`, or reduce `start` \
         [stop-before-start]",
    );
    assert_blamed(
        &case,
        &["--stop-time", "-3.5e-1"],
        "--stop-time -0.35: the stop time -0.35 s is not after the start time 0 s; increase `stop`, or reduce `start` \
         [stop-before-start]",
    );
    assert_blamed(
        &case,
        &["--record", "a.yy"],
        "--record a.yy: instance `a` has no variable `yy`; did you mean `y`? [unknown-variable]",
    );
    assert_blamed(
        &case,
        &["--output-interval", "0.25"],
        "--output-interval 0.25: the output interval 0.25 s is not a multiple of the step 0.1 s; use 0.3, or change `step` [interval-not-multiple]",
    );
    case.write("t.csv", "time,uu\n0,1\n1,1\n");
    let ended = case.lotka(&["run", "a.fmu", "--input-file", "t.csv"]);
    let line = "--input-file t.csv: instance `a` has no variable `uu`; did you mean `u`? [unknown-variable]";
    assert_eq!((ended.code, ended.stderr.trim_end()), (10, line));
}

#[test]
fn a_flag_that_does_not_go_with_the_file_is_the_one_to_blame() {
    let case = Case::new(
        &format!("[experiment]\nstop = 1\nlocal-tolerance = 1e-4\noutput-interval = 0.25\n{LOOP}[algorithm]\ncontroller = 'i'\n"),
        [Hostile::new("a"), Hostile::new("b")],
    );
    let ended = case.lotka(&["run", "system.toml", "--step-size", "0.1"]);
    let lines = [
        "--step-size 0.1: the output interval 0.25 s is not a multiple of the step 0.1 s; use 0.3, or change `step` [interval-not-multiple]",
        "system.toml: warning: `step` replaces the step-size settings of the system: Lotka ignores `controller` [meaningless-setting]",
    ];
    let mut told: Vec<_> = ended.stderr.lines().collect();
    told.sort_unstable();
    assert_eq!((ended.code, told), (10, lines.to_vec()));
    let of_file =
        Case::new(&format!("[experiment]\nstart = 3\nstop = 1\nstep = 0.1\n{LOOP}"), [Hostile::new("a"), Hostile::new("b")]);
    of_file.lotka(&["run", "system.toml"]).assert(10, &["system.toml:3:8: the stop time 1 s is not after"]);
}

/// What made steps before goes with all that belongs to it, as imported projects have first and smallest steps that nobody can
/// leave out.
#[test]
fn a_flag_replaces_how_steps_were_made() {
    let settings = "local-tolerance = 1e-4\nfirst-step = 0.01\nmin-step = 1e-6\noutput-interval = 0.2";
    let algorithm = "[algorithm]\ncompatibility = 'mastersim'\niterations = 5\nmin-iterated-step = 1e-3\n";
    let case =
        Case::new(&format!("[experiment]\nstop = 1\n{settings}\n{LOOP}{algorithm}"), [Hostile::new("a"), Hostile::new("b")]);
    case.lotka(&["run", "system.toml"]).assert(0, &[]);
    let dropped = "`tolerance` replaces the step-size settings of the system: Lotka ignores `compatibility`, `first-step`, `min-step`, `min-iterated-step`";
    case.lotka(&["run", "system.toml", "--tolerance", "1e-3"])
        .assert(0, &[dropped, "[meaningless-setting]", "tolerance 1e-3 kept"]);
    let dropped = "`step` replaces the step-size settings of the system: Lotka ignores `compatibility`, `first-step`, `min-step`";
    case.lotka(&["run", "system.toml", "--step-size", "0.1"]).assert(0, &[dropped]);
    let ended = case.lotka(&["run", "system.toml", "--local-tolerance", "1e-3"]);
    assert!(ended.code == 0 && !ended.stderr.contains("replaces"), "{}", ended.stderr);
}

#[test]
fn a_warning_names_the_flag_too() {
    let case = Case::of(Hostile::new("a"));
    let ended = case.run(&["--start-value", "a.u=2"]);
    ended.assert(0, &["warning: --start-value a.u=2: the start value of `a.u` has no effect: the input is connected"]);
}

#[test]
fn numbers_may_be_negative_in_every_form() {
    let case = Case::of(Hostile::new("a"));
    for start in ["-1", "-1.0", "-1e0", "-.5", "-5e-1"] {
        let ended = case.lotka(&["run", "system.toml", "--start-time", start, "--stop-time", "0", "--start-value", "a.x0=-2"]);
        let first = start.parse::<f64>().unwrap();
        assert!(
            ended.code == 0 && ended.stdout.lines().nth(1).unwrap().starts_with(&format!("{first:?},-2.0,")),
            "{start}: {ended:?}"
        );
    }
    case.lotka(&["run", "system.toml", "--step-size", "-0.1"])
        .assert(2, &["'-0.1' for '--step-size <SECONDS>': expected a number greater than 0"]);
    case.lotka(&["run", "system.toml", "--tolerance", "-1e-6"]).assert(2, &["expected a number greater than 0"]);
}

#[test]
fn the_output_file_has_a_short_form() {
    let case = Case::of(Hostile::new("a"));
    case.lotka(&["run", "system.toml", "-o", "rows.csv"]).assert(0, &[]);
    assert!(case.read("rows.csv").starts_with("time,a.y,"));
    case.lotka(&["new", "a.fmu", "-o", "new.toml"]).assert(0, &[]);
    case.lotka(&["graph", "system.toml", "-o", "graph.dot"]).assert(0, &[]);
    case.lotka(&["report", "rows.csv", "-o", "page.html"]).assert(0, &[]);
    for name in ["new.toml", "graph.dot", "page.html"] {
        assert!(case.path(name).is_file(), "{name}");
    }
}

#[test]
fn a_format_that_there_is_not_is_refused_before_the_run() {
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", tests::hostile::CRASH));
    for name in ["rows.h5", "rows.xlsx", "rows.tsv", "rows.csv.gz"] {
        let ended = case.lotka(&["run", "system.toml", "-o", name]);
        ended.assert(
            2,
            &[
                &format!("cannot infer a format from `{name}`; use the extension .csv, .mat, .parquet or .arrow, or pass --output-format with one of csv, mat, parquet, arrow"),
                "[unknown-format]",
            ],
        );
        assert!(!case.path(name).exists(), "{name}");
    }
    let sound = Case::of(Hostile::new("a"));
    for (name, flags) in [("rows", &[][..]), ("rows.txt", &[]), ("rows.CSV", &[]), ("rows.h5", &["--output-format", "csv"])] {
        sound.lotka(&[&["run", "system.toml", "-o", name], flags].concat()).assert(0, &[]);
        assert!(sound.read(name).starts_with("time,a.y,"), "{name}");
    }
}

#[test]
fn a_slip_of_the_pen_is_answered_with_what_was_meant() {
    let case = Case::predator_prey("step = 0.5");
    case.lotka(&["runn", "system.toml"]).assert(2, &["unrecognized subcommand 'runn'", "a similar subcommand exists: 'run'"]);
    case.lotka(&["run", "system.toml", "--stoptime", "3"]).assert(2, &["a similar argument exists: '--stop-time'"]);
    let tried = case.lotka(&["run", "system.toml", "--try", "jacoby"]);
    assert_eq!(tried.code, 10, "{tried:?}");
    assert!(tried.stdout.contains(" unknown sweep `jacoby`; did you mean `jacobi`?"), "{tried:?}");
    assert!(!tried.stdout.contains("system.toml"), "{tried:?}");
}

#[test]
fn of_many_instances_only_the_most_expensive_have_a_line() {
    let names: String = (0..30).map(|n| format!("i{n:02} = 'a.fmu'\n")).collect();
    let links: String = (0..7).map(|n| format!("'i{n:02}.u' = 'i29.y'\n")).collect();
    let text = format!("[experiment]\nstop = 1\nstep = 0.1\n[instances]\n{names}[connections]\n{links}");
    let case = Case::new(&text, [Hostile::new("a")]);
    let short = case.run(&[]);
    let lines: Vec<_> = short.stderr.lines().filter(|line| line.starts_with("  ")).collect();
    assert_eq!(lines.len(), 7, "{short:?}");
    assert!(lines[0].starts_with("  all  ") && lines[0].contains("do_step 300"), "{short:?}");
    assert!(lines[1].starts_with("  i00  set_real 10"), "{short:?}");
    assert_eq!(lines[6], "  the 5 most expensive of 30; -v shows all");
    let long = case.run(&["-v"]);
    assert_eq!(long.stderr.lines().filter(|line| line.starts_with("  i")).count(), 30, "{long:?}");
}

#[test]
fn rows_that_no_memory_can_hold_are_refused_before_the_run() {
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", tests::hostile::CRASH));
    let flags = ["run", "system.toml", "--tolerance", "1e-6", "--output-interval", "5e-13", "-o", "rows.csv"];
    case.lotka(&flags).assert(
        10,
        &["the rows of the run need about ", " PB of memory, more than this machine has; increase `output-interval`"],
    );
    assert!(!case.path("rows.csv").exists());
    let sound = Case::of(Hostile::new("a"));
    sound.run(&["-vv", "--report", "r.html"]).assert(0, &["the rows of the run need about 792.000 B of memory"]);
}
