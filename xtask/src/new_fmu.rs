//! `cargo xtask new-fmu NAME`: a new FMU of the project, with the model of `templates/fmu`, to be changed.
//!
//! It becomes the leaf crate `fmus/NAME`, the equations `fmus/models/src/NAME.rs`, and the lines that name them elsewhere. All that could be wrong is
//! looked at before anything is written.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{TaskResult, write};

/// What a model looks like, for crates outside of the project and inside.
const MODEL: &str = include_str!("../../templates/fmu/src/lib.rs");
/// The page that goes along.
const EQUATIONS: &str = include_str!("../../templates/fmu/package/documentation/equations.html");
/// The manifest that all leaf crates have, but for the name.
const MANIFEST: &str = include_str!("../../fmus/prey/Cargo.toml");
/// Words that no module can be called.
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

/// Writes the crate and the model, and names them where FMUs are named.
///
/// # Errors
/// The name cannot be one, or is in use; a file cannot be read or written.
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

/// Where FMUs are named.
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

    /// Refuses a name that a folder, a module, a type or a package has already.
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

/// A name as packages, modules and types have it.
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

    /// The template, filled in as cargo-generate does; the export is in the leaf crate.
    fn model(&self) -> String {
        let filled = MODEL.replace("{{project-name | upper_camel_case}}", &self.model).replace("{{crate_name}}", &self.module);
        filled.replace(&format!("fmu_sdk::export!({});\n\n", self.model), "")
    }

    fn what_next(&self) -> String {
        let Self { package, module, .. } = self;
        format!(
            "Change the model in fmus/models/src/{module}.rs, and its equations in fmus/{package}/package/documentation/equations.html.\n\
             cargo test -p models {module}                      # tests it\n\
             cargo xtask package-fmus --only {module}           # packs it\n\
             The tests also need a picture, fmus/{package}/package/model.png, and `{module}.fmu` in the list of tests/tests/tools/package.rs."
        )
    }
}

/// Whether the code of the template, without comments and texts, has this word.
fn is_used(word: &str) -> bool {
    let code = MODEL.lines().filter(|line| !line.trim_start().starts_with("//") && !line.contains('"'));
    code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric())).any(|used| used == word)
}

/// `fmus/models/src/lib.rs` with the module and the model.
fn named_in_models(text: &str, names: &Names) -> TaskResult<String> {
    let text = with_line(text, "mod ", &format!("mod {};", names.module))?;
    with_line(&text, "pub use ", &format!("pub use {}::{};", names.module, names.model))
}

/// A text with one more among the lines that begin so, which are sorted.
fn with_line(text: &str, begin: &str, line: &str) -> TaskResult<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let last =
        lines.iter().rposition(|other| other.starts_with(begin)).ok_or_else(|| format!("no line begins with `{begin}`"))?;
    let first_after = lines.iter().position(|other| other.starts_with(begin) && *other > line);
    lines.insert(first_after.unwrap_or(last + 1), line);
    Ok(lines.join("\n") + "\n")
}

/// The task that packs FMUs with the model at the end of its list.
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
