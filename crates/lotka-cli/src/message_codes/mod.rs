//! `lotka explain`: explains the code of a message, from the pages of the documentation.

mod page;

use lotka::{Code, check_rules, check_rules_named, command::nearest_code};

use crate::{console::Console, data, exit::ExitCode, failure::Failure, table};
use page::Entry;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Code in brackets at the end of a message, or rule of `lotka check`.
    ///
    /// Without it, the command lists all codes and rules.
    code: Option<String>,
}

/// Prints the explanation of a code, or the list of all codes.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> ExitCode {
    let text = match &arguments.code {
        Some(name) => explain(name.trim_matches(['[', ']'])),
        None => Ok(list()),
    };
    console.end(text.and_then(|text| data::print(&text)).map(|()| ExitCode::Done))
}

fn explain(name: &str) -> Result<String, Failure> {
    if let Some(entry) = page::entries().find(|entry| entry.code == name) {
        return Ok(format!("{name}\n\n{}", entry.text()));
    }
    let about = |severity: &str, requirement: &str| {
        format!("{name}\n\nA rule of `lotka check` for FMUs. Severity, at worst: {severity}.\n{requirement}\n")
    };
    match check_rules_named(name)[..] {
        [] => {}
        [rule] => return Ok(about(rule.worst.name(), &format!("Requirement: {}.", rule.demands))),
        [two, three, ..] => {
            let worst = two.worst.max(three.worst).name();
            let requirements = format!("Requirement of FMI 2.0: {}.\nRequirement of FMI 3.0: {}.", two.demands, three.demands);
            return Ok(about(worst, &requirements));
        }
    }
    let reason = format!("unknown code `{name}`; did you mean `{}`? `lotka explain` lists all codes", nearest_code(name));
    Err(Failure::Usage { code: Code::UnknownCode, reason })
}

/// Lists every code with its first sentence, by group, and every rule with its requirement.
fn list() -> String {
    let mut text = String::new();
    let entries: Vec<Entry> = page::entries().collect();
    for group in entries.chunk_by(|one, other| one.group == other.group) {
        let rows: Vec<_> = group.iter().map(|entry| table::row([entry.code, &entry.summary()])).collect();
        text += &format!("{}\n{}\n", group[0].group, table::columns("  ", &rows));
    }
    let rules: Vec<_> = check_rules().map(|rule| table::row([rule.name, rule.demands])).collect();
    format!("{text}Rules of `lotka check`\n{}", table::columns("  ", &rules))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_of_both_versions_has_the_requirements_of_both() {
        let names = check_rules().map(|rule| rule.name);
        let differing = names.filter(|name| check_rules_named(name).len() > 1).collect::<Vec<_>>();
        assert!(differing.contains(&"dependencies-kind"), "{differing:?}");
        for name in differing {
            let text = explain(name).unwrap_or_default();
            assert!(text.contains("Requirement of FMI 2.0: ") && text.contains("Requirement of FMI 3.0: "), "{text}");
        }
    }

    #[test]
    fn every_code_has_an_entry_and_every_entry_a_code() {
        let codes: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        let mut entries: Vec<_> = page::entries().map(|entry| entry.code).collect();
        for code in &codes {
            assert!(entries.contains(code), "docs/messages.md does not have `{code}`");
        }
        entries.retain(|entry| !codes.contains(entry));
        assert_eq!(entries, [""; 0]);
    }

    #[test]
    fn a_slip_of_the_pen_finds_the_nearest_code() {
        let Err(Failure::Usage { reason, .. }) = explain("unknown-kei") else { panic!("explained") };
        assert!(reason.contains("did you mean `unknown-key`?"), "{reason}");
    }
}
