//! An example as it is run.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;
use tests::{
    hostile::{CRASH, Entry, HANG, Hostile},
    patience::PATIENCE,
    quirks::Quirk,
};

use crate::messages::page;

/// The commands of an example, each with the messages that it prints; a pipe with all that comes out of it.
pub fn print(entry: &page::Entry) -> String {
    let folder = folder(entry);
    let mut text = Vec::new();
    for command in &entry.commands {
        text.push(format!("$ {command}"));
        let printed = run(command, folder.path());
        let shown = if is_pipe(command) { printed } else { messages(&printed) };
        text.extend(shown.lines().map(str::to_owned));
    }
    text.join("\n")
}

fn is_pipe(command: &str) -> bool {
    command.contains(" | ")
}

/// Runs a command line in a folder.
pub fn run(command: &str, folder: &Path) -> String {
    let own = tests::lotka().parent().unwrap().to_owned();
    let path = env::join_paths(std::iter::once(own).chain(env::split_paths(&env::var_os("PATH").unwrap()))).unwrap();
    let output = assert_cmd::Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", path)
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env_remove("LOTKA_FMU_HOST")
        .timeout(PATIENCE)
        .output()
        .unwrap();
    let printed = if is_pipe(command) { output.stdout } else { output.stderr };
    let place = format!("{}/", folder.canonicalize().unwrap().display());
    String::from_utf8(printed).unwrap().replace(&place, "")
}

/// The lines with a code, and those that belong to them; what else a run tells is left out.
fn messages(printed: &str) -> String {
    let (mut text, mut is_message) = (String::new(), false);
    for line in printed.lines() {
        let is_part = line.starts_with("  ") && line.contains(": ");
        is_message = line.ends_with(']') && line.contains(" [") || is_message && is_part;
        if is_message {
            text += line;
            text.push('\n');
        }
    }
    text
}

/// Whether two texts are the same but for the last digits of numbers, which are not the same on every machine.
pub fn is_same(one: &str, other: &str) -> bool {
    let words = |text: &str| {
        text.split([' ', '\n']).map(|word| word.trim_end_matches([',', ';', '.', ':', ')']).to_owned()).collect::<Vec<_>>()
    };
    let is_near = |(one, other): (&String, &String)| match (one.parse::<f64>(), other.parse::<f64>()) {
        (Ok(one), Ok(other)) => (one - other).abs() <= 1e-6 * one.abs().max(other.abs()),
        _ => false,
    };
    let (one, other) = (words(one), words(other));
    one.len() == other.len() && one.iter().zip(&other).all(|pair| pair.0 == pair.1 || is_near(pair))
}

/// The files of an example, and the FMUs that it names.
pub fn folder(entry: &page::Entry) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in &entry.files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    for fmu in fmus(entry) {
        let to = folder.path().join(&fmu);
        match entry.faults.iter().find(|(faulty, _)| *faulty == fmu) {
            Some((_, habit)) if habit.starts_with("quirk ") => drop(quirk(stem(&to), habit).build(folder.path())),
            Some((_, faults)) => drop(faulty(stem(&to), faults).build(folder.path())),
            None if matches!(stem(&to), "a" | "b") => drop(Hostile::new(stem(&to)).build(folder.path())),
            None => drop(fs::copy(tests::packed(stem(&to)), to).unwrap()),
        }
    }
    folder
}

fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|name| name.to_str()).unwrap()
}

/// All that is called `NAME.fmu` in files and commands.
fn fmus(entry: &page::Entry) -> BTreeSet<String> {
    let texts = entry.files.iter().map(|(_, text)| text).chain(&entry.commands);
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    let words = texts.flat_map(|text| text.split(move |c| !is_part(c)));
    words.filter(|word| PathBuf::from(word).extension().is_some_and(|name| name == "fmu")).map(str::to_owned).collect()
}

/// An FMU with the habit of another tool: `quirk SOURCE DESCRIPTION`, then methods of [`Quirk`], separated by semicolons.
fn quirk(name: &str, habit: &str) -> Quirk {
    let mut parts = habit.split("; ");
    let words: Vec<&str> = parts.next().unwrap().split(' ').collect();
    let fmu = Quirk::new(words[1]).described_by(words[2]).named(name);
    parts.fold(fmu, |fmu, part| match part.split_once(' ').unwrap() {
        ("define", definition) => fmu.define(definition),
        ("attribute", change) => {
            let (attribute, value) = change.split_once('=').unwrap();
            fmu.attribute(attribute, value)
        }
        (other, _) => panic!("the page asks for `{other}`"),
    })
}

/// An FMU with faults as the page names them, separated by semicolons: the methods of [`Hostile`].
fn faulty(name: &str, faults: &str) -> Hostile {
    // `fmi3` first: an FMU of FMI 3.0.
    let (plain, faults) = match faults.strip_prefix("fmi3; ") {
        Some(faults) => (Hostile::fmi3(name), faults),
        None => (Hostile::new(name), faults),
    };
    faults.split("; ").fold(plain, |fmu, fault| {
        let (what, value) = fault.split_once(' ').unwrap();
        match what {
            "define" => fmu.define(value),
            "omit" => fmu.omit(value),
            "feedthrough" => fmu.feedthrough(value.parse().unwrap()),
            "without" => fmu.capability(value, false),
            "reply" => {
                let (function, reply) = value.split_once('=').unwrap();
                fmu.reply(
                    function,
                    match reply {
                        "crash" => CRASH,
                        "hang" => HANG,
                        status => status.parse().unwrap(),
                    },
                )
            }
            "xml" => {
                let (old, new) = value.split_once(" => ").unwrap();
                let [old, new] = [old, new].map(str::to_owned);
                fmu.edit_xml(move |xml| *xml = xml.replacen(&old, &new, 1))
            }
            "source" => {
                let text = format!("{value}\n").into_bytes();
                fmu.edit_archive(|entries| {
                    entries.retain(|entry| !entry.name.starts_with("binaries/"));
                    entries.push(Entry::stored("sources/all.c", text));
                })
            }
            other => panic!("the page asks for `{other}`"),
        }
    })
}
