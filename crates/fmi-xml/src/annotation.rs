//! Annotations, whose XML is kept as text.

use crate::cursor::{Inner, Namespace};

/// Returns the text plus the namespace declarations that its elements use but that the file declares further out.
#[must_use]
pub fn self_contained(inner: &Inner<'_>, outer: &[Namespace<'_>]) -> String {
    let mut xml = String::with_capacity(inner.xml.len());
    let mut copied = 0;
    for (position, child) in inner.children.iter().enumerate() {
        let start = child.offset - inner.start;
        let end = inner.children.get(position + 1).map_or(inner.xml.len(), |next| next.offset - inner.start);
        let behind_name = start + 1 + child.name.len();
        xml.push_str(&inner.xml[copied..behind_name]);
        copied = behind_name;
        for (index, Namespace { prefix, uri, .. }) in outer.iter().enumerate() {
            let is_hidden = outer[index + 1..].iter().any(|inner| inner.prefix == *prefix)
                || child.namespaces().any(|(declared, _)| declared == *prefix);
            if !is_hidden && inner.xml[start..end].contains(&format!("{prefix}:")) {
                let uri = quick_xml::escape::escape(&**uri);
                xml.push_str(&format!(" xmlns:{prefix}=\"{uri}\""));
            }
        }
    }
    xml.push_str(&inner.xml[copied..]);
    xml
}
