//! Parses the page of messages, which has a level-2 heading for each group and a level-3 heading for each code.

const PAGE: &str = include_str!("../../messages.md");

/// A code and its section of the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) group: &'static str,
    pub(super) code: &'static str,
    body: &'static str,
}

/// Returns all entries, in the order of the page.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    PAGE.split("\n## ").skip(1).flat_map(|group| {
        let (heading, rest) = group.split_once('\n').unwrap_or((group, ""));
        rest.split("\n### `").skip(1).filter_map(move |entry| {
            let (code, body) = entry.split_once("`\n")?;
            Some(Entry { group: heading, code, body })
        })
    })
}

impl Entry {
    /// Returns the meaning of the code, in a sentence.
    pub(super) fn summary(&self) -> String {
        let paragraph = self.body.trim_start().split("\n\n").next().unwrap_or_default().replace('\n', " ");
        match paragraph.split_once(". ") {
            Some((first, _)) => first.to_owned(),
            None => paragraph.trim_end_matches('.').to_owned(),
        }
    }

    /// Formats the entry for a terminal: files and outputs are indented, and comments are omitted.
    pub(super) fn text(&self) -> String {
        let (mut text, mut is_code) = (String::new(), false);
        for line in self.body.trim().lines().filter(|line| !line.starts_with("<!--")) {
            match line.strip_prefix("```") {
                Some(kind) => {
                    is_code = !is_code;
                    // The name of the file follows its language.
                    text += &kind.split_once(' ').map(|(_, file)| format!("{file}:\n")).unwrap_or_default();
                }
                None if is_code && !line.is_empty() => text += &format!("    {line}\n"),
                None => text += &format!("{line}\n"),
            }
        }
        text
    }
}
