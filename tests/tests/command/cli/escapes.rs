//! Escape sequences in names, descriptions, log lines and files reach no terminal, whatever prints them. Data for programs stays
//! as it is.

use std::process::Command;

use super::{
    support::{Case, Ended, lotka},
    verbosity::on_terminal_of,
};
use lotka::printable;
use tests::hostile::Hostile;

/// The title of a window, an empty screen, a link, a line over another one, text from right to left, a C1 sequence, hidden text,
/// and a line that seems to be an error.
const ODD: &str = "\u{1b}]0;title\u{7}\u{1b}[2J\u{1b}]8;;//link\u{1b}\\x\ry\u{202e}\u{9b}2J\u{1b}[8mhidden\nerror: forged";

/// What XML permits of it.
const ODD_XML: &str = "x&#13;y&#x202e;&#x9b;2J&#10;error: forged";

/// The same in a string of C or TOML.
const ODD_ESCAPED: &str =
    r"\u001b]0;title\u0007\u001b[2J\u001b]8;;//link\u001b\\x\ry\u202e\u009b2J\u001b[8mhidden\nerror: forged";
const ODD_IN_C: &str = r#""\033]0;title\007\033[2J\033]8;;//link\033\\x\ry\xe2\x80\xae\xc2\x9b""2J\033[8mhidden\nerror: forged""#;

/// Beginnings of what a terminal obeys, in `ODD`.
const FOREIGN: [&str; 8] = ["\u{1b}]", "\u{7}", "\u{1b}[2J", "\u{1b}[8m", "\u{1b}\\", "\u{202e}", "\u{9b}", "x\ry"];

/// A line that seems to be an error. Rows may have it: a field of CSV can have several lines.
const FORGED: [&str; 2] = ["\nerror: forged", "\rerror: forged"];

fn hostile() -> Hostile {
    let xml = |text: &mut String| {
        *text = text
            .replace("name=\"y\"", &format!("name=\"y{ODD_XML}\" description=\"about {ODD_XML}\""))
            .replace("<Real/>", &format!("<Real unit=\"m{ODD_XML}\"/>"))
            .replace("Lotka tests", &format!("Lotka tests {ODD_XML}"))
            .replace("logEvents", &format!("logEvents{ODD_XML}"));
    };
    Hostile::new("a").define("LOG_LINES=1").define(&format!("LOG_LINE={ODD_IN_C}")).edit_xml(xml)
}

fn system(instance: &str) -> String {
    format!(
        "[experiment]\nstop = 1.0\nstep = 0.5\n[instances]\n\"{instance}\" = {{ fmu = 'a.fmu', start = {{ label = \"{ODD_ESCAPED}\" }} }}\n\
         b = 'b.fmu'\n[connections]\n'b.u' = \"{instance}.y{}\"\n",
        r"x\ry\u202e\u009b2J\nerror: forged"
    )
}

/// A system of the hostile FMU under a hostile name, files with hostile names and contents, and the results of a run.
fn case() -> Case {
    let case = Case::new(&system(&format!("a{ODD_ESCAPED}")), [hostile(), Hostile::new("b")]);
    case.write("bad.toml", &format!("[experiment]\n\"stop{ODD_ESCAPED}\" = 1.0\n[instances]\n\"{ODD_ESCAPED}\" = 'none.fmu'\n"));
    case.write("broken.toml", &format!("[experiment]\nstop = \u{1b}[2J{}\n", ODD.replace('\n', " ")));
    case.write(
        "study.toml",
        &format!(
            "[sweep]\nsystem = 'system.toml'\n[parameters]\n\"a{ODD_ESCAPED}\".none = {{ from = 1.0, to = 2.0, count = 2 }}\n"
        ),
    );
    case.write("a.csv", &format!("time,\"a{ODD}\"\n0,1\n1,2\n"));
    case.write("b.csv", &format!("time,\"a{ODD}\"\n0,1\n1,3\n"));
    case.write("bad.ssd", "<SystemStructureDescription name=\"x\u{202e}\u{9b}2J\" version=\"1.0\"><Odd");
    let name = ODD.replace('/', "");
    case.write(&format!("{name}.toml"), "[experiment]\nstopp = 1\n");
    case.write(&format!("{name}.csv"), "time,a\n0,1\n");
    case.lotka(&["run", "system.toml", "--output-file", "rows.csv", "--manifest", "run.json"]).assert(0, &[]);
    case
}

/// Commands that print, and whether their stdout is data for programs.
const COMMANDS: [(&str, bool); 29] = [
    ("run system.toml -vv --log-level debug", true),
    ("run system.toml --isolate --log-level debug", true),
    ("run system.toml --rows --output-interval 0.5", true),
    ("run system.toml --estimate --profile", true),
    ("run system.toml --tolerance 1e-3 -vv", true),
    ("run system.toml --json", false),
    ("run system.toml --try jacobi,gauss-seidel", false),
    ("run system.toml --output-file out.mat --report run.html", false),
    ("run bad.toml", false),
    ("run broken.toml", false),
    ("run bad.ssd", false),
    ("run *title*.toml", false),
    ("inspect a.fmu --all", false),
    ("inspect a.fmu --json", false),
    ("inspect system.toml", false),
    ("inspect system.toml --coupling", false),
    ("inspect system.toml --json", false),
    ("check a.fmu --strict", false),
    ("check a.fmu --run", false),
    ("check a.fmu --hostile", false),
    ("check system.toml", false),
    ("compare a.csv b.csv", false),
    ("compare *title*.csv a.csv --variable none", false),
    ("compare a.csv b.csv --variable none", false),
    ("graph system.toml", false),
    ("graph system.toml --format svg", false),
    ("plot a.csv b.csv", false),
    ("sweep study.toml --force", false),
    ("convert system.toml out.ssd --force", false),
];

/// Runs the command as a shell does.
fn shell(case: &Case, command: &str) -> Ended {
    let line = format!("exec {} {command}", lotka().display());
    Command::new("sh").args(["-c", &line]).current_dir(case.dir()).env("XDG_CACHE_HOME", case.cache()).output().unwrap().into()
}

#[track_caller]
fn assert_none(command: &str, text: &str, unwanted: &[&str]) {
    for unwanted in unwanted {
        assert!(!text.contains(unwanted), "{command}: {unwanted:?} in\n{text:?}");
    }
}

#[track_caller]
fn assert_harmless(command: &str, text: &str) {
    assert_none(command, text, &FOREIGN);
    assert_none(command, text, &FORGED);
}

#[test]
fn no_command_prints_what_a_terminal_obeys() {
    let case = case();
    let mut quiet = Vec::new();
    for (command, is_data) in COMMANDS {
        let ended = shell(&case, command);
        assert!(ended.code != 1 && !ended.stderr.contains("Usage:"), "{command}: {ended:?}");
        assert!(!ended.stderr.contains('\u{1b}') && printable(&ended.stderr) == ended.stderr, "{command}: {ended:?}");
        assert_harmless(command, &ended.stderr);
        if !is_data {
            assert_eq!(printable(&ended.stdout), ended.stdout, "{command}");
            assert_harmless(command, &ended.stdout);
        }
        let mut shown = ended.stdout + &ended.stderr;
        for color in ["always", "never"] {
            let text = on_terminal_of(100, &case, &format!("{command} --color {color}"), &[]);
            assert_none(command, &text, &FOREIGN);
            assert_none(command, &text, if is_data { &[] } else { &FORGED });
            shown += &text;
        }
        if !["␛", "\u{fffd}", "\\u001b", "\\u009b"].iter().any(|mark| shown.contains(mark)) {
            quiet.push(command);
        }
    }
    assert_eq!(quiet, [""; 0], "they show nothing of it");
}

#[test]
fn what_an_isolated_fmu_prints_and_what_the_user_types_is_harmless_too() {
    let printed = ODD_IN_C.replace("\\nerror: forged", "");
    let fmu = Hostile::new("p").define("PRINT_LINES=1").define("MISBEHAVE_IN_STEP").define(&format!("PRINTED={printed}"));
    let case = Case::new("[experiment]\nstop = 1.0\nstep = 0.5\n[instances]\np = 'p.fmu'\n", [fmu]);
    let ended = case.lotka(&["run", "system.toml", "--isolate", "--log-level", "debug"]);
    ended.assert(0, &["␛]0;title␇"]);
    assert_harmless("run", &ended.stderr);
    for arguments in [vec![ODD], vec!["run", ODD], vec!["run", "system.toml", "--step-size", ODD], vec!["explain", ODD]] {
        let ended = case.lotka(&arguments);
        assert!(ended.code != 0 && ended.stderr.contains("␛]0;title␇"), "{ended:?}");
        assert_eq!(printable(&ended.stderr), ended.stderr);
        assert_harmless("usage", &ended.stderr);
    }
}

/// A log line of several lines stays one message.
#[test]
fn further_lines_of_a_message_are_indented() {
    let ended =
        Case::new(&system("a"), [hostile(), Hostile::new("b")]).lotka(&["run", "system.toml", "--log-level", "debug", "--quiet"]);
    ended.assert(0, &[]);
    let ended = case().lotka(&["run", "system.toml", "--log-level", "debug"]);
    assert!(ended.stderr.contains("hidden\n  error: forged"), "{ended:?}");
}

#[test]
fn rows_keep_their_names_and_spreadsheets_get_no_formulas() {
    let system = "[experiment]\nstop = 1.0\nstep = 0.5\n[instances]\n\"=1+1\" = { fmu = 'a.fmu', start = { label = '-2+3', x0 = -1.5 } }\n\
                  [results]\nvariables = ['*.y', '*.text']\n";
    let case = Case::new(system, [Hostile::new("a")]);
    let lines = |flags: &[&str]| {
        case.run(flags).assert(0, &[]);
        case.read("out.csv").lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (raw, harmless) = (lines(&[]), lines(&["--spreadsheet"]));
    assert_eq!((raw[0].as_str(), harmless[0].as_str()), ("time,=1+1.y,=1+1.text", "time,'=1+1.y,'=1+1.text"));
    assert_eq!(raw[1..].iter().map(|line| line.replace(",-2+3", ",'-2+3")).collect::<Vec<_>>(), harmless[1..]);
    assert!(harmless[1].starts_with("0.0,-1.5,'-2+3"), "{harmless:?}");
    let piped = case.lotka(&["run", "system.toml", "--spreadsheet"]).assert(0, &[]).stdout.clone();
    assert_eq!(piped.lines().collect::<Vec<_>>(), harmless);
    for flags in [
        &["--output-file", "out.mat"][..],
        &["--output-format", "parquet", "--output-file", "a"],
        &["--json"],
        &["--report", "a.html"],
    ] {
        case.lotka(&[&["run", "system.toml", "--spreadsheet"], flags].concat()).assert(2, &["--spreadsheet", "CSV"]);
    }
}

#[test]
fn a_run_continues_in_the_form_that_it_began_with() {
    let system = "[experiment]\nstop = 1.0\nstep = 0.1\n[instances]\n\"=a\" = { fmu = 'a.fmu', start = { label = '=b' } }\n\
                  [results]\nvariables = ['*.y', '*.text']\n";
    let case = Case::new(system, [Hostile::new("a")]);
    case.run(&["--spreadsheet", "--checkpoint-every", "0"]).assert(0, &[]);
    let whole = case.read("out.csv");
    case.lotka(&["resume", "out.csv.checkpoint"]).assert(0, &[]);
    assert_eq!(case.read("out.csv"), whole);
    assert!(whole.lines().skip(1).all(|line| line.contains(",'=b ")), "{whole}");
}
