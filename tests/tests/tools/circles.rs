//! The modules of the command use each other in one direction: none is part of a circle.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use tests::root;

/// The modules at the top of the crate, each with its source.
fn modules(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let named = entries.map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), source(&path)));
    named.filter(|(name, _)| name != "main").collect()
}

/// The source of a file, or of all files in a folder, without tests.
fn source(path: &Path) -> String {
    if path.is_dir() {
        return fs::read_dir(path).unwrap().map(|entry| source(&entry.unwrap().path())).collect();
    }
    let text = fs::read_to_string(path).unwrap();
    text.split("#[cfg(test)]").next().unwrap_or_default().to_owned()
}

/// The first names of all paths that begin with `crate::`.
fn used(source: &str) -> BTreeSet<&str> {
    source.split("crate::").skip(1).flat_map(first_names).collect()
}

/// `a` of `a::b`, `a` and `c` of `{a::{b, d}, c}`.
fn first_names(path: &str) -> Vec<&str> {
    let name = |text: &'_ str| text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let Some(list) = path.strip_prefix('{') else { return vec![&path[..name(path)]] };
    let (mut names, mut depth, mut start) = (Vec::new(), 1, 0);
    for (place, c) in list.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 || (depth == 1 && c == ',') {
            let item = list[start..place].trim();
            names.push(&item[..name(item)]);
            start = place + 1;
        }
        if depth == 0 {
            break;
        }
    }
    names
}

/// What is left after all modules are taken away, again and again, that use none of the others that are left.
fn circles(modules: &BTreeMap<String, String>) -> Vec<String> {
    let mut left: BTreeMap<&str, BTreeSet<&str>> = modules.iter().map(|(name, text)| (name.as_str(), used(text))).collect();
    loop {
        let names: BTreeSet<&str> = left.keys().copied().collect();
        let before = left.len();
        left.retain(|name, used| used.iter().any(|other| other != name && names.contains(other)));
        if left.len() == before {
            return left.into_keys().map(str::to_owned).collect();
        }
    }
}

#[test]
fn modules_of_the_command_form_no_circle() {
    let modules = modules(&root().join("crates/lotka-cli/src"));
    assert!(modules.len() > 30, "{:?}", modules.keys());
    assert!(modules.values().map(|text| used(text).len()).sum::<usize>() > 100);
    let circles = circles(&modules);
    assert!(circles.is_empty(), "these modules are part of a circle, or use one that is: {circles:?}");
}

#[test]
fn circles_are_found() {
    let module = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let acyclic = [module("a", "use crate::{b::{B, c}, c};"), module("b", "crate::c::f()"), module("c", "use crate::c::d;")];
    assert_eq!(circles(&acyclic.clone().into()), [""; 0]);
    let mut modules = BTreeMap::from(acyclic);
    modules.insert("c".to_owned(), "use crate::{d::D, a};".to_owned());
    assert_eq!(circles(&modules), ["a", "b", "c"]);
}
