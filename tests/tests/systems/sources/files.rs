//! Tables that are refused, and what is said of them.

use super::*;

/// What is said of a table.
fn refusal(text: &str) -> String {
    let folder = Folder::new();
    let path = folder.write("t.csv", text);
    let error = lag().source_csv("table", &path).connect("lag.u", "table.u").step(1.0).build().map(|_| ()).unwrap_err();
    error.to_string().replace(&*path.to_string_lossy(), "t.csv")
}

#[test]
fn all_problems_of_a_table_are_reported_with_their_lines() {
    let told = refusal("time,u\n0,1\n1,one\n2\n1.5,nan\n3,4,5\n0.5,1\n");
    let expected = [
        "t.csv:3: column `u`: expected a number, found `one`",
        "t.csv:4: expected 2 fields in the row, found 1",
        "t.csv:5: column `u`: expected a number, found `nan`",
        "t.csv:6: expected 2 fields in the row, found 3",
        "t.csv:7: column `time`: the time 0.5 s follows 1.5 s",
    ];
    for part in expected {
        assert!(told.contains(part), "no `{part}` in\n{told}");
    }
}

#[test]
fn tables_without_header_rows_or_time_are_refused() {
    let cases = [
        ("", "t.csv: the file is empty"),
        ("time,u\n", "t.csv: there are no rows after the line of names"),
        ("0,1\n1,2\n", "t.csv:1: expected `time` as the first column, found `0`"),
        ("time [kg],u,u\n0,1,1\n", "t.csv:1: column `time`: unknown unit of time `kg`; available: `s`, `ms`"),
        ("time [kg],u,u\n0,1,1\n", "t.csv:1: column `u`: two columns have this name"),
        ("time,u\nx,1\n", "t.csv:2: column `time`: expected a time in seconds, found `x`"),
        ("time,U\n0,1\n20,1\n", "source `table` has no output `u`; available: `U`"),
        ("time,u\n1,1\n5,1\n", "t.csv has values from 1 s to 5 s, but the experiment with source `table` runs from 0 s to 10 s"),
    ];
    for (text, expected) in cases {
        let told = refusal(text);
        assert!(told.contains(expected), "no `{expected}` in\n{told}");
    }
}

#[test]
fn a_table_with_hundreds_of_problems_is_not_told_in_full() {
    let rows: String = (0..500).map(|n| format!("{n},x\n")).collect();
    let told = refusal(&format!("time,u\n{rows}"));
    assert!(told.contains("t.csv: and 480 more problems") && told.lines().count() < 30, "{told}");
}

#[test]
fn semicolons_and_tabs_separate_columns_too() {
    let folder = Folder::new();
    for text in ["time;u\n0;1,\n", "Time [h]\tu [K]\n0\t1\n1\t1\n", "\"time\";u\n0;1\n20;1\n"] {
        let path = folder.write("t.tsv", text);
        let built = driven(&path).step(1.0).build();
        assert_eq!(built.is_ok(), !text.contains("1,"), "{text}");
    }
}

/// A column without readers has no type and no values: it is not recorded as zeros.
#[test]
fn a_column_that_nothing_reads_is_not_recorded() {
    let folder = Folder::new();
    let path = folder.write("t.csv", "time,u,name\n0,1,a\n10,3,b\n");
    let system = lag().source_csv("table", &path).step(1.0);
    let refused = system.clone().record(&["lag.x", "table.u"]).build().map(drop).unwrap_err().to_string();
    assert!(refused.contains("`table.u` cannot be recorded: nothing reads this column of the table; connect it"), "{refused}");
    let names = |system: System| -> Vec<String> {
        let built = system.record(&["*"]).build().unwrap();
        built.columns().iter().map(|column| column.name.clone()).filter(|name| name.starts_with("table")).collect()
    };
    assert!(names(system.clone()).is_empty());
    assert_eq!(names(system.connect("lag.u", "table.u")), ["table.u"]);
}
