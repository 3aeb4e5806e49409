//! Which variables are recorded: names, patterns and kinds of variables.

use lotka_instance::description::{Causality, Variable, VariableKind};
use lotka_message::{Code, Findings, nearest};
use lotka_plan::{
    column::is_constant,
    link::{LinkIndex, VariableIndex},
};
use lotka_step::resolved::Interface;
use wildmatch::WildMatch;

use crate::{Located, SystemDescription, locate::Names};

/// The kind that is recorded where nothing is said.
pub const ALL_OUTPUTS: &str = "outputs";

/// Words for kinds of variables; no variable has such a name, because it has no dot.
const KINDS: &[(&str, &[Causality])] = &[
    (ALL_OUTPUTS, &[Causality::Output]),
    ("inputs", &[Causality::Input]),
    ("locals", &[Causality::Local]),
    ("parameters", &[Causality::Parameter, Causality::CalculatedParameter]),
];

/// Resolves `[results]`: the recorded variables, instances in the order of the system, variables in the order of their FMU.
pub fn resolve(
    system: &SystemDescription,
    names: &Names<'_>,
    links: &LinkIndex<'_>,
    interfaces: &[Interface<'_>],
    findings: &mut Findings,
) -> Vec<VariableIndex> {
    // Only connected channels of a source count as outputs.
    let is_output = |place: VariableIndex| place.0 < system.instances.len() || links.is_read(place);
    let mut selection = Selection::new(names, &is_output, findings);
    for known in &mut selection.candidates {
        known.is_unread = interfaces[known.place.0].source.is_some_and(|source| source.is_unread(known.place.1));
    }
    match &system.results.variables {
        None => selection.include_outputs(),
        Some(patterns) => selection.select(patterns),
    }
    let has_bound = system.experiment.tolerance.is_some() && system.events.indicators.is_empty();
    selection.finish(has_bound.then_some(system.experiment.tolerance.as_ref()).flatten())
}

struct Candidate<'a> {
    place: VariableIndex,
    variable: &'a Variable,
    is_output: bool,
    is_recorded: bool,
    /// A column of a table that nothing reads: it has no values.
    is_unread: bool,
}

struct Selection<'a, 'f> {
    names: &'a Names<'a>,
    candidates: Vec<Candidate<'a>>,
    /// Per instance: the number of its first variable among the candidates.
    first: Vec<usize>,
    findings: &'f mut Findings,
}

impl<'a, 'f> Selection<'a, 'f> {
    fn new(names: &'a Names<'a>, is_output: &dyn Fn(VariableIndex) -> bool, findings: &'f mut Findings) -> Self {
        let (mut candidates, mut first) = (Vec::new(), Vec::new());
        for (instance, description) in names.descriptions().iter().enumerate() {
            first.push(candidates.len());
            candidates.extend(description.variables.iter().enumerate().map(|(index, variable)| Candidate {
                place: (instance, index),
                variable,
                is_output: variable.causality == Causality::Output && is_output((instance, index)),
                is_recorded: false,
                is_unread: false,
            }));
        }
        Self { names, candidates, first, findings }
    }

    fn include_outputs(&mut self) {
        self.candidates.iter_mut().for_each(|known| known.is_recorded = known.is_output);
    }

    fn select(&mut self, patterns: &Located<Vec<Located<String>>>) {
        let exclusion = |pattern: &Located<String>| pattern.value.starts_with('!');
        if patterns.value.first().is_some_and(exclusion) {
            self.include_outputs();
        }
        let before = self.findings.n_errors();
        for pattern in &patterns.value {
            match pattern.value.strip_prefix('!') {
                Some(text) if !self.set(text, false) => {
                    self.findings.warning(
                        Code::NoMatch,
                        &pattern.span,
                        format!("`{}` excludes nothing: no variable matches it", pattern.value),
                        "remove it, or correct the name".to_owned(),
                    );
                }
                None if self.is_unread(&pattern.value) => {
                    let message = format!("`{}` cannot be recorded: nothing reads this column of the table", pattern.value);
                    let help = "connect it, or remove it".to_owned();
                    self.findings.error(Code::NoMatch, &pattern.span, message, help);
                }
                None if !self.set(&pattern.value, true) => self.no_match(pattern),
                _ => {}
            }
        }
        if self.findings.n_errors() == before && !self.candidates.iter().any(|known| known.is_recorded) {
            let help = "list variables, or remove `variables` to record all outputs".to_owned();
            self.findings.error(Code::NothingRecorded, &patterns.span, "no variable is recorded", help);
        }
    }

    /// Whether this is the name of a column that nothing reads.
    fn is_unread(&self, name: &str) -> bool {
        let found = self.names.find_full(name);
        found.is_some_and(|(instance, variable)| self.candidates[self.first[instance] + variable].is_unread)
    }

    /// Selects or deselects all matching variables; returns whether there are any.
    fn set(&mut self, pattern: &str, is_recorded: bool) -> bool {
        let matching = self.matching(pattern);
        matching.iter().for_each(|&index| self.candidates[index].is_recorded = is_recorded);
        !matching.is_empty()
    }

    /// A name refers to one variable, whatever its characters; the time is found by its name only.
    fn matching(&self, pattern: &str) -> Vec<usize> {
        if let Some((instance, variable)) = self.names.find_full(pattern) {
            return vec![self.first[instance] + variable];
        }
        if let Some((instance, array)) = self.names.find_array(pattern) {
            return array.elements().map(|variable| self.first[instance] + variable).collect();
        }
        let kind = KINDS.iter().find(|(word, _)| *word == pattern).map(|(_, kind)| *kind);
        let glob = WildMatch::new(pattern);
        let matches = |known: &Candidate<'_>| match (known.variable.causality, kind) {
            _ if known.is_unread => false,
            (Causality::Independent, _) => false,
            (Causality::Output, Some(kind)) => known.is_output && kind.contains(&Causality::Output),
            (causality, Some(kind)) => kind.contains(&causality),
            (_, None) => glob.matches(&self.names.full_name(known.place)),
        };
        (0..self.candidates.len()).filter(|&index| matches(&self.candidates[index])).collect()
    }

    fn no_match(&mut self, pattern: &Located<String>) {
        let text = pattern.value.as_str();
        let is_kind = KINDS.iter().any(|(word, _)| *word == text);
        if is_kind {
            self.findings.error(
                Code::NoMatch,
                &pattern.span,
                format!("the system has no {text} to record"),
                "remove it".to_owned(),
            );
        } else if text.contains(['*', '?']) {
            let of_instances = self.names.list().iter().map(|name| format!("{name}.*"));
            let variables = self.candidates.iter().map(|known| self.names.full_name(known.place));
            let known: Vec<_> = of_instances.chain(variables).collect();
            let help = nearest(text, known.iter().map(String::as_str));
            self.findings.error(Code::NoMatch, &pattern.span, format!("no variable matches `{text}`"), help);
        } else if self.names.find(text).is_some() {
            let help = format!("write `{text}.*` for all of its variables");
            self.findings.error(Code::NoMatch, &pattern.span, format!("`{text}` is an instance, not a variable"), help);
        } else if text.contains('.') {
            self.names.locate(pattern, |_| true, self.findings);
        } else {
            let help = nearest(text, KINDS.iter().map(|(word, _)| *word).chain(self.names.list().iter().copied()));
            self.findings.error(
                Code::NoMatch,
                &pattern.span,
                format!("expected a variable, a pattern or a kind of variables, found `{text}`"),
                help,
            );
        }
    }

    /// The recorded variables. A `tolerance` bounds their errors, so at least one of them must be able to have an error.
    fn finish(self, tolerance: Option<&Located<f64>>) -> Vec<VariableIndex> {
        let recorded: Vec<_> = self.candidates.iter().filter(|known| known.is_recorded).collect();
        let has_none = !self.candidates.is_empty() && !recorded.iter().any(|known| can_have_error(known.variable));
        if let Some(tolerance) = tolerance.filter(|_| has_none) {
            let help = "record one, or use `local-tolerance` or `step`".to_owned();
            let message = "`tolerance` bounds the errors of recorded Real variables, but none is recorded";
            self.findings.error(Code::NothingRecorded, &tolerance.span, message, help);
        }
        recorded.into_iter().map(|known| known.place).collect()
    }
}

/// A Real that may change during a run.
fn can_have_error(variable: &Variable) -> bool {
    matches!(variable.kind, VariableKind::Real(_)) && !is_constant(variable)
}
