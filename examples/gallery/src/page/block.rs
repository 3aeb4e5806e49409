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

/// Returns the page as self-contained HTML.
pub(super) fn html(title: &str, blocks: &[Block]) -> String {
    let body: String = blocks.iter().map(Block::html).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n{body}</body>\n</html>\n",
        inline(title)
    )
}

const STYLE: &str = "body { max-width: 66rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 sans-serif; color: #222; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; }
th, td { padding: 0.2rem 0.7rem; border-bottom: 1px solid #ddd; text-align: left; }
svg { max-width: 100%; height: auto; }
h2 { margin-top: 3rem; }
";

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
            Self::Picture { svg, .. } => format!("<figure>\n{svg}</figure>\n"),
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
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    paired(&paired(&escaped, "`", "code"), "**", "strong")
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
        let page = html("T", &[Block::Text("**bold** `code` ` a & b".into()), table()]);
        assert!(page.contains("<p><strong>bold</strong> <code>code</code> ` a &amp; b</p>"), "{page}");
        assert!(page.contains("<td><code>x|y</code></td><td>1 &lt; 2</td>"), "{page}");
    }
}
