//! A host that speaks the protocol and lies in one place at a time: whatever it says, the run ends by itself, with a documented
//! code, and says why.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
};

use tempfile::TempDir;
use test_setup::selected;
use tests::hostile::Hostile;

use super::{
    case::{CONTROLLED, Mode},
    inspection,
    lies::lies,
    process::{self, Ended},
    runner::Site,
};

const FIXED: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = { fmu = '../fmus/a.fmu'@ }\n\
    b = { fmu = '../fmus/b.fmu', start = { x0 = 3 } }\n[connections]\n'b.u' = 'a.y'\n'a.u' = 'b.y'\n[events]\na = 'event-mode'\n";

/// Runs a system, of whose hosts all replies pass through the folder `rogue`.
fn run(site: &Site, flags: &[&str], rogue: &Path) -> Ended {
    let folder = site.path(Mode::Isolated.folder());
    let out = rogue.join("out.csv");
    let arguments = [&["run", "system.toml", "--threads", "1", "--output-file", out.to_str().unwrap()], flags].concat();
    let mut command = process::lotka(&arguments, &folder, site.around());
    command.env("LOTKA_FMU_HOST", env!("CARGO_BIN_EXE_rogue-host")).env("LOTKA_ROGUE", rogue);
    process::watch(command)
}

/// The honest replies of the first host, in their order.
fn honest(site: &Site, flags: &[&str]) -> Vec<Vec<u8>> {
    let rogue = TempDir::new().unwrap();
    fs::create_dir(rogue.path().join("honest")).unwrap();
    let ended = run(site, flags, rogue.path());
    assert_eq!(inspection::code(&ended), Ok(0), "{ended:?}");
    let mut replies: BTreeMap<u32, BTreeMap<usize, Vec<u8>>> = BTreeMap::new();
    for entry in fs::read_dir(rogue.path().join("honest")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let (host, number) = name.split_once('-').unwrap();
        replies.entry(host.parse().unwrap()).or_default().insert(number.parse().unwrap(), fs::read(entry.path()).unwrap());
    }
    replies.into_values().next().unwrap().into_values().collect()
}

/// The replies to lie about: of each kind the first, the second, one in the middle and the last one.
fn chosen(replies: &[Vec<u8>]) -> Vec<usize> {
    let mut kinds: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
    replies.iter().enumerate().for_each(|(number, reply)| kinds.entry(reply[0]).or_default().push(number));
    let some = |numbers: Vec<usize>| [0, 1, numbers.len() / 2, numbers.len() - 1].map(|index| numbers.get(index).copied());
    kinds.into_values().flat_map(some).flatten().collect::<BTreeSet<_>>().into_iter().collect()
}

/// The exit code of a run whose host lies in this file, or what is wrong with the run.
fn judge(site: &Site, flags: &[&str], file: &str, lie: &[u8]) -> Result<i32, String> {
    let rogue = TempDir::new().unwrap();
    fs::write(rogue.path().join(file), lie).unwrap();
    let ended = run(site, flags, rogue.path());
    let says = |text: &&str| ended.stderr.contains(*text);
    let judged = inspection::code(&ended).and_then(|code| {
        match ["panicked", "internal error", "inside Lotka"].iter().find(|text| says(text)) {
            Some(text) => Err(format!("it says `{text}`")),
            None if code == 0 && ended.stderr.lines().any(|line| line.starts_with("error")) => {
                Err("an error, and success".to_owned())
            }
            None if code != 0 && !says(&"`a`") => Err("the FMU is not named".to_owned()),
            None => Ok(code),
        }
    });
    judged.map_err(|reason| format!("{reason}: {ended:?}"))
}

/// Tells lies about the replies of a run, each once and from then on.
fn tell(system: &str, flags: &[&str]) {
    let site = Site::new(|folder| drop(Hostile::family("a", "").capability("hasEventMode", true).build(folder)));
    let system = system.replace('@', ", isolation = 'process', step-timeout = 10");
    fs::write(site.path(Mode::Isolated.folder()).join("system.toml"), system).unwrap();
    let replies = honest(&site, flags);
    let told = chosen(&replies).into_iter().flat_map(|number| {
        let lies = lies(&replies[number]).into_iter();
        lies.flat_map(move |(place, lie)| {
            [number.to_string(), format!("from-{number}")].map(|file| (file, place.clone(), lie.clone()))
        })
    });
    // A prime number, so that the selection has lies about all places.
    let all: Vec<_> = told.step_by(selected(29, 1)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut judged = Vec::new();
        while let Some((file, place, lie)) = all.get(next.fetch_add(1, Relaxed)) {
            let reason = |text| format!("{file}, {place}, {:?}: {text}", &lie[..lie.len().min(40)]);
            judged.push(judge(&site, flags, file, lie).map_err(reason));
        }
        judged
    };
    let judged: Vec<_> = thread::scope(|scope| {
        let threads = [(); 2].map(|()| scope.spawn(work));
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let complaints: Vec<_> = judged.iter().filter_map(|result| result.as_ref().err().map(String::as_str)).collect();
    assert!(complaints.is_empty(), "{} of {} lies\n{}", complaints.len(), all.len(), complaints.join("\n"));
    let n_refused = judged.iter().filter(|result| **result != Ok(0)).count();
    assert!(all.len() > 30 && 4 * n_refused > all.len(), "{n_refused} of {} lies are noticed", all.len());
    println!("{n_refused} of {} lies are noticed", all.len());
}

#[test]
fn lies_about_fixed_steps_and_events() {
    tell(FIXED, &[]);
}

#[test]
fn lies_about_saved_states() {
    tell(CONTROLLED, &["--checkpoint-every", "0.1"]);
}

#[test]
fn lies_under_a_tolerance() {
    tell(&CONTROLLED.replace("local-tolerance", "tolerance"), &[]);
}
