//! `docs/messages.md` against the program: every code has an example, and every example prints what the page says.
//!
//! With `LOTKA_UPDATE_MESSAGES=1` the outputs of the page are written anew, to be looked through before they are committed.

mod example;
mod excerpts;
mod page;

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use lotka::Code;
use page::{Entry, Page};

/// Codes without an example, with the reason.
const WITHOUT_EXAMPLE: &[(&str, &str)] = &[
    ("table-too-large", "takes a file of many gigabytes"),
    ("step-pending", "takes a minute"),
    ("fmu-lost", "takes a program that goes on after fmi2Fatal; the command does not"),
    ("session-refused", "takes a program that links the library; the command has no sessions"),
    ("no-process", "takes a system without processes or memory left"),
    ("own-error-unknown", "takes an FMU that fails in its last run only"),
    ("checkpoint-version", "only another version writes one"),
    ("not-repeatable", "prints other numbers each time"),
    ("internal-error", "a bug of the program"),
];

#[test]
fn every_code_has_an_entry_and_an_example_or_a_reason_why_not() {
    let page = Page::read();
    let entries: BTreeMap<_, _> = page.entries.iter().map(|entry| (entry.code.as_str(), entry)).collect();
    assert_eq!(entries.len(), page.entries.len(), "an entry is there twice");
    for code in Code::ALL {
        let entry = entries.get(code.as_str()).unwrap_or_else(|| panic!("no entry `{code}` in docs/messages.md"));
        let reason = WITHOUT_EXAMPLE.iter().find(|(name, _)| *name == entry.code);
        assert_eq!(entry.commands.is_empty(), reason.is_some(), "{code}: an example, or a reason why there is none");
    }
    assert_eq!(entries.len(), Code::ALL.len(), "entries without a code");
}

#[test]
fn every_example_prints_what_the_page_says() {
    let mut page = Page::read();
    let printed = print_all(&page.entries);
    if std::env::var_os("LOTKA_UPDATE_MESSAGES").is_some() {
        page.update(&printed);
    }
    let mut wrong = String::new();
    for (entry, printed) in page.entries.iter().zip(&printed).filter(|(entry, _)| !entry.commands.is_empty()) {
        let mark = [format!("[{}]", entry.code), format!("\"{}\"", entry.code)];
        if !mark.iter().any(|mark| printed.contains(mark.as_str())) {
            wrong += &format!("the example of `{}` does not show its code:\n{printed}\n", entry.code);
        } else if !example::is_same(printed, &page.shown(entry)) {
            wrong += &format!("the example of `{}` prints\n{printed}\nbut the page has\n{}\n", entry.code, page.shown(entry));
        }
    }
    assert!(wrong.is_empty(), "{wrong}LOTKA_UPDATE_MESSAGES=1 updates the page");
}

/// What the examples print, two at a time.
fn print_all(entries: &[Entry]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut printed = Vec::new();
        while let Some((index, entry)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, entries.get(n)?))) {
            printed.push((index, example::print(entry)));
        }
        printed
    };
    let mut all = thread::scope(|scope| {
        let other = scope.spawn(worker);
        let mut all = worker();
        all.extend(other.join().unwrap());
        all
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, printed)| printed).collect()
}
