//! Sources and scenarios through the command.

use super::support::Case;
use tests::hostile::Hostile;

const HEAD: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = 'a.fmu'\n";
const SYSTEM: &str = "[sources]\nt = { csv = 't.csv' }\n[connections]\n'a.u' = 't.u'\n";
const TABLE: &str = "time,u\n0,1\n0.25,2\n0.25,3\n1,0\n";

fn case(rest: &str, table: &str, fmu: Hostile) -> Case {
    let case = Case::new(&format!("{HEAD}{rest}"), [fmu]);
    case.write("t.csv", table);
    case
}

#[test]
fn a_table_is_run_shown_drawn_and_checked() {
    let scenario = "[[scenario]]\nat = 0.55\nuntil = 0.75\nset = { a.u = 4.0 }\n";
    let case = case(&format!("{SYSTEM}{scenario}"), TABLE, Hostile::new("a"));
    case.run(&["-v"]).assert(0, &["stop time 1 s reached", "13 steps"]);
    let rows = case.read("out.csv");
    let times: Vec<_> = rows.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
    let twice = |time: &str| times.iter().filter(|other| **other == time).count();
    assert_eq!((times.len(), twice("0.25"), twice("0.55"), twice("0.75"), twice("0.5")), (17, 2, 2, 2, 1), "{rows}");
    assert!(rows.lines().next().unwrap().ends_with(",t.u"), "{rows}");
    let shown = case.lotka(&["inspect", "system.toml"]).stdout;
    for part in
        ["sources\n  t  csv  t.csv (linear)", "scenario\n  from 0.55 s to 0.75 s  a.u = 4", "t.u  is known before the run"]
    {
        assert!(shown.contains(part), "no `{part}` in\n{shown}");
    }
    assert!(case.lotka(&["inspect", "--coupling", "system.toml"]).code == 0);
    assert!(case.lotka(&["graph", "system.toml"]).stdout.contains("~"));
    assert_eq!(case.lotka(&["check", "system.toml"]).code, 0);
    let tried = case.lotka(&["run", "system.toml", "--try", "jacobi:1,gauss-seidel:1"]);
    assert!(tried.code == 0 && tried.stdout.contains("jacobi:1"), "{tried:?}");
}

#[test]
fn problems_of_a_table_have_their_place_and_do_not_hide_others() {
    let ended = case(&format!("{SYSTEM}'a.v' = 't.u'\n'a.level' = 't.w'\n"), "time,u\n0,x\n1,2,3\n", Hostile::new("a")).run(&[]);
    ended.assert(
        10,
        &[
            "system.toml:7:13: t.csv:2: column `u`: expected a number, found `x` [table-value]\n",
            "system.toml:7:13: t.csv:3: expected 2 fields in the row, found 3",
            "system.toml:10:1: instance `a` has no variable `v`",
        ],
    );
    let missing = Case::new(&format!("{HEAD}{SYSTEM}"), [Hostile::new("a")]);
    missing.run(&[]).assert(10, &["system.toml:7:13: t.csv: cannot be read: "]);
    let short = case(SYSTEM, "time,u\n0,1\n0.5,1\n", Hostile::new("a"));
    short.run(&[]).assert(
        10,
        &["t.csv has values from 0 s to 0.5 s, but the experiment with source `t` runs from 0 s to 1 s; set outside = \"hold\""],
    );
    short.run(&["--stop-time", "0.5"]).assert(0, &[]);
}

#[test]
fn a_manifest_tells_runs_with_other_tables_apart() {
    let case = case(SYSTEM, TABLE, Hostile::new("a"));
    case.run(&["--manifest", "one.json"]).assert(0, &[]);
    case.run(&["--manifest", "same.json"]).assert(0, &[]);
    case.write("t.csv", &TABLE.replace("1,0", "1,1"));
    case.run(&["--manifest", "other.json"]).assert(0, &[]);
    assert_eq!(case.lotka(&["compare", "one.json", "same.json"]).code, 0);
    let ended = case.lotka(&["compare", "one.json", "other.json"]);
    assert!(ended.code == 14 && ended.stdout.contains("file of t"), "{ended:?}");
}

#[test]
fn fmus_of_one_step_size_go_across_kinks_and_refuse_jumps_between_steps() {
    let of_one_size = || Hostile::new("a").capability("canHandleVariableCommunicationStepSize", false);
    case(SYSTEM, "time,u\n0,1\n0.25,2\n1,0\n", of_one_size()).run(&[]).assert(0, &["10 steps"]);
    case(SYSTEM, &TABLE.replace("0.25", "0.3"), of_one_size()).run(&[]).assert(0, &["10 steps"]);
    let refused = "source `t` jumps at 0.25 s, between two steps, but instance `a` supports one step size only; move it to a \
                   multiple of step = 0.1";
    case(SYSTEM, TABLE, of_one_size()).run(&[]).assert(10, &["system.toml:7:1: ", refused]);
    let scenario = "[[scenario]]\nat = 0.55\nset = { a.u = 4.0 }\n";
    let refused =
        "system.toml:7:6: the scenario changes values at 0.55 s, between two steps, but instance `a` supports one step size only";
    case(scenario, "", of_one_size()).run(&[]).assert(10, &[refused]);
}

#[test]
fn converted_systems_keep_their_sources_and_scenarios() {
    let scenario = "[[scenario]]\nat = 0.55\nset = { a.u = 4.0 }\n";
    let case = case(&format!("{SYSTEM}{scenario}"), TABLE, Hostile::new("a"));
    case.run(&[]).assert(0, &[]);
    let rows = case.read("out.csv");
    for name in ["other.toml", "other.ssd", "other.ssp"] {
        let converted = case.lotka(&["convert", "system.toml", name]);
        assert_eq!(converted.code, 0, "{converted:?}");
        let ran = case.lotka(&["run", name, "--output-file", "other.csv"]);
        assert_eq!(ran.code, 0, "{name}: {ran:?}");
        assert_eq!(case.read("other.csv"), rows, "{name}");
    }
}

/// A table is one, whatever its format.
#[test]
fn a_source_reads_every_format_of_results() {
    let case = case(SYSTEM, "time, u [-]\n0,1\n0.25,2\n0.25,3\n1,0\n", Hostile::new("a"));
    case.run(&[]).assert(0, &[]);
    // The rows of a run have the column `t.u` of the source, with its kinks and jumps.
    let rows = case.read("out.csv");
    for name in ["rows.csv", "rows.mat", "rows.parquet", "rows.arrow"] {
        let record = ["--record", "t.u", "--output-file", name];
        case.lotka(&[&["run", "system.toml"], &record[..]].concat()).assert(0, &[]);
        case.write("again.toml", &format!("{HEAD}[sources]\nt = '{name}'\n[connections]\n'a.u' = 't.t.u'\n"));
        case.lotka(&["run", "again.toml", "--output-file", "again.csv"]).assert(0, &[]);
        assert_eq!(case.read("again.csv").replace("t.t.u", "t.u"), rows, "{name}");
    }
}

/// What is wrong with a table is the same in a source and in a comparison.
#[test]
fn commas_of_decimals_and_at_line_ends_have_one_sentence_everywhere() {
    let sentences = [
        ("time;u\n0;0,5\n1;1,2\n", "t.csv:2: column `u`: expected a decimal point, found the decimal comma of `0,5`"),
        ("time,u\n0,1\n1,\"0,5\"\n", "t.csv:3: column `u`: expected a decimal point, found the decimal comma of `0,5`"),
        ("time,u\n0,0,0,5\n", "t.csv:2: expected a decimal point, found the decimal comma of `0,0`"),
        ("time,u,\n0,1,\n1,1,\n", "t.csv:1: the line ends with a comma, so that column 3 has no content; remove the comma"),
        ("time;u\n0;1;\n1;1;\n", "t.csv:2: the line ends with a semicolon, so that column 3 has no content"),
    ];
    for (table, sentence) in sentences {
        let case = case(SYSTEM, table, Hostile::new("a"));
        let run = case.run(&[]);
        run.assert(10, &["system.toml:7:13: ", sentence]);
        assert_eq!(run.stderr.matches("t.csv:").count(), 1, "{run:?}");
        let compared = case.lotka(&["compare", "t.csv", "t.csv"]);
        assert!(compared.code != 0 && compared.stderr.contains(sentence), "{compared:?}");
    }
    let cut = case(SYSTEM, "time,u\n0,1\n1,0\n2", Hostile::new("a"));
    cut.run(&[]).assert(0, &["t.csv: line 4 has no line end: Lotka ignores this incomplete row [unfinished-line]"]);
}
