//! `lotka schema`: taplo, the engine of the TOML extensions of editors, accepts and refuses what the reader of system files does.
//!
//! Needs the tools that `tests::interop::prepare` installs.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use lotka::{Code, Error, Sweep, System};
use serde_json::Value;
use tests::interop::{Interop, run};
use tests::{lotka, root};

/// Codes of problems with the form of a file, which a schema shows.
const OF_FORM: [Code; 8] = [
    Code::Syntax,
    Code::UnknownSection,
    Code::UnknownKey,
    Code::WrongType,
    Code::UnknownChoice,
    Code::MissingKey,
    Code::NoEntries,
    Code::NoInstances,
];

/// A problem of form in every section. The instances are those of the head if a text has none.
const WRONG: [(&str, Code); 47] = [
    ("[experiment]\nstopp = 1.0", Code::UnknownKey),
    ("[experiment]\nstop = 'x'", Code::WrongType),
    ("[experiment]\nsandbox = 1", Code::WrongType),
    ("[experiment]\nsandbox = { memry = 1 }", Code::UnknownKey),
    ("[experiment]\nsandbox = { read = 'data' }", Code::WrongType),
    ("[experiment]\nisolation = 'proces'", Code::UnknownChoice),
    ("[experiment]\npreload-global = [1]", Code::WrongType),
    ("[experiment]\nthread-safe = 'yes'", Code::WrongType),
    ("experiment = 1", Code::WrongType),
    ("[instances]\na = 1", Code::WrongType),
    ("[instances]\na = { start = { k = 1 } }", Code::MissingKey),
    ("[instances]\na = { fmu = 'a.fmu', stert = { k = 1 } }", Code::UnknownKey),
    ("[instances]\na = { fmu = 'a.fmu', start = { k = [{ a = 1 }] } }", Code::WrongType),
    ("[instances]\na = { fmu = 'a.fmu', pass-stop-time = 1 }", Code::WrongType),
    ("[sources]\ns = 1", Code::WrongType),
    ("[sources]\ns = { interpolation = 'linear' }", Code::MissingKey),
    ("[sources]\ns = { csv = 's.csv', interpolation = 'cubic' }", Code::UnknownChoice),
    ("[sources]\ns = { csv = 's.csv', outside = 1 }", Code::WrongType),
    ("[sources]\ns = { csv = 's.csv', units = { T = 1 } }", Code::WrongType),
    ("[sources]\ns = { csv = 's.csv', time = 1 }", Code::UnknownKey),
    ("[sources]\ns = { signal = 'stepp' }", Code::UnknownChoice),
    ("[sources]\ns = { signal = 'constant' }", Code::MissingKey),
    ("[sources]\ns = { signal = 'step', time = 1.0 }", Code::MissingKey),
    ("[sources]\ns = { signal = 'step', time = 1.0, to = [1] }", Code::WrongType),
    ("[sources]\ns = { signal = 'ramp', time = 1.0, to = 2.0, duration = '1' }", Code::WrongType),
    ("[sources]\ns = { signal = 'sine', amplitude = 1.0, frequency = 1.0, fase = 1.0 }", Code::UnknownKey),
    ("[connections]\n'a.u' = 1", Code::WrongType),
    ("[connections]\n'a.u' = []", Code::NoEntries),
    ("[connections]\n'a.u' = { from = 'a.y', facto = 1.0 }", Code::UnknownKey),
    ("[connections]\na.u = { from = 'a.y', degree = 1.5 }", Code::WrongType),
    ("[connections]\n'a.u' = { from = 'a.y', map = { 1 = 2.5 } }", Code::WrongType),
    ("[connections]\n'a.u' = [{ factor = 1.0 }]", Code::MissingKey),
    ("[initialization]\nsolve = 1", Code::WrongType),
    ("[initialization]\nsolve = [{ unknown = 'a.x' }]", Code::MissingKey),
    ("[algorithm]\nsweep = 'gaus-seidel'", Code::UnknownChoice),
    ("[algorithm]\norder = 'a'", Code::WrongType),
    ("[algorithm]\niterations = 1.5", Code::WrongType),
    ("[algorithm]\non-no-convergence = 'stop'", Code::UnknownChoice),
    ("[events]\n'a.y' = 'upp'", Code::UnknownChoice),
    ("[events]\na = 'discards'", Code::UnknownChoice),
    ("[events]\n'a.y' = { level = 1.0, directoin = 'up' }", Code::UnknownKey),
    ("[events]\na.y = 1", Code::WrongType),
    ("[power-bonds]\nb = { effort = 'a.f' }", Code::MissingKey),
    ("[results]\nvariables = 'a.*'", Code::WrongType),
    ("[units]\ndegF = { K = 0.5 }", Code::WrongType),
    ("[[scenario]]\nset = { a.k = 1 }", Code::MissingKey),
    ("[[scenario]]\nat = 1.0", Code::MissingKey),
];

/// A problem of form in a study.
const WRONG_STUDIES: [(&str, Code); 14] = [
    ("", Code::MissingKey),
    ("[sweep]\nsampling = 'grid'\n[parameters]\n'a.b' = [1]", Code::MissingKey),
    ("[sweep]\nsystem = 1\n[parameters]\n'a.b' = [1]", Code::WrongType),
    ("[sweep]\nsystem = 'a.toml'\nsamplin = 'grid'\n[parameters]\n'a.b' = [1]", Code::UnknownKey),
    ("[sweep]\nsystem = 'a.toml'\nsampling = 'griddy'\n[parameters]\n'a.b' = [1]", Code::UnknownChoice),
    ("[sweep]\nsystem = 'a.toml'\nruns = 1.5\n[parameters]\n'a.b' = [1]", Code::WrongType),
    ("[sweep]\nsystem = 'a.toml'\nkeep = 'final'\n[parameters]\n'a.b' = [1]", Code::WrongType),
    ("[sweep]\nsystem = 'a.toml'\nkeep = ['mean']\n[parameters]\n'a.b' = [1]", Code::UnknownChoice),
    ("[sweep]\nsystem = 'a.toml'\ntimes = ['1']\n[parameters]\n'a.b' = [1]", Code::WrongType),
    ("[sweep]\nsystem = 'a.toml'\n[parameters]\n'a.b' = 1", Code::WrongType),
    ("[sweep]\nsystem = 'a.toml'\n[parameters]\n'a.b' = []", Code::NoEntries),
    ("[sweep]\nsystem = 'a.toml'\n[parameters]\na.b = { from = '0', to = 1, count = 2 }", Code::WrongType),
    ("[sweep]\nsystem = 'a.toml'\n[parameters]\na.b = { from = 0, to = 1, cuont = 2 }", Code::UnknownKey),
    ("[sweep]\nsystem = 'a.toml'\n[parameter]\n'a.b' = [1]", Code::UnknownSection),
];

struct Schema {
    dir: tempfile::TempDir,
    interop: Interop,
}

impl Schema {
    fn new() -> Self {
        Self::of("system")
    }

    /// The schema of a kind of files.
    fn of(kind: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        run(std::process::Command::new(lotka()).args(["schema", kind, "-o"]).arg(dir.path().join("schema.json"))).unwrap();
        Self { dir, interop: Interop::find(&root()).unwrap() }
    }

    /// Checks files; an error is what taplo prints.
    fn check(&self, files: &[PathBuf]) -> Result<String, String> {
        let schema = format!("file://{}", self.dir.path().join("schema.json").display());
        run(self.interop.taplo().arg("lint").arg("--schema").arg(schema).args(files))
    }

    /// Writes a system file, and FMUs with the names in it: names of methods are checked only with them.
    fn save(&self, text: &str) -> PathBuf {
        let path = self.dir.path().join("system.toml");
        fs::write(&path, text).unwrap();
        for name in text.split(['"', '\'']).filter(|name| name.ends_with(".fmu") && !name.contains('/')) {
            fs::copy(tests::packed("prey"), self.dir.path().join(name)).unwrap();
        }
        path
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&fs::read(self.dir.path().join("schema.json")).unwrap()).unwrap()
    }
}

/// The codes of form among the problems of a file.
fn problems_of_form(path: &Path) -> Vec<Code> {
    let read = System::from_file(path).and_then(|system| system.analyze().map(drop));
    match read {
        Err(Error::System(problems)) => {
            problems.list.iter().map(|problem| problem.code).filter(|code| OF_FORM.contains(code)).collect()
        }
        _ => Vec::new(),
    }
}

/// All files below a folder with this extension.
fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for path in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

#[test]
fn all_examples_are_valid() {
    let mut systems = Vec::new();
    files(&root().join("examples"), "toml", &mut systems);
    systems.retain(|path| fs::read_to_string(path).unwrap().contains("[instances"));
    assert!(systems.len() > 30, "{}", systems.len());
    Schema::new().check(&systems).unwrap();
}

/// Blocks of TOML on a page, with their heading; fragments get the section that every file needs.
fn blocks(page: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join("docs").join(page)).unwrap();
    let mut blocks = Vec::new();
    for (n, part) in text.split("\n```toml").enumerate().skip(1) {
        let heading =
            text.split("\n```toml").take(n).flat_map(str::lines).filter(|line| line.starts_with('#')).last().unwrap_or_default();
        let block = part.split_once('\n').and_then(|(_, rest)| rest.split_once("\n```")).unwrap().0;
        let missing = if block.contains("[instances") || page == "messages.md" { "" } else { "\n[instances]\na = 'a.fmu'\n" };
        blocks.push((heading.to_owned(), format!("{block}{missing}")));
    }
    blocks
}

#[test]
fn the_page_of_system_files_is_valid() {
    let schema = Schema::new();
    let blocks = blocks("system-file.md");
    assert!(blocks.len() > 10, "{}", blocks.len());
    for (heading, block) in blocks {
        schema.check(&[schema.save(&block)]).unwrap_or_else(|error| panic!("{heading}: {error}"));
    }
}

/// An example of a message is refused if, and only if, its problem is one of form.
#[test]
fn the_examples_of_messages_are_refused_for_their_form_alone() {
    let schema = Schema::new();
    let (mut refused, mut accepted) = (BTreeSet::new(), 0);
    for (heading, block) in blocks("messages.md") {
        let path = schema.save(&block);
        let of_form = problems_of_form(&path);
        match schema.check(&[path]) {
            Ok(_) if of_form.is_empty() => accepted += 1,
            Err(_) if !of_form.is_empty() => refused.extend(of_form.iter().map(|code| code.as_str())),
            Ok(_) => panic!("{heading}: {of_form:?}, but the schema accepts it"),
            Err(error) => panic!("{heading}: {error}"),
        }
    }
    assert!(accepted > 20, "{accepted}");
    assert_eq!(refused, OF_FORM.iter().map(|code| code.as_str()).collect());
}

#[test]
fn what_the_reader_refuses_for_its_form_is_refused() {
    let schema = Schema::new();
    for (text, code) in WRONG {
        let head = if text.contains("[instances]") { "" } else { "instances = { a = 'a.fmu' }\n" };
        let path = schema.save(&format!("{head}{text}\n"));
        assert!(problems_of_form(&path).contains(&code), "{text}: {:?}", problems_of_form(&path));
        assert!(schema.check(&[path]).is_err(), "the schema accepts\n{text}");
    }
}

/// Whatever the schema of studies accepts, its reader does, too, as far as the form goes.
#[test]
fn studies_have_a_schema() {
    let schema = Schema::of("sweep");
    let page = fs::read_to_string(root().join("docs/sweeps.md")).unwrap();
    let studies: Vec<_> = page.split("\n```toml").skip(1).map(|part| part.split_once('\n').unwrap().1).collect();
    assert_eq!(studies.len(), 3);
    let save = |text: &str| {
        let path = schema.dir.path().join("study.toml");
        fs::write(&path, text).unwrap();
        path
    };
    for study in studies {
        schema.check(&[save(study.split_once("\n```").unwrap().0)]).unwrap();
    }
    schema.check(&[save("[sweep]\nsystem = 'a.toml'\n[parameters]\na.b.c = [1, 'x', true]\n")]).unwrap();
    for (text, code) in WRONG_STUDIES {
        let path = save(text);
        let Err(Error::System(problems)) = Sweep::from_file(&path) else { panic!("{text}: no problems") };
        assert!(problems.list.iter().any(|problem| problem.code == code), "{text}: {problems}");
        assert!(schema.check(&[path]).is_err(), "the schema accepts\n{text}");
    }
    let mut found = Vec::new();
    keys(&schema.json(), &mut found);
    assert_eq!(found.len(), 15);
    for (key, help) in found {
        assert!(help.ends_with('.') && page.contains(&key), "{key}: {help}");
    }
}

/// The names and texts of all keys of a schema.
fn keys(schema: &Value, found: &mut Vec<(String, String)>) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get("properties") {
                let help = |key: &Value| key["description"].as_str().unwrap_or_default().to_owned();
                found.extend(properties.iter().map(|(name, key)| (name.clone(), help(key))));
            }
            members.values().for_each(|member| keys(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

#[test]
fn every_key_has_help_and_is_on_a_page() {
    let pages =
        ["system-file.md", "isolation.md"].map(|page| fs::read_to_string(root().join("docs").join(page)).unwrap()).concat();
    let mut found = Vec::new();
    keys(&Schema::new().json(), &mut found);
    assert!(found.len() > 80, "{}", found.len());
    for (key, help) in found {
        assert!(help.ends_with('.') && help.len() > 8, "{key}: {help}");
        assert!(
            [format!("`{key}`"), format!("`[{key}]`"), format!("`[[{key}]]`"), format!(" {key} = ")]
                .iter()
                .any(|name| pages.contains(name)),
            "{key}"
        );
    }
}

/// A file that `lotka new` writes names the schema beside it, and taplo finds it there.
#[test]
fn a_draft_is_checked_by_the_schema_beside_it() {
    let schema = Schema::new();
    let folder = schema.dir.path();
    let mut new = std::process::Command::new(lotka());
    run(new.arg("new").args(["prey", "predator"].map(tests::packed)).arg("-o").arg(folder.join("draft.toml"))).unwrap();
    let draft = fs::read_to_string(folder.join("draft.toml")).unwrap();
    assert_eq!(fs::read(folder.join("lotka.schema.json")).unwrap(), fs::read(folder.join("schema.json")).unwrap());
    let lint = |text: &str| {
        fs::write(folder.join("draft.toml"), text).unwrap();
        run(schema.interop.taplo().args(["lint", "draft.toml"]).current_dir(folder))
    };
    lint(&draft).unwrap();
    assert!(lint(&draft.replacen("stop =", "stopp =", 1)).unwrap_err().contains("stopp"));
}
