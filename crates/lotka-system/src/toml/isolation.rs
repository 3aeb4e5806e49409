//! `isolation`, `step-timeout`, `init-timeout`, `sandbox`, `preload-global` and `thread-safe`, of the system or of an instance.

use std::path::PathBuf;

use lotka_instance::Sandbox;
use toml::de::DeValue;

use super::{
    Section,
    form::{Choice, Form},
    keys::{Key, Keys},
    section::kind,
};
use crate::{Isolation, IsolationSettings, Located};
use lotka_message::{Code, Findings};

pub(super) static PLACES: [Choice<Isolation>; 2] = [
    Choice::new("none", Isolation::None, "In the process of the master."),
    Choice::new(
        "process",
        Isolation::Process,
        "In a process of its own: a crash, an exit or an endless loop of the FMU is an error of the run.",
    ),
];

pub(super) static KEYS: [Key; 6] = [
    Key::new("isolation", Form::Choice(&PLACES), "Process in which the FMU runs.").or_else(
        "none; process with a sandbox, for several instances of an FMU that allows one per process, and for FMUs that clash",
    ),
    Key::new(
        "init-timeout",
        Form::Number,
        "Longest duration of loading, of instantiation and of each call up to the end of initialization [s]; needs a process.",
    )
    .or_else("no limit"),
    Key::new("step-timeout", Form::Number, "Longest duration of a call after initialization [s]; needs a process.")
        .or_else("no limit"),
    Key::new(
        "sandbox",
        Form::Any(&[Form::Boolean, Form::Table(SANDBOX)]),
        "Whether the FMU is confined: no files but its own, no network, no other programs. A table holds settings that differ.",
    )
    .or("false"),
    Key::new(
        "preload-global",
        Form::List(&Form::Text, 0),
        "Libraries to load before the FMU, with symbols visible to it: paths, or names without a slash.",
    ),
    Key::new("thread-safe", Form::Boolean, "Whether instances of the FMU can run on several threads of one process.")
        .or_else("what the FMU declares"),
];

const SANDBOX: Keys = &[&SANDBOX_KEYS];

static SANDBOX_KEYS: [Key; 5] = [
    Key::new("memory", Form::Number, "Largest address space of the process [bytes].").or("4294967296"),
    Key::new("cpu-time", Form::Number, "Longest processor time of the process [s].").or_else("no limit"),
    Key::new("read", Form::List(&Form::Text, 0), "Additional files and folders that the FMU can read."),
    Key::new("write", Form::List(&Form::Text, 0), "Additional files and folders that the FMU can read and write."),
    Key::new("allow-weaker", Form::Boolean, "Whether Lotka only warns if the kernel cannot confine the FMU fully.").or("false"),
];

pub(super) fn read(section: &Section<'_>, findings: &mut Findings) -> IsolationSettings {
    IsolationSettings {
        isolation: section.choice("isolation", &PLACES, findings),
        init_timeout: section.number("init-timeout", findings),
        step_timeout: section.number("step-timeout", findings),
        sandbox: sandbox(section, findings),
        preload_global: preload_global(section, findings),
        thread_safe: section.boolean("thread-safe", findings),
    }
}

fn preload_global(section: &Section<'_>, findings: &mut Findings) -> Option<Located<Vec<Located<PathBuf>>>> {
    let names = section.texts("preload-global", ("libraries", "the path or the name of a library"), findings)?;
    let path = |name: Located<String>| Located { value: PathBuf::from(name.value), span: name.span };
    Some(Located { value: names.value.into_iter().map(path).collect(), span: names.span })
}

/// `true`, `false`, or a table of deviations from the default.
fn sandbox(section: &Section<'_>, findings: &mut Findings) -> Option<Located<Option<Sandbox>>> {
    let value = section.get("sandbox")?;
    let sandbox = match value.get_ref() {
        DeValue::Boolean(is_on) => is_on.then(Sandbox::default),
        DeValue::Table(table) => Some(table_form(Section::new("sandbox", SANDBOX, table, value.span()), findings)),
        other => {
            let message = format!("expected true, false or a table for `sandbox`, found {}", kind(other));
            findings.error(Code::WrongType, &Some(value.span()), message, None);
            return None;
        }
    };
    Some(Located { value: sandbox, span: Some(value.span()) })
}

fn table_form(section: Section<'_>, findings: &mut Findings) -> Sandbox {
    let mut sandbox = Sandbox::default();
    if let Some(memory) = positive(&section, "memory", "bytes", findings) {
        sandbox.memory = Some(memory as u64);
    }
    sandbox.cpu_time = positive(&section, "cpu-time", "seconds", findings).map(|seconds| seconds.ceil() as u64);
    sandbox.read = paths(&section, "read", findings);
    sandbox.write = paths(&section, "write", findings);
    sandbox.allow_weaker = section.boolean("allow-weaker", findings).is_some_and(|value| value.value);
    section.finish(findings);
    sandbox
}

/// A number above 0. Numbers above the largest whole number mean no limit.
fn positive(section: &Section<'_>, key: &'static str, unit: &str, findings: &mut Findings) -> Option<f64> {
    let number = section.number(key, findings)?;
    if number.value > 0.0 {
        return Some(number.value);
    }
    findings.error(
        Code::OutOfRange,
        &number.span,
        format!("`{key}` is {}", number.value),
        format!("set a number of {unit} greater than 0"),
    );
    None
}

fn paths(section: &Section<'_>, key: &'static str, findings: &mut Findings) -> Vec<PathBuf> {
    let Some(value) = section.get(key) else { return Vec::new() };
    let list =
        value.get_ref().as_array().and_then(|list| list.iter().map(|path| path.get_ref().as_str().map(PathBuf::from)).collect());
    list.unwrap_or_else(|| {
        let message = format!("expected a list of paths for `{key}`, found {}", kind(value.get_ref()));
        findings.error(Code::WrongType, &Some(value.span()), message, format!("set {key} = [\"path\"]"));
        Vec::new()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use toml::de::DeTable;

    fn read_sandbox(text: &str) -> (Option<Option<Sandbox>>, Vec<String>) {
        let (table, _) = DeTable::parse_recoverable(text);
        let mut findings = Findings::default();
        const TABLE: Keys = &[&KEYS];
        let settings = read(&Section::new("a", TABLE, table.get_ref(), table.span()), &mut findings);
        let problems = findings.finish((), None).err().map(|problems| problems.list).unwrap_or_default();
        (settings.sandbox.map(|sandbox| sandbox.value), problems.into_iter().map(|problem| problem.message).collect())
    }

    #[test]
    fn a_table_says_what_differs_from_the_default() {
        let text =
            "sandbox = { memory = 2e9, cpu-time = 1.5, read = [\"data\", \"/x\"], write = [\"out\"], allow-weaker = true }";
        let sandbox = Sandbox {
            memory: Some(2_000_000_000),
            cpu_time: Some(2),
            read: vec!["data".into(), "/x".into()],
            write: vec!["out".into()],
            allow_weaker: true,
        };
        assert_eq!(read_sandbox(text), (Some(Some(sandbox)), Vec::new()));
        assert_eq!(read_sandbox("sandbox = {}"), (Some(Some(Sandbox::default())), Vec::new()));
        assert_eq!(read_sandbox("sandbox = true"), (Some(Some(Sandbox::default())), Vec::new()));
        assert_eq!(read_sandbox("sandbox = false"), (Some(None), Vec::new()));
    }

    #[test]
    fn all_that_is_wrong_is_reported() {
        let text = "sandbox = { memory = 0, cpu-time = \"long\", read = \"data\", wirte = [\"out\"] }";
        let (sandbox, messages) = read_sandbox(text);
        assert_eq!(sandbox, Some(Some(Sandbox::default())));
        assert_eq!(
            messages,
            [
                "`memory` is 0",
                "expected a number for `cpu-time`, found a string",
                "expected a list of paths for `read`, found a string",
                "unknown key `wirte` in [sandbox]",
            ]
        );
        assert_eq!(read_sandbox("sandbox = 1").1, ["expected true, false or a table for `sandbox`, found an integer"]);
    }
}
