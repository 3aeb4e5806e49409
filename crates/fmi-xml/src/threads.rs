//! The annotation by which an FMU declares that its instances can run on several threads of one process at the same time. The
//! standards have no attribute for this.

use quick_xml::Reader;
use quick_xml::events::Event;

/// The name of the tool whose annotation it is.
const TOOL: &str = "Lotka";
const ELEMENT: &str = "Instances";
const ATTRIBUTE: &str = "threadSafe";

/// Returns the name of the tool and the content of the annotation that declares that functions of different instances may be
/// called on different threads of one process at the same time, with the results of sequential calls.
#[must_use]
pub fn thread_safe() -> (String, String) {
    (TOOL.to_owned(), format!("<{ELEMENT} {ATTRIBUTE}=\"true\"/>"))
}

/// Returns whether an annotation of a tool declares this.
#[must_use]
pub fn says_thread_safe(tool: &str, xml: &str) -> bool {
    tool == TOOL && content_says_so(xml)
}

fn content_says_so(xml: &str) -> bool {
    let mut reader = Reader::from_str(xml);
    loop {
        match reader.read_event() {
            Ok(Event::Empty(element) | Event::Start(element)) if element.local_name().as_ref() == ELEMENT => {
                let attribute = element.try_get_attribute(ATTRIBUTE).ok().flatten();
                return attribute.is_some_and(|attribute| matches!(&*attribute.value, "true" | "1"));
            }
            Ok(Event::Eof) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_annotation_counts_and_only_if_it_says_so() {
        let (tool, xml) = thread_safe();
        assert!(says_thread_safe(&tool, &xml));
        for xml in [" <x:Instances a=\"2\" threadSafe='1'></x:Instances>", "<!-- threads --><Instances threadSafe=\"true\" />"] {
            assert!(says_thread_safe("Lotka", xml), "{xml}");
        }
        assert!(!says_thread_safe("Other", &xml));
        for xml in [
            "",
            "<Instances/>",
            "<Instances threadSafe='false'/>",
            "<Others threadSafe='true'/>",
            "<Instances threadSafe='true",
            "<",
        ] {
            assert!(!says_thread_safe("Lotka", xml), "{xml}");
        }
    }
}
