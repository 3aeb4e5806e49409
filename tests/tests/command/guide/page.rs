//! Pages and the blocks of code in them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tests::root;

/// A page by its path from the root of the project.
pub struct Page {
    pub name: String,
    pub text: String,
}

/// A block of code between fences.
pub struct Block {
    pub language: String,
    pub mark: Option<String>,
    pub text: String,
    /// Where it begins, counted from 1.
    pub line: usize,
}

impl Page {
    pub fn read(name: &str) -> Self {
        let text = fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        Self { name: name.to_owned(), text }
    }

    /// All blocks in their order.
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut is_inside = false;
        for (number, line) in self.text.lines().enumerate() {
            match line.strip_prefix("```") {
                Some(_) if is_inside => is_inside = false,
                Some(info) => {
                    is_inside = true;
                    blocks.push(Block::begin(info, number + 1));
                }
                None if is_inside => blocks.last_mut().unwrap().push(line),
                None => {}
            }
        }
        assert!(!is_inside, "{}: a block has no end", self.name);
        blocks
    }

    /// The lines outside of blocks.
    pub fn prose(&self) -> impl Iterator<Item = &str> {
        let mut is_inside = false;
        self.text.lines().filter(move |line| {
            let is_fence = line.starts_with("```");
            is_inside ^= is_fence;
            !is_fence && !is_inside
        })
    }

    /// Texts of the headings.
    pub fn headings(&self) -> impl Iterator<Item = &str> {
        self.prose().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim())
    }

    /// Cells of all rows of tables, but for the lines under their heads.
    pub fn rows(&self) -> impl Iterator<Item = Vec<&str>> {
        let rows = self.prose().filter(|line| line.starts_with('|') && !line.starts_with("|-"));
        rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect())
    }
}

impl Block {
    fn begin(info: &str, line: usize) -> Self {
        let (language, mark) = match info.split_once(',') {
            Some((language, mark)) => (language, Some(mark.to_owned())),
            None => (info, None),
        };
        Self { language: language.to_owned(), mark, text: String::new(), line }
    }

    fn push(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    /// Whether it is marked so.
    pub fn is(&self, mark: &str) -> bool {
        self.mark.as_deref() == Some(mark)
    }

    /// Whether there is nothing but an empty line between it and another one.
    pub fn is_right_before(&self, next: &Self) -> bool {
        next.line == self.line + self.text.lines().count() + 3
    }

    /// Where it is to be saved.
    pub fn file(&self) -> Option<&str> {
        self.mark.as_deref()?.strip_prefix("file:")
    }
}

/// The page whose examples have a form of their own, in which `tests/tests/command/messages` runs them.
const MESSAGES: &str = "docs/messages.md";

/// The README and every page of the guide but that of the messages.
pub fn all() -> Vec<Page> {
    let mut names = vec!["README.md".to_owned()];
    names.extend(markdown_below("docs").into_iter().filter(|name| name != MESSAGES));
    names.iter().map(|name| Page::read(name)).collect()
}

/// Paths, from the root of the project, of all Markdown files in a folder and its folders, in order.
pub fn markdown_below(folder: &str) -> Vec<String> {
    let mut paths: Vec<PathBuf> = Vec::new();
    collect(&root().join(folder), &mut paths);
    let mut names: Vec<_> = paths.iter().map(|path| path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
}

#[test]
fn a_page_is_taken_apart() {
    let text = "# One\n```sh,no_run\na\nb\n```\n## Two `x`\n```toml\n# c\n```\n| `d` | e |\n|---|---|\n".to_owned();
    let page = Page { name: "page".to_owned(), text };
    let blocks: Vec<_> = page.blocks().into_iter().map(|block| (block.language, block.mark, block.text, block.line)).collect();
    let expected = [("sh", Some("no_run"), "a\nb\n", 2), ("toml", None, "# c\n", 7)];
    assert_eq!(
        blocks,
        expected.map(|(language, mark, text, line)| (language.into(), mark.map(str::to_owned), text.into(), line))
    );
    assert_eq!(page.headings().collect::<Vec<_>>(), ["One", "Two `x`"]);
    assert_eq!(page.rows().collect::<Vec<_>>(), [["`d`", "e"]]);
}
