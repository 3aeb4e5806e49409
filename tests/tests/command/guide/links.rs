//! Every link leads to a file and, where it says so, to a heading; the summary of the book lists every page.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path, PathBuf},
};

use tests::root;

use crate::guide::page::{self, Page};

/// The pages whose links are followed.
fn linking() -> Vec<Page> {
    let beside =
        ["ARCHITECTURE.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md", "CHANGELOG.md", "docs/messages.md"].map(Page::read);
    let examples = page::markdown_below("examples").into_iter().map(|name| Page::read(&name));
    page::all().into_iter().chain(beside).chain(examples).collect()
}

/// Where the links of a page lead, but for those to other sites. Code in backquotes has none; a text may go over the end of a
/// line.
fn links(page: &Page) -> Vec<String> {
    let prose = page.prose().collect::<Vec<_>>().join("\n");
    let without_code: String = prose.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let targets = without_code.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://")).map(str::to_owned).collect()
}

/// The name by which a heading is found, as GitHub and mdBook make it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The anchors of a page; of headings with the same text, all but the first have a number.
fn anchors(page: &Page) -> BTreeSet<String> {
    let mut count = BTreeMap::<String, u32>::new();
    let numbered = |heading: &str| {
        let anchor = anchor(heading);
        let seen = count.entry(anchor.clone()).and_modify(|seen| *seen += 1).or_insert(0);
        if *seen == 0 { anchor } else { format!("{anchor}-{seen}") }
    };
    page.headings().map(numbered).collect()
}

/// A path without `..`, as a link from a page means it.
fn target(page: &str, link: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for part in Path::new(page).parent().unwrap_or(Path::new("")).join(link).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            part => path.push(part),
        }
    }
    path
}

/// What is wrong with a link.
fn problem(page: &Page, link: &str) -> Option<String> {
    let (file, heading) = link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
    let file = if file.is_empty() { PathBuf::from(&page.name) } else { target(&page.name, file) };
    if !root().join(&file).exists() {
        return Some(format!("{}: {link}: there is no {}", page.name, file.display()));
    }
    let heading = heading?;
    let shown = if root().join(&file).is_dir() { file.join("README.md") } else { file };
    let anchors = anchors(&Page::read(shown.to_str()?));
    (!anchors.contains(heading))
        .then(|| format!("{}: {link}: {} has no such heading; it has {anchors:?}", page.name, shown.display()))
}

#[test]
fn every_link_leads_somewhere() {
    let pages = linking();
    let problems = pages.iter().flat_map(|page| links(page).into_iter().filter_map(|link| problem(page, &link)));
    let problems: Vec<_> = problems.collect();
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    let count: usize = pages.iter().map(|page| links(page).len()).sum();
    assert!(count > 150, "{count}");
}

#[test]
fn the_summary_lists_every_page_once() {
    let summary = Page::read("docs/SUMMARY.md");
    let mut listed: Vec<_> = links(&summary).iter().map(|link| target(&summary.name, link)).collect();
    listed.sort();
    let pages = page::markdown_below("docs").into_iter().filter(|name| name != "docs/SUMMARY.md");
    assert_eq!(listed, pages.map(PathBuf::from).collect::<Vec<_>>());
}

#[test]
fn links_and_headings_are_found() {
    let text = "# A `b-c`: d_e, 2\n[x](y.md#z)\n`[no](link)` ![picture](p.svg) [far](https://example.org)\n## A `b-c`: d_e, 2\n";
    let page = Page { name: "docs/page.md".to_owned(), text: text.to_owned() };
    assert_eq!(links(&page), ["y.md#z", "p.svg"]);
    assert_eq!(anchors(&page), ["a-b-c-d_e-2", "a-b-c-d_e-2-1"].map(str::to_owned).into());
    assert_eq!(target(&page.name, "../README.md"), Path::new("README.md"));
    assert!(problem(&page, "system-file.md#tolerance").is_none());
    assert!(problem(&page, "system-file.md#tolerances").is_some() && problem(&page, "nowhere.md").is_some());
}
