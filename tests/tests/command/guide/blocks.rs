//! Every block of every page runs.

use std::thread;

use crate::guide::{
    page::{self, Page},
    reader::Reader,
};

/// What a block can be in.
const LANGUAGES: [&str; 7] = ["sh", "toml", "rust", "python", "text", "yaml", "dockerfile"];

#[test]
fn every_block_of_every_page_runs() {
    let pages = page::all();
    let failures: Vec<String> = thread::scope(|scope| {
        let runs: Vec<_> = pages.iter().map(|page| scope.spawn(|| failures(page))).collect();
        runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
    });
    assert!(
        failures.is_empty(),
        "\n{}\n\nWhat can be said of a block is in tests/tests/command/guide/mod.rs.",
        failures.join("\n\n")
    );
}

/// What is wrong with the blocks of a page.
fn failures(page: &Page) -> Vec<String> {
    let blocks = page.blocks();
    let mut reader = Reader::of(&blocks);
    let mut failures = Vec::new();
    for (position, block) in blocks.iter().enumerate() {
        let output = blocks.get(position + 1).filter(|next| next.language == "text" && block.is_right_before(next));
        let output = output.map(|output| output.text.as_str());
        if let Err(failure) = reader.take(block, output) {
            failures.push(format!("{}:{}: {failure}", page.name, block.line));
        }
    }
    failures
}

#[test]
fn every_block_says_what_it_is() {
    for page in page::all() {
        for block in page.blocks() {
            let mark = block.mark.as_deref();
            let is_known = LANGUAGES.contains(&&*block.language)
                && mark.is_none_or(|mark| ["no_run", "fragment", "package"].contains(&mark) || block.file().is_some());
            assert!(is_known, "{}:{}: `{},{mark:?}` is none of those in guide/mod.rs", page.name, block.line, block.language);
        }
    }
}

/// Blocks in Rust are documentation tests of the pages that `tests/src/lib.rs` includes.
#[test]
fn every_page_with_rust_is_a_documentation_test() {
    let included = Page::read("tests/src/lib.rs").text;
    for page in page::all() {
        let has_rust = page.blocks().iter().any(|block| block.language == "rust" && block.file().is_none());
        let is_included = included.contains(&format!("include_str!(\"../../{}\")", page.name));
        assert_eq!(has_rust, is_included, "{}: the list of pages in tests/src/lib.rs", page.name);
    }
}
