//! Results with missing values: gaps in plots, no error bars where there is no error, and a comparison that names the side.

use super::{report::opened, support::Case, verbosity::on_terminal_of};

/// Files of results, the exit codes of `report`, `plot` and `compare` with a whole file, and a text of the comparison.
const FILES: [(&str, [i32; 3], &str); 14] = [
    ("time,a,a (error)\n1,2,\n", [0, 2, 14], "the times differ"),
    ("time,a,a (error)\n0,1,\n1,2,\n2,3,0.1\n", [0, 0, 0], "equal"),
    ("time,a,a (error)\n0,1,0.1\n1,,\n2,3,0.1\n", [0, 0, 14], "a: 1 value missing in rows.csv"),
    ("time,a,a (error)\n0,,0.1\n1,,0.1\n2,3,nan\n", [0, 0, 14], "a: 2 values missing in rows.csv"),
    ("time,a,a (error)\n0,,\n1,,\n2,,\n", [0, 2, 14], "a: 3 values missing in rows.csv"),
    ("time,a,a (error)\n0,1,x\n1,2,0.1\n2,3,0.1\n", [0, 0, 0], "equal"),
    ("time,a,a (error)\n0,x,0.1\n1,2,0.2\n2,,0.1\n", [0, 0, 14], "other type"),
    ("time,a,a (error)\n0,1,inf\n1,inf,0.1\n2,-inf,-inf\n", [0, 0, 14], "different"),
    ("time,a\n0,NaN\n1,nan\n2,NAN\n", [0, 2, 14], "a: 3 values missing in rows.csv"),
    ("time,a\n", [0, 2, 14], "the times differ (0 and 3 rows)"),
    ("time,a\n1,2\n", [0, 2, 14], "the times differ (1 and 3 rows)"),
    ("time\n0\n1\n2\n", [0, 2, 14], "only in second"),
    ("time,a\n0,1\n1\n2,3\n", [10, 10, 10], ""),
    ("time,a\n0,1\n,2\n2,3\n", [10, 10, 10], ""),
];

#[test]
fn missing_values_never_end_a_command_otherwise_than_documented() {
    let case = Case::new("", []);
    case.write("whole.csv", "time,a,a (error)\n0,1,0.1\n1,2,0.1\n2,3,0.1\n");
    for (text, [report, plot, compare], found) in FILES {
        case.write("rows.csv", text);
        case.lotka(&["report", "rows.csv", "-o", "out.html"]).assert(report, &[]);
        case.lotka(&["plot", "rows.csv"]).assert(plot, &[]);
        let ended = case.lotka(&["compare", "rows.csv", "whole.csv"]);
        assert!(ended.code == compare && ended.stdout.contains(found), "{text}: {ended:?}");
        let overlaid = case.lotka(&["report", "whole.csv", "--overlay", "rows.csv", "-o", "both.html"]);
        assert!([0, 2, 10].contains(&overlaid.code), "{text}: {overlaid:?}");
    }
}

#[test]
fn gaps_are_gaps_in_every_plot() {
    let case = Case::new("", []);
    case.write("rows.csv", "time,a,b,b (error)\n0,1.0,1.0,0.1\n1,2.0,2.0,0.1\n2,,3.0,\n3,4.0,,0.1\n4,5.0,5.0,0.1\n5,,6.5,0.1\n");
    let svg = case.lotka(&["plot", "rows.csv"]).assert(0, &[]).stdout.clone();
    let moves = |svg: &str| -> Vec<usize> {
        let paths = svg.split("class=\"curve\" d=\"").skip(1);
        paths.map(|path| path.split('"').next().map_or(0, |path| path.matches('M').count())).collect()
    };
    assert_eq!(moves(&svg), [2, 2], "a and b have two pieces each: {svg}");
    let over = case.lotka(&["plot", "rows.csv", "--x", "a", "--y", "b"]).assert(0, &[]).stdout.clone();
    assert_eq!(moves(&over), [2], "{over}");
    let plain = on_terminal_of(60, &case, "plot rows.csv", &[("NO_COLOR", "1"), ("LC_ALL", "C.UTF-8")]);
    assert!(plain.contains(|c| ('⠁'..='⣿').contains(&c)), "{plain}");
    case.lotka(&["report", "rows.csv"]).assert(0, &[]);
    let facts = opened(&case, "rows.html");
    assert_eq!(facts["opened"][0]["bands"], 2);
    assert_eq!(facts["xy"]["pieces"], 2, "the plot of one variable over the other has the gaps of both");
}

#[test]
fn the_comparison_says_which_side_lacks_values() {
    let case = Case::new("", []);
    case.write("a.csv", "time,x,y\n0,1,\n1,,\n2,3,\n");
    case.write("b.csv", "time,x,y\n0,,true\n1,2,false\n2,nan,true\n");
    let ended = case.lotka(&["compare", "a.csv", "b.csv"]);
    assert_eq!(ended.code, 14);
    for line in ["x: 1 value missing in a.csv, 2 values missing in b.csv", "y: 3 values missing in a.csv"] {
        assert!(ended.stdout.lines().any(|found| found == line), "no `{line}` in\n{}", ended.stdout);
    }
    let json = case.lotka(&["compare", "a.csv", "b.csv", "--json"]).json();
    assert_eq!(json["columns"]["x"]["missing"], serde_json::json!([1, 2]));
    assert_eq!(json["columns"]["y"]["missing"], serde_json::json!([3, 0]));
}
