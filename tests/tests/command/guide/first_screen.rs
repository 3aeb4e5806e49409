//! The numbers on the first screen of the README are those of the pages that it names.

use crate::guide::page::Page;

/// Cells of the row of a table that begins with these.
fn row<'a>(page: &'a Page, section: &str, begin: &[&str]) -> Vec<&'a str> {
    let section = page.text.split(&format!("\n## {section}\n")).nth(1).unwrap_or_else(|| panic!("{}: {section}", page.name));
    let start = format!("| {} | ", begin.join(" | "));
    let rest = section.lines().find_map(|line| line.strip_prefix(&start));
    rest.unwrap_or_else(|| panic!("{}: no row {start}", page.name)).split(" | ").map(str::trim).collect()
}

/// The sentences that the README must have.
fn sentences() -> Vec<String> {
    let accuracy = Page::read("examples/accuracy/results.md");
    let calls_and_error = |method: &str| row(&accuracy, "Predator and prey", &[method, "1e-6"])[..2].to_vec();
    let ([calls, error], [other_calls, other_error]) = (
        calls_and_error("tolerance")[..].try_into().unwrap(),
        calls_and_error("MasterSim 0.9.8, measured")[..].try_into().unwrap(),
    );
    let promise = Page::read("docs/promise.md");
    let sum = promise.text.lines().find(|line| line.starts_with("Without the family `pulse`, ")).unwrap();
    let numbers: Vec<&str> = sum.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty()).collect();
    let [kept, wrong, twice, ten] = numbers[..4].try_into().unwrap();
    assert_eq!(ten, "0");
    let hostile = Page::read("tests/hostile/README.md");
    let faults = hostile.rows().filter(|cells| cells.len() == 4 && cells[0] != "fault").count();
    vec![
        format!("take {calls} doStep calls, and the largest error is {error}."),
        format!("takes {other_calls} calls, and its largest error is {other_error}."),
        format!(
            "Of {kept} results of random systems that Lotka reported as within the tolerance, {wrong} were not: {twice} by more than twice \
             the tolerance, none by more than ten times."
        ),
        format!("{faults} FMUs crash, hang, lie, or do what few masters expect."),
    ]
}

#[test]
fn numbers_of_the_readme_are_those_of_the_pages_it_names() {
    let readme = Page::read("README.md").text;
    let text = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    for sentence in sentences() {
        assert!(text.contains(&sentence), "README.md does not say: {sentence}");
    }
    for command in ["cargo xtask study accuracy", "cargo xtask study promise", "cargo xtask test"] {
        assert!(text.contains(command), "README.md does not name the command `{command}`");
    }
}
