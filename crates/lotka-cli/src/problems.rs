//! Renders problems of a system: with an excerpt of the file on a terminal, as one line each for other programs.

use lotka::{Problem, Problems, Severity};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, NamedSource, Report};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// `file:line:column: message; help [code]`.
    Plain,
    Excerpts,
    ColoredExcerpts,
}

pub(crate) fn render(problems: &Problems, style: Style) -> String {
    let theme = match style {
        Style::Plain => return plain(problems),
        Style::Excerpts => GraphicalTheme::unicode_nocolor(),
        Style::ColoredExcerpts => GraphicalTheme::unicode(),
    };
    let handler = GraphicalReportHandler::new_themed(theme).with_links(false);
    let mut text = String::new();
    for problem in &problems.list {
        let mut excerpt = String::new();
        match handler.render_report(&mut excerpt, report(problems, problem).as_ref()) {
            Ok(()) => text += &excerpt,
            Err(_) => text += &line(problems, problem),
        }
        text.push('\n');
    }
    text
}

fn plain(problems: &Problems) -> String {
    problems.list.iter().map(|problem| line(problems, problem)).collect::<Vec<_>>().join("\n")
}

fn line(problems: &Problems, problem: &Problem) -> String {
    problem.code.mark(&problems.line(problem))
}

fn report(problems: &Problems, problem: &Problem) -> Report {
    let file = problems.file_of(problem);
    let place = problem.span.clone().zip(file);
    let name = file.map(|file| file.path.display().to_string());
    let message = match (&name, &place) {
        (Some(name), None) => format!("{name}: {}", problem.message),
        _ => problem.message.clone(),
    };
    let severity = match problem.severity {
        Severity::Warning => miette::Severity::Warning,
        Severity::Error => miette::Severity::Error,
    };
    let mut diagnostic = MietteDiagnostic::new(message).with_code(problem.code.as_str()).with_severity(severity);
    if let Some(help) = &problem.help {
        diagnostic = diagnostic.with_help(help);
    }
    let Some((span, file)) = place else { return Report::new(diagnostic) };
    let diagnostic = diagnostic.with_label(LabeledSpan::new_with_span(None, span));
    Report::new(diagnostic).with_source_code(NamedSource::new(name.unwrap_or_default(), file.text.to_string()))
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

    #[test]
    fn other_programs_get_one_line_each() {
        assert_eq!(
            render(&problems(), Style::Plain),
            "system.toml:2:1: unknown key `stopp`; did you mean `stop`? [unknown-key]\nsystem.toml: no stop time [missing-stop-time]"
        );
    }

    #[test]
    fn people_get_the_line_of_the_file_and_colors_only_if_they_want() {
        let text = render(&problems(), Style::Excerpts);
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
        assert!(render(&problems(), Style::ColoredExcerpts).contains('\u{1b}'));
    }
}
