//! Parts of a page, as Markdown and as HTML.

/// A part of a page. Texts are Markdown with code and bold words only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    /// Level (starting at 1) and text.
    Heading(u8, String),
    Text(String),
    Picture {
        file: String,
        title: String,
        svg: String,
    },
    Table {
        header: Vec<String>,
        rows: Vec<Vec<String>>,
    },
}

/// Returns the page as Markdown; pictures are separate files beside it.
pub(super) fn markdown(blocks: &[Block]) -> String {
    blocks.iter().map(|block| block.markdown() + "\n\n").collect::<String>().trim_end().to_owned() + "\n"
}

/// An example at a glance: its picture, its numbers, and where to read on.
pub(super) struct Card {
    /// Place on the page.
    pub(super) id: String,
    pub(super) title: String,
    /// What the example shows.
    pub(super) claim: String,
    /// How many numbers are as expected.
    pub(super) verdict: String,
    pub(super) is_as_expected: bool,
    /// How to run it.
    pub(super) command: String,
    /// Its picture as SVG, if there is one.
    pub(super) picture: Option<String>,
    pub(super) details: Vec<Block>,
}

/// Returns a page of cards as self-contained HTML; the details of each open below them.
pub(super) fn html(title: &str, intro: &[Block], cards: &[Card]) -> String {
    let intro: String = intro.iter().map(Block::html).collect();
    let (shown, details): (String, String) = cards.iter().map(|card| (card.html(), card.details())).unzip();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<header>\n{intro}</header>\n<main>\n<div class=\"cards\">\n{shown}</div>\n<h2>Numbers</h2>\n{details}</main>\n</body>\n</html>\n",
        inline(title)
    )
}

const STYLE: &str = "body { max-width: 80rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(22rem, 1fr)); gap: 1.2rem; }
.card { display: flex; flex-direction: column; border: 1px solid #ccc; border-radius: 8px; padding: 0.8rem 1rem; }
.card figure { margin: 0; height: 14rem; display: flex; align-items: center; justify-content: center; }
.card svg { max-width: 100%; max-height: 100%; height: auto; }
.card h2 { margin: 0.6rem 0 0.2rem; font-size: 1.1rem; }
.card p { margin: 0.2rem 0; flex-grow: 1; }
.card .verdict { flex-grow: 0; font-size: 0.9rem; }
.card pre { margin: 0.5rem 0 0; padding: 0.4rem 0.6rem; overflow-x: auto; font-size: 0.85rem; background: #f3f3f3; border-radius: 4px; }
.good { color: #006d4c; }
.bad { color: #b03a00; font-weight: bold; }
a { color: #0060a0; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; display: block; overflow-x: auto; }
th, td { padding: 0.2rem 0.7rem; border-bottom: 1px solid #ddd; text-align: left; }
summary { cursor: pointer; font-weight: bold; margin: 0.5rem 0; }
";

impl Card {
    fn html(&self) -> String {
        let Self { id, title, claim, verdict, command, .. } = self;
        let [title, claim, verdict] = [title, claim, verdict].map(|text| inline(text));
        let figure = self
            .picture
            .as_ref()
            .map(|svg| format!("<figure role=\"img\" aria-label=\"picture: {}\">\n{svg}</figure>\n", quoted(&self.title)));
        let kind = if self.is_as_expected { "good" } else { "bad" };
        format!(
            "<article class=\"card\">\n{}<h2>{title}</h2>\n<p>{claim}</p>\n<p class=\"verdict {kind}\">{verdict} <a href=\"#{id}\">numbers</a></p>\n\
             <pre><code>{}</code></pre>\n</article>\n",
            figure.unwrap_or_default(),
            escaped(command)
        )
    }

    fn details(&self) -> String {
        let body: String = self.details.iter().map(Block::html).collect();
        format!("<details id=\"{}\" open>\n<summary>{}</summary>\n{body}</details>\n", self.id, inline(&self.title))
    }
}

impl Block {
    fn markdown(&self) -> String {
        match self {
            Self::Heading(level, text) => format!("{} {text}", "#".repeat(usize::from(*level))),
            Self::Text(text) => text.clone(),
            Self::Picture { file, title, .. } => format!("![{title}]({file})"),
            Self::Table { header, rows } => {
                let line = |cells: &[String]| {
                    let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
                    format!("| {} |", cells.join(" | "))
                };
                let rule = format!("|{}", "---|".repeat(header.len()));
                [line(header), rule].into_iter().chain(rows.iter().map(|row| line(row))).collect::<Vec<_>>().join("\n")
            }
        }
    }

    fn html(&self) -> String {
        match self {
            Self::Heading(level, text) => format!("<h{level}>{}</h{level}>\n", inline(text)),
            Self::Text(text) => format!("<p>{}</p>\n", inline(text)),
            // It is on the card.
            Self::Picture { .. } => String::new(),
            Self::Table { header, rows } => {
                let line = |tag: &str, cells: &[String]| {
                    let cells: String = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", inline(cell))).collect();
                    format!("<tr>{cells}</tr>\n")
                };
                let rows: String = rows.iter().map(|row| line("td", row)).collect();
                format!("<table>\n{}{rows}</table>\n", line("th", header))
            }
        }
    }
}

/// Converts Markdown code and bold words to HTML and escapes the rest.
fn inline(text: &str) -> String {
    paired(&paired(&escaped(text), "`", "code"), "**", "strong")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Text of an attribute.
fn quoted(text: &str) -> String {
    escaped(text).replace('"', "&quot;")
}

/// Replaces pairs of marks by opening and closing tags.
fn paired(text: &str, mark: &str, tag: &str) -> String {
    let mut parts = text.split(mark);
    let mut out = parts.next().unwrap_or_default().to_owned();
    while let Some(inside) = parts.next() {
        match parts.next() {
            Some(outside) => out += &format!("<{tag}>{inside}</{tag}>{outside}"),
            None => out += &format!("{mark}{inside}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Block {
        Block::Table { header: vec!["a".into(), "b".into()], rows: vec![vec!["`x|y`".into(), "1 < 2".into()]] }
    }

    #[test]
    fn markdown_tables_have_a_rule_and_keep_their_columns() {
        let blocks = [Block::Heading(2, "Title".into()), table()];
        assert_eq!(markdown(&blocks), "## Title\n\n| a | b |\n|---|---|\n| `x\\|y` | 1 < 2 |\n");
    }

    #[test]
    fn html_is_escaped_and_keeps_code_and_bold_words() {
        let page = html("T", &[Block::Text("**bold** `code` ` a & b".into()), table()], &[]);
        assert!(page.contains("<p><strong>bold</strong> <code>code</code> ` a &amp; b</p>"), "{page}");
        assert!(page.contains("<td><code>x|y</code></td><td>1 &lt; 2</td>"), "{page}");
    }

    #[test]
    fn a_card_has_a_picture_a_claim_and_a_command() {
        let card = Card {
            id: "a".into(),
            title: "A \"b\" & c".into(),
            claim: "Shows `x < y`.".into(),
            verdict: "1 of 2 numbers as expected".into(),
            is_as_expected: false,
            command: "lotka run <a>".into(),
            picture: Some("<svg></svg>\n".into()),
            details: vec![table()],
        };
        let page = html("T", &[], &[card]);
        for part in [
            "<figure role=\"img\" aria-label=\"picture: A &quot;b&quot; &amp; c\">\n<svg></svg>",
            "<p>Shows <code>x &lt; y</code>.</p>",
            "<p class=\"verdict bad\">1 of 2 numbers as expected <a href=\"#a\">",
            "<code>lotka run &lt;a&gt;</code>",
            "<details id=\"a\" open>",
        ] {
            assert!(page.contains(part), "no `{part}` in\n{page}");
        }
    }
}
