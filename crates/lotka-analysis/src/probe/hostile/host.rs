//! The process of an FMU as the system shows it to others.

use std::collections::BTreeSet;
use std::fs;
use std::process;

use lotka_instance::InstanceFactory;

use super::super::test_harness::TestHarness;

/// The process in which the next instance will be.
pub(super) struct Host(u32);

/// What the system tells about a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facts {
    pub umask: String,
    /// The set of signals that its first thread blocks, in hexadecimal digits.
    pub blocked: String,
    /// All limits, one per line.
    pub limits: String,
    /// Resident memory \[KiB\].
    pub resident: u64,
    /// Bytes that it has read from files and pipes.
    pub read: Option<u64>,
    /// Whether it has waited for the end of a process that it started.
    pub has_waited: bool,
}

impl Host {
    /// Starts the process of the next instance, which is then the only child of this process that was not there before.
    pub fn prepare(harness: &TestHarness) -> Option<Self> {
        let before = children(process::id());
        InstanceFactory::prepare(&harness.fmu);
        let after = children(process::id());
        let mut new = after.difference(&before);
        new.next().copied().filter(|_| new.next().is_none()).map(Self)
    }

    pub fn facts(&self) -> Option<Facts> {
        let Self(number) = self;
        let read = |name: &str| fs::read_to_string(format!("/proc/{number}/{name}")).ok();
        let status = read("status")?;
        Some(Facts {
            umask: field(&status, "Umask:")?.to_owned(),
            blocked: field(&status, "SigBlk:")?.to_owned(),
            limits: read("limits")?,
            resident: field(&status, "VmRSS:")?.split(' ').next()?.parse().ok()?,
            read: read("io").and_then(|io| field(&io, "rchar:")?.parse().ok()),
            has_waited: faults_of_children(&read("stat")?)? > 0,
        })
    }

    /// Names of the processes that it started and that still run.
    pub fn started(&self) -> Vec<String> {
        let name = |number: u32| fs::read_to_string(format!("/proc/{number}/comm")).ok();
        children(self.0).into_iter().filter_map(name).map(|name| name.trim_end().to_owned()).collect()
    }
}

/// What this process passes on to those that it starts.
pub(super) fn inherited() -> Option<Facts> {
    Host(process::id()).facts()
}

/// The processes that this one started, and those of the process group that it leads.
fn children(of: u32) -> BTreeSet<u32> {
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
    use std::process::{Command, Stdio};

    #[test]
    fn a_process_shows_what_it_is() {
        let facts = inherited().unwrap();
        assert!(facts.umask.starts_with('0') && facts.limits.contains("Max open files") && facts.resident > 0, "{facts:?}");
    }

    #[test]
    fn a_child_is_found_by_its_parent() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        assert!(children(process::id()).contains(&child.id()));
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(inherited().unwrap().has_waited);
    }

    #[test]
    fn a_name_with_brackets_hides_no_field() {
        let stat = "7 (a) b) S 3 5 6 0 -1 4194560 100 12 0 0 1 2";
        assert_eq!(after_name(stat).unwrap().take(3).collect::<Vec<_>>(), ["S", "3", "5"]);
        assert_eq!(faults_of_children(stat), Some(12));
    }
}
