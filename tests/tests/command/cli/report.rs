//! `lotka run --report` and `lotka report`; what a page looks like says a browser.

use std::{fs, path::Path};

use serde_json::Value;

use super::support::Case;
use tests::{
    hostile::{CRASH, Hostile},
    interop::{self, Interop},
};

/// What a page has that shows the system.
const PICTURE: &str = "<img src=\"data:image/svg+xml;base64,";

/// What headless Chromium finds in a report when it opens and uses it; files that are saved from it go to the folder of the case.
pub(super) fn opened(case: &Case, report: &str) -> Value {
    let tools = Interop::find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap_or_else(|error| panic!("{error}"));
    let output = interop::run(tools.script("open_report.py").arg(case.path(report)).arg(case.dir())).unwrap();
    let facts: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(facts["complaints"], serde_json::json!([]), "the browser has something to complain about");
    assert_eq!(facts["requests"].as_array().map(Vec::len), Some(1), "the page loads more than itself: {}", facts["requests"]);
    assert!(facts["links"].as_array().unwrap().iter().all(|is_there| is_there == true), "{}", facts["links"]);
    facts
}

/// A list of numbers; the browser writes whole ones without a point.
pub(super) fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// A property of all plots at some moment.
fn each<'a>(facts: &'a Value, moment: &str, property: &'a str) -> Vec<&'a Value> {
    facts[moment].as_array().unwrap().iter().map(|plot| &plot[property]).collect()
}

/// The stretch of time that a plot shows.
fn shown(facts: &Value, moment: &str, plot: usize) -> (f64, f64) {
    let plot = &facts[moment][plot];
    (plot["min"].as_f64().unwrap(), plot["max"].as_f64().unwrap())
}

#[test]
fn a_report_with_error_bands_is_opened_and_zoomed_in_a_browser() {
    let case = Case::predator_prey("tolerance = 1e-6\noutput-interval = 1");
    let ended = case.lotka(&["run", "system.toml", "--report", "out.html"]);
    ended.assert(0, &["tolerance 1e-6 kept"]);
    assert_eq!(ended.stdout, "", "rows do not go to stdout");
    let facts = opened(&case, "out.html");
    assert_eq!(each(&facts, "opened", "title"), ["prey.x, predator.y", "estimated error of prey.x, predator.y"]);
    assert_eq!(each(&facts, "opened", "bands"), [4, 0], "two edges for each of the two curves");
    assert_eq!(each(&facts, "opened", "legend"), [3, 3], "time and two curves");
    assert!(each(&facts, "opened", "painted").iter().all(|count| count.as_u64().unwrap() > 5000), "{}", facts["opened"]);
    for part in ["estimated largest error", "Time per FMU", "estimated largest error after this run", "Command: ", "predator.fmu"]
    {
        let page = facts["text"].as_str().unwrap().to_owned() + &case.read("out.html");
        assert!(page.contains(part), "{part}");
    }

    let (first, last) = shown(&facts, "dragged", 0);
    assert!((first - 25.0).abs() < 1.0 && (last - 50.0).abs() < 1.0, "{first} {last}");
    assert_eq!(shown(&facts, "dragged", 1), (first, last), "the other plot follows");
    let turned = shown(&facts, "turned", 0);
    assert!(turned.0 > first && turned.1 < last, "{turned:?}");
    assert_eq!([shown(&facts, "reset", 0), shown(&facts, "reset", 1)], [(0.0, 100.0); 2]);
    assert!(shown(&facts, "alone", 0).1 < 100.0);
    assert_eq!(shown(&facts, "alone", 1), (0.0, 100.0), "each on its own if that is wanted");
    assert_eq!(facts["hidden"][0]["shown"], serde_json::json!(["predator.y"]));
    assert_eq!(facts["hidden"][0]["bands"], 2, "the band goes with its curve");
    assert_eq!(facts["hidden"][0]["legend"], 3);
    assert_eq!(each(&facts, "filtered", "hidden"), [true, false]);
    assert_eq!(facts["tools_in_print"], false);

    let values = |moment: &str| (facts[moment][0]["bottom"].as_f64().unwrap(), facts[moment][0]["top"].as_f64().unwrap());
    let (bottom, top) = values("reset");
    let (raised_bottom, raised_top) = values("raised");
    assert!(bottom < raised_bottom && raised_top < top, "{:?}", values("raised"));
    assert_eq!(shown(&facts, "raised", 0), (0.0, 100.0), "a drag upward zooms the values alone");
    let stretched = values("stretched");
    assert!(raised_bottom < stretched.0 && stretched.1 < raised_top, "{stretched:?}");
    assert_eq!((values("all"), shown(&facts, "all", 0)), ((bottom, top), (0.0, 100.0)));
}

/// What those who do not see the page, or not well, get from it.
#[test]
fn a_report_has_labels_and_contrasts() {
    let case = Case::predator_prey("tolerance = 1e-3\noutput-interval = 1");
    case.lotka(&["run", "system.toml", "--report", "out.html"]).assert(0, &[]);
    let facts = opened(&case, "out.html");
    let label = facts["opened"][0]["label"].as_str().unwrap();
    assert!(label.starts_with("Plot over time from 0 s to 100 s in 1: prey.x from 8.6"), "{label}");
    assert!(label.contains("; predator.y from 0.72"), "{label}");
    assert_eq!(facts["without_name"], serde_json::json!([]));
    assert_eq!(
        facts["by_key"],
        serde_json::json!([["true", "true"], ["false", "true"]]),
        "a name can be switched by the keyboard"
    );
    for mode in ["light", "dark"] {
        let worst = &facts["contrast"][mode];
        assert!(worst["ratio"].as_f64().unwrap() >= 4.5, "{mode}: {worst}");
        assert!(worst["texts"].as_u64().unwrap() > 30, "{mode}: {worst}");
    }
}

#[test]
fn connections_are_named_where_they_are_pointed_at() {
    let case = Case::predator_prey("step = 1");
    case.lotka(&["run", "system.toml", "--report", "out.html"]).assert(0, &[]);
    let facts = opened(&case, "out.html");
    assert_eq!(facts["edges"]["count"], 2);
    assert_eq!(facts["edges"]["before"], true, "the tip is hidden at first");
    assert_eq!(facts["edges"]["tip"], "predator.y → prey.y: it enters a state");
    assert_eq!(
        facts["edges"]["named"],
        serde_json::json!(["predator.y → prey.y: it enters a state", "prey.x → predator.x: it enters a state"])
    );
}

#[test]
fn variables_are_drawn_over_each_other_in_the_time_that_is_shown() {
    let case = Case::predator_prey("step = 1");
    case.lotka(&["run", "system.toml", "--report", "out.html"]).assert(0, &[]);
    let facts = opened(&case, "out.html");
    assert_eq!(facts["xy"]["label"], "predator.y over prey.x");
    let [all, part] = ["all", "part"].map(|moment| facts["xy"][moment].as_u64().unwrap());
    assert_eq!(all, 8 * 100 + 1, "points between the rows");
    assert!((180..=220).contains(&part), "a quarter of the time: {part}");
    assert_eq!(facts["xy"]["other"], "prey.x over predator.y");
    assert!(facts["xy"]["point"].as_str().unwrap().starts_with("t = "), "{}", facts["xy"]["point"]);
}

#[test]
fn few_rows_have_smooth_curves_between_them() {
    let case = Case::new("", []);
    case.write("rows.csv", "time,a.x,a.y\n0,0.0,1.0\n1,0.0,2.0\n2,10.0,3.0\n3,0.0,4.0\n3,5.0,5.0\n4,5.0,6.5\n");
    case.lotka(&["report", "rows.csv"]).assert(0, &[]);
    let facts = opened(&case, "rows.html");
    assert_eq!(facts["smooth"]["on_curve"], serde_json::json!([true, true]), "at 1.25 s, and on the jump at 3 s");
    assert_eq!(facts["smooth"]["on_line"], false);
    let (times, values) = (&facts["smooth"]["refined"]["times"], &facts["smooth"]["refined"]["lists"][0]);
    assert_eq!(numbers(times), [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.0, 3.5, 4.0]);
    // At the ends of a piece, the slope is that of the line to the next row.
    assert_eq!(numbers(values), [0.0, 0.0, 0.0, 5.0, 10.0, 6.25, 0.0, 5.0, 5.0, 5.0]);
}

#[test]
fn an_earlier_run_lies_below_the_new_one() {
    let case = Case::predator_prey("step = 1");
    case.run(&["--stop-time", "50"]).assert(0, &[]);
    let flags = ["run", "system.toml", "--step-size", "0.5", "--report", "new.html", "--overlay", "out.csv"];
    case.lotka(&flags).assert(0, &[]);
    let facts = opened(&case, "new.html");
    let names = ["prey.x", "predator.y", "prey.x (out.csv)", "predator.y (out.csv)"];
    assert_eq!(facts["opened"][0]["shown"], serde_json::json!(names));
    assert_eq!(facts["opened"][0]["rows"], serde_json::json!([201, 201, 51, 51]));
    case.lotka(&["report", "out.csv", "--overlay", "out.csv", "-o", "same.html"]).assert(0, &[]);
    assert!(case.read("same.html").contains("prey.x (out.csv)"));
    case.lotka(&["report", "out.csv", "--overlay", "nowhere.csv", "-o", "x.html"]).assert(10, &["nowhere.csv"]);
    case.lotka(&["run", "system.toml", "--overlay", "out.csv"]).assert(2, &["--report"]);
    let taken = ["run", "system.toml", "--report", "out.csv", "--overlay", "out.csv"];
    case.lotka(&taken).assert(2, &["the report reads it", "[would-overwrite]"]);
}

#[test]
fn plots_are_saved_as_pictures() {
    let case = Case::predator_prey("tolerance = 1e-3\noutput-interval = 1");
    case.lotka(&["run", "system.toml", "--report", "out.html"]).assert(0, &[]);
    let facts = opened(&case, "out.html");
    assert_eq!([&facts["SVG"], &facts["PNG"]], ["prey.x_predator.y.svg", "prey.x_predator.y.png"]);

    let svg = case.read("plot.svg");
    let mut reader = quick_xml::Reader::from_str(&svg);
    let mut paths = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Empty(element) if element.name().as_ref() == "path" => {
                let line = element.try_get_attribute("d").unwrap().unwrap();
                paths.push(line.value.into_owned());
            }
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    let curves = paths.iter().filter(|line| (600..=800).contains(&line.matches('L').count()) && !line.ends_with('Z')).count();
    assert_eq!(curves, 2, "eight parts between 101 rows, but for points that look the same: {svg}");
    assert_eq!(paths.iter().filter(|line| line.ends_with('Z')).count(), 2, "a band per curve");
    for part in ["prey.x, predator.y", "t [s]", ">50<", ">20<"] {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("undefined"), "{svg}");

    let png = fs::read(case.path("plot.png")).unwrap();
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    let length = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert!(length(16) > 800 && length(20) > 250 && png.len() > 5000, "{} x {}", length(16), length(20));
}

#[test]
fn steps_and_what_limits_them_are_drawn() {
    let case = Case::predator_prey("local-tolerance = 1e-4");
    let flags = ["--report", "run.html", "--manifest", "run.json"];
    case.run(&flags).assert(0, &[]);
    let facts = opened(&case, "run.html");
    let titles = [
        "prey.x, predator.y",
        "step size",
        "local error estimate, in units of the tolerance",
        "rejected steps",
        "output that limits the step size",
    ];
    assert_eq!(each(&facts, "opened", "title"), titles);
    assert!(facts["text"].as_str().unwrap().contains("only the local error of each step"));

    let manifest: Value = serde_json::from_str(&case.read("run.json")).unwrap();
    let (steps, statistics) = (&manifest["steps"], &manifest["outcome"]["statistics"]);
    let limits = ["prey.x", "predator.y"].map(|name| steps["limits"][name]["accepted"].as_u64().unwrap());
    assert!(limits.iter().all(|count| *count > 0), "{limits:?}");
    assert_eq!(limits.iter().sum::<u64>(), statistics["n_steps"].as_u64().unwrap(), "each step is limited by one output");
    assert_eq!(steps["end"].as_array().map(Vec::len), Some(statistics["n_steps"].as_u64().unwrap() as usize));
    assert_eq!(steps["end"].as_array().unwrap().last(), Some(&100.0.into()));

    let rejected = &statistics["n_error_test_failures"];
    assert!(rejected.as_u64().unwrap() > 0);
    assert_eq!(steps["reasons"], serde_json::json!({ "error-test": rejected }));

    // The same from the manifest, later.
    case.lotka(&["report", "run.json", "--output-file", "later.html"]).assert(0, &["the report is in later.html"]);
    let later = opened(&case, "later.html");
    assert_eq!(later["opened"], facts["opened"]);
}

#[test]
fn results_alone_are_drawn_too() {
    let case = Case::new("", []);
    case.write(
        "rows.csv",
        "time,a.x,a.x (error),a.y,a.y (error),a.on,a.mode\n0,1,0.5,1,0,true,idle\n1,2,0.5,20,0,false,run\n2,4,0.5,3,0,true,run\n",
    );
    case.lotka(&["report", "rows.csv"]).assert(0, &["the report is in rows.html"]);
    let facts = opened(&case, "rows.html");
    assert_eq!(each(&facts, "opened", "title"), ["a.x, a.y", "a.on", "estimated error of a.x, a.y"]);
    assert_eq!(each(&facts, "opened", "bands"), [4, 0, 0]);
    assert_eq!(each(&facts, "opened", "legend"), [3, 2, 2], "errors that are 0 are not drawn on a logarithmic axis");
    assert!(facts["text"].as_str().unwrap().contains("idle"), "texts are listed with the times they change");
}

#[test]
fn what_is_missing_or_cannot_be_written_is_reported() {
    let case = Case::of(Hostile::new("a"));
    case.run(&["--manifest", "run.json"]).assert(0, &[]);
    for needed in ["run.json", "out.csv", "system.toml", "b.fmu"] {
        let before = fs::read(case.path(needed)).unwrap();
        case.lotka(&["report", "run.json", "--output-file", needed]).assert(2, &["choose another file"]);
        assert_eq!(fs::read(case.path(needed)).unwrap(), before, "{needed}");
    }
    case.write("out.csv", "time,a.y\n0,1\n");
    case.lotka(&["report", "run.json"]).assert(0, &["missing, or changed since the run"]);
    let page = case.read("run.html");
    assert!(page.contains("missing, or changed since the run") && page.contains(PICTURE));

    case.lotka(&["report", "none.csv"]).assert(10, &["none.csv"]);
    case.write("other.json", "{}");
    case.lotka(&["report", "other.json"]).assert(2, &["not a manifest"]);
    case.lotka(&["report", "run.json", "--output-file", "none/x.html"]).assert(16, &["cannot write the report to none/x.html"]);
    case.run(&["--report", "out.csv"]).assert(2, &["--report out.csv: the rows go there"]);
    case.run(&["--report", "x", "--manifest", "x"]).assert(2, &["--report x: the manifest goes there"]);
    let ended = case.run(&["--report", "none/x.html"]);
    ended.assert(16, &["cannot write the report to none/x.html"]);
    assert!(!ended.stderr.contains("reached"), "the run does not even begin: {}", ended.stderr);
}

#[test]
fn runs_that_fail_or_lose_their_process_have_a_report() {
    let failing = |reply| Case::of(Hostile::new("a").define("FAULT_AT=0.45").reply("fmi2DoStep", reply));
    let case = failing(3);
    case.lotka(&["run", "system.toml", "--report", "out.html"]).assert(13, &[]);
    let page = case.read("out.html");
    assert!(
        page.contains("The run failed") && page.contains("fmi2DoStep") && page.contains("plots-rows"),
        "the rows so far are there"
    );
    assert!(page.contains(PICTURE) && page.contains("Counters"));

    let case = failing(CRASH);
    for manifest in [&["--manifest", "run.json"][..], &[]] {
        case.run(&[&["--report", "out.html"], manifest].concat()).assert(17, &["fmi2DoStep"]);
        let page = case.read("out.html");
        assert!(page.contains("The run failed") && page.contains("fmi2DoStep") && page.contains("plots-rows"), "{manifest:?}");
        assert!(!page.contains("Counters"), "nobody knows them");
    }
    case.lotka(&["run", "system.toml", "--report", "out.html"]).assert(17, &["fmi2DoStep"]);
    let page = case.read("out.html");
    assert!(
        page.contains("lost with the process; pass --output-file to keep rows in a file"),
        "{}",
        &page[page.find("<main>").unwrap()..][..600]
    );
}

#[test]
fn a_first_step_that_fails_leaves_what_limited_it() {
    let case = Case::predator_prey("local-tolerance = 1e-10\nmin-step = 0.01");
    case.run(&["--report", "out.html"]).assert(13, &["step-too-small"]);
    let page = case.read("out.html");
    assert!(page.contains("Step size limits") && page.contains("predator.y"));
}

#[test]
fn the_system_is_drawn_as_it_was_run() {
    let case = Case::predator_prey("");
    case.lotka(&["run", "system.toml", "--step-size", "0.5", "--report", "out.html"]).assert(0, &[]);
    assert!(case.read("out.html").contains(PICTURE), "without the flag there is no step");
    case.lotka(&["run", "system.toml", "--start-value", "nobody.x=1", "--report", "out.html"]).assert(10, &[]);
    let page = case.read("out.html");
    assert!(page.contains("The run failed") && page.contains("There are no rows.") && !page.contains("Constant values"));

    let case = Case::predator_prey("step = 0.5");
    case.lotka(&["convert", "system.toml", "plant.ssp"]).assert(0, &[]);
    case.lotka(&["run", "plant.ssp", "--report", "out.html", "--manifest", "run.json", "--output-file", "out.csv"])
        .assert(0, &[]);
    assert!(case.read("out.html").contains(PICTURE));
    case.lotka(&["report", "run.json", "--output-file", "later.html"]).assert(0, &[]);
    assert!(case.read("later.html").contains(PICTURE));
}

#[test]
fn files_that_the_system_reads_are_spared() {
    let system = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = 'a.fmu'\n[sources]\nin = { csv = 'in.csv' }\n\
                  [connections]\n'a.u' = 'in.x'\n";
    let case = Case::new(system, [Hostile::new("a")]);
    case.write("in.csv", "time,x\n0,1\n1,2\n");
    for flag in ["--manifest", "--report", "--output-file"] {
        let refused = case.lotka(&["run", "system.toml", flag, "in.csv"]);
        refused.assert(2, &[&format!("{flag} in.csv: the system reads it"), "would-overwrite"]);
        assert_eq!(case.read("in.csv"), "time,x\n0,1\n1,2\n", "{flag}");
    }
}

#[test]
fn a_run_that_goes_on_from_a_checkpoint_has_a_report_of_all_rows() {
    let case = Case::predator_prey("step = 0.1");
    case.run(&["--report", "run.html", "--checkpoint-every", "0"]).assert(0, &[]);
    fs::remove_file(case.path("run.html")).unwrap();
    case.lotka(&["resume", "out.csv.checkpoint"]).assert(0, &[]);
    let page = case.read("run.html");
    assert!(page.contains("where the run resumed from a checkpoint"));
    assert!(page.contains("prey.x, predator.y") && page.contains("The stop time was reached"), "{}", page.len());
}
