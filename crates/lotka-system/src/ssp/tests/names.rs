//! Unexpected prefixes and namespaces.

use super::*;

#[test]
fn prefixes_that_nobody_declared_are_warnings_and_places_stay_right() {
    let a = component("a", "", "").replace("</Component>", "<Annotations><c:Annotation type='lotka'/></Annotations></Component>");
    let body = format!(
        "<System name='s'><Elements>{a}</Elements><Annotations><c:Annotation type='v'>\n <vendor:Paint vendor:color='red'/>
         </c:Annotation></Annotations></System>\n<Wheel/>"
    );
    let found = problems(&body);
    let expected = [
        "warning: unknown annotation type `v`: the annotation has no effect",
        "warning: undeclared prefix `vendor`: elements and attributes with it have no effect; add xmlns:vendor=\"…\" to the \
         root element",
        "warning: unknown element <Wheel> in <SystemStructureDescription>: it has no effect",
    ];
    let (places, messages): (Vec<_>, Vec<_>) = found.iter().map(|line| line.split_once(": ").unwrap()).unzip();
    assert_eq!(messages, expected);
    assert_eq!(places[1..], ["test.ssd:7:2", "test.ssd:9:1"]);
}

#[test]
fn a_wrong_namespace_is_named() {
    let root = |space: &str| {
        format!("<SystemStructureDescription version='1.0' name='x'{space}><System name='s'/></SystemStructureDescription>")
    };
    let draft = "http://www.pmsf.net/xsd/SystemStructureDescriptionDraft";
    let (_, found) = read_with(&root(&format!(" xmlns='{draft}'")), &[]);
    assert!(found[0].contains(&format!("of SSP, found <SystemStructureDescription> in the namespace \"{draft}\"")), "{found:?}");
    let (_, found) = read_with(&root(""), &[]);
    assert!(found[0].contains("found <SystemStructureDescription> without a namespace"), "{found:?}");
    let found = problems("<System name='s'><Elements/><Connections><x:Connection xmlns:x='urn:x'/></Connections></System>");
    assert!(
        found[0].ends_with("warning: unknown element <Connection> of the namespace \"urn:x\" in <Connections>: it has no effect"),
        "{found:?}"
    );
}
