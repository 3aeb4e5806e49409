//! `lotka plot`: draws the rows of one or several files of results, as text, as a picture or as a page.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use lotka::{
    Code, Warning,
    command::{is_archive, replace_file},
};
use lotka_report::{Panels, TextStyle, plots_html};
use wildmatch::WildMatch;

use crate::{
    console::Console,
    console_flags::Verbosity,
    data,
    failure::Failure,
    paths,
    report::subject::{self, Overlays},
    shown::Shown,
};

/// Maximum number of column names in an error message.
const MOST_NAMES: usize = 10;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files of results, or manifests; several are drawn over each other.
    ///
    /// Results are CSV, .mat, .parquet or .arrow files. Curves of the second file and further ones are dashed.
    #[arg(required = true, value_name = "ROWS")]
    rows: Vec<PathBuf>,
    /// Draw over this variable instead of over time.
    #[arg(long, value_name = "NAME")]
    x: Option<String>,
    /// Draw this variable only; can be given several times.
    ///
    /// A name, or a pattern such as 'prey.*': `*` stands for any characters, `?` for one.
    #[arg(long, value_name = "PATTERN")]
    y: Vec<String>,
    /// Write the plots here: .svg or .html [default: text on a terminal, SVG in a pipe].
    ///
    /// A page (.html) can be zoomed.
    #[arg(short, long, visible_alias = "output", value_name = "FILE")]
    output_file: Option<PathBuf>,
    /// Open the plots in a browser.
    ///
    /// Without --output-file, they are a page in the folder for temporary files. $BROWSER selects the program; the default is
    /// xdg-open.
    #[arg(long)]
    open: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Svg,
    Page,
}

/// Draws results.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<(), Failure> {
    let format = arguments.output_file.as_deref().map(format).transpose()?;
    let mut rows = subject::overlays(&arguments.rows)?;
    rows.notes.iter().for_each(|note| console.warn(&Warning::new(Code::ReportIncomplete, note)));
    select(&mut rows, arguments)?;
    let mut runs = rows.runs();
    if let [only] = &mut runs[..] {
        only.name = "";
    }
    let panels = Panels::new(&runs, arguments.x.as_deref());
    if panels.is_empty() {
        let reason = "nothing to plot: no variable changes; `lotka report` lists constants";
        return Err(Failure::Usage { code: Code::NothingToPlot, reason: reason.to_owned() });
    }
    let title = arguments.rows.iter().map(|path| file_name(path)).collect::<Vec<_>>().join(", ");
    let page = || plots_html(&title, &runs, arguments.x.as_deref());
    match (&arguments.output_file, format) {
        (Some(path), Some(format)) => {
            write(path, &if format == Format::Svg { panels.svg() } else { page() }, arguments)?;
            console.say(Verbosity::Normal, &format!("the plots are in {}", path.display()));
            if arguments.open { open(path) } else { Ok(()) }
        }
        _ if arguments.open => {
            let path = temporary(&page())?;
            console.say(Verbosity::Normal, &format!("the plots are in {}", path.display()));
            open(&path)
        }
        _ => match data::terminal_width() {
            Some(width) if data::has_unicode() => {
                data::print_styled(&Shown::rendered(&panels.text(TextStyle { width, has_colors: console.has_colors() })))
            }
            Some(_) => {
                let reason =
                    "this terminal shows no plots: its locale or kind lacks the characters; pass --output-file or --open";
                Err(Failure::Usage { code: Code::WrongUsage, reason: reason.to_owned() })
            }
            None => data::print(&panels.svg()),
        },
    }
}

fn format(path: &Path) -> Result<Format, Failure> {
    match path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("html" | "htm") => Ok(Format::Page),
        _ => {
            let reason = format!("cannot infer a format from `{}`; use the extension .svg or .html", path.display());
            Err(Failure::Usage { code: Code::UnknownFormat, reason })
        }
    }
}

/// Keeps the wanted columns.
fn select(rows: &mut Overlays, arguments: &Arguments) -> Result<(), Failure> {
    let has = |wanted: &dyn Fn(&str) -> bool| {
        rows.tables.iter().any(|(_, table)| table.columns.iter().any(|column| wanted(&column.name)))
    };
    let patterns: Vec<_> = arguments.y.iter().map(|pattern| WildMatch::new(pattern)).collect();
    let matches = |n: usize, name: &str| arguments.y[n] == name || patterns[n].matches(name);
    let missing = (0..patterns.len()).find(|&n| !has(&|name| matches(n, name))).map(|n| &arguments.y[n]);
    if let Some(name) = arguments.x.as_ref().filter(|x| !has(&|name| name == **x)).or(missing) {
        let first = &rows.tables[0].1;
        let names: Vec<_> = first.columns.iter().take(MOST_NAMES).map(|column| column.name.as_str()).collect();
        let more = if first.columns.len() > MOST_NAMES { ", …" } else { "" };
        let reason = format!("no file has a column `{name}`; {} has {}{more}", arguments.rows[0].display(), names.join(", "));
        return Err(Failure::Usage { code: Code::UnknownColumn, reason });
    }
    let is_wanted =
        |name: &str| patterns.is_empty() || arguments.x.as_deref() == Some(name) || (0..patterns.len()).any(|n| matches(n, name));
    rows.tables.iter_mut().for_each(|(_, table)| table.columns.retain(|column| is_wanted(&column.name)));
    Ok(())
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn write(path: &Path, text: &str, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.rows.iter().any(|rows| paths::is_same_file(path, rows)) || is_archive(path) {
        let reason = format!("the plots need {}; choose another file with --output-file", path.display());
        return Err(Failure::Usage { code: Code::WouldOverwrite, reason });
    }
    replace_file(path, text.as_bytes()).map_err(|source| Failure::Report { path: path.to_owned(), source })
}

/// Writes a page that outlives the command, which the browser reads later.
fn temporary(page: &str) -> Result<PathBuf, Failure> {
    let path = env::temp_dir().join(format!("lotka-plot-{}.html", std::process::id()));
    fs::write(&path, page).map_err(|source| Failure::Report { path: path.clone(), source })?;
    Ok(path)
}

/// Opens a file in a browser.
fn open(path: &Path) -> Result<(), Failure> {
    let chosen = env::var_os("BROWSER").filter(|browser| !browser.is_empty());
    let browser = chosen.unwrap_or_else(|| OsString::from("xdg-open"));
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let opened = Command::new(&browser).arg(&path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    opened.map(drop).map_err(|error| {
        let reason = format!("cannot open {} with `{}`: {error}; set $BROWSER to a browser", path.display(), browser.display());
        Failure::Usage { code: Code::NoBrowser, reason }
    })
}
