//! The system calls that a sandbox denied, from the sentences of a host about them.

/// The sentence about a call whose name is not known.
const UNNAMED: &str = "a system call was denied while the FMU blocked signals";

/// Denied calls, by what they are for.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Refused {
    names: Vec<String>,
    /// A call was denied whose name is not known: the C library starts programs in this way.
    pub is_unnamed: bool,
}

const NETWORK: [&str; 15] = [
    "socket",
    "socketpair",
    "connect",
    "bind",
    "listen",
    "accept",
    "accept4",
    "sendto",
    "sendmsg",
    "sendmmsg",
    "mq_open",
    "mq_unlink",
    "msgget",
    "msgsnd",
    "msgrcv",
];
const PROGRAMS: [&str; 5] = ["execve", "execveat", "fork", "vfork", "clone"];
const FILES: [&str; 22] = [
    "chmod",
    "fchmod",
    "fchmodat",
    "fchmodat2",
    "chown",
    "lchown",
    "fchown",
    "fchownat",
    "utime",
    "utimes",
    "futimesat",
    "utimensat",
    "setxattr",
    "lsetxattr",
    "fsetxattr",
    "removexattr",
    "lremovexattr",
    "fremovexattr",
    "truncate",
    "open",
    "openat",
    "open_by_handle_at",
];

impl Refused {
    /// Adds what a text says about denied calls.
    pub fn learn(&mut self, text: &str) {
        self.is_unnamed |= text.contains(UNNAMED);
        for (_, rest) in text.match_indices("the system call").map(|(at, words)| text.split_at(at + words.len())) {
            let rest = rest.strip_prefix('s').unwrap_or(rest);
            let end = [" was denied", " were denied"].iter().filter_map(|end| rest.find(end)).min();
            let names = end.map_or("", |end| &rest[..end]).split(", ").map(str::trim);
            let is_name = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || " _".contains(c));
            for name in names.filter(is_name) {
                if !self.names.iter().any(|known| known == name) {
                    self.names.push(name.to_owned());
                }
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && !self.is_unnamed
    }

    /// Those that reach for the network or for other programs.
    pub fn network(&self) -> Vec<&str> {
        self.of(|name| NETWORK.contains(&name))
    }

    /// Those that start processes or programs.
    pub fn programs(&self) -> Vec<&str> {
        self.of(|name| PROGRAMS.contains(&name))
    }

    /// Those that change files otherwise than by writing to them.
    pub fn files(&self) -> Vec<&str> {
        self.of(|name| FILES.contains(&name))
    }

    /// All others.
    pub fn others(&self) -> Vec<&str> {
        self.of(|name| ![&NETWORK[..], &PROGRAMS, &FILES].concat().contains(&name))
    }

    fn of(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<&str> {
        self.names.iter().map(String::as_str).filter(|name| is_wanted(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_from_the_sentence_of_a_host() {
        let mut refused = Refused::default();
        refused.learn("it logged: the FMU ran in a sandbox: the system calls execve, socket were denied");
        refused.learn("the FMU ran in a sandbox: the system call ptrace was denied");
        refused.learn("the FMU ran in a sandbox: no system call was denied; it can open only its own files");
        refused.learn("the system call \u{1b}[2J was denied");
        assert_eq!((refused.network(), refused.programs(), refused.others()), (vec!["socket"], vec!["execve"], vec!["ptrace"]));
        assert!(refused.files().is_empty() && !refused.is_unnamed);
        refused.learn("the FMU ran in a sandbox: a system call was denied while the FMU blocked signals, as functions do");
        assert!(refused.is_unnamed);
    }
}
