//! `[algorithm]`

use toml::de::DeValue;

use super::{Section, section::kind};
use crate::system::{
    AlgorithmSettings, Compatibility, Located,
    problem::{Findings, nearest},
};

pub(super) fn read(mut section: Section<'_>, findings: &mut Findings) -> AlgorithmSettings {
    let settings = AlgorithmSettings {
        sweep: section.text("sweep", findings),
        order: order(&mut section, findings),
        input_degree: section.integer("input-degree", findings),
        iterations: section.integer("iterations", findings),
        iteration_tolerance: section.number("iteration-tolerance", findings),
        controller: section.text("controller", findings),
        compatibility: compatibility(&mut section, findings),
    };
    section.finish(findings);
    settings
}

fn order(section: &mut Section<'_>, findings: &mut Findings) -> Option<Located<Vec<Located<String>>>> {
    let value = section.get("order")?;
    let DeValue::Array(list) = value.get_ref() else {
        findings.error(
            &Some(value.span()),
            format!("`order` is {} where a list of instances belongs", kind(value.get_ref())),
            None,
        );
        return None;
    };
    let mut names = Vec::new();
    for name in list.iter() {
        match name.get_ref().as_str() {
            Some(text) => names.push(Located { value: text.to_owned(), span: Some(name.span()) }),
            None => findings.error(
                &Some(name.span()),
                format!("`order` has {} where the name of an instance belongs", kind(name.get_ref())),
                None,
            ),
        }
    }
    Some(Located { value: names, span: Some(value.span()) })
}

fn compatibility(section: &mut Section<'_>, findings: &mut Findings) -> Option<Located<Compatibility>> {
    let name = section.text("compatibility", findings)?;
    if name.value == "mastersim" {
        return Some(Located { value: Compatibility::MasterSim, span: name.span });
    }
    findings.error(
        &name.span,
        format!("unknown compatibility `{}`", name.value),
        nearest(&name.value, ["mastersim"].into_iter()),
    );
    None
}
