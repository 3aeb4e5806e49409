//! Extracts sentences from prose.

/// Returns the first sentence, with a full stop.
pub(crate) fn first_sentence(text: &str) -> String {
    let end = text.find(". ").unwrap_or(text.len());
    let sentence = text[..end].trim_end_matches(['.', ':', ' ']);
    if sentence.is_empty() { String::new() } else { format!("{sentence}.") }
}

/// Returns title and first paragraph of a Markdown text.
pub(crate) fn opening(markdown: &str) -> (String, String) {
    let title = markdown.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default();
    let body = markdown.lines().skip_while(|line| !line.starts_with("# ")).skip(1).skip_while(|line| line.trim().is_empty());
    (title.trim().to_owned(), joined(body.take_while(|line| !line.trim().is_empty())))
}

/// Returns the comment at the start of a TOML file.
pub(crate) fn comment(toml: &str) -> String {
    joined(toml.lines().map_while(|line| line.strip_prefix('#')))
}

fn joined<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_and_first_sentence_are_those_of_the_readme() {
        let (title, paragraph) = opening("# Two masses\n\nThey swing by 0.1 m\nand stop. Then:\n\nMore.\n");
        assert_eq!((title.as_str(), first_sentence(&paragraph).as_str()), ("Two masses", "They swing by 0.1 m and stop."));
        assert_eq!(first_sentence("Prey reproduce (Lotka):"), "Prey reproduce (Lotka).");
        assert_eq!(opening("no title"), (String::new(), String::new()));
    }

    #[test]
    fn the_first_sentence_of_a_file_is_that_of_its_comment() {
        assert_eq!(
            first_sentence(&comment("# Two masses,\n# an FMU each. Build them.\n\n# more\n[experiment]\n")),
            "Two masses, an FMU each."
        );
        assert_eq!(first_sentence(&comment("[experiment]\n")), "");
    }
}
