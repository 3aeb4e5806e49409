//! What an FMU changes of the process is put back. The working directory belongs to the whole process, in which no other test runs meanwhile.

use std::sync::{Arc, Mutex};

use fmu::{Fmu, InstantiateOptions};
use lotka_instance::LogMessage;
use tests::hostile::Hostile;

use super::alone;

#[test]
fn floating_point_control_and_working_directory_are_put_back_with_a_warning() {
    let _alone = alone();
    let before = (std::env::current_dir().unwrap(), f64::MIN_POSITIVE / std::hint::black_box(4.0));
    let dir = tempfile::tempdir().unwrap();
    let rude = Hostile::new("rude").define("CHANGE_DIRECTORY").define("FLUSH_TO_ZERO").define("CHANGE_ROUNDING");
    let fmu = Fmu::open(rude.build(dir.path())).unwrap();
    let lines = Arc::new(Mutex::new(Vec::<LogMessage>::new()));
    let sink = Arc::clone(&lines);
    let log: lotka_instance::LogSink = Arc::new(move |line| sink.lock().unwrap().push(line));
    let options = InstantiateOptions { log: Some(log), ..InstantiateOptions::default() };
    let _instance = fmu.instantiate("it", &options).unwrap();
    assert_eq!((std::env::current_dir().unwrap(), f64::MIN_POSITIVE / std::hint::black_box(4.0)), before);
    assert_eq!(1.0 + std::hint::black_box(1e-30), 1.0, "rounding is to nearest");
    let lines = lines.lock().unwrap();
    assert!(
        lines.iter().any(|line| line.message.contains("working directory") && line.message.contains("floating-point")),
        "{lines:?}"
    );
}
