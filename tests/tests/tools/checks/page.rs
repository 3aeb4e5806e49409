//! `docs/checks.md` lists every rule, as the program knows it.

use std::path::Path;

use fmi2::description::Rule;

fn page() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/checks.md")).unwrap()
}

fn row(rule: &Rule) -> String {
    format!("| `{}` | {} | {} |", rule.name, rule.worst.name(), rule.demands.replace('|', "\\|"))
}

#[test]
fn the_page_lists_the_questions_of_the_probe() {
    let page = page();
    let wanted: Vec<_> =
        lotka::probe_items().map(|item| format!("| `{}` | {} | {} |", item.name, item.asks, item.avoid)).collect();
    let there: Vec<_> = page.lines().filter(|line| wanted.iter().any(|row| row == line)).collect();
    assert_eq!(there, wanted);
}

#[test]
fn the_page_lists_the_questions_about_hostile_fmus() {
    let page = page();
    let wanted: Vec<_> =
        lotka::hostile_items().map(|item| format!("| `{}` | {} | {} |", item.name, item.finds, item.seen)).collect();
    let there: Vec<_> = page.lines().filter(|line| wanted.iter().any(|row| row == line)).collect();
    assert_eq!(there, wanted);
}

#[test]
fn the_page_lists_the_rules_and_no_others() {
    let page = page();
    let of_descriptions = fmi2::description::RULES.iter().chain(fmi3::description::RULES);
    let wanted: Vec<_> = of_descriptions.chain(fmu::RULES).map(row).collect();
    let is_rule = |line: &&str| [" note ", " warning ", " error "].contains(&line.split('|').nth(2).unwrap_or_default());
    let there: Vec<_> = page.lines().filter(is_rule).collect();
    assert_eq!(there, wanted);
}
