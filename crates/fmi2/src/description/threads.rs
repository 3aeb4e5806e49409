//! The vendor annotation by which an FMU declares that its instances can run on several threads of one process at the same time.
//! FMI 2.0 has no standard attribute for this.

use quick_xml::Reader;
use quick_xml::events::Event;

use super::{Annotation, ModelDescription};

const TOOL: &str = "Lotka";
const ELEMENT: &str = "Instances";
const ATTRIBUTE: &str = "threadSafe";

impl Annotation {
    /// Returns `<Tool name="Lotka"><Instances threadSafe="true"/></Tool>`. It declares that functions of different instances may be
    /// called on different threads of one process at the same time, from `fmi2Instantiate` to `fmi2FreeInstance`. The results are
    /// the same as with sequential calls.
    #[must_use]
    pub fn thread_safe() -> Self {
        Self { tool: TOOL.into(), xml: format!("<{ELEMENT} {ATTRIBUTE}=\"true\"/>") }
    }
}

impl ModelDescription {
    /// Returns whether the FMU declares that its instances can run on several threads at the same time ([`Annotation::thread_safe`]).
    #[must_use]
    pub fn is_thread_safe(&self) -> bool {
        self.vendor_annotations.iter().any(|annotation| annotation.tool == TOOL && says_thread_safe(&annotation.xml))
    }
}

fn says_thread_safe(xml: &str) -> bool {
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

    fn is_thread_safe(tool: &str, xml: &str) -> bool {
        let annotation = Annotation { tool: tool.into(), xml: xml.into() };
        ModelDescription { vendor_annotations: vec![Annotation::default(), annotation], ..Default::default() }.is_thread_safe()
    }

    #[test]
    fn only_our_own_annotation_counts_and_only_if_it_says_so() {
        let Annotation { tool, xml } = Annotation::thread_safe();
        assert!(is_thread_safe(&tool, &xml));
        for xml in [" <x:Instances a=\"2\" threadSafe='1'></x:Instances>", "<!-- threads --><Instances threadSafe=\"true\" />"] {
            assert!(is_thread_safe("Lotka", xml), "{xml}");
        }
        assert!(!is_thread_safe("Other", &xml) && !ModelDescription::default().is_thread_safe());
        for xml in [
            "",
            "<Instances/>",
            "<Instances threadSafe='false'/>",
            "<Others threadSafe='true'/>",
            "<Instances threadSafe='true",
            "<",
        ] {
            assert!(!is_thread_safe("Lotka", xml), "{xml}");
        }
    }
}
