//! Short descriptions that expand to large or deep ones.

use super::*;

#[test]
fn a_system_that_contains_itself_is_refused_at_once() {
    let part = |name: &str, source: &str| format!("<Component name='{name}' source='{source}'/>");
    let twice = |source: &str| {
        format!("\n<System name='s' id='s'><Elements>{}\n{}</Elements></System>", part("a", source), part("b", source))
    };
    for source in ["#s", "test.ssd", "./x/../test.ssd"] {
        let body = twice(source);
        let (text, problems) = read_with(&format!("{BEGIN}{body}</SystemStructureDescription>"), &[("x/y", "")]);
        assert!(!text.contains("fmu"), "{text}");
        assert_eq!(problems.len(), 2, "{problems:?}");
        for (problem, (line, name)) in problems.iter().zip([(4, "a"), (5, "b")]) {
            assert!(problem.starts_with(&format!("test.ssd:{line}:")), "{problem}");
            assert!(problem.contains(&format!("the component `{name}` is a system that contains it")), "{problem}");
        }
    }
}

#[test]
fn two_files_that_contain_each_other_are_refused() {
    let system = |source: &str| {
        format!(
            "{BEGIN}<System name='s'><Elements><Component name='x' source='{source}'/></Elements></System></SystemStructureDescription>"
        )
    };
    let (_, problems) = read_with(&system("other.ssd"), &[("other.ssd", &system("test.ssd"))]);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].contains("the component `x/x` is a system that contains it"), "{problems:?}");
}

/// Each system contains the next one twice: 2 to the power of 30 in total.
#[test]
fn systems_that_double_again_and_again_are_refused() {
    let level = |n: usize| {
        let next = n + 1;
        format!(
            "<System name='s{n}' id='s{n}'><Elements><Component name='a' source='#s{next}'/><Component name='b' source='#s{next}'/></Elements></System>"
        )
    };
    let levels: String = (0..30).map(level).collect();
    let body = format!("<System name='top'><Elements>{levels}<System name='s30' id='s30'/></Elements></System>");
    let problems = problems(&body);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].contains("the system expands to more than 20000 components and systems at `s0/"), "{problems:?}");
}

#[test]
fn systems_that_are_nested_without_end_are_refused_before_a_tree_is_made() {
    let nested = |count: usize| {
        let open: String = (0..count).map(|n| format!("<System name='s{n}'><Elements>")).collect();
        format!("{open}{}", "</Elements></System>".repeat(count))
    };
    assert_eq!(problems(&nested(60)), [""; 0]);
    assert!(problems(&nested(66))[0].contains("systems are nested more than 64 deep"), "{:?}", problems(&nested(66)));
    let found = problems(&nested(20_000));
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("test.ssd:4:") && found[0].contains("elements are nested more than 256 deep"), "{found:?}");
}
