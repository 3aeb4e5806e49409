//! `lotka new`: writes a first system file for given FMUs, and beside it the schema with which editors check it.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, ErrorKind, Write},
    path::{Component, Path, PathBuf},
};

use lotka::{
    Code, Coded, Error, FmuError, System, Warning,
    command::{Draft, DraftInstance, GivenConnection, draft, instance_name, is_archive, replace_file},
    inspect_fmu,
};

use crate::{
    behavior, console::Console, console_flags::Verbosity, counted::counted, data, exit::ExitCode, failure::Failure, problems,
    schema, shown::Shown,
};

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
    /// Connect this input to this output; can be given several times.
    ///
    /// Names, types and units do not count. Lotka guesses the connections of all other inputs.
    #[arg(long, value_name = "INSTANCE.INPUT=INSTANCE.OUTPUT", value_parser = connection)]
    connect: Vec<GivenConnection>,
    /// Write no schema for editors, and no line in the file that names it.
    #[arg(long)]
    no_schema: bool,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

fn connection(text: &str) -> Result<GivenConnection, String> {
    let (input, output) = text.split_once('=').ok_or("write instance.input=instance.output, as in prey.y=predator.y")?;
    let [input, output] = [input, output].map(|name| name.trim().to_owned());
    Ok(GivenConnection { input, output, place: format!("--connect {text}") })
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
    let mut draft = draft(&instances(arguments)?, &arguments.connect).map_err(|problems| vec![Error::System(problems).into()])?;
    if path.as_os_str() == STDOUT {
        return data::print_file(&draft.text).map_err(|failure| vec![failure]);
    }
    if !arguments.no_schema {
        draft.text = format!("#:schema ./{}\n{}", schema::FILE, draft.text);
    }
    save(arguments, &draft).map_err(|failure| vec![failure])?;
    if !arguments.no_schema {
        save_schema(path).map_err(|failure| vec![failure])?;
    }
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
            Ok(info) if info.description.model_identifier().is_none() => {
                failures.push(Error::Fmu(FmuError::NoCoSimulation { path }).into());
            }
            Ok(info) => {
                let name = name.unwrap_or_else(|| instance_name(&path, &taken));
                taken.insert(name.clone());
                let mut description = info.description.interface();
                let measured = || behavior::record(&path).and_then(|record| behavior::own_steps(&record));
                description.fixed_internal_step = description.fixed_internal_step.or_else(measured);
                instances.push(DraftInstance { name, path: from_folder(folder, &path), description });
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

/// Writes the schema beside a system file. An earlier one may be that of an older command; a file of another origin stays.
fn save_schema(system: &Path) -> Result<(), Failure> {
    let path = system.with_file_name(schema::FILE);
    let failed = |source| Failure::System { path: path.clone(), source };
    match fs::read_to_string(&path) {
        Ok(text) if !schema::is_of_systems(&text) => Ok(()),
        Ok(_) => replace_file(&path, schema::of_systems().as_bytes()).map_err(failed),
        Err(error) if error.kind() == ErrorKind::NotFound => fs::write(&path, schema::of_systems()).map_err(failed),
        Err(error) => Err(failed(error)),
    }
}

/// Reports the draft, and what the system still lacks.
fn report(path: &Path, draft: &Draft, n_instances: usize, console: &Console) {
    match System::from_file(path).and_then(|system| system.analyze()) {
        Ok(analysis) => analysis.warnings.iter().for_each(|warning| console.warn(warning)),
        Err(error) => {
            let problems = match &error {
                Error::System(found) => {
                    problems::render(found, problems::Style::Plain).iter().map(Shown::as_str).collect::<Vec<_>>().join("\n")
                }
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
