//! Linux.

use std::collections::BTreeSet;
use std::fs;

use super::Facts;

impl Facts {
    /// `None` if the process has ended.
    pub(crate) fn of(process: u32) -> Option<Self> {
        let read = |name: &str| fs::read_to_string(format!("/proc/{process}/{name}")).ok();
        let status = read("status")?;
        Some(Self {
            umask: field(&status, "Umask:")?.to_owned(),
            blocked: field(&status, "SigBlk:")?.to_owned(),
            limits: read("limits")?,
            resident: field(&status, "VmRSS:")?.split(' ').next()?.parse().ok()?,
            read: read("io").and_then(|io| field(&io, "rchar:")?.parse().ok()),
            has_waited: faults_of_children(&read("stat")?)? > 0,
        })
    }
}

/// Name of the program that a process runs.
pub(crate) fn name(process: u32) -> Option<String> {
    let name = fs::read_to_string(format!("/proc/{process}/comm")).ok()?;
    Some(name.trim_end().to_owned())
}

/// The processes that a process started, and those of the process group that it leads.
pub(crate) fn children(of: u32) -> BTreeSet<u32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
    numbers
        .filter(|number| *number != of && parent_and_group(*number).is_some_and(|[parent, group]| parent == of || group == of))
        .collect()
}

fn parent_and_group(number: u32) -> Option<[u32; 2]> {
    let stat = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    let mut fields = after_name(&stat)?.skip(1).map(str::parse);
    Some([fields.next()?.ok()?, fields.next()?.ok()?])
}

/// Page faults of the ended children for which a process has waited; each of them has some.
fn faults_of_children(stat: &str) -> Option<u64> {
    after_name(stat)?.nth(8)?.parse().ok()
}

/// The fields of `/proc/NUMBER/stat` from the state on; the name in front of it can have blanks and brackets.
fn after_name(stat: &str) -> Option<impl Iterator<Item = &str>> {
    Some(stat.rsplit_once(')')?.1.split_whitespace())
}

fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{self, Command, Stdio};

    #[test]
    fn a_process_shows_what_it_is() {
        let facts = Facts::of(process::id()).unwrap();
        assert!(facts.umask.starts_with('0') && facts.limits.contains("Max open files") && facts.resident > 0, "{facts:?}");
    }

    #[test]
    fn a_child_is_found_by_its_parent() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        assert!(children(process::id()).contains(&child.id()));
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(Facts::of(process::id()).unwrap().has_waited);
    }

    #[test]
    fn a_name_with_brackets_hides_no_field() {
        let stat = "7 (a) b) S 3 5 6 0 -1 4194560 100 12 0 0 1 2";
        assert_eq!(after_name(stat).unwrap().take(3).collect::<Vec<_>>(), ["S", "3", "5"]);
        assert_eq!(faults_of_children(stat), Some(12));
    }
}
