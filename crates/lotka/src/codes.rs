//! The codes of all messages by their names, rules of `lotka check` included.

use lotka_message::Code;

use crate::check_rules;

/// Returns the code of this name, or the rule of `lotka check` with it.
///
/// ```
/// assert_eq!(lotka::command::code_named("default-experiment"), Some(lotka::Code::Rule("default-experiment")));
/// assert_eq!(lotka::command::code_named("unknown-kez"), None);
/// ```
#[must_use]
pub fn code_named(name: &str) -> Option<Code> {
    all().find(|code| code.as_str() == name)
}

/// Returns the code with the most similar name, for misspelled ones.
#[must_use]
pub fn nearest_code(name: &str) -> Code {
    all().min_by_key(|code| strsim::damerau_levenshtein(name, code.as_str())).unwrap_or(Code::UnknownCode)
}

fn all() -> impl Iterator<Item = Code> {
    Code::ALL.iter().copied().chain(check_rules().map(|rule| Code::Rule(rule.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_has_the_name_of_a_rule() {
        assert!(Code::ALL.iter().all(|code| check_rules().all(|rule| rule.name != code.as_str())));
    }

    #[test]
    fn no_rule_of_archives_has_the_name_of_one_of_descriptions() {
        let of_descriptions = || fmi2::description::RULES.iter().chain(fmi3::description::RULES);
        assert!(fmu::RULES.iter().all(|rule| of_descriptions().all(|other| other.name != rule.name)));
    }
}
