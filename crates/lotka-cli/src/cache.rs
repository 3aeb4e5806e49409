//! `lotka cache`: what Lotka keeps of FMUs, and its removal.

use std::time::SystemTime;

use lotka::{CachedFmu, Code, cached_fmus, clear_cache, user_cache};
use serde_json::json;

use crate::{
    data,
    failure::Failure,
    json,
    table::{self, row},
};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Remove everything from the cache.
    #[arg(long)]
    clear: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Shows or clears the cache of the user.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let folder = user_cache().ok_or_else(|| Failure::Usage {
        code: Code::UnreadableFile,
        reason: "there is no cache: set HOME or XDG_CACHE_HOME".to_owned(),
    })?;
    let cannot = |source| Failure::Output { path: Some(folder.clone()), source };
    let fmus = cached_fmus(&folder).map_err(cannot)?;
    let size: u64 = fmus.iter().map(|fmu| fmu.size).sum();
    if arguments.clear {
        clear_cache(&folder).map_err(cannot)?;
    }
    if arguments.json {
        let fmu = |fmu: &CachedFmu| json!({ "archives": fmu.archives, "size": fmu.size, "days_unused": days_unused(fmu), "tested": fmu.has_record });
        let fmus: Vec<_> = fmus.iter().map(fmu).collect();
        return data::print(&json::lines(&json!({ "folder": folder, "size": size, "fmus": fmus, "cleared": arguments.clear })));
    }
    let what = if arguments.clear { "removed" } else { "kept" };
    let contents = if fmus.len() == 1 { "1 FMU" } else { &format!("{} FMUs", fmus.len()) };
    data::print(&format!("{}{}: {contents}, {} {what}\n", table::columns("  ", &rows(&fmus)), folder.display(), megabytes(size)))
}

fn rows(fmus: &[CachedFmu]) -> Vec<Vec<String>> {
    let heading = (!fmus.is_empty()).then(|| row(["FMU", "size", "days unused", "tested"]));
    let line = |fmu: &CachedFmu| {
        let paths: Vec<_> = fmu.archives.iter().map(|path| path.display().to_string()).collect();
        let paths = if paths.is_empty() { "(unknown)".to_owned() } else { paths.join(", ") };
        row([&paths, &megabytes(fmu.size), &days_unused(fmu).to_string(), if fmu.has_record { "yes" } else { "no" }])
    };
    heading.into_iter().chain(fmus.iter().map(line)).collect()
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 * 1e-6)
}

fn days_unused(fmu: &CachedFmu) -> u64 {
    SystemTime::now().duration_since(fmu.last_use).unwrap_or_default().as_secs() / (24 * 3600)
}
