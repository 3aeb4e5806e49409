use super::*;
use crate::{TARGETS, seeds};

fn document(name: &str, text: &str, edits: &[(usize, Change)]) -> String {
    let mut document = Document::read(name, text.as_bytes()).unwrap();
    edits.iter().for_each(|(at, change)| document.change(&Edit { at: *at, change: change.clone() }));
    document.text()
}

#[test]
fn documents_that_are_not_changed_stay_as_they_are() {
    let xml = "<a b=\"1\" c='\"'><d/>text &amp; more<e>x</e>\n</a>\n";
    let without_breaks = |text: &str| text.replace('\n', "");
    assert_eq!(without_breaks(&document("a.xml", xml, &[])), without_breaks(xml));
    let json = r#"{"z": 1, "a": [1.5, {"b": "\"x\""}, true]}"#;
    assert_eq!(document("a.json", json, &[]), json);
    let toml = "\"stop\" = 1\n[\"b\"]\n\"k\" = [1, {\"c\" = \"x\"}]\n";
    assert_eq!(document("a.toml", toml, &[]), toml);
    for table in ["time,a\n0,1\n", "time;a\n0,5;1\n", "a\tb\n"] {
        assert_eq!(document("a.csv", table, &[]), table);
    }
}

#[test]
fn every_change_keeps_the_syntax() {
    let xml = "<a b=\"1\"><c/></a>";
    let cases = [
        (1, Change::Remove, "<a><c/></a>"),
        (1, Change::Double, "<a b=\"1\" b=\"1\"><c/></a>"),
        (1, Change::Move(0), "1<a><c/></a>"),
        (2, Change::Replace(1), "<a b=\"1\" c=\"1\"/>"),
        (2, Change::Rename("d".into()), "<a b=\"1\"><d/></a>"),
        (1, Change::Set("2".into()), "<a b=\"2\"><c/></a>"),
        (1, Change::Insert(1, "0".into()), "<a b=\"10\"><c/></a>"),
        (2, Change::Nest(2), "<a b=\"1\"><c><c><c/></c></c></a>"),
        (5, Change::Remove, "<a b=\"1\"/>"),
    ];
    for (at, change, expected) in cases {
        assert_eq!(document("a.xml", xml, &[(at, change)]).replace('\n', ""), expected);
    }
    assert_eq!(document("a.json", "[[1]]", &[(0, Change::Nest(2))]), "[[[[1]]]]");
}

#[test]
fn most_seeds_are_documents() {
    for (name, least) in [("description", 10), ("plan", 4), ("results", 7), ("study", 3), ("system", 10), ("table", 4)] {
        let seeds = seeds(name);
        let documents = seeds.iter().filter(|(name, bytes)| Document::read(name, bytes).is_some()).count();
        assert!(documents >= least && TARGETS.iter().any(|target| target.name == name), "{name}: {documents}");
    }
}
