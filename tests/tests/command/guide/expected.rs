//! What is printed, against what a page says.

/// The mark that stands for any text in a line, and alone in a line for any lines.
const ANY: &str = "…";

/// Whether an output is what a page says, but for blanks at the end of lines and empty lines around it.
pub fn is_as_told(told: &str, printed: &str) -> bool {
    let lines = |text: &str| text.trim_matches('\n').lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    are_lines(&lines(told), &lines(printed))
}

fn are_lines(told: &[String], printed: &[String]) -> bool {
    match told.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == ANY => (0..=printed.len()).any(|skipped| are_lines(rest, &printed[skipped..])),
        Some((first, rest)) => printed.split_first().is_some_and(|(line, more)| is_line(first, line) && are_lines(rest, more)),
    }
}

fn is_line(told: &str, printed: &str) -> bool {
    let mut parts = told.split(ANY);
    let begin = parts.next().unwrap_or_default();
    let Some(mut left) = printed.strip_prefix(begin) else { return false };
    let parts: Vec<_> = parts.collect();
    let Some((end, middle)) = parts.split_last() else { return left.is_empty() };
    for part in middle {
        let Some((_, after)) = left.split_once(part) else { return false };
        left = after;
    }
    left.ends_with(end)
}

#[test]
fn any_text_is_reported_by_dots() {
    for (told, printed) in
        [("a\nb", "\na \nb\n"), ("a…c", "abbc"), ("…", "a\nb"), ("…\nb", "b"), ("a\n…\nc", "a\nb\nb\nc"), ("…", "")]
    {
        assert!(is_as_told(told, printed), "{told:?}, {printed:?}");
    }
    for (told, printed) in [("a", "b"), ("a", "a\nb"), ("a\nb", "a"), ("a…c", "abb"), ("…\nb", "b\nc"), ("aa…a", "aa"), ("", "a")]
    {
        assert!(!is_as_told(told, printed), "{told:?}, {printed:?}");
    }
}
