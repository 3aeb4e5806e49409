//! `{fmu}.instance.variable`.

/// The parts of a name. The key of the FMU includes its braces, as in the list of FMUs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name<'a> {
    pub(super) fmu: &'a str,
    pub(super) instance: &'a str,
    /// Empty for the name of an instance.
    pub(super) variable: &'a str,
}

/// Splits the name of a variable or of an instance.
pub(super) fn parse(name: &str) -> Option<Name<'_>> {
    let end = match name.strip_prefix('{') {
        Some(rest) => rest.find('}')? + 2,
        None => name.find('.')?,
    };
    let (fmu, rest) = name.split_at(end);
    let rest = rest.strip_prefix('.')?;
    let (instance, variable) = rest.split_once('.').unwrap_or((rest, ""));
    Some(Name { fmu, instance, variable }).filter(|name| !name.instance.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_three_parts_of_which_the_last_may_have_dots() {
        let name = |fmu, instance, variable| Some(Name { fmu, instance, variable });
        assert_eq!(parse("{tank}.t1.level"), name("{tank}", "t1", "level"));
        assert_eq!(parse("{a.b}.t1.pump.q[1]"), name("{a.b}", "t1", "pump.q[1]"));
        assert_eq!(parse("tank.t1.level"), name("tank", "t1", "level"));
        assert_eq!(parse("{tank}.t1"), name("{tank}", "t1", ""));
        assert_eq!((parse("{tank"), parse("{tank}"), parse("{tank}."), parse("x")), (None, None, None, None));
    }
}
