//! Files use each other in one direction: no circle has more than three files, in any crate.
//!
//! A file uses another one if it names an item that is defined there. Where a module passes on an item of another file, the file
//! that defines it counts.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use petgraph::{algo::tarjan_scc, graph::DiGraph};
use syn::{
    punctuated::Punctuated,
    visit::{self, Visit},
};
use tests::root;

/// The most files in a circle.
const MOST: usize = 3;

/// A module, by the names that lead to it from the top of its crate.
type Module = Vec<String>;

/// What one file defines, and which names it uses.
#[derive(Default)]
struct File {
    items: BTreeSet<String>,
    /// Names that `use` brings in, with their paths, and whether others get them from here.
    imports: BTreeMap<String, (Vec<String>, bool)>,
    /// All other paths.
    paths: BTreeSet<Vec<String>>,
}

/// The files of a crate.
struct Files(BTreeMap<Module, File>);

fn is_of_tests(attributes: &[syn::Attribute]) -> bool {
    let is_test = |attribute: &syn::Attribute| attribute.path().is_ident("test");
    let is_cfg = |attribute: &syn::Attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Meta>().is_ok_and(|condition| needs_test(&condition))
    };
    attributes.iter().any(|attribute| is_test(attribute) || is_cfg(attribute))
}

/// Whether a condition holds in tests only.
fn needs_test(condition: &syn::Meta) -> bool {
    match condition {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) if list.path.is_ident("all") => {
            let parts = list.parse_args_with(Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated);
            parts.is_ok_and(|parts| parts.iter().any(needs_test))
        }
        _ => false,
    }
}

impl File {
    fn new(text: &str) -> Self {
        let mut file = Self::default();
        file.visit_file(&syn::parse_file(text).unwrap());
        file
    }

    /// Takes the names of a `use` that begins with `path`.
    fn import(&mut self, tree: &syn::UseTree, mut path: Vec<String>, passes_on: bool) {
        match tree {
            syn::UseTree::Path(next) => {
                path.push(next.ident.to_string());
                self.import(&next.tree, path, passes_on);
            }
            syn::UseTree::Name(name) if name.ident == "self" => {
                self.imports.insert(path.last().unwrap().clone(), (path, passes_on));
            }
            syn::UseTree::Name(name) => {
                path.push(name.ident.to_string());
                self.imports.insert(name.ident.to_string(), (path, passes_on));
            }
            syn::UseTree::Rename(rename) => {
                path.push(rename.ident.to_string());
                self.imports.insert(rename.rename.to_string(), (path, passes_on));
            }
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, path.clone(), passes_on)),
            syn::UseTree::Glob(_) => drop(self.imports.insert(format!("* of {}", path.join("::")), (path, passes_on))),
        }
    }
}

impl Visit<'_> for File {
    fn visit_item(&mut self, item: &syn::Item) {
        let (name, attributes) = match item {
            syn::Item::Const(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Enum(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Fn(item) => (Some(&item.sig.ident), &item.attrs),
            syn::Item::Impl(item) => (None, &item.attrs),
            syn::Item::Macro(item) => (item.ident.as_ref(), &item.attrs),
            syn::Item::Mod(item) => (None, &item.attrs),
            syn::Item::Static(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Struct(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Trait(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Type(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Union(item) => (Some(&item.ident), &item.attrs),
            syn::Item::Use(item) => (None, &item.attrs),
            _ => return,
        };
        if is_of_tests(attributes) {
            return;
        }
        self.items.extend(name.map(ToString::to_string));
        match item {
            syn::Item::Use(item) => self.import(&item.tree, Vec::new(), !matches!(item.vis, syn::Visibility::Inherited)),
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        self.paths.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

impl Files {
    fn of(source: &Path) -> Self {
        let mut files = BTreeMap::new();
        let mut folders = vec![source.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_stem().unwrap();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "rs") && name != "tests" {
                    let mut module: Module = path.strip_prefix(source).unwrap().with_extension("").iter().map(text).collect();
                    if ["mod", "lib", "main"].iter().any(|top| name == *top) {
                        module.pop();
                    }
                    files.insert(module, File::new(&fs::read_to_string(&path).unwrap()));
                }
            }
        }
        Self(files)
    }

    /// The module that defines what a path names in another one; `None` if it is of another crate.
    fn defines(&self, module: &Module, path: &[String], depth: u32) -> Option<Module> {
        let mut at = module.clone();
        let mut path = path;
        while let [first, rest @ ..] = path {
            let file = self.0.get(&at)?;
            let inner: Module = at.iter().chain([first]).cloned().collect();
            match first.as_str() {
                "crate" => at.clear(),
                "super" => drop(at.pop()),
                "self" => {}
                _ if self.0.contains_key(&inner) => at = inner,
                _ if file.items.contains(first) => return Some(at),
                _ => {
                    let leads = |(name, (path, _)): (&String, &(Vec<String>, bool))| match name {
                        name if name == first => Some([path, rest].concat()),
                        name if name.starts_with("* of ") => Some([path.as_slice(), std::slice::from_ref(first), rest].concat()),
                        _ => None,
                    };
                    let mut ways = file.imports.iter().filter_map(leads).filter(|way| way != path);
                    return if depth > 9 { None } else { ways.find_map(|way| self.defines(&at, &way, depth + 1)) };
                }
            }
            path = rest;
        }
        Some(at)
    }

    /// The circles that are too long.
    fn circles(&self) -> Vec<Vec<String>> {
        let modules: Vec<&Module> = self.0.keys().collect();
        let number = |module: &Module| modules.binary_search(&module).ok();
        let mut edges = Vec::new();
        for (from, (module, file)) in self.0.iter().enumerate() {
            let imports = file.imports.values().filter(|(_, passes_on)| !passes_on).map(|(path, _)| path);
            // A single name may be a local variable: it counts where it is imported.
            let is_path = |path: &&Vec<String>| path.len() > 1 || file.imports.contains_key(&path[0]);
            for path in imports.chain(file.paths.iter().filter(is_path)) {
                let to = self.defines(module, path, 0).and_then(|module| number(&module));
                edges.extend(to.map(|to| (from as u32, to as u32)));
            }
        }
        let name = |number: petgraph::graph::NodeIndex| modules[number.index()].join("/");
        let graph = DiGraph::<(), ()>::from_edges(edges);
        let named = tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > MOST);
        let mut circles: Vec<Vec<_>> = named.map(|circle| circle.into_iter().map(name).collect()).collect();
        circles.iter_mut().for_each(|circle| circle.sort());
        circles
    }
}

fn text(name: &std::ffi::OsStr) -> String {
    name.to_str().unwrap().to_owned()
}

#[test]
fn no_crate_has_a_long_circle_of_files() {
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let circles = Files::of(&folder.join("src")).circles();
        let found: Vec<String> = circles.iter().map(|circle| circle.join(", ")).collect();
        assert!(found.is_empty(), "these files of {} use each other:\n{}", folder.display(), found.join("\n"));
    }
}

#[test]
fn circles_are_found() {
    let files = |texts: &[(&str, &str)]| {
        let module = |name: &str| name.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        Files(texts.iter().map(|(name, text)| (module(name), File::new(text))).collect())
    };
    let top = ("", "mod a; mod b; mod c; mod d; pub use d::D;");
    let chain = [("a", "use crate::b::B; struct A;"), ("b", "struct B(super::c::C);"), ("c", "use crate::D; struct C(D);")];
    let all = |last| files(&[&[top], &chain[..], &[("d", last)]].concat());
    assert_eq!(all("pub struct D;").circles(), Vec::<Vec<String>>::new());
    assert_eq!(all("use crate::a; pub struct D(a::A);").circles(), [["a", "b", "c", "d"]]);
    assert!(all("pub struct D; #[cfg(test)] mod tests { use crate::a::A; }").circles().is_empty());
    assert!(all("pub struct D; #[cfg(all(test, unix))] mod tests { use crate::a::A; }").circles().is_empty());
}
