//! `cargo xtask book`: builds the guide in `docs/` as HTML with mdbook.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{TaskResult, tools, write};

/// Builds the book into `target/book`.
///
/// # Errors
/// mdbook is not installed, or it fails.
pub fn run() -> TaskResult {
    tools::require("book", &[tools::MDBOOK])?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let status = Command::new("mdbook").arg("build").arg(root.join("docs")).status()?;
    if !status.success() {
        return Err("mdbook build failed".into());
    }
    let book = root.join("target/book");
    for entry in fs::read_dir(&book)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "html") {
            write(&path, &with_links_out(&fs::read_to_string(&path)?, &root))?;
        }
    }
    println!("{}", book.join("index.html").display());
    Ok(())
}

/// Returns a top-level page of the book with its links outside the book redirected to the project's files. mdbook would treat
/// them as links inside the book.
fn with_links_out(page: &str, root: &Path) -> String {
    const LINK: &str = "href=\"../";
    let mut parts = page.split(LINK);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(".html").unwrap_or((part, ""));
        if name.contains('"') || !root.join(name).with_extension("md").is_file() {
            text += &format!("{LINK}{part}");
        } else {
            text += &format!("{LINK}../{name}.md{rest}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_out_of_the_book_lead_to_files() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let page = r##"<a href="../README.html#x">a</a> <a href="../nothing.html">b</a> <a href="page.html">c</a>"##;
        let expected = r##"<a href="../../README.md#x">a</a> <a href="../nothing.html">b</a> <a href="page.html">c</a>"##;
        assert_eq!(with_links_out(page, &root), expected);
    }
}
