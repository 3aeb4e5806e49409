//! `cargo xtask new-fmu NAME`: creates a new FMU of the project, with the model of `templates/fmu` as a starting point.
//!
//! Creates the leaf crate `fmus/NAME` and the equations `fmus/models/src/NAME.rs`, and adds the lines that name them elsewhere.
//! All checks run before anything is written.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{TaskResult, write};

/// Template of a model, used for crates outside and inside the project.
const MODEL: &str = include_str!("../../templates/fmu/src/lib.rs");
/// Template of the documentation page.
const EQUATIONS: &str = include_str!("../../templates/fmu/package/documentation/equations.html");
/// Manifest of a leaf crate; only the name differs.
const MANIFEST: &str = include_str!("../../fmus/prey/Cargo.toml");
/// Reserved words, which cannot be module names.
const KEYWORDS: &str = "\
    abstract alloc as async await become box break const continue core crate do dyn else enum extern false final fn for \
    gen if impl in let loop macro match mod move mut override priv pub ref return self static std struct super \
    trait true try type typeof unsafe unsized use virtual where while yield";

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Name of the FMU: lower-case letters, digits and hyphens, as in water-tank.
    name: String,
    /// Add it to the clone in this folder [default: this clone].
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

/// Writes the crate and the model, and adds them where FMUs are listed.
///
/// # Errors
/// The name is invalid or in use; a file cannot be read or written.
pub fn run(arguments: &Arguments) -> TaskResult {
    let root = arguments.root.clone().unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    let names = Names::new(&arguments.name)?;
    let place = Place::new(&root);
    place.refuse_existing(&names)?;
    let models = named_in_models(&read(&place.models)?, &names)?;
    let list = named_in_list(&read(&place.list)?, &names)?;
    let folder = root.join("fmus").join(&names.package);
    write_new(&folder.join("Cargo.toml"), &MANIFEST.replace("\"prey\"", &format!("\"{}\"", names.package)))?;
    write_new(&folder.join("src/lib.rs"), &names.leaf())?;
    write_new(&folder.join("package/documentation/equations.html"), EQUATIONS)?;
    write_new(&root.join("fmus/models/src").join(&names.module).with_extension("rs"), &names.model())?;
    write(&place.models, &models)?;
    write(&place.list, &list)?;
    println!("{}", names.what_next());
    Ok(())
}

/// The files in which FMUs are listed.
struct Place {
    root: PathBuf,
    models: PathBuf,
    list: PathBuf,
}

impl Place {
    fn new(root: &Path) -> Self {
        let of = |path| root.join(path);
        Self { root: root.to_owned(), models: of("fmus/models/src/lib.rs"), list: of("xtask/src/package_fmus.rs") }
    }

    /// Rejects a name that a folder, module, type or package already has.
    fn refuse_existing(&self, names: &Names) -> TaskResult {
        let module = Path::new("fmus/models/src").join(&names.module);
        for path in [Path::new("fmus").join(&names.package), module.with_extension("rs"), module] {
            if self.root.join(&path).exists() {
                return Err(format!("{} already exists; choose another name", path.display()).into());
            }
        }
        if read(&self.root.join("Cargo.lock"))?.contains(&format!("\nname = \"{}\"\n", names.package)) {
            return Err(format!("Cargo.lock already has a package `{}`; choose another name", names.package).into());
        }
        let is_word = |word: &str| word == names.model;
        if read(&self.models)?.split(|c: char| !c.is_alphanumeric()).any(is_word) {
            return Err(format!("fmus/models already has a model `{}`; choose another name", names.model).into());
        }
        Ok(())
    }
}

/// A name in the forms of packages, modules and types.
struct Names {
    package: String,
    module: String,
    model: String,
}

impl Names {
    fn new(name: &str) -> TaskResult<Self> {
        let is_part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.split('-').all(is_part) {
            return Err(format!(
                "expected a name of lower-case letters, digits and single hyphens, as in water-tank; found `{name}`"
            )
            .into());
        }
        if KEYWORDS.split(' ').any(|word| word == name) {
            return Err(format!("`{name}` is a keyword of Rust; choose another name").into());
        }
        let capitalized = |part: &str| part[..1].to_ascii_uppercase() + &part[1..];
        let model: String = name.split('-').map(capitalized).collect();
        if is_used(&model) {
            return Err(format!("the source of the model already uses the name `{model}`; choose another name").into());
        }
        Ok(Self { package: name.to_owned(), module: name.replace('-', "_"), model })
    }

    fn leaf(&self) -> String {
        let Self { module, model, .. } = self;
        format!("//! The FMU `{module}`; its equations are in [`models::{model}`].\n\nfmu_sdk::export!(models::{model});\n")
    }

    /// Returns the template with its placeholders filled in, like cargo-generate. The export is in the leaf crate.
    fn model(&self) -> String {
        let filled = MODEL.replace("{{project-name | upper_camel_case}}", &self.model).replace("{{crate_name}}", &self.module);
        filled.replace(&format!("fmu_sdk::export!({});\n\n", self.model), "")
    }

    fn what_next(&self) -> String {
        let Self { package, module, .. } = self;
        format!(
            "Change the model in fmus/models/src/{module}.rs, and its equations in fmus/{package}/package/documentation/equations.html.\n\
             cargo test -p models {module}                      # tests it\n\
             cargo xtask package-fmus --only {module}           # packs it; --fmi 3.0 for FMI 3.0\n\
             The tests also need a picture, fmus/{package}/package/model.png, and `{module}.fmu` in the list of tests/tests/tools/package.rs."
        )
    }
}

/// Returns whether this word occurs in the template's code, outside comments and strings.
fn is_used(word: &str) -> bool {
    let code = MODEL.lines().filter(|line| !line.trim_start().starts_with("//") && !line.contains('"'));
    code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric())).any(|used| used == word)
}

/// Returns `fmus/models/src/lib.rs` with the module and the model added.
fn named_in_models(text: &str, names: &Names) -> TaskResult<String> {
    let text = with_line(text, "mod ", &format!("mod {};", names.module))?;
    with_line(&text, "pub use ", &format!("pub use {}::{};", names.module, names.model))
}

/// Inserts a line into the sorted block of lines with this prefix.
fn with_line(text: &str, begin: &str, line: &str) -> TaskResult<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let last =
        lines.iter().rposition(|other| other.starts_with(begin)).ok_or_else(|| format!("no line begins with `{begin}`"))?;
    let first_after = lines.iter().position(|other| other.starts_with(begin) && *other > line);
    lines.insert(first_after.unwrap_or(last + 1), line);
    Ok(lines.join("\n") + "\n")
}

/// Returns the source of the packing task with the model added at the end of its list.
fn named_in_list(text: &str, names: &Names) -> TaskResult<String> {
    let (before, after) = text.split_once("\n];\n").ok_or("xtask/src/package_fmus.rs has no list of models")?;
    Ok(format!("{before}\n    Declared::of::<models::{}>,\n];\n{after}", names.model))
}

fn read(path: &Path) -> TaskResult<String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

fn write_new(path: &Path, text: &str) -> TaskResult {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    write(path, text)
}
