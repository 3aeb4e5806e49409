//! `lotka new`: writes a first system file for given FMUs.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, ErrorKind, Write},
    path::{Component, Path, PathBuf},
};

use lotka::{
    Code, Coded, Error, FmuError, System, Warning,
    command::{Draft, DraftInstance, draft, instance_name, is_archive, replace_file},
    inspect_fmu,
};

use crate::{console::Console, console_flags::Verbosity, counted::counted, data, exit::ExitCode, failure::Failure, problems};

/// File name that stands for stdout.
const STDOUT: &str = "-";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// FMUs, each as `path.fmu` or `name=path.fmu`.
    ///
    /// An FMU that you give twice becomes two instances. Without a name, the instance has the name of the file.
    #[arg(required = true, value_name = "[NAME=]FMU")]
    fmus: Vec<String>,
    /// Write the system file here; `-` is stdout.
    #[arg(short, long, visible_alias = "output", value_name = "FILE", default_value = "system.toml")]
    output_file: PathBuf,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

/// Drafts a system and writes it to a file.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> ExitCode {
    match write(arguments, console) {
        Ok(()) => ExitCode::Done,
        Err(failures) => {
            failures.iter().for_each(|failure| console.fail(failure));
            failures.first().map_or(ExitCode::Internal, Failure::code)
        }
    }
}

fn write(arguments: &Arguments, console: &Console) -> Result<(), Vec<Failure>> {
    let path = &arguments.output_file;
    let draft = draft(&instances(arguments)?);
    if path.as_os_str() == STDOUT {
        return data::print(&draft.text).map_err(|failure| vec![failure]);
    }
    save(arguments, &draft).map_err(|failure| vec![failure])?;
    report(path, &draft, arguments.fmus.len(), console);
    Ok(())
}

/// Returns all FMUs with their names, or all problems with them.
fn instances(arguments: &Arguments) -> Result<Vec<DraftInstance>, Vec<Failure>> {
    let (given, mut failures) = names(&arguments.fmus);
    let mut taken: HashSet<String> = given.iter().filter_map(|(name, _)| name.clone()).collect();
    let folder = arguments.output_file.parent().unwrap_or(Path::new(""));
    let mut instances = Vec::new();
    for (name, path) in given {
        match inspect_fmu(&path) {
            Ok(info) if info.description.co_simulation.is_none() => {
                failures.push(Error::Fmu(FmuError::NoCoSimulation { path }).into());
            }
            Ok(info) => {
                let name = name.unwrap_or_else(|| instance_name(&path, &taken));
                taken.insert(name.clone());
                instances.push(DraftInstance {
                    name,
                    path: from_folder(folder, &path),
                    description: info.description.interface(),
                });
            }
            Err(error) => failures.push(error.into()),
        }
    }
    if failures.is_empty() { Ok(instances) } else { Err(failures) }
}

/// Returns names and paths as given, and a failure for each invalid name.
fn names(fmus: &[String]) -> (Vec<(Option<String>, PathBuf)>, Vec<Failure>) {
    let (mut given, mut failures, mut taken) = (Vec::new(), Vec::new(), HashSet::new());
    for text in fmus {
        let (name, path) = match text.split_once('=') {
            Some((name, path)) if !Path::new(text).exists() => (Some(name.trim().to_owned()), path),
            _ => (None, text.as_str()),
        };
        let refuse = |code: Code, reason: String| Failure::Usage { code, reason };
        match &name {
            Some(name) if name.is_empty() || name.contains('.') => {
                failures.push(refuse(
                    Code::BadName,
                    format!("`{name}` in `{text}` cannot be the name of an instance; use a name without dots"),
                ));
            }
            Some(name) if !taken.insert(name.clone()) => {
                failures.push(refuse(Code::NameTaken, format!("two instances have the name `{name}`; rename one of them")));
            }
            _ => {}
        }
        given.push((name, path.into()));
    }
    (given, failures)
}

/// Converts a path relative to the working directory to one relative to `folder`.
fn from_folder(folder: &Path, path: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (Ok(folder), Ok(absolute), true) = (fs::canonicalize(folder), fs::canonicalize(path), path.is_relative()) else {
        return path.to_owned();
    };
    let (folder, absolute): (Vec<_>, Vec<_>) = (folder.components().collect(), absolute.components().collect());
    let shared = folder.iter().zip(&absolute).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n(Component::ParentDir, folder.len() - shared);
    up.chain(absolute[shared..].iter().copied()).collect()
}

fn save(arguments: &Arguments, draft: &Draft) -> Result<(), Failure> {
    let path = &arguments.output_file;
    let failed = |source| Failure::System { path: path.clone(), source };
    if arguments.force {
        if is_archive(path) {
            return Err(failed(io::Error::new(ErrorKind::InvalidInput, "it is an FMU or another archive")));
        }
        return replace_file(path, draft.text.as_bytes()).map_err(failed);
    }
    match File::create_new(path) {
        Ok(mut file) => file.write_all(draft.text.as_bytes()).map_err(failed),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let reason = format!(
                "`{}` already exists; choose another file with --output-file, or pass --force to overwrite it",
                path.display()
            );
            Err(Failure::Usage { code: Code::FileExists, reason })
        }
        Err(error) => Err(failed(error)),
    }
}

/// Reports the draft, and what the system still lacks.
fn report(path: &Path, draft: &Draft, n_instances: usize, console: &Console) {
    match System::from_file(path).and_then(|system| system.analyze()) {
        Ok(analysis) => analysis.warnings.iter().for_each(|warning| console.warn(warning)),
        Err(error) => {
            let problems = match &error {
                Error::System(found) => problems::render(found, problems::Style::Plain),
                error => error.code().mark(&error.to_string()),
            };
            console.warn(&Warning::new(Code::DraftIncomplete, format!("the system is incomplete and does not run:\n{problems}")));
        }
    }
    let text = format!(
        "{}: {}, {} connected, {} left at their start values; check the file, then run `lotka run {}`",
        path.display(),
        counted(n_instances, "instance"),
        counted(draft.n_connected, "input"),
        draft.n_open,
        path.display()
    );
    console.say(Verbosity::Normal, &text);
}
