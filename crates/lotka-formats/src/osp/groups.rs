//! Groups of variables: `<model name>_OspModelDescription.xml`.

use lotka_message::{Code, Findings, SourceFile};
use lotka_system::xml::Reader;
use roxmltree::Node;

use super::codes::CODES;

/// Variables under one name, perhaps in groups of their own. Forces, velocities and ports are groups, too.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) variables: Vec<String>,
    pub(super) groups: Vec<Group>,
}

impl Group {
    /// The variables of this group, and then those of the groups in it, in the order of the file.
    pub(super) fn all(&self) -> Vec<&str> {
        let own = self.variables.iter().map(String::as_str);
        own.chain(self.groups.iter().flat_map(Self::all)).collect()
    }

    /// Whether both have the same number of variables in the same structure.
    pub(super) fn fits(&self, other: &Self) -> bool {
        let (own, others) = (&self.groups, &other.groups);
        let inner = || own.iter().zip(others).all(|(one, other)| one.fits(other));
        self.variables.len() == other.variables.len() && own.len() == others.len() && inner()
    }
}

/// The group of this name; outer groups take precedence.
pub(super) fn find<'a>(groups: &'a [Group], name: &str) -> Option<&'a Group> {
    let here = groups.iter().find(|group| group.name == name);
    here.or_else(|| groups.iter().find_map(|group| find(&group.groups, name)))
}

/// The groups of a model; problems are those of its file.
pub(super) fn read(file: &SourceFile, findings: &mut Findings) -> Vec<Group> {
    let mut reader = Reader::new(file, false, CODES);
    let groups = reader.tree(|root, reader| {
        let lists = root.children().filter(|child| child.tag_name().name() == "VariableGroups");
        lists.flat_map(|list| each(list, reader)).collect()
    });
    findings.add_of(file, reader.findings);
    groups.unwrap_or_default()
}

fn each(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Vec<Group> {
    let groups = node.children().filter(|child| child.is_element() && child.tag_name().name() != "Variable");
    groups.filter_map(|child| group(child, reader)).collect()
}

fn group(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Option<Group> {
    let name = reader.required(node, "name")?.value;
    let mut variables = Vec::new();
    for variable in node.children().filter(|child| child.tag_name().name() == "Variable") {
        match reader.text(variable, "ref") {
            Some(name) => variables.push(name.value),
            None => reader.error(Code::OspForm, variable, format!("a variable of the group `{name}` has no `ref`"), None),
        }
    }
    Some(Group { name, variables, groups: each(node, reader) })
}
