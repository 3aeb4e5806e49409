//! Checks third-party XML before it is parsed to a tree: bounds its depth and its declarations, and finds undeclared prefixes.

mod reader;

use std::{borrow::Cow, collections::BTreeMap, ops::Range};

use lotka_message::limits::{XML_ATTRIBUTES, XML_DEPTH, XML_PREFIXES};
use quick_xml::events::{BytesStart, Event};

use lotka_message::Code;
use lotka_message::Findings;

pub use reader::{Codes, Reader, boolean};

/// The namespace of undeclared prefixes, followed by the prefix.
const UNDECLARED: &str = "urn:undeclared:";

/// A text that can be parsed to a tree.
#[derive(Debug)]
pub(super) struct Xml<'t> {
    pub(super) text: Cow<'t, str>,
    /// The range of added declarations in the text, which the file does not have.
    added: Range<usize>,
}

/// A refusal: its place and its message.
type Refused = (Code, usize, String);

impl<'t> Xml<'t> {
    /// Scans a text. An undeclared prefix causes a warning, and gets a namespace of its own.
    pub(super) fn survey(text: &'t str, findings: &mut Findings) -> Option<Self> {
        let mut survey = Survey::default();
        if let Err((code, at, message)) = survey.run(text) {
            findings.error(code, &Some(at..at), message, None);
            return None;
        }
        for (prefix, at) in &survey.undeclared {
            let message = format!("undeclared prefix `{prefix}`: elements and attributes with it have no effect");
            let help = format!("add xmlns:{prefix}=\"…\" to the root element");
            findings.warning(Code::UndeclaredPrefix, &Some(*at..*at), message, help);
        }
        let declare = |prefix: &String| format!(" xmlns:{prefix}=\"{UNDECLARED}{prefix}\"");
        let added: String = survey.undeclared.keys().map(declare).collect();
        let Some(at) = survey.root.filter(|_| !added.is_empty()) else {
            return Some(Self { text: text.into(), added: 0..0 });
        };
        let text = format!("{}{added}{}", &text[..at], &text[at..]);
        Some(Self { text: text.into(), added: at..at + added.len() })
    }

    /// A range of the text as one of the file.
    pub(super) fn in_file(&self, range: Range<usize>) -> Range<usize> {
        let place = |at: usize| if at < self.added.end { at.min(self.added.start) } else { at - self.added.len() };
        place(range.start)..place(range.end)
    }
}

/// A walk over all tags.
#[derive(Default)]
struct Survey {
    /// End of the name of the root element.
    root: Option<usize>,
    /// Prefixes that may be used, the innermost declaration last, with the depth that they are declared at.
    declared: Vec<(String, usize)>,
    /// Prefixes that are used, with their first place.
    undeclared: BTreeMap<String, usize>,
    depth: usize,
}

impl Survey {
    fn run(&mut self, text: &str) -> Result<(), Refused> {
        let mut reader = quick_xml::Reader::from_str(text);
        // The names of end tags are checked when the tree is created.
        reader.config_mut().check_end_names = false;
        reader.config_mut().allow_unmatched_ends = true;
        loop {
            let at = reader.buffer_position() as usize;
            match reader.read_event() {
                Ok(Event::Start(tag)) => {
                    self.tag(&tag, at)?;
                    self.depth += 1;
                    if self.depth > XML_DEPTH {
                        return Err((Code::NestedTooDeep, at, format!("elements are nested more than {XML_DEPTH} deep")));
                    }
                }
                Ok(Event::Empty(tag)) => {
                    self.tag(&tag, at)?;
                    self.leave();
                }
                Ok(Event::End(_)) => {
                    self.depth = self.depth.saturating_sub(1);
                    self.leave();
                }
                Ok(Event::Eof) => return Ok(()),
                Ok(_) => {}
                Err(error) => {
                    let at = (reader.error_position() as usize).min(text.len());
                    let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
                    return Err((Code::Syntax, at, format!("cannot parse the XML: {error}")));
                }
            }
        }
    }

    /// Records the prefixes of a start tag: those that it declares and those that it uses.
    fn tag(&mut self, tag: &BytesStart<'_>, at: usize) -> Result<(), Refused> {
        let name = tag.name();
        self.root.get_or_insert(at + 1 + name.as_ref().len());
        let keys: Vec<_> =
            tag.attributes().with_checks(false).flatten().map(|attribute| attribute.key.as_ref().to_owned()).collect();
        if keys.len() > XML_ATTRIBUTES {
            return Err((Code::LimitExceeded, at, format!("an element has more than {XML_ATTRIBUTES} attributes")));
        }
        let declared = keys.iter().filter_map(|key| key.strip_prefix("xmlns:"));
        self.declared.extend(declared.map(|prefix| (prefix.to_owned(), self.depth)));
        if self.declared.len() > XML_PREFIXES {
            return Err((Code::LimitExceeded, at, format!("more than {XML_PREFIXES} prefixes are declared at a time")));
        }
        for name in keys.iter().map(String::as_str).chain([name.as_ref()]) {
            let Some((prefix, _)) = name.split_once(':') else { continue };
            let is_declared = matches!(prefix, "xml" | "xmlns" | "") || self.declared.iter().any(|(known, _)| known == prefix);
            if !is_declared && self.undeclared.len() < XML_PREFIXES {
                self.undeclared.entry(prefix.to_owned()).or_insert(at);
            }
        }
        Ok(())
    }

    /// Removes the declarations of an element that ends.
    fn leave(&mut self) {
        while self.declared.last().is_some_and(|(_, depth)| *depth >= self.depth) {
            self.declared.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey(text: &str) -> (Option<Xml<'_>>, Vec<String>) {
        let mut findings = Findings::default();
        let xml = Xml::survey(text, &mut findings);
        (xml, findings.problems(None).list.into_iter().map(|problem| problem.message).collect())
    }

    #[test]
    fn a_prefix_is_known_where_it_is_declared_and_gets_a_meaning_where_it_is_not() {
        let text = "<?xml version='1.0'?>\n<a xmlns:p='u'><p:b x:c='1'><q:d xmlns:q='v'/></p:b><q:e/>é<f/></a>";
        let (xml, problems) = survey(text);
        let xml = xml.unwrap();
        let names: Vec<_> = problems.iter().map(|problem| &problem[..21]).collect();
        assert_eq!(names, ["undeclared prefix `x`", "undeclared prefix `q`"]);
        let tree = roxmltree::Document::parse(&xml.text).unwrap();
        for name in ["a", "b", "d", "e", "f"] {
            let node = tree.descendants().find(|node| node.tag_name().name() == name).unwrap();
            let in_file = &text[xml.in_file(node.range())];
            assert!(in_file.starts_with('<') && in_file.ends_with('>') && in_file[1..].contains(name), "{in_file}");
        }
        assert_eq!(&text[xml.in_file(0..text.len() + xml.added.len())], text);
    }

    #[test]
    fn a_text_beyond_the_limits_is_refused_before_a_tree_is_made() {
        let deep = |count: usize| format!("{}{}", "<a>".repeat(count), "</a>".repeat(count));
        assert_eq!(survey(&deep(XML_DEPTH)).1, [""; 0]);
        assert_eq!(survey(&deep(XML_DEPTH + 1)).1, ["elements are nested more than 256 deep"]);
        assert_eq!(survey(&"<a>".repeat(1_000_000)).1, ["elements are nested more than 256 deep"]);
        let attributes: String = (0..=XML_ATTRIBUTES).map(|n| format!(" a{n}=''")).collect();
        assert_eq!(survey(&format!("<a{attributes}/>")).1, ["an element has more than 256 attributes"]);
        let prefixes: String = (0..=XML_PREFIXES).map(|n| format!(" xmlns:a{n}='u'")).collect();
        assert_eq!(survey(&format!("<a{prefixes}/>")).1, ["more than 64 prefixes are declared at a time"]);
        let one_after_the_other: String = (0..=XML_PREFIXES).map(|n| format!("<b xmlns:a{n}='u'/>")).collect();
        assert_eq!(survey(&format!("<a>{one_after_the_other}</a>")).1, [""; 0]);
    }
}
