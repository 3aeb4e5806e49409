//! The command itself is killed while an FMU does not return.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::Stdio,
};

use tests::hostile::{FREEZE, HANG, Hostile};

use super::{
    case::{Case, Mode},
    inspection, process,
    runner::Site,
};

fn assert_gone(mode: Mode, reply: i32) {
    let site = Site::new(|folder| drop(Hostile::new("a").reply("fmi2DoStep", reply).build(folder)));
    let folder = site.path(mode.folder());
    let system = Case::new("", Hostile::new("a")).system_file(mode);
    fs::write(folder.join("system.toml"), system).unwrap();
    let before = inspection::listing(site.around());
    let mut command = process::lotka(&["run", "system.toml", "--output-file", "out.csv", "-v"], &folder, site.around());
    let mut master = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(master.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("algorithm: ")), "{mode:?}: it ended too early");
    process::kill(&master.id().to_string());
    master.wait().unwrap();
    assert_eq!(inspection::leftovers(site.around()), Vec::<String>::new(), "{mode:?}");
    let next = site.lotka(Mode::Check, &["check", "../fmus/b.fmu"]);
    assert_eq!(inspection::code(&next), Ok(0), "{mode:?}: {next:?}");
    assert_eq!(inspection::strays(&before, site.around(), &folder.join("out.csv")), Vec::<String>::new(), "{mode:?}");
}

#[test]
fn processes_are_gone_at_once_and_folders_at_the_next_start() {
    [Mode::InProcess, Mode::Isolated].into_iter().for_each(|mode| assert_gone(mode, HANG));
    // The thread of the host that watches the master does not run.
    assert_gone(Mode::Isolated, FREEZE);
}
