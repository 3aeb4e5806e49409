//! `lotka plot`: results as text, pictures and pages.

use std::{fs, os::unix::fs::PermissionsExt, process::Command};

use tests::patience::wait_until;

use super::{
    report::{numbers, opened},
    support::{Case, lotka},
    verbosity::on_terminal_of,
};

const FIRST: &str = "time,a.x,a.y,a.n,b.k\n0,0.0,10.0,1,3\n1,2.0,5.0,1,3\n2,3.0,4.0,2,3\n3,3.5,1.0,2,3\n";
const OTHER: &str = "time,a.x,a.y,c.z\n0,0.0,11.0,1\n1.5,3.0,5.0,2\n3,4.0,1.0,3\n";

fn case() -> Case {
    let case = Case::new("", []);
    case.write("first.csv", FIRST);
    case.write("other.csv", OTHER);
    case
}

#[test]
fn a_pipe_gets_a_picture() {
    let case = case();
    let svg = case.lotka(&["plot", "first.csv", "other.csv"]).assert(0, &[]).stdout.clone();
    let mut reader = quick_xml::Reader::from_str(&svg);
    let mut count = 0;
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Empty(element) if element.name().as_ref() == "path" => {
                count += usize::from(element.try_get_attribute("class").unwrap().is_some());
            }
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(count, 6, "x and y of both files, n of the first, z of the other: {svg}");
    for part in ["a.x (first.csv)", "a.y (other.csv)", "c.z (other.csv)", "stroke-dasharray"] {
        assert!(svg.contains(part), "no `{part}` in\n{svg}");
    }
    assert!(!svg.contains("b.k"), "a constant has no plot");
    let one = case.lotka(&["plot", "first.csv", "--x", "a.x", "--y", "a.y"]).assert(0, &[]).stdout.clone();
    assert!(one.contains("a.y over a.x") && !one.contains("(first.csv)") && one.matches("class=\"curve\"").count() == 1, "{one}");
    let some = case.lotka(&["plot", "first.csv", "--y", "a.?"]).assert(0, &[]).stdout.clone();
    assert_eq!(some.matches("class=\"curve\"").count(), 3);
}

#[test]
fn a_terminal_gets_text() {
    let case = case();
    let plain = on_terminal_of(60, &case, "plot first.csv", &[("NO_COLOR", "1"), ("LC_ALL", "C.UTF-8")]);
    assert_eq!(plain.matches("t [s]").count(), 3, "a plot per curve: {plain}");
    assert!(plain.contains(|c| ('⠀'..='⣿').contains(&c)) && !plain.contains('\u{1b}'), "{plain}");
    assert!(plain.lines().all(|line| line.trim_end_matches('\r').chars().count() <= 60), "{plain}");
    let colored = on_terminal_of(60, &case, "plot first.csv other.csv --y a.x", &[("LC_ALL", "C.UTF-8")]);
    assert_eq!(colored.matches("t [s]").count(), 1, "{colored}");
    assert!(colored.contains("\u{1b}[34ma.x (first.csv)\u{1b}[0m, \u{1b}[31ma.x (other.csv)\u{1b}[0m"), "{colored}");
    let poor = on_terminal_of(60, &case, "plot first.csv", &[("LC_ALL", "C")]);
    assert!(poor.contains("pass --output-file or --open"), "{poor}");
}

#[test]
fn a_page_is_zoomed_and_opened() {
    let case = case();
    case.lotka(&["plot", "first.csv", "other.csv", "-o", "p.html"]).assert(0, &["the plots are in p.html"]);
    let facts = opened(&case, "p.html");
    let titles: Vec<_> = facts["opened"].as_array().unwrap().iter().map(|plot| &plot["title"]).collect();
    assert_eq!(titles, ["a.x, a.y", "a.n", "c.z"]);
    let names = ["a.x (first.csv)", "a.y (first.csv)", "a.x (other.csv)", "a.y (other.csv)"];
    assert_eq!(facts["opened"][0]["shown"], serde_json::json!(names));
    // The times of both files, once each.
    assert_eq!(numbers(&facts["opened"][0]["times"]), [0.0, 1.0, 1.5, 2.0, 3.0]);
    assert_eq!(facts["opened"][0]["rows"], serde_json::json!([4, 4, 3, 3]));

    case.write("browser", "#!/bin/sh\necho \"$1\" > \"$(dirname \"$0\")/opened.tmp\"\nmv \"$(dirname \"$0\")/opened.tmp\" \"$(dirname \"$0\")/opened\"\n");
    fs::set_permissions(case.path("browser"), fs::Permissions::from_mode(0o755)).unwrap();
    let browser = case.path("browser").display().to_string();
    let mut command = Command::new(lotka());
    command.args(["plot", "first.csv", "--open"]).current_dir(case.dir()).env("BROWSER", &browser).env("TMPDIR", case.dir());
    let told = command.output().unwrap();
    assert!(told.status.success(), "{told:?}");
    wait_until("the browser has the page", || case.path("opened").exists());
    let place = case.read("opened");
    let page = fs::read_to_string(place.trim()).unwrap();
    let told = String::from_utf8(told.stderr).unwrap();
    assert!(place.contains("lotka-plot-") && page.contains("a.x") && told.contains(place.trim()), "{place}: {told}");
}

#[test]
fn what_cannot_be_plotted_is_said() {
    let case = case();
    case.lotka(&["plot", "first.csv", "--y", "a.q*"])
        .assert(2, &["no file has a column `a.q*`; first.csv has a.x, a.y, a.n, b.k [unknown-column]"]);
    case.lotka(&["plot", "first.csv", "--x", "c.z"]).assert(2, &["no file has a column `c.z`"]);
    case.lotka(&["plot", "first.csv", "--y", "b.k"]).assert(2, &["[nothing-to-plot]"]);
    case.lotka(&["plot", "first.csv", "-o", "p.png"]).assert(2, &["use the extension .svg or .html [unknown-format]"]);
    case.write("first.svg", FIRST);
    case.lotka(&["plot", "first.svg", "-o", "first.svg"]).assert(2, &["[would-overwrite]"]);
    assert_eq!(case.read("first.svg"), FIRST);
    case.lotka(&["plot", "nowhere.csv"]).assert(10, &["nowhere.csv"]);
    case.write("empty.csv", "time,a.x\n");
    case.lotka(&["plot", "empty.csv"]).assert(2, &["empty.csv has no rows to plot [nothing-to-plot]"]);
}

#[test]
fn every_format_of_results_and_a_manifest_can_be_plotted() {
    let case = Case::predator_prey("step = 1");
    for file in ["rows.mat", "rows.parquet"] {
        case.lotka(&["run", "system.toml", "-o", file, "--manifest", "run.json"]).assert(0, &[]);
        let svg = case.lotka(&["plot", file]).assert(0, &[]).stdout.clone();
        assert!(svg.contains("prey.x") && svg.contains("predator.y"), "{file}: {svg}");
    }
    let svg = case.lotka(&["plot", "run.json"]).assert(0, &[]).stdout.clone();
    assert!(svg.contains("prey.x"), "{svg}");
}
