//! Renders problems of a system: with an excerpt of the file on a terminal, as one line each for other programs.

use std::ops::Range;

use lotka::{Problem, Problems, Severity, printable, printable_line};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, NamedSource, Report};

use crate::shown::Shown;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// `file:line:column: message; help [code]`.
    Plain,
    Excerpts,
    ColoredExcerpts,
}

/// Returns each problem, without the line end.
pub(crate) fn render(problems: &Problems, style: Style) -> Vec<Shown> {
    let theme = match style {
        Style::Plain => return problems.list.iter().map(|problem| Shown::message(&line(problems, problem))).collect(),
        Style::Excerpts => GraphicalTheme::unicode_nocolor(),
        Style::ColoredExcerpts => GraphicalTheme::unicode(),
    };
    let handler = GraphicalReportHandler::new_themed(theme).with_links(false);
    let excerpt = |(number, problem)| {
        let mut excerpt = String::new();
        match handler.render_report(&mut excerpt, report(problems, problem).as_ref()) {
            Ok(()) if number + 1 == problems.list.len() => Shown::rendered(excerpt.trim_end()),
            Ok(()) => Shown::rendered(&excerpt),
            Err(_) => Shown::message(&line(problems, problem)),
        }
    };
    problems.list.iter().enumerate().map(excerpt).collect()
}

fn line(problems: &Problems, problem: &Problem) -> String {
    problem.code.mark(&problems.line(problem))
}

/// Converts a problem with text of any origin into a report without control characters.
fn report(problems: &Problems, problem: &Problem) -> Report {
    let file = problems.file_of(problem);
    let place = problem.span.clone().zip(file).and_then(|(span, file)| excerpt(&file.text, span));
    let name = file.map(|file| printable_line(&file.path.display().to_string()).into_owned());
    let message = match (&name, &place) {
        (Some(name), None) => format!("{name}: {}", printable(&problem.message)),
        _ => printable(&problem.message).into_owned(),
    };
    let severity = match problem.severity {
        Severity::Warning => miette::Severity::Warning,
        Severity::Error => miette::Severity::Error,
    };
    let mut diagnostic = MietteDiagnostic::new(message).with_code(problem.code.as_str()).with_severity(severity);
    if let Some(help) = &problem.help {
        diagnostic = diagnostic.with_help(printable(help));
    }
    let Some((text, span)) = place else { return Report::new(diagnostic) };
    let diagnostic = diagnostic.with_label(LabeledSpan::new_with_span(None, span));
    Report::new(diagnostic).with_source_code(NamedSource::new(name.unwrap_or_default(), text))
}

/// Returns the printable text of a file, and where the characters of `span` are in it; `None` if they are not in the file.
fn excerpt(text: &str, span: Range<usize>) -> Option<(String, Range<usize>)> {
    let shown = printable(text).into_owned();
    let before = text.get(..span.start)?.chars().count();
    let count = text.get(span)?.chars().count();
    let place = |number: usize| shown.char_indices().nth(number).map_or(shown.len(), |(at, _)| at);
    let span = place(before)..place(before + count);
    Some((shown, span))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lotka::{Code, SourceFile};

    fn problems() -> Problems {
        let text = "[experiment]\nstopp = 1.0\n";
        let file = SourceFile { path: "system.toml".into(), text: text.into() };
        let unknown = Problem {
            code: Code::UnknownKey,
            severity: Severity::Error,
            file: None,
            span: Some(13..18),
            message: "unknown key `stopp`".into(),
            help: Some("did you mean `stop`?".into()),
        };
        let missing =
            Problem { code: Code::NoStopTime, span: None, message: "no stop time".into(), help: None, ..unknown.clone() };
        Problems { file: Some(file), list: vec![unknown, missing] }
    }

    fn rendered(problems: &Problems, style: Style) -> String {
        render(problems, style).iter().map(|problem| format!("{}\n", problem.as_str())).collect()
    }

    #[test]
    fn other_programs_get_one_line_each() {
        assert_eq!(
            rendered(&problems(), Style::Plain),
            "system.toml:2:1: unknown key `stopp`; did you mean `stop`? [unknown-key]\nsystem.toml: no stop time [missing-stop-time]\n"
        );
    }

    #[test]
    fn the_text_of_a_file_cannot_act_and_is_underlined_where_it_was() {
        let text = "# \u{1b}[2J\u{202e}\u{9b}\r\n\"\u{1b}[8m\rb\" = 1";
        assert_eq!(excerpt(text, 13..21).map(|(shown, span)| shown[span].to_owned()), Some("\"␛[8m␍b\"".into()));
        assert_eq!(excerpt(text, 21..text.len() + 1), None);
        let mut problems = problems();
        problems.file = Some(SourceFile { path: "a\u{1b}]0;b\u{7}\n.toml".into(), text: text.into() });
        problems.list[0].span = Some(13..21);
        problems.list[1].message = "\u{1b}[8mhidden\nerror: fake".into();
        problems.list[1].help = Some("\u{9b}2J".into());
        for style in [Style::Plain, Style::Excerpts] {
            let text = rendered(&problems, style);
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
            assert!(!text.contains("\nerror") && text.contains("␛[8mhidden") && text.contains("�2J"), "{text}");
        }
        let text = rendered(&problems, Style::Excerpts);
        assert!(text.contains("\"␛[8m␍b\" = 1") && text.contains("a␛]0;b␇␊.toml:2:1"), "{text}");
        let colored = rendered(&problems, Style::ColoredExcerpts);
        assert!(!colored.contains("\u{1b}[8m") && colored.contains("\u{1b}["), "{colored:?}");
    }

    #[test]
    fn people_get_the_line_of_the_file_and_colors_only_if_they_want() {
        let text = rendered(&problems(), Style::Excerpts);
        for part in [
            "unknown-key",
            "system.toml:2:1",
            "stopp = 1.0",
            "unknown key `stopp`",
            "help: did you mean `stop`?",
            "system.toml: no stop time",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains('\u{1b}'), "{text}");
        assert!(rendered(&problems(), Style::ColoredExcerpts).contains('\u{1b}'));
    }
}
