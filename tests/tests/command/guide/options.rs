//! `docs/options.md` has every subcommand, flag, argument and exit code of the command, and no others.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use tests::lotka;

use crate::guide::page::Page;

/// What `lotka … --help` prints.
fn help(subcommand: &str) -> String {
    printed(subcommand, "--help")
}

fn printed(subcommand: &str, flag: &str) -> String {
    let mut command = Command::new(lotka());
    command.args([subcommand, flag].iter().filter(|argument| !argument.is_empty()));
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

/// Flags and arguments of a subcommand, as its help lists them, with what it says of each: `-q, --quiet`, `--color <WHEN>`,
/// `<SYSTEM>`.
fn listed(help: &str) -> BTreeMap<String, String> {
    let mut listed: Vec<(String, String)> = Vec::new();
    for line in help.lines() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        let (entry, rest) = text.split_once("  ").unwrap_or((text, ""));
        if (2..=6).contains(&indent) && text.starts_with(['-', '<', '[']) {
            listed.push((entry.trim().to_owned(), rest.trim().to_owned()));
        } else if indent > 6
            && let Some((_, told)) = listed.last_mut()
        {
            *told = format!("{told} {text}").trim().to_owned();
        }
    }
    listed.into_iter().filter(|(entry, _)| !entry.ends_with("--help") && !entry.ends_with("--version")).collect()
}

/// Subcommands as `lotka --help` lists them.
fn subcommands() -> Vec<String> {
    let help = help("");
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(str::to_owned).collect()
}

/// The first cells of the tables in the section with this heading.
fn told(page: &Page, heading: &str) -> BTreeSet<String> {
    let section =
        page.text.split(&format!("\n## {heading}\n")).nth(1).unwrap_or_else(|| panic!("there is no heading `## {heading}`"));
    let section = Page { name: page.name.clone(), text: section.split("\n## ").next().unwrap_or_default().to_owned() };
    let cells = section.rows().map(|cells| cells[0].to_owned());
    cells.filter(|cell| cell.starts_with('`')).map(|cell| cell.trim_matches('`').to_owned()).collect()
}

#[test]
fn every_flag_of_every_subcommand_is_on_the_page() {
    let page = Page::read("docs/options.md");
    let subcommands = subcommands();
    assert!(subcommands.len() >= 10, "{subcommands:?}");
    let everywhere = told(&page, "Everywhere");
    assert_eq!(everywhere, listed(&help("")).into_keys().collect());
    for subcommand in &subcommands {
        let mut wanted = listed(&help(subcommand));
        wanted.retain(|entry, _| !everywhere.contains(entry));
        let told = told(&page, &format!("lotka {subcommand}"));
        let missing = wanted.iter().filter(|(entry, _)| !told.contains(*entry));
        let missing: String = missing.map(|(entry, text)| format!("\n| `{entry}` | {text} |")).collect();
        let surplus: Vec<_> = told.iter().filter(|entry| !wanted.contains_key(*entry)).collect();
        assert!(missing.is_empty(), "docs/options.md lacks under `## lotka {subcommand}`:{missing}");
        assert!(surplus.is_empty(), "docs/options.md, `lotka {subcommand}`: there is no {surplus:?}");
    }
    let headings = page.headings().filter(|heading| heading.starts_with("lotka ")).count();
    assert_eq!(headings, subcommands.len());
}

/// What clap adds to a text: defaults and values to choose from. A default in the words of the text has no colon.
const ADDED: [&str; 4] = [" [default: ", " [possible values: ", " [alias: ", " [aliases: "];

#[test]
fn every_short_help_is_shorter_than_a_line() {
    let mut count = 0;
    for subcommand in subcommands().iter().map(String::as_str).chain([""]) {
        let help = printed(subcommand, "-h");
        let about = help.lines().next().unwrap_or_default();
        let texts = listed(&help).into_iter().chain([("about".to_owned(), about.to_owned())]);
        for (entry, text) in texts {
            let own = ADDED.iter().filter_map(|added| text.find(added)).min().map_or(&*text, |end| &text[..end]);
            assert!((3..80).contains(&own.chars().count()), "lotka {subcommand} -h, {entry}: {own}");
            assert!(own.starts_with(char::is_uppercase) && !own.ends_with('.'), "lotka {subcommand} -h, {entry}: {own}");
            count += 1;
        }
    }
    assert!(count > 70, "{count}");
}

#[test]
fn every_exit_code_is_on_the_page_with_its_meaning() {
    let help = help("");
    let codes = help.split("Exit codes:\n").nth(1).unwrap().lines().filter_map(|line| line.trim().split_once("  "));
    let rows: BTreeSet<_> = codes.map(|(code, meaning)| format!("| {code} | {meaning} |")).collect();
    assert!(rows.len() >= 12, "{rows:?}");
    let page = Page::read("docs/options.md");
    let told: BTreeSet<_> =
        page.prose().filter(|line| line.as_bytes().get(2).is_some_and(u8::is_ascii_digit)).map(str::to_owned).collect();
    assert_eq!(told, rows);
}
